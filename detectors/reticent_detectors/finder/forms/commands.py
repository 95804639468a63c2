"""What a place in a command, a call or a path holds: the user and the password of a login.

    mysql -u ana -p Tulip9harv shop    curl -u ana:Tulip9harv https://a.example    login("ana", "Tulip9harv")
    ssh ana@10.0.0.5                   ALTER USER ana IDENTIFIED BY 'Tulip9harv'   ls /home/ana/notes

Looked at are at most `REACH_CHARS` before the place.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.named import Named, Sort, Strength

REACH_CHARS = 120
WORDS = frozenset(
    [
        *("mysql", "mysqldump", "mariadb", "psql", "curl", "wget", "smbclient", "ssh", "scp", "sftp", "u", "p", "user"),
        *("login", "logon", "signin", "authenticate", "auth", "httpbasicauth", "basicauth", "identified"),
    ]
)
"""Words after which such a place may stand, in small letters."""
FOLDERS = frozenset(["home", "users"])
"""Folders of which the next part of a path is a user."""
_PROGRAM = r"(?<![\w./-])(?:mysql|mysqldump|mariadb|psql|curl|wget|smbclient)(?= )[^\n|;]{0,80}?"
_CALL = r"(?i:(?<![A-Za-z])(?:log_?[io]n|logon|sign_?in|authenticate|(?:http)?_?basic_?auth|auth))\("
_GIVEN = r"[\"'][^\"'\n]{1,40}[\"'], ?"
_USER = regex.compile(
    rf"(?r)(?:{_PROGRAM} (?:-u ?|--user[= ]|-U )[\"']?|{_CALL}[\"']"
    r"|(?<![\w./-])(?:ssh|scp|sftp) (?:-\w (?:\S{1,40} )?)?"
    r"|(?<![\w.])(?:/home/|/Users/|\\Users\\|[A-Z]:\\\\Users\\\\))"
)
_PASSWORD = regex.compile(
    rf"(?r)(?:{_PROGRAM} (?:-u ?|--user[= ])[\"']?[\w.#-]{{1,40}}:"
    rf"|(?<![\w./-])(?:mysql|mysqldump|mariadb)(?= )[^\n|;]{{0,80}}?"
    rf" (?:-p ?|--password[= ])[\"']?|{_CALL}{_GIVEN}[\"']?|(?i:identified by) ?[\"'])"
)
_ENDS = ":@/\\"


def called(text: str, p: int) -> Named | None:
    """Return what a command, a call or a path says that stands at p."""
    start = max(0, p - REACH_CHARS)
    if _PASSWORD.match(text, start, p):
        return Named({"PASSWORD": Sort.LABEL}, Strength.TIGHT, text[p - 1] != " ")
    if _USER.match(text, start, p):
        return Named({"USERNAME": Sort.LABEL}, Strength.TIGHT, True, _ENDS)
    return None

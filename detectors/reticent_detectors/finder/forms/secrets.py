"""Passwords, user names and tokens that a label names: they have no form, so words that are no values are listed.

"password: str", "the password is required" and "user interface" hold no value.
"""

from __future__ import annotations

import re

import regex

from reticent_detectors.finder.forms.checks import is_random_named
from reticent_detectors.finder.forms.labels import after_sentence, fold, sentence_words, split_words
from reticent_detectors.finder.forms.named import Named, Strength
from reticent_detectors.finder.forms.somebody import names_somebody, people_words
from reticent_detectors.finder.forms.words import words_of
from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.names_data import look_up

_MOST_CHARS, _LEAST_PLAIN = 128, 9
_QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»", "`": "`", "‘": "’", "„": "“"}
_RUN = regex.compile(r"[^\s<>]++")
_NEXT_FIELD = re.compile(r"[,;&|]\s?[\w.-]{1,24}[=:]|[\"'`]\s?[,}\])]|,[\"']?$|[\"'`]+$")
_PLACEHOLDER = regex.compile(
    r"(?i)(?:[^\w\s]*|x{3,}|\*{2,}.*|[•.…]+.*|<.*|\$[A-Z_]+|\$\{.*|\$\(.*|\{\{?.*|%\(.*|%[sdr]|%\w+%|\[.*|\.\.\."
    r"|os\.environ.*|env[.(:].*|process\.env.*|!.{0,2}(?:vault|secret|env).*"
    r"|(?:your|the|enter|insert|add|replace|put|choose|type|new|old|some|any|this|current|test|dummy|fake|sample"
    r"|default|example|super|confirm|repeat)[-_ ]?(?:\w+[-_ ])*(?:password|passwd|pass|pwd|secret|user|username"
    r"|user-name|name|token|key|pin|here|login|value)\d?"
    r"|password|passwort|passwd|passphrase|pass|pwd|pw|contraseña|senha|secret|token|key|pin|username|user|login"
    r"|email|name|id|none|null|nil|undefined|true|false|yes|no|n/a|na|tbd|todo|string|str|bytes|bytearray|int"
    r"|integer|number|text|char"
    r"|varchar|any|object|bool|boolean|float|double|dict|list|tuple|set|self|this|cls|required|optional|hidden"
    r"|redacted|removed|masked|encrypted|changeme|change_me|change-me|example|test|foo|bar|baz|value|default"
    r"|secretstr|optional\[.*|field|input|label|placeholder|empty|blank|nan|confidential|unknown|missing|disabled"
    r"|enabled|always|never|prompt|ask)"
)
_PARTICIPLE = re.compile(r"(?i)[a-z]+(?:ed|ing|able|ible|ly|tive|sive|ous|ful|less|ment|tion)\Z")
_CODE = re.compile(r"(?:[A-Za-z_$]\w*(?:(?:\.|->)[A-Za-z_]\w*)+|\w*[(\[].*)\Z")
_NAME_OF_ONE = re.compile(
    r"(?i)\w*(?:pass(?:word|wd|wort)?|pwd|secret|token|user(?:name)?|login|cred\w*|prompt|input|value|field|param\w*"
    r"|arg\w*|config|settings|auth)\w*\Z"
)
# How words begin and end that are said of something in other languages: "gesperrt", "obligatorio".
_SAID = re.compile(
    r"(?:ge|ver|be|ent|er|zer)[a-z]{2,}(?:t|en)\Z|[a-z]+(?:lich|isch|bar|sam|haft|los|ig|[aiu]d[oa]|[aiu]t[oa]|oire|ori[oa]"
    r"|os[oa]|iv[oa]|eux|euse|[ae]nte|ic|case)\Z"
)
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|aes|rsa|tls|pbkdf|oauth|http|utf|iso|base|bcrypt|argon|hmac|v|version|win|ipv)-?\d+\w{0,3}\Z"
)
_INDEXED = re.compile(r"[A-Za-z_][\w.]*\[[\"'\w]")
_ASSIGNED = re.compile(r"[A-Za-z_]{1,24}=[^=]")
_PADDED = re.compile(r"[A-Za-z0-9+/]{8,}={1,2}")
_TYPE = re.compile(
    r"(?i).*(?:field|str|string|type|case|schema|model|param|text|data|input|column|default|base|error|class)\Z"
)
_CALLED = regex.compile(
    r"(?ri)(?:(?<!\p{L})name|username|nutzername\w?|handle|alias|nick|utilisateur|pseudo|usuario|utente|utilizador)"
    r"[ \"'*_`]{1,4}"
)
"""Matches a word that names nothing but a user's name before a place."""
_NAMED_USER = regex.compile(
    r"(?i)(?<!\p{L})(?:(?:user|screen|login|profile|account) ?names?|(?:be)?nutzername|anmeldename|nickname|pseudo\w*"
    r"|identifiant|nom d['’]utilisateur|nombre de (?:usuario|perfil)"
    r"|nome (?:utente|de (?:usuário|utilizador)))(?!\p{L})"
)
"""Matches what names nothing but a user's name; "login" and "user" need somebody whose it is."""
_SENTENCE_CHARS, _LINK_CHARS = 96, 16
_APPEARS = regex.compile(r"(?ri)(?<!\p{L})(?:as|under|by|als|unter|comme|como|come) ")
_USER = re.compile(r"@?[\w.+#\\-]{1,63}[\w+#\\-]")
_TOKEN = regex.compile(r"[A-Za-z0-9+/=_.~:-]{16,128}")


_KEY_BARE = re.compile(r":(?=\s|\Z|[{\[])")
_NESTED = regex.compile(r"(?r)(?:[{\[,]|:[ \t]*\n[ \t]{1,24})\s*[\"']?")
"""Matches what stands before a key of an object that a label names."""
_INDENT = 48
_KEY_ENDS = re.compile(r" ?:(?!/)")


def _value(text: str, p: int, closed: bool, named: Named | None) -> tuple[str, bool] | int:
    """Return the string at p and whether it is quoted; NONE, or OPEN while it may go on."""
    closer = _QUOTES.get(text[p - 1 : p], "")
    if closer:
        limit = min(len(text), p + _MOST_CHARS)
        end = text.find(closer, p, limit)
        line = text.find("\n", p, limit)
        if end < 0 and line < 0 and not closed and len(text) < p + _MOST_CHARS:
            return OPEN
        if end > p and (line < 0 or line > end):
            if end + 2 >= len(text) and not closed:
                return OPEN
            key = _KEY_ENDS.match(text, end + 1) is not None and _NESTED.match(text, max(0, p - _INDENT), p) is not None
            return NONE if key else (text[p:end], True)
    run = _RUN.match(text, p, p + _MOST_CHARS)
    if run is None:
        return NONE
    if run.end() == len(text) and not closed and len(run[0]) < _MOST_CHARS:
        return OPEN
    value = run[0]
    for mark in named.ends if named is not None else "":
        value = value.partition(mark)[0]
    cut = _NEXT_FIELD.search(value, 1)
    if _KEY_BARE.match(text, p + len(value) - value.endswith(":")) and _NESTED.match(text, max(0, p - _INDENT), p):
        return NONE  # the key of what comes next
    return (value[: cut.start()] if cut and cut.start() >= 3 else value), False


def is_mixed(value: str) -> bool:
    """Tell whether a word is none of prose: digits, marks, or capitals inside."""
    inner = value[1:]
    return (
        any(c.isdigit() for c in value)
        or any(not c.isalnum() and c not in "-'’." for c in value)
        or (any(c.isupper() for c in inner) and any(c.islower() for c in value))
    )


def _trimmed(value: str, marks: str) -> str:
    trimmed = value.rstrip(marks)
    for opening, closing in ("()", "[]", "{}"):
        if trimmed.count(closing) > trimmed.count(opening):
            head, _, tail = trimmed.partition(closing)
            trimmed = head if not tail.strip(marks + ")]}") else trimmed
    return trimmed.rstrip(marks)


def is_word_about(begun: str) -> bool:
    """Tell whether letters that go on may become a word that is said of a secret and is none: "requ", "str"."""
    plain = fold(begun).lstrip("<$%{[")
    words = words_of("predicates", "secrets") | words_of("generic", "secrets")
    return plain != fold(begun) or any(word.startswith(plain) for word in words) or bool(_PLACEHOLDER.fullmatch(begun))


def is_argument(begun: str) -> bool:
    """Tell whether letters are the name of an argument with its value: "pin='67"."""
    return _ASSIGNED.match(begun) is not None


_GOES_ON = re.compile(r"[^\w\n]{0,2} [^\W\d]")
_NEXT_CLAUSE = re.compile(r"[\"'”’»)*_`]{0,2}(?:[.!?;]|,? (?:and|but|und|aber|et|mais|y|pero|e|ed|ma|mas) )")
_CLAUSE_CHARS = 8


def _stands_alone(text: str, end: int, closed: bool) -> bool | None:
    """Tell whether no word follows in the same clause; None while that is not known."""
    after = text[end : end + _CLAUSE_CHARS]
    if len(after) < _CLAUSE_CHARS and "\n" not in after and not closed:
        return None
    return _GOES_ON.match(after) is None or _NEXT_CLAUSE.match(after) is not None


_FILLED_IN = re.compile(r"(?:\$\{|\$\(|\{\{|%\(|<%=?|\[)[ -]*\Z")


def _continues(text: str, p: int) -> bool:
    """Tell whether what stands at p goes on a word before it, or names what a template fills in."""
    if _FILLED_IN.search(text, max(0, p - 8), p) and text[p - 1] not in "[":
        return True
    return p > 1 and text[p - 1] in "_-.@+\\$" and (text[p - 2].isalnum() or text[p - 1] in "_$")


def _without_marks(written: str, marked: bool, starred: bool) -> str:
    """Return a password without the marks of its sentence. `starred`: a star opens before it."""
    value = _trimmed(re.sub(r"\*{2,3}\W*\Z", "", written), ".,;:)]}|'’\"`" + "*" * starred)
    bare = value.rstrip("!?")
    if written == f"{value}." and bare != value:
        return value  # no sentence ends in "!."
    if bare == value or (marked and is_mixed(bare) and any(map(str.isdigit, bare))):
        return value
    return bare if bare.isalpha() or not is_mixed(bare) or value.endswith("?") else value


def _is_no_password(text: str, p: int, value: str, led: bool) -> bool:
    """Tell whether a string at p is a placeholder, code, or the name of an argument. `led`: a label leads to it."""
    if len(value) < 3 or _PLACEHOLDER.fullmatch(value) or _ALGORITHM.match(value) or "://" in value:
        return True
    end = p + len(value)
    if text[end : end + 1] in ("(", "[") or text[end : end + 2] == "':" or value[-1] == ":":
        return True
    if value[-1] == "=" and not (_PADDED.fullmatch(value) and any(map(str.isdigit, value))):
        return True
    if _INDEXED.match(value) or (text[p - 1 : p] == " " and _ASSIGNED.match(value)):
        return True
    head, _, last = value.rpartition(".")
    figured = led and any(map(str.isdigit, last)) and "(" not in value
    return _CODE.match(value) is not None and not figured and not (led and _is_of_names(text, p, head, last))


def _is_of_names(text: str, p: int, head: str, last: str) -> bool:
    """Tell whether "ana.DelRio" after a colon or "is" is no class of a module, as "unittest.TestCase" is."""
    plain = head.isalpha() and head.islower() and last.isalpha() and not last.islower()
    led = text[max(0, p - 2) : p].strip(" \"'`") == ":" or _is_linked(text, p)
    return plain and led and head not in words_of("modules", "secrets") and not _TYPE.match(last)


def password(text: str, p: int, closed: bool, named: Named | None) -> int:
    """Read a password that a label names."""
    if _continues(text, p):
        return NONE
    found = _value(text, p, closed, named)
    if isinstance(found, int):
        return found
    value, quoted = found
    if quoted:
        value = value.removesuffix(".")
        if _PLACEHOLDER.fullmatch(value) or (_CODE.match(value) and _NAME_OF_ONE.match(value.rpartition(".")[2])):
            return NONE
        parts = value.split(" ")
        if len(parts) > 1:
            fine = 3 <= len(parts) <= 8 and all(part.isalnum() and part == part.lower() for part in parts)
            return p + len(value) if fine and words_of("prose", "secrets").isdisjoint(parts) else NONE
        return p + len(value) if len(value) >= 3 else NONE
    marked = named is not None and named.marked and named.strength is Strength.TIGHT and after_mark(text, p)
    value = _without_marks(value, marked, text[p - 1 : p] in ("*", "_"))
    if _is_no_password(text, p, value, marked or _is_linked(text, p)):
        return NONE
    end = p + len(value)
    if not marked and (named is None or not named.marked):
        loose = named is not None and named.strength < Strength.TIGHT
        if not any(map(str.isdigit, value)) or (loose and not any(map(str.isalpha, value))):
            return NONE
    if is_mixed(value) and len(value) >= 4:
        strong = any(c.isdigit() for c in value) or (len(value) >= 6 and not regex.fullmatch(r"[\p{L}-]+", value))
        refers = marked and _NAME_OF_ONE.match(value) is not None
        return end if (marked or strong) and not refers else NONE
    plain = fold(value).strip("-'’")
    alone = _stands_alone(text, end, closed)
    if alone is None:
        return OPEN
    if not alone or len(value) < 4:
        return NONE
    if plain in words_of("common", "secrets"):
        return end
    fine = plain not in words_of("predicates", "secrets") and not _PARTICIPLE.match(plain)
    if named is not None and named.marked and fine and len(value) >= _LEAST_PLAIN and value.islower():
        return end
    if not marked or not fine:
        phrase = regex.fullmatch(r"\p{Ll}{3,}(?:-\p{Ll}{3,}){2,}", value)
        return end if phrase and fine else NONE
    return end


def after_mark(text: str, p: int) -> bool:
    """Tell whether a colon or an equals sign leads to p."""
    return re.search(r"[:=|,\t\n>–—→][\s\"'`*_(\[]*\Z", text[max(0, p - 8) : p]) is not None


def username(text: str, p: int, closed: bool, named: Named | None) -> int:
    """Read a user name that a label names."""
    if _continues(text, p):
        return NONE
    found = _value(text, p, closed, named)
    if isinstance(found, int):
        return found
    value, quoted = found
    marked = after_mark(text, p)
    if not quoted:
        value = _trimmed(value, ".,;:)]}|?!'*’\"`")
    end, bare = p + len(value), value.removeprefix("@")
    if not _USER.fullmatch(value) or not 3 <= len(bare) <= 40 or bare.isdigit():
        return NONE
    if _is_nobodys(bare) or named is None or named.strength < Strength.LOOSE:
        return NONE
    if not quoted and (text[end : end + 1] in ("(", "[") or _is_member(bare)):
        return NONE
    plain_word = named.strength is Strength.TIGHT and len(bare) >= _LEAST_PLAIN and bare.islower()
    called = plain_word and _CALLED.match(text, max(0, p - 24), p) is not None
    known = any(map(str.isdigit, bare)) or ("_" in bare and _APPEARS.match(text, max(0, p - 8), p) is not None)
    linked = not marked and _is_linked(text, p)
    if not (marked or named.marked or called or known or linked):
        return NONE
    mixed = any(c.isdigit() or c in "_#" for c in bare) or value[0] == "@" or ("." in bare and not bare.istitle())
    if mixed or (quoted and named.marked):
        return end
    if _PARTICIPLE.match(fold(bare)):
        return NONE
    if not (linked and _is_name_of_user(text, p, bare)):
        if named.strength < Strength.TIGHT:
            return NONE
        if not marked and named.ends:
            return end
        if not (marked or called):
            return NONE
    alone = _stands_alone(text, end, closed)
    return OPEN if alone is None else end if alone else NONE


def _is_member(bare: str) -> bool:
    """Tell whether it is code that holds a name, or a constant of a module: "config.user", "os.O_EXCL"."""
    head, _, last = bare.partition(".")
    constant = last.isupper() and head in words_of("modules", "secrets")
    return _CODE.match(bare) is not None and (constant or _NAME_OF_ONE.match(bare) is not None)


def _is_nobodys(bare: str) -> bool:
    """Tell whether it is no user name, or one that is nobody's."""
    plain = fold(bare)
    about = plain.startswith("your") or any(plain in words_of(row, "secrets") for row in ("generic", "predicates"))
    return about or _PLACEHOLDER.fullmatch(bare) is not None or _ALGORITHM.match(bare) is not None


def _is_linked(text: str, p: int) -> bool:
    """Tell whether "is" or the like stands directly before p."""
    words, gaps = split_words(text[max(0, p - _LINK_CHARS) : p])
    return bool(words) and words[-1] in sentence_words()["links"] and not gaps[-1].strip(" \"'`*_“„«")


def _is_name_of_user(text: str, p: int, bare: str) -> bool:
    """Tell whether letters to which "is" leads are somebody's user name, and no word that is said of one."""
    plain, sentence = fold(bare), after_sentence(text[max(0, p - _SENTENCE_CHARS) : p].rpartition("\n")[2])
    fine = bare.isalpha() and not bare.istitle() and not bare.isupper() and look_up(plain).ordinary == 0
    if not fine or (_SAID.match(plain) and not look_up(plain).given) or bare.endswith(("é", "ée")):
        return False
    return _NAMED_USER.search(sentence) is not None or names_somebody(people_words(sentence))


def token(text: str, p: int, closed: bool, named: Named | None) -> int:
    """Read a key or token that a label names: a string that looks drawn at random."""
    found = _value(text, p, closed, named)
    if isinstance(found, int):
        return found
    value = found[0].rstrip("\\") if found[1] else _trimmed(found[0], ".,;:)]}|?!'*’\"`")
    if (
        not _TOKEN.fullmatch(value)
        or _ASSIGNED.match(value)
        or "://" in value
        or text[p + len(value) : p + len(value) + 1] in ("(", "[")
    ):
        return NONE
    return p + len(value) if is_random_named(value) else NONE

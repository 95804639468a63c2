"""Whether words around "at" are a mailbox and its host, or a sentence."""

from __future__ import annotations

from reticent_detectors.finder.disguises.spelled_parts import SpelledPart
from reticent_detectors.finder.disguises.spelling_words import PLAIN_AT
from reticent_detectors.finder.word_sets import word_set

# "Visit us at example dot org": no mailbox is called so, and no host.
_NO_MAILBOX = word_set(
    """a all am an and are arrived at available be been but by call check contact email find for found go good he
    her here him his how i in is it its join just know learn line listed live located look mail me meet more my new
    no not now of on online only or our out page people point read register see she sign site so stay that the them
    there they this to today up us visit was we web website were what when where which who with work working works
    write you your"""
)
_NO_HOST = word_set(
    """a an the this that these those his her its their my our your some any each every all no one which what last
    first least most"""
)
_TLDS = word_set(
    """com org net edu gov mil int info biz name pro app dev io ai co me tv example test invalid localhost online
    site shop store tech cloud email blog xyz club agency care clinic health hospital law group team work works
    world news media ac ad ae ag am ar at au ba bd be bg bo br by bz ca cat ch ci cl cn cr cu cy cz de dk do ec ee
    eg es eu fi fr ge gg gh gr gt hk hn hr hu id ie il im in ir is it je jm jo jp ke kg kr kw kz la lb li lk lt lu
    lv ly ma mc md mk mm mn mo mt mu mx my na ng ni nl no np nz om pa pe ph pk pl pr ps pt py qa ro rs ru sa se sg
    si sk sm sn su sv sy th tn to tr tw tz ua ug uk us uy uz va ve vn ws za zm zw"""
)


def is_mailbox(parts: list[SpelledPart]) -> bool:
    """Whether the words around "at" are a mailbox and a host, and no sentence."""
    at = next(i for i, part in enumerate(parts) if part.plain == "@")
    box, host = parts[:at], parts[at + 1 :]
    if not box or not host or any(part.kind == "r" for part in host):
        return False
    if all(part.kind in "fy" for part in parts) and not any(part.kind == "y" for part in parts):
        return False
    bare = parts[at].word in PLAIN_AT and parts[at].gap != "["
    if not bare:
        return True
    labels = "".join(part.plain for part in host).lower().split(".")
    if labels[0] in _NO_HOST or len(labels) < 2 or not any(label in _TLDS for label in labels[1:]):
        return False
    name = "".join(part.plain for part in box).lower()
    if len(name) < 2 or name in _NO_MAILBOX:
        return False
    return len(box) > 1 or not name.isalpha() or any(part.kind == "m" for part in host)

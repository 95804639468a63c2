"""Where values may begin, and the words with which none begins."""

from __future__ import annotations

import re

from reticent_detectors.finder.disguises.escapes import STARTS
from reticent_detectors.finder.redactions import REDACTION_TAG
from reticent_detectors.finder.unspaced import UNSPACED
from reticent_detectors.finder.word_sets import word_set

_WORD_START = (
    rf"(?:(?<![^\W{UNSPACED}])|(?<=(?<!\w)_)|(?<=(?<!\w)__))(?:[^\W_{UNSPACED}]|(?<!\d)\d)|[$€£+({STARTS}]"
    r"|(?<![\w.,:/-])[-−](?=\d|\Z)|(?<![\w:]):(?=:|\Z)|(?<![\w.@])@(?=\w|\Z)"
)
# Where a word begins, also behind the underscores of an emphasis, and symbols that values begin with.
# `re`, as the search of `regex` takes time in proportion to the rest of the text here.
WORD_START = re.compile(_WORD_START)
# And where a number, or a capital behind an underscore, begins within a word (`touching`).
START = re.compile(rf"{_WORD_START}|(?<=[^\W\d])[0-9]|(?<=_)[A-Z]")
# A word of letters, apostrophes and hyphens before a blank or a mark that no value has inside.
PLAIN_WORD = re.compile(
    rf"[^\W\d_{UNSPACED}]{{1,64}}(?:['’-][^\W\d_{UNSPACED}]{{1,32}}){{0,3}}(?=[\s,;!?)\]}}\"”»…、。，！？；{UNSPACED}]"
    r"|[.:](?:\s|$)|$)"
)
# What stands behind such a word while the next word may still grow.
GROWING_WORD = re.compile(r"[\s,;!?)\]}\"”»….:]{1,4}([^\W_]{0,32})\Z")
# Words with which no value begins, whatever stands before them.
_INERT = word_set(
    """about above after again all also although an and any are as at be because been before being below between
    both but by can cannot could did do does doing done during each either else ever every few for from further get
    gets got had has have having he her here hers herself him himself his how however if in into is it its itself
    just less let made make many may me might mine more most much must my myself neither nor not of off often on
    once only or other our ours out over own quite rather said same say says she should since so some such than that
    the their theirs them themselves then there these they this those though through thus to too under until up upon
    us very was we well were what when where whether which while who whom whose why will with within without would
    yet you your yours able across against ago almost alone already always among another answered anything appeared
    asked away became become began begin behind believe beside besides better beyond bring brought called came
    carried caught certainly close come comes coming cried decided drew enough especially even everyone everything
    except fell felt find followed found full gave getting give given gives giving glad go goes going gone grew
    happened hardly hear heard held indeed instead keep kept knew know known knows laughed learned leave like liked
    likely lived looked looking lost makes making maybe mean meant nearly need needed never nice nobody nothing
    now nowhere opened ought passed perhaps pleased presently probably put quickly ran reached really remained
    remember replied returned sat saw see seem seemed seems seen sent shall simply sit sitting slowly somebody
    somehow someone something sometimes somewhere soon sorry spoke standing started still stood stopped struck
    suddenly suppose take taken takes taking tell thing things think thinking thought together told took toward
    towards tried trying turned turning understand understood used usually walked want wanted wants went wished
    wondered yes"""
)


def begins_nothing(word: str) -> bool:
    """Tell whether no value begins with a plain word."""
    return word in _INERT


def is_inert(text: str, p: int) -> bool:
    """Whether a word with which no value begins, or what stands in place of a redacted value, is at p."""
    if p and text[p - 1] == "<" and REDACTION_TAG.match(text, p):
        return True
    plain = PLAIN_WORD.match(text, p)
    return plain is not None and begins_nothing(plain[0])

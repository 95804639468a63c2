"""Tables of words, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words between the blanks of `text`."""
    return frozenset(text.split())


NO_START = word_set(
    """a an the this that these those it its it's he she they we i you his her their our my your there here what
    which who whom whose when where why how if then so but and or nor yet not no none nothing nobody yes yeah sure
    okay ok please sorry unfortunately unknown certainly perhaps maybe well hello hi hey hallo bonjour salut hola
    ciao dear thanks thank of course according based as at by for from in into on onto to with without under over
    about after before during since until because although while is are was were be been being has have had do does
    did can could might must shall should would am im i'm i'd i've let note some any many most all each every
    another other such more less very too also only just even still currently now never always often usually
    sometimes likely probably however therefore hence thus once again unclear confidential available unavailable
    redacted n/a pending listed recorded given stored shown noted stated above below mr mrs ms miss dr patient
    client person someone something anyone one two ai three several both neither either caused called named said
    made found"""
)
"""Words with which no value of words begins, in small letters."""

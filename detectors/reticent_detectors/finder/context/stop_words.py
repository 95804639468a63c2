"""Words with which no value begins or goes on, of English and of all texts."""

from __future__ import annotations

from reticent_detectors.finder.context.word_sets import word_set

# No value begins with one of these words.
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
# A sentence, not a value, begins with one of these words if it goes on in small letters.
OPENERS = word_set("""may will privacy policy information data add use see ask records""")
DAYS = frozenset(
    day + plural
    for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    for plural in ("", "s")
)
MONTHS = word_set("""january february march april may june july august september october november december""")
# Words at which a value written in ordinary words ends.
STOP = word_set(
    """is are was were be been being has have had do does did can could may might must shall should will would who whom
    whose which that where when while because although though but or nor so if then than since until after before
    during at for in on by with from to into onto under over about against per via without within between through
    near he she they it we you i his her their our my your its this these those lives live lived works work worked
    takes take took sees see saw suffers suffer receives uses needs pays paid owes said says told according as every
    each daily twice once currently now today yesterday tomorrow also please not the a an employed diagnosed
    prescribed treated admitted seen"""
)

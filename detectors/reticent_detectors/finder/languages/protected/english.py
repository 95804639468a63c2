"""How beliefs, origin, sexual orientation and convictions are said of somebody in English."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

WORDINGS: Mapping[str, Mapping[Entity, str]] = {
    "nouns": {
        Entity.NRP: """
            religion/denomination/creed/ethnicity/nationality/citizenship
            religious affiliation/beliefs/faith/denomination/community
            ethnic/racial origin/background/group/identity
            race/ethnicity ethnicity
            trade? union membership
            trade/labor/labour union
        """,
        Entity.SEXUAL_ORIENTATION: "sexuality | sexual orientation/preference/identity",
        Entity.CRIMINAL_RECORD: """
            criminal/police/arrest record/records/history/past/offense/offence/offenses/offences/conviction/
                convictions/charge/charges?
            prior/previous/past convictions/conviction/arrests/offenses/offences
            convictions/conviction/felonies/felony/misdemeanor/misdemeanors/offence/offense/offences/offenses
            rap sheet
        """,
    },
    "needs_form": {
        Entity.NRP: """
            is/was/are/am/be/being/become/became a/an? devout/practising/practicing/lapsed/observant/strict/pious/
                lifelong
            raised/brought/grew/born up? as? a/an?
            converted/converts/conversion to
            prays/worships as an?/a?
            belongs/belonged to the
            member/members of the/a
            religion/faith/ethnicity/denomination is/was
            as a/an?
            being a/an?
            that she/he/they/_ _? is/was/are/were a/an?
            since/because/although/though she/he/they/_ _? is/was a/an?
            himself/herself/themselves as? a/an?
            married a/an?
        """,
        Entity.SEXUAL_ORIENTATION: """
            is/was/are/am/be/being/'s openly/secretly/actually/also/now/really/probably/in? fact?
            came/come/comes/coming/outed out? as/to? her/his/their/the? _? as? a/an?
            identifies/identify/identified/lives/lived/known openly? as a/an?
            knows/knew/told/says/said/learned/learnt/revealed/admits/admitted that? he/she/they/_ _? is/was/'s
            is/was a/an
            as a/an?
            that she/he/they/_ _? is/was/are/were a/an?
            being a/an?
            she/he/they/who is/was/are/were also?
            box/profile/form/file/record/word marked/says/reads/is/was/lists .. as?
            for being a/an?
            attracted .. is
            self-identified
            out as
        """,
        Entity.CRIMINAL_RECORD: """
            convicted/guilty/accused/suspected/acquitted of/for
            is/was/are/am/'s a/an registered/convicted
            charged/indicted/booked with/for/on
            arrested/jailed/imprisoned/sentenced/fined/wanted/prosecuted/cautioned/arraigned/incarcerated/
                detained for/on
            pleaded/pled/plead/pleads/found guilty to/of
            conviction/convictions/sentence/warrant/probation/parole/record/caution/time/years/months/prison/jail/
                bail for
            served/serving/did/doing .. for
            committed/commits/confessed/admitted to?
            arrested/held/detained/questioned/wanted/charged .. suspicion/charges/charge/count/counts of
            indicted/tried/convicted/arraigned/sentenced/charged .. count/counts/charge/charges/two/three/one of?
            custody/prison/jail/court/trial/bail/police/handcuffs .. over/for/with
            record/sheet/check/file/history .. includes/include/shows/show/lists/list/mentions/up/contains/was/is/
                for
            did/doing/done time/bird for
            history/conviction/convictions/accusations/accusation/allegations/charges/charge .. of/for
            caught/nicked/busted/locked up? for
            down/away/inside for
        """,
    },
    "after": {
        Entity.SEXUAL_ORIENTATION: """
            is how she/he/they/_ _? describes/identifies/identify/describe
            and proud/not/out
            is what she/he/they/_ _? calls/called/is/was
            since as/ever
            is/was the word/label
        """,
        Entity.CRIMINAL_RECORD: """
            is/was the charge/charges/offence/offense/crime/conviction/reason
            is/was what .. convicted/arrested/charged/jailed/accused/sentenced/prison/jail/did/serving/for
            got/landed/put/cost .. prison/jail/years/months/custody/job
            is/was why .. prison/jail/arrested/convicted/sentenced
            is/appears/shows/stands on his/her/their/_ _? record/sheet/file
            charges were filed/brought against
        """,
    },
    "asks": {
        Entity.NRP: "what religion/faith/ethnicity | which religion/faith/church | believe/believes in god",
        Entity.CRIMINAL_RECORD: """
            what .. convicted/arrested/charged/jailed/guilty/accused
            why .. prison/jail/arrested/jailed/imprisoned/convicted/sentenced
            for what .. arrested/convicted
            any/a criminal/police record/convictions
            what did .. do time/prison
        """,
        Entity.SEXUAL_ORIENTATION: """
            how .. identify/identifies/identified
            likes/like/dates men/women/guys/girls
        """,
    },
}

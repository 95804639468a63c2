"""How beliefs, origin, sexual orientation and convictions are said of somebody in German."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

WORDINGS: Mapping[str, Mapping[Entity, str]] = {
    "nouns": {
        Entity.NRP: """
            religion/konfession/glaube/religionszugehorigkeit/staatsangehorigkeit/nationalitat/ethnie/
                staatsburgerschaft/gewerkschaft/gewerkschaftszugehorigkeit/glaubensrichtung
            ethnische/religiose herkunft/zugehorigkeit/uberzeugung
            religionszugehorigkeit laut _
        """,
        Entity.SEXUAL_ORIENTATION: "sexualitat | sexuelle/sexuellen orientierung/identitat/praferenz/ausrichtung",
        Entity.CRIMINAL_RECORD: """
            vorstrafe/vorstrafen/strafregister/strafregistereintrag/strafregisterauszug/verurteilung/verurteilungen/
                delikt/delikte/straftat/straftaten
            verurteilt/inhaftiert/verhaftet/vorbestraft/festgenommen/angeklagt wegen
            haftgrund/tatvorwurf/anklagepunkt/straftatbestand/strafvorwurf
        """,
    },
    "needs_form": {
        Entity.NRP: """
            ist/war/bin/sei/wurde glaubiger/glaubige/praktizierender/praktizierende/bekennender/bekennende/strenger/
                uberzeugter/strengglaubige/strengglaubiger?
            konvertierte/konvertiert/ubergetreten zum
            zum
            ist/war/wurde streng/sehr/tief?
            getauft/erzogen/aufgewachsen
            dass/weil/ob/wenn/obwohl/denn/da sie/er/ich/_ _?
            ist/war/sei/bin/ware ebenfalls/auch/seit/sehr/immer/noch/inzwischen/heute/nicht?
            ist/war/sei .. ebenfalls/auch/hochzeit/taufe/geburt/heute/inzwischen
            als
            glauben .. sei/ist
        """,
        Entity.SEXUAL_ORIENTATION: """
            ist/war/bin/sei offen/heimlich/auch/eigentlich/wohl?
            outete/outet/geoutet sich? als
            lebt/lebte offen?
            bezeichnet/versteht/identifiziert sich als
            sich selbst? als
            als
            dass/weil/ob/wenn/obwohl sie/er/ich/_ _?
            sei/ware/gewesen
            klar ,
            wort
            orientierung hat/gab .. _?
            zu/ist/war/bin nicht/schon/immer/eben/einfach/klar?
        """,
        Entity.CRIMINAL_RECORD: """
            wurde/wird/worden/sass/sitzt/musste/steht/kam/ist/war/bin/sei/hat/ihn/sie/ihm/erhielt/bekam .. wegen
            angeklagt/verurteilt/beschuldigt/verhaftet/festgenommen/vorbestraft/inhaftiert/verurteilung/
                verurteilungen/vorstrafe/vorstrafen/eintrag/haftbefehl/anklage/verfahren/geldstrafe/haftstrafe wegen
            angeklagt/verurteilt/beschuldigt/verdachtigt/verhaftet/festgenommen/vorbestraft/inhaftiert .. wegen/des/
                der
            gericht/gestandnis/ermittlungen/anklage/prozess/haft/gefangnis/knast/strafe/bewahrung/urteil .. wegen/
                auf/fur/der/des
            vor gericht hat _ _? _?
            gestand/gesteht/beging/begangen/beichtete
        """,
    },
    "after": {
        Entity.SEXUAL_ORIENTATION: """
            ist/war/sei sie/er/_ _? schon/nach/seit/immer/eigenen/offen/laut
            nennt/bezeichnet sie/er/_ _? sich
            lautet/lautete/war/ist die antwort
            und stolz/glucklich
            ist .. gewesen
        """,
        Entity.CRIMINAL_RECORD: """
            lautete/lautet/war/ist der/die/das vorwurf/anklage/urteil/delikt/grund/straftat/tatvorwurf
            brachte/brachten .. gefangnis/haft/knast/bewahrung/jahre/gericht
            wird/wurde ihr/ihm/_ _? vorgeworfen/zur
            steht/stand .. strafregister/fuhrungszeugnis/akte/register
            war/ist .. verurteilt/grund/sass
        """,
    },
    "asks": {
        Entity.NRP: """
            woran glaubt
            welche religion/konfession
            glaubt .. gott
        """,
        Entity.CRIMINAL_RECORD: """
            weswegen .. verurteilt/vorbestraft/gefangnis/verhaftet/haft
            wofur .. verurteilt/vorbestraft/gefangnis
            warum .. gefangnis/verurteilt/haft
            vorbestraft
            vorstrafen
        """,
        Entity.SEXUAL_ORIENTATION: """
            wie .. sich .. definiert/bezeichnet/identifiziert
            steht .. auf manner/frauen
        """,
    },
}

"""How beliefs, origin, sexual orientation and convictions are said of somebody in Italian."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

WORDINGS: Mapping[str, Mapping[Entity, str]] = {
    "nouns": {
        Entity.NRP: """
            religione/confessione/etnia/nazionalita/cittadinanza
            origine/convinzioni/appartenenza/credo etnica/razziale/religiose/religiosa/religioso/sindacale
        """,
        Entity.SEXUAL_ORIENTATION: "sessualita | orientamento/preferenza/identita sessuale | orientamento",
        Entity.CRIMINAL_RECORD: """
            precedenti penali
            condanna/condanne/reato/reati
            fedina penale
            casellario giudiziale
            reato/reati contestato/contestati/commesso/ascritto
            motivo dell' arresto
            motivo della condanna/detenzione
            capo d' imputazione
            condannato/condannata per
        """,
    },
    "needs_form": {
        Entity.NRP: """
            e/era/sono/fu/e' molto/un/una? devoto/devota/praticante/fervente?
            convertito/convertita/converti all'/al/a
            di religione/confessione
            battezzato/battezzata
            farsi/fatto/fatta/diventare/diventato/diventata/essere/essendo/crescere/cresciuto/cresciuta un/una?
            che .. fosse/sia/e/era
            in quanto
            come
            di essere
            perche/siccome e/era
        """,
        Entity.SEXUAL_ORIENTATION: """
            e/era/sono/sia/e' apertamente/anche/segretamente?
            coming out come
            di essere
            si definisce/dichiara/identifica/considera/riconosce/proclama come?
            perche/che/siccome e/era/sia/fosse?
            sarebbe/essere/essendo
            come persona?
            persona
            da persona
            in quanto persona?
        """,
        Entity.CRIMINAL_RECORD: """
            condannato/condannata/arrestato/arrestata/indagato/indagata/processato/processata/denunciato/denunciata/
                incarcerato/incarcerata/carcere/prigione/anni/mesi/condanna/precedenti .. per
            colpevole/accusato/accusata/reato di/del un?
            precedenti/condanna/pena per
            precedenti/precedente/domiciliari/giudizio/garanzia/accusa/accuse/arresto/arrestato/arrestata/arrestati/
                condanna/carcere/processo/indagine/indagini/denuncia/denunciato/patteggiato/patteggiamento/imputato/
                imputata/querela/fermato/fermata/pena/sospetto/mandato/rinviato/rinviata/sconta/scontato/dentro/
                anni/mesi .. per/di/del/con
            con l' accusa di
            per un reato di
        """,
    },
    "after": {
        Entity.SEXUAL_ORIENTATION: """
            : cosi/ecco si/come .. presentato/presentata/definisce/definita/definito/descrive
            e fiera/fiero/orgoglioso/orgogliosa
            , cosi si/ha
            da sempre
        """,
        Entity.CRIMINAL_RECORD: """
            e/era/fu il/la/l' reato/accusa/motivo/crimine/imputazione/condanna/ragione
            : questa/questo/ecco .. accusa/reato/motivo/imputazione
            , questa/questo/ecco .. accusa/reato/motivo/imputazione
            gli/le e/costato .. carcere/anni/mesi
        """,
    },
    "asks": {
        Entity.NRP: """
            che/quale religione
            crede/credi in dio
        """,
        Entity.CRIMINAL_RECORD: """
            di che cosa? .. accusato/accusata/colpevole
            perche .. condannato/condannata/carcere/arrestato/arrestata/prigione
            ha .. precedenti
        """,
        Entity.SEXUAL_ORIENTATION: """
            come .. definisce/identifica/definisci/identifichi
        """,
    },
}

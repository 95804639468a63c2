"""German."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.language import Language

GERMAN = Language(
    name="German",
    nouns={
        Entity.EMAIL_ADDRESS: "email/e-mail/mail/mailadresse/e-mail-adresse/emailadresse",
        Entity.PHONE_NUMBER: "telefon/telefonnummer/handynummer/handy/mobilnummer/rufnummer/festnetz/mobil/durchwahl",
        Entity.BANK_ACCOUNT: "konto/kontonummer/bankkonto/bankverbindung/iban",
        Entity.ORDER_NUMBER: """
            bestellnummer/auftragsnummer/bestellung/bestell-nr/auftrags-nr/bestellnr/auftragsnr/auftrag/vorgangsnummer/
                sendungsnummer/bestellcode/bestell-id/referenznummer/buchungsnummer
            bestellung/auftrag/bestell nr/nummer/no
            nummer der/deiner/ihrer/seiner bestellung
        """,
        Entity.CREDIT_CARD_DIGITS: """
            karte/kreditkarte/kartennummer/kreditkartennummer/kartenendung/endziffern/karten-nr/bankkarte
            letzte/letzten vier/4 ziffern/stellen/zahlen
            letzte/letzten vier/4 ziffern/stellen der/seiner/ihrer/ihre/meiner? karte/kreditkarte?
            karte endet auf
            karte mit endung
            endziffern der karte
        """,
        Entity.UTILITY_BILL: """
            stromrechnung/gasrechnung/wasserrechnung/heizkosten/nebenkosten/stromkosten/gaskosten/wasserkosten/
                energierechnung/energiekosten/betriebskosten/nebenkostenabrechnung/stromabschlag/gasabschlag/abschlag/
                heizkostenabrechnung/stromabrechnung/abschlagszahlung/nebenkostenrechnung
            strom
            monatliche nebenkosten
        """,
        Entity.APPOINTMENT_DATE: """
            termin/arzttermin/termine/kontrolltermin/untersuchungstermin/vorstellungstermin/behandlungstermin/
                nachster? termin/arzttermin
            terminvereinbarung
            datum des termins
            wiedervorstellung
        """,
        Entity.FLIGHT: """
            flug/fluge/flugverbindung/flugnummer/flugstrecke/flugticket/flugbuchung/flugroute/reise/reiseroute/
                verbindung/strecke/hinflug/ruckflug
            gebuchter flug
        """,
        Entity.ADDRESS: """
            adresse/anschrift/wohnort/wohnsitz/wohnadresse/postanschrift/lieferadresse
            privatadresse/privatanschrift/heimatadresse/heimatanschrift/hausanschrift/hausadresse/rechnungsadresse/
                rechnungsanschrift/lieferanschrift/versandadresse/versandanschrift/zustelladresse/zustellanschrift/
                meldeadresse/meldeanschrift/meldeanschrift/kontaktadresse/firmenadresse/firmenanschrift/
                geschaftsadresse/geschaftsanschrift/dienstadresse/postadresse/korrespondenzadresse/wohnungsadresse/
                wohnanschrift/hauptwohnsitz/zweitwohnsitz/nebenwohnsitz/empfangeradresse/absenderadresse/kundenadresse/
                adressdaten/wohnadresse
            adresse/anschrift privat/zuhause
            private/aktuelle/neue/alte/standige/postalische/vollstandige/derzeitige adresse/anschrift
            strasse und hausnummer/nr
            strasse , nr/hausnummer
            strasse hausnummer/nr
            adresse des/der patienten/patientin/kunden/kundin
        """,
        Entity.JOB_TITLE: """
            beruf/berufsbezeichnung/position/tatigkeit/stelle/stellenbezeichnung/funktion/jobtitel/job/berufstatigkeit/
                amt/posten
            beruf von
            ausgeubter beruf
        """,
        Entity.DOCTOR: """
            arzt/arztin/arzte/hausarzt/hausarztin/facharzt/facharztin/chirurg/chirurgin/kardiologe/kardiologin/
                psychiater/psychiaterin/zahnarzt/zahnarztin/frauenarzt/frauenarztin/kinderarzt/kinderarztin/neurologe/
                neurologin/orthopade/orthopadin/internist/internistin/therapeut/therapeutin/onkologe/onkologin/
                gynakologe/gynakologin/mediziner/oberarzt/oberarztin/chefarzt/chefarztin
            behandelnder/behandelnde/behandelnden/zustandiger/zustandige arzt/arztin
            zahnarzt/zahnarztin/kardiologe/kardiologin/psychiater/psychiaterin/frauenarzt/frauenarztin/hautarzt/
                hautarztin/augenarzt/augenarztin/kinderarzt/kinderarztin/orthopade/orthopadin/neurologe/neurologin/
                internist/internistin/onkologe/onkologin/urologe/urologin/therapeut/therapeutin/psychotherapeut/
                psychotherapeutin/gynakologe/gynakologin/chirurg/chirurgin/facharzt/facharztin/oberarzt/oberarztin/
                chefarzt/chefarztin/dermatologe/dermatologin/betriebsarzt/hausarzt/hausarztin/mediziner/medizinerin/
                behandler/hebamme
        """,
        Entity.HOSPITAL: """
            krankenhaus/klinik/klinikum/spital/hospital/krankenhauses/praxis/krankenanstalt
            behandelnde/behandelndes klinik/krankenhaus
            einweisendes krankenhaus
            medizinische einrichtung
        """,
        Entity.EMPLOYER: """
            arbeitgeber/arbeitgeberin/firma/unternehmen/betrieb/arbeitsstelle/arbeitsplatz/arbeitsstatte/dienstherr/
                arbeitgebers
            beschaftigt/angestellt/tatig bei
            arbeitet bei
            aktueller/jetziger/derzeitiger arbeitgeber
            name der firma
        """,
        Entity.DIAGNOSIS: """
            allergien/allergie/unvertraglichkeiten/diagnose/diagnosen/krankheit/erkrankung/erkrankungen/vorerkrankung/
                vorerkrankungen/leiden/befund/hauptdiagnose/nebendiagnose/grunderkrankung/krankheitsbild/beschwerden/
                krankheiten/aufnahmediagnose/entlassungsdiagnose/verdachtsdiagnose/gesundheitszustand
        """,
        Entity.PRESCRIPTION: """
            medikament/medikamente/medikation/arzneimittel/medizin/rezept/verordnung/verschreibung/arznei/wirkstoff/
                praparat/dauermedikation/medikamenten/tabletten/medikamentenplan/mittel
            aktuelle medikation
        """,
        Entity.TRANSACTION_AMOUNT: """
            betrag/zahlung/uberweisung/uberweisungsbetrag/zahlungsbetrag/summe/kaufbetrag/umsatz/buchung/transaktion/
                transaktionsbetrag/gezahlter? betrag/kaufpreis/rechnungsbetrag/kontostand/gehalt/anzahlung/
                uberwiesener? betrag
            gezahlte summe
        """,
        Entity.NRP: """
            religion/konfession/glaube/religionszugehorigkeit/staatsangehorigkeit/nationalitat/ethnie/
            staatsburgerschaft/gewerkschaft/gewerkschaftszugehorigkeit/glaubensrichtung
            ethnische/religiose herkunft/zugehorigkeit/uberzeugung
            religionszugehorigkeit laut _
            partei/parteizugehorigkeit/gesinnung/parteimitgliedschaft/parteibuch/weltanschauung
            politische/politischen gesinnung/einstellung/haltung/orientierung/uberzeugung/ansichten/ausrichtung/
                richtung/zugehorigkeit/meinung/ansicht/heimat
            politisches lager
        """,
        Entity.SEXUAL_ORIENTATION: "sexualitat | sexuelle/sexuellen orientierung/identitat/praferenz/ausrichtung",
        Entity.CRIMINAL_RECORD: """
            vorstrafe/vorstrafen/strafregister/strafregistereintrag/strafregisterauszug/verurteilung/verurteilungen/
                delikt/delikte/straftat/straftaten
            verurteilt/inhaftiert/verhaftet/vorbestraft/festgenommen/angeklagt wegen
            haftgrund/tatvorwurf/anklagepunkt/straftatbestand/strafvorwurf
        """,
    },
    verbs={
        Entity.ORDER_NUMBER: "unter der nummer | bestellung/auftrag/bestellnummer nummer/nr?",
        Entity.CREDIT_CARD_DIGITS: """
            karte/kreditkarte/kartennummer/visa/mastercard .. endet/endend/endung/enden/endenden auf/mit
            endet/enden/endend auf
            karte/kreditkarte/kartennummer endet/endend auf/mit
            endziffern
            mit der endung
            endziffer
        """,
        Entity.APPOINTMENT_DATE: """
            termin/kommt/kommen/bestellt/vorgemerkt/untersuchung/einbestellt/sprechstunde .. am/fur
            termin/vorgemerkt/einbestellt am/fur
            termin .. den
        """,
        Entity.FLIGHT: """
            flug/reise/fliegt/fliegen/flog/ticket/verbindung/reist/strecke/route/reisen .. von
            fliegt/flog/flug/reise von
            geht von
            mit/auf/in dem? flug/flugnummer?
            flug
            umgebucht auf
            fliegt mit
            ihn/sie auf
        """,
        Entity.TRANSACTION_AMOUNT: "uberwies/uberwiesen/zahlte/bezahlte/bezahlt/zahlt/schuldet/betrug",
        Entity.USERNAME: """
            nennt/nannte/heisst/schreibt/postet/spielt/kommentiert/twittert/chattet/unterwegs/angemeldet/meldet/
                loggt .. sich? als/unter?
            nennt/nannte sich
        """,
    },
    asks={
        Entity.CREDIT_CARD_DIGITS: "ziffern | karte .. endet",
        Entity.UTILITY_BILL: "strom/gas/wasser/heizung/nebenkosten/stromrechnung",
        Entity.TRANSACTION_AMOUNT: """
            wie viel/wieviel? .. uberwiesen/bezahlt/gezahlt/ausgegeben/abgehoben/gespendet/geliehen/schuldet/abgebucht
            wieviel .. uberwiesen/bezahlt/gezahlt/ausgegeben/schuldet
            wie hoch .. zahlung/betrag/uberweisung
        """,
        Entity.FLIGHT: """
            wohin .. fliegt/reist/flog
            wohin fliegt/reist
            wann fliegt
            von wo .. fliegt
            mit welchem flug
        """,
        Entity.ADDRESS: "wo .. wohnt/wohnhaft | wo wohnt/lebt",
        Entity.PHONE_NUMBER: "wie .. telefonisch",
        Entity.APPOINTMENT_DATE: "wann .. termin/vorsprechen/bestellt/untersucht/kommen | wann hat .. termin",
    },
    which="welche welcher welches welchem welchen wer was wo wie wann woran womit wohin warum",
    links="""
        ist war sind waren lautet lautete lauten heisst hiess bleibt betragt betrug endet beginnt steht steigt summiert
        summieren belauft beliefen liegt lag lagen betragen
    """,
    adverbs="""
        derzeit aktuell momentan jetzt noch offiziell zurzeit also bekanntlich wie folgt dort da sich auch laut seit
    """,
    participles="""
        eingetragen angegeben hinterlegt vermerkt registriert notiert erfasst genannt gebucht angesetzt geplant
    """,
    prepositions="als auf mit bei von am fur unter in im um",
    articles="der die das den dem des ein eine einen einem einer eines",
    joins="""
        von des der fur bei vom zum zur in im am den die das dem welche welcher ist lautet wo mit ihrer seiner herrn
        frau und mein meiner eine einer eines
    """,
    fillers="gebucht gebuchter name nummer nr id wert bezeichnung titel nummern",
    clauses="aber weil dass wahrend sagt sagte ob sondern",
    indefinite="""
        kein keine keinen keiner jede jeder jedes viele manche einige welche welcher alle diese solche irgendein
    """,
    owned="""
        der die das den dem des ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner mein meine meinen meinem
        meiner unser unsere dein deine beim zum zur im ins vom am
    """,
    called="namens genannt",
    lead="""
        es das ist sie er hat hatte arbeitet arbeite bei im in an als von zu zum zur dem der die den ja gerne naturlich
        sicher sein ihr ihre seine ihm wurde wird nimmt leidet unter liegt lautet heisst fliegt ein eine einen dr frau
        herr bekommt wegen mit war behandelt gegen steht am auf und fur politisch zuletzt wohnt nennt betragt geht wahlt
        mitglied angestellt einer diagnose name beruf arzt krankenhaus hier bitte antwort folgende laut meinen
        unterlagen daten selbstverstandlich klar gern glaube denke wert
    """,
    person="""
        ihr ihre ihrer ihren ihrem sein seine seiner seinen seinem sie er ihm ihn frau herr herrn patient patientin
        patienten mein meine meiner meinem ich kunde kundin klient klientin mitarbeiter mitarbeiterin onkel tante
        schwester bruder mutter vater kollege kollegin nachbar nachbarin
    """,
    utilities="""
        strom gas wasser heizung heizkosten nebenkosten stromrechnung gasrechnung wasserrechnung energie betriebskosten
        energierechnung stromabschlag gasabschlag stadtwerke heizkostenabrechnung abschlag stromkosten gaskosten
        wasserwerk wasserwerke stromanbieter abwasser fernwarme nebenkostenabrechnung energieversorger gasversorger
        versorger
    """,
    transactions="""
        uberweisung uberwies uberwiesen uberweist zahlung betrag konto abgebucht ausgegeben kaufpreis gehalt spende
        kontostand anzahlung abgehoben rechnung geliehen transaktion
    """,
)

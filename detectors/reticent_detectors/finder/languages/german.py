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
            partei/parteizugehorigkeit/gesinnung/parteimitgliedschaft/parteibuch/weltanschauung
            politische/politischen gesinnung/einstellung/haltung/orientierung/uberzeugung/ansichten/ausrichtung/
                richtung/zugehorigkeit/meinung/ansicht/heimat
            politisches lager
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
        Entity.JOB_TITLE: """
            arbeitet/arbeite/arbeitete/arbeiten/jobbt/jobbte/verdient/angestellt/beschaftigt/tatig/eingestellt/
                engagiert/ausgebildet/ausbildung/fungiert/tatigkeit/stelle/wirkt/lehre/karriere/anstellung .. als
            arbeitet/arbeite/arbeitete/arbeiten/jobbt/angestellt/beschaftigt/tatig/eingestellt/ausbildung/stelle/lehre/
                anstellung als
            von beruf
            gelernter/gelernte/ausgebildeter/ausgebildete/studierter/studierte/examinierter/examinierte
            befordert zum/zur
            zum/zur .. befordert
            macht eine ausbildung zum/zur
            ausbildung zum/zur
            beruf des/der/eines/einer
            als freier/freie/freiberuflicher/selbststandiger/selbststandige/leitender/leitende
            wurde zum/zur
            umschulung zum/zur
            lasst sich zum/zur
            zum beruf
            verdient/stelle/job/posten/anstellung/karriere/laufbahn/nebenjob/dienst/praktikum/lehre/ausbildung/
                abschluss/diplom/zulassung/arbeit/lebensunterhalt/geld/sein/ihr/beworben/bewarb/gelernt/geschuftet/
                taugt/dient/diente .. als
            schult/schulte/umgeschult/ausgebildet/weitergebildet/befordert/ernannt/umschulung/ausbildung/lehre .. zum/
                zur
            im hauptberuf/nebenberuf/brotberuf/zivilberuf
            begonnen/angefangen/begann/beginnt/startete/gestartet/engagiert/engagierte/angeheuert/heuerte/verdingt/
                verdingte/betatigt/betatigte/versucht/versuchte/nutzlich/unterwegs/selbststandig/eingesetzt/einsatz/
                aushilfe/ausgeholfen/hilft/half/schuftet/schuftete/malocht/rackert/bewirbt/berufen/bestellt/vereidigt/
                approbiert/zugelassen/eingetragen/gemeldet/pensioniert/verrentet/ruhestand/stellte/vorgestellt/
                ehrenamtlich/vollzeit/teilzeit/halbtags/schicht/nachts/nebenbei/nebenher/hauptberuflich/nebenberuflich/
                freiberuflich/freiberufler/festangestellt/verbeamtet/laufbahn/praktikant/vertrag/arbeitsvertrag/
                werkvertrag/beschaftigung/berufung/amt/wirken/aufgabe/funktion/einstieg/quereinsteiger/
                quereinsteigerin .. als hat/hatte/haben/habe/begann/beginnt/startete/fing/heuerte/verdingte/versuchte/
                stellte/machte/macht/hilft/half/betatigt/meldete/bewirbt/bewarb sich? .. als
            macht/machte/gemacht sich? .. als
            lehre/ausbildung/umschulung/studium/weiterbildung/fortbildung/prufung/meisterprufung/abschluss/diplom/
                qualifikation/karriere/aufstieg .. zum/zur/als/zu
            lernt/lernte/studiert/studierte/gelernt/studiert/ausbilden/weiterbilden/qualifiziert/fortgebildet/geschult/
                anlernen .. zum/zur/als
            bringt/brachte es .. zum/zur
            zum/zur .. ernannt/befordert/gewahlt/berufen/bestellt/gemacht
            ernannte/beforderte/wahlte/machte/berief/bestellte .. zum/zur
            stieg/steigt/aufgestiegen/aufstieg .. zum/zur
            arbeitet/verdient/beschaftigt sich? sein/ihr? geld/brot/lebensunterhalt? als
            dienst/posten/stelle/job/amt/arbeit/tatigkeit/beruf/position/rolle/funktion eines/einer
        """,
        Entity.DOCTOR: """
            patient/patientin von/bei
            behandlung bei
            herrn/herr/frau dr
            prof dr?
            doktor/professor
            uberwiesen an
            dr med?
            termin/sprechstunde bei
            zur/zum arztin/arzt
            dr
            arzt/arztin/hausarzt/hausarztin/zahnarzt/zahnarztin/kardiologe/chirurg/chirurgin/psychiater/therapeut/
                therapeutin/frauenarzt/frauenarztin/hautarzt/augenarzt/orthopade/neurologe/internist/kinderarzt/
                kinderarztin heisst/ist/war/hiess
            termin/behandlung/sprechstunde/therapie/patient/patientin/untersuchung/kontrolle/vorsorge/operation .. bei/
                von
            behandelt/operiert/untersucht/betreut/entbunden/geimpft/uberwiesen wurde/wird .. von/an/durch
            lasst/liess sich von/bei
            rezept/befund/brief/attest/krankschreibung .. von
            uberwies .. an
            geht/ging .. zu
            arzt/arztin/hausarzt/hausarztin/zahnarzt/zahnarztin/chirurg/chirurgin/kardiologe/kardiologin/psychiater/
                psychiaterin/psychologe/psychologin/psychotherapeut/psychotherapeutin/therapeut/therapeutin/frauenarzt/
                frauenarztin/hautarzt/hautarztin/augenarzt/augenarztin/kinderarzt/kinderarztin/orthopade/orthopadin/
                neurologe/neurologin/internist/internistin/urologe/onkologe/onkologin/gynakologe/gynakologin/oberarzt/
                oberarztin/chefarzt/chefarztin/assistenzarzt/assistenzarztin/facharzt/facharztin/stationsarzt/
                stationsarztin/operateur/hebamme/heilpraktiker ,
            zustandig/verantwortlich/behandelnd .. ist/war oberarzt/oberarztin/arzt/arztin/dr?
            ist/war/heisst/hiess oberarzt/oberarztin/chefarzt/chefarztin/stationsarzt
            der/die chirurg/chirurgin/oberarzt/oberarztin/chefarzt/chefarztin/internist/internistin/neurologe/orthopade/
                psychiater
            termin/sprechstunde/behandlung/therapie/patient/patientin/kontrolle bei frau/herrn/dr/prof/doktor
            uberweisung/rezept/attest/befund/brief/krankschreibung/gutachten/arztbrief von/an frau/herrn/dr/prof/doktor?
            geht/ging/gegangen/kommt/fahrt zu frau/herrn/dr/prof/doktor
            operiert/operierte/behandelt/behandelte/untersucht/untersuchte/impfte/entband/betreut hat? sie/ihn/
                _ _? professor/prof/dr/doktor/oberarzt/chefarzt
            patient/patientin von/bei frau/herrn/dr/prof?
        """,
        Entity.HOSPITAL: """
            liegt/lag/behandelt/operiert/patient/patientin/patienten/aufenthalt/station/behandlung/aufgenommen/
                stationar/entbunden/gestorben/verstarb/starb/untersucht/reha .. im/in/am
            liegt/lag/behandelt/operiert/verstarb/starb im/in/am
            verlegte/verlegt/eingeliefert/einlieferung/gebracht/uberwiesen/eingewiesen/kam/musste/einweisung/brachte/
                brachten/verlegung .. ins/in
            verlegte/verlegt/eingeliefert/eingewiesen ins/in
            operation/geburt/eingriff/therapie/dialyse/chemotherapie im/in/am
            musste/blieb/bleibt/verbrachte/wochen/tage/monate/nacht/nachte/kam/liegt/lag/war/ist/bekam/brachte/wurde/
                arbeitet/termin/dialyse/bestrahlung/nachsorge/kontrolle/besuchte/besucht/patient/patientin/geburt/
                zimmer/intensivstation .. im/in/am
            fuhr/brachte/flog/kam/musste/rettungswagen/krankenwagen/hubschrauber/notarzt/verlegt/verlegte/eingewiesen/
                uberwiesen/schickte/uberfuhrt .. ins/in/zum/zur
            aus .. entlassen
            entlassung/entlassen aus dem/der
            an das/die/der
            liegt/lag/behandelt/operiert/entbunden/geboren/gestorben/verstorben/untersucht/aufgenommen/stationar/reha/
                kur/welt/kind/baby/tochter/sohn/hufte/knie/herz/blinddarm/bandscheibe/dialyse/bestrahlung/bestrahlt/
                chemo/chemotherapie/therapie/sprechstunde/termin/station/zimmer/bett/intensivstation/notaufnahme/
                kreisssaal/sommer/woche/wochen/tag/tage/monat/monate/nacht/nachte/aufenthalt/eingriff/operation/geburt/
                untersuchung/nachsorge/rehabilitation .. im/in/am/an der/dem/die/das? eingeliefert/eingewiesen/gebracht/
                verlegt/gefahren/geflogen/transportiert/uberwiesen/uberstellt/aufgenommen/zuruck/einweisung/
                einlieferung/verlegung/fahrt .. ins/in/zum/zur/an die/das/der?
            entlassen/entlassung/heimgekehrt/zuruck/heim/hause .. aus der/dem?
            kommt/kam/darf/durfte/wird/wurde .. aus der/dem?
            besucht/besuchte/besuchen/pflegte/pflegt .. im/in der?
        """,
        Entity.EMPLOYER: """
            arbeitet/arbeite/arbeitete/arbeiten/stelle/angestellt/beschaftigt/job/jobbt/tatig/anstellung/gekundigt/
                kundigte/praktikum/angefangen/anfing/arbeitsvertrag/karriere/ausbildung/angestellte/angestellter/
                mitarbeiter/mitarbeiterin/leitet/dienst/buchhalter/gearbeitet/position .. bei/fur
            arbeitet/arbeite/arbeitete/arbeiten/stelle/angestellt/beschaftigt/job/jobbt/tatig/anstellung/mitarbeiter/
                mitarbeiterin/angestellte/angestellter bei/fur/von/der
            fur/bei die/der firma
            wechselte/wechselt/gewechselt zu/zur
            arbeitgeber
            verdient/absolviert/schafft/heuerte/fangt/begann/startete/bewarb/bewirbt/wechselte/wechselt/beginnt/
                eingestiegen .. bei
            steht/stand bei
            fahrt/fuhr/liefert/putzt/verkauft/kocht/schreibt/programmiert/baut/entwickelt/tragt/fahre .. fur
            gehalt/lohn/abfindung/kundigung/gehaltszettel/lohnabrechnung .. von
            entlassen/gekundigt/eingestellt/bezahlt/abgeworben/ubernommen/angestellt worden? von
            von .. entlassen/gekundigt/eingestellt/bezahlt/abgeworben/ubernommen
            in diensten/lohn von/der/des
            auf der gehaltsliste von/der
            chef/chefin/vorgesetzter/kollegen/kollege/kollegin/schicht/posten/minijob/nebenjob/vorstellungsgesprach/
                werkstudent/lehrling/azubi bei
            jahre/jahren/monate/monaten bei/fur
            angestellt/beschaftigt/tatig/arbeitet/arbeitete/gearbeitet/gekundigt/kundigte/kundigt/kundigung/angefangen/
                begonnen/eingestiegen/untergekommen/unterschrieben/praktikum/ausbildung/lehre/stelle/job/festanstellung/
                anstellung/karriere/werkstudentin/werkstudent/trainee/azubi/volontariat/probearbeiten/schicht/schichten/
                nachtschicht/buchhaltung/vertrieb/lager/kantine/werk/buro/verwaltung/geschaftsleitung/abteilung/filiale/
                personalabteilung/chef/chefin/kollegen/vorgesetzte/vorgesetzter/mitarbeiter/mitarbeiterin/angestellte/
                angestellter/arbeiter/arbeiterin/verkaufer/verkauferin/fahrer/fahrerin/leiter/leiterin bei/beim/von/der/
                des/fur der/dem/den/die? heuert/heuerte/schafft/schaffte/schuftet/schuftete/jobbt/jobbte/malocht/dient/
                diente/kellnert/kellnerte/fuhr/fahrt/liefert/trug/tragt/verkauft/verkaufte/kocht/putzt/leitet/leitete/
                fertigt/montiert/entwickelt/programmiert/verdient/verdiente/bewirbt/bewarb/startet/startete/begann/
                beginnt/fing/unterschrieb/volontiert .. bei/beim/fur/in der/dem/den/die?
            vertrag/arbeitsvertrag bei/beim/mit der?
            wechselt/wechselte/gewechselt/wechsel/geht/ging/gegangen .. zu/zur/zum der/dem? firma?
            verlasst/verliess/verlassen/kundigte .. die? firma
            entlassen/gefeuert/eingestellt/ubernommen/abgeworben/bezahlt/beschaftigt/angeworben/verabschiedet/
                freigestellt/entsandt von/vom/durch/seitens der/dem?
            gehalt/lohn/rente/betriebsrente/abfindung/provision/zeugnis .. zahlt/kommt/uberweist/stellte/von .. der/die/
                das?
            steht/stand/stehen .. bei/beim der/dem?
            ist/war seit .. bei/beim der/dem?
            ist/war seit/bis/vor/nach _ _? bei/beim der/dem?
            fruher/zuvor/vorher/zuletzt/damals/heute/jetzt/inzwischen ist/war .. bei/beim/fur der/dem/die/das?
        """,
        Entity.DIAGNOSIS: """
            allergisch auf/gegen
            leidet/leide/leiden/litt/erkrankt/erkrankte/erkrankung/gelitten/gestorben/starb/verstarb .. an/unter
            leidet/leide/leiden/litt/erkrankt/erkrankte/erkrankung/starb an/unter
            verdacht auf
            diagnose einer/eines?
            diagnose lautet?
            behandelt/behandlung/therapie/krankgeschrieben/operiert/arzt/hausarzt/medikamente/operation .. wegen/gegen
            wegen/gegen
            diagnostiziert mit
            ist/war an
            aufgrund einer/eines
            befund lautet?
            lebt/leben/lebte .. mit
            diagnostizierten bei ihm/ihr
            kampft/kampfte/ringt/lebt/lebte/hadert/fiel/fehlt/fehlte .. mit/wegen/gegen
            verdacht/hinweise auf
            besteht .. verdacht auf
            leidet/litt/erkrankt/erkrankte/starb/gestorben/verstorben .. an/unter
            folgen/spatfolgen/folge einer/eines/der/von/des
            es sei/ist/war/handelt/handle sich? um? eine/einen?
            an den folgen einer/eines/von
            mit/nach/bei/trotz diagnose
            handelt/handelte sich um
            chemotherapie/bestrahlung/tabletten/spritzen/reha/kur/therapie .. gegen/wegen
        """,
        Entity.PRESCRIPTION: """
            verschrieb/verschreibt/verordnet/verordnete/verschrieben/rezept/gegeben .. fur
            verschrieb/verschreibt/verordnet/verordnete/verschreiben/gab/spritzt/schluckt ihm/ihr/ihnen/taglich/
                regelmassig?
            nimmt/nehme/nahm/einnimmt/bekommt/bekam/erhalt/erhielt .. taglich/regelmassig/morgens/abends/tablette/
                tabletten
            nimmt/nehme/nahm/bekommt/bekam/erhalt/erhielt taglich/regelmassig/morgens/abends/derzeit/zurzeit
            einnahme/dosis/verordnung/rezept von/fur
            medikament
            behandelt sie/er mit
            wird/werden mit
            dosis
            tabletten
            auf .. eingestellt
            umgestellt/eingestellt auf
            mg
            dosis/dosierung/packung/schachtel/tablette/tabletten/rezept/ampulle/spritze/einnahme/mg/milligramm von/fur/
                uber?
            umgestellt/eingestellt/gewechselt auf/zu
        """,
        Entity.TRANSACTION_AMOUNT: "uberwies/uberwiesen/zahlte/bezahlte/bezahlt/zahlt/schuldet/betrug",
        Entity.NRP: """
            wahlt/wahlte/wahlen/gewahlt die/den/das?
            mitglied/mitgliedschaft der/bei/in/von
            mitglied bei/in der
            parteibuch der
            kandidiert/kandidierte/wahlkampf/wahlkampfer/kandidat/kandidatin/spende/spendet/sympathisiert/werbung/
                anhanger/anhangerin/stimmte/stimmt .. fur/mit/der/an
            kandidiert/kandidierte/stimmte/stimmt/spendet fur/an die/den?
            politisch ist/steht/denkt
            anhanger/anhangerin/wahler/wahlerin der/von
            sympathisiert mit
            bezeichnet/bezeichnete sich selbst? als
            versteht sich als
            engagiert sich in/bei der/den
            sympathien fur
            stimmte/gestimmt/stimmt/wahl/wahlkampf/kandidiert/kandidierte/spendete/wirbt/warb/sitzt/sass/antritt/trat/
                eingetreten/ausgetreten/austritt/eintritt/beitritt/abgeordneter/abgeordnete/stadtrat/gemeinderat/
                engagiert/parteifreund/genosse .. fur/in/aus/der/bei/zu die/der/den?
            steht/stand .. der/den
            nahe/nahesteht der/den
            uberzeugter/uberzeugte/eingefleischter/bekennender/bekennende/gluhender/strammer/leidenschaftlicher
            ist/war/bleibt mitglied/anhanger/anhangerin/wahler/wahlerin/parteimitglied der/des/bei/von
            mitglied/mitgliedschaft/anhanger/anhangerin/parteibuch der/des/bei/von
            kreuz/kreuzchen bei der?
        """,
        Entity.USERNAME: """
            nennt/nannte/heisst/schreibt/postet/spielt/kommentiert/twittert/chattet/unterwegs/angemeldet/meldet/
                loggt .. sich? als/unter?
            nennt/nannte sich
        """,
    },
    capital={
        Entity.DOCTOR: "geht/ging/ging zu/zur | uberweisung/uberwiesen an | untersuchte/operierte",
        Entity.DIAGNOSIS: "hat/habe/hatte/haben einen/eine",
        Entity.PRESCRIPTION: "rezept uber",
        Entity.NRP: """
            wahlt/wahlte/gewahlt/wahlen/wahle/ankreuzen/kreuzte/unterstutzt/unterstutzte seit/schon/immer/stets/meist/
                meistens/nur/jeher/traditionell/diesmal/_? _? die/den/das
            mitglied/mitgliedschaft/parteimitglied/parteibuch/anhanger/anhangerin/wahler/wahlerin/kandidat/kandidatin/
                abgeordnete/abgeordneter/stadtrat/stadtratin/fraktion/ortsverein/kreisverband/vorsitzende/vorsitzender/
                spender/spenderin/schatzmeister der/des/bei/in/fur/den die/den/der?
            eingetreten/ausgetreten/beigetreten/angehort/gehort/sympathisiert/sympathien/nahe/verbunden/treu/stimme/
                wahlkampf/wahlstimme .. der/den/mit/fur/die die/den/der?
            ist/war/trat/tritt .. in/aus/bei die/der/den
            sitzt/sass/kandidiert/kandidierte/antrat/tritt/trat/wirbt/warb/macht/machte .. fur die/den
            gab/gibt/gegeben .. ihre/seine/meine? stimme den/der
            bei/fur den/der
        """,
    },
    weak={
        Entity.DIAGNOSIS: """
            hat/hatte/habe
            bekam/bekommt mit _
            mit
            bekam/bekommt
        """,
        Entity.PRESCRIPTION: """
            nimmt/nehme/nahm/bekommt/bekam/erhalt/erhielt/braucht/benotigt sie/er/ich?
            gab/gaben ihm/ihr
            mit/ohne/auf
        """,
        Entity.JOB_TITLE: """
            ist/war/bin sie/er/frau/herr?
            ist/war fruher/heute/jetzt/seit/mal?
            als
            ist/war .. lang/lange/jahre
            war/ist/wurde _ _? ein/eine
            ,
            als ehemalige/ehemaliger/fruhere/fruherer/gelernte/gelernter
            dass/weil _ _?
            dass/weil sie/er
        """,
        Entity.EMPLOYER: "ist/war bei",
        Entity.NRP: """
            ist/war/denkt/bin/sich
            ist/denkt/steht/war sie/er/bei? die/den?
            ist/steht politisch
            dass sie/er
            das
            fur die
        """,
        Entity.HOSPITAL: "im/ins/aus/am dem? | in der/die/das | das/die",
    },
    framed={
        Entity.DIAGNOSIS: """
            wurde/wurden/ist/hat/haben/hatte ..
            wurde/wurden/dass/weil
            dass/weil sie/er/_ _?
            bei ..
            an/unter
            dass/weil/ob ..
            hat/haben/wurde/ist/sei ..
        """,
        Entity.PRESCRIPTION: """
            wurde/wird/hat/haben/bekam/bekommt/nimmt ..
            mit/auf/fur
            dass/weil _ _?
            muss/soll/darf/kann/wird/wurde/hat/lasst ..
            ihr/sein/ihre/seine/das/auf/ohne/statt
            auf/mit/ohne
        """,
        Entity.DOCTOR: """
            wird/wurde/ist .. von
            von
            lasst/liess/wurde/wird/ist/hat/war .. von/bei/durch
            von/bei/durch
            hat/hatte/wird/wurde/lasst/ist/war .. von/bei/durch dr/frau/herrn/professor/prof/doktor?
            hat dr/frau/herr/professor?
            von/bei dr/frau/herrn/professor/prof/doktor
        """,
        Entity.HOSPITAL: """
            wird/wurde/ist/hat/liegt .. im/in/am/ins
            im/in/aus/ins dem/der/die?
            aus/im/in/ins/am dem/der/die?
            wurde/wird/ist/hat/liegt/lag/war/kam/kommt/darf/durfte/musste/muss/soll/verbrachte .. im/in/am/ins/aus/vom/
                zum dem/der/die/das?
        """,
        Entity.EMPLOYER: """
            ist/war/hat/leitet/hatte .. bei
            bei/von/fur
            hat/wurde/wird/steht .. von/bei/fur
            von/bei/fur/an der/die/dem/den?
        """,
        Entity.JOB_TITLE: """dass/weil/ob ..""",
    },
    frames={
        Entity.DIAGNOSIS: """
            diagnostiziert festgestellt gefunden erkrankt hat hatte leidet nachgewiesen diagnostizierten bestatigt litt
            behandelt entdeckt festgestellt diagnostiziert erkrankt gestorben leidet leide verstorben operiert bekommen
            entwickelt attestiert vermutet ausgebrochen
        """,
        Entity.PRESCRIPTION: """
            verschrieben verordnet verabreicht eingenommen behandelt einnimmt nimmt bekommen eingestellt eingelost
            umgestellt ein nehmen einnehmen schlucken spritzen inhalieren bekommen gespritzt gegeben verschreiben
            umgestellt abgeholt ab holen abgesetzt geholt schlafen auskommen abholen
        """,
        Entity.DOCTOR: """
            behandelt betreut operiert untersucht uberwiesen unterschrieben
            behandeln operieren untersuchen beraten impfen entbunden geimpft behandelt operiert untersucht betreut
            uberwiesen behandlung patient patientin ausgestellt unterschrieben verschrieben impfen geimpft
            krankgeschrieben operierte behandlung begleitet therapiert uberwiesen geholfen operieren
        """,
        Entity.HOSPITAL: """
            behandelt operiert eingeliefert aufgenommen entlassen gebracht verlegt entbunden gestorben untersucht
            patient patientin gelegen geboren bleiben bekommen entlassen geboren verbracht verbringen liegen gelegen
            kommen gekommen besucht uberwiesen eingewiesen behandeln operieren entbunden nach hause zur welt bestrahlt
            operieren untersucht eingeliefert gemacht ersetzt eingesetzt bekommen therapiert nachbehandelt aufgewacht
            erholt entlassen entbinden gebar welt geboren behandlung reha dialyse
        """,
        Entity.EMPLOYER: """
            angestellt beschaftigt tatig gearbeitet gekundigt arbeitet buchhaltung angefangen eingestellt entlassen
            arbeitete abteilung entlassen eingestellt gefeuert ubernommen beschaftigt gehalt lohn arbeiten anfangen
            abgeworben bezahlt tatig verdient unterschrieben untergekommen beworben angefangen
        """,
        Entity.JOB_TITLE: """ist war wird wurde werden""",
    },
    after={
        Entity.DIAGNOSIS: """
            ist/war/lautet/lautete ihre/seine/die diagnose/krankheit/erkrankung
            wurde/ist .. diagnostiziert/festgestellt
            lautete .. befund/diagnose
            hat sie/er
            ist .. krankheit/erkrankung/leiden/diagnose
            macht ihr/ihm zu
            qualt/plagt ihn/sie
            wurde/ist bei
            wurde/wurden .. entdeckt/festgestellt/diagnostiziert/bestatigt/behandelt
            haben .. festgestellt/entdeckt/diagnostiziert
            macht .. schaffen
            zwingt/hindert
            lautet/lautete
            heisst .. krankheit
            ist der grund
        """,
        Entity.PRESCRIPTION: """
            nimmt/bekommt/nehme/braucht sie/er
            nimmt/bekommt _ _? taglich/morgens/abends/seit
            wurde/wurden .. verschrieben/verordnet
            hat .. verschrieben/verordnet
            ist .. medikament/mittel
            heisst .. medikament
            nimmt/bekommt/schluckt/spritzt/braucht/nahm/bekam
            hat .. verschrieben/verordnet/gegeben/empfohlen
            wurde/wird .. verschrieben/verordnet/verabreicht/gespritzt/gegeben
            muss/soll .. nehmen/einnehmen/spritzen
            ist das/ein/sein/ihr mittel/medikament
        """,
        Entity.EMPLOYER: """
            beschaftigt/beschaftigte/stellte/entliess/bezahlt
            ist .. arbeitgeber/arbeitgeberin/firma
            ist das unternehmen
            ist die firma
            hat .. eingestellt/entlassen/angestellt
            hat .. eingestellt/entlassen/ubernommen/befordert/beschaftigt/angestellt
            beforderte/feuerte/beschaftigt
            ist .. arbeitgeber/arbeitgeberin/chef
            ist der/die arbeitgeber/firma
            hat sie/ihn eingestellt/entlassen
            bei denen
            hat/hatte _ _? _? eingestellt/entlassen/ubernommen/befordert/beschaftigt/angestellt/gefeuert/abgeworben
            beschaftigt/bezahlt/entliess/entlasst/feuerte/engagierte _ _?
            ist/war der/die/ihr/sein/ihre/seine/mein neue/neuer/alte/alter/letzte/letzter? arbeitgeber/arbeitgeberin/
                firma/chef/betrieb
            zahlt/zahlte/uberweist _ _? _? gehalt/lohn
            wo sie/er/_ _? arbeitet
        """,
        Entity.HOSPITAL: """
            nahm/behandelte/behandelt/entliess
            hat .. aufgenommen/behandelt/operiert
            ist .. krankenhaus/klinik
            nahm/entliess/behandelte/verlegte/operierte ..
            hat .. aufgenommen/entlassen/behandelt/operiert
        """,
        Entity.DOCTOR: """
            behandelt/betreut/operierte/behandelte/untersuchte
            ist .. arzt/arztin/hausarzt/hausarztin
            hat .. operiert/behandelt/untersucht
            ist/war die/der hausarztin/hausarzt/arztin/arzt/zahnarztin/zahnarzt/chirurgin/chirurg/kardiologin/
                kardiologe/psychiaterin/psychiater/frauenarztin/frauenarzt/hautarztin/hautarzt/therapeutin/therapeut/
                orthopade/orthopadin/neurologin/neurologe/internist/internistin/kinderarzt/kinderarztin
            ist/war ihr/ihre/sein/seine/mein/meine arzt/arztin/hausarzt/hausarztin/zahnarzt/zahnarztin/chirurg/chirurgin
            hat .. operiert/behandelt/untersucht/krankgeschrieben/geimpft/entbunden
            schrieb _ _? krank
            verschrieb/impfte/entband/operierte/untersuchte
        """,
        Entity.JOB_TITLE: """
            ist .. beruf
            ist _ _ mit leib
            ist sie/er von beruf?
            war sie/er
            ist .. von beruf
            ist/war _ _? von beruf
            ist/war/wird/bleibt _ _?
            ist/war ihr/sein/ihre/seine beruf/job/tatigkeit/position/stelle/funktion
            ist/war der/die beruf/tatigkeit/stelle/position von/der/des
            lautet/steht
            wollte/mochte/will _ _? _? werden
            arbeitet sie/er/_
            von beruf/haus
        """,
        Entity.NRP: """
            wahlt/wahlte sie/er
            hat .. gewahlt/stimme
            ist .. partei
            wahlt/wahlte _ _? seit/schon/immer
            nennt/bezeichnet
            wahlt/wahlte/unterstutzt/unterstutzte sie/er/_ _?
            gehort/gehorte sie/er/_ _? _? _? an
            ist/war sie/er/_ _? _? schon/seit/immer/zeitlebens
            hat/hatte sie/er/_ _?
            gilt/galt ihre/seine
            sitzt/schloss/strich/nominierte/stellte _ _?
            bekam/bekommt/hat .. stimme
        """,
    },
    needs_form={
        Entity.JOB_TITLE: """
            hauptberuflich/nebenberuflich/beruflich/hauptamtlich/eigentlich/fruher/zuletzt/damals/heute/inzwischen/
                mittlerweile ist/war/arbeitet/bin _ _? _? als?
            ist/war/bin/wird/wurde/werde/sei/ware sie/er/ich/_ _? ein/eine
            ist/war/bin/sei/wird/wurde/werde hauptberuflich/nebenberuflich/eigentlich/fruher/heute/inzwischen/
                mittlerweile/noch/wieder/selbststandiger/selbststandige/freier/freie/angestellter/angestellte/leitender/
                leitende/angehender/angehende/ehemaliger/ehemalige/pensionierter/pensionierte/selbst/seit/bereits/schon/
                lange/lang/langst/einmal/mal/einst/vorher/zuletzt/damals _? ein/eine?
            ist/war seit/bis/ab/von _ _? _?
            ist/war .. jahre/jahren/lang/zeit/hindurch
            mochte/will/wollte/soll/sollte/durfte/wurde/wird/werden _? _?
            im/in hauptberuf/nebenberuf/zivilberuf/beruf/zivilleben/leben ist/war _ _?
            leben/zeit war/ist _ _?
            ihr/sein/ihre/seine/mein/meine/unser/unsere mann/frau/bruder/schwester/vater/mutter/sohn/tochter/nachbar/
                nachbarin/onkel/tante/freund/freundin/kollege/kollegin/chef/chefin/schwager/cousin/cousine/grossvater/
                opa/oma ist/war/arbeitet als?
            statt/anstatt/neben arbeit/job als
        """,
        Entity.NRP: """
            politisch steht/ist/denkt/tickt/wahlt/gilt/verortet/eingestellt/orientiert/gesinnt _ _? _? eher/sehr/klar/
                weit/stramm/durchaus/ziemlich/als?
            ist/war/denkt/tickt/wahlt/fuhlt/gibt/steht/gilt politisch/eher/durch/stramm/weit/bekennend/bekennender/
                uberzeugter/uberzeugte/bekennende/durchaus/ziemlich/immer/schon/zeitlebens/gern/offen/klar/sich/
                als _? _? _?
            ansichten/haltung/gesinnung/uberzeugung/uberzeugungen/meinung/einstellung/ideen sind/ist eher/sehr/klar/
                durchweg?
            halt/halten/sieht/bezeichnet/bezeichnete/versteht/definiert/beschreibt/bekennt/outet/gibt/
                outete sich selbst? offen/gern? als/fur einen/eine?
            gilt/galt/bekannt als uberzeugter/uberzeugte?
            denkt/wahlt/tickt/stimmt/fuhlt/redet/argumentiert sie/er/_ _?
            familie von
            aus einer
            war/ist immer/schon/zeitlebens/stets
        """,
    },
    asks={
        Entity.DOCTOR: """
            wer .. behandelt/behandelte/operiert/operierte/untersucht/betreut/untersuchte
            zu wem .. arzt/geht
            von wem .. behandelt/betreut/operiert
            bei wem .. behandlung/patient/patientin
        """,
        Entity.DIAGNOSIS: """
            woran .. leidet/erkrankt/gestorben/litt/starb
            worunter .. leidet
            warum/weshalb/wieso .. krankgeschrieben/behandelt/krankenhaus/krank/arzt/behandlung/klinik/operiert
            was .. festgestellt/diagnostiziert/fehlt
            was fehlt
            was hat .. bekommen
            weswegen .. behandelt/krankgeschrieben
        """,
        Entity.HOSPITAL: """
            wo .. behandelt/operiert/patient/patientin/entbunden/eingeliefert/liegt/lag
            wohin .. gebracht/eingeliefert/verlegt
        """,
        Entity.PRESCRIPTION: """
            was .. verschrieben/verordnet/nimmt/einnimmt/verschrieb/ein/einnehmen
            was nimmt/bekommt
            womit .. behandelt
        """,
        Entity.EMPLOYER: """
            wo .. arbeitet/angestellt/beschaftigt/arbeitest
            bei wem .. arbeitet/angestellt/beschaftigt
            wo arbeitet/arbeitest
            fur wen .. arbeitet
            fur wen arbeitet
            bei wem arbeitet
            wer .. arbeitgeber/beschaftigt
        """,
        Entity.JOB_TITLE: """
            was .. beruflich/beruf
            als was .. arbeitet/beschaftigt/tatig/angestellt
            womit verdient
            was arbeitet
            als was arbeitet
            wie verdient
        """,
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
        Entity.NRP: """
            wen wahlt
            was wahlt
            wo steht .. politisch
            wo .. politisch
            wie .. politisch/politische/gewahlt
            welche/welcher partei
            wen .. gewahlt
        """,
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
    stop="""
        angegeben gepragt eingelost diagnostizierten bekannt lang lange ist war sind waren hat hatte haben wird wurde
        werden und oder aber denn weil dass ob seit vor nach wahrend bis mit bei in im an am auf aus von vom zu zum zur
        fur gegen ohne um uber unter durch der die das den dem des ein eine einen einem einer eines er sie es ihr ihm
        ihn sein seine nicht kein keine als wenn wie auch noch schon taglich zweimal einmal dreimal morgens abends
        arbeitet lebt wohnt leidet nimmt diagnostiziert festgestellt verschrieben verordnet behandelt angestellt
        beschaftigt tatig sich hier dort heute gestern eingeliefert laut ab wo nahm mein meine unser dank trotz wegen
        sondern sowie ins beim jetzt kurz geht ihrem ihren ihrer ihres seinem seinen seiner angefangen gearbeitet
        begonnen unterwegs selbststandig engagiert eingestellt versucht verdingt ausgebildet umgeschult gelernt
        ausserdem bald dann danach davor bereits derzeit derzeitig fast gerade immer inzwischen kommen kommt krank
        langsam leider manchmal meist meistens mittlerweile nachts nebenbei nun oft schliesslich schwer seitdem selten
        selbst stets trotzdem ubrigens vielleicht vorher wahrscheinlich weiter wieder wirklich zuletzt zurzeit zusammen
        zuvor los fest
    """,
    inside="",
    start="""
        als januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag
        sonnabend sonntag bei der die das den dem ein eine einen er sie es ich wir ihr ihm ihn leider ja nein nicht dazu
        daruber bitte gerne entschuldigung keine kein wenn und aber oder auch sehr viel viele wie was wer wo wann alle
        alles diese dieser dieses frau herr herrn hier dort nur noch schon bekannt unbekannt mein meine unser dann da
        ihrem ihren ihrer ihres ihre seinem seinen seiner seines meinem meinen meiner deren dessen zwanzig dreissig
        vierzig funfzig sechzig siebzig achtzig neunzig zehn zwolf acht neun sieben sechs funf
    """,
    idioms="""
        platz abschied teil bezug rucksicht stellung anteil kontakt urlaub anlauf mass notiz kurs schaden hilfe angst
        hunger durst recht gluck pech zeit lust ende anfang zeug erfolg einfluss nichts etwas krach kinder geld folge
        folgen bord grund arbeit reise weg leben land hand hause haus wasser mitternacht welt jahr jahre mann frau gott
        herzen stadt tag nacht tod kalte hitze muhe langeweile respekt sinn bedeutung vorteile
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

"""Italian."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.language import Language

ITALIAN = Language(
    name="Italian",
    pro_drop=True,
    nouns={
        Entity.EMAIL_ADDRESS: "email/e-mail/mail | indirizzo email/e-mail/mail | posta elettronica",
        Entity.PHONE_NUMBER: "telefono/cellulare/tel | numero di telefono/cellulare",
        Entity.BANK_ACCOUNT: "conto/iban | conto corrente/bancario | numero di conto | coordinate bancarie",
        Entity.ORDER_NUMBER: """
            ordine/riferimento
            numero/codice/n/id d'/di/del/dell' ordine/acquisto/spedizione/prenotazione/tracciamento
            ordine numero/n/nr/n°
            ordine n
            numero ordine
            codice ordine
            n ordine
            ordine n º
        """,
        Entity.CREDIT_CARD_DIGITS: """
            carta
            carta di credito/debito/pagamento
            numero di carta
            ultime quattro/4 cifre della/di? sua/carta? carta?
            ultime cifre
            carta che termina/finisce con/in
            finale della? carta
            carta terminante con
        """,
        Entity.UTILITY_BILL: """
            bolletta/bollette/spesa/spese/fattura/costo/consumi della/del/di/dell'? luce/gas/acqua/elettricita/energia/
                riscaldamento/utenze?
            bolletta elettrica/gas/luce/acqua/mensile
            utenze
            utenze mensili
            spese di riscaldamento/condominio
            conto del gas
        """,
        Entity.APPOINTMENT_DATE: """
            appuntamento/visita
            prossimo/prossima appuntamento/visita/controllo
            data della/dell'/del/di visita/appuntamento/controllo
            visita medica/fissata
            data visita/appuntamento
        """,
        Entity.FLIGHT: """
            volo/voli/tratta/viaggio/itinerario/biglietto/rotta
            numero di/del volo
            volo prenotato
            biglietto aereo
            prenotazione aerea
        """,
        Entity.ADDRESS: """
            indirizzo/residenza/domicilio
            recapito/abitazione/dimora
            indirizzo/domicilio/residenza postale/abitazione/completo/attuale/personale/fiscale/principale/privato/
                permanente/spedizione/consegna/fatturazione/residenza/domicilio/casa/lavoro/civico
            indirizzo di/del/della/dell' residenza/domicilio/casa/abitazione/spedizione/consegna/fatturazione/
                corrispondenza/recapito/contatto/paziente/cliente/lavoro/intestatario
            luogo di residenza/domicilio
            via e numero civico?
            recapito postale
        """,
        Entity.JOB_TITLE: """
            professione/mestiere/lavoro/qualifica/ruolo/occupazione/mansione/impiego/posizione/incarico
            posizione lavorativa/attuale
            titolo professionale
            ruolo attuale/aziendale
        """,
        Entity.DOCTOR: """
            medico/dottore/dottoressa/chirurgo/cardiologo/cardiologa/psichiatra/dentista/neurologo/neurologa/pediatra/
                oncologo/oncologa/dermatologo/dermatologa/ginecologo/ginecologa/specialista/ortopedico
            medico curante/responsabile/referente
            medico di base/famiglia/fiducia
        """,
        Entity.HOSPITAL: """
            ospedale/clinica/policlinico/struttura/presidio
            struttura sanitaria/ospedaliera/medica
            casa di cura
            centro medico/clinico
            ospedale di ricovero
            presidio ospedaliero
        """,
        Entity.EMPLOYER: """
            azienda/ditta/societa/impresa/datore/compagnia
            datore di lavoro
            posto/sede/luogo di lavoro
            lavora presso/per
            nome dell' azienda
            nome della ditta/societa
            azienda attuale
        """,
        Entity.DIAGNOSIS: """
            allergie/allergia/diagnosi/malattia/patologia/disturbo/affezione/anamnesi/patologie/malattie/infermita
            diagnosi principale/medica/definitiva/finale
            problema di salute
            condizione medica
            motivo del ricovero
            quadro clinico
        """,
        Entity.PRESCRIPTION: """
            farmaco/farmaci/medicina/medicine/medicinale/medicinali/prescrizione/ricetta/terapia/medicazione/cura/
                compresse
            terapia attuale/farmacologica/in corso
            farmaco prescritto
            farmaci prescritti/assunti
            principio attivo
            terapia in atto
        """,
        Entity.TRANSACTION_AMOUNT: """
            importo/pagamento/bonifico/transazione/somma/spesa/acquisto/addebito/prelievo/versamento/stipendio/saldo/
                acconto/accredito
            importo del/della/di bonifico/transazione/pagamento/acquisto/operazione
            somma versata/pagata
            totale pagato/versato/speso
            importo pagato/totale
        """,
        Entity.NRP: """
            religione/confessione/etnia/nazionalita/cittadinanza
            origine/convinzioni/appartenenza/credo etnica/razziale/religiose/religiosa/religioso/sindacale
            partito
            partito politico
            appartenenza/orientamento/ideologia/idee/opinione/opinioni/convinzioni/fede/tendenza/simpatie/affiliazione/
                posizione/credo politico/politica/politiche
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
    verbs={
        Entity.ORDER_NUMBER: "ordine/ordini/acquisto .. numero/n/nr/n° | con il numero | sotto il numero",
        Entity.CREDIT_CARD_DIGITS: """
            carta/visa/mastercard .. termina/terminante/finisce/finiscono/terminano con/in/per
            che? termina/finisce/terminante con/in/per
            finiscono/terminano con/in
        """,
        Entity.APPOINTMENT_DATE: """
            appuntamento/visita/controllo/prenotato/prenotata/convocato/convocata/atteso/attesa/fissato/fissata .. il/
                per/del/al
            appuntamento/visita/fissato/fissata il/per/al
            appuntamento/visita/controllo .. e il
            il giorno
        """,
        Entity.FLIGHT: """
            volo/vola/viaggio/viaggia/biglietto/tratta/parte/partira/volera/prenotato/prenotazione .. da/dal/di/tratta
            volo
            vola/viaggia da
            riservato/perso/prenotato la? tratta
            con/sul/col/del/perso/prende/al il? volo?
            arriva con/col il? volo?
            aereo , il
            viaggio e da
            imbarco del
        """,
        Entity.USERNAME: """
            rete/internet/online/forum/twitter/instagram/discord/web .. chiamare/chiama/nome/soprannome/nick/come
            si fa chiamare
            usa il nome/nick/soprannome
        """,
    },
    asks={
        Entity.CREDIT_CARD_DIGITS: "cifre | carta .. termina/finisce",
        Entity.UTILITY_BILL: "luce/gas/acqua/bolletta/riscaldamento/utenze/elettricita",
        Entity.TRANSACTION_AMOUNT: """
            quanto .. bonificato/pagato/speso/versato/inviato/trasferito/prelevato/pagamento/deve/costa/addebitato/
                guadagna
            di quanto .. pagamento/bonifico/acquisto
        """,
        Entity.FLIGHT: "quale/che volo | dove .. vola | dove vola | quando .. vola | con quale volo",
        Entity.ADDRESS: "dove .. abita/vive/risiede | dove abita/vive",
        Entity.APPOINTMENT_DATE: "quando .. appuntamento/visita/controllo | che giorno .. appuntamento/visita",
    },
    which="quale quali che chi cosa dove quando quanto quanta come perche qual",
    links="""
        e era sono erano fu resta rimane ammonta ammontava ammontano sale termina stata stato chiama chiamava risulta
        finisce sara stati
    """,
    adverbs="attualmente ora ancora ufficialmente anche stato stata si gia circa",
    participles="""
        registrato registrata indicato indicata segnato segnata fissato fissata prenotato chiamato previsto prevista
    """,
    prepositions="come a al di del da dal in per il con presso con",
    articles="il lo la i gli le l' un uno una un' del dello della dell' al all' alla",
    joins="""
        di del della dello dell' dei per che a al in con dove presso curante attuale principale prescritto da dal sulla
        chi cui la il d'
    """,
    fillers="prenotato principale nome numero id valore n",
    clauses="ma perche mentre dice disse anche",
    indefinite="""
        nessun nessuna ogni tutto tutta tutti tutte qualche alcuni alcune molti molte quale che un una uno questo questa
    """,
    owned="""
        il lo la i gli le l' suo sua suoi sue mio mia tuo tua nostro nostra del della dell' al all' alla dal dall' dalla
        un una nel nella
    """,
    called="chiamato chiamata denominata denominato",
    lead="""
        e era il lo la i gli le l' un una suo sua lavora per come in a al all' alla da dal di presso ha hanno prescritto
        diagnosticato soffre prende assume si chiama dottor dottore dottoressa dr dott medico ospedale cura operata
        operato ricoverato ricoverata vota milita vola viaggia arriva con sono certo bonificato pagato speso fa azienda
        nome diagnosi stato stata curato curata del della nel nella idee ecco qui risposta secondo miei archivi dati
        credo valore seguente certamente
    """,
    person="""
        suo sua suoi sue lui lei egli ella gli mio mia io paziente cliente signor signora sig dipendente zio zia sorella
        fratello madre padre collega vicino vicina loro lo l'
    """,
    utilities="luce gas acqua elettricita riscaldamento utenze bolletta bollette elettrica energia acquedotto",
    transactions="""
        bonifico bonificato pagamento transazione acquisto importo addebito addebitati stipendio prelevato acconto
        versato saldo bancomat
    """,
)

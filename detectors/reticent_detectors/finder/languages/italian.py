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
            partito
            partito politico
            appartenenza/orientamento/ideologia/idee/opinione/opinioni/convinzioni/fede/tendenza/simpatie/affiliazione/
                posizione/credo politico/politica/politiche
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
        Entity.JOB_TITLE: """
            lavora/lavorava/lavoro/lavorare/assunto/assunta/impiegato/impiegata/assumere/assunse/impiego/esercita/
                vivere/carriera/opera .. come/da
            lavora/lavorava/lavoro/lavorare/assunto/assunta/impiegato/impiegata/opera come/da
            ruolo/professione/mestiere/qualifica/mansione/mansioni/posto/incarico/titolo/posizione di/da/d'
            promosso/promossa/diventato/diventata/nominato/nominata a?
            di professione/mestiere ,? fa/e?
            di professione/mestiere .. fa/e
            in qualita di
            studiato da/per
            fa/faceva/facevo/faccio
            guadagna da vivere come/facendo
            laureato/laureata/formato/formata come/in?
            fare
            guadagna/vive/vivere/lavoro/lavora/lavorava/lavorare/assunto/assunta/impiegato/impiegata/impiego/posto/
                carriera/mansione/mansioni/qualifica/titolo/formazione/diplomato/diplomata/esperienza .. come/di/da
            fa/faceva/fare il/la/l'/lo/un/una
            trovato/ottenuto/perso/lasciato/cerca .. lavoro/posto/impiego come/di/da
            diventato/diventata/diventera/divento
            di professione/mestiere
            promosso/promossa/nominato/nominata a?
            posto/impiego/lavoro/ruolo/incarico/carica/mansione/mansioni/qualifica/titolo/mestiere/professione/
                contratto/diploma/funzioni/funzione/attivita/carriera/formazione/turno/nomina/promozione/cattedra di/da/
                come/a
            ricopre/ricopriva/occupa/occupava/svolge/svolgeva/assume/assunto .. ruolo/incarico/carica/posto/posizione/
                mansione/mansioni/funzione/funzioni/attivita di/da
            lasciato/perso/trovato/ottenuto/cercato/accettato .. lavoro/posto/impiego/incarico di/da/come
            lavora/lavorava/esercita/opera/assunto/assunta/impiegato/impiegata da/come/di
            mette/messo/messa/mise in proprio come/da
            fa/faceva/fatto da
            di mestiere/professione fa/faceva il/la/lo/l'
            nella vita fa/faceva il/la/lo/l'
            promosso/promossa/nominato/nominata/eletto/eletta/designato/designata a/come?
        """,
        Entity.DOCTOR: """
            paziente del/della/di/dell'
            dr/dott/dottor/dottore/dottoressa/professor/professore/dssa/ssa
            seguito/seguita/curato/curata/operato/operata/visitato/visitata/eseguito/eseguita/firmato/firmata/
                prescritto/prescritta/assistito/assistita da/dal/dalla/dall'
            seguito/seguita .. da/dal/dalla/dall'
            appuntamento/visita con/dal
            in cura da/dal/dalla
            operato/operata/curato/curata/seguito/seguita/visitato/visitata/mandato/mandata/indirizzato/indirizzata/
                inviato/inviata/vaccinato/vaccinata/assistito/assistita .. da/dal/dalla dottor/dottoressa?
            medico/dottore/dentista/cardiologo/cardiologa/psichiatra/chirurgo/pediatra/ginecologo/ginecologa/
                dermatologo/neurologo/oncologo/specialista .. si? chiama/e/era/chiamava
            appuntamento/visita/controllo/seduta/consulto .. con/da
            va/andato/andata dal/dalla
            dentista/psichiatra/psicologo/psicologa/psicoterapeuta/fisioterapista/ostetrica/oculista/urologo/
                reumatologo/logopedista/ortopedico/odontoiatra ,
            medico/dottore/dottoressa/chirurgo/specialista/dentista/ginecologo/ginecologa/pediatra/psichiatra che .. e/
                si/chiama
            cura/visita/appuntamento/seduta/controllo/terapia/paziente/ricetta/referto/lettera/certificato/
                prescrizione con/da/dal/dalla/del/della/di/dell' dott/dr/dottor/dottoressa/professor/professore/
                professoressa?
            rivolto/rivolta/rivolge/affidato/affidata/affida/andato/andata/va/indirizzato/indirizzata/inviato/inviata/
                mandato/mandata al/alla/a/dal/dalla/da dott/dr/dottor/dottoressa/professor?
            seguito/seguita/curato/curata/operato/operata/visitato/visitata/assistito/assistita/trattato/trattata/
                firmato/firmata/vaccinato/vaccinata/prescritto/prescritta da/dal/dalla/dall' dott/dr/dottor/dottoressa/
                professor?
            fatta/fatto/eseguita/eseguito il/la/da/dal/dalla dott/dottor/dottoressa/professor?
            secondo il/la dott/dottor/dottoressa/professor
            fida solo? del/della/di
        """,
        Entity.HOSPITAL: """
            ricoverato/ricoverata/operato/operata/curato/curata/cura/partorito/nato/nata/morto/morta/deceduto/deceduta/
                trasferito/trasferita/portato/portata/trasportato/trasportata/dimesso/dimessa/intervento/settimane/
                giorni/trovare/paziente/visitare/degenza/ricovero/trattato/trattata/assistito/assistita/dialisi/
                chemioterapia/operazione/visita/mesi/accompagnato/accompagnata/pronto .. in/a/al/all'/alla/dal/dall'/
                dalla/nel/nell'/nella/presso/di/del/dell'
            ricoverato/ricoverata/operato/operata/curato/curata/cura/partorito/nato/nata/morto/morta/deceduto/deceduta/
                trasferito/trasferita/portato/portata/dimesso/dimessa in/a/al/all'/alla/dal/dall'/dalla/nel/nell'/nella/
                presso
            passato/passata/trascorso/trascorsa/rimasto/rimasta/settimane/settimana/giorni/mesi/notte/controllo/
                controlli/visita/visite/riabilitazione/camera/reparto/letto/ambulanza/portato/portata/trasportato/
                trasportata/elicottero/dimesso/dimessa/uscito/uscita/partorito/nato/nata/operato/operata/chemioterapia/
                dialisi .. al/all'/alla/dal/dall'/dalla/in/del/dell'/della/nel/nell'/nella/presso
            ricoverato/ricoverata/ricoverata/operato/operata/curato/curata/visitato/visitata/partorito/nato/nata/morto/
                morta/deceduto/deceduta/degente/paziente/assistito/assistita/dialisi/chemioterapia/radioterapia/
                riabilitazione/fisioterapia/intervento/esami/controllo/visita/parto/reparto/camera/letto/degenza/
                settimane/giorni/notte/mese/mesi .. in/a/al/all'/alla/allo/nel/nell'/nella/presso/del/dell'/della la/il/
                l'?
            portato/portata/portarono/trasportato/trasportata/trasferito/trasferita/condotto/condotta/accompagnato/
                accompagnata/corsa/ambulanza/elicottero/inviato/inviata/mandato/mandata/andato/andata .. al/all'/alla/
                in/verso/presso
            dimesso/dimessa/uscito/uscita/esce/rientrato/rientrata/tornato/tornata .. dal/dall'/dalla/dallo
            hanno/ha/avevano ricoverato/operato/portato/curato/trasportato/trasferito/visitato/dimesso .. al/all'/alla/
                in/nel/nella/dal/dall'/dalla/presso
            fa/fanno/segue/riceve/ha .. dialisi/chemioterapia/terapia/cure/riabilitazione/esami al/all'/alla/in/presso
            trovare/visitare .. al/all'/alla/in
        """,
        Entity.EMPLOYER: """
            lavora/lavorava/lavorare/impiegato/impiegata/assunto/assunta/posto/stage/tirocinio/dipendente/contratto/
                impiego/tornato/tornata/licenziato/licenziata/contabilita/dimesso/dimessa/entrato/entrata/carriera/
                socio/dimissioni/occupato/occupata .. per/presso/alla/al/all'/da/dal/dalla/dall'/in/di/del/della/a/con
            lavora/lavorava/lavorare/impiegato/impiegata/assunto/assunta/posto/stage/tirocinio/dipendente/impiego/
                tornato/tornata/licenziato/licenziata/entrato/entrata per/presso/alla/al/all'/da/dal/dalla/dall'/in/di/
                del/della/nella/a
            presta servizio presso/per
            dipendente/impiegato/impiegata/operaio/operaia/assunto/assunta/licenziato/licenziata/dimesso/dimessa/dimise/
                stage/stagista/contratto/posto/stipendio/capo/colleghi/ufficio/turno/tirocinio/socio/socia/apprendista/
                carriera .. di/da/in/presso/alla/dalla/con
            consegne/lavora/lavorava/lavorare/guida/vende/pulisce/progetta/cucina/insegna/programma/traduce .. per/in/
                da/presso/alla
            si e dimesso/dimessa da/dalla
            entrato/entrata/cominciato/iniziato/passato/passata .. in/da/alla/presso/a
            paga/pagato .. da/dalla
            presta/prestato/prestava servizio/opera in/per/presso/alla/al
            lavora/lavorava/lavorato/lavorare/collabora/guida/vende/progetta/cucina/pulisce/fattura/consegna/consegne/
                turni in/per/da/presso/con/alla/all'/al/nella la/il/l'?
            stipendio/busta/paga/contratto/liquidazione/pensione/tesserino/divisa/furgone/assegno .. da/di/con/dalla/
                dal/della/dell'/presso la/il?
            dipendente/impiegato/impiegata/operaio/operaia/dirigente/capo/capa/responsabile/contabile/commesso/commessa/
                autista/tecnico/tecnica/ingegnere/stagista/tirocinante/apprendista/socio/socia/azionista/organico/
                personale/sede/uffici/stabilimento/magazzino/reparto/ufficio/squadra di/del/della/dell'/in/presso/alla/
                da/al la/il?
            posto/stage/tirocinio/lavoro/impiego/colloquio/turno/contratto/apprendistato in/con/presso/per/alla/all'/al/
                da la/il?
            entrato/entrata/passato/passata/tornato/tornata/assunto/assunta/cominciato/iniziato/approdato/approdata/
                trasferito/trasferita/distaccato/distaccata in/alla/all'/al/da/a/presso/nella la/il?
            licenziato/licenziata/dimesso/dimessa/dimise/uscito/uscita/andato/andata/pensionato/pensionata/riassunto/
                riassunta da/dalla/dall'/dal
            ha/aveva fondato la/l'/il?
            ha/aveva firmato .. con/per la/il?
            azienda/ditta/societa/impresa/compagnia
            capo/colleghi/collega/superiore/datore/principale .. di/alla/in/presso/della/dell'/all'/al
            stipendio/paga/busta lo/la? paga/versa/arriva da/dalla
        """,
        Entity.DIAGNOSIS: """
            allergico/allergica a/al/alla/ai/alle/agli/all'
            soffre/soffriva/soffrire/soffro/affetto/affetta/malato/malata/ammalato/ammalata/morto/morta/deceduto/
                deceduta/sospetto/sospetta/diagnosi/caso/colpito/colpita/paziente/portatore/portatrice/sintomi di/d'/da/
                dal/dalla/per/con?
            soffre/affetto/malato .. di/d'/da
            diagnosticato/diagnosticata/diagnosticarono/riscontrato/riscontrata/contratto/trovato il/la/una/un/l'?
            convive/vive/convivere con
            cura/trattamento/curato/curata/operato/operata/ricoverato/ricoverata/terapia/malattia/trattato/trattata per/
                contro
            a causa di/della/del/dell'
            confermato/confermano/rivelato/mostrano/evidenziato/conferma/rilevato
            combatte/lotta con/contro
            malattia per
            causa di
            operato/operata/ricoverato/ricoverata .. per
            riscontrata/riscontrato/trovato/trovata/diagnosticato/diagnosticata/scoperto/scoperta/rilevato/rilevata una/
                un?
            combatte/lotta/combattuto contro
            convive/vive/lotta .. con
            morto/morta/malato/malata/affetto/affetta/ammalato/ammalata/guarito/guarita/operato/operata/soffre/
                sofferente/crisi/attacco/sintomi/forma/caso/diagnosi/complicazioni/sospetto di/da/d'
            malattia/ricoverato/ricoverata/cura/terapia/operato/operata/visita .. per/contro
            causa/via di/del/della/dell'
            si tratta di/d'
        """,
        Entity.PRESCRIPTION: """
            prescritto/prescritta/prescrive/prescrisse/somministrato/somministrata/ordinato/dato/diedero
            assume/assumeva/assumere/assumendo/prende/prendeva/prendo/prendere/prendendo/inietta ogni?
            dose/dosi/compressa/compresse/ricetta/confezione/pasticche/terapia/trattamento/somministrazione di/con/per/a
            curato/curata/trattato/trattata/cura/controlla/terapia con
            cura/controlla .. con
            messo/messa sotto
            sotto
            passato/passata/passare a
            ricetta .. e/figura/scritto
            ritirato/comprato/ritirare
            senza il?
            mettere sotto
            in terapia con
            prescritto/prescrisse/prescrive/ordinato/dato/somministrato/consigliato/sospeso
            prende/prendere/prendeva/assume/assumere/ingoia/inietta
            dose/dosi/ricetta/scatola/compresse/compressa/pastiglia/pastiglie/terapia/cura/iniezioni/iniezione/
                confezione/gocce/bustine .. di/con/per
            cura/terapia/curato/curata con
            ritirato/comprato/ritirare/comprare/chiesto/preso il/la suo/sua?
            aumentato/ridotto/cambiato .. di
            dormire/vivere senza
        """,
        Entity.NRP: """
            vota/votato/votava/votare/milita/candidato/candidata/candidatura/campagna/militava/iscritto/iscritta/
                tesserato/eletto .. per/con/in/nel/nella/a/al/alla/nelle/di
            vota/votato/votava/votare/milita/militava/militante/iscritto/iscritta/membro/elettore/elettrice/
                simpatizzante/sostenitore/sostenitrice/attivista/tesserato/tesserata per/con/in/nel/nella/nei/a/al/alla/
                ai/di/del/della/dei
            si definisce/dichiara/sente/considera/professa
            politicamente
            politicamente , _ _? e/si
            idee/opinioni .. sono
            donato .. soldi? a/al/alla
            e di
            nasconde di essere
            lasciato/sostiene/appoggia il/la?
            tessera di/del/della
            famiglia di
            tessera/iscritto/iscritta/militante/militanza/membro/simpatizzante/elettore/elettrice/consigliere/
                consigliera/candidato/candidata/deputato/deputata/assessore .. di/del/della/al/alla/a/per/con/nel/nella
            sempre? ha? sempre? votato/vota/votava/votera per? il/la/i?
            si dichiara/definisce/considera/dice/proclama/professa
            liste/lista/file/tessera/sede/comizio/gruppo/consigliere/consigliera/deputato/deputata/assessore/sindaco/
                militante/iscritto/iscritta/simpatizzante/elettore/elettrice/membro/candidato/candidata/attivista/
                sostenitore/sostenitrice/segretario di/del/della/dei/con/per/al/alla/nel/nella/nei la/il/i?
            candidato/candidata/candida/presentato/presentata/eletto/eletta con/nelle/per/in/nel/nella/alla/col il/la/i/
                liste? del/della/di/dei?
            ha/aveva? sempre? votato/vota/votava/voto/votare/votera sempre/per/a? il/la/i/lo/gli?
            iscritto/iscritta/iscrisse/aderito/aderisce/passato/passata/entrato/entrata al/alla/a/in/nel/nella/nei
            milita/militava/militato in/nel/nella/nei/con/tra
            campagna/fondi/soldi/donazione .. per/al/alla/a il/la?
            sostiene/sosteneva/appoggia/lasciato il/la/i?
        """,
        Entity.USERNAME: """
            rete/internet/online/forum/twitter/instagram/discord/web .. chiamare/chiama/nome/soprannome/nick/come
            si fa chiamare
            usa il nome/nick/soprannome
        """,
    },
    weak={
        Entity.DIAGNOSIS: "ha/aveva/ho/avere",
        Entity.PRESCRIPTION: "con/senza/usa",
        Entity.JOB_TITLE: "e/era/sono/fu/come | e/era un/una?",
        Entity.NRP: "e/era/sono/con/a",
        Entity.EMPLOYER: """
            in/alla/a
            lo/la paga
            paga
        """,
        Entity.HOSPITAL: "all'/al/alla/in",
        Entity.DOCTOR: "visto/operato/operata/visita",
    },
    after={
        Entity.DIAGNOSIS: """
            e/era la/il/sua/suo malattia/diagnosi/patologia/disturbo
            e la sua malattia/diagnosi
            e la malattia/diagnosi/patologia
            e quello che .. diagnosticato/ha
            e stata .. diagnosticata
            gli/le e stata diagnosticata
            e stato .. diagnosticato
            e cio di cui
            e la diagnosi
            affligge
        """,
        Entity.PRESCRIPTION: """
            e quello/cio che .. prende/prescritto/assume
            e stato .. prescritto/prescritta
            e il farmaco
            e il suo farmaco
            e la sua terapia
            e la medicina
            gli/le e stato prescritto
            viene prescritto
        """,
        Entity.EMPLOYER: """
            e l' azienda
            e la ditta/societa/impresa
            e il suo datore
            ha assunto/licenziato/assunta/licenziata
            assunse/assume/impiega
            e dove lavora
            ha assunto/licenziato/promosso/ingaggiato
            impiega/assume
            lo/la ha assunto/licenziato
            e il datore
            ha/aveva assunto/licenziato/promosso/ingaggiato/trasferito/assunta/licenziata/promossa
            impiega/assume/assunse/licenzio/paga/pagava/stipendia _?
            e/era l'/la/il/suo/sua azienda/ditta/societa/impresa/datore/capo/padrone di/dove/che/per/in?
            e/era dove/chi lavora/lavorava/paga
            lo/la ha/paga/assunse/licenzio assunto/licenziato?
            dove lavora/lavorava
            paga lo/il suo? stipendio
            le/gli ha dato/offerto
            ha dato/offerto lavoro/impiego/posto a
        """,
        Entity.HOSPITAL: """
            ha ricoverato/accolto/operato/curato
            e l' ospedale
            e la clinica
            e dove
            ricovero
            e il suo ospedale
            ha ricoverato/dimesso/curato/operato/accolto/trattenuto
            ricovera/cura/segue
            e dove .. ricoverato/ricoverata/nato/nata/operata/operato
        """,
        Entity.DOCTOR: """
            cura/segue/opera/visita
            e il/la suo/sua? medico/dottore/dottoressa/chirurgo/psichiatra/dentista
            ha operato/curato/visitato/prescritto/chiamato
            lo/la cura/segue/ha
            e chi cura
            e/era il/la/suo/sua medico/dottore/dottoressa/dentista/cardiologo/cardiologa/psichiatra/chirurgo/pediatra/
                ginecologo/ginecologa/dermatologo/neurologo/oncologo/specialista di/del/che/curante
            ha operato/curato/seguito/visitato/vaccinato/prescritto/diagnosticato
            e chi .. cura/segue
            cura/segue/visita
            e/era il/la/suo/sua medico/dottore/dottoressa/chirurgo/dentista/psichiatra/pediatra/specialista/cardiologo/
                ginecologo/ginecologa
            ha operato/curato/visitato/seguito/vaccinato/assistito/diagnosticato/prescritto
            opera/cura/visita/segue/assiste _
            e/fu chi/colui/colei che? ha? opera/cura/segue/operato/curato/visitato
            lo/la ha/cura/segue/visita/opera
        """,
        Entity.JOB_TITLE: """
            di professione/mestiere ,
            e il/la suo/sua? mestiere/lavoro/professione/ruolo
            e la sua professione
            di professione/mestiere/formazione
            e il suo/la sua mestiere/professione/lavoro
            di professione/mestiere/formazione/lavoro/vocazione ,?
            e/era il/la/suo/sua? professione/mestiere/lavoro/ruolo/impiego/qualifica
            e quello/cio che fa/e
            e il lavoro di/che
            per vocazione/mestiere
        """,
        Entity.NRP: """
            convinto/convinta ,
            e il suo partito
            ha .. voto
            da sempre ,
            convinto/convinta/dichiarato/dichiarata/sfegatato/sfegatata ,?
            lo e/era stato/stata?
            vota/votava da/sempre/_ _?
            e il/suo partito
            ha il/avuto? voto
            , _ _? milita
        """,
    },
    needs_form={
        Entity.JOB_TITLE: """
            ,
            e/era/sara/stato/stata/rimasto/diventato/diventata un/una/un'?
            come
            fratello/sorella/marito/moglie/padre/madre ,?
            ex
            e/era/sono/fu/sara/resta/rimane/diventa/divenne/divento/diventato/diventata/diventera/diventare/stato/stata/
                rimasto/rimasta/nominato/nominata/eletto/eletta/promosso/promossa/fa/faceva/facevo/fare/facendo/fatto a/
                come/da/di? un/una/un'/il/la/lo/l'?
            vicino/vicina/marito/moglie/fratello/sorella/padre/madre/figlio/figlia/zio/zia/cugino/cugina/amico/amica/
                fidanzato/fidanzata/collega/capo/cognato/cognata/socio/inquilino/inquilina/cliente/compagno/compagna ,/
                _? _? e/era/fa? un/una/il/la/l'?
            ,
            lavora/lavorava/lavorato/lavorare/esercita/esercito/opera/opero/serve/servito/impiegato/impiegata/entrato/
                entrata/cominciato/iniziato/comincio/assunto/assunta/pensione/guadagna/guadagnava/vive/vivere/campa/
                iscritto/iscritta/registrato/registrata/laureato/laureata/formato/formata/messo/messa/sistemato/
                sistemata/debuttato .. da/come/di/a/in
            studia/studiato/studiare/studi/sogna/vuole/voleva/vorrebbe/prepara/formazione/corso per/da/di/
                come diventare/fare/essere? un/una/il/la?
            ex/futuro/futura/aspirante
            anni/decenni/vita/carriera/turno/turni da/di/come
            mestiere/professione/vita ,? fa/faceva/e il/la/lo/l'
            vita _ _ fa il/la/lo/l'
        """,
        Entity.NRP: """
            e/era/sono/fu/stato/stata/essere/sempre/dichiara/definisce/sente/considera/professa/dice/riconosce/
                autodefinisce/proclama/confessa sempre/molto/come/piuttosto/stato/stata/essere/chiaramente? un/una/di/
                un'?
            famiglia/idee/opinioni/convinzioni/simpatie/tendenze/area/ambiente/tradizione/fede/posizioni sono/e/di/
                molto?
            politicamente _? _? _? e/si/era? molto/dichiara/definisce/considera/di/a?
            simpatizza/simpatizzante per/con/di il/la/i/gli?
            viene/proviene da/dalla/di una/un'? famiglia/ambiente?
            nasconde/nega/ammette di/che essere/e
        """,
        Entity.EMPLOYER: """ha/aveva/abbia lasciato la/l'/il?""",
    },
    asks={
        Entity.DOCTOR: """
            chi .. cura/segue/operato/operata/visita/visitato/curato/opera
            chi cura/segue
            da chi .. curato/curata/seguito/seguita/operato/operata
        """,
        Entity.DIAGNOSIS: """
            di che/cosa/quale .. soffre/morto/morta/malato/malata
            di cosa .. soffre
            che cosa .. diagnosticato/diagnosticata
            perche .. malattia/ricoverato/ricoverata/cura/ospedale/operato/operata/terapia
            di cosa soffre
            da cosa .. affetto/affetta
            che malattia
        """,
        Entity.HOSPITAL: """
            dove .. curato/curata/operato/operata/ricoverato/ricoverata/cura/nato/nata/partorito/trattato/trattata
            dove viene .. curato/curata
        """,
        Entity.PRESCRIPTION: """
            che cosa .. prescritto/prende/assume
            cosa .. prescritto/prende/assume
            cosa prende/assume
            con che/cosa .. cura
        """,
        Entity.EMPLOYER: """
            dove .. lavora/impiegato/impiegata/assunto/assunta
            dove lavora
            per chi .. lavora
            per chi lavora
            chi .. assunto/assunta
            presso chi .. lavora
        """,
        Entity.JOB_TITLE: """
            che lavoro/mestiere
            di cosa .. occupa
            di che .. occupa
            cosa fa .. vita
            che cosa fa .. vita
            come .. guadagna .. vivere
            come lavora
        """,
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
        Entity.NRP: """
            per chi .. vota/votato
            quale partito
            per chi vota
            politica/politiche/politicamente
            chi .. vota
        """,
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
    stop="""
        scorsa scorso passato allo dallo e era sono ha hanno aveva ed o ma che chi cui da dal dalla dall' dai fin fino
        per con senza in nel nella nell' a al alla all' allo il lo la gli le un uno una suo sua mio mia si ci ne non piu
        molto due tre volte giorno giorni ogni mattina sera oggi ieri prima dopo durante secondo come quando dove perche
        se mentre tra fra su sul sulla sulle contro presso lavora vive soffre prende assume anche ora poi l'ha l'anno
        era stato stata prossimo sempre solo ancora appena quasi presto tardi qui qua dentro fuori vicino lontano quindi
        cosi bene male notti settimana convinto convinta di? adesso domani sebbene tutti tutte part-time nello nei nelle
        negli ai alle agli professione formazione mestiere vocazione
    """,
    inside="di del della dei d' dell' dello la",
    start="""
        lunedi martedi mercoledi giovedi venerdi sabato domenica
        il lo la i gli le l' un uno una questo questa quello quella suo sua mio mia non si che chi cui come quando dove
        ma e o molto piu niente nulla nessuno mai sempre tutto tutti tutta tutte qualche qualcosa purtroppo sconosciuto
        riservato gia ancora ogni altro altra poco in per con senza di da a ad al essere avere stato stata fatto casa
        bisogno c'e sono ha fa faceva fare diventare piuttosto
    """,
    idioms="""
        parte nota atto posto tempo fame sete freddo caldo paura ragione sonno fortuna fretta voglia diritto successo
        cura coscienza possesso decisioni forma treno autobus taxi acqua caffe fatto accordo verita strada vita mano
        piede misure forza controllo anni anno volta volte eta base sole solitudine nostalgia gelosia fine breve caso
        modo genere solito la il figli tutto
    """,
    utilities="luce gas acqua elettricita riscaldamento utenze bolletta bollette elettrica energia acquedotto",
    transactions="""
        bonifico bonificato pagamento transazione acquisto importo addebito addebitati stipendio prelevato acconto
        versato saldo bancomat
    """,
)

"""Numbers and secrets in Italian: what they are called, and how fields that hold them are headed."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

NOUNS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        password/parola
        parola d' ordine/accesso
        parola chiave
        chiave d' accesso
        chiave di accesso
        password temporanea/provvisoria
        password del/di
    """,
    Entity.PIN: """
        pin
        codice/numero pin/segreto/personale
        codice del/di bancomat/telefono/cancello/sicurezza/sblocco/accesso
        codice della carta/porta/cassaforte
        codice dell' allarme
        codice
    """,
    Entity.USERNAME: """
        utente/username/login/nickname/nick/alias/soprannome
        nome utente/profilo/account
        nome di login
        id/identificativo utente
        nome dell' utente
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        cartella clinica/medica/sanitaria/numero/n?
        numero/n/no/n°/codice di/della/del cartella/paziente/nosologico/pratica clinica/medica/sanitaria?
        codice/id/numero paziente/nosologico
        fascicolo sanitario
        cartella
        scheda clinica/sanitaria
    """,
    Entity.NATIONAL_ID: """
        carta/documento/numero/cie d' identita
        carta/documento/numero di identita/riconoscimento
        carta d' identita numero/n/no/elettronica
        numero/n/no/n° di/della/del carta/documento d'? di? identita/riconoscimento?
        carta d identita
        documento
        codice identificativo nazionale
        identificativo nazionale
    """,
    Entity.PASSPORT: "passaporto | passaporto numero/n/no | numero/n/no/n° di/del passaporto",
    Entity.DRIVER_LICENSE: """
        patente di? guida?
        patente numero/n/no
        patente di guida numero/n/no
        numero/n/no/n° di/della patente di? guida?
    """,
    Entity.TAX_ID: """
        codice/numero/identificativo fiscale
        cf/nif
        partita iva
        p iva
        numero di? partita? iva
        numero di? contribuente
        codice fiscale
    """,
    Entity.BIOMETRIC_ID: """
        impronta/impronte/biometria
        impronta/impronte digitale/digitali/vocale/facciale
        identificativo/id/dato/dati/codice/chiave/profilo/modello/template biometrico/biometrici/biometrica
        id/identificativo/codice/scansione/template di/dell'/dell/della/del? impronta/iride/volto/voce digitale?
        scansione dell' iride
    """,
    Entity.DATE_OF_BIRTH: "nascita/compleanno | data/giorno di nascita | nato/nata il",
    Entity.SECRET_KEY: "token/chiave d'? di? accesso/api? | chiave api/segreta/privata",
    Entity.BANK_ACCOUNT: """
        conto/cc
        conto corrente/bancario numero/n/no?
        numero/n/no/n° di/del conto corrente/bancario?
        numero/codice cliente/polizza
        coordinate bancarie
    """,
    Entity.ORDER_NUMBER: "ordine n/no/numero/n° | numero/n/no/n°/codice di/dell'/del? ordine/spedizione/pacco",
}
"""What sentences and labels call them."""

FIELDS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        pwd/passwd/psw/password/passphrase
        password/chiave/parola wifi/wi-fi/rete/accesso/utente/email/temporanea/iniziale/attuale/principale/
            amministratore/router/account/personale/segreta/chiave/provvisoria/posta
        password della/dell'/di/d' rete/utente/account/accesso/posta/wifi
        parola segreta/accesso
        frase segreta/chiave
        chiave di rete/sicurezza/wifi
        codice d' accesso
        codice di accesso
        codice accesso
        parola d' accesso
        chiave wifi/accesso
        parola d ordine
    """,
    Entity.PIN: """
        pin/puk/codice/combinazione/codici pin/puk/sim/bancomat/carta/segreto/numerico/allarme/porta/cancello/
            portone/sblocco/sicurezza/cellulare/telefono/verifica/cassaforte/dispositivo/personale/numero
        pin/codice/combinazione di/del/della/dell' sua/la? carta/bancomat/telefono/cellulare/sim/cassaforte/allarme/
            porta/portone/cancello/sblocco/sicurezza/conto/garage/verifica/conferma
        numero di identificazione personale
        numero segreto/pin
        pin carta/bancomat/telefono/sim/segreto
        pin del/della/dell' carta/bancomat/telefono/cellulare/sim/conto
        combinazione cassaforte
        codice a quattro/4/sei/6 cifre
        codice numerico/dispositivo
    """,
    Entity.USERNAME: """
        user/usr/userid/username/pseudonimo/nomignolo/nickname/nome-utente
        nome utente/account/profilo/login/schermo/accesso
        nome di accesso/login/schermo
        id/identificativo/identificatore/codice/login/account utente/account/profilo
        id dell' utente
        utente/account/profilo twitter/instagram/discord/github/web/internet
        identificativo di accesso
        nick di gioco
    """,
    Entity.ORDER_NUMBER: """
        num/numero/n/no/nr/n°/rif/riferimento/id/codice ordine/spedizione/acquisto/prenotazione/tracciamento/pacco/
            fattura/consegna/tracking
        num/numero/n/no/nr/n°/rif/riferimento/id/codice di/del/dell'/della/d' ordine/spedizione/acquisto/
            prenotazione/tracciamento/pacco/fattura/consegna
        ordine num/n/no/nr/n°/numero/id/rif/codice
        ordine d' acquisto
        codice tracking
        lettera di vettura
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        num/numero/n/no/nr/n°/id/codice cartella/paziente/nosologico/ricovero/pratica clinica/medica/sanitaria?
        cartella num/n/no/nr/n°/numero/id
        cartella clinica num/n/no/nr/n°/numero/id?
        id/codice del? paziente
        numero di ricovero/nosologico/cartella
        tessera sanitaria
    """,
    Entity.NATIONAL_ID: """
        num/numero/n/no/nr/n° carta/documento/ci/cie d'?/di? identita/identificazione?
        documento num/n/no/nr/n°/numero/identita
        carta identita
        cie
        documento d' identita num/n/no/nr/n°/numero?
        carta d' identita num/n/no/nr/n°/numero/elettronica
        numero documento
        numero d' identita/identificazione
        identificativo/id nazionale/personale
        tessera d' identita
    """,
    Entity.BIOMETRIC_ID: """
        id/codice/chiave/numero/hash/riferimento/rif/token/firma/modello/template/impronta biometrico/biometrica
        id/codice/numero/template/riferimento/scansione impronta/iride/volto/voce/retina/facciale/digitale
        riconoscimento facciale/vocale/iride
        dati biometrici
        scansione della retina
        impronta digitale num/n/no/nr/id/codice/numero?
        impronta vocale
    """,
    Entity.TAX_ID: """
        num/numero/n/no/nr/n°/cod/codice fiscale/iva/partita/piva/cf iva?
        cod fiscale
        piva
        partita iva num/n/no/nr/n°/numero?
        p · iva
        c · f
        id/identificativo fiscale/iva
        codice fisc
    """,
    Entity.PASSPORT: """num/numero/n/no/nr/n°/id passaporto | passaporto num/n/no/nr/n°/id""",
    Entity.DRIVER_LICENSE: """
        num/numero/n/no/nr/n°/id patente guida?
        patente guida
        patente num/n/no/nr/n°/numero/id
    """,
    Entity.CREDIT_CARD_DIGITS: """
        ultime quattro/4 cifre? carta?
        ultime cifre carta?
        ultime cifre della carta
        quattro/4 ultime cifre?
        carta che? termina/finisce/terminante/finente con/in/per?
        finale/fine/terminazione carta
        finale/terminazione della carta
        cifre finali carta?
        ultimi quattro/4 numeri
        carta finale
        ultime 4
    """,
    Entity.SECRET_KEY: """
        chiave/token/segreto api/privata/segreta/cliente/applicazione/accesso/cifratura/firma
        chiave di cifratura/firma/accesso/api
        token di sessione/accesso/api/autenticazione/sicurezza
        segreto condiviso
        api segreta
    """,
}
"""How forms, tables and code call and shorten them besides."""

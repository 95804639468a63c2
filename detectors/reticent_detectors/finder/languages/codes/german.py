"""Numbers and secrets in German: what they are called, and how fields that hold them are headed."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

_HEADS = ("nummer", "nr", "kennung", "kennzeichen", "id", "code")
_JOINTS = ("", "-", "s", "en")


def _numbered(stems: str) -> str:
    """Return German compounds: "pass" makes "passnummer", "pass-nr" and so on."""
    return "/".join(f"{stem}{joint}{head}" for stem in stems.split() for head in _HEADS for joint in _JOINTS)


NOUNS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        passwort/kennwort/passworter/losungswort/zugangscode/passphrase/zugangspasswort/wlan-passwort/
            wlan-schlussel/login-passwort/startpasswort/masterpasswort/anmeldekennwort
        temporares/vorlaufiges/neues passwort/kennwort
    """,
    Entity.PIN: """
        pin/geheimzahl/geheimnummer/pin-nummer/pinnummer/pin-code/karten-pin/kartenpin/zahlencode/sicherheitscode/
            turcode/entsperrcode/geheimcode/kombination/handy-pin/telefon-pin/zugangscode
        code fur/des/zum/zur
    """,
    Entity.USERNAME: """
        benutzername/nutzername/anmeldename/benutzerkennung/nutzerkennung/login/loginname/login-name/spitzname/
            nickname/benutzer/username/accountname/kontoname/alias/nick
        user name
    """,
    Entity.MEDICAL_RECORD_NUMBER: f"""
        {_numbered("patient patienten fall akten krankenakten patientenakten aufnahme")}/
            patientenakte/krankenakte/krankenblatt/mrn
        akte
        medizinische akte
        akte nummer/nr
    """,
    Entity.NATIONAL_ID: f"""
        {_numbered("ausweis personalausweis personen identitats sozialversicherung versicherung perso")}/
            ausweis/personalausweis/perso/identitatskarte/sozialversicherungsnummer/ausweisdokument/svnr
        nationale kennung/id
    """,
    Entity.PASSPORT: f"""
        {_numbered("pass reisepass")}/
            pass/reisepass/reisepasses/passes
    """,
    Entity.DRIVER_LICENSE: f"""
        {_numbered("fuhrerschein fahrerlaubnis lenkerberechtigung")}/
            fuhrerschein/fuhrerscheins/fuhrerscheines/fahrerlaubnis/fuhrerausweis
    """,
    Entity.TAX_ID: f"""
        {_numbered("steuer steueridentifikation umsatzsteuer identifikation")}/
            steuer-identifikationsnummer/steueridentifikationsnummer/steuer-id/steuerid/steuernummer/idnr/ust-id/
            ust-idnr/uid-nummer/ustid
    """,
    Entity.BIOMETRIC_ID: """
        fingerabdruck/fingerabdrucks/iris-scan/irisscan/gesichtsscan/gesichtsvorlage/stimmabdruck/handvenenscan/
            biometrie/biometrie-id/fingerabdruck-id/gesichts-id/biometrieschlussel/netzhautscan/fingerabdruckscan
        biometrische/biometrischer/biometrisches id/kennung/vorlage/merkmal/schlussel/template/daten/datensatz/code/
            profil
    """,
    Entity.DATE_OF_BIRTH: """
        geburtsdatum/geburtstag/geboren/geb/geburtsdaten
        geboren/geb am
        tag der geburt
        datum der geburt
    """,
    Entity.SECRET_KEY: """
        api-schlussel/zugangsschlussel/schlussel/token/zugriffstoken/api-key/geheimschlussel/zugangstoken
        api key/schlussel
        geheimer schlussel
    """,
    Entity.BANK_ACCOUNT: f"""
        {_numbered("konto bankkonto girokonto kunden vertrags policen mitglieds")}/
            konto/girokonto/bankkonto/gehaltskonto/sparkonto
    """,
    Entity.ORDER_NUMBER: _numbered("bestell bestellung auftrag vorgang sendung paket liefer"),
}
"""What sentences and labels call them."""

FIELDS: Mapping[Entity, str] = {
    Entity.PASSWORD: """
        pw/pwd/passw/zugangspasswort/benutzerpasswort/nutzerpasswort/kontopasswort/systempasswort/netzwerkpasswort/
            router-passwort/routerpasswort/e-mail-passwort/mail-passwort/windows-passwort/admin-passwort/
            initialpasswort/einmalpasswort/einmalkennwort/ersatzpasswort/standardpasswort/wlan-kennwort/wlan-key/
            wlanpasswort/wlanschlussel/netzwerkschlussel/netzschlussel/passphrase/passwortphrase/codewort/
            schlusselwort/merkwort/anmeldepasswort/zugriffskennwort/zugangskennwort/datenbankpasswort
        wlan wifi passwort/kennwort/schlussel
        wlan passwort/kennwort/schlussel
    """,
    Entity.PIN: """
        pin/pins/ec-pin/ec-karten-pin/kreditkarten-pin/bank-pin/bankpin/sim-pin/sim-code/puk/tan/handypin/handycode/
            tresorcode/tresorkombination/alarmcode/alarm-code/tur-pin/turpin/tur-code/garagencode/schlosscode/
            zahlenkombination/entsperr-pin/bildschirm-pin/telefonpin/onlinebanking-pin/online-pin/zugangs-pin/
            zugangspin/zugriffscode/schliessfachcode/freischaltcode/bestatigungscode/sperrcode/geratecode/
            mailbox-pin/kundenpin
        pin code/nummer/nr/karte?
        personënliche geheimzahl
        persoenliche/personliche identifikationsnummer/geheimzahl/geheimnummer
    """,
    Entity.USERNAME: """
        usr/user/userid/user-id/user-name/benutzer-id/benutzerid/benutzernr/nutzer/nutzer-id/nutzerid/
            kontobezeichnung/profilname/account-name/login-id/login-kennung/loginkennung/anmeldekennung/anmelde-id/
            rufname/spitzname/forenname/chatname/spielername/gamertag/mitgliedsname/zugangskennung/zugangsname/
            bildschirmname/pseudonym/discord-name/twitter-name/instagram-name/github-name
        twitter/instagram/github/discord/reddit/steam name/konto/account/nutzername/benutzername/handle
        name des benutzers/nutzers/kontos
    """,
    Entity.CREDIT_CARD_DIGITS: """
        letzten/letzte/die vier/4 ziffern/stellen/zahlen
        endziffern/endziffer/endnummer/kartenende/kartenendziffern/kartenendnummer/kartenendung/karten-endziffern/
            schlussziffern/restziffern
        kreditkarte/karte/bankkarte/girocard/visa/mastercard endet/endend/ende mit/auf/in?
        karte/kreditkarte mit endziffern/endziffer/endung/endnummer
        karte/kreditkarte endung/endziffern/ende
        letzte/letzten ziffern/stellen/vier/4 der/ihrer/seiner? kreditkarte/karte/kartennummer?
        letzte vier/4
        karte , letzte/letzten vier/4 ziffern/stellen?
        karte ( letzte vier/4 ziffern/stellen? )?
        kartennr/kartennummer endet/ende auf/mit?
    """,
    Entity.ORDER_NUMBER: """
        bestellnr/bestell-nr/bestellnummern/bestellkennung/bestellreferenz/bestellkennzeichen/bestellungsnummer/
            bestellungsnr/bestellungs-id/bestellungsid/auftragsid/auftrags-id/auftragskennung/auftragsreferenz/
            auftragsbestatigung/kaufnummer/kauf-nr/kaufbeleg/liefernummer/lieferscheinnummer/lieferschein-nr/
            lieferschein/paketnummer/paket-nr/sendungsverfolgung/sendungsverfolgungsnummer/trackingnummer/
            tracking-nummer/tracking-nr/tracking-id/trackingcode/rechnungsnummer/rechnungs-nr/rechnungsnr/
            belegnummer/beleg-nr/vorgangsnr/vorgangs-nr/vorgangs-id/buchungsnr/buchungs-nr/buchungscode/
            reservierungsnummer/retourennummer/ticketnummer/ticket-nr/referenz/referenznr/referenz-nr/referenzcode/
            bestellvorgang/bestellungen/order/ordernummer/order-nr/order-id/auftragsnummern
        best · - nr/nummer
        auftr · - nr/nummer
        best nr
        auftr nr
        nr/nummer der/des bestellung/auftrags/sendung/pakets
        bestellung/auftrag/sendung/paket/lieferung nr/nummer/id/no/n
    """,
    Entity.MEDICAL_RECORD_NUMBER: """
        patienten-nr/patientennr/pat-nr/patnr/patid/pid/patienten-id/patientenid/patientenkennung/aktenzeichen/
            fall-id/fallid/fallnummer/aufnahmenr/kis-nummer/klinik-id/behandlungsnummer/behandlungsfall/
            behandlungsnr/gesundheitsakte/krankengeschichte
        pat nr/id/nummer
        patient nr/nummer/id/no
        nummer der patientenakte/krankenakte/akte
        krankenblatt nr/nummer?
        ep-nummer
    """,
    Entity.NATIONAL_ID: """
        ausweisnummer/ausweis-nr/ausweisnr/ausweis-id/personalausweis-nr/personalausweisnr/persoausweis/perso-nr/
            idnummer/id-nummer/id-nr/idnr/personenkennzahl/personenkennziffer/burgernummer/burger-id/ahv-nummer/
            ahv-nr/sv-nummer/sv-nr/svnummer/rentenversicherungsnummer/versichertennummer/identitatsnachweis/
            dokumentennummer/dokument-nr/dokumentnummer/ausweisdokumentnummer
        id nummer/nr/karte
        nummer des ausweises/personalausweises
        ausweis nr/nummer/id
        personalausweis nr/nummer
        nationale identifikationsnummer/personenkennzahl
    """,
    Entity.BIOMETRIC_ID: """
        biometrie-nr/biometrienummer/biometrie-nummer/biometriecode/biometrie-code/biometriedaten/biometrieprofil/
            biometrie-hash/biometriemerkmal/biometriereferenz/biometrie-referenz/biometrievorlage/fingerprint/
            fingerprint-id/fingerabdruck-code/fingerabdruckcode/fingerabdruck-nr/fingerabdrucknummer/
            fingerabdruckvorlage/fingerabdruckmuster/fingerabdruckdaten/iris-id/iris-code/iriscode/iris-muster/
            irismuster/iriserkennung/gesichtserkennung/gesichtserkennungs-id/gesichtscode/gesichts-code/
            gesichtsprofil/stimmprofil/stimm-id/stimmprobe/stimmmuster/handflachen-id/venenscan/venenmuster/
            retina-scan/retinascan/retina-id/netzhaut-id/netzhautcode
        biometrische/biometrischer/biometrisches identifikationsnummer/identifikator/identifikation/nummer/referenz/
            signatur/hash/muster/abdruck/profil/erkennung/token
        id/kennung/code des/vom fingerabdrucks/fingerabdruck/gesichts
        fingerabdruck/iris/gesicht/stimme/netzhaut/biometrie id/nr/nummer/code/kennung/vorlage/scan/hash
    """,
    Entity.TAX_ID: """
        steuernr/steuer-nr/steueridnr/steuer-idnr/st-nr/stnr/steuerkennung/tin/ust-idnr/mwst-nummer/mwst-nr/
            umsatzsteuer-id
        st · - nr
        steuer id/nr/nummer/identifikation
        steuerliche identifikationsnummer/idnr
    """,
    Entity.PASSPORT: """
        passnr/pass-nr/reisepassnr/reisepass-nr/pass-id/passnummern/reisedokument/reisedokumentnummer
        pass/reisepass nr/nummer/no/id
        nummer des passes/reisepasses
    """,
    Entity.DRIVER_LICENSE: """
        fuhrerscheinnr/fuhrerschein-nr/fuhrerschein-id/fahrerlaubnisnummer/fahrerlaubnis-nr/fs-nr/fs-nummer
        fuhrerschein/fahrerlaubnis nr/nummer/no/id
    """,
    Entity.SECRET_KEY: """
        api-token/apikey/geheimnis/app-geheimnis/client-geheimnis/authentifizierungstoken/sitzungstoken/
            sicherheitsschlussel/privatschlussel/signaturschlussel/verschlusselungsschlussel
        privater/offentlicher schlussel
    """,
    Entity.DATE_OF_BIRTH: """
        gebdat/geb-datum/geburtsdat/geburtsd/gebdatum/geburtstermin
        geb · - datum/dat
        geb datum/dat/tag
    """,
}
"""How forms, tables and code call and shorten them besides."""

"""What numbers and secrets are called: nouns of six languages, in the notation of `wordings`.

They announce a value as the nouns of a `Language` do. Besides, a code may stand anywhere in the same sentence as its noun.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.belongings import BELONGINGS
from reticent_detectors.finder.languages.language import in_keys


def _numbered(stems: str, compounds: str) -> str:
    """German compounds: "pass" and "nummer" make "passnummer", "pass-nr" and so on."""
    heads = compounds.split()
    return "/".join(
        f"{stem}{joint}{head}" for stem in stems.split() for head in heads for joint in ("", "-", "s", "en")
    )


_NR = "nummer nr kennung kennzeichen id code"

_TABLES: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.US_SSN: "ssn/ssns/social | social security number/no/digits? | ssn/social number/no/digits",
        Entity.PASSWORD: """
            password/passwords/passwd/passphrase/pwd/passcode
            pass word/phrase
            access/login/temporary/initial/master password
            temp pass/password
            wi-fi/wifi password/key
        """,
        Entity.PIN: """
            pin/pincode
            pin code/number/no
            security/access/unlock/door/alarm/gate/entry/verification/secret/safe/voicemail/bank/card/atm/phone/keypad/
                entrance/one-time code/pin
            4-digit/four-digit/six-digit code/pin
            code to/for the/her/his/their safe/door/gate/alarm/phone
        """,
        Entity.USERNAME: """
            username/userid/nickname/handle/alias/login
            user name/id/account/login
            log-in/login/screen/account/profile/sign-in name/id
            user handle
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            mrn
            medical/health/hospital/clinical/clinic/patient record/chart/file number/no/id?
            chart/record/patient/mr number/no/id/identifier
            case/patient file
            hospital number/no/id
            medical/health file
            health id
        """,
        Entity.NATIONAL_ID: """
            national id/identity/identification/insurance number/no/card/id?
            identity/identification/id card/document/paper/number/no number/no?
            ni number/no
            citizen/personal/government/resident/residence id/number/identity card/number/no?
            nino
            social insurance number/no?
            identity number
            personal identity code
            employee/staff/personnel/student/badge number/no/id
        """,
        Entity.PASSPORT: """
            passport/passports
            passport number/no/id
            number of/in _ passport
            travel document number/no?
        """,
        Entity.DRIVER_LICENSE: """
            driver/drivers/driving/operator 's? license/licence/permit number/no/id?
            license/licence number/no/id
            dl number/no/id
            number of/on _ driving licence
            licence/license
        """,
        Entity.TAX_ID: """
            tax/taxpayer/fiscal id/number/no/code/identifier/identification/reference number/no/id?
            tin/utr
            vat number/no/id
            tax identification/file number/no?
        """,
        Entity.BIOMETRIC_ID: """
            fingerprint/fingerprints/biometric/biometrics/iris/retina/voiceprint/faceprint/palmprint
            fingerprint/biometric/iris/retina/face/facial/voice/palm id/template/hash/scan/code/key/record/data/print/
                identifier/reference/profile/number/enrolment/enrollment id/number/code?
        """,
        Entity.DATE_OF_BIRTH: "dob/birthdate/birthday/birth/born | date/day of birth | birth date/day | born on",
        Entity.SECRET_KEY: """
            api/access/secret/private/encryption/signing/deploy/master key/token/secret
            token/apikey
            bearer/session/refresh/auth token
            secret key
        """,
        Entity.BANK_ACCOUNT: """
            acct/account
            acct no/number/num/nr
            account num/nr/no/id
            giro account
            iban
            current account
            customer/client/member/membership/policy/contract/subscriber number/no/id
            sort code
            routing number/no
        """,
        Entity.ORDER_NUMBER: "order/tracking/parcel num/nr/no/id/code | purchase order | order ref",
    },
    "German": {
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
        Entity.MEDICAL_RECORD_NUMBER: _numbered(
            "patient patienten fall akten krankenakten patientenakten aufnahme", _NR
        )
        + "/patientenakte/krankenakte/krankenblatt/mrn | akte | medizinische akte | akte nummer/nr",
        Entity.NATIONAL_ID: _numbered(
            "ausweis personalausweis personen identitats sozialversicherung versicherung perso", _NR
        )
        + "/ausweis/personalausweis/perso/identitatskarte/sozialversicherungsnummer/ausweisdokument/svnr | nationale kennung/id",
        Entity.PASSPORT: _numbered("pass reisepass", _NR) + "/pass/reisepass/reisepasses/passes",
        Entity.DRIVER_LICENSE: _numbered("fuhrerschein fahrerlaubnis lenkerberechtigung", _NR)
        + "/fuhrerschein/fuhrerscheins/fuhrerscheines/fahrerlaubnis/fuhrerausweis",
        Entity.TAX_ID: _numbered("steuer steueridentifikation umsatzsteuer identifikation", _NR)
        + "/steuer-identifikationsnummer/steueridentifikationsnummer/steuer-id/steuerid/steuernummer/idnr/ust-id/ust-idnr/uid-nummer/ustid",
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
        Entity.BANK_ACCOUNT: _numbered("konto bankkonto girokonto kunden vertrags policen mitglieds", _NR)
        + "/konto/girokonto/bankkonto/gehaltskonto/sparkonto",
        Entity.ORDER_NUMBER: _numbered("bestell bestellung auftrag vorgang sendung paket liefer", _NR),
    },
    "French": {
        Entity.PASSWORD: """
            mot/mots de passe
            mdp/password
            code/clef/cle d' acces
            mot de passe temporaire/provisoire/initial
            cle wifi/wi-fi
        """,
        Entity.PIN: """
            pin
            code/numero pin/secret/confidentiel/personnel
            code de la? sa? carte/porte/alarme
            code du? coffre/telephone/portable
            code a quatre/six/4/6 chiffres
            digicode
            code d' entree
            code
        """,
        Entity.USERNAME: """
            utilisateur/utilisatrice/pseudo/pseudonyme/login/identifiant
            nom d' utilisateur/utilisatrice/usager
            identifiant/nom de connexion/compte
            nom de profil
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            ipp
            dossier medical/patient/hospitalier/clinique?
            numero/n/no/n° de/du dossier medical/patient?
            numero/n/no/n°/identifiant/id de? patient/patiente
            numero d' admission/hospitalisation
            fiche medicale
        """,
        Entity.NATIONAL_ID: """
            cni/nir
            carte nationale? d' identite
            carte d' identite numero/n/no
            piece/document/papiers/numero d' identite
            numero/n/no/n° de? la? sa? carte/piece d' identite
            numero/n/no/n° de securite sociale
            identifiant/numero national
            numero de cni
            identite nationale
        """,
        Entity.PASSPORT: "passeport | passeport numero/n/no | numero/n/no/n° de/du passeport",
        Entity.DRIVER_LICENSE: """
            permis de conduire numero/n/no?
            permis
            numero/n/no/n° de/du permis de? conduire?
            permis numero/n/no
        """,
        Entity.TAX_ID: """
            spi/nif/tva
            numero/identifiant/code/reference fiscal/fiscale
            numero d' identification fiscale
            numero/n/no/n° de tva/contribuable
            numero d' impot
        """,
        Entity.BIOMETRIC_ID: """
            empreinte/empreintes/biometrie
            empreinte/empreintes digitale/digitales/faciale/vocale/palmaire/retinienne
            identifiant/id/donnee/donnees/cle/code/profil/modele/gabarit biometrique/biometriques
            id/identifiant/gabarit/scan de l' d' empreinte/iris/visage digitale?
            id/identifiant/gabarit/scan d'? empreinte/iris digitale?
            scan de l' iris
        """,
        Entity.DATE_OF_BIRTH: "naissance/anniversaire/ddn | date/jour de naissance | ne/nee/ne(e) le",
        Entity.SECRET_KEY: "cle/clef/jeton/token d'? api/acces? | cle secrete/privee/api | jeton d' acces",
        Entity.BANK_ACCOUNT: """
            numero/n/no/n° du/de compte bancaire?
            numero/n/no/n° de client/adherent/contrat/police
            compte courant/bancaire/numero?
            rib
        """,
        Entity.ORDER_NUMBER: "numero/n/no/n° de/du commande/colis/suivi | reference/ref commande",
    },
    "Spanish": {
        Entity.PASSWORD: """
            contrasena/password
            clave/codigo/palabra de acceso/paso
            clave
            contrasena temporal/provisional/maestra
            clave wifi/secreta/personal/del
            clave de la wifi
        """,
        Entity.PIN: """
            pin/nip
            codigo/numero/clave pin/secreto/secreta
            codigo de la/su? tarjeta/puerta/alarma/seguridad/desbloqueo/acceso
            codigo del movil/telefono/cajero/portero
            clave del cajero/movil
            clave de la tarjeta
            numero secreto
            codigo
        """,
        Entity.USERNAME: """
            usuario/usuaria/login/alias/apodo/nick/username
            nombre de usuario/usuaria/perfil/cuenta
            id/identificador de usuario
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            nhc
            historia/historial/expediente/ficha clinica/clinico/medica/medico?
            numero/n/no/nro/n°/nº de/del/la? historia/historial/expediente/ficha/paciente clinica/clinico/medica/medico?
            historia clinica numero/n/no/nº
            codigo/id/numero de/del? paciente
            id paciente
            historia
        """,
        Entity.NATIONAL_ID: """
            dni/nie/curp/cedula/nuip
            documento/carne/carnet/carta/cedula/tarjeta nacional? de identidad/ciudadania/extranjeria
            numero/n/no/nro/n°/nº de/del documento/dni/identidad/cedula/identificacion/carne de? identidad?
            documento de identificacion
            documento nacional
            numero de la seguridad social
            identificacion nacional/oficial?
            documento
        """,
        Entity.PASSPORT: "pasaporte | pasaporte numero/n/no/nº/nro | numero/n/no/nro/n°/nº de/del pasaporte",
        Entity.DRIVER_LICENSE: """
            permiso/carne/carnet/licencia/registro de conducir/conduccion/conductor
            numero/n/no/nro/n°/nº de/del/la? permiso/carne/carnet/licencia/registro de? conducir/conduccion?
            permiso/carne/carnet/licencia numero/n/no/nº/nro?
            licencia
            carne
        """,
        Entity.TAX_ID: """
            nif/cif/rfc/rut/cuit/cuil
            numero/codigo/identificador/identificacion de? identificacion? fiscal/tributaria/tributario
            numero de contribuyente
            nif fiscal
        """,
        Entity.BIOMETRIC_ID: """
            huella/huellas/biometria
            huella dactilar/digital/facial/vocal/biometrica
            identificador/id/dato/datos/clave/codigo/perfil/plantilla/registro biometrico/biometrica/biometricos
            id/identificador/codigo/plantilla/escaneo/registro de/del/la? su? huella/iris/rostro/voz dactilar?
            escaneo del iris
        """,
        Entity.DATE_OF_BIRTH: """
            nacimiento/cumpleanos
            fecha/dia de nacimiento
            nacido/nacida/nacio en? el
            f nac/nacimiento
            fecha nac
        """,
        Entity.SECRET_KEY: "token/clave/llave de acceso/api/seguridad? | clave api/secreta/privada | clave de la? api",
        Entity.BANK_ACCOUNT: """
            numero/n/no/nro/n°/nº de/del/la? cuenta bancaria/corriente?
            numero/n/no/nro/n°/nº de cliente/socio/poliza/contrato
            cuenta bancaria/corriente/nomina/numero?
        """,
        Entity.ORDER_NUMBER: """
            numero/n/no/nro/n°/nº de/del pedido/orden/envio/seguimiento
            codigo de envio/seguimiento
        """,
    },
    "Italian": {
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
    },
    "Portuguese": {
        Entity.PASSWORD: """
            senha/password/palavra-passe/palavra-chave
            palavra passe/chave
            senha temporaria/provisoria/inicial
            chave/codigo/senha de acesso
            senha do/da wi-fi/wifi
        """,
        Entity.PIN: """
            pin
            codigo/numero/senha pin/secreto/pessoal
            codigo do/da/de cartao/porta/alarme/seguranca/desbloqueio/telemovel/celular/multibanco/cofre
            senha do/da cartao/banco
            codigo
            senha numerica
        """,
        Entity.USERNAME: """
            usuario/usuaria/utilizador/utilizadora/login/apelido/alias/username/nick
            nome de usuario/utilizador/perfil/conta
            nome do usuario/utilizador
            id de usuario/utilizador
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            prontuario/nhc
            prontuario medico/clinico/hospitalar? numero/n/no?
            processo/registo/registro/ficha clinico/medico/hospitalar/clinica/medica
            numero/n/no/n°/nº de/do/da processo/prontuario/utente/paciente/ficha/registo/registro clinico/medico/
                hospitalar?
            processo
            codigo/id do? paciente
        """,
        Entity.NATIONAL_ID: """
            rg/bi
            bilhete/carteira/carta/cartao/documento/numero/cedula de identidade/cidadao/identificacao
            cartao do/de cidadao numero/n/no?
            numero/n/no/n°/nº de/do/da identidade/bilhete/cartao/documento/rg/carteira/bi de? do? identidade/cidadao?
            registro geral
            identidade
            documento
        """,
        Entity.PASSPORT: "passaporte | passaporte numero/n/no/nº | numero/n/no/n°/nº de/do passaporte",
        Entity.DRIVER_LICENSE: """
            cnh/habilitacao
            carta/carteira/licenca nacional? de conducao/motorista/habilitacao
            numero/n/no/n°/nº de/da/do carta/carteira/licenca/habilitacao/cnh de? conducao/motorista/habilitacao?
            cnh/habilitacao/carteira/carta numero/n/no/nº
        """,
        Entity.TAX_ID: """
            cpf/cnpj/nif
            numero/identificacao de? contribuinte/fiscal/identificacao fiscal?
            numero fiscal
            contribuinte
        """,
        Entity.BIOMETRIC_ID: """
            biometria/digital
            impressao/impressoes digital/digitais/vocal/facial
            identificador/id/dado/dados/chave/codigo/perfil/modelo/registro/registo biometrico/biometrica/biometricos
            id/identificador/codigo/leitura/registro/registo da/de/do impressao/iris/rosto/voz digital?
            leitura da iris
        """,
        Entity.DATE_OF_BIRTH: """
            nascimento/aniversario
            data/dia de nascimento
            nascido/nascida/nasceu em/a
            data nasc
            nasc
        """,
        Entity.SECRET_KEY: "token/chave de acesso/api? | chave api/secreta/privada | chave da api",
        Entity.BANK_ACCOUNT: """
            conta corrente/bancaria/poupanca/salario/ordenado? numero/n/no?
            numero/n/no/n°/nº de/da conta bancaria/corriente?
            numero/n/no/n°/nº de/do cliente/socio/apolice
            conta a ordem
            nib
        """,
        Entity.ORDER_NUMBER: """
            numero/n/no/n°/nº/codigo de/da/do encomenda/pedido/envio/compra/rastreio/rastreamento
            pedido/encomenda n/no/nº/numero?
            compra numero/n/no
        """,
    },
}
_MORE: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.PASSWORD: """
            network/default/one-time/router/portal/app/mobile/backup/recovery/root/admin/database/db/vault/keystore/
                email/account/user/encryption password/passphrase/pass/pwd
            pw
            pass phrase/key
            password hash/hint?
            wifi/wi-fi pass/key/passphrase
            secret word/phrase
            login pass
            passkey
        """,
        Entity.PIN: """
            personal identification number
            pin num/nr/#
            pin number/code for card/phone/sim/account
            sim/debit/credit/bank/cash/card/app/lock/screen/garage/building/parking/suitcase/mailbox/intercom/keypad/
                panel/wallet/tablet/vault pin/code
            four/six digit code/pin
            lock/safe/locker combination
            passcode
            puk/puk1/puk2
            telephone banking code/pin
        """,
        Entity.USERNAME: """
            usr/uname/loginname/screenname/nick
            login/sign-in/signin/user/member/profile/gamer/chat/forum/display/portal/system/network name/id/handle/tag
            online/account handle/alias/nickname/name
            gamertag
            twitter/instagram/github/discord/reddit/tiktok/twitch/steam/social/telegram handle/username/name/account/id/
                user
        """,
        Entity.ORDER_NUMBER: """
            order #
            order num/nr/code/key
            po #
            shipment/tracking/booking/reservation/confirmation/invoice/return/rma/transaction id/code/no/nr/num
            waybill number/no?
            consignment number/no?
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            med/medical rec/record num/nr/id
            pt/patient id/no/num/nr/identifier/number/code
            hospital/clinic/chart id/num/nr/identifier
            mr #
        """,
        Entity.NATIONAL_ID: """
            id no/nr/num/card/number/document
            national/citizen/identity/personal/resident id/no/num/nr/code
            identity card no/nr/num?
            passport or id
            document no/number/id/nr
            id document number/no?
        """,
        Entity.BIOMETRIC_ID: """
            biometric token/key/ref/hash
            bio id
            fingerprint template/hash/data/ref/no/number/code
            face/iris/retina/voice/palm/vein scan/pattern/signature/print id/code/no/number?
            facial recognition id/code?
        """,
        Entity.TAX_ID: """
            tax no/nr/num/code/ref
            tax registration number/no?
            tax identification
            vat id/reg/registration no/number?
        """,
        Entity.DRIVER_LICENSE: """driver/drivers/driving license/licence id/nr/num | dl id/nr/num | permit number/no""",
    },
    "German": {
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
    },
    "French": {
        Entity.PASSWORD: """
            mdp/motdepasse/mot-de-passe
            mot passe
            code/cle wifi/wi-fi/reseau
            phrase secrete/passe
            phrase de passe
            mot de passe wifi/wi-fi/reseau/principal/maitre/administrateur/admin/actuel/compte/personnel/unique
            mot secret
            code confidentiel d' acces
            cle/clef de securite/reseau/wifi
            code d' acces internet?/web?
            code d'acces
        """,
        Entity.PIN: """
            pin/nip/puk
            code puk/sim/carte/porte/alarme/coffre/coffre-fort/secret/verrouillage/deverrouillage/telephone/portable/
                parental/immeuble/digicode/portail/garage/bancaire/cb/numerique
            code pin sim/carte?
            code de securite/deverrouillage/verrouillage/validation/verification/confirmation/l'? alarme/entree?
            code de la? carte bancaire/bleue/sim?
            code secret de la carte
            numero d' identification personnel
            code de l' alarme/immeuble
            combinaison
            combinaison du coffre
        """,
        Entity.USERNAME: """
            login/user/username/pseudonyme/pseudo/surnom/alias/identifiant/nickname
            nom utilisateur/usager/connexion/compte/profil/ecran
            nom d' ecran/usage
            id utilisateur/connexion/compte
            identifiant utilisateur/client/compte/session/connexion/internet/numerique
            pseudo twitter/instagram/discord/jeu/forum
            compte twitter/instagram/discord/github/utilisateur
            nom du compte/profil
        """,
        Entity.ORDER_NUMBER: """
            ref/reference/numero/num/no/n/n°/nr/id/code commande/cmd/colis/suivi/livraison/envoi/reservation/dossier/
                facture/achat/expedition
            ref/reference/numero/num/no/n/n°/id/code de la? commande/colis/suivi/livraison/envoi/reservation/facture/
                expedition/achat
            numero d' achat/envoi/expedition
            commande ref/reference/num/no/n/n°/id
            bon de? commande/livraison n/no/numero?
            suivi colis
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            num/numero/n/no/n°/id/ref/code dossier/patient/ipp/hospitalisation/admission
            numero/identifiant permanent du patient
            dossier n/no/numero/n°
            id/code dossier medical?
            dossier medical n/no/numero/n°?
            ref/reference dossier medical/patient
            nip patient
        """,
        Entity.NATIONAL_ID: """
            num/numero/n/no/n° cni/identite/securite/insee/nir/secu
            numero insee/national/secu
            piece d' identite n/no/numero/n°?
            carte d' identite n°/nationale/numero?
            titre/document d' identite/sejour
            numero de la cni
            carte nationale
            id nationale/national
            numero d' identification nationale/national?
            numero ss
        """,
        Entity.BIOMETRIC_ID: """
            id/identifiant/code/cle/reference/ref/numero/hash/jeton/signature/modele/gabarit/empreinte biometrique/
                biometrie
            id/code/numero/gabarit/reference/scan empreinte/iris/visage/retine/voix/facial/faciale/vocal/vocale/digitale
            reconnaissance faciale/vocale
            donnees biometriques
            numero d' empreinte digitale?
            signature vocale
        """,
        Entity.TAX_ID: """
            num/numero/n/no/n° fiscal/tva/siret/siren
            numero fiscal de reference
            id/identifiant fiscal/tva
            numero de tva intracommunautaire?
            code fiscal
            tva intracommunautaire
        """,
        Entity.PASSPORT: """num/numero/n/no/n°/id passeport | passeport n/no/n°/numero/id""",
        Entity.DRIVER_LICENSE: """
            num/numero/n/no/n°/id permis conduire?
            permis de conduire n/no/n°/numero/id
            permis conduire
            permis n/no/n°
        """,
        Entity.CREDIT_CARD_DIGITS: """
            quatre/4 derniers chiffres
            derniers/quatre/4 chiffres de la/sa? carte bancaire/bleue?
            derniers 4/quatre chiffres?
            fin de la? carte
            carte finissant/terminant/terminee par/en?
            carte se? termine/terminant par
            carte ...
            4 derniers chiffres cb/carte
            fin cb
            terminaison carte?
            terminaison de la carte
            cb finissant/terminant par?
            numero de carte derniers/quatre? chiffres?
            chiffres carte
            derniers chiffres carte/cb
        """,
        Entity.SECRET_KEY: """
            cle/clef/jeton/token/secret api/prive/privee/secret/secrete/acces/client/application
            secret client/partage
            jeton d' authentification/acces/api/session
            cle de chiffrement/signature
            cle privee/secrete
        """,
    },
    "Spanish": {
        Entity.PASSWORD: """
            contras/contrasenia/pwd/clave/claves/contrasena
            contrasena/clave wifi/wi-fi/red/acceso/usuario/correo/temporal/inicial/maestra/actual/cuenta/personal/
                secreta/web/internet
            clave/contrasena de/del/la usuario/cuenta/correo/red/acceso/seguridad/wifi/sistema/router
            palabra clave/secreta
            frase de contrasena/paso/seguridad
            clave acceso
            codigo acceso
            codigo de acceso
            palabra de paso
        """,
        Entity.PIN: """
            pin/nip/puk/codigo/clave/combinacion pin/puk/sim/tarjeta/cajero/secreto/secreta/numerico/numerica/alarma/
                puerta/desbloqueo/seguridad/movil/telefono/banco/caja/portal/verificacion/numero
            pin/codigo/clave/nip de/del/la la/su? tarjeta/cajero/movil/telefono/sim/banco/alarma/puerta/garaje/portal/
                caja/cuenta fuerte?
            numero de identificacion personal
            numero secreto/personal
            pin numerico/secreto
            codigo de la alarma/puerta/caja
            combinacion de la caja fuerte?
            clave numerica
            codigo de verificacion/confirmacion/bloqueo
        """,
        Entity.USERNAME: """
            user/nickname/sobrenombre/seudonimo/alias/usr
            nombre usuario/cuenta/perfil/pantalla
            nombre de pantalla/inicio/acceso
            id/identificador/login/cuenta usuario
            identificador de cuenta/usuario
            usuario de? twitter/instagram/red/acceso/github/discord/web/internet/sistema
            cuenta de twitter/instagram/discord/usuario/github
            nombre en linea
        """,
        Entity.ORDER_NUMBER: """
            num/numero/n/no/nro/n°/nº/ref/referencia/id/codigo pedido/orden/envio/compra/seguimiento/reserva/factura/
                paquete/entrega
            num/numero/n/no/nro/n°/nº/ref/referencia/id/codigo de/del/la la/el? pedido/orden/envio/compra/seguimiento/
                reserva/factura/paquete/entrega/encargo/localizador
            pedido/orden/compra num/n/no/nro/n°/nº/numero/id/ref/referencia
            localizador
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            num/numero/n/no/nro/n°/nº/id/codigo historia/historial/expediente/paciente/nhc/ficha clinica/clinico/medica/
                medico?
            historia/historial/expediente/ficha num/n/no/nro/n°/nº/numero
            id de? paciente
            registro medico/clinico
            historia/ficha clinica/medica n/no/nro/n°/nº/num?
        """,
        Entity.NATIONAL_ID: """
            num/numero/n/no/nro/n°/nº dni/nie/documento/identidad/identificacion/cedula/carnet
            doc/documento num/n/no/nro/n°/nº/identidad/nacional/personal/numero
            dni/nie/cedula num/n/no/nro/n°/nº/numero
            documento identidad
            carnet/tarjeta/carne identidad
            numero de documento/identidad/cedula/afiliacion
            seguridad social
            numero seguridad social
            nss
            id nacional
            identificacion personal
        """,
        Entity.BIOMETRIC_ID: """
            id/codigo/clave/numero/hash/referencia/ref/token/firma/plantilla/patron/registro biometrico/biometrica
            id/codigo/numero/plantilla/referencia/escaneo huella/iris/rostro/voz/retina/facial/dactilar
            reconocimiento facial/voz/iris/vocal?
            huella digital/dactilar num/n/no/id/codigo?
            datos biometricos
            patron de voz/iris
        """,
        Entity.TAX_ID: """
            num/numero/n/no/nro/n°/nº/id/codigo nif/cif/fiscal/tributario/rfc
            nif/cif/rfc num/n/no/nro/n°/nº/numero/fiscal
            identificacion/identificador fiscal/tributaria
            id fiscal
            codigo de identificacion fiscal
        """,
        Entity.PASSPORT: """num/numero/n/no/nro/n°/nº/id pasaporte | pasaporte num/id/n°""",
        Entity.DRIVER_LICENSE: """
            num/numero/n/no/nro/n°/nº/id permiso/carnet/carne/licencia conducir/conduccion?
            permiso/carnet/carne/licencia conducir/conduccion/conductor
            permiso de conducir num/n/no/nro/n°/nº/numero
            carnet de conducir n/no/nro/n°/nº/numero
        """,
        Entity.CREDIT_CARD_DIGITS: """
            ultimos cuatro/4 digitos/numeros/cifras?
            ultimos digitos/numeros
            ultimas cuatro/4 cifras
            cuatro/4 ultimos/ultimas digitos/numeros/cifras?
            final/fin/terminacion de? la? tarjeta
            tarjeta terminada/terminado/acabada/que en? termina/acaba? en?
            tarjeta terminacion/final
            tarjeta termina/acaba en
            digitos tarjeta
            digitos finales
            ultimos 4
        """,
        Entity.SECRET_KEY: """
            clave/token/llave/secreto api/privada/privado/secreta/cliente/aplicacion/acceso/cifrado/firma
            clave de cifrado/firma/acceso/api
            token de sesion/acceso/api/autenticacion/seguridad
            secreto compartido/cliente
            clave api
            api secreta
        """,
    },
    "Italian": {
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
    },
    "Portuguese": {
        Entity.PASSWORD: """
            pwd/passwd/senha/senhas/password/palavrapasse/palavra-passe/palavra_passe
            senha/password/palavra-passe wifi/wi-fi/rede/acesso/usuario/email/temporaria/inicial/mestra/mestre/atual/
                principal/administrador/roteador/conta/pessoal/secreta/provisoria
            senha/password/palavra-passe/chave do/da/de rede/acesso/usuario/utilizador/email/wifi/conta/roteador/
                sistema/internet/banco
            palavra secreta/passe
            frase secreta/passe/chave
            frase de acesso/senha
            chave wifi/rede
            chave da rede
            codigo acesso
            codigo de acesso
            chave de acesso
            contra-senha
            contrassenha
        """,
        Entity.PIN: """
            pin/puk/codigo/senha/combinacao/nip pin/puk/sim/cartao/secreto/secreta/numerico/numerica/alarme/porta/
                portao/desbloqueio/seguranca/celular/telemovel/multibanco/cofre/verificacao/banco/numero
            pin/codigo/senha/combinacao do/da/de seu/sua/o/a? cartao/celular/telemovel/telefone/sim/banco/alarme/porta/
                portao/cofre/garagem/conta/multibanco/verificacao/seguranca/desbloqueio/confirmacao
            numero de identificacao pessoal
            numero secreto/pin
            pin do cartao
            codigo de quatro/4/seis/6 digitos
            senha de quatro/4 digitos
            codigo numerico
            senha do cartao
        """,
        Entity.USERNAME: """
            user/usr/userid/username/nickname/alias/pseudonimo/apelido/alcunha
            nome usuario/utilizador/conta/perfil/tela/login/acesso
            nome de ecra/tela/acesso/login
            id/identificador/login/conta/codigo usuario/utilizador
            id/identificador do/de usuario/utilizador/conta
            usuario/utilizador/conta do/de/no? twitter/instagram/github/discord/rede/sistema/internet
            utilizador/usuario
        """,
        Entity.ORDER_NUMBER: """
            num/numero/n/no/nr/n°/nº/ref/referencia/id/codigo pedido/encomenda/envio/compra/rastreio/rastreamento/
                reserva/fatura/entrega/ordem
            num/numero/n/no/nr/n°/nº/ref/referencia/id/codigo do/da/de pedido/encomenda/envio/compra/rastreio/
                rastreamento/reserva/fatura/entrega/ordem
            pedido/encomenda/compra num/n/no/nr/n°/nº/numero/id/ref/codigo
            ordem de compra
            nota fiscal
        """,
        Entity.MEDICAL_RECORD_NUMBER: """
            num/numero/n/no/nr/n°/nº/id/codigo prontuario/paciente/utente/processo/ficha/registro/registo clinico/
                clinica/medico/medica/hospitalar?
            prontuario num/n/no/nr/n°/nº/numero/id
            processo clinico num/n/no/nr/n°/nº/numero?
            id/codigo/numero do/de paciente/utente/prontuario
            ficha medica/clinica
            numero de utente
            registro/registo medico/hospitalar
        """,
        Entity.NATIONAL_ID: """
            num/numero/n/no/nr/n°/nº rg/bi/cc/identidade/documento/cidadao
            rg/bi num/n/no/nr/n°/nº/numero
            documento/cartao/bilhete/carteira num/n/no/nr/n°/nº/identidade/cidadao/numero
            documento de identificacao/identidade num/n/no/nr/n°/nº/numero?
            carteira/bilhete/cartao de identidade/cidadao num/n/no/nr/n°/nº/numero?
            numero do documento/rg/bi
            id nacional
            cartao cidadao
            identificacao civil/nacional
            numero de identificacao civil/nacional?
            niss
            seguranca social
            numero da seguranca social
        """,
        Entity.BIOMETRIC_ID: """
            id/codigo/chave/numero/hash/referencia/ref/token/assinatura/modelo/template/registro/registo biometrico/
                biometrica
            id/codigo/numero/modelo/referencia/leitura/scan impressao/iris/rosto/voz/retina/facial/digital
            reconhecimento facial/voz/iris/vocal
            dados biometricos
            impressao digital num/n/no/nr/id/codigo/numero?
            biometria facial/digital/vocal?
            scan da/de iris/retina
        """,
        Entity.TAX_ID: """
            num/numero/n/no/nr/n°/nº/id/codigo cpf/cnpj/nif/contribuinte/fiscal
            cpf/cnpj/nif num/n/no/nr/n°/nº/numero
            id/identificacao/identificador fiscal
            numero de contribuinte/identificacao fiscal?
        """,
        Entity.PASSPORT: """num/numero/n/no/nr/n°/nº/id passaporte | passaporte num/n/nr/n°/id""",
        Entity.DRIVER_LICENSE: """
            num/numero/n/no/nr/n°/nº/id carta/carteira/cnh/habilitacao/licenca conducao/motorista/habilitacao?
            carta/carteira/licenca conducao/motorista
            cnh num/n/no/nr/n°/nº/numero
            carta de conducao num/n/no/nr/n°/nº/numero
            carteira de motorista/habilitacao num/n/no/nr/n°/nº/numero
        """,
        Entity.CREDIT_CARD_DIGITS: """
            ultimos quatro/4 digitos/numeros/algarismos?
            ultimos digitos/numeros
            quatro/4 ultimos digitos/numeros/algarismos?
            final/fim/terminacao do? cartao
            cartao final/terminacao
            cartao terminado/terminando/que com/em? termina? com/em?
            cartao com final/terminacao em?
            digitos finais do? cartao?
            final do? cartao de? credito?
            ultimos 4
        """,
        Entity.SECRET_KEY: """
            chave/token/segredo api/privada/privado/secreta/cliente/aplicacao/acesso/cifra/assinatura
            chave de criptografia/assinatura/acesso/api/cifra
            token de sessao/acesso/api/autenticacao/seguranca
            segredo partilhado/compartilhado/cliente
            api secreta
        """,
    },
}
"""How the fields of forms, tables and code are headed, and their abbreviations."""
CODES: Mapping[str, Mapping[Entity, str]] = {
    language: {
        entity: in_keys(" | ".join(table[entity] for table in tables if entity in table))
        for entity in dict.fromkeys(entity for table in tables for entity in table)
    }
    for language, rows in _TABLES.items()
    for tables in [(rows, _MORE[language], BELONGINGS[language])]
}
CODED: frozenset[Entity] = frozenset(entity for row in CODES.values() for entity in row)
"""Kinds whose values are codes, numbers and secrets."""

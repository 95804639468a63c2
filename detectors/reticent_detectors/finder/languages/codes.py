"""What numbers and secrets are called: nouns of six languages, in the notation of `wordings`.

They announce a value as the nouns of a `Language` do. Besides, a code may stand anywhere in the same sentence as its noun.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity


def _numbered(stems: str, compounds: str) -> str:
    """German compounds: "pass" and "nummer" make "passnummer", "pass-nr" and so on."""
    heads = compounds.split()
    return "/".join(
        f"{stem}{joint}{head}" for stem in stems.split() for head in heads for joint in ("", "-", "s", "en")
    )


_NR = "nummer nr kennung kennzeichen id code"

CODES: Mapping[str, Mapping[Entity, str]] = {
    "English": {
        Entity.PASSWORD: "password/passwords/passwd/passphrase/pwd/passcode | pass word/phrase | access/login/temporary/initial/master password | temp pass/password | wi-fi/wifi password/key",
        Entity.PIN: """pin/pincode | pin code/number/no | security/access/unlock/door/alarm/gate/entry/verification/secret/safe/voicemail/bank/card/atm/phone/keypad/entrance/one-time code/pin | 4-digit/four-digit/six-digit code/pin
            code to/for the/her/his/their safe/door/gate/alarm/phone""",
        Entity.USERNAME: "username/userid/nickname/handle/alias/login | user name/id/account/login | log-in/login/screen/account/profile/sign-in name/id | user handle",
        Entity.MEDICAL_RECORD_NUMBER: """mrn | medical/health/hospital/clinical/clinic/patient record/chart/file number/no/id? | chart/record/patient/mr number/no/id/identifier | case/patient file | hospital number/no/id | medical/health file | health id""",
        Entity.NATIONAL_ID: """national id/identity/identification/insurance number/no/card/id? | identity/identification/id card/document/paper/number/no number/no? | ni number/no | citizen/personal/government/resident/residence id/number/identity card/number/no? | nino | social insurance number/no? | identity number | personal identity code""",
        Entity.PASSPORT: "passport/passports | passport number/no/id | number of/in _ passport | travel document number/no?",
        Entity.DRIVER_LICENSE: """driver/drivers/driving/operator 's? license/licence/permit number/no/id? | license/licence number/no/id | dl number/no/id | number of/on _ driving licence | licence/license""",
        Entity.TAX_ID: "tax/taxpayer/fiscal id/number/no/code/identifier/identification/reference number/no/id? | tin/utr | vat number/no/id | tax identification/file number/no?",
        Entity.BIOMETRIC_ID: """fingerprint/fingerprints/biometric/biometrics/iris/retina/voiceprint/faceprint/palmprint | fingerprint/biometric/iris/retina/face/facial/voice/palm id/template/hash/scan/code/key/record/data/print/identifier/reference/profile/number/enrolment/enrollment id/number/code?""",
        Entity.DATE_OF_BIRTH: "dob/birthdate/birthday/birth/born | date/day of birth | birth date/day | born on",
        Entity.SECRET_KEY: "api/access/secret/private/encryption/signing/deploy/master key/token/secret | token/apikey | bearer/session/refresh/auth token | secret key",
        Entity.BANK_ACCOUNT: "acct/account | acct no/number/num/nr | account num/nr/no/id | giro account | iban | current account",
        Entity.ORDER_NUMBER: "order/tracking/parcel num/nr/no/id/code | purchase order | order ref",
    },
    "German": {
        Entity.PASSWORD: "passwort/kennwort/passworter/losungswort/zugangscode/passphrase/zugangspasswort/wlan-passwort/wlan-schlussel/login-passwort/startpasswort/masterpasswort/anmeldekennwort | temporares/vorlaufiges/neues passwort/kennwort",
        Entity.PIN: "pin/geheimzahl/geheimnummer/pin-nummer/pinnummer/pin-code/karten-pin/kartenpin/zahlencode/sicherheitscode/turcode/entsperrcode/geheimcode/kombination/handy-pin/telefon-pin/zugangscode | code fur/des/zum/zur",
        Entity.USERNAME: "benutzername/nutzername/anmeldename/benutzerkennung/nutzerkennung/login/loginname/login-name/spitzname/nickname/benutzer/username/accountname/kontoname/alias/nick | user name",
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
        Entity.BIOMETRIC_ID: """fingerabdruck/fingerabdrucks/iris-scan/irisscan/gesichtsscan/gesichtsvorlage/stimmabdruck/handvenenscan/biometrie/biometrie-id/fingerabdruck-id/gesichts-id/biometrieschlussel/netzhautscan/fingerabdruckscan
            biometrische/biometrischer/biometrisches id/kennung/vorlage/merkmal/schlussel/template/daten/datensatz/code/profil""",
        Entity.DATE_OF_BIRTH: "geburtsdatum/geburtstag/geboren/geb/geburtsdaten | geboren/geb am | tag der geburt | datum der geburt",
        Entity.SECRET_KEY: "api-schlussel/zugangsschlussel/schlussel/token/zugriffstoken/api-key/geheimschlussel/zugangstoken | api key/schlussel | geheimer schlussel",
        Entity.BANK_ACCOUNT: _numbered("konto bankkonto girokonto", _NR)
        + "/konto/girokonto/bankkonto/gehaltskonto/sparkonto",
        Entity.ORDER_NUMBER: _numbered("bestell bestellung auftrag vorgang sendung paket liefer", _NR),
    },
    "French": {
        Entity.PASSWORD: "mot/mots de passe | mdp/password | code/clef/cle d' acces | mot de passe temporaire/provisoire/initial | cle wifi/wi-fi",
        Entity.PIN: "pin | code/numero pin/secret/confidentiel/personnel | code de la? sa? carte/porte/alarme | code du? coffre/telephone/portable | code a quatre/six/4/6 chiffres | digicode | code d' entree | code",
        Entity.USERNAME: "utilisateur/utilisatrice/pseudo/pseudonyme/login/identifiant | nom d' utilisateur/utilisatrice/usager | identifiant/nom de connexion/compte | nom de profil",
        Entity.MEDICAL_RECORD_NUMBER: "ipp | dossier medical/patient/hospitalier/clinique? | numero/n/no/n° de/du dossier medical/patient? | numero/n/no/n°/identifiant/id de? patient/patiente | numero d' admission/hospitalisation | fiche medicale",
        Entity.NATIONAL_ID: """cni/nir | carte nationale? d' identite | carte d' identite numero/n/no | piece/document/papiers/numero d' identite | numero/n/no/n° de? la? sa? carte/piece d' identite | numero/n/no/n° de securite sociale | identifiant/numero national | numero de cni | identite nationale""",
        Entity.PASSPORT: "passeport | passeport numero/n/no | numero/n/no/n° de/du passeport",
        Entity.DRIVER_LICENSE: "permis de conduire numero/n/no? | permis | numero/n/no/n° de/du permis de? conduire? | permis numero/n/no",
        Entity.TAX_ID: "spi/nif/tva | numero/identifiant/code/reference fiscal/fiscale | numero d' identification fiscale | numero/n/no/n° de tva/contribuable | numero d' impot",
        Entity.BIOMETRIC_ID: """empreinte/empreintes/biometrie | empreinte/empreintes digitale/digitales/faciale/vocale/palmaire/retinienne | identifiant/id/donnee/donnees/cle/code/profil/modele/gabarit biometrique/biometriques | id/identifiant/gabarit/scan de l' d' empreinte/iris/visage digitale?
            id/identifiant/gabarit/scan d'? empreinte/iris digitale? | scan de l' iris""",
        Entity.DATE_OF_BIRTH: "naissance/anniversaire/ddn | date/jour de naissance | ne/nee/ne(e) le",
        Entity.SECRET_KEY: "cle/clef/jeton/token d'? api/acces? | cle secrete/privee/api | jeton d' acces",
        Entity.BANK_ACCOUNT: "numero/n/no/n° du/de compte bancaire? | compte courant/bancaire/numero? | rib",
        Entity.ORDER_NUMBER: "numero/n/no/n° de/du commande/colis/suivi | reference/ref commande",
    },
    "Spanish": {
        Entity.PASSWORD: "contrasena/password | clave/codigo/palabra de acceso/paso | clave | contrasena temporal/provisional/maestra | clave wifi/secreta/personal/del | clave de la wifi",
        Entity.PIN: "pin/nip | codigo/numero/clave pin/secreto/secreta | codigo de la/su? tarjeta/puerta/alarma/seguridad/desbloqueo/acceso | codigo del movil/telefono/cajero/portero | clave del cajero/movil | clave de la tarjeta | numero secreto | codigo",
        Entity.USERNAME: "usuario/usuaria/login/alias/apodo/nick/username | nombre de usuario/usuaria/perfil/cuenta | id/identificador de usuario",
        Entity.MEDICAL_RECORD_NUMBER: """nhc | historia/historial/expediente/ficha clinica/clinico/medica/medico? | numero/n/no/nro/n°/nº de/del/la? historia/historial/expediente/ficha/paciente clinica/clinico/medica/medico? | historia clinica numero/n/no/nº | codigo/id/numero de/del? paciente | id paciente | historia""",
        Entity.NATIONAL_ID: """dni/nie/curp/cedula/nuip | documento/carne/carnet/carta/cedula/tarjeta nacional? de identidad/ciudadania/extranjeria | numero/n/no/nro/n°/nº de/del documento/dni/identidad/cedula/identificacion/carne de? identidad? | documento de identificacion | documento nacional | numero de la seguridad social | identificacion nacional/oficial? | documento""",
        Entity.PASSPORT: "pasaporte | pasaporte numero/n/no/nº/nro | numero/n/no/nro/n°/nº de/del pasaporte",
        Entity.DRIVER_LICENSE: """permiso/carne/carnet/licencia/registro de conducir/conduccion/conductor | numero/n/no/nro/n°/nº de/del/la? permiso/carne/carnet/licencia/registro de? conducir/conduccion? | permiso/carne/carnet/licencia numero/n/no/nº/nro? | licencia | carne""",
        Entity.TAX_ID: "nif/cif/rfc/rut/cuit/cuil | numero/codigo/identificador/identificacion de? identificacion? fiscal/tributaria/tributario | numero de contribuyente | nif fiscal",
        Entity.BIOMETRIC_ID: """huella/huellas/biometria | huella dactilar/digital/facial/vocal/biometrica | identificador/id/dato/datos/clave/codigo/perfil/plantilla/registro biometrico/biometrica/biometricos | id/identificador/codigo/plantilla/escaneo/registro de/del/la? su? huella/iris/rostro/voz dactilar? | escaneo del iris""",
        Entity.DATE_OF_BIRTH: "nacimiento/cumpleanos | fecha/dia de nacimiento | nacido/nacida/nacio en? el | f nac/nacimiento | fecha nac",
        Entity.SECRET_KEY: "token/clave/llave de acceso/api/seguridad? | clave api/secreta/privada | clave de la? api",
        Entity.BANK_ACCOUNT: "numero/n/no/nro/n°/nº de/del/la? cuenta bancaria/corriente? | cuenta bancaria/corriente/nomina/numero?",
        Entity.ORDER_NUMBER: "numero/n/no/nro/n°/nº de/del pedido/orden/envio/seguimiento | codigo de envio/seguimiento",
    },
    "Italian": {
        Entity.PASSWORD: "password/parola | parola d' ordine/accesso | parola chiave | chiave d' accesso | chiave di accesso | password temporanea/provvisoria | password del/di",
        Entity.PIN: "pin | codice/numero pin/segreto/personale | codice del/di bancomat/telefono/cancello/sicurezza/sblocco/accesso | codice della carta/porta/cassaforte | codice dell' allarme | codice",
        Entity.USERNAME: "utente/username/login/nickname/nick/alias/soprannome | nome utente/profilo/account | nome di login | id/identificativo utente | nome dell' utente",
        Entity.MEDICAL_RECORD_NUMBER: "cartella clinica/medica/sanitaria/numero/n? | numero/n/no/n°/codice di/della/del cartella/paziente/nosologico/pratica clinica/medica/sanitaria? | codice/id/numero paziente/nosologico | fascicolo sanitario | cartella | scheda clinica/sanitaria",
        Entity.NATIONAL_ID: """carta/documento/numero/cie d' identita | carta/documento/numero di identita/riconoscimento | carta d' identita numero/n/no/elettronica | numero/n/no/n° di/della/del carta/documento d'? di? identita/riconoscimento? | carta d identita | documento | codice identificativo nazionale | identificativo nazionale""",
        Entity.PASSPORT: "passaporto | passaporto numero/n/no | numero/n/no/n° di/del passaporto",
        Entity.DRIVER_LICENSE: "patente di? guida? | patente numero/n/no | patente di guida numero/n/no | numero/n/no/n° di/della patente di? guida?",
        Entity.TAX_ID: "codice/numero/identificativo fiscale | cf/nif | partita iva | p iva | numero di partita? iva? contribuente? | codice fiscale",
        Entity.BIOMETRIC_ID: """impronta/impronte/biometria | impronta/impronte digitale/digitali/vocale/facciale | identificativo/id/dato/dati/codice/chiave/profilo/modello/template biometrico/biometrici/biometrica | id/identificativo/codice/scansione/template di/dell'/dell/della/del? impronta/iride/volto/voce digitale? | scansione dell' iride""",
        Entity.DATE_OF_BIRTH: "nascita/compleanno | data/giorno di nascita | nato/nata il",
        Entity.SECRET_KEY: "token/chiave d'? di? accesso/api? | chiave api/segreta/privata",
        Entity.BANK_ACCOUNT: "conto/cc | conto corrente/bancario numero/n/no? | numero/n/no/n° di/del conto corrente/bancario? | coordinate bancarie",
        Entity.ORDER_NUMBER: "ordine n/no/numero/n° | numero/n/no/n°/codice di/dell'/del? ordine/spedizione/pacco",
    },
    "Portuguese": {
        Entity.PASSWORD: "senha/password/palavra-passe/palavra-chave | palavra passe/chave | senha temporaria/provisoria/inicial | chave/codigo/senha de acesso | senha do/da wi-fi/wifi",
        Entity.PIN: "pin | codigo/numero/senha pin/secreto/pessoal | codigo do/da/de cartao/porta/alarme/seguranca/desbloqueio/telemovel/celular/multibanco/cofre | senha do/da cartao/banco | codigo | senha numerica",
        Entity.USERNAME: "usuario/usuaria/utilizador/utilizadora/login/apelido/alias/username/nick | nome de usuario/utilizador/perfil/conta | nome do usuario/utilizador | id de usuario/utilizador",
        Entity.MEDICAL_RECORD_NUMBER: """prontuario/nhc | prontuario medico/clinico/hospitalar? numero/n/no? | processo/registo/registro/ficha clinico/medico/hospitalar/clinica/medica | numero/n/no/n°/nº de/do/da processo/prontuario/utente/paciente/ficha/registo/registro clinico/medico/hospitalar? | processo | codigo/id do? paciente""",
        Entity.NATIONAL_ID: """rg/bi | bilhete/carteira/carta/cartao/documento/numero/cedula de identidade/cidadao/identificacao | cartao do/de cidadao numero/n/no? | numero/n/no/n°/nº de/do/da identidade/bilhete/cartao/documento/rg/carteira/bi de? do? identidade/cidadao? | registro geral | identidade | documento""",
        Entity.PASSPORT: "passaporte | passaporte numero/n/no/nº | numero/n/no/n°/nº de/do passaporte",
        Entity.DRIVER_LICENSE: """cnh/habilitacao | carta/carteira/licenca nacional? de conducao/motorista/habilitacao | numero/n/no/n°/nº de/da/do carta/carteira/licenca/habilitacao/cnh de? conducao/motorista/habilitacao? | cnh/habilitacao/carteira/carta numero/n/no/nº""",
        Entity.TAX_ID: "cpf/cnpj/nif | numero/identificacao de? contribuinte/fiscal/identificacao fiscal? | numero fiscal | contribuinte",
        Entity.BIOMETRIC_ID: """biometria/digital | impressao/impressoes digital/digitais/vocal/facial | identificador/id/dado/dados/chave/codigo/perfil/modelo/registro/registo biometrico/biometrica/biometricos | id/identificador/codigo/leitura/registro/registo da/de/do impressao/iris/rosto/voz digital? | leitura da iris""",
        Entity.DATE_OF_BIRTH: "nascimento/aniversario | data/dia de nascimento | nascido/nascida/nasceu em/a | data nasc | nasc",
        Entity.SECRET_KEY: "token/chave de acesso/api? | chave api/secreta/privada | chave da api",
        Entity.BANK_ACCOUNT: "conta corrente/bancaria/poupanca/salario/ordenado? numero/n/no? | numero/n/no/n°/nº de/da conta bancaria/corriente? | conta a ordem | nib",
        Entity.ORDER_NUMBER: "numero/n/no/n°/nº/codigo de/da/do encomenda/pedido/envio/compra/rastreio/rastreamento | pedido/encomenda n/no/nº/numero? | compra numero/n/no",
    },
}
CODED: frozenset[Entity] = frozenset(entity for row in CODES.values() for entity in row)
"""Kinds whose values are codes, numbers and secrets."""

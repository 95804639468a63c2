"""Numbers and secrets in French: what they are called, and how fields that hold them are headed."""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity

NOUNS: Mapping[Entity, str] = {
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
}
"""What sentences and labels call them."""

FIELDS: Mapping[Entity, str] = {
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
}
"""How forms, tables and code call and shorten them besides."""

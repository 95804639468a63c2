"""French."""

from __future__ import annotations

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.language import Language

FRENCH = Language(
    name="French",
    nouns={
        Entity.EMAIL_ADDRESS: "courriel/e-mail/email/mail/mel | adresse mail/e-mail/email/electronique",
        Entity.PHONE_NUMBER: "telephone/portable/mobile/tel | numero de telephone/portable/mobile",
        Entity.BANK_ACCOUNT: "compte/iban/rib | compte bancaire | numero de compte | coordonnees bancaires",
        Entity.ORDER_NUMBER: """
            commande/reference
            numero/n/no/n° de commande/suivi/colis/reservation
            numero de la/sa/votre commande
            reference de commande
            commande numero/n/no/n°
            n ° o? de commande
            n º de commande
            n de commande
            bon de commande
            id commande
            id de commande
        """,
        Entity.CREDIT_CARD_DIGITS: """
            carte
            carte bancaire/bleue/visa
            carte de credit/paiement
            numero de carte
            quatre/4 derniers chiffres de? la/sa? carte?
            derniers chiffres
            fin de carte
            carte se terminant/terminant/finissant par
            4 derniers
        """,
        Entity.UTILITY_BILL: """
            facture/factures/frais/charges/mensualite/consommation/depenses/abonnement/quittance d' electricite/eau/
                energie
            facture/factures/frais/charges/mensualite/depenses de/du gaz/chauffage/l' eau?/electricite?
            facture/quittance energetique/edf/engie
            charges/factures mensuelles/courantes/locatives?
            charges mensuelles
        """,
        Entity.APPOINTMENT_DATE: """
            rendez-vous/rdv/consultation
            prochain/prochaine rendez-vous/rdv/consultation/visite
            date du/de rendez-vous/rdv/consultation/visite
            date de la visite/consultation
            prochain rendez vous
            rendez vous
        """,
        Entity.FLIGHT: """
            vol/vols/trajet/itineraire/voyage/avion
            numero de vol
            vol reserve
            billet d' avion
            billet
        """,
        Entity.ADDRESS: """
            adresse/domicile/residence
            adresse postale/personnelle/complete/actuelle/domicile/permanente/principale/privee/professionnelle/
                residentielle/fiscale/livraison/facturation/correspondance/physique/civique
            adresse de/du la? livraison/facturation/domicile/residence/correspondance/client/patient/patiente/contact/
                expedition/travail
            lieu de residence/domicile
            residence principale/actuelle
            rue et numero
            demeurant/domicilie/domiciliee a/au
            coordonnees postales
            numero et rue
        """,
        Entity.JOB_TITLE: """
            metier/profession/poste/emploi/fonction/travail/qualification
            intitule du? poste
            poste actuel/occupe
            titre professionnel
            activite professionnelle
        """,
        Entity.DOCTOR: """
            medecin/docteur/docteure/chirurgien/chirurgienne/cardiologue/psychiatre/dentiste/generaliste/neurologue/
                oncologue/dermatologue/gynecologue/pediatre/praticien/specialiste/rhumatologue/pneumologue
            medecin traitant/traitante/generaliste/referent/consultant
            medecin de famille
            praticien traitant
        """,
        Entity.HOSPITAL: """
            hopital/clinique/chu/etablissement
            centre hospitalier/medical
            etablissement de sante/soins?
            hopital d' admission
            structure de soins
        """,
        Entity.EMPLOYER: """
            employeur/employeuse/entreprise/societe/boite/patron/compagnie
            lieu de travail
            employeur actuel
            travaille chez
            nom de l' entreprise/employeur
            nom de la societe
        """,
        Entity.DIAGNOSIS: """
            allergies/allergie/diagnostic/diagnostics/maladie/pathologie/affection/mal/antecedents/trouble/pathologies/
                maladies
            diagnostic principal/medical/retenu/final
            probleme de sante
            etat de sante
            antecedents medicaux
        """,
        Entity.PRESCRIPTION: """
            medicament/medicaments/ordonnance/prescription/remede/medication/traitement/comprimes/prescrit
            traitement en cours
            traitement actuel/medical/medicamenteux/habituel
            medicament prescrit
            principe actif
        """,
        Entity.TRANSACTION_AMOUNT: """
            montant/virement/paiement/transaction/somme/versement/achat/depense/retrait/solde/salaire/acompte/
                prelevement
            montant du/de/de la/d' virement/paiement/transaction/achat/versement/operation
            montant paye/regle/vire/total
            somme versee/payee
            total paye/regle
        """,
        Entity.NRP: """
            religion/confession/ethnie/nationalite/citoyennete
            appartenance/origine/croyances/convictions ethnique/religieuse/religieuses/raciale/syndicale
            parti/appartenance/bord
            parti politique
            opinion/opinions/orientation/tendance/convictions/conviction/sensibilite/affiliation/appartenance/etiquette/
                famille/idees/couleur politique/politiques
            bord politique
        """,
        Entity.SEXUAL_ORIENTATION: "sexualite | orientation/preference/identite sexuelle",
        Entity.CRIMINAL_RECORD: """
            casier
            casier judiciaire
            condamnation/condamnations
            antecedents judiciaires/penaux
            infraction/infractions/delit/delits
            condamne/condamnee/incarcere/arrete pour
            motif de l'? arrestation/incarceration/detention/condamnation
            chef d' accusation/inculpation
        """,
    },
    verbs={
        Entity.ORDER_NUMBER: "commande/commandes .. numero/n/no/n° | sous le numero/reference",
        Entity.CREDIT_CARD_DIGITS: """
            carte/visa/mastercard .. termine/terminant/finit/finissant/finissent par/en
            se termine/terminent par
            terminant/finissant/finit par
            carte .. en
        """,
        Entity.APPOINTMENT_DATE: """
            rendez-vous/rdv/consultation/convoque/convoquee/visite/attendu/attendue .. le/au/du
            rendez-vous/rdv/consultation/convoque/convoquee le/au/du
            rendez-vous/rdv/visite/consultation .. est/pour le/au?
        """,
        Entity.FLIGHT: """
            vol/vole/voyage/billet/trajet/avion/part/partira/partir/reserve .. de/du/le
            vol
            vol/avion , le
            rate/manque/pris/prend/prendra/sur/avec/change le/son/pour? vol?
            vole/voyage de
            voyage sur le? vol?
            arrive par/avec le? vol?
        """,
        Entity.USERNAME: """
            en/sur ligne/internet/forum/twitter/instagram/discord/web .. appeler/nomme/surnomme/pseudo/comme/nom
            se fait appeler
            connu/connue/inscrit/inscrite/signe/poste/joue sous/comme
            sous le pseudo/nom
        """,
    },
    asks={
        Entity.CREDIT_CARD_DIGITS: "chiffres | carte .. termine",
        Entity.UTILITY_BILL: "electricite/gaz/eau/chauffage/energie",
        Entity.TRANSACTION_AMOUNT: """
            combien .. paye/vire/depense/verse/envoye/transfere/retire/coute/gagne/paiement/virement/doit/rembourse
            quel .. montant
        """,
        Entity.FLIGHT: """
            ou .. vole/avion
            quand .. avion/vole/decolle
            quel/sur quel vol
            vers .. avion/vole
            quel avion
        """,
        Entity.ADDRESS: "ou .. habite/vit/loge/domicilie | ou habite",
        Entity.APPOINTMENT_DATE: "quand .. rendez-vous/rdv/consultation/visite/convoque | quel jour .. rendez-vous/rdv",
    },
    which="quel quelle quels quelles qui que quoi qu' ou combien pourquoi quand comment lequel",
    links="""
        est etait sont etaient s'appelle appelle nomme reste fut s'eleve eleve elevait monte atteint atteignait ont
        termine s'elevait vaut devient intitule
    """,
    adverbs="actuellement toujours encore officiellement aussi donc ete desormais present se s' ete",
    participles="""
        enregistre enregistree indique indiquee inscrit inscrite note notee note declare prevu prevue fixe fixee reserve
        nomme appele
    """,
    prepositions="comme a au de du en pour le par sous chez d' sur dans",
    articles="le la les l' un une des du de d' au aux cette ce cet",
    joins="""
        de du des d' pour qui que ou chez dans en a au concernant actuel actuelle depuis par principal principale
        traitant traitante soigne suit travaille habituel prescrit l' le la les dont
    """,
    fillers="reserve nom numero n id valeur",
    clauses="mais parce tandis dit disait si",
    indefinite="""
        aucun aucune chaque tout toute toutes tous quelque quelques plusieurs quel quelle certains certaines ce cet
        cette nul
    """,
    owned="le la les l' son sa ses mon ma mes notre votre leur du au aux un une",
    called="appele appelee nomme nommee",
    lead="""
        c' est il elle a son sa le la les l' un une des du de d' oui bien sur travaille chez comme pour sous prend en au
        aux dr docteur dans par cause suivi soigne soignee hopital s' appelle nom etait lui ont prescrit diagnostique
        souffre milite vote depense paie paye on consulte ete opere operee hospitalise atteint atteinte atteint vol
        arrive metier poste traitement monsieur madame avec sur vole politiquement se dit employeur societe entreprise
        voici voila reponse selon mes dossiers donnees crois pense valeur demandee suivante certainement
    """,
    person="""
        son sa ses il elle lui leur patient patiente patients mon ma mes je moi client cliente monsieur madame mme
        employe employee salarie salariee oncle tante soeur frere mere pere collegue voisin voisine m on
    """,
    utilities="electricite gaz eau eaux chauffage energie energetique edf engie electrique",
    transactions="""
        virement vire paiement paye montant transaction depense depenses achat verse versement salaire solde acompte
        retire envoye rembourse
    """,
)

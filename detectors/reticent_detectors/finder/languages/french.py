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
            parti/appartenance/bord
            parti politique
            opinion/opinions/orientation/tendance/convictions/conviction/sensibilite/affiliation/appartenance/etiquette/
                famille/idees/couleur politique/politiques
            bord politique
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
        Entity.JOB_TITLE: """
            travaille/travaillait/travailler/embauche/embauchee/engage/engagee/exerce/recrute/recrutee/emploi/poste/
                employe/employee/carriere/officie/metier/formation/fonction/debute/nommee/nomme .. comme
            travaille/travaillait/embauche/embauchee/engage/engagee/exerce/recrute/recrutee/employe/employee/
                officie comme
            en tant que/qu'
            en qualite de/d'
            metier/poste/profession/fonction/fonctions/titre/emploi/formation/role de/d'
            promu/promue/nomme/nommee/devenu/devenue/diplome/diplomee
            gagne sa vie comme
            de profession/metier/formation ,?
            diplome de/d'
            exerce la profession de/d'
            exerce/exerçait/pratique .. metier/profession/fonction de/d'
            travaille/embauche/embauchee/engage/engagee/recrute/recrutee/employe/employee/nomme/nommee/forme/formee/
                diplome/diplomee/reconverti/reconvertie/installe/installee/debute/debuta/gagne/gagnait .. comme/en/
                qualite
            occupe/obtenu/trouve/decroche/quitte/perdu .. poste/place/emploi/travail de/d'/comme
            son/sa vie comme
            metier/poste/emploi/place/boulot/fonctions/carriere/formation/diplome/titre/cap/stage/travail de/d'/comme
            devenu/devenue/devient/redevenu
            fait/faisait fonction de
            poste/place/emploi/boulot/fonction/fonctions/titre/role/metier/profession/charge/statut/mission/carriere/
                contrat/apprentissage/diplome/brevet/cap/bts/formation/reconversion de/d'/comme/en
            demissionne/demission/quitte/abandonne/lache .. poste/emploi/metier/place/fonction/fonctions de/d'
            bosse/bossait/trime/turbine/oeuvre/sert/depanne/s'installe/installe/installee/reconverti/reconvertie/lance/
                lancee/debute/debutait/commence/commencait/etabli/etablie/inscrit/inscrite/enregistre/enregistree/
                declare/declaree/titularise/titularisee/remplace .. comme
            travaille/bosse/engage/engagee/embauche/embauchee en tant que/qu'
            carriere/retraite comme/de/d'
            profession/metier/fonction : ?
        """,
        Entity.DOCTOR: """
            patient/patiente du/de/d'
            dr/docteur/docteure/professeur/pr
            suivi/suivie/soigne/soignee/opere/operee/examine/examinee/traite/traitee/ausculte/ausculte/realisee/
                prescrit/signe/signee/pratiquee par
            rendez-vous avec
            consulte
            adresse/adressee/oriente/orientee/envoye/envoyee/confie/confiee .. a/au/vers docteur/dr?
            medecin/docteur/dentiste/cardiologue/psychiatre/chirurgien/chirurgienne/generaliste/gynecologue/
                dermatologue/kine/pediatre/ophtalmologue/neurologue/specialiste s' appelle/nomme
            s'appelle/appelle/nomme docteur/dr
            c' est docteur/dr/professeur
            soigne/soignee/suivi/suivie/opere/operee/traite/traitee/examine/examinee/accouche/accouchee/vaccine/
                vaccinee/recu/recue .. par
            rendez-vous/consultation/seance/visite .. avec/chez
            va/allee/alle voir/chez
            psychologue/ophtalmologue/orthodontiste/kine/kinesitherapeute/sage-femme/osteopathe/urologue/therapeute ,/
                est/s'appelle
            medecin/docteur/chirurgien/chirurgienne/specialiste/dentiste qui/de/du .. est/s'appelle/appelle/
                nomme docteur/dr?
            signe/signee/signees/redige/redigee/etabli/etablie/prescrit/prescrite du/par/de docteur/dr/professeur/pr?
            c'est docteur/dr/professeur/le? docteur/dr/professeur?
            adresse/adressee/oriente/orientee/confie/confiee au/a/vers docteur/dr/professeur?
            opere/operee/suivi/suivie/soigne/soignee/examine/examinee/vu/vue/recu/recue/accouche/accouchee par/
                chez docteur/dr/professeur/le? docteur/dr/professeur?
            consulte/consultait/voit/voyait docteur/dr/professeur/le docteur/dr/professeur?
            patient/patiente du/de/d' docteur/dr/professeur?
            rendez-vous/rdv/consultation/visite/seance avec/chez docteur/dr/professeur/le docteur/dr/professeur?
        """,
        Entity.HOSPITAL: """
            hospitalise/hospitalisee/opere/operee/soigne/soignee/admis/admise/accouche/transfere/transferee/traite/
                traitee/decede/decedee/sorti/sortie/suivi/suivie/interne/internee/hospitalisation/sejour/transporte/
                transportee/conduit/emmene/emmenee/patient/patiente/semaines/jours/ne/nee/mort/morte/urgences/operation/
                dialyse/chimiotherapie/consultation/dossier/voir/rendre .. a/au/aux/de/du/dans/vers/l'
            hospitalise/hospitalisee/opere/operee/soigne/soignee/admis/admise/transfere/transferee/traite/traitee/
                decede/sorti/sortie/suivi/suivie a/au/aux/de/du/dans/vers/par
            passe/passee/sejourne/reste/restee/examens/semaine/nuit/mois/rendez-vous/controle/reeducation/chambre/lit/
                service/seance/seances/radio/scanner/bloc/maternite/suivi .. a/au/aux/de/du/dans
            transporte/emmene/emmenee/transfere/conduit/conduite/evacue/evacuee/ramene/amene/amenee/pompiers/samu/
                ambulance .. a/au/vers/aux
            sort/sorti/sortie/sortait/quitte/quittait de/du/d'?
            fait/suit/recoit/subit/subi/passe/a/eu .. dialyse/chimio/chimiotherapie/radiotherapie/examens/examen/
                reeducation/cure/traitement/soins/irm/scanner/operation/controle/kine/transfusion a/au/aux/dans la/l'?
            fait/faire/se/s'est/ete fait? operer/soigner/hospitaliser/suivre/traiter/accoucher/opere/operee a/au/aux/
                dans/par la/l'?
            retablit/remet/recupere/repose/meurt/mort/morte/nait/ne/nee/accouche/accouchait/decede/decedee/dort/lit/
                chambre/service/etage/bloc/urgences/maternite/reanimation .. a/au/aux/dans/de/du la/l'?
            conduit/conduite/emmene/emmenee/transporte/transportee/transfere/transferee/evacue/evacuee/admis/admise/
                dirige/dirigee/oriente/orientee/ramene/envoye/envoyee .. a/au/aux/vers/dans la/l'?
            rentre/rentree/revenu/revenue/sort/sortira/sorti/sortie de/du/d' la/l'?
            rendre/rend visite .. a/au la/l'?
        """,
        Entity.EMPLOYER: """
            travaille/travaillait/travailler/emploi/poste/employe/employee/embauche/embauchee/stage/salarie/salariee/
                recrute/recrutee/carriere/place/retourne/retournee/engage/engagee/demissionne/cdi/contrat .. chez/pour/
                par
            travaille/travaillait/emploi/poste/employe/employee/embauche/embauchee/salarie/salariee/recrute/recrutee/
                stage chez/pour/par/dans
            licencie/licenciee/employe/employee/embauche/embauchee/engage/engagee/recrute/recrutee/paye/payee par
            rejoint/integre/quitte
            demissionne de/d'/du
            demissionne/vire/viree/renvoye/renvoyee/mute/mutee/detache/salarie/salariee/employe/employee/cadre/apprenti/
                apprentie/stagiaire/interimaire/retraite/retraitee/fonctionnaire de/d'/du/chez/par/la/l'/a la?
            livraisons/menages/interim/travaux/remplacements/missions/roule/conduit/vend/livre/travail/bosse/bossait/
                preste .. pour/chez
            licencie/licenciee/embauche/embauchee/recrute/recrutee/vire/viree/renvoye/renvoyee/debauche/debauchee/paye/
                payee/remercie/remerciee .. par/chez
            salaire/paie/paye/fiche/cheque/contrat/cdi/cdd/poste/place/emploi/stage/alternance/carriere/patron/patronne/
                collegue/collegues .. chez/de/par
            verse/paie .. par
            travaille au/a la/l'? service de
            entre/entree/commence/commencait/reste/passe chez/a
            c'est
            pointe/pointait/officie/bosse/bossait/trime/oeuvre/roule/conduit/livre/vend/cuisine/nettoie/code/developpe/
                travaille/travaillait/demarche/preste/interimaire/stagiaire/alternant/alternante/apprenti/apprentie/
                vacataire/cadre/comptable/ouvrier/ouvriere/vendeur/vendeuse/chauffeur/secretaire/technicien/
                technicienne/ingenieur/ingenieure .. chez/pour
            au/sein du/de/d'/des la/l'?
            partie/membre/fait du/de personnel/effectif/equipe/staff/cadres de/d'/du/des la/l'?
            service/solde/compte/ordres/cote/effectifs/effectif/personnel/siege/bureaux/ateliers/entrepot/usine/magasin/
                direction/comptabilite/accueil/standard/equipe de/d'/du/des la/l'?
            touche/recoit/percoit/tire son? salaire/paie/paye/traitement/revenu/revenus de/d'/chez la/l'?
            vient de quitter/rejoindre/integrer la/l'/le?
            quitte/quitter/quittait/rejoint/rejoindre/rejoignait/integre/integrer/fonde/dirige/gere la/l'/le? societe/
                entreprise/maison/groupe/cabinet/firme?
            licencie/licenciee/vire/viree/renvoye/renvoyee/congedie/congediee de chez
            patron/patronne/chef/cheffe/responsable/collegue/collegues/superieur/directeur/directrice/employeur chez/de/
                a/au la?
            societe/entreprise/maison/firme/boite/compagnie/groupe/cabinet
            contrat/cdi/cdd/mission/interim/poste/place/emploi/boulot/job/stage/alternance/apprentissage/essai chez/a/
                au/avec/dans la/l'?
            employe/employee/salarie/salariee/embauche/embauchee/recrute/recrutee/engage/engagee/paye/payee/debauche/
                debauchee a/au/chez/de/par/dans la/l'/le?
            travaille/bosse/travaillait a/au/aux/dans la/l'? societe/entreprise/groupe/cabinet?
        """,
        Entity.DIAGNOSIS: """
            allergique a/au/aux/l'? la/l'?
            souffre/souffrait/souffrir/atteint/atteinte/atteints/malade/mort/morte/meurt/decede/decedee/diagnostic/
                suspicion/soupcon/cas/antecedents/porteur/porteuse/victime de/d'/du/des
            diagnostique/diagnostiquee/diagnostiquer/decele/detecte
            souffre/souffrait .. de/d'/du
            suivi/suivie/traite/traitee/soigne/soignee/hospitalise/hospitalisee/opere/operee/traitement/
                medicaments .. pour/contre
            suivi/suivie/traite/traitee/soigne/soignee/hospitalise/hospitalisee/opere/operee/traitement pour/contre
            vit/vivre/vivait avec
            vit/vivre/vivait .. avec
            a cause de/d'/du/des
            revele/confirme/mentionne/montre/indique/confirment/revelent/montrent
            developpe/contracte/attrape
            arret/maladie pour
            suspicion/diagnostic .. de
            lutte/bat contre
            en raison de/d'/du
            s' agit de/d'/d' un/une?
            bat/battait/lutte/luttait/combat/combattait contre
            annonce/annoncer/symptomes/suites/complications/consequences/traitement/crise/crises/rechute/forme/cas/
                suspicion/signes/risque de/d'/du
            decouvert/decele/detecte/diagnostique/trouve .. chez/a?
            emporte/mort/morte/decede/decedee/meurt .. de/d'/par
            suivi/suivie/soigne/soignee/traite/traitee/opere/operee/hospitalise/hospitalisee/arretee/arrete/conge/
                arret .. pour/d'
            developpe/contracte/attrape/fait/eu
            verdict/resultat/bilan/diagnostic .. est/tombe
        """,
        Entity.PRESCRIPTION: """
            prescrit/prescrite/prescrits/prescrivait/administre/delivre/prescription/ordonnance/injecte
            prescrit/prescrite/donne/ordonnance/administre .. de/du/d'
            donne du/de/d'
            mis/mise/est/reste sous
            dose/doses/prise/comprime/comprimes/boite/traitement/ordonnance/injections/injection de/d'/a/au/pour?
            prend/prends/prenait/avale/recoit tous?
            prend/prends/prenait/avale/recoit
            consiste/repose en/sur
            traite/traitee/soigne/soignee/soulage avec/par/a/au
            soigne .. avec
            mis/mise/passe/passee sous/a/au
            chercher/retirer/achete/acheter
            donne .. de/du/d'
            sans son/sa
            renouvelle/renouveler son/sa?
            prend chaque/quotidiennement/regulierement
            comprime/comprimes de/d'
            dose/doses/posologie/boite/comprime/comprimes/ordonnance/cure/traitement/injection/injections/sirop/gelules/
                flacon de/d'/a/au/par/sous
            mis/mise/met/passe/passee/reste/restee/sous/est sous/a/au
            passer/dormir/vivre/tenir/passe sans/de/d'
            chercher/cherche/recuperer/renouveler son/sa/du/de/d'
            avale/avaler/prend/prendre/prenne/inhale/s'injecte/injecte/gobe chaque?
            remplace/change/arrete/stoppe .. par/le/la?
            ne supporte pas/plus le/la?
        """,
        Entity.NRP: """
            vote/votait/voter/votera/milite/militait/campagne/militant/militante/candidat/candidate/sympathisant/
                sympathisante .. pour/de/du/au/a/chez
            vote/votait/voter/vote milite pour
            milite/militant/militante/adherent/adherente/membre/encarte/encartee/electeur/electrice/partisan/partisane/
                sympathisant/sympathisante pour/de/du/des/d'/au/a/chez
            adhere/adhesion/don/inscrit/inscrite/affilie/affiliee a/au/aux
            etiquette
            politiquement
            politiquement , _ _? _? est/se/reste
            se dit/sent/declare/definit/considere/proclame
            se dit/sent/declare/definit comme
            famille
            opinions
            ses idees sont
            soutient/a rejoint le/la/les
            carte/adherent/adherente/encarte/encartee/membre/elu/elue/inscrit/inscrite/adhere/cotise/don/donne/bulletin/
                voix .. au/a/aux/du/de/des la/l'?
            vote/votait/voter/vota/votera pour/a/au? le/la/les/l'?
            un/une .. convaincu/convaincue
            militant/militante/sympathisant/sympathisante/partisan/partisane/electeur/electrice/candidat/candidate/
                conseiller/conseillere .. du/de/des/pour/chez la/le/les/l'?
            adherent/adherente/membre/elu/elue/candidat/candidate/militant/militante/sympathisant/sympathisante/tete/
                liste/listes/etiquette/couleurs/banniere/carte/cotisation/bulletin/meeting/section/conseiller/
                conseillere/depute/deputee/maire du/de/des/d'/au/aux/chez/sous/pour la/le/les/l'?
            elu/elue/presente/presentee/investi/investie .. sous l' etiquette
            pris/prend/prendre/rendu sa carte au/a/chez la/les?
            adhere/adherait/adhesion/affilie/affiliee/encarte/encartee/inscrit/inscrite au/a/aux/chez la/les?
            vote/vota/votait/voter/votera/vote pour/a le/la/les/l'?
            soutient/soutenait/rejoint/rallie/quitte le/la/les/l'?
            milite/militait/milite au/a/chez/aux/pour/dans la/le/les?
        """,
        Entity.USERNAME: """
            en/sur ligne/internet/forum/twitter/instagram/discord/web .. appeler/nomme/surnomme/pseudo/comme/nom
            se fait appeler
            connu/connue/inscrit/inscrite/signe/poste/joue sous/comme
            sous le pseudo/nom
        """,
    },
    weak={
        Entity.DIAGNOSIS: "a/ait/avait/ai",
        Entity.PRESCRIPTION: "avec/sans/sous du/de/d'/la?",
        Entity.JOB_TITLE: "est/etait/suis/sera/devient | ete .. ans | est/etait un/une/_?",
        Entity.NRP: "est/etait/aux/a",
        Entity.DOCTOR: "voir/vu/voit/consulte",
        Entity.HOSPITAL: "a/au/de",
        Entity.EMPLOYER: """
            chez
            est/etait a/chez/passe/passee/entre/entree/reste/restee la/l'/chez?
            bosse/travaille a/au la/l'?
            a la/au
        """,
    },
    after={
        Entity.DIAGNOSIS: """
            est/etait/c'est,? son/sa/le/la/ce diagnostic/maladie/pathologie/mal
            est la maladie/pathologie
            est le diagnostic/mal
            a/ont ete .. diagnostique/diagnostiquee/decele/decelee/detectee/confirme/confirmee
            est ce dont
            c' est ce dont/qu'
            , c' est .. diagnostic/maladie
            lui a ete diagnostique/diagnostiquee
        """,
        Entity.PRESCRIPTION: """
            a/lui/est .. prescrit/prescrite
            est ce que/qu'
            , c' est ce que/qu'
            est le medicament/traitement
            est son traitement/medicament
            , c' est .. medicament/traitement
        """,
        Entity.EMPLOYER: """
            emploie/employait/embauche/embauchait
            a embauche/embauchee/recrute/recrutee/licencie/licenciee/engage
            l' a embauche/embauchee/recrute/recrutee/licencie/licenciee/engage
            est son employeur/entreprise
            est l' employeur/entreprise
            est la societe/boite
            , c' est .. travaille
            emploie/licencie/embauche/promeut
            vient d' embaucher/engager
            qui .. paie/verse/emploie
            , c' est la? .. travaille/employeur
            est la societe/boite/entreprise/maison
            emploie/employait/paie/paye/embauche/licencie/recrute _ _?
            a embauche/engage/recrute/licencie/vire/promu/debauche/mute/forme/remercie _?
            qui emploie/paie/paye/embauche/employait
            est l'/son employeur/employeuse/patron/entreprise/societe/boite
            est la/le/l' societe/entreprise/firme/boite/groupe/employeur ou/de/d'/qui/pour
            ou travaille/travaillait/bosse/il/elle
            verse son/le salaire
            , c' est la/le/l'/son societe/entreprise/boite/employeur
        """,
        Entity.HOSPITAL: """
            a .. admis/accueilli/opere/soigne/admise/operee/hospitalise/hospitalisee
            est l' hopital/etablissement
            soigne
            a admis/accueilli/opere/soigne/hospitalise/recu/garde/libere/transfere
            soigne/accueille/suit/traite/garde
            est la? ou
            , c' est la? .. soigne/opere/hospitalise
        """,
        Entity.DOCTOR: """
            soigne/suit/traite/opere/examine
            est son/sa medecin/docteur/chirurgien/psychiatre/cardiologue/dentiste
            est le medecin/docteur
            a .. opere/operee/soigne/soignee/examine/examinee/prescrit/appele
            suit .. depuis
            est/etait le/la/l' medecin/docteur/docteure/generaliste/dentiste/cardiologue/psychiatre/chirurgien/
                chirurgienne/gynecologue/dermatologue/neurologue/pediatre/specialiste/oncologue/rhumatologue qui/de/d'/
                du/traitant/traitante
            l' a opere/operee/soigne/soignee/examine/examinee/suivi/suivie
            qui .. soigne/suit/opere/traite
            a diagnostique/opere/soigne/vaccine
            est/etait le/la/son/sa medecin/docteur/chirurgien/chirurgienne/dentiste/psychiatre/cardiologue/gynecologue/
                pediatre/generaliste/specialiste/kine/dermatologue
            a opere/soigne/suivi/examine/ausculte/vaccine/accouche/vu/recu
            opere/soigne/suit/traite/voit/recoit _ _?
            qui a/opere/soigne/suit/traite
            , c' est le/son/sa/la medecin/docteur/chirurgien/chirurgienne/dentiste
            prend/prit en charge
        """,
        Entity.JOB_TITLE: """
            , c' est le/son metier/travail/poste
            est son/sa/le/la metier/profession/poste/travail
            de metier/profession/formation ,
            c' est .. metier
            de metier/profession/formation
            , c' est .. metier/profession/travail/boulot
            est le/son metier/travail/poste
            de/par profession/metier/formation/vocation/etat ,?
            de son/sa etat/profession/metier
            est le/la/son/sa metier/profession/poste/fonction/emploi
            c' est le/son/ce metier/travail/profession/qu'/que
            voila/tel son metier/profession/emploi
            est ce que fait/qu'est
        """,
        Entity.NRP: """
            est son/le parti
            a .. voix/vote
            convaincu/convaincue ,
            de toujours ,
            convaincu/convaincue/declare/declaree/revendique/assumee/assume ,?
            , il/elle/_ _? l'? est/a
            l' est/a depuis/toujours
            compte _ _? parmi
            a/aura/recu le/la/sa voix/vote
            est son/le/sa parti/choix/camp
        """,
    },
    capital={
        Entity.DOCTOR: """
            voir/voit/vu/consulte/consulter
            medecin/dentiste/cardiologue/psychiatre/chirurgien/generaliste/gynecologue/dermatologue ,
            medecin/dentiste/cardiologue/psychiatre/chirurgien/chirurgienne/generaliste/gynecologue/dermatologue/
                neurologue s'appelle/est/etait
        """,
    },
    needs_form={
        Entity.JOB_TITLE: """
            ,
            ancien/ancienne
            est/etait/reste/demeure/fut/sera/devenir/devient/devenu/devenue un/une?
            comme
            soeur/frere/mari/femme/mere/pere ,?
            travaille/bosse comme/en tant que?
            est/etait/suis/sera/fut/devient/devenu/devenue/reste/resta/redevenu/nomme/nommee/elu/elue/promu/promue/
                forme/formee _? un/une?
            dans la vie , il/elle/_ _? est
            comme/en qualite? de/d'?
            voisin/voisine/mari/femme/frere/soeur/pere/mere/fils/fille/oncle/tante/cousin/cousine/ami/amie/collegue/
                compagnon/compagne/locataire/cliente/client _ _? _? ,? est/etait?
            deviendra/devenir/devient/etre/etudie/etudes/reve/revait _? _? _?
            ancien/ancienne/futur/future/ex
            ,
            a ete/longtemps/toujours ete? un/une?
            travaille/bosse/exerce/oeuvre/officie/sert/debute/commence/gagne .. comme/en?
            fait/faisait carriere/office comme/de/d'
            en sa/tant/qualite qualite/que/de? de/d'? un/une?
        """,
        Entity.NRP: """
            est/etait/reste/restee/devenu/devenue/fut/toujours _? _? un/une?
            se dit/sent/declare/definit/considere/proclame/revendique/affirme/presente comme?
            politiquement _? _? _? est/reste/penche/se/plutot? plutot/tres/clairement/resolument/situe? a?
            penche/penchait/situe/ancre/ancree/marque/marquee/classe/classee/vote/votait/voter/votera/vota a/au/aux/
                tres/plutot/toujours?
            famille/milieu/tradition/culture/opinions/idees/convictions/sympathies/sensibilite/tendance/valeurs/
                positions/obedience/etiquette sont/est? plutot/tres/resolument?
            cache/nie/reconnait/avoue/admet/assume/sait qu'/que/etre il/elle? est/etre?
            ne cache pas qu'/que il/elle est
            vient/issu/issue d'une famille/d'un milieu
            un/une vieux/vieille/ancien/ancienne/fervent/fervente/vrai/vraie/ardent/farouche
        """,
    },
    asks={
        Entity.DOCTOR: """
            qui .. soigne/suit/opere/operee/traite/soignee/soigner/examine
            par qui .. soigne/soignee/suivi/suivie/opere/operee
            chez qui .. consulte
        """,
        Entity.DIAGNOSIS: """
            de quoi .. souffre/atteint/atteinte/mort/morte/malade
            de quelle .. souffre
            pourquoi .. arret/hospitalise/hospitalisee/soigne/soignee/suivi/suivie/malade/traitement/hopital/opere/
                operee
            qu' .. diagnostique
            qu' a
        """,
        Entity.HOSPITAL: """
            ou .. soigne/soignee/opere/operee/hospitalise/hospitalisee/accouche/traite/traitee/admis/admise/suivi/suivie
        """,
        Entity.PRESCRIPTION: "que/qu' .. prescrit/prend/prescrite | que prend | avec quoi .. soigne/traite",
        Entity.EMPLOYER: """
            ou .. travaille/employe/employee
            pour/chez qui .. travaille
            qui .. emploie/employeur
            chez qui
            ou travaille
        """,
        Entity.JOB_TITLE: """
            que fait .. vie
            que/qu' .. vie
            dans quoi .. travaille
            que fait .. metier
            comme quoi .. travaille
            que fait-il/fait-elle
        """,
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
        Entity.NRP: "pour qui .. vote/voter | quel parti | politiquement/politique/politiques | pour qui vote",
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
    stop="""
        dernier derniere est etait sont a ont avait sera et ou mais donc car que qui dont depuis pour par avec sans chez
        dans sur sous vers en au aux a il elle ils elles on nous vous je lui son sa ses mon ma mes notre votre leur tous
        toutes chaque fois jour jours deux trois matin soir avant apres pendant il y ne pas plus actuellement
        aujourd'hui hier comme contre entre afin lorsque quand si puis selon contre travaille habite souffre prend vit
        un une cette ce cet le les nommee vendredi samedi dimanche lundi mardi mercredi jeudi aujourd'hui hier convaincu
        convaincue supporte la l' week-end ensuite aussi encore toujours deja demain ici hors lors parmi sauf sinon
        voici voila puisque profession formation metier vocation
    """,
    inside="de du des d' la l' le",
    start="""
        lundi mardi mercredi jeudi vendredi samedi dimanche
        le la les l' un une des du de d' il elle je nous vous ils elles on ce cet cette ces desole oui non pas aucun
        aucune bien malheureusement si et ou mais qui que quoi dont tout tous toute toutes rien quelque plus tres son sa
        ses mon ma mes notre votre leur en au aux pour par avec sans inconnu confidentiel monsieur madame mme ne y c'est
        actuellement etre avoir ete plutot resolument clairement toujours vieux vieille fervent fervente convaincu
        convaincue devenir redevenir
    """,
    idioms="""
        part place soin note conscience garde peur faim soif froid chaud raison tort besoin envie lieu fin charge acte
        compte choc chaleur rire honte mal tort temps forme cours fait train bus main parole fuite vie pied pieds
        plaisir droit idee force pression contrat terre eau mer terme condition reserve titre ordre meme ceux nouveau
        faute suite coup nom peine beaucoup manque chagrin faim solitude vol tram metro avion route taxi car bateau bain
        douche feu
    """,
    utilities="electricite gaz eau eaux chauffage energie energetique edf engie electrique",
    transactions="""
        virement vire paiement paye montant transaction depense depenses achat verse versement salaire solde acompte
        retire envoye rembourse
    """,
)

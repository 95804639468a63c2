"""French wordings."""

LOCALE = "fr_FR"

PROSE = {
    "DIAGNOSIS": """
        Après plusieurs mois d'examens, les médecins ont annoncé à {n} un diagnostic de {v}.
        {n} souffre de {v} depuis de nombreuses années.
        On lui a diagnostiqué {a}{v} au printemps dernier.
        {n} est suivie pour {a}{v} à la consultation externe.
        Il est atteint de {v} et ne travaille plus.
        La patiente a été hospitalisée pour une suspicion de {v}.
        Les analyses ont confirmé {a}{v} et le traitement commence lundi.
        Son arrêt de travail mentionne {a}{v}.
        {n} vit avec {a}{v} depuis l'adolescence.
        Parmi ses antécédents médicaux figure {v}.
        {n} se fait soigner pour {a}{v}.
        Mon oncle {n} est mort de {v} à soixante ans.
        Personne au bureau ne savait qu'elle avait {a}{v}.
        ^ {a}{v} : voilà ce que les médecins ont trouvé chez {n}.
        ^ {a}{v} est la maladie contre laquelle {n} se bat.
        De quoi souffre {n} ? || {v}.
        Quel est le diagnostic de {n} ? || On lui a trouvé {a}{v}.
        Pourquoi {n} est-il en arrêt maladie ? || À cause de {v}.
    """,
    "PRESCRIPTION": """
        Son médecin traitant a prescrit {a}{v} à {n}.
        {n} prend {a}{v} tous les matins.
        Depuis l'opération, il est sous {v}.
        On lui a donné {a}{v} contre la douleur.
        La patiente reçoit {a}{v} deux fois par jour.
        {n} est allée chercher {a}{v} à la pharmacie.
        L'ordonnance de {n} comporte {a}{v}.
        À cause des effets secondaires, on l'a fait passer à {v}.
        Elle soigne ses symptômes avec {a}{v}.
        Le traitement de {n} consiste en {v}.
        Le psychiatre l'a mis sous {v} en janvier.
        {n} ne peut pas dormir sans {v}.
        ^ {a}{v} a été prescrit à {n} pour sa tension.
        ^ {a}{v}, c'est ce que {n} prend avant de se coucher.
        Quel médicament prend {n} ? || {v}.
        Qu'est-ce que le médecin a prescrit à {n} ? || Il lui a prescrit {a}{v}.
        Quel est le traitement de {n} ? || Elle est sous {v}.
    """,
    "EMPLOYER": """
        {n} travaille chez {v} depuis la fin de ses études.
        Il est employé par {v}.
        Elle a rejoint {v} en 2018.
        {n} vient de décrocher un poste chez {v}.
        Après son congé, elle est retournée chez {v}.
        Son employeur est {v}.
        {n} a démissionné de {v} au mois de mai.
        Elle dirige la comptabilité de {v}.
        {n}, salariée de {v}, n'a pas souhaité répondre.
        Il a été licencié par {v} au printemps.
        L'entreprise où travaille {n} s'appelle {v}.
        D'après son contrat, {n} est salarié de {v}.
        Elle a fait son stage chez {v} avant d'y être embauchée.
        ^ {v} a embauché {n} dès sa sortie de l'école.
        ^ {v} emploie {n} au service juridique.
        Où travaille {n} ? || {v}.
        Chez qui travaille {n} ? || Elle travaille chez {v}.
        Quel est l'employeur de {n} ? || C'est {v}.
    """,
    "JOB_TITLE": """
        {n} travaille comme {v} à Lyon.
        {n} est {v} de profession.
        Elle gagne sa vie comme {v}.
        Il exerce le métier de {v}.
        {n} a été promu {v} l'an dernier.
        Depuis janvier, elle occupe le poste de {v}.
        Il a une formation de {v}.
        {n} a été pendant vingt ans {v} dans la même entreprise.
        Sa carte de visite indique {v}.
        On l'a engagé en tant que {v}.
        {n} cherche un emploi de {v}.
        Ancien {v}, {n} profite maintenant de sa retraite.
        Avant de déménager, elle était {v}.
        ^ {v} de métier, {n} connaît bien le problème.
        ^ {v}, c'est le métier que {n} a toujours voulu faire.
        Que fait {n} dans la vie ? || Elle est {v}.
        Quelle est la profession de {n} ? || {v}.
        Quel est son métier ? || Il travaille comme {v}.
    """,
    "DOCTOR": """
        {n} a rendez-vous avec le docteur {v} jeudi.
        Son médecin traitant, {v}, l'a adressée à un spécialiste.
        L'opération a été réalisée par le Dr {v}.
        {n} est suivie depuis des années par le Dr {v}.
        Son cardiologue s'appelle {v}.
        Merci d'envoyer les résultats au docteur {v}.
        Selon le professeur {v}, il n'y a pas lieu de s'inquiéter.
        {n} consulte la docteure {v} pour ses migraines.
        Le certificat est signé par {v}, médecin généraliste.
        Le médecin qui soigne {n} est {v}.
        Pour un second avis, elle est allée voir {v}, neurologue à Nantes.
        Sa psychiatre, {v}, a modifié la dose.
        ^ {v} soigne {n} depuis l'enfance.
        ^ Le Dr {v} a appelé {n} hier pour les résultats.
        Qui est le médecin de {n} ? || {v}.
        Quel médecin suit {n} ? || C'est le docteur {v}.
        Qui a opéré {n} ? || Elle a été opérée par {v}.
    """,
    "HOSPITAL": """
        {n} a été transportée à l'{v} par les pompiers.
        Elle a accouché à l'{v} dimanche matin.
        Il est soigné à l'{v}.
        L'opération aura lieu à l'{v} mardi prochain.
        {n} est hospitalisé à l'{v} depuis lundi.
        Elle est sortie de l'{v} vendredi.
        On l'a transféré à l'{v} pendant la nuit.
        Son dossier se trouve à l'{v}.
        {n} se rend trois fois par semaine à l'{v} pour sa dialyse.
        Il a passé deux semaines à l'{v} après l'accident.
        {n} est décédé à l'{v} entouré des siens.
        Vous pouvez rendre visite à {n} à l'{v}, chambre 12.
        ^ L'{v} a admis {n} pour des douleurs à la poitrine.
        ^ C'est à l'{v} que {n} s'est fait opérer du genou.
        Dans quel hôpital se trouve {n} ? || {v}.
        Où {n} a-t-elle été opérée ? || À l'{v}.
        Où est soigné {n} ? || Il est soigné à l'{v}.
    """,
    "FLIGHT:route": """
        {n} prend l'avion de {v}.
        Le vol de {v} est réservé au nom de {n}.
        Elle a un billet pour le trajet {v}.
        Son prochain voyage est un vol {v}.
        {n} s'envole de {v}.
        D'après la réservation, il voyage de {v}.
        ^ {v} : c'est le vol que {n} a réservé.
        Quel vol {n} a-t-elle réservé ? || {v}.
        Quand et où part {n} ? || Elle part de {v}.
    """,
    "FLIGHT:number": """
        {n} voyage sur le vol {v}.
        Son avion, le {v}, décolle à six heures dix.
        Il a raté le {v} et a dû dormir à l'aéroport.
        Va chercher {n}, elle arrive par le {v}.
        Nous l'avons replacé sur le {v}.
        La carte d'embarquement du {v} est au nom de {n}.
        ^ Le {v}, c'est le vol de {n}.
        Quel est le numéro de vol de {n} ? || {v}.
        Sur quel vol est-elle ? || Elle est sur le {v}.
    """,
    "TRANSACTION_AMOUNT": """
        {n} a viré {v} à sa sœur hier.
        Il a payé la voiture {v} en liquide.
        Un paiement de {v} a été reçu de {n}.
        Elle a retiré {v} au distributeur.
        La banque a débité {n} de {v} par erreur.
        {n} doit encore {v} à son propriétaire.
        Son salaire s'est élevé à {v} le mois dernier.
        La facture réglée par {n} était de {v}.
        {n} a été remboursée de {v}.
        Elle a versé un acompte de {v}.
        Il m'a envoyé {v} avec l'application.
        Le solde du compte de {n} est de {v}.
        ^ {v} ont été prélevés ce matin sur le compte de {n}.
        ^ {v}, c'est ce que {n} lui a prêté.
        Combien {n} a-t-elle viré ? || {v}.
        Quel est le montant du paiement ? || Le paiement était de {v}.
        Combien a dépensé {n} ? || Elle a dépensé {v}.
    """,
    "UTILITY_BILL": """
        La facture d'électricité de {n} était de {v} le mois dernier.
        Elle paie {v} par mois pour le gaz et l'électricité.
        La compagnie des eaux lui a facturé {v}.
        Ses frais de chauffage ont atteint {v} cet hiver.
        {n} dépense environ {v} en charges.
        La dernière facture d'eau s'élevait à {v}.
        {n} a du retard sur sa facture de gaz et doit {v}.
        Son fournisseur d'énergie prélève {v} chaque mois.
        Pour l'eau, on a compté {v} à {n}.
        Les charges de l'appartement de {n} se montent à {v}.
        Sa mensualité d'électricité est de {v}.
        Il a été choqué par une facture de gaz de {v}.
        ^ {v}, voilà ce que {n} paie pour l'électricité.
        ^ {v} partent chaque mois dans le chauffage de {n}.
        À combien s'élève la facture d'électricité de {n} ? || {v}.
        Combien paie-t-elle pour le gaz ? || Elle paie {v}.
        Combien {n} doit-il pour l'eau ? || Il doit {v}.
    """,
    "NRP:party": """
        {n} vote pour {a}{v} depuis toujours.
        Elle est encartée chez {a}{v}.
        Il est adhérent de {a}{v} depuis 2012.
        {n} milite pour {a}{v}.
        Elle s'est présentée aux municipales sous l'étiquette {a}{v}.
        {n} a quitté {a}{v} l'année dernière.
        Il a fait un don à {a}{v}.
        ^ {a}{v} a toujours eu la voix de {n}.
        Pour quel parti vote {n} ? || {a}{v}.
        Dans quel parti milite-t-il ? || Il milite chez {a}{v}.
    """,
    "NRP:view": """
        Politiquement, {n} est {v}.
        {n} se dit {v}.
        Ses opinions politiques sont {v}.
        Elle ne cache pas qu'elle est {v}.
        {n} vient d'une famille {v}.
        Sur la plupart des sujets, il se sent {v}.
        ^ {v} convaincu, {n} n'en parle jamais au travail.
        Quelles sont les opinions politiques de {n} ? || {v}.
        Où se situe-t-elle politiquement ? || Elle est {v}.
    """,
    "VEHICLE_ID": """
        Le chauffard a pris la fuite au volant d'une berline noire immatriculée {v}.
        {n} roule dans une vieille camionnette dont la plaque est {v}.
        D'après la carte grise, le véhicule de {n} porte le numéro de châssis {v}.
        La voiture de {n}, immatriculation {v}, est partie à la fourrière ce matin.
        Elle a été flashée à 148 km/h sur l'autoroute, plaque {v}.
        L'assureur a demandé le VIN à {n}, qui a répondu {v}.
        Un voisin a eu le réflexe de noter la plaque, {v}, quand {n} a démarré.
        Merci d'ouvrir la barrière à {n}, son véhicule est immatriculé {v}.
        Le certificat de cession signé par {n} indique {v} comme numéro d'identification du véhicule.
        Son scooter a été retrouvé au fond du canal, on pouvait encore lire {v} sur la plaque.
        Le numéro de série frappé sur le châssis de sa moto est {v}.
        Vous avez enregistré le contrat de {n} avec une mauvaise immatriculation : la bonne est {v}.
        Un procès-verbal a été dressé contre {n} pour stationnement gênant, plaque relevée : {v}.
        Mon beau-frère s'est garé devant chez vous, c'est la plaque {v}.
        Pour la campagne de rappel, le garage a retrouvé {n} grâce au numéro VIN {v}.
        {n} a loué un utilitaire immatriculé à l'étranger sous le numéro {v}.
        ^ {v}, c'est la plaque de la voiture que {n} laisse toujours devant mon portail.
        ^ {v} : voilà l'immatriculation que {n} a donnée à l'accueil du camping.
        ^ {v} est le numéro de châssis du camping-car que {n} vient de vendre.
        Quelle est l'immatriculation de {n} ? || {v}.
        Vous avez le VIN de son véhicule ? || Oui, c'est le {v}.
        Quelle plaque avait la voiture qui vous a percuté ? || Elle portait la plaque {v}.
    """,
    "DEVICE_ID": """
        Le téléphone volé à {n} porte le numéro de série {v}.
        {n} a reçu un ordinateur portable professionnel, n° de série {v}, le jour de son arrivée.
        Veuillez bloquer le portable de {n}, dont l'IMEI est {v}.
        Son stimulateur cardiaque est enregistré sous le numéro de série {v}.
        Sur la carte d'implant que {n} garde dans son portefeuille, on lit le numéro de série {v}.
        Le service informatique a effacé la tablette de {n}, identifiant de l'appareil {v}.
        La pompe à insuline remise à {n} (numéro de série {v}) fait l'objet d'un rappel.
        Elle a composé le *#06# et le numéro IMEI {v} s'est affiché.
        Les enquêteurs ont attribué le téléphone à {n} grâce à l'IMEI {v}.
        La connexion à son compte provenait d'un appareil portant l'identifiant {v}.
        Pour la garantie de ses appareils auditifs, {n} a fourni le numéro de série, à savoir {v}.
        Au dos de son appareil photo est gravé le numéro de série {v}.
        La carte SIM livrée à {n} a pour numéro de série {v}.
        J'ai appairé ta montre, son identifiant d'appareil est {v}.
        Au dépôt de plainte, {n} a dicté au policier l'IMEI de son mobile : {v}.
        On a rendu à {n} sa console réparée, numéro de série {v}.
        Les messages anonymes sont partis du terminal de {n}, ID matériel {v}.
        ^ {v}, c'est le numéro de série du défibrillateur implanté à {n}.
        ^ {v} était l'IMEI du téléphone que {n} a jeté dans le fleuve.
        Quel est le numéro de série de l'ordinateur de {n} ? || {v}.
        Pouvez-vous me donner l'IMEI du téléphone perdu ? || Bien sûr, c'est {v}.
        Quel appareil est associé au compte de {n} ? || Celui dont l'identifiant est {v}.
    """,
    "COORDINATES": """
        {n} habite une ferme isolée au point {v}, à une heure de marche du village.
        Son téléphone a borné pour la dernière fois à {v} peu avant minuit.
        Les secours ont retrouvé {n} en hypothermie à la position {v}.
        Il a laissé le fourgon garé en {v}, les clés sont sur la roue.
        D'après la balise, la voiture de {n} n'a pas quitté {v} depuis vendredi.
        Entre {v} dans ton GPS et tu arriveras juste devant chez nous.
        Les métadonnées de sa photo révèlent qu'elle a été prise à {v}, dans son jardin.
        {n} a été vue pour la dernière fois aux abords de {v}, vêtue d'un anorak rouge.
        Au moment des faits, la géolocalisation situait le suspect à {v}.
        {n} a partagé par erreur sa position, {v}, avec toute la classe.
        Appel reçu de {n}, chute en VTT, coordonnées GPS {v}, jambe probablement fracturée.
        Chaque sortie de son application de course part de {v}, autrement dit de sa porte.
        Le bracelet électronique de {n} a émis depuis {v} trois nuits de suite.
        Le dernier signal du voilier de {n} vient de {v}.
        On campe ce soir à {v}, rejoignez-nous !
        {n} a demandé que le drone dépose ses médicaments aux coordonnées {v}.
        La cabane où se cachait {n} se trouve exactement à {v}.
        ^ {v}, c'est l'endroit où {n} a éteint son portable.
        ^ {v} : c'est là qu'il a demandé {n} en mariage.
        Où {n} a-t-elle garé la voiture ? || {v}.
        Tu peux m'envoyer les coordonnées de votre maison ? || Tiens : {v}.
        Où se trouvait {n} à trois heures du matin ? || À {v}, selon son téléphone.
    """,
    "SEXUAL_ORIENTATION": """
        À seize ans, {n} a annoncé à ses parents être {v}.
        Au bureau, tout le monde sait maintenant que {n} est {v}.
        Je suis {v}, mais je préfère que mon chef ne l'apprenne pas.
        {n} se définit comme {v} sur son profil de rencontre.
        Entre nous, {n} est {v}, alors garde ça pour toi.
        {n} n'a jamais caché être {v}.
        {n} demande l'asile : être {v} lui a valu des menaces de mort.
        Depuis que la classe a appris que {n} est {v}, les moqueries ne cessent plus.
        Mes parents n'acceptent toujours pas que je sois {v}.
        Un magazine a révélé sans son accord que {n} était {v}.
        Dans son livre, {n} raconte avoir grandi {v} dans un petit village.
        Anamnèse : se déclare {v}, vit en couple depuis quatre ans.
        À la question sur l'orientation sexuelle, {n} a répondu {v}.
        Que {n} soit {v} n'a jamais posé de problème dans la famille.
        C'est à la fac que {n} a compris que le mot juste était {v}.
        Sa mère a pleuré le jour où {n} lui a dit : « Maman, je suis {v}. »
        {n} est {v} et en parle sans gêne avec ses élèves.
        ^ {v} depuis toujours, {n} n'en a parlé à sa famille qu'à quarante ans.
        ^ {v} : c'est le mot que {n} emploie pour se décrire.
        Quelle est l'orientation sexuelle de {n} ? || {v}.
        {n} aime plutôt les hommes ou les femmes ? || On m'a dit {v}.
        Comment {n} se définit sur le plan sexuel ? || Comme {v}.
    """,
    "CRIMINAL_RECORD": """
        {n} a été condamné à trois ans de prison pour {v}.
        Elle a déjà un casier judiciaire pour {v}.
        La police a interpellé {n} dimanche soir pour {v}.
        Le tribunal correctionnel a reconnu {n} coupable de {v}.
        Mis en examen pour {v}, {n} clame son innocence.
        Son ex-mari purge une peine de cinq ans pour {v}.
        Le parquet soupçonne {n} de {v}.
        {n} comparaîtra en mars devant le tribunal pour répondre de {v}.
        Mon ancien propriétaire a fait de la prison pour {v}, figurez-vous.
        Lors de l'entretien, {n} a passé sous silence une condamnation pour {v}.
        Il a écopé de six mois avec sursis pour {v}.
        Les gendarmes ont placé {n} en garde à vue, l'affaire porte sur des faits de {v}.
        Libérée sous contrôle judiciaire, {n} reste poursuivie pour {v}.
        Sa demande de naturalisation a été rejetée à cause d'une vieille affaire de {v}.
        {n} a plaidé coupable de {v} pour éviter un long procès.
        À dix-neuf ans, il était déjà incarcéré pour {v}.
        ^ {v} : tel est le chef d'accusation retenu contre {n}.
        ^ Pour {v}, {n} a passé dix-huit mois derrière les barreaux.
        ^ {v}, voilà ce qui figure au casier de {n}.
        Pour quoi {n} a-t-il été condamné ? || {v}.
        Pourquoi est-elle allée en prison ? || Pour {v}.
        De quoi accuse-t-on {n} ? || On l'accuse de {v}.
    """,
    "NRP:belief": """
        {n} est {a}{v} et ne s'en cache pas.
        Elle a grandi dans une famille {a}{v}.
        Il se dit {a}{v} depuis une dizaine d'années.
        Merci de tenir compte, pour le menu, du fait que {n} est {a}{v}.
        Son fiancé est {a}{v}, ce qui contrarie beaucoup ses parents.
        Je suis {a}{v}, mais mon mari ne partage pas mes convictions.
        À son admission, {n} a précisé être {a}{v}.
        {n} se déclare {a}{v} dans le formulaire de la maison de retraite.
        Après la mort de son père, {n} a beaucoup lu et se considère aujourd'hui comme {a}{v}.
        Persécuté dans son pays parce qu'il était {a}{v}, il a obtenu l'asile.
        Mon voisin {n} est {a}{v} et adore parler de Dieu pendant des heures.
        Comme toute la famille de son mari, elle est {a}{v}.
        L'aumônier a noté que {n} est {a}{v} avant de passer dans la chambre.
        {n} reste {a}{v} malgré tout ce qui s'est passé.
        Côté religion, elle est {a}{v}, comme sa grand-mère.
        Le maire, {n}, est {a}{v} et l'a rappelé pendant la cérémonie.
        Ils se sont mariés seulement à la mairie, car il est {a}{v} et elle non.
        ^ {a}{v} comme ses parents, {n} a transmis ses convictions à ses enfants.
        ^ {a}{v} : c'est ce que {n} répond quand on l'interroge sur sa foi.
        Quelle est la religion de {n} ? || {a}{v}.
        En quoi croit {n} ? || Elle est {a}{v}, je crois.
        Tu connais ses convictions religieuses ? || Oui, il est {a}{v}.
    """,
}

HARMLESS = """
    Le diagnostic n'est pas encore connu.
    Un diagnostic se pose après un examen attentif.
    Le traitement est plus efficace quand il commence tôt.
    Prenez vos médicaments comme indiqué sur la boîte.
    Il travaille chez lui la plupart du temps.
    Elle travaille beaucoup et dort peu.
    Le médecin va vous recevoir.
    L'hôpital se trouve au bout de la rue.
    Le vol a été retardé par le brouillard.
    Combien de temps dure le vol ?
    La facture d'électricité est à payer à la fin du mois.
    Il a perdu son emploi quand l'usine a fermé.
    Son employeur s'est montré très compréhensif.
    La politique l'ennuie.
    Il souffre de la chaleur.
    Le virement prend en général un jour ouvré.
    Je ne peux pas donner d'informations médicales sur une personne.
    Elle est sous le choc.
    Il est mort de rire.
    Son métier lui plaît.
    Le cambriolage est puni par la loi de plusieurs années de prison.
    Les écoles catholiques ont rouvert lundi.
    L'aspirateur VX-3200 est en promotion jusqu'à samedi.
    Placez les points de coordonnées (3,5 ; 2,1) et (4,2 ; 7,8) dans le repère.
    La dépénalisation de l'homosexualité a marqué l'histoire du pays.
    Le chocolat noir est un péché mignon très répandu.
    Ce polar s'ouvre sur un braquage et se termine par un mariage.
    Dans le prochain épisode, le commissaire se retrouve en garde à vue.
    Le numéro de série se trouve sous l'appareil.
    Toute voiture doit porter une plaque d'immatriculation lisible.
    Les bouddhistes du monde entier célèbrent cette fête en mai.
    La plaque de cuisson chauffe en deux minutes.
"""

LABELS = {
    "ADDRESS": "Adresse; Adresse postale; Domicile",
    "PHONE_NUMBER": "Téléphone; Portable; Numéro de téléphone; Tél.",
    "EMAIL_ADDRESS": "E-mail; Courriel; Adresse e-mail",
    "BANK_ACCOUNT": "Numéro de compte; Compte bancaire; N° de compte",
    "TRANSACTION_AMOUNT": "Montant; Montant du virement; Montant payé; Total réglé",
    "DIAGNOSIS": "Diagnostic; Diagnostic principal; Maladie; Pathologie",
    "PRESCRIPTION": "Ordonnance; Médicament; Traitement; Traitement en cours",
    "ORDER_NUMBER": "Numéro de commande; Commande; N° de commande",
    "FLIGHT": "Vol; Trajet; Vol réservé",
    "CREDIT_CARD_DIGITS": "Quatre derniers chiffres; Carte se terminant par; Fin de carte",
    "DOCTOR": "Médecin; Médecin traitant; Docteur; Chirurgien",
    "HOSPITAL": "Hôpital; Clinique; Établissement de soins; Centre hospitalier",
    "EMPLOYER": "Employeur; Entreprise; Société; Employeur actuel",
    "JOB_TITLE": "Profession; Métier; Poste; Fonction",
    "UTILITY_BILL": "Facture d'électricité; Facture de gaz; Charges mensuelles",
    "APPOINTMENT_DATE": "Rendez-vous; Prochain rendez-vous; Date du rendez-vous",
    "CREDIT_CARD": "Carte bancaire; Numéro de carte; Carte de crédit",
    "IBAN_CODE": "IBAN; RIB; Coordonnées bancaires",
    "NATIONAL_ID": "Numéro de sécurité sociale; Carte d'identité; NIR",
    "TAX_ID": "Numéro fiscal; Identifiant fiscal; SPI",
    "PASSPORT": "Passeport; Numéro de passeport; N° de passeport",
    "DRIVER_LICENSE": "Permis de conduire; Numéro de permis; N° de permis",
    "MEDICAL_RECORD_NUMBER": "Numéro de dossier; Dossier médical; Numéro de patient",
    "BIOMETRIC_ID": "Identifiant biométrique; Empreinte digitale; ID empreinte",
    "DATE_OF_BIRTH": "Date de naissance; Né le; Née le",
    "IP_ADDRESS": "IP; Adresse IP; Dernière IP",
    "MAC_ADDRESS": "MAC; Adresse MAC; Adresse matérielle",
    "URL": "Site web; Page personnelle; Profil",
    "CRYPTO": "Portefeuille; Adresse du portefeuille; Adresse Bitcoin",
    "SECRET_KEY": "Clé API; Jeton d'accès; Clé secrète",
    "PASSWORD": "Mot de passe; Mot de passe provisoire; Code d'accès",
    "PIN": "PIN; Code PIN; Code de la carte",
    "USERNAME": "Identifiant; Nom d'utilisateur; Pseudo",
    "NRP": "Parti; Parti politique; Appartenance politique",
    "PERSON": "Nom; Nom complet; Patient; Contact",
    "LOCATION": "Ville; Lieu de naissance; Commune",
    "ORGANIZATION": "Organisation; Association; Organisme",
    "VEHICLE_ID": "Immatriculation; Plaque d'immatriculation; N° d'immatriculation; Numéro de châssis; VIN",
    "DEVICE_ID": "Numéro de série; N° de série; IMEI; Identifiant de l'appareil",
    "COORDINATES": "Coordonnées GPS; Position GPS; Coordonnées géographiques; Dernière position connue",
    "SEXUAL_ORIENTATION": "Orientation sexuelle; Sexualité; Orientation",
    "CRIMINAL_RECORD": "Casier judiciaire; Condamnation; Antécédents judiciaires; Infraction",
}

VALUES = {
    "DIAGNOSIS": (
        "un |diabète de type 2; une |sclérose en plaques; de l'|asthme; une |polyarthrite rhumatoïde; "
        "un |trouble bipolaire; la |maladie de Crohn; un |cancer du sein; une |insuffisance rénale; "
        "la |maladie de Parkinson; une |épilepsie; une |hépatite C; le |VIH; des |migraines chroniques; "
        "une |dépression; une |hypertension; la |maladie de Lyme; une |leucémie; un |psoriasis; une |endométriose; "
        "une |apnée du sommeil; une |hypothyroïdie; la |goutte; une |schizophrénie; un |lupus; une |fibromyalgie; "
        "un |glaucome; une |bronchite chronique"
    ),
    "PRESCRIPTION": (
        "de la |metformine; du |Doliprane 1000 mg; de l'|amoxicilline; du |Levothyrox; du |ramipril; "
        "de l'|insuline; de la |prednisone; du |Xanax; de l'|oméprazole; de l'|atorvastatine 20 mg; "
        "de la |Ventoline; du |méthotrexate; du |lithium; du |Seroplex; du |tramadol; de l'|Eliquis; "
        "du |bisoprolol; du |Lexomil; de l'|ibuprofène 400; de la |sertraline"
    ),
    "JOB_TITLE": (
        "infirmier; boulanger; professeur des écoles; comptable; plombier; ingénieur informatique; avocat; "
        "chauffeur de bus; vétérinaire; électricien; assistante sociale; coiffeuse; architecte; pharmacien; "
        "serveuse; menuisier; chef de projet; kinésithérapeute; agent immobilier; bibliothécaire; aide-soignante; "
        "directeur commercial; maçon; journaliste"
    ),
    "COMPANY": (
        "Transports Vauquelin; Lumière & Fils; Boulangerie Marceau; Groupe Sévigné; Atlantis Conseil; "
        "Fonderies du Rhône; Assurances Clairval; Novatek Logiciels; Société Générale du Bois; Cabinet Lemercier; "
        "Éditions du Phare; Pharmadis SA; Garage Tissier; Horizon Énergie SARL"
    ),
    "HOSPITAL": (
        "hôpital Saint-Roch; hôpital de la Croix-Verte; Hôpital européen de Sambre; hôpital Sainte-Claire; "
        "Hôpital Nord de Valmy; hôpital Bel-Air; Hôpital universitaire de Corvan; hôpital des Tilleuls; "
        "Institut Bergeron; hôpital militaire Desaix; Hôpital Marie-Lannelongue"
    ),
    "CITY": "Paris; Lyon; Marseille; Bruxelles; Genève; Toulouse; Nantes; Bordeaux; Lille; Montréal; Nice; Strasbourg",
    "ROUTE": "{a} à {b} le {day}",
    "AMOUNT": (
        "1 250 €; 84,99 €; 320 euros; 12 400,00 €; 450 euros; 1 999,50 EUR; 60 €; 2300 euros; 7 800 euros; "
        "415,20 €; 980 EUR; 35 euros"
    ),
    "BILL": "142,60 €; 96 euros; 88 €; 310 euros; 210,45 €; 175 euros; 64,15 EUR; 95 €; 230 euros",
    "PARTY": (
        "la |France insoumise; le |Parti socialiste; les |Républicains; le |Rassemblement national; Renaissance; "
        "Europe Écologie Les Verts; le |Parti communiste; le |MoDem; Reconquête"
    ),
    "VIEW": (
        "de gauche; de droite; centriste; socialiste; communiste; libéral; conservateur; écologiste; anarchiste; "
        "gaulliste; d'extrême gauche"
    ),
    "SEXUAL_ORIENTATION": (
        "gay; lesbienne; homosexuel; homosexuelle; bisexuel; bisexuelle; bi; pansexuel; pansexuelle; asexuel; "
        "hétérosexuelle; queer; hétéro; homo"
    ),
    "CRIMINAL_RECORD": (
        "vol à main armée; fraude fiscale; escroquerie; abus de confiance; trafic de stupéfiants; "
        "conduite en état d'ivresse; cambriolage; violences conjugales; homicide involontaire; "
        "blanchiment d'argent; recel; faux et usage de faux; détournement de fonds; délit de fuite"
    ),
    "BELIEF": (
        "catholique; bouddhiste; athée; agnostique; orthodoxe; hindouiste; évangélique; témoin de Jéhovah; "
        "adventiste; sunnite; de confession |musulmane; de confession |juive; de confession |protestante"
    ),
}

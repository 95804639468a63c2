"""Italian wordings."""

LOCALE = "it_IT"

PROSE = {
    "DIAGNOSIS": """
        Dopo mesi di esami, i medici hanno comunicato a {n} che si trattava di {v}.
        {n} soffre di {v} da molti anni.
        A mia sorella {n} è stata diagnosticata {v} la primavera scorsa.
        {n} è in cura per {v} all'ambulatorio.
        È affetto da {v} e non lavora più.
        La paziente è stata ricoverata per sospetto di {v}.
        Gli esami hanno confermato {v} e la terapia comincia lunedì.
        Nel certificato di malattia di {n} c'è scritto {v}.
        {n} convive con {v} fin dall'adolescenza.
        Nella sua storia clinica risulta {v}.
        Mio zio {n} si è ammalato di {v} a cinquant'anni.
        In ufficio nessuno sapeva che aveva {v}.
        Il referto di {n} parla di {v}.
        ^ {v} è quello che i medici hanno trovato a {n}.
        ^ {v} è la malattia contro cui combatte {n}.
        Di che cosa soffre {n}? || {v}.
        Qual è la diagnosi di {n}? || Le hanno diagnosticato {v}.
        Perché {n} è in malattia? || Per {v}.
    """,
    "PRESCRIPTION": """
        Il medico di base ha prescritto {v} a {n}.
        {n} prende {v} tutte le mattine.
        Dopo l'operazione gli danno {v}.
        Per il dolore le hanno dato {v}.
        La paziente assume {v} due volte al giorno.
        {n} ha ritirato {v} in farmacia.
        Sulla ricetta di {n} c'è {v}.
        A causa degli effetti collaterali è passato a {v}.
        Tiene sotto controllo i sintomi con {v}.
        La terapia di {n} consiste in {v}.
        Lo psichiatra lo ha messo sotto {v} a gennaio.
        {n} non riesce a dormire senza {v}.
        ^ {v} è stato prescritto a {n} per la pressione.
        ^ {v} è quello che {n} prende la sera.
        Che medicina prende {n}? || {v}.
        Che cosa ha prescritto il medico a {n}? || Le ha prescritto {v}.
        Con che cosa si cura {n}? || Con {v}.
    """,
    "EMPLOYER": """
        {n} lavora per {v} da quando si è laureata.
        È dipendente di {v}.
        È entrato in {v} nel 2018.
        {n} ha appena trovato un posto alla {v}.
        Dopo la maternità è tornata in {v}.
        Il suo datore di lavoro è {v}.
        {n} si è licenziato da {v} a maggio.
        Segue la contabilità di {v}.
        {n}, impiegata presso {v}, non ha voluto commentare.
        È stato licenziato da {v} in primavera.
        L'azienda per cui lavora {n} si chiama {v}.
        Secondo il contratto, {n} è assunto da {v}.
        Ha fatto lo stage presso {v} e poi l'hanno assunta.
        ^ {v} ha assunto {n} appena finita l'università.
        ^ {v} è l'azienda in cui lavora {n}.
        Dove lavora {n}? || {v}.
        Per chi lavora {n}? || Lavora per {v}.
        Qual è il datore di lavoro di {n}? || È {v}.
    """,
    "JOB_TITLE": """
        {n} lavora come {v} a Bologna.
        Di professione {n} fa il {v}.
        Si guadagna da vivere come {v}.
        Esercita la professione di {v}.
        {n} è stato promosso {v} l'anno scorso.
        Da gennaio ricopre il ruolo di {v}.
        {n} ha studiato da {v}.
        L'hanno assunta come {v} in autunno.
        Sul suo biglietto da visita c'è scritto {v}.
        {n} ha trovato un posto da {v}.
        Prima di trasferirsi era {v}.
        La sua professione è {v}.
        {n}, ex {v}, ora si gode la pensione.
        ^ {v} di mestiere, {n} conosce bene il problema.
        ^ Come {v}, {n} viaggia molto.
        Che lavoro fa {n}? || È {v}.
        Qual è la professione di {n}? || {v}.
        Di cosa si occupa? || Lavora come {v}.
    """,
    "DOCTOR": """
        {n} ha un appuntamento con il dottor {v} giovedì.
        Il suo medico di base, {v}, l'ha mandata da uno specialista.
        L'intervento è stato eseguito dal Dr. {v}.
        {n} è seguita da anni dalla dottoressa {v}.
        Il suo cardiologo si chiama {v}.
        Mandi per favore i risultati al dott. {v}.
        Secondo il professor {v} non c'è da preoccuparsi.
        {n} va dalla dott.ssa {v} per l'emicrania.
        Il certificato è firmato da {v}, medico di famiglia.
        Il medico che cura {n} è {v}.
        Per un secondo parere è andata da {v}, neurologo a Pisa.
        La sua psichiatra, {v}, ha cambiato la dose.
        ^ {v} cura {n} fin da bambina.
        ^ Il dottor {v} ha chiamato {n} ieri per i risultati.
        Chi è il medico di {n}? || {v}.
        Quale medico segue {n}? || La segue il dottor {v}.
        Chi ha operato {n}? || L'ha operata {v}.
    """,
    "HOSPITAL": """
        {n} è stata portata in ambulanza all'{v}.
        Ha partorito all'{v} domenica mattina.
        È in cura all'{v}.
        L'intervento si farà all'{v} martedì prossimo.
        {n} è ricoverato all'{v} da lunedì.
        È stata dimessa dall'{v} venerdì.
        Nella notte l'hanno trasferito all'{v}.
        La sua cartella clinica si trova all'{v}.
        {n} va tre volte alla settimana all'{v} per la dialisi.
        Dopo l'incidente ha passato due settimane all'{v}.
        {n} è morto all'{v} circondato dai suoi cari.
        Può andare a trovare {n} all'{v}, stanza 12.
        ^ L'{v} ha accolto {n} con dolori al petto.
        ^ All'{v} hanno operato {n} al ginocchio.
        In quale ospedale si trova {n}? || {v}.
        Dove è stata operata {n}? || All'{v}.
        Dove viene curato {n}? || È in cura all'{v}.
    """,
    "FLIGHT:route": """
        {n} vola da {v}.
        Il volo da {v} è prenotato a nome di {n}.
        Ha un biglietto da {v}.
        Il suo prossimo viaggio è da {v}.
        Secondo la prenotazione, {n} viaggia da {v}.
        Le abbiamo riservato la tratta {v}.
        ^ {v}: è il volo che ha prenotato {n}.
        Quale volo ha prenotato {n}? || {v}.
        Quando e dove vola {n}? || Vola da {v}.
    """,
    "FLIGHT:number": """
        {n} viaggia con il volo {v}.
        Il suo aereo, il {v}, decolla alle sei e dieci.
        Ha perso il {v} e ha dovuto dormire in aeroporto.
        Vai a prendere {n}, arriva con il {v}.
        Lo abbiamo spostato sul {v}.
        La carta d'imbarco del {v} è intestata a {n}.
        ^ Il {v} è il volo di {n}.
        Qual è il numero di volo di {n}? || {v}.
        Con quale volo arriva? || Arriva con il {v}.
    """,
    "TRANSACTION_AMOUNT": """
        {n} ha bonificato {v} a sua sorella ieri.
        Ha pagato l'auto {v} in contanti.
        È arrivato un pagamento di {v} da {n}.
        Ha prelevato {v} al bancomat.
        La banca ha addebitato a {n} {v} per errore.
        {n} deve ancora {v} al padrone di casa.
        Il suo stipendio del mese scorso è stato di {v}.
        La fattura pagata da {n} ammontava a {v}.
        A {n} sono stati rimborsati {v}.
        Ha lasciato un acconto di {v}.
        Mi ha mandato {v} con l'app.
        Il saldo del conto di {n} è di {v}.
        ^ {v} sono stati addebitati stamattina sul conto di {n}.
        ^ {v} è quanto {n} gli ha prestato.
        Quanto ha bonificato {n}? || {v}.
        Di quanto era il pagamento? || Il pagamento era di {v}.
        Quanto ha speso {n}? || Ha speso {v}.
    """,
    "UTILITY_BILL": """
        La bolletta della luce di {n} è stata di {v} il mese scorso.
        Paga {v} al mese per gas e luce.
        L'acquedotto gli ha fatturato {v}.
        Le sue spese di riscaldamento sono arrivate a {v} quest'inverno.
        {n} spende circa {v} per le utenze.
        L'ultima bolletta dell'acqua era di {v}.
        {n} è in ritardo con il gas e deve {v}.
        Il fornitore di energia le addebita {v} ogni mese.
        Per l'acqua hanno chiesto {v} a {n}.
        Le utenze dell'appartamento di {n} ammontano a {v}.
        La sua bolletta elettrica sale a {v}.
        Si è spaventato per una bolletta del gas di {v}.
        ^ {v} paga {n} di luce.
        ^ {v} se ne vanno ogni mese per il riscaldamento di {n}.
        A quanto ammonta la bolletta della luce di {n}? || {v}.
        Quanto paga di gas? || Paga {v}.
        Quanto deve {n} per l'acqua? || Deve {v}.
    """,
    "NRP:party": """
        {n} ha sempre votato {v}.
        È iscritta a {v}.
        È militante di {v} dal 2012.
        {n} ha fatto campagna per {v}.
        Si è candidato alle comunali con {v}.
        {n} ha lasciato {v} l'anno scorso.
        Ha donato dei soldi a {v}.
        ^ {v} ha sempre avuto il voto di {n}.
        Per quale partito vota {n}? || {v}.
        In quale partito milita? || Milita in {v}.
    """,
    "NRP:view": """
        Politicamente {n} è {v}.
        {n} si definisce {v}.
        Le sue idee politiche sono {v}.
        Non nasconde di essere {v}.
        {n} viene da una famiglia {v}.
        Su quasi tutto si sente {v}.
        ^ {v} convinto, {n} non ne parla mai al lavoro.
        Quali idee politiche ha {n}? || {v}.
        Come si colloca politicamente? || È {v}.
    """,
    "NRP:belief": """
        {n} è {v}, ma ai figli lascia libertà di scelta.
        In ospedale {n} ha dichiarato di essere {v}.
        {n} ha deciso di farsi {v} a quarant'anni.
        I compagni di classe sanno che {n} è {v}.
        I suoceri hanno fatto fatica ad accettare {n} perché {v}.
        Si dice {v}, ma non ne parla volentieri.
        Essendo {v}, {n} ha preferito un funerale sobrio.
        Fino ai vent'anni {n} era {v}, poi ha cambiato idea.
        La commissione territoriale non ha creduto che {n} fosse {v}.
        {n} si professa {v} da quando vive a Torino.
        Alla casa di riposo hanno annotato che {n} è {v}.
        Crescere {v} in un paese così piccolo non è stato facile per {n}.
        Con {n}, che è {v}, si finisce sempre a discutere di Dio.
        In un post su Facebook {n} ha rivelato di essere {v}.
        Per il matrimonio misto, il parroco ha preso nota che {n} è {v}.
        Sul lavoro hanno discriminato {n} in quanto {v}.
        {n}, che si considera {v}, fa volontariato in parrocchia.
        ^ {v} per scelta, {n} ne parla nel suo ultimo libro.
        ^ {v}, ecco che cosa ha risposto {n} alla domanda sulla religione.
        Di che religione è {n}? || {v}.
        {n} crede in Dio? || È {v}.
        Quale fede professa? || Si dichiara {v}.
    """,
    "VEHICLE_ID": """
        La targa dell'auto di {n} è {v}.
        {n} guida una Panda bianca targata {v}.
        Il suo scooter, numero di telaio {v}, è stato rubato sotto casa.
        Dalle telecamere della ZTL risulta che la vettura di {n}, targa {v}, è entrata senza permesso.
        Qualcuno conosce {n}? La sua macchina, targa {v}, blocca il cancello.
        Il libretto di circolazione intestato a {n} riporta il telaio {v}.
        La polizza RC di {n} si riferisce al veicolo con targa {v}.
        Un testimone è riuscito a leggere la targa, {v}, e i carabinieri sono risaliti a {n}.
        {n} ha venduto la moto con numero di telaio {v} a un concessionario di Modena.
        Per il pass del condominio ho comunicato la targa di mia moglie, cioè {v}.
        Il carro attrezzi ha portato via il furgone di {n} (VIN {v}).
        A {n} è arrivata una multa per l'auto con targa {v}.
        L'officina ha inserito il VIN {v} nella scheda cliente di {n}.
        Mio fratello gira con una vecchia Alfa, targa {v}.
        Il mezzo fermato al casello, immatricolato con targa {v}, appartiene a {n}.
        Nel verbale c'è scritto che {n} era alla guida del veicolo targato {v}.
        Se vedi parcheggiata una Yaris con la targa {v}, è quella della mia vicina.
        ^ {v} è la targa del camper di {n}.
        ^ {v}: con questo numero di telaio è registrata la macchina di {n}.
        Che targa ha la macchina di {n}? || {v}.
        Mi può dettare il numero di telaio? || Certo, il telaio è {v}.
        Di chi è l'auto in doppia fila? || È di {n}, la targa è {v}.
    """,
    "DEVICE_ID": """
        Il numero di serie del computer di {n} è {v}.
        {n} ha denunciato lo smarrimento del telefono con IMEI {v}.
        Al paziente è stato impiantato un pacemaker, numero di matricola {v}.
        Sul retro del tablet di {n} si legge il numero seriale {v}.
        Il microinfusore in uso a {n} ha il seriale {v}.
        L'azienda ha assegnato a {n} un portatile con numero di serie {v}.
        Il gestore ha bloccato l'apparecchio di {n}, identificato dal codice IMEI {v}.
        Dai tabulati emerge che il cellulare usato da {n} aveva come identificativo {v}.
        La mia stampante non va più, il seriale è {v}, grazie, {n}.
        L'apparecchio acustico del nonno porta il numero di serie {v}.
        Nel registro degli impianti, alla voce protesi di {n}, compare il seriale {v}.
        La SIM di {n} riporta il numero di serie {v}.
        {n} ha collegato al suo account un nuovo dispositivo con ID {v}.
        L'orologio di {n} risulta associato all'identificativo di dispositivo {v}.
        Per la garanzia, {n} ci ha comunicato la matricola del prodotto: {v}.
        Hanno ritrovato lo smartphone di mia figlia grazie all'IMEI, {v}.
        Durante la perquisizione è stato sequestrato a {n} un telefono, IMEI {v}.
        ^ {v} è il numero di serie stampato sul defibrillatore di {n}.
        ^ {v}, ecco l'ID del dispositivo da cui si è collegata {n}.
        Qual è il numero di serie del telefono di {n}? || {v}.
        Ha sottomano il seriale? || Sì, il seriale è {v}.
        Con quale dispositivo ha fatto l'accesso {n}? || Con quello che ha come ID {v}.
    """,
    "COORDINATES": """
        {n} abita in un casale che si trova alle coordinate {v}.
        L'ultima posizione nota di {n} è {v}.
        Il telefono di {n} ha agganciato il GPS a {v} poco prima delle due.
        I soccorritori hanno trovato l'alpinista nel punto {v}.
        Vieni da me, sono a {v}, c'è un cancello verde.
        {n} ha parcheggiato il camper in {v}.
        Il braccialetto elettronico segnalava {n} in {v} alle 22:40.
        La foto pubblicata da {n} contiene le coordinate {v}.
        Il gommone con a bordo {n} andava alla deriva in posizione {v}.
        La baita di mia zia sta esattamente qui: {v}.
        Secondo il navigatore, {n} è ripartita da {v} verso l'alba.
        {n} ha condiviso la posizione su WhatsApp: {v}.
        Ho ricevuto l'SOS di {n} con latitudine e longitudine: {v}.
        Tutte le corse che {n} registra sull'app partono da {v}, cioè da casa sua.
        L'elisoccorso ha recuperato {n} alle coordinate {v}.
        Il pedinamento di {n} si è interrotto in un punto preciso, {v}, vicino al fiume.
        Casa di {n}, per il corriere: {v}, in fondo alla strada sterrata.
        ^ {v} sono le coordinate della villa di {n}.
        ^ A {v} è stata avvistata per l'ultima volta {n}.
        Dove si trova adesso {n}? || {v}.
        Mi mandi le coordinate di casa tua? || Eccole: {v}.
        Da dove chiama? || Sono bloccata a {v}.
    """,
    "SEXUAL_ORIENTATION": """
        {n} è {v} e lo sanno tutti in paese.
        A Natale {n} ha detto ai suoi di essere {v}.
        Ha capito di essere {v} al liceo.
        {n} ha fatto coming out come {v} in diretta televisiva.
        Al terzo spritz {n} mi ha raccontato di essere {v}.
        In caserma prendevano in giro {n} perché è {v}.
        {n} si definisce {v}.
        Nel questionario {n} ha indicato {v} alla voce orientamento sessuale.
        Dopo il divorzio {n} ha smesso di nascondere che è {v}.
        La commissione ha riconosciuto l'asilo a {n}, che nel suo Paese rischiava il carcere perché {v}.
        Riferisce di essere {v} e di avere rapporti protetti.
        I nonni non parlano più con {n} da quando hanno saputo che è {v}.
        Secondo il settimanale, {n} sarebbe {v}.
        {n} vive la sua vita da persona {v} senza farsi problemi.
        Sul suo profilo Tinder c'è scritto che è {v}.
        Si è sempre sentita {v}, anche quando era sposata.
        A {n} hanno negato l'affitto in quanto {v}.
        ^ {v} e fiera di esserlo, {n} sfilerà sabato al Pride.
        ^ {v}: così si è presentata {n} al gruppo di ascolto.
        Qual è l'orientamento sessuale di {n}? || {v}.
        {n} ha una fidanzata o un fidanzato? || Nessuno dei due, per ora; comunque è {v}.
        Come ti identifichi? || Come {v}.
    """,
    "CRIMINAL_RECORD": """
        {n} è stato condannato a quattro anni per {v}.
        I carabinieri hanno arrestato {n} per {v}.
        {n} è indagata per {v} dalla procura di Bari.
        Ha scontato diciotto mesi a Rebibbia per {v}.
        Il pubblico ministero contesta a {n} il reato di {v}.
        Sul casellario giudiziale di {n} risulta una condanna per {v}.
        Mio cugino è finito dentro per {v}.
        {n} ha patteggiato due anni per {v}.
        Il nuovo socio ha precedenti per {v}, l'ho scoperto per caso.
        {n} è ai domiciliari con l'accusa di {v}.
        Rinviata a giudizio per {v}, {n} si proclama innocente.
        L'assicurazione ha rifiutato la polizza perché {n} era già stato denunciato per {v}.
        Da ragazzo {n} fu processato per {v}.
        È evaso dal carcere dove si trovava per {v}.
        Hanno licenziato {n} quando è emersa una vecchia pena per {v}.
        La questura ha negato il porto d'armi a {n}, pregiudicata per {v}.
        Il sindaco {n} si è dimesso dopo l'avviso di garanzia per {v}.
        ^ {v} è il reato per cui {n} è in carcere.
        ^ Per {v} {n} ha già pagato il suo debito con la giustizia.
        Perché hanno arrestato {n}? || Per {v}.
        Di che cosa è accusata? || È accusata di {v}.
        Che condanne ha {n}? || Una sola, per {v}.
    """,
}

HARMLESS = """
    La diagnosi non è ancora nota.
    La diagnosi la fa sempre un medico.
    La cura funziona meglio quando comincia presto.
    Prenda la medicina come indicato sulla confezione.
    Lavora da casa quasi tutti i giorni.
    Lavora molto e dorme poco.
    Il medico la riceverà subito.
    L'ospedale si trova in fondo alla strada.
    Il volo è in ritardo per la nebbia.
    Quanto dura il volo?
    La bolletta della luce scade a fine mese.
    Ha perso il posto quando la fabbrica ha chiuso.
    Il suo capo è stato molto comprensivo.
    La politica lo annoia.
    Soffre di solitudine d'inverno.
    Il bonifico richiede di solito un giorno lavorativo.
    Non posso dare informazioni mediche su nessuno.
    È morto dal ridere.
    Prende il treno tutte le mattine.
    Il suo lavoro le piace.
    Il furto in abitazione è punito con la reclusione da quattro a sette anni.
    Le scuole cattoliche riaprono lunedì.
    Le targhe italiane sono composte da quattro lettere e tre cifre.
    Il numero di serie si trova di solito sotto la batteria.
    Il frigorifero modello KGN-39 consuma il trenta per cento in meno.
    Trova la distanza tra il punto A (2, 5) e il punto B (6, 8).
    In Italia l'omosessualità non è più reato dalla fine dell'Ottocento.
    In libreria i gialli vendono più dei romanzi rosa.
    La fiction racconta la vita di un commissario in una piccola città di mare.
    I buddisti festeggiano il Vesak in primavera.
    La latitudine si misura a nord e a sud dell'equatore.
    La riforma inasprisce le pene per la guida in stato di ebbrezza.
"""

LABELS = {
    "ADDRESS": "Indirizzo; Residenza; Domicilio",
    "PHONE_NUMBER": "Telefono; Cellulare; Numero di telefono; Tel.",
    "EMAIL_ADDRESS": "E-mail; Indirizzo e-mail; Posta elettronica",
    "BANK_ACCOUNT": "Numero di conto; Conto corrente; Conto n.",
    "TRANSACTION_AMOUNT": "Importo; Importo del bonifico; Totale pagato; Somma versata",
    "DIAGNOSIS": "Diagnosi; Diagnosi principale; Malattia; Patologia",
    "PRESCRIPTION": "Ricetta; Farmaco; Terapia in corso; Medicinale",
    "ORDER_NUMBER": "Numero d'ordine; Ordine; Ordine n.",
    "FLIGHT": "Volo; Tratta; Volo prenotato",
    "CREDIT_CARD_DIGITS": "Ultime quattro cifre; Carta che termina con; Finale carta",
    "DOCTOR": "Medico; Dottore; Medico curante; Chirurgo",
    "HOSPITAL": "Ospedale; Clinica; Struttura sanitaria; Ospedale di ricovero",
    "EMPLOYER": "Datore di lavoro; Azienda; Società; Ditta",
    "JOB_TITLE": "Professione; Mestiere; Posizione; Qualifica",
    "UTILITY_BILL": "Bolletta della luce; Bolletta del gas; Utenze mensili",
    "APPOINTMENT_DATE": "Appuntamento; Prossimo appuntamento; Data della visita",
    "CREDIT_CARD": "Carta di credito; Numero della carta; Carta",
    "IBAN_CODE": "IBAN; Codice IBAN; Coordinate bancarie",
    "NATIONAL_ID": "Carta d'identità; Numero carta d'identità; Documento d'identità",
    "TAX_ID": "Codice fiscale; C.F.; Partita IVA",
    "PASSPORT": "Passaporto; Numero di passaporto; Passaporto n.",
    "DRIVER_LICENSE": "Patente; Numero di patente; Patente di guida",
    "MEDICAL_RECORD_NUMBER": "Numero cartella clinica; Cartella clinica; ID paziente",
    "BIOMETRIC_ID": "Identificativo biometrico; Impronta digitale; ID biometrico",
    "DATE_OF_BIRTH": "Data di nascita; Nato il; Nata il",
    "IP_ADDRESS": "IP; Indirizzo IP; Ultimo IP",
    "MAC_ADDRESS": "MAC; Indirizzo MAC; Indirizzo fisico",
    "URL": "Sito web; Pagina web; Profilo",
    "CRYPTO": "Portafoglio; Indirizzo del portafoglio; Indirizzo Bitcoin",
    "SECRET_KEY": "Chiave API; Token di accesso; Chiave segreta",
    "PASSWORD": "Password; Password provvisoria; Parola d'ordine",
    "PIN": "PIN; Codice PIN; PIN della carta",
    "USERNAME": "Nome utente; Utente; Nickname",
    "NRP": "Partito; Partito politico; Appartenenza politica",
    "PERSON": "Nome; Nome e cognome; Paziente; Contatto",
    "LOCATION": "Città; Luogo di nascita; Comune",
    "ORGANIZATION": "Organizzazione; Associazione; Ente",
    "VEHICLE_ID": "Targa; Numero di telaio; Telaio; Targa del veicolo; VIN",
    "DEVICE_ID": "Numero di serie; Seriale; IMEI; ID dispositivo",
    "COORDINATES": "Coordinate; Coordinate GPS; Posizione GPS; Latitudine e longitudine",
    "SEXUAL_ORIENTATION": "Orientamento sessuale; Orientamento; Sessualità",
    "CRIMINAL_RECORD": "Precedenti penali; Condanna; Reato; Casellario giudiziale; Reato contestato",
}

VALUES = {
    "DIAGNOSIS": (
        "diabete di tipo 2; sclerosi multipla; asma; artrite reumatoide; disturbo bipolare; morbo di Crohn; "
        "tumore al seno; insufficienza renale; morbo di Parkinson; epilessia; epatite C; HIV; emicrania cronica; "
        "depressione; ipertensione; leucemia; psoriasi; endometriosi; apnea notturna; ipotiroidismo; gotta; "
        "schizofrenia; lupus; fibromialgia; glaucoma; bronchite cronica; celiachia"
    ),
    "PRESCRIPTION": (
        "metformina; Tachipirina 1000; amoxicillina; Eutirox; ramipril; insulina; cortisone; Xanax; omeprazolo; "
        "atorvastatina 20 mg; Ventolin; metotrexato; litio; sertralina; tramadolo; Coumadin; bisoprololo; Lexotan; "
        "ibuprofene 600; Ozempic"
    ),
    "JOB_TITLE": (
        "infermiere; fornaio; maestra elementare; commercialista; idraulico; ingegnere informatico; avvocato; "
        "autista di autobus; veterinaria; elettricista; assistente sociale; parrucchiera; architetto; farmacista; "
        "cameriera; falegname; capo progetto; fisioterapista; agente immobiliare; bibliotecario; "
        "direttore commerciale; muratore; giornalista; cuoco"
    ),
    "COMPANY": (
        "Trasporti Bellandi; Fratelli Moroni S.r.l.; Panificio La Spiga; Gruppo Montefiore; Adriatica Consulenza; "
        "Acciaierie del Nord S.p.A.; Assicurazioni Miralba; Novadati Software; Legnami Pellegrin; "
        "Edizioni Il Faro; Farmalago S.p.A.; Officine Sartori; Energia Sud S.p.A.; Cantine Ribaldi"
    ),
    "HOSPITAL": (
        "ospedale San Rocco; Ospedale Maggiore di Valdora; ospedale Santa Chiara; Ospedale Civile di Montera; "
        "Istituto Clinico Belmare; ospedale Sant'Orsola; ospedale Fatebenefratelli; "
        "Ospedale Universitario del Colle; ospedale Villa Serena; Ospedale Infantile Aurora; "
        "ospedale militare Celimonte"
    ),
    "CITY": "Roma; Milano; Napoli; Torino; Palermo; Bologna; Firenze; Venezia; Bari; Catania; Verona; Lugano",
    "ROUTE": "{a} a {b} il {day}",
    "AMOUNT": (
        "1.250 €; 84,99 €; 320 euro; 12.400,00 €; 450 euro; 1.999,50 EUR; 60 €; 2300 euro; 7.800 euro; 415,20 €; "
        "€ 980; 35 euro"
    ),
    "BILL": "142,60 €; 96 euro; 88 €; 310 euro; 210,45 €; 175 euro; 64,15 EUR; 95 €; 230 euro",
    "PARTY": (
        "Partito Democratico; Fratelli d'Italia; Lega; Forza Italia; Movimento 5 Stelle; Italia Viva; "
        "Alleanza Verdi e Sinistra; Rifondazione Comunista; Azione; Radicali Italiani"
    ),
    "VIEW": (
        "di sinistra; di destra; centrista; socialista; comunista; liberale; conservatore; ambientalista; "
        "anarchico; monarchico; di estrema destra"
    ),
    "BELIEF": (
        "cattolica; musulmano; ebrea; buddista; protestante; testimone di Geova; evangelico; induista; atea; "
        "agnostico; valdese; mormone; ortodossa; sikh"
    ),
    "SEXUAL_ORIENTATION": (
        "gay; lesbica; bisessuale; omosessuale; eterosessuale; pansessuale; asessuale; demisessuale; queer; etero; "
        "bisex; omnisessuale"
    ),
    "CRIMINAL_RECORD": (
        "rapina a mano armata; truffa; evasione fiscale; spaccio di droga; omicidio colposo; "
        "maltrattamenti in famiglia; guida in stato di ebbrezza; riciclaggio; furto in abitazione; "
        "violenza sessuale; bancarotta fraudolenta; corruzione; stalking; ricettazione"
    ),
}

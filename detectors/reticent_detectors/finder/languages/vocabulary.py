"""Words that are illnesses, medicines or jobs by themselves, in six languages and folded.

An entry is a whole word; `x-` is the beginning of words, `-x` their end ("-krebs": German "Brustkrebs").
"""

from __future__ import annotations

from reticent_detectors.finder.languages.wordings import fold, spellings

_GATE_CHARS = 4


class Vocabulary:
    """A set of words, of beginnings and of ends. Two look-ups tell that a word is not in it."""

    def __init__(self, *tables: str) -> None:
        entries = [spelled for word in fold(" ".join(tables)).split() for spelled in spellings(word)]
        self._words = frozenset(e for e in entries if e[-1] != "-" and e[0] != "-")
        self._starts = tuple(e[:-1] for e in entries if e[-1] == "-")
        self._ends = tuple(e[1:] for e in entries if e[0] == "-")
        self._start_gate = frozenset(start[:_GATE_CHARS] for start in self._starts)
        self._end_gate = frozenset(end[-_GATE_CHARS:] for end in self._ends)

    def __contains__(self, word: str) -> bool:
        """Tell whether a folded word is in it."""
        if word in self._words:
            return True
        if word[:_GATE_CHARS] in self._start_gate and word.startswith(self._starts):
            return True
        return word[-_GATE_CHARS:] in self._end_gate and word.endswith(self._ends)

    def begun(self, word: str) -> bool:
        """Tell whether a folded word begins one of the words in it. Words known by their end alone are left out.

        This is slow, and meant for the end of a cut text.
        """
        return word in self or any(entry.startswith(word) for entry in (*self._words, *self._starts))


ILLNESSES = Vocabulary(
    # Endings that the languages share
    """-itis -itide -itides -aemia -anemia -anemie -leukamie -anamie -algia -algie -pathie -opathy -opatia -opatie
    -plegia -plegie -phobia -phobie -fobia -hemophilia -hamophilie -dystrophy -dystrophie -distrofia -osteoporosis
    -insomnia -insomnie -iasis -sclerosis -sklerose -sclerose -esclerosis -esclerose -sclerosi -fibrosis -fibrose
    -fibrosi -cirrhosis -zirrhose -cirrhose -cirrosis -cirrosi -cirrose -tuberculosis -tuberkulose -tuberculose
    -tubercolosi -arthrose -artrosis -artrosi -artrose -thrombosis -thrombose -trombosis -trombosi -trombose
    -psychose -psychosis -psicosis -psicosi -psicose -neurose -neurosis -endometriose -endometriosis -endometriosi
    -karzinom -carcinoma -carcinome -melanoma -melanom -melanome -lymphoma -lymphom -lymphome -linfoma -sarkom
    -sarcoma -sarcome -myelom -myeloma -myelome -mieloma -glaukom -glaucoma -glaucome -adenom -adenoma -adenome
    -krebs -tumor -insuffizienz -infarkt -entzundung -embolie -embolia -embolism -schlaganfall -hernie -arrhythmie
    -lahmung -stenose -stenosis -stenosi -neurodermitis -depression -depressionen -angststorung -essstorung
    -personlichkeitsstorung -schlafstorung -rhythmusstorung -stoffwechselstorung -durchblutungsstorung
    -belastungsstorung -hormonstorung -gerinnungsstorung -zwangsstorung knochenbruch leistenbruch rippenbruch
    -syndrom -krankheit -erkrankung -allergie -unterfunktion -uberfunktion -apnoe -gurtelrose""",
    # Greek and Latin roots
    """diabet- asthm- arthrit- artrit- arthros- hypertens- hypertoni- hipertens- ipertens- hypotens- hipotens-
    hypothyr- hipotir- hipotiroid- ipotiroid- hyperthyr- hipertir- ipertiroid- epileps- epilepsi- epiless- migran-
    migrain- emicran- enxaqueca- jaqueca- schizophren- schizofren- esquizofren- alzheimer- parkinson- crohn lupus
    psorias- soriasi- psoriasi- leukem- leukaem- leucem- anaemi- anemi- hepatit- epatit- hiv vih sida covid covid-19
    dengue malaria paludism- cholera rheuma- rhumatism- reuma- osteopor- fibromyal- fibromial- pneumoni- pneumopath-
    polmonit- neumoni- bronchit- bronqui- bronchi- epoc bpco dpoc copd colitis colite kolitis endometrio- coeliac-
    celiac- coeliaqu- celiaqu- celiachi- zoliaki- adhd tdah adhs autis- bipolar- anorex- anoress- bulim- apnoea
    apnea apnee apneia apnoe sciatica sciatique ischias ciatica sciatica lombalgi- lumbalgi- lumbago hexenschuss
    shingles herpes gurtelrose goutte gicht gout rosacea acne eczema eczem- ekzem- neuroderm- melanom- carcinom-
    cancer cancro cancer- cancers tumour tumor tumore tumeur tumeurs krebs lymphom- linfom- myelom- mielom-
    tubercul- tubercol- sepsis sepsi setticemi- septicem- meningit- encephalit- nephrit- nefrit- pancreatit-
    pankreatit- appendicit- apendicit- appendizit- gastrit- ulcer- ulcera- geschwur magengeschwur thrombo- trombo-
    embol- aneurysm- aneurism- arrhythmi- arritmi- aritmi- fibrillat- vorhofflimmern ictus infarct- infarkt- infarto
    herzinfarkt schlaganfall angina angor scolios- skolios- escolios- hernia bandscheibenvorfall narcolep- narkolep-
    insomni- insonn- cataract- katarakt glaucom- glaukom- hemophil- haemophil- hamophil- emofil- demenz demencia
    demenza demence dementia depresion depressione depressao depressionen gonorrh- gonorr- syphilis sifilis sifilide
    chlamyd- clamidi- mononucle- borrelios- lyme toxoplasm- measles mumps rubella sarampion rougeole masern mumps
    roteln scabies kratze varicel- chickenpox windpocken salmonell- listerios- legionell- thalass- talass-
    mukoviszid- mucoviscid- cystic sarkoid- sarcoid- myasthen- miasten- tourette burnout tinnitus acouphen- acufen-
    acufeni vertigo osteoarth- myopath- miopat- polyneuropath- polineurop- neuropath- neuropat- psychos- agoraphob-
    claustrophob- klaustrophob- dyslex- dislex- dislessi- legasthenie endocardit- myocardit- miocardit- pericardit-
    hydrocephal- bluthochdruck bluterkrankheit heuschnupfen heufieber zuckerkrankheit gallensteine nierensteine
    blutarmut magersucht essstorung angststorung panikattacken panikstorung schuppenflechte gelbsucht keuchhusten
    diphtherie wundrose influenza grippe gripe varices varicose celulitis cellulite erysipel- preeclampsi-
    praeklampsi- preeclamps- endometri- fibroid- uterinmyom- myom- miom- mioma hemorroid- haemorrhoid- hamorrhoid-
    emorroid- hemorrhoid- reflux reflusso reflujo refluxo sodbrennen""",
)
"""Words that are illnesses wherever they stand."""
AMBIGUOUS_ILLNESSES = Vocabulary(
    "zona gota gotta aids addison graves huntington cushing hashimoto basedow raynaud -storung stroke"
)
"""Words that mean an illness where something else says so."""
ILLNESS_HEADS = Vocabulary(
    """disease disorder syndrome failure infection deficiency insufficiency attack palsy dystrophy stroke fracture
    dependence addiction anxiety intolerance allergy allergies bypass stones arrest block murmur clot spondylitis
    injury poisoning cancer tumour tumor sclerosis apnoea apnea maladie insuffisance syndrome trouble troubles
    fracture rupture infection dependance intolerance allergie calculs lithiase carence sclerose cancer tumeur
    hernie ulcere cirrhose depression burn-out accident crise anxiete pouls enfermedad sindrome insuficiencia
    trastorno fractura rotura infeccion intolerancia alergia calculos piedras cancer tumor esclerosis hernia ulcera
    cirrosis depresion ansiedad soplo derrame fibrilacion distrofia malattia morbo sindrome insufficienza disturbo
    frattura infezione intolleranza allergia calcoli tumore cancro sclerosi ernia ulcera cirrosi depressione ansia
    fuoco carenza fibrillazione distrofia attacchi doenca sindrome insuficiencia transtorno perturbacao fratura
    fractura infeccao intolerancia alergia calculos pedras cancro cancer tumor esclerose hernia ulcera cirrose
    depressao ansiedade pressao fibrilhacao distrofia morbus syndrom diabetes sklerose arthritis bronchitis
    hepatitis infektion depression anamie nierenversagen herzfehler herzschwache herzversagen leberversagen"""
)
"""Words that are illnesses with the words around them ("heart failure", "maladie de Crohn")."""
ILLNESS_MODIFIERS = Vocabulary(
    """chronic acute severe mild moderate advanced early-stage late-stage terminal metastatic malignant benign type
    stage multiple rheumatoid ulcerative irritable bipolar generalised generalized major clinical postnatal
    post-traumatic postpartum seasonal juvenile essential arterial pulmonary cardiac congestive coronary renal
    hepatic ovarian prostate testicular uterine cervical gastric colorectal pancreatic thyroid breast lung bowel
    colon liver kidney heart brain skin bone blood stomach bladder throat oral high obstructive sleep
    iron-deficiency lactose gluten peanut food celiac coeliac crohn's hodgkin's non-hodgkin hashimoto's graves
    addison's cushing's huntington's parkinson's alzheimer's raynaud's tourette's lyme celiac deep vein atrial
    atopic allergic bacterial viral muscular cystic motor neurone spinal cerebral panic eating social attention
    obsessive-compulsive borderline gestational hereditary restless varicose whooping chronische chronischer
    chronisches akute akuter schwere schwerer leichte multiple rheumatoide arterielle essentielle bipolare koronare
    kongestive atopische allergische bakterielle virale morbus diabetes primare sekundare generalisierte
    posttraumatische postnatale"""
)
MEDICINES = Vocabulary(
    """-cillin -cillina -cilina -cilline -cycline -ciclina -mycin -micina -mycine -conazole -conazol -conazolo
    -prazole -prazol -prazolo -sartan -sartana -statin -statina -statine -oxetin -oxetine -oxetina -olol -ololo
    -olole -zepam -zolam -zepan -formin -formina -formine -gliptin -gliptina -gliptine -glutide -glutida -parin
    -parina -parine -profen -profene -profeno -xaban -rubicin -tidine -tidin -tidina -dipin -dipine -dipina -dipino
    -gliflozin -gliflozine -gliflozina -triptan -triptana -setron -tadine -tadin -tadina -vudine -vudin -vudina
    -ciclovir -lukast -terol -terolo -sone -semide -semid -thiazid -thiazide -tiazida -tiazide -pramine -pramin
    -pramina -triptyline -triptylin -triptilina -azepine -azepin -azepina -idone -idon -idona -apine -apina -nazole
    -mycin -floxacin -floxacina -floxacine -oxacin -lamide -mab -tinib -platin -platine -platino -zosin -zosina
    -nidazole -nidazol -nidazolo -thyroxin -thyroxine -tiroxina -nopril -lapril -dopril -topril -nopril -lapril
    -dopril -toprilo -barbital -codon -codone -codona -morphon""",
    """insulin- metform- lithium litio litium aspirin- ibuprof- paracetam- acetaminoph- levothyr- levotirox-
    l-thyroxin citalopram escitalopram sertralin- fluoxetin- paroxetin- venlafaxin- duloxetin- mirtazapin- bupropion
    trazodon- amitriptylin- amitriptilin- quetiapin- olanzapin- risperidon- aripiprazol- lorazepam diazepam
    alprazolam clonazepam zolpidem zopiclon- methylphenidat- metilfenidat- lisdexamf- adderall ritalin ritaline
    ritalina concerta vyvanse strattera xanax valium ativan klonopin tavor lexotan- lexomil temesta trankimazin
    orfidal rivotril lexapro zoloft prozac paxil cymbalta effexor wellbutrin seroquel zyprexa abilify risperdal
    haldol lamictal depakote depakine tegretol keppra topamax neurontin lyrica pregabalin- gabapentin- lamotrigin-
    levetiracetam topiramat- valproat- carbamazepin- warfarin- coumadin marcumar sintrom varfine varfarin-
    acenocumarol apixaban eliquis xarelto rivaroxaban pradaxa plavix clopidogrel lipitor crestor zocor atorvastat-
    simvastat- rosuvastat- lisinopril ramipril enalapril perindopril captopril losartan- valsartan- candesartan-
    telmisartan amlodipin- nifedipin- bisoprolol- metoprolol- atenolol- carvedilol- propranolol- furosemid-
    torasemid- hydrochlorothiazid- hidroclorotiazida spironolacton- omeprazol- pantoprazol- esomeprazol- nexium
    ozempic wegovy mounjaro victoza trulicity januvia jardiance forxiga humalog lantus novorapid levemir tresiba
    humira enbrel remicade stelara cosentyx methotrexat- metotrex- prednison- prednisolon- cortison- kortison
    dexamethason- dexametason- hydrocortison- tamoxifen- letrozol- anastrozol- herceptin tramadol- oxycodon-
    oxycontin oxicodon- fentanyl fentanil- morphin- morfin- codein- methadon- metadon- suboxon- buprenorphin-
    naltrexon- ventolin- salbutamol albuterol symbicort seretide advair spiriva singulair montelukast cetirizin-
    loratadin- fexofenadin- benadryl amoxicil- amoxicillin augmentin azithromyc- doxycyclin- ciprofloxacin- penicil-
    cephalexin- cefuroxim- acyclovir aciclovir valacyclovir valaciclovir tamiflu finasterid- sildenafil viagra
    cialis tadalafil eutirox euthyrox levothyrox synthroid doliprane dafalgan efferalgan nurofen tachipirina nolotil
    voltaren diclofenac- dipirona metamizol novalgin novalgina buscopan ben-u-ron brufen aulin oki gelocatil
    frenadol adiro plaquenil hydroxychloroquin- azathioprin- imuran mesalazin- adalimumab infliximab rituximab
    mabthera donepezil aricept memantin- levodopa sinemet madopar pramipexol- clozapin- leponex haloperidol
    allopurinol zyloric colchicin- melatonin- seroplex imovane stilnox ambien deroxat laroxyl truvada biktarvy
    epipen heparin- enoxaparin- clexane lovenox digoxin- amiodaron- imatinib glivec""",
)
JOBS = Vocabulary(
    # English
    """nurse teacher tutor lecturer professor engineer plumber lawyer solicitor barrister attorney paralegal driver
    trucker manager analyst accountant bookkeeper auditor electrician carpenter joiner cook chef baker butcher
    officer policeman policewoman firefighter fireman paramedic librarian locksmith bricklayer mason roofer surgeon
    therapist physiotherapist psychotherapist psychologist counsellor counselor adviser advisor consultant designer
    developer programmer coder pharmacist dentist hygienist optician optometrist waiter waitress barista bartender
    barman barmaid attendant clerk secretary receptionist barber hairdresser hairstylist beautician mechanic welder
    machinist technician cleaner janitor caretaker concierge porter gardener landscaper florist farmer farmhand
    fisherman miner builder plasterer painter decorator glazier tiler carpenter upholsterer tailor seamstress
    jeweller jeweler watchmaker blacksmith architect surveyor planner draughtsman journalist reporter editor
    copywriter writer novelist photographer illustrator animator translator interpreter actuary economist banker
    broker trader cashier salesman saleswoman salesperson shopkeeper realtor underwriter veterinarian vet zookeeper
    biologist chemist physicist geologist botanist scientist researcher statistician midwife radiographer
    radiologist paediatrician pediatrician cardiologist neurologist oncologist dermatologist psychiatrist
    anaesthetist anesthesiologist caregiver carer nanny childminder au-pair babysitter pilot steward stewardess
    sailor soldier courier postman mailman dispatcher conductor cabbie chauffeur machinist operator foreman
    supervisor coordinator administrator superintendent headteacher headmaster principal inspector detective bailiff
    magistrate judge prosecutor notary undertaker bouncer bodyguard lifeguard coach trainer referee choreographer
    dancer actor actress musician violinist pianist drummer sculptor potter glassblower brewer winemaker sommelier
    cobbler bricklayer stonemason shepherd forester ranger lumberjack scaffolder rigger assembler packer
    warehouseman storekeeper telemarketer recruiter lobbyist webmaster typist stenographer archivist curator
    historian anthropologist archaeologist theologian pastor priest vicar chaplain masseur masseuse podiatrist
    chiropractor osteopath acupuncturist nutritionist dietitian dietician phlebotomist orderly assistant apprentice
    intern executive director treasurer engraver bookseller bookbinder publisher printer seller maker worker
    handyman labourer laborer specialist""",
    # German
    """-arzt -arztin -anwalt -anwaltin -lehrer -lehrerin -pfleger -pflegerin -schwester -kaufmann -kauffrau -leiter
    -leiterin -fahrer -fahrerin -meister -meisterin -ingenieur -ingenieurin -informatiker -informatikerin
    -mechaniker -mechanikerin -elektriker -elektrikerin -elektroniker -elektronikerin -buchhalter -buchhalterin
    -apotheker -apothekerin -polizist -polizistin -berater -beraterin -schweisser -schweisserin -klempner
    -klempnerin -installateur -installateurin -helfer -helferin -assistent -assistentin -techniker -technikerin
    -schreiner -schreinerin -tischler -tischlerin -maurer -maurerin -maler -malerin -dachdecker -zimmermann
    -zimmerer -schlosser -backer -backerin -metzger -metzgerin -fleischer -koch -kochin -kellner -kellnerin -friseur
    -friseurin -frisorin -gartner -gartnerin -landwirt -landwirtin -forster -forsterin -verkaufer -verkauferin
    -kassierer -kassiererin -sekretar -sekretarin -erzieher -erzieherin -hebamme -sanitater -sanitaterin -therapeut
    -therapeutin -psychologe -psychologin -architekt -architektin -journalist -journalistin -redakteur -redakteurin
    -ubersetzer -ubersetzerin -dolmetscher -dolmetscherin -bibliothekar -bibliothekarin -richter -richterin -notar
    -notarin -beamter -beamtin -beamte -angestellter -angestellte -sachbearbeiter -sachbearbeiterin -entwickler
    -entwicklerin -programmierer -programmiererin -designer -designerin -grafiker -grafikerin -fotograf -fotografin
    -chemiker -chemikerin -physiker -physikerin -biologe -biologin -laborant -laborantin -optiker -optikerin
    -juwelier -schneider -schneiderin -schuster -brauer -winzer -winzerin -bergmann -hausmeister -hausmeisterin
    -pilot -pilotin -lotse -flugbegleiter -flugbegleiterin -kapitan -soldat -soldatin -feuerwehrmann -trainer
    -trainerin -musiker -musikerin -schauspieler -schauspielerin -tanzer -tanzerin -dozent -dozentin -professor
    -professorin -referent -referentin -makler -maklerin -bankier -winzer -florist -floristin -konditor -konditorin
    -kosmetikerin -putzfrau -reinigungskraft -fachkraft -wirt -wirtin -pfarrer -pfarrerin -dekorateur
    -raumausstatter -drucker -setzer -glaser -optikerin -tierarzt -landschaftsgartner -steuerberater
    -steuerberaterin -chirurg -chirurgin -arbeiter -arbeiterin -angestellter -krankenschwester -wachter -detektiv""",
    # French
    """infirmi- avocat avocate professeur professeure instituteur institutrice enseignant enseignante ingenieur
    ingenieure plombier plombiere electricien electricienne macon menuisier menuisiere charpentier soudeur soudeuse
    couvreur peintre carreleur boulanger boulangere boucher bouchere patissier patissiere cuisinier cuisiniere
    serveur serveuse coiffeur coiffeuse estheticien estheticienne comptable secretaire caissier caissiere vendeur
    vendeuse pharmacien pharmacienne dentiste chirurgien chirurgienne kinesitherapeute sage-femme aide-soignant
    aide-soignante ambulancier ambulanciere psychologue orthophoniste opticien opticienne veterinaire agriculteur
    agricultrice jardinier jardiniere viticulteur viticultrice fleuriste mecanicien mecanicienne garagiste chauffeur
    chauffeuse routier conducteur conductrice facteur factrice livreur livreuse policier policiere gendarme pompier
    pompiere militaire juge notaire huissier greffier journaliste redacteur redactrice traducteur traductrice
    interprete bibliothecaire architecte geometre informaticien informaticienne developpeur developpeuse graphiste
    photographe technicien technicienne ouvrier ouvriere magasinier cariste directeur directrice gerant gerante
    assistant assistante agent conseiller conseillere courtier courtiere banquier banquiere chercheur chercheuse
    chimiste biologiste physicien physicienne educateur educatrice animateur animatrice assistante-maternelle
    nourrice concierge gardien gardienne femme-de-menage couturier couturiere horloger horlogere bijoutier
    bijoutiere cordonnier serrurier serruriere steward hotesse pilote musicien musicienne comedien comedienne
    danseur danseuse formateur formatrice chef""",
    # Spanish
    """enfermer- abogad- maestr- profesor- ingenier- fontaner- electricista carpinter- albanil soldador- pintor-
    tapicer- cerrajer- panader- pasteler- carnicer- pescader- cociner- camarer- peluquer- barber- contable contador-
    secretari- cajer- vendedor- dependient- farmaceutic- trabajador- operador- cuidador- asistente dentista
    higienista cirujan- fisioterapeuta matrona comadron- auxiliar celador- psicolog- logoped- optic- veterinari-
    agricultor- jardiner- florista mecanic- chofer conductor- camioner- taxista carter- repartidor- policia bomber-
    militar juez jueza notari- procurador- periodista redactor- traductor- interprete bibliotecari- arquitect-
    aparejador- informatic- programador- desarrollador- disenador- fotograf- tecnic- obrer- operari- almacener-
    director- gerente encargad- jefe jefa asesor- gestor- agente corredor- banquer- investigador- quimic- biolog-
    fisic- educador- monitor- niner- conserje porter- limpiador- costurer- modista sastre relojer- joyer- zapater-
    piloto azafat- music- actor actriz bailarin- entrenador- economista psiquiatra pediatra""",
    # Italian
    """infermier- avvocat- insegnante maestr- professor- ingegner- idraulic- elettricista falegname murator-
    saldator- imbianchin- piastrellist- fabbro serramentist- fornai- panettier- pasticcer- macellai- pescivendol-
    cuoc- camerier- barista parrucchier- barbiere estetist- commercialista contabile ragionier- segretari- cassier-
    commess- farmacist- dentista igienista chirurg- fisioterapista ostetric- operator- psicolog- logopedist- ottic-
    veterinari- agricoltor- giardinier- fiorai- fiorist- meccanic- carrozzier- autista camionista tassista postin-
    corrier- poliziott- carabinier- pompier- vigile militare giudice notai- giornalista redattor- traduttor-
    interprete bibliotecari- architett- geometra informatic- programmator- sviluppator- grafic- fotograf- tecnic-
    operai- magazzinier- direttor- gestor- responsabile impiegat- consulente assicurator- bancari- ricercator-
    chimic- biolog- fisic- educator- animator- portinai- custode badante sart- orologiai- gioiellier- calzolai-
    pilota hostess musicist- attor- attrice ballerin- allenator- economista psichiatra pediatra assistente""",
    # Portuguese
    """enfermeir- advogad- professor- engenheir- encanador- canalizador- eletricista electricista carpinteir-
    marceneir- pedreir- soldador- pintor- serralheir- chaveir- padeir- pasteleir- confeiteir- acougueir- talhante
    cozinheir- garcom garconete empregad- cabeleireir- barbeir- esteticista contabilista contador- secretari- caixa
    vendedor- balconista farmaceutic- dentista higienista cirurgia- cirurgiao fisioterapeuta parteir- auxiliar
    psicolog- fonoaudiolog- terapeuta oculista otic- veterinari- agricultor- jardineir- florista mecanic- motorista
    camionista caminhoneir- taxista carteir- estafeta entregador- policial policia bombeir- militar juiz juiza
    notari- tabeli- jornalista redator- tradutor- interprete bibliotecari- arquitet- arquitect- informatic-
    programador- desenvolvedor- designer fotograf- tecnic- operari- operador- almoxarife diretor- director- gerente
    gestor- assessor- consultor- corretor- bancari- pesquisador- investigador- quimic- biolog- fisic- educador-
    monitor- baba ama porteir- zelador- faxineir- costureir- alfaiate relojoeir- joalheir- sapateir- piloto aeromoca
    hospedeir- music- ator atriz bailarin- treinador- economista psiquiatra pediatra assistente atendente""",
)

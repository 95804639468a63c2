"""Words that tell names of people, places, organisations and groups apart.

All are folded (small letters, no accents); those of several words have blanks between. To teach another, add it here.
"""

from __future__ import annotations

from reticent_detectors.finder.word_sets import word_set


def _lines(text: str) -> frozenset[str]:
    return frozenset(part.strip() for line in text.strip().splitlines() for part in line.split("|"))


FUNCTION = word_set(
    """a about above according accordingly across actually additionally after afterwards again against all almost
    along already also although always am among amid an and another any anyone anything are aren't around as at away
    back based be because been before behind being below besides between beyond both but by can can't cannot
    certainly come could couldn't current currently damn despite did didn't do does doesn't don't done down due
    during each earlier early either else enough especially even eventually ever every everyone everything except
    few finally first firstly following for former formerly from further furthermore generally get given go had
    hadn't has hasn't have haven't he he'd he'll he's hello hence her here here's hers herself hey hi him himself
    his historically how however i i'd i'll i'm i've if in indeed initially inside instead into is isn't it it'd
    it'll it's its itself just last late later lastly latter least less let let's like likewise many may maybe me
    meanwhile might mine more moreover most mostly much must my myself near nearly neither never nevertheless
    new-found next no nobody none nor not nothing notably now obviously of off often oh ok okay old on once one only
    onto or originally other others otherwise our ours out outside over overall own part per perhaps please possibly
    previously probably quite rather really recently regarding right said same second secondly see several shall she
    she'd she'll she's should shouldn't similarly since so some somebody someone something sometimes somewhat soon
    still subsequently such sure sorry thank thanks than that that's the their theirs them themselves then there
    there's thereafter therefore these they they'd they'll they're they've third this those though three through
    throughout thus to today together tomorrow tonight too toward towards traditionally twice two typically under
    unfortunately unless unlike until up upon us usually various very via was wasn't we we'd we'll we're we've well
    were weren't what what's whatever when whenever where whereas wherever whether which while who who's whoever
    whole whom whose why will with within without won't would wouldn't yeah yes yesterday yet you you'd you'll
    you're you've your yours yourself
    ask call check click contact describe email enter explain find forward give help inform kindly list look make
    meet note open phone read remember remind reply return search send show speak take tell text try update use
    visit wait welcome write attn cc bcc re fwd fw subject page chapter section figure table name names address born
    died age aged today's four five six seven eight nine ten half every both patient customer client user born
    whereas et ibid c.f. cf vs
    der die das dem ein eine einer einem einen und ist sind im zum zur beim nach mit auf aus auch wenn dass diese
    dieser dieses nicht nachdem wahrend obwohl bevor seit durch ohne gegen jedoch heute gestern morgen damals dort dann
    danach deshalb daher dabei seine seiner seinem seinen seines ihre ihrer ihrem ihren ihres unsere unser welche
    welcher jede jeder alle viele einige mehrere solche
    durante para desde segun aunque cuando donde pero porque entre hacia hasta sobre mediante ademas tambien estos estas
    esta este aquel ellos ellas
    pour dans avec pendant apres avant depuis selon chez lorsque quand mais donc cette cet ces leur leurs nous vous
    elles
    dopo quando mentre nella nello negli sulla senza secondo questo questa questi queste anche quindi perche come
    apos sem embora porem enquanto pelo pela pelos pelas nesta neste isso isto essa esse eles elas tambem quais"""
)
# Where a sentence begins with one of these in a capital, it belongs only to names that the lists have ("Los Angeles").
FOREIGN_ARTICLES = word_set(
    """el la los las un una unos unas lo il gli i le les une o os a as um uma den des da al del em no na nos nas por
    con com en sur"""
)
# Behind these, in German, stands a noun, whatever its capital.
GERMAN_ARTICLES = word_set(
    """der die das den dem des ein eine einen einem einer eines sein seine seinen seinem seiner seines ihr ihre
    ihren ihrem ihrer ihres mein meine meinen meinem meiner dein deine deinen deinem deiner unser unsere unseren
    unserem unserer kein keine keinen keinem keiner dieser diese dieses diesem diesen vom zum zur beim im am ins
    jener jene jedes jeder jede"""
)
_GERMAN_ROLES = word_set(
    """tochter sohn bruder schwester vater mutter onkel tante neffe nichte cousin ehefrau ehemann witwe freund
    kollege nachbar dichter historiker autor schriftsteller prasident vizeprasident premierminister
    ministerprasident gouverneur vizegouverneur kanzler bundeskanzler konig konigin kaiser kaiserin papst kardinal
    bischof erzbischof furst graf grafin herzog philosoph physiker chemiker mathematiker biologe okonom soziologe
    psychologe maler bildhauer komponist sanger schauspieler regisseur trainer spieler direktor leiter
    geschaftsfuhrer burgermeister botschafter abgeordneter senator anwalt richter arzt pfarrer lehrer journalist
    general oberst hauptmann feldmarschall ingenieur erfinder grunder unternehmer wissenschaftler forscher kunstler
    fotograf architekt mitarbeiter patient kunde klient"""
)
GERMAN_ROLES = frozenset(word + end for word in _GERMAN_ROLES for end in ("", "s", "n", "en", "in", "innen"))
CALENDAR = word_set(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
    thursdays fridays saturdays sundays mon tue wed thu fri sat sun christmas easter halloween thanksgiving ramadan
    am pm gmt utc ad bc"""
)
# Stand before a name and outside it.
TITLES = word_set(
    """mr mrs ms miss mx dr doctor prof professor sir madam madame lady lord dame rev reverend fr sr sra srta herr
    frau fraulein monsieur mme mlle senor senora senorita don dona signor signora signorina sig hr fru pan pani shri
    smt mevrouw meneer dhr mw capt captain col colonel gen general lt lieutenant maj major sgt sergeant cpl corporal
    pvt private admiral adm commander cmdr brigadier president vice-president premier chancellor minister secretary
    senator sen rep representative congressman congresswoman governor gov mayor ambassador judge justice king queen
    prince princess duke duchess count countess baron baroness earl emperor empress tsar czar pope bishop archbishop
    cardinal saint st sheikh sultan imam rabbi ayatollah mullah brother sister father mother uncle aunt auntie
    grandma grandpa granny nurse coach chairman chairwoman chairperson director manager officer detective inspector
    sheriff constable agent attorney lawyer engineer architect author actor actress singer drummer guitarist bassist
    songwriter producer composer poet novelist writer historian philosopher physicist chemist biologist
    mathematician scientist astronomer explorer economist journalist reporter editor critic artist painter sculptor
    photographer footballer quarterback pitcher boxer wrestler cousin comrade lt.-col hon esq ceo cfo cto co-founder
    founder spokesman spokeswoman spokesperson speaker mp mep marshal field-marshal marquis marquess viscount sultan
    shah khan-sahib guru swami sensei"""
)
# Titles that are no other words: written in small letters, they announce a name in small letters.
SHORT_TITLES = word_set("mr mrs ms mx dr prof sir herr frau mme mlle monsieur madame senor senora signora signor")
ABBREVIATED = word_set(
    """mr mrs ms mx dr prof rev fr sr sra srta capt col gen lt maj sgt cpl pvt adm cmdr sen rep gov st hon sig hr jr
    mt ft mme mlle messrs dhr mw"""
)
# The dot of these belongs to the name.
DOTTED = ABBREVIATED | word_set("inc ltd corp co bros assn")
# May follow a comma.
COMPANY_FORMS = (
    r"Inc|Incorporated|LLC|L\.L\.C|LLP|L\.L\.P|LP|Ltd|Limited|PLC|plc|Corp|Co|GmbH|S\.A|SA|AG|S\.p\.A|N\.V|B\.V|P\.C"
    r"|PLLC"
)
SUFFIXES = word_set("jr sr ii iii iv phd md esq")
PARTICLES = word_set(
    """van von der den de da do di del della dei degli dos das du des la le los las el al bin ibn ben bint ter ten
    te zu zum vom af av y e e. op 't st"""
)
LINKS = word_set("of for and the & de du des del der und et y e i")

COMPANY_ENDS = word_set(
    """inc ltd llc llp plc corp corporation co gmbh ag sa srl spa bv nv ab as oy oyj kg kgaa ohg ug pty pte limited
    incorporated company companies group holdings holding partners associates bros brothers sons & industries
    enterprises ventures systems technologies technology solutions services consulting labs laboratories
    pharmaceuticals motors airlines airways records pictures studios entertainment productions media publishing
    press books software"""
)
ORGANIZATION_HEADS = COMPANY_ENDS | word_set(
    """university college school academy institute institution seminary faculty polytechnic conservatory bank trust
    fund foundation society association federation union league alliance confederation organization organisation
    agency authority bureau commission committee council board department ministry office congress parliament senate
    assembly court police army navy force forces corps regiment brigade battalion squadron fleet guard party
    movement front club team fc united rovers wanderers athletic cf sc afc orchestra symphony philharmonic choir
    band museum gallery library hospital clinic church cathedral abbey monastery market metro theatre theater opera
    radio television tv broadcasting channel network news times post herald tribune gazette journal magazine review
    observer guardian chronicle telegraph airline railways railway insurance capital financial securities
    investments bancorp energy petroleum oil electric steel motor chemical chemicals foods stores supermarkets
    hotels telecom communications center centre conference division order brotherhood cooperative syndicate
    consortium chamber firm
    hotel hotels casino brewery brewing distillery bakery pharmacy restaurant logistics transport transit shipping
    freight aerospace aviation robotics analytics dynamics networks semiconductor semiconductors biosciences
    therapeutics biotech healthcare properties realty advisors attorneys architects builders construction
    engineering ministries savings mutual interactive farms mills apparel cosmetics shipyard foundry cinema cinemas
    nursery daycare kindergarten universite universidad universidade universita universitat universiteit universitet
    hochschule gymnasium institut instituto istituto ecole academie akademie banque banco banca sparkasse volksbank
    museo musee ministerio ministere ministero ministerium gesellschaft verein stiftung bundesamt krankenhaus
    klinikum hopital ospedale colegio lycee liceo fundacion fondation fondazione sociedad societe societa asociacion
    associazione compagnie compania sindicato partei gewerkschaft versicherung verlag werke
    red-sox yankees giants dodgers bears lions tigers eagles broncos panthers cowboys patriots steelers packers
    lakers bulls celtics warriors rangers knights cubs mets braves pirates reds angels athletics astros mariners
    royals twins orioles raiders chargers dolphins jets bills saints falcons vikings seahawks redskins colts texans
    titans jaguars browns bengals ravens kings sharks ducks oilers flames canucks senators islanders flyers penguins
    blackhawks wings sabres bruins hornets hawks wildcats bulldogs huskies"""
)
PLACE_HEADS = word_set(
    """river rivers lake lakes sea ocean bay gulf strait straits channel canal creek brook falls waterfall island
    islands isle isles archipelago peninsula cape coast shore beach mountain mountains mount hill hills peak range
    ridge valley canyon gorge plateau plain plains desert forest woods wood park gardens garden square plaza bridge
    street avenue road lane boulevard highway freeway motorway drive court county province prefecture district
    borough parish township municipality region territory territories oblast krai canton state republic kingdom
    empire emirate sultanate city town village airport station harbor harbour port fort castle palace tower heights
    springs grove meadows reservoir dam basin delta fjord glacier volcano reef atoll cemetery stadium arena crescent
    terrace quay pier junction crossing railroad"""
)
PLACE_STARTS = word_set(
    """lake mount mt cape fort ft port san santa santo sao los las el saint st st. new north south east west
    northern southern eastern western central upper lower rio isla ile puerto villa ciudad greater isle gulf bay
    strait republic kingdom state city county river port sea"""
)
# Stand before the rest of an organisation's name.
ORGANIZATION_STARTS = word_set(
    """fc ac afc cf cd sc sv vfb vfl vfr tsv tsg rcd ssc fk nk hnk bk if ifk rb hotel radio hospital banco banque
    banca universidad universite universita universidade universitat hochschule klinikum sparkasse volksbank museo
    instituto istituto hms uss"""
)
# Named before the organisation that they are said of: "the company Harrow", "works for Harrow".
ORGANIZATION_NOUNS = word_set(
    """company firm startup start-up manufacturer retailer publisher airline label band group agency maker chain brand
    broadcaster network supplier contractor bank insurer distributor developer producer carrier subsidiary unternehmen
    firma konzern entreprise empresa azienda societe"""
)
ORGANIZATION_AFTER = word_set(
    """employees headquarters shares shareholders stock spokesman spokeswoman spokesperson ceo cfo cto subsidiary
    executives executive franchise warehouse stores products customers engineers"""
)
OTHER_HEADS = (
    word_set(
        """war wars battle siege treaty act bill law amendment constitution revolution rebellion uprising massacre
        campaign operation award awards prize medal cup trophy championship championships tournament open olympics
        olympic games game series season bowl derby grand-prix marathon festival day week month year era age century
        dynasty period movement album song single film movie show novel book story poem theory theorem law equation
        effect principle syndrome disease disorder virus test scale method process system project program programme
        plan protocol version edition volume award bible gospel quran koran language languages edict pact accord
        agreement declaration manifesto resolution report scandal affair incident crisis crash disaster hurricane
        storm earthquake flood tour express rifle missile aircraft ship class type model line windows linux java
        python bridge-loan memorial-day anniversary code number account card card's question answer request order
        invoice policy symphony-no concerto sonata overture theorem conjecture constant algorithm sunday saturday
        street-fighter encyclopedia dictionary"""
    )
    - ORGANIZATION_HEADS
)
# Heads that are family names as well: after a given name they are.
AMBIGUOUS_HEADS = word_set(
    """hill hills lake rivers brook banks park parks street field church bush house bell law woods wood forest marsh
    lane castle tower bridge kings king knight knights lions post times law day bank english guard major court grove
    ridge plain reed rhodes shore beach grant abbey ford forest price barber trust ocean storm fields towers powers
    parish cope peak dale college best may brothers wells north south east west islands shores coast cape court
    drive village town waters press barnes gardens garden english royals mountain bay creek cross mills farms
    savings story week book bible page price christmas march sands rain frost snow hunt golden"""
)
ORGANIZATIONS = _lines(
    """google|microsoft|apple|amazon|facebook|twitter|ibm|intel|oracle|samsung
    sony|toyota|honda|nissan|volkswagen|bmw|mercedes-benz|daimler|siemens
    bosch|nestle|unilever|novartis|pfizer|merck|bayer|basf|glaxosmithkline
    astrazeneca|walmart|target|costco|ikea|tesco|carrefour|lidl|aldi
    boeing|airbus|lockheed martin|northrop grumman|raytheon|general electric
    general motors|ford|chrysler|tesla|spacex|ferrari|fiat|renault|peugeot
    goldman sachs|morgan stanley|jpmorgan|jpmorgan chase|jp morgan|citigroup|citibank
    wells fargo|bank of america|hsbc|barclays|deutsche bank|ubs|credit suisse
    coca-cola|pepsi|pepsico|mcdonald's|starbucks|nike|adidas|puma|disney|walt disney
    pixar|warner bros|paramount|universal|netflix|spotify|paypal|ebay|uber|airbnb
    nasa|cia|fbi|nsa|nato|unesco|unicef|who|imf|opec|eu|un|u.n.|european union|united nations
    world bank|interpol|red cross|greenpeace|amnesty international
    bbc|cnn|nbc|abc|cbs|espn|mtv|hbo|pbs|npr|itv|sky|fox|reuters|bloomberg|associated press
    al jazeera|new york times|washington post|wall street journal|the guardian|guardian
    mit|harvard|yale|princeton|stanford|caltech|ucla|oxford university
    cambridge university|columbia university|cornell|berkeley
    nfl|nba|mlb|nhl|fifa|uefa|nascar|ncaa|ioc|wwe|manchester united|manchester city|real madrid
    barcelona fc|bayern munich|juventus|ac milan|chelsea fc|liverpool fc|arsenal
    the beatles|beatles|rolling stones|led zeppelin|pink floyd|metallica|nirvana|u2|coldplay|radiohead|abba
    labour|congress|parliament|senate|house of commons|house of lords|house of representatives|white house
    pentagon|supreme court|state department|taliban|al-qaeda|hamas|hezbollah|isis|ira|plo|kgb|gestapo
    ss|luftwaffe|wehrmacht|royal navy|royal air force|raf|us army|u.s. army|kkk
    at&t|verizon|vodafone|t-mobile|nokia|ericsson|motorola|hewlett-packard|hp|dell
    cisco|adobe|nvidia|amd|qualcomm|huawei|xiaomi|alibaba|tencent|baidu|lenovo
    shell|bp|exxonmobil|exxon|chevron|total|gazprom|lukoil|rosneft|enron|halliburton|fedex
    ups|dhl|lufthansa|ryanair|easyjet|emirates|air france|klm|delta|united airlines
    accenture|deloitte|kpmg|pwc|ernst & young|mckinsey|visa|mastercard|american express|allianz
    axa|zurich insurance|aetna|humana|cvs|walgreens|home depot|lowe's|best buy|macy's"""
)
_ACRONYM_STOPWORDS = """
    ok id pin ssn cv dob atm faq pdf url html http usb gps dna rna hiv aids iq tv pc cd dvd ceo
    cfo cto cio hr it am pm ad bc bce ce asap fyi ps eta rsvp vip diy gdp vat iban swift bic sms gmt utc usd eur gbp i
    ii iii iv v vi vii viii ix x xi xii na tbd tba mri ct icu er gp otc bmi ecg ekg copd adhd ptsd tb ai ml api sql json
    xml css cpu gpu ram rom sim wifi led lcd isbn doi aka no vs etc nb re cc bcc mr mrs dr po box apt ste km kg cm mm
    mph kmh hz mhz ghz kb mb gb tb mg ml std uv ufo sos the and for not you are was all but any can had her one our out
    day get has him his how man new now old see two way who boy did its let put say she too use yes why what that this
    with have from they will here when your just like very does stop help wow omg lol btw imo account number name
    address phone email date total note warning error null true false"""
# Towns by name, but nearly always something else.
NO_PLACES = word_set(
    """federal union central general of most nancy marine male university orange mobile reading date many along same
    split bath nice best police church home march temple wells normal progress enterprise independence liberty
    concord columbia commerce industry republic"""
)
NO_PEOPLE = word_set(
    """marathon castilian quran islam god internet web earth sun moon mars marine serpentine heaven hell bible koran
    quran torah renaissance enlightenment reformation parliament congress senate allah bluetooth linux windows
    android excel java python facebook google twitter apple amazon visa mastercard euro dollar pound english latin
    french german spanish covid zoom outlook"""
)
NO_ACRONYMS = word_set(_ACRONYM_STOPWORDS)

_DEMONYMS = word_set("""
afghan albanian algerian american andorran angolan argentine argentinian armenian australian
austrian azerbaijani bahamian bahraini bangladeshi barbadian belarusian belgian belizean beninese bhutanese bolivian
bosnian botswanan brazilian british bruneian bulgarian burkinabe burmese burundian belizian ecuadorean bhutani
chechen crimean cymric greenlander icelander new-zealander cambodian cameroonian canadian chadian chilean chinese
colombian comoran congolese croatian cuban cypriot czech danish djiboutian dominican dutch ecuadorian egyptian
emirati english eritrean estonian ethiopian fijian filipino finnish french gabonese gambian georgian german ghanaian
greek grenadian guatemalan guinean guyanese haitian honduran hungarian icelandic indian indonesian iranian iraqi
irish israeli italian ivorian jamaican japanese jordanian kazakh kazakhstani kenyan korean kuwaiti kyrgyz laotian
latvian lebanese liberian libyan lithuanian luxembourgish macedonian malagasy malawian malaysian maldivian malian
maltese mauritanian mauritian mexican moldovan mongolian montenegrin moroccan mozambican namibian nepalese nepali
nicaraguan nigerian nigerien norwegian omani pakistani palestinian panamanian paraguayan peruvian polish portuguese
qatari romanian russian rwandan salvadoran samoan saudi scottish senegalese serbian seychellois singaporean slovak
slovakian slovene slovenian somali spanish sudanese surinamese swazi swedish swiss syrian taiwanese tajik tanzanian
thai tibetan togolese tongan trinidadian tunisian turkish turkmen ugandan ukrainian uruguayan uzbek venezuelan
vietnamese welsh yemeni zambian zimbabwean african asian european scandinavian arab arabic persian kurdish turkic
slavic celtic bavarian catalan basque flemish sicilian soviet yugoslav latino latina hispanic roman byzantine
ottoman mongol norman saxon anglo-saxon viking aboriginal maori inuit cherokee navajo apache sioux aztec inca mayan
zulu yoruba igbo hausa tamil bengali punjabi gujarati kashmiri afro-american african-american asian-american
mexican-american irish-american italian-american anglo-american greenlandic faroese californian texan hawaiian
parisian londoner venetian prussian austro-hungarian
englishman englishmen englishwoman frenchman frenchmen irishman irishmen scotsman scot scots dutchman welshman
spaniard dane swede finn pole turk briton brit aussie kiwi christian muslim jewish jew jews hindu buddhist sikh
catholic protestant orthodox anglican lutheran methodist baptist presbyterian mormon quaker sunni shia shiite sufi
evangelical pentecostal calvinist atheist agnostic zoroastrian jain taoist confucian islamic islamist judaic hebrew
democrat republican conservative liberal socialist communist marxist fascist nazi libertarian tory tories whig
labourite anarchist zionist
""")
GROUPS = _DEMONYMS | frozenset(
    word + "s"
    for word in _DEMONYMS
    if word.endswith(("n", "i", "t", "k", "o", "b", "u", "c", "e", "w", "x"))
    and not word.endswith(("ese", "men", "ews"))
)
# These say so only where the word after them is about people or politics, or they stand in the plural.
BROAD_GROUPS = word_set("conservative liberal orthodox republican roman english polish norman saxon total")

BIRTH = word_set(
    """in at from near to across through around outside inside throughout within toward towards via of into between
    visit visited visiting left leaving reached moved near invaded"""
)
SAYING = word_set(
    """said says say told tells asked asks replied answered added wrote writes argued argues believed believes
    thought thinks explained explains noted notes claimed claims stated states announced announces admitted admits
    suggested suggests commented smiled laughed nodded sighed whispered shouted cried went goes came comes took
    takes got gets gave gives made makes knew knows felt feels looked looks wanted wants decided decides began
    begins married marries died dies met meets lived lives studied graduated attended grew became becomes wasn't
    isn't hasn't doesn't didn't loves loved likes liked hated played plays scored scores won wins lost beat defeated
    signed retired coached starred directed composed painted invented discovered published joined resigned served
    ran walked stood sat turned called calls phoned emailed lives works worked has had is was who whose whom he she
    his her reminded confirmed requested complained responded refused agreed promised thanked hopes hoped needs
    needed prefers received sent opened closed born aged and or will would can could should himself herself"""
)
# Some `SAYING` words are said of things too: with these a name is likely but not sure.
COMMON_VERBS = word_set(
    """has had is was and or will would can could should won lost became becomes called began made got came went ran
    signed joined closed opened received sent"""
)
PERSON_BEFORE = word_set(
    """by with told asked met married named called and or son daughter wife husband brother sister father mother
    friend cousin nephew niece uncle aunt widow colleague boss partner girlfriend boyfriend boy girl man woman dear
    hi hello hey thanks regards cheers sincerely love yours from to cc thank contact ask tell remind email phone
    inform invited thanked hired fired accused against between brothers sisters between poet author call belongs
    lawyer actor actress singer president chairman director manager teacher nurse patient client customer employee
    tenant applicant student defendant plaintiff witness colleague neighbour neighbor doctor attorney sergeant
    son-in-law grandson granddaughter fiance fiancee for that but when while if because then although where as than
    like who whom"""
)
SURE_BEFORE = word_set(
    """told asked married met interviewed hired fired named dear mr mrs ms dr prof wife husband son daughter brother
    sister nephew niece cousin widow girlfriend boyfriend fiance fiancee surname forename alias née nee friend
    colleague actor actress singer author poet guitarist drummer novelist composer spokesman spokeswoman chairman hi"""
)
FAMILY_ENDS = tuple(
    sorted(
        word_set(
            """son sen sson ez ov ova ev eva sky ski ska skaya wicz vich vic enko shvili adze ian yan poulos idis akis
            dottir nen strom stroem berg stein mann bauer meyer maier huber escu eanu oglu ella elli etti ini ucci acci
            ault eaux ingham worth well ley kowski czyk czak"""
        )
    )
)

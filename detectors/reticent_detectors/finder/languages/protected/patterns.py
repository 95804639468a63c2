"""How beliefs, unions, sexual orientation and crimes are worded: parts of verbose patterns, for folded text."""

from __future__ import annotations

_AN = r"(?:(?:an?|un|une|una|um|uma|ein|eine)[ ])?"
BELIEF = (
    rf"{_AN}(?:(?:devout|practi[sc]ing|lapsed|observant|strict|orthodox|conservative|reform|roman|greek|russian"
    rf"|eastern|shia|shiite|sunni|born-again|evangelical|southern|irish|strenggl\w+|glaubig\w*|romisch|russisch"
    rf"|griechisch|fervente?|pratiquante?|testigos?|testemunhas?|testimon[ei]|temoins?|zeug\w+)"
    rf"[- ](?:de[ ]|di[ ]|of[ ])?){{0,2}}"
    r"(?:catholic|protestant|muslim|moslem|jew(?:s|ish|ess)?\b|hindu|buddhist|sikh|mormon|atheist|agnostic|lutheran"
    r"|methodist|baptist|presbyterian|anglican|episcopalian|pentecostal|quaker|adventist|jehova|geova|jeova"
    r"|scientolog|pagan|wiccan|zoroastrian|bah[aá]['’]?i|jain|taoist|shinto|christian|evangelical|unitarian|islam"
    r"|judaism|christianity|catholicism|buddhism|hinduism"
    r"|katholi|evangelisch|orthodox|jude\b|judin|judisch|buddhis|hinduis|konfessionslos|judentum|christentum"
    r"|christlich|freikirchlich|neuapostolisch|altkatholisch|freireligios|glaubig\b|christ\b|christin\b|alevit"
    r"|catholique|chretien|musulman|juive?s?\b|juifs?\b|bouddhis|hindoue?|athee|agnostique|evangelique|catolic"
    r"|cristian|judi[oa]s?\b|budista|ate[oa]s?\b|agnostic|evangelic|ortodox|cattolic|ebre[oai]\b|ebrais|buddista"
    r"|induista|ortodoss|valdese|crista\b|cristao|muculman|judeu|judia|judaism|ateu|ateia|espirita|espiritista"
    r"|umband|candomblecista|evangelico|mormon|metodista|batista|bautista|adventista|pentecostal|candomble"
    r"|hispanic|latin[oax]s?\b|afro-?\w+|african[- ]american|asian[- ]american|native[ ]american|caucasian|romani\b"
    r"|sinti\b|sintiz|kurd|romanichal|gitan[oa]|mestiz|indigen|mixed[- ]race|biracial)\w*"
)
"""A religion, or a people that is no nation."""
UNION = (
    r"(?:(?:the|der|die|la|le|lo|il|el|a|o)[ ])?(?:ig[ ]metall|ver\.?di|ig[ ]bau|gew\b|cgt\b|cfdt\b|ugt\b|ccoo\b"
    r"|cgil\b|cisl\b|unison\b|seiu\b|afl-cio|teamsters"
    r"|[\w' -]{0,24}?(?:trade|labou?r|workers['’]?|teachers['’]?|nurses['’]?)[ ]union|[\w-]*gewerkschaft"
    r"|syndicat|sindicat|sindacat)\w*"
)
"""A trade union."""
ORIENTATION = (
    rf"{_AN}(?:gays?\b(?![-’'])|lesb(?:ian|isch|ienne|iana|ica)"
    rf"|(?:bi|homo|hetero|pan|a|omni|demi|trans)-?(?:se[xs]s?u[ae]l|sexuell|ssexual)|homo\b|hetero\b|hetera\b|etero\b"
    rf"|bisex\b|bi\b(?![-’'])|queer\b|trans\b(?![-’'])|polyse[xk]su|polisess|omosessual|eterosessual|bisessual"
    rf"|pansessual|asessual|schwul|transgender|transgenre|transgenero|transgeschlecht|non-?binary|nicht-?bin[aä]r"
    rf"|n[aã]o-?bin[aá]ri|no[ ]binari)\w*"
)
"""Said of a person, words that mean little else ("straight" does)."""
CRIME = (
    rf"{_AN}(?:(?:an?|the|two|three|several|multiple|counts?|first|second|third|degree|aggravated|armed|attempted"
    rf"|felony|misdemeanou?r|grand|petty|benefit|welfare|mortgage|election|electoral|hate|sex|petit|simple|sexual"
    rf"|domestic|identity|tax|wire|mail|bank|insurance|securities|credit|card|drug|child|vehicular|involuntary"
    rf"|voluntary|drunk|drunken|reckless|statutory|gross|serious|criminal|minor|embezzling|schwer\w+|versucht\w+"
    rf"|fahrlassig\w+|gefahrlich\w+|sexuell\w+|gemeinschaftlich\w+)[- ](?:of[ ])?){{0,3}}"
    r"(?:burglar(?:y|ies)|robber(?:y|ies)|theft|larceny|fraud|embezzl|assault|manslaughter|murders?\b|arson|rape\b"
    r"|kidnapping|forgery|perjury|brib(?:e|ing)|extort|blackmail|stalking|shoplift|vandalism|trespass|dui\b|dwi\b"
    r"|driving[ ](?:under[ ]the[ ]influence|while[ ](?:intoxicated|impaired)|without[ ]a[ ]licen[cs]e)"
    r"|dangerous[ ]driving|careless[ ]driving|speeding\b|drunk(?:en)?[ ]driving|drink[- ]driving|drug[ ]possession"
    r"|possession(?=[ ]of[ ])|stealing|killing|murdering|robbing|raping|assaulting|stabbing|shooting|beating"
    r"|attacking|abusing|abducting|kidnapping|harassing|threatening|defrauding|cheating|forging|bribing|burgl\w+"
    r"|smuggling"
    r"|(?:dealing|selling|supplying|possessing|growing|importing)[ ](?:drugs|cocaine|heroin|cannabis|crack|weed)"
    r"|causing[ ]death|terroris|gbh\b|trafficking|smuggling|money[ ]laundering|laundering|harassment|homicide"
    r"|racketeer|conspiracy|indecent|domestic[ ]violence|violence\b|evasion|tax[ ]evasion|solicit(?:ing|ation)"
    r"|prostitution|molest(?:ing|ation)|hacking|poaching|gambling|bigamy|affray|criminal[ ]damage"
    r"|handling[ ]stolen[ ]goods|grievous|insider[ ]trading|sex[ ]offen[cds]e|felon\b|drug[ ]dealing|loitering"
    r"|disorderly|joyriding|carjacking|breaking[ ]and[ ]entering|obstruction(?=[ ]of[ ])|identity[ ]theft"
    r"|counterfeiting|hit[ -]and[ -]run|false[ ]accounting|grand[ ]theft|cybercrime|treason|contempt[ ]of[ ]court"
    r"|stabbing|animal[ ]cruelty|public[ ]intoxication|cruelty|fare[ ]evasion"
    r"|(?:beihilfe|anstiftung)(?=[ ]zu)"
    r"|(?:(?:strassen|bank|schwere[rmns]{0,2}[ ])?raub|(?:doppel|auftrags|versuchte[rnms]?[ ])?mord"
    r"|(?:wohnungs)?einbruch)(?:e?s)?\b"
    r"|widerstands?[ ]gegen|volksverhetz"
    r"|\w*(?:diebst[aä]hl|(?:kredit|sozial|steuer|versicherungs|anlage|internet|subventions|\b)betrug"
    r"|korperverletzung|totschlag|brandstiftung|vergewaltigung|falschung|meineid|bestechung|erpressung"
    r"|hinterziehung|unterschlagung|veruntreuung|notigung|hehlerei|sachbeschadigung|trunkenheit|fahrerflucht"
    r"|drogenhandel|drogenbesitz|geldwasche|beraubung|menschenhandel|hausfriedensbruch|missbrauch|schwarzfahren"
    r"|beleidigung|bedrohung)(?:e?s|en|e)?\b"
    r"|untreue\b|stalking"
    r"|vol\b|vols\b|cambriolage|fraude|escroquerie|agression|meurtre|homicide|viol\b|incendie|parjure|corruption"
    r"|extorsion|chantage|conduite(?=[ ](?:en|sans|sous)[ ])|trafic(?=[ ]d)|blanchiment|violences|abus|recel"
    r"|delit[ ]de[ ]fuite|travail[ ]dissimule|port(?=[ ](?:d|illegal|prohibe))|abandon(?=[ ]de[ ])|faux(?=[ ]et[ ])"
    r"|faux\b|harcelement|detournement|coups(?=[ ]et[ ])|usage(?=[ ]de[ ])|evasion|assassinat|menaces|exhibition"
    r"|outrage|degradation|rebellion"
    r"|robo\b|robos\b|hurto|estafa|agresion|asesinato|homicidio|violacion|incendio|falsifica|falsedad|perjurio"
    r"|soborno|cohecho|chantaje|condu(?:cir|zir|cao|ccao)(?=[ ])|trafico(?=[ ]de[ ])|narcotrafico|blanqueo"
    r"|malversacion|lesiones|acoso|maltrato|violencia|allanamiento|conduccion(?=[ ](?:bajo|temeraria|sin|ebria))"
    r"|secuestro|amenazas|prevaricacion|alcoholemia"
    r"|furt[oi]\b|rapin[ae]|frode|truff[ae]|aggressione|omicidio|stupro|violenza|spergiuro|corruzione|estorsione"
    r"|ricatto|guida(?=[ ](?:in|sotto|senza)[ ])|spaccio|riciclaggio|appropriazione|lesioni|molestie"
    r"|evasione[ ]fiscale|ricettazione|sequestro|concussione|peculato|diffamazione|bancarotta|maltrattamenti|rissa"
    r"|minacce"
    r"|roubo|burla\b|estelionato|agressao|assassinato|assassinio|estupro|violacao|falsificacao|suborno|corrupcao"
    r"|extorsao|chantagem|embriaguez|branqueamento|lavagem|lesao|lesoes|ofensas|assedio|sequestro|receptacao|evasao"
    r"|sonegacao|ameaca|desvio)\w*"
)
"""What somebody is convicted of."""
CRIME_TAILS = r"""[ ](?:
    a[ ](?:main[ ]armee|l['’]etalage|mano[ ]arma[dt]a|mao[ ]armada|domicilio)
    |en[ ](?:etat[ ](?:d['’]\w+|alcoolique)|bande[ ]organisee|reunion|recidive|grado[ ]de[ ]\w+)
    |sans[ ](?:permis|assurance)|sous[ ](?:l['’]\w+|influence)
    |de[ ](?:stupefiants|drogues?|faux|biens|confiance|famille|estupefacientes|menor\w*|capitales|vehiculos?|droga)
    |d['’]arme\w*|et[ ](?:blessures|usage)
    |con[ ](?:violencia|fuerza|intimidacion|arma\w*)|bajo[ ](?:los[ ]efectos|la[ ]influencia)
    |sin[ ](?:carnet|permiso|licencia)|sob[ ](?:efeito|influencia)|sem[ ](?:carta|habilitacao)|ao[ ]volante
    |in[ ](?:abitazione|stato[ ]di[ ]\w+|stato[ ]d['’]\w+|concorso|famiglia)|sotto[ ](?:l['’]\w+|effetto)
    |senza[ ](?:patente|assicurazione)|di[ ](?:droga|stupefacenti|denaro|influenze)
    |am[ ]steuer|mit[ ]todesfolge|im[ ](?:strassenverkehr|amt)|(?<=(?:beihilfe|anstiftung)[ ])zu[mr]?[ ]\w+
    |with[ ](?:intent|a[ ]deadly[ ]weapon)|under[ ]the[ ]influence|of[ ]justice|and[ ]battery|by[ ](?:deception|fraud)
    |to[ ](?:commit[ ][\w-]+|defraud|murder|supply)
    |(?<=possession[ ])of[ ]
    (?:(?:an?|illegal|stolen|child|controlled|crack|unlicensed|prohibited|class|offensive)[ ]){0,2}[\w-]+)"""
"""How a crime's name goes on behind a word at which other values end ("vol à main armée")."""

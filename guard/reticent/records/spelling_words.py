"""Lists the words and letters that `spellings` treats as equal.

A table maps each word to the first word of its group. Words are in small letters, without marks or dots.
"""

from __future__ import annotations


def _table(groups: str) -> dict[str, str]:
    """Reads groups such as "street st|avenue ave", and maps each word to the first of its group."""
    return {word: names[0] for names in map(str.split, groups.split("|")) for word in names}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


DIGIT_LIKE = str.maketrans("oil", "011")

STOP = frozenset(
    _words(
        """a an and are as at be been by called currently for from had has he her his in is it its my named now of on or
        our she since that the their they to under was were which who whose with your"""
    )
)
"""Small words that may be around a value in a sentence."""
BESIDE = STOP - frozenset(_words("a an it my"))
"""Those that may be around a single word and are no part of it: "an" and "my" are names, and "it" a trade, too."""
LABELS = STOP | frozenset(
    _words(
        """acc account acct bank bic card cell code confirmation contact digits dial ending ends fax four iban id
        invoice last mobile no nr num number order phone reference ref tel telephone tracking"""
    )
)
"""Words that may be around a number, such as its label."""

STREET = _table(
    "alley aly|annex anx|arcade arc|avenue ave av aven avn|bayou byu|beach bch|bend bnd|bluff blf|bluffs blfs|"
    "bottom btm|boulevard blvd boul|branch br|bridge brg|brook brk|brooks brks|burg bg|bypass byp|camp cp|canyon cyn|"
    "cape cpe|causeway cswy|center ctr centre|centers ctrs|circle cir|circles cirs|cliff clf|cliffs clfs|club clb|"
    "common cmn|commons cmns|corner cor|corners cors|course crse|court ct|courts cts|cove cv|coves cvs|creek crk|"
    "crescent cres|crest crst|crossing xing|crossroad xrd|curve curv|dale dl|dam dm|divide dv|drive dr drv|"
    "drives drs|estate est|estates ests|expressway expy|extension ext|falls fls|ferry fry|field fld|fields flds|"
    "flat flt|flats flts|ford frd|forest frst|forge frg|fork frk|forks frks|fort ft|freeway fwy|garden gdn|"
    "gardens gdns|gateway gtwy|glen gln|green grn|grove grv|groves grvs|harbor hbr harbour|haven hvn|heights hts|"
    "highway hwy|hill hl|hills hls|hollow holw|inlet inlt|island is|islands iss|junction jct|key ky|keys kys|"
    "knoll knl|knolls knls|lake lk|lakes lks|landing lndg|lane ln|light lgt|loaf lf|lock lck|locks lcks|lodge ldg|"
    "manor mnr|manors mnrs|meadow mdw|meadows mdws|mill ml|mills mls|mission msn|motorway mtwy|mount mt|mountain mtn|"
    "mountains mtns|neck nck|orchard orch|overpass opas|parkway pkwy|passage psge|pine pne|pines pnes|place pl|"
    "plain pln|plains plns|plaza plz|point pt|points pts|port prt|ports prts|prairie pr|radial radl|ranch rnch|"
    "rapid rpd|rapids rpds|rest rst|ridge rdg|ridges rdgs|river riv|road rd|roads rds|route rte|shoal shl|"
    "shoals shls|shore shr|shores shrs|skyway skwy|spring spg|springs spgs|square sq|squares sqs|station sta|"
    "stream strm|street st str saint|streets sts|summit smt|terrace ter terr|throughway trwy|trace trce|track trak|"
    "trafficway trfy|trail trl|tunnel tunl|turnpike tpke|underpass upas|union un|valley vly|valleys vlys|viaduct via|"
    "view vw|views vws|village vlg|villages vlgs|ville vl|vista vis|well wl|wells wls|n north|s south|e east|w west|"
    "ne northeast|nw northwest|se southeast|sw southwest|apt apartment ste suite unit no|1st first|2nd second|"
    "3rd third|4th fourth|5th fifth|6th sixth|7th seventh|8th eighth|9th ninth|10th tenth"
)
STATES = _table(
    "al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|fl florida|"
    "ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|"
    "md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|"
    "nv nevada|oh ohio|ok oklahoma|or oregon|pa pennsylvania|tn tennessee|tx texas|ut utah|vt vermont|va virginia|"
    "wa washington|wi wisconsin|wy wyoming|nh new-hampshire|nj new-jersey|nm new-mexico|ny new-york|"
    "nc north-carolina|nd north-dakota|ri rhode-island|sc south-carolina|sd south-dakota|wv west-virginia"
)
COUNTRY = frozenset(_words("usa us united states of america"))
UNIT = "apt"
"""The word that `STREET` gives for an apartment, suite or unit."""
TITLES = frozenset(_words("dr doctor prof professor mr mrs ms miss mx md phd dds dmd dvm jr sr esq rn sir dame rev"))
LEADING_TITLES = frozenset(
    _words(
        """doktor doktorin professorin herr frau docteur docteure professeur professeure madame mme mlle monsieur
        dra doctora profesor profesora senor senora srta sra dott ssa dottor dottore dottoressa professore
        professoressa signor signora signore doutor doutora professora senhor senhora"""
    )
)
"""Titles that are left out before a name alone, without accents: some are names as well. "Dott.ssa" is two words."""
DEGREES = frozenset(_words("ii iii iv do pa np ba ma msc ph facs facp frcp mbbs"))
COMPANY = _table(
    "inc incorporated|ltd limited|corp corporation|co company|llc|plc|gmbh|ag|sa|lp|llp|pc|pllc|bv|nv|kg|"
    "assoc associates|bros brothers|intl international|natl national|univ university|hosp hospital|ctr center centre|"
    "med medical|mem memorial|st saint|dept department|mfg manufacturing|tech technology|svcs services"
)
LEGAL = frozenset(_words("inc ltd corp co llc plc gmbh ag sa lp llp pc pllc bv nv kg"))
MEDICAL = _table("1 i|2 ii|3 iii|4 iv")
ILLNESS = frozenset(_words("disease disorder syndrome condition"))
DOSE = frozenset(_words("mg mcg ml g iu tablet capsule pill dose daily once twice day per"))
JOB = _table(
    "sr senior|jr junior|mgr manager|asst assistant|dir director|exec executive|eng engineer|admin administrator|"
    "tech technician|dev developer|rep representative|supv supervisor|coord coordinator|acct accountant|"
    "organisation organization|programme program"
)
TWO_DIGIT_CODES = frozenset(
    _words(
        """20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84
        86 90 91 92 93 94 95 98"""
    )
)
"""Country calling codes with two digits. The codes 1 and 7 have one digit, and all others three."""
ROUTE = frozenset(_words("from to on the flight flying flew fly travel travelling dated departing leaving date at for"))
NO_VALUE = frozenset(_words("none null nil nan unknown unspecified notavailable notapplicable notgiven missing empty"))
"""Words that mean "no value" in a column, as `cue.normalize` writes them."""

"""Words of postal addresses in many languages: for streets, units, states and countries.

The upper-case names are parts of patterns for `regex`, or sets. To teach another word, add it here.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.cues import words

_STRONG_BEHIND = "street road avenue lane drive boulevard close crescent terrace parkway highway"
_WEAK_BEHIND = "Court Way Place Square Trail Circle Loop Row Mews Grove Gardens Hill Walk Alley Plaza Quay Green Park View Heights Ridge Path Turnpike Esplanade Parade Wharf Promenade Rise Vale Bypass Expressway Freeway Crossing Landing Point Run Common Croft Drove Wynd Gate Broadway Causeway"
_SHORT_BEHIND = "St Rd Ave Av Ln Dr Ct Blvd Cres Pl Sq Pkwy Hwy Trl Cir Ter Tce Pde Crt Cl Pkw"


def _row(text: str) -> list[str]:
    return text.split()


def _either(rows: list[str]) -> str:
    return "|".join(sorted(rows, key=len, reverse=True))


_ANY_CASE = [f"[{w[0].upper()}{w[0]}]{w[1:]}" for w in _STRONG_BEHIND.split()]
BEHIND = rf"(?:{_either([*_ANY_CASE, *_WEAK_BEHIND.split(), *_SHORT_BEHIND.split()])})(?!\p{{L}})(?:(?<=\b\p{{L}}{{2,4}})\.(?! \p{{Lu}}\p{{Ll}}{{0,20}} \p{{Ll}}))?"
BROAD = f"(?:{_either(_WEAK_BEHIND.split())})"
"""Behind a name, words that say "street" but are said of much else as well."""
_FRONTS = _row(
    """Rue Avenue Av. Ave. Boulevard Bd Bd. Blvd Chemin Place Impasse Allée Quai Route Cours Square Passage Via Viale
    Piazza Piazzale Corso Vicolo Largo Strada Str. Contrada Calle C/ C. Avenida Avda Avda. Av Plaza Paseo Pº Camino
    Carrer Carretera Ronda Travesía Callejón Glorieta Rua R. Travessa Praça Alameda Estrada Rodovia Ulica Ul. Aleja
    Aleje Al. Plac Pl. Os. Osiedle Ulice Náměstí Trg Cesta Ulitsa Prospekt Jalan Jl. Lorong Bulevardul Calea Strada
    Intrarea Aleea ул. Улица Проспект пр. пр-т Переулок пер. площадь Οδός οδός Λεωφόρος Jalan"""
)
_EVERY_FRONT = sorted(
    {w for front in _FRONTS for w in (front, front.lower())} - {"r.", "c.", "av"}, key=len, reverse=True
)
FRONT = "(?:" + "|".join(regex.escape(front) for front in _EVERY_FRONT) + ")"
ENGLISH_FRONTS = words(
    "avenue boulevard place route square passage via plaza largo strada cesta court cours camino r c trg ronda plac al"
)
"""Words before the name of a street that prose has in other meanings, folded: after these the name needs a capital."""
_ENDINGS = _row(
    """weg straße strasse str gasse allee platz damm ufer steig chaussee straat laan plein plaats gracht kade dreef
    singel dijk steenweg gata gatan gate gaten vägen veien vegen väg stigen gränd torget vej gade stræde torv allé
    katu kuja polku raitti tie kaari ring markt wall graben brücke promenade stieg pfad park hof"""
)
WEAK_ENDINGS = "(?i:platz|park|hof|ring|markt|wall|graben|gate|tie|str|kade|promenade)"
"""Ends of streets' names and of other words, after which more must say that it is an address."""
ENDINGS = rf"(?:{_either(_ENDINGS)})(?:(?<=str)\.)?"
LAST = (*_ENDINGS, "str.")
LEAD = r"(?:(?:Am|An|Im|In|Zum|Zur|Auf|Unter|Hinter|Große|Kleine|Alte|Neue|Obere|Untere|Lange|Breite|Sankt|St\.)(?: (?:der|dem|den))? )"
_WAYS = _row(
    """Straße Strasse Allee Platz Weg Gasse Ring Ufer Boulevard Allé Plads Torv Gade Vej Gata Väg Street Road Avenue
    Lane Drive Linden Steenweg Laan Square Sokak Sokağı Sok. Caddesi Cad. Cd. Sk. Bulvarı"""
)
SMALL_WAYS = words(
    """gate vei utca u. út útja tér tere körút krt. sétány köz iela gatvė g. pr. tee tn pst mnt ulica cesta trg třída
    nábřeží náměstí gata vägen katu tie straat laan väg gade vej"""
)
WAYS = "(?:" + "|".join(regex.escape(way) for way in sorted([*_WAYS, *SMALL_WAYS], key=len, reverse=True)) + ")"
SMALL = r"(?:de|du|des|la|le|les|los|las|el|del|della|delle|dei|degli|dell['’]|di|da|do|dos|das|d['’]|l['’]|san|santa|saint|sainte|st\.?|van|von|der|den|dem|am|an|im|in|ob|nad|sur|sous|en|upon|on|y|e)"
UNIT = (
    r"(?:(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|Level|Shop|Studio|Lot|Bldg|Building|Block|Box|bus|bte|boîte|Boîte|[Aa]pto|[Aa]ppartement|[Aa]ppart|App|[Aa]pp|Wohnung|Whg"
    r"|Top|Stiege|Tür|[Ii]nterno|int|[Ss]cala|[Pp]iano|[Pp]iso|[Pp]lanta|[Pp]uerta|pta|[Ee]scalera|[Ee]sc|[Bb]loque|[Bb]loco|[Aa]ndar|lok|кв|корп|lgh|[Bb]ât|[Pp]orta|[Kk]at|[Dd]aire)(?!\p{Ll})(?:\.?:? ?#?\p{L}?\d{1,4}\p{L}?|\.? \p{L})"
    r"|#\p{L}?\d{1,5}\p{L}?|m\. ?\d{1,3}|д\. ?\d{1,4}|№ ?\d{1,4}|(?:No|Nr)\.? ?\d{1,5}|\d{1,2}(?:\.?[ºª°]|er|[ºª°]\.)(?: ?(?:[Ee]sq|[Dd]to|[Dd]ta|[Ii]zq|[Dd]cha|[Cc]tro|[Ff]te|étage|piso|andar|\p{L}|\d)\.?)?"
    r"|(?:[Bb]ajo|[Áá]tico|[Ee]ntresuelo|[Pp]rincipal)(?: \p{L}(?!\p{L}))?|\d{1,2}\. ?(?:OG|Stock|Etage|tv|th|mf|sal|em|emelet)\.?(?: \d{1,2})?|\d{1,2}(?:st|nd|rd|th) [Ff]l(?:oor|r)?|\d{1,2}(?:er?|ème) étage|EG|PH)"
)
AUSTRALIAN = (
    r"(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT|New South Wales|Victoria|Queensland|South Australia|Western Australia|Tasmania)"
)
_STATE_CODES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC "
    "ON QC BC AB MB SK NS NB NL PE YT NU PQ NSW VIC QLD TAS ACT"
)
STATE_CODES = f"(?:{_either(_STATE_CODES.split())})"
_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts"
    "|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania"
    "|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Ontario|Québec|Quebec|British Columbia|Alberta"
    "|Manitoba|Saskatchewan|Nova Scotia|New Brunswick"
)
STATES = f"(?:{_STATES})"
COUNTRIES = frozenset(
    [
        "deutschland",
        "osterreich",
        "schweiz",
        "suisse",
        "svizzera",
        "frankreich",
        "france",
        "italia",
        "italien",
        "espana",
        "spanien",
        "portugal",
        "brasil",
        "belgie",
        "belgique",
        "belgien",
        "nederland",
        "niederlande",
        "polska",
        "polen",
        "sverige",
        "schweden",
        "norge",
        "danmark",
        "suomi",
        "finland",
        "cesko",
        "ceska",
        "republika",
        "slovensko",
        "slovenija",
        "hrvatska",
        "magyarorszag",
        "romania",
        "turkiye",
        "ellada",
        "uk",
        "usa",
        "us",
        "u.k",
        "u.s.a",
        "u.s",
        "england",
        "scotland",
        "wales",
        "australia",
        "canada",
        "ireland",
        "eire",
        "mexico",
        "argentina",
        "chile",
        "colombia",
        "peru",
        "india",
        "singapore",
    ]
) | {
    "ceska republika",
    "united kingdom",
    "great britain",
    "united states",
    "new zealand",
    "south africa",
    "czech republic",
    "pays bas",
    "etats unis",
    "royaume uni",
    "estados unidos",
    "reino unido",
}
ARTICLES = words(
    "Der Die Das Dem Den Des Ein Eine Einem Einer Einen The A An This That La Le El Il Un Una Une Los Las Les De Het Een En Ett Na W Do"
)
COUNTED = words(
    """area figure table chapter section page part volume psalm war boeing windows version type class number unit room box level apollo article act scene line band kapitel seite teil
    abschnitt artikel tabelle abbildung chapitre tableau article page capitulo pagina figura tabla capitolo tabella group team day week year grade phase stage step item question iphone"""
)
"""Words that are counted: before a number they name no street."""
LEADS = words("Am An Im In Zum Zur Auf Unter Hinter Große Kleine Alte Neue Obere Untere Lange Breite Sankt St.")
_BOXES = _row(
    """P.O. PO P.O.Box POBox Post GPO Locked Postfach Postbus Boîte BP B.P. Apartado Casilla Caixa Casella Postboks PL
    P. Skr."""
)
_UNITS = _row("Unit Flat Apt Apt. Apartment Suite Ste Ste. Level Shop Studio Room Lot Villa Office")
FIRST = frozenset([*_EVERY_FRONT, *LEADS, *_BOXES, *_UNITS])
"""Words with which an address may begin, as they stand before a blank."""

"""Words of postal addresses in many languages: for streets, units, states and countries.

The upper-case names are parts of patterns for `regex`, or sets. To teach another word, add it here.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.names_data import fold

_STRONG_BEHIND = "street road avenue lane drive boulevard close crescent terrace parkway highway"
_WEAK_BEHIND = """
    Court Way Place Square Trail Circle Loop Row Mews Grove Gardens Hill Walk Alley Plaza Quay Green Park View Heights
    Ridge Path Turnpike Esplanade Parade Wharf Promenade Rise Vale Bypass Expressway Freeway Crossing Landing Point Run
    Common Croft Drove Wynd Gate Broadway Causeway
"""
_SHORT_BEHIND = "St Rd Ave Av Ln Dr Ct Blvd Cres Pl Sq Pkwy Hwy Trl Cir Ter Tce Pde Crt Cl Pkw"


def _row(text: str) -> list[str]:
    return text.split()


def _either(rows: list[str]) -> str:
    return "|".join(sorted(rows, key=len, reverse=True))


_ANY_CASE = [f"[{w[0].upper()}{w[0]}]{w[1:]}" for w in _STRONG_BEHIND.split()]
BEHIND = (
    rf"(?:{_either([*_ANY_CASE, *_WEAK_BEHIND.split(), *_SHORT_BEHIND.split()])})(?!\p{{L}})"
    rf"(?:(?<=\b\p{{L}}{{2,4}})\.(?! \p{{Lu}}\p{{Ll}}{{0,20}} \p{{Ll}}))?"
)
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
_WEAK_FRONTS = _row(
    """Acceso Bajada Barranco Barriada Barrio Cañada Cuesta Pasadizo Pasaje Plazuela Rambla Rotonda Ruta Sendero
    Urbanización Vía Vial Polígono Carrera Costanilla Canale Incrocio Stretto Borgo Salita Lungomare Località Frazione
    Piazzetta Vico Aeroporto Área Campo Chácara Colônia Condomínio Conjunto Distrito Esplanada Estação Favela
    Fazenda Feira Jardim Ladeira Lago Lagoa Loteamento Morro Núcleo Parque Passarela Pátio Quadra Recanto Residencial
    Setor Sítio Trecho Trevo Vale Vereda Viaduto Viela Vila Bairro Beco Calçada Quinta Urbanização Voie Sentier
    Faubourg Résidence Hameau Lotissement Lieu-dit Ruelle Venelle Esplanade Montée Sente Cité"""
)
WEAK_FRONTS = frozenset(_WEAK_FRONTS)
"""Words before the name of a street that are said of much else: a code and its town must follow."""
WEAK_FRONT = "(?:" + "|".join(regex.escape(front) for front in sorted(_WEAK_FRONTS, key=len, reverse=True)) + ")"
ENGLISH_FRONTS = word_set(
    "avenue boulevard place route square passage via plaza largo strada cesta court cours camino r c trg ronda plac al"
)
"""Words before a street's name that prose has in other meanings, folded. Behind them the name needs a capital."""
_ENDINGS = _row(
    """weg straße strasse str gasse allee platz damm ufer steig chaussee straat laan plein plaats gracht kade dreef
    singel dijk steenweg gata gatan gate gaten vägen veien vegen väg stigen gränd torget vej gade stræde torv allé
    katu kuja polku raitti tie kaari ring markt wall graben brücke promenade stieg pfad park hof"""
)
WEAK_ENDINGS = "(?i:platz|park|hof|ring|markt|wall|graben|gate|tie|str|kade|promenade)"
"""Ends of streets' names and of other words. Behind these, more must say that it is an address."""
ENDINGS = rf"(?:{_either(_ENDINGS)})(?:(?<=str)\.)?"
LAST = (*_ENDINGS, "str.")
LEAD = (
    r"(?:(?:Am|An|Im|In|Zum|Zur|Auf|Unter|Hinter|Große|Kleine|Alte|Neue|Obere|Untere|Lange|Breite|Sankt|St\.)"
    r"(?: (?:der|dem|den))? )"
)
_WAYS = _row(
    """Straße Strasse Allee Platz Weg Gasse Ring Ufer Boulevard Allé Plads Torv Gade Vej Gata Väg Street Road Avenue
    Lane Drive Linden Steenweg Laan Square Sokak Sokağı Sok. Caddesi Cad. Cd. Sk. Bulvarı"""
)
SMALL_WAYS = word_set(
    """gate vei utca u. út útja tér tere körút krt. sétány köz iela gatvė g. pr. tee tn pst mnt ulica cesta trg třída
    nábřeží náměstí gata vägen katu tie straat laan väg gade vej"""
)
WAY_WORDS = frozenset(_WAYS)
WAYS = "(?:" + "|".join(regex.escape(way) for way in sorted([*_WAYS, *SMALL_WAYS], key=len, reverse=True)) + ")"
SMALL = (
    r"(?:de|du|des|la|le|les|los|las|el|del|della|delle|dei|degli|dell['’]|di|da|do|dos|das|d['’]|l['’]|san|santa"
    r"|saint|sainte|st\.?|van|von|der|den|dem|am|an|im|in|ob|nad|sur|sous|en|upon|on|y|e)"
)
UNIT = (
    r"(?:(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|Level|Shop|Studio|Lot|Bldg|Building|Block|Box|bus|bte"
    r"|boîte|Boîte|[Aa]pto|[Aa]ppartement|[Aa]ppartamento|[Aa]ppart|App|[Aa]pp|Wohnung|Whg"
    r"|Top|Stiege|Tür|[Ii]nterno|int|[Ss]cala|[Pp]iano|[Pp]iso|[Pp]lanta|[Pp]uerta|pta|[Ee]scalera|[Ee]sc|[Bb]loque"
    r"|[Bb]loco|[Aa]ndar|lok|кв|корп|lgh|[Bb]ât|[Pp]orta|[Kk]at|[Dd]aire)(?!\p{Ll})(?:\.?:? ?#?\p{L}?\d{1,4}\p{L}?"
    r"|\.? \p{L})"
    r"|#\p{L}?\d{1,5}\p{L}?|m\. ?\d{1,3}|д\. ?\d{1,4}|№ ?\d{1,4}|(?:No|Nr)\.? ?\d{1,5}"
    r"|\d{1,2}(?:\.?[ºª°]|er|[ºª°]\.)"
    r"(?: ?(?:[Ee]sq|[Dd]to|[Dd]ta|[Ii]zq|[Dd]cha|[Cc]tro|[Ff]te|étage|piso|andar|\p{L}|\d)\.?)?"
    r"|(?:[Bb]ajo|[Áá]tico|[Ee]ntresuelo|[Pp]rincipal)(?: \p{L}(?!\p{L}))?"
    r"|\d{1,2}\. ?(?:OG|Stock|Etage|tv|th|mf|sal|em|emelet)\.?(?: \d{1,2})?|\d{1,2}(?:st|nd|rd|th) [Ff]l(?:oor|r)?"
    r"|\d{1,2}(?:er?|ème) étage|EG|PH)"
)
AUSTRALIAN = (
    r"(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT|New South Wales|Victoria|Queensland|South Australia|Western Australia|Tasmania)"
)
_STATE_CODES = """
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
    SC SD TN TX UT VT VA WA WV WI WY DC
    ON QC BC AB MB SK NS NB NL PE YT NU PQ NSW VIC QLD TAS ACT
"""
STATE_CODES = f"(?:{_either(_STATE_CODES.split())})"
_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois"
    "|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts"
    "|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York"
    "|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania"
    "|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia"
    "|Wisconsin|Wyoming|Ontario|Québec|Quebec|British Columbia|Alberta"
    "|Manitoba|Saskatchewan|Nova Scotia|New Brunswick"
)
STATES = f"(?:{_STATES})"
_COUNTRIES = """
    afghanistan, albania, algeria, andorra, angola, anguilla, antigua and barbuda, argentina, armenia, aruba,
    australia, austria, azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bermuda,
    bhutan, bolivia, bosnia and herzegovina, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia,
    cameroon, canada, cape verde, cayman islands, central african republic, chad, chile, china, colombia, comoros,
    congo, cook islands, costa rica, croatia, cuba, cyprus, czech republic, czechia, denmark, djibouti, dominica,
    dominican republic, ecuador, egypt, el salvador, equatorial guinea, eritrea, estonia, eswatini, ethiopia,
    falkland islands, faroe islands, fiji, finland, france, french guiana, french polynesia, gabon, gambia, georgia,
    germany, ghana, gibraltar, greece, greenland, grenada, guadeloupe, guam, guatemala, guernsey, guinea,
    guinea-bissau, guyana, haiti, honduras, hong kong, hungary, iceland, india, indonesia, iran, iraq, ireland,
    isle of man, israel, italy, ivory coast, jamaica, japan, jersey, jordan, kazakhstan, kenya, kiribati, kosovo,
    kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania, luxembourg, macau,
    madagascar, malawi, malaysia, maldives, mali, malta, marshall islands, martinique, mauritania, mauritius, mayotte,
    mexico, micronesia, moldova, monaco, mongolia, montenegro, montserrat, morocco, mozambique, myanmar, namibia,
    nauru, nepal, netherlands, new caledonia, new zealand, nicaragua, niger, nigeria, north korea, north macedonia,
    norway, oman, pakistan, palau, palestine, panama, papua new guinea, paraguay, peru, philippines, poland, portugal,
    puerto rico, qatar, romania, russia, russian federation, rwanda, saint kitts and nevis, saint lucia,
    saint vincent and the grenadines, samoa, san marino, sao tome and principe, saudi arabia, senegal, serbia,
    seychelles, sierra leone, singapore, slovakia, slovenia, solomon islands, somalia, south africa, south korea,
    south sudan, spain, sri lanka, sudan, suriname, sweden, switzerland, syria, taiwan, tajikistan, tanzania,
    thailand, timor-leste, togo, tonga, trinidad and tobago, tunisia, turkey, turkmenistan, turks and caicos islands,
    tuvalu, uganda, ukraine, united arab emirates, united kingdom, great britain, northern ireland, united states,
    united states of america, uruguay, uzbekistan, vanuatu, venezuela, vietnam, western sahara, yemen, zambia,
    zimbabwe, england, scotland, wales, democratic republic of the congo, republic of the congo,
    people's republic of china, kingdom of the netherlands, netherlands antilles, uk, usa, us, u.k, u.s.a, u.s,
    deutschland, österreich, schweiz, frankreich, italien, spanien, niederlande, belgien, polen, schweden, dänemark,
    suisse, belgique, pays-bas, états-unis, royaume-uni, allemagne, espagne, italie, svizzera, italia, spagna,
    francia, germania, españa, méxico, perú, alemania, estados unidos, reino unido, brasil, espanha, frança, alemanha,
    itália, suíça, belgië, nederland, polska, sverige, norge, danmark, suomi, česko, česká republika, slovensko,
    slovenija, hrvatska, magyarország, românia, türkiye, ελλάδα, éire
"""
_NAMED_COUNTRIES = [" ".join(name.split()) for name in _COUNTRIES.split(",")]
COUNTRIES = frozenset(fold(name).replace("-", " ") for name in _NAMED_COUNTRIES)
"""Countries by their names in English and at home, folded."""
COUNTRY = r"(?=\p{Lu})(?i:" + _either([regex.escape(name, special_only=True) for name in _NAMED_COUNTRIES]) + ")"
_OPENERS = """
    In On At By The It He She They We An As For From After Before When If But And So This That There Then His Her My
    Our Their You
    Im Am Um Ab Seit Sie Er Es Wir Ich Ein Eine Nach Vor Bis Dort Mit Ihr Ihre Sein Seine Aber Und
    Elle Ils Elles Nous Vous Je Au Aux Dans En Depuis Son Sa Ses Ce Cette Pour Par Avec Mais Et Une
    Desde Ella Él Ellos Su Sus Yo Por Para Con Pero Una Nel Nella Dal Dalla Lei Lui Alle Per Suo Sua Em Ela Ele Seu Com
    Mas Uma
"""
_OPENING_ARTICLES = "Le La Les El Los Las Il Lo Gli Os Der Die Das Den Du Al"
OPENERS = f"(?:{_either(_OPENERS.split())})(?!\\p{{L}})"
"""Words that begin a sentence and no part of a name."""
OPENING_ARTICLES = f"(?:{_either(_OPENING_ARTICLES.split())})"
"""Words that begin a sentence as well as a name ("Le Gall")."""
ARTICLES = word_set(
    """Der Die Das Dem Den Des Ein Eine Einem Einer Einen The A An This That La Le El Il Un Una Une Los Las Les De
    Het Een En Ett Na W Do"""
)
COUNTED = word_set(
    """area figure table chapter section page part volume psalm war boeing windows version type class number unit room
    box level apollo article act scene line band kapitel seite teil abschnitt artikel tabelle abbildung chapitre
    tableau article page capitulo pagina figura tabla capitolo tabella group team day week year grade phase stage
    step item question iphone fax tel telefon telephone phone telefono telefax mobil fon tlf"""
)
"""Words that are counted: before a number they name no street."""
LEADS = word_set("Am An Im In Zum Zur Auf Unter Hinter Große Kleine Alte Neue Obere Untere Lange Breite Sankt St.")
_BOXES = _row(
    """P.O. PO P.O.Box POBox Post GPO Locked Postfach Postbus Boîte BP B.P. Apartado Casilla Caixa Casella Postboks PL
    P. Skr."""
)
_UNITS = _row("Unit Flat Apt Apt. Apartment Suite Ste Ste. Level Shop Studio Room Lot Villa Office")
FIRST = frozenset([*_EVERY_FRONT, *_WEAK_FRONTS, *LEADS, *_BOXES, *_UNITS])
"""Words with which an address may begin, as they stand before a blank."""

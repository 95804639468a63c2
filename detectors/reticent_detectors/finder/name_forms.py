"""How names of people, towns, companies and hospitals look, as patterns."""

from __future__ import annotations

# Letters with case only: a word of another script, which has no blanks between, is no part of a name.
_CASED = r"[\p{Lu}\p{Ll}\p{M}]"
WORD = rf"\p{{Lu}}{_CASED}{{0,30}}+(?:(?:['’]\p{{L}}{{2}}|-\p{{L}}){_CASED}{{0,24}}+){{0,3}}+"
# Small words inside the names of towns: "an der" and "ob der", but no German genitive ("Teile der Stadt").
_LINKS = (
    r"(?:(?:an|ob|auf|in|vor)(?:[ -](?:der|den|dem))?|am|im|(?:de|do|da|di|del|della|du|des|dos|das|la|le|los|las"
    r"|el|al|en|on|upon|sur|sous|of)(?:[ -](?:la|las|los|les|l'))?|van|von|zu|zum|bei)"
)
# A town's word is shorter than many a German noun.
_T = rf"\p{{Lu}}{_CASED}{{0,17}}+(?:(?:['’]\p{{L}}{{2}}|-\p{{L}}){_CASED}{{0,17}}+){{0,3}}+"
PLACE = rf"(?:St\. )?{_T}(?:(?:[ -]{_LINKS})? {_T}){{0,2}}"
_COMPANY_WORD = (
    rf"(?:\p{{Lu}}\p{{L}}{{0,3}}\.(?:\p{{L}}{{1,4}}\.){{1,3}}|(?:[dl]|dell|[Dd]ell|[Ss]ant|[Ll])['’]{WORD}"
    rf"|\p{{Lu}}\p{{Ll}}{{0,3}}\.-(?:{WORD})|{WORD}|\p{{Lu}}{{1,8}}\d{{0,3}})"
)
COMPANY = (
    rf"(?:{_COMPANY_WORD}(?:, {_COMPANY_WORD}){{1,3}},? (?:and|&|e|et|und|y|i|en) {_COMPANY_WORD}"
    rf"|(?:St\. )?{_COMPANY_WORD}(?:(?: (?:and|&(?! Co\.)|of|for|de|du|des|der|di|del|da|do|das|dos|della|dei|am"
    r"|van|von|e|et|und|y|i|en|le|la|the|part|militaire|militare|militar|universitaire"
    rf"|europ[ée]en)){{0,2}} {_COMPANY_WORD}){{0,6}}(?: (?:communiste|socialiste|national|insoumise|comunista"
    r"|socialista))?)"
    r"(?: (?:and|&|e|et|und|y|i|en) (?:sons|asociados|hijos|figli|fils|syn|zonen))?"
    r"(?: & Co\.(?: KG(?:aA)?| OHG)?| \p{L}{1,4}\.(?:\p{L}{1,5}\.){1,3}(?:\p{Lu}\b)?| S\.A\.U| S/A| Ltda\."
    r"| S\.L\.N\.E| - EI| et Fils| e Filhos| Sp\. z o\.o\.| e\.V\.| mbH| plc"
    r"|(?<=\b(?:Ltda|Lda|Inc|Ltd|Corp|Cia))\.(?= \p{Ll}|,))?"
)
_HOSPITAL_WORD = (
    r"(?:h[ôo]pital|hospital|ospedale|clinique|cl[íi]nica|policlinico|klinik|sanatorio|centre hospitalier"
    r"|casa di cura|maternit[ée]|maternit[àa]|maternidade|maternidad|polyclinique|policl[íi]nica"
    r"|centro (?:m[ée]dico|de sa[úu]de|de salud|clinico|ospedaliero)|centre m[ée]dical|casa de sa[úu]de"
    r"|presidio ospedaliero|pronto soccorso|hospice)"
)
_OWNED_HOSPITAL = (
    rf"(?:St\. )?(?:{WORD} ){{0,2}}{WORD}['’]s (?:{WORD} ){{0,2}}(?:Hospital|Clinic|Infirmary|Institute|Center|Centre)"
)
# "Operaron a Ana Ruiz en la Clínica X": no clinic has its place in its name.
_CLINIC = COMPANY.replace("|y|i|en|le|", "|y|i|le|")
HOSPITAL = (
    rf"{_OWNED_HOSPITAL}|{_CLINIC}|{_HOSPITAL_WORD}(?: (?:de la|de l['’]|de|des|du|d['’]|della|del|di|dell['’]|da"
    r"|do|das|dos|militaire|militare|militar|universitaire|europ[ée]en|civil[e]?|infantile|geral"
    rf"|general)){{0,2}} ?{_CLINIC}"
)
PERSON_NAME = (
    rf"{WORD}(?:(?: (?:\p{{Lu}}\.|van|von|de|da|di|del|della|der|den|la|le|los|el|bin|al|ter|zu|do|dos)){{0,3}}"
    rf" {WORD}){{0,3}}"
)

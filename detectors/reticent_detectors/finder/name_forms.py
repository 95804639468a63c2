"""How the words of names and the names of towns look, as patterns."""

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

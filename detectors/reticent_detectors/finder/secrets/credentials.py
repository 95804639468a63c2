"""Recognisers for passwords, PINs, user names and announced keys: their label finds them, for they have no form.

"password: str", "the password is required" and "user interface" hold no value, so words that are no values are listed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.stop_words import NO_START, STOP
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import Recognizer
from reticent_detectors.finder.names_data import fold, look_up
from reticent_detectors.finder.secrets.label_relation import Found, LabelledValue, Way
from reticent_detectors.finder.secrets.randomness import random_looking
from reticent_detectors.finder.secrets.secret_by_noun import SecretByNoun
from reticent_detectors.finder.secrets.secret_keys import KEYS
from reticent_detectors.finder.secrets.secret_names import COMMANDS, LOGIN_CALL, PASSWORDS, PINS, TOKENS, USERS

_NEXT_FIELD = re.compile(r"[,;&|]\s?[\w.-]{1,24}[=:]")
_PLACEHOLDER = regex.compile(
    r"(?i)(?:[^\w\s]*|x{3,}|\*{2,}.*|[•.…]+.*|<.*|\$[A-Z_]+|\$\{.*|\$\(.*|\{\{?.*|%\(.*|%[sdr]|%\w+%|\[.*|\.\.\."
    r"|os\.environ.*|env[.(:].*|process\.env.*|!.{0,2}(?:vault|secret|env).*"
    r"|(?:your|my|the|enter|insert|add|replace|put|choose|type|new|old|some|any|this|current|test|dummy|fake|sample"
    r"|default|example|super|confirm|repeat)[-_ ]?(?:\w+[-_ ])*(?:password|passwd|pass|pwd|secret|user|username"
    r"|user-name|name|token|key|pin|here|login|value)\d?"
    r"|password|passwort|passwd|passphrase|pass|pwd|pw|contraseña|senha|secret|token|key|pin|username|user|login"
    r"|email|name|id|none|null|nil|undefined|true|false|yes|no|n/a|na|tbd|todo|string|str|bytes|bytearray|int"
    r"|integer|number|text|char"
    r"|varchar|any|object|bool|boolean|float|double|dict|list|tuple|set|self|this|cls|required|optional|hidden"
    r"|redacted|removed|masked|encrypted|changeme|change_me|change-me|example|test|foo|bar|baz|value|default"
    r"|secretstr|optional\[.*|field|input|label|placeholder|empty|blank|nan|confidential|unknown|missing|disabled"
    r"|enabled|always|never|prompt|ask)"
)
_PREDICATES = (
    NO_START
    | STOP
    | word_set(
        """required optional unique taken free valid invalid correct incorrect wrong right weak strong secure insecure
    safe unsafe public private secret hidden visible empty blank missing set reset changed expired new old long
    short easy hard simple complex random good bad fine okay better best worse same different identical similar
    case-sensitive sensitive compromised leaked stolen lost forgotten known unknown stored saved sent shown hashed
    salted encrypted protected used reused needed mandatory also too still always never really very quite pretty
    rather almost already available unavailable important useless useful unsafe temporary permanent default obvious
    guessable strong-enough something anything nothing everything somewhere me us them himself herself myself
    yourself ready true false at least between up down out off here there only just being what whatever my your his
    her our their its everyone usual follows above described needed broken planned
    somebody nobody ignored accepted rejected displayed entered typed written printed given kept"""
    )
)
_PROSE = word_set(
    "your the a an is are was must password enter please user be not to for of and or must should cannot with"
)
_PARTICIPLE = re.compile(r"(?i)[a-z]+(?:ed|ing|able|ible|ly|tive|sive|ous|ful|less|ment|tion)\Z")
_CLAUSE_END = regex.compile(
    r"(?:[.,;!?)]*+(?:\s*+$|\n)|[.,;!?)]++\s|\s(?:and|on|for|at|but|with|or|in|und|et|y|e|on the)\b)"
)
_COMMON_PASSWORDS = word_set(
    """qwerty letmein iloveyou dragon monkey swordfish sunshine princess football baseball trustno superman batman
    welcome shadow master michael jordan hunter killer charlie jessica pepper ginger cookie cheese starwars pokemon
    whatever opensesame"""
)
_GENERIC_NAMES = word_set(
    """root admin administrator guest user users username test tester nobody anonymous system service daemon www-data
    ubuntu runner postgres mysql public shared default all everyone owner me you someone anyone home local bin opt
    git ec2-user vagrant pi oracle sa operator member customer client superuser sudo jenkins node app web linuxbrew
    bot assistant human model"""
)
_CALLED = re.compile(r"\s?[(\[{]|\.\w|::")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)+\Z")
# A class and its module, as code names them: "unittest.TestCase". Its last word says so: "anna.DelRio" is somebody's.
_CLASS = re.compile(
    r"[a-z_]\w*(?:\.[a-z_]\w*)*\.(?:[A-Z][a-z]+)+(?:Case|Error|Exception|Warning|Form|Field|Model|View|Mixin|Serializer"
    r"|Manager|Client|Config|Handler|Type|Enum|Factory|Service|Input|Widget|Validator|Backend|Middleware|Provider)\Z"
)
_NAME_OF_ONE = re.compile(
    r"(?i)\w*(?:pass(?:word|wd|wort)?|pwd|secret|token|user(?:name)?|login|cred\w*|prompt|input|value|field|param\w*"
    r"|arg\w*|config|settings|auth)\w*\Z"
)
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|aes|rsa|tls|pbkdf|oauth|http|utf|iso|base|bcrypt|argon|hmac|v|version|win|ipv)-?\d+\w{0,3}\Z"
)


_EMPHASIS = re.compile(r"\*{2,3}(?:[^\w\s*]*)\Z")
_RUNNING = (Way.SENTENCE, Way.BESIDE)


def _plain_end(found: Found, marks: str) -> str:
    """Return an unquoted value without the marks of the text around it."""
    value = found.text
    cut = _NEXT_FIELD.search(value)
    if cut is not None and cut.start() >= 3:
        value = value[: cut.start()]
    if found.way is not Way.FIELD and "'" in value:
        value = value.partition("'")[0]
    trimmed = value.rstrip(marks)
    for opening, closing in ("()", "[]", "{}"):
        if trimmed.count(closing) > trimmed.count(opening) and closing in trimmed:
            head, _, tail = trimmed.partition(closing)
            if not tail.strip(marks + ")]}"):
                trimmed = head
    return trimmed.rstrip(marks)


def _password_end(found: Found) -> str:
    """Cut the text's marks off an unquoted password: "the password is Fox77!." keeps its exclamation mark."""
    marks = ".,;:)]}|'" if found.way not in _RUNNING else ".,;:)]}|'’"
    value = _EMPHASIS.sub("", _plain_end(found, marks)).rstrip(marks)
    bare = value.rstrip("!?*")
    if bare == value or bare.isalpha() or not _is_mixed(bare):
        return bare if found.way in _RUNNING else value.rstrip("?*")
    # A question mark in running text may be the sentence's, unless a mark or a word in small letters follows.
    behind = found.text[len(value) :] or found.ahead
    goes_on = behind[:1] in (".", ",", ";", ":") or regex.match(r" \p{Ll}", behind) is not None
    return value if goes_on or found.way not in _RUNNING else value.rstrip("?")


def _is_mixed(value: str) -> bool:
    """Tell whether a word is none of prose: digits, marks, or capitals inside."""
    inner = value[1:]
    return (
        any(c.isdigit() for c in value)
        or any(not c.isalnum() and c not in "-'’." for c in value)
        or (any(c.isupper() for c in inner) and any(c.islower() for c in value))
    )


def _refers(found: Found, value: str) -> bool:
    """Tell whether what stands behind an equals sign in code is an expression, not a value."""
    rest = found.text[len(value) :] + found.ahead
    if _CALLED.match(rest) or "(" in value or "[" in value:
        return True
    if (
        found.label.isupper() or found.label.startswith("-") or found.label.endswith(">")
    ):  # the environment, an option, an element: no expression stands there
        return False
    return bool(_DOTTED.match(value)) or bool(_NAME_OF_ONE.match(value))


_LOGIN_CALL = re.compile(rf"(?i){LOGIN_CALL}")
_ARGUMENT = re.compile(r"(?!\d)\w{1,40}\s?=\s?(?:[\w\"'({\[-]|\Z)")


def names_argument(found: Found) -> bool:
    """Tell whether an argument's name stands where a login takes its password: `login("ann", pin="4711")`."""
    in_call = found.way is Way.COMMAND and not found.quoted and _LOGIN_CALL.match(found.label) is not None
    return in_call and _ARGUMENT.match(found.text + found.ahead) is not None


# Not "up-to-date".
_PASSPHRASE = regex.compile(r"\p{Ll}{4,}(?:-\p{Ll}{4,}){2,}")


def password_length(found: Found) -> int:
    if found.quoted:
        # A full stop may stand inside the quotation or end it. A name of another value is no value.
        value = found.text[:-1] if found.text[-1:] == "." else found.text
        if _CLASS.match(value) or (_DOTTED.match(value) and _NAME_OF_ONE.match(value.rpartition(".")[2])):
            return 0
        if " " in value or "\t" in value:
            parts = value.split(" ")
            fine = 3 <= len(parts) <= 8 and all(part.isalnum() and part == part.lower() for part in parts)
            return len(value) if fine and _PROSE.isdisjoint(parts) else 0
        if found.way is Way.BESIDE and not _is_mixed(value):
            return 0
        return len(value) if len(value) >= 3 and not _PLACEHOLDER.fullmatch(found.lead + value) else 0
    value = _password_end(found)
    if len(value) < 3 or _PLACEHOLDER.fullmatch(found.lead + value) or _PLACEHOLDER.fullmatch(value):
        return 0
    if _ALGORITHM.match(value) or "://" in value or _CLASS.match(value):
        return 0
    mixed = _is_mixed(value) and len(value) >= 4
    if found.way is Way.ASSIGNED:
        return 0 if _refers(found, value) or value.casefold() in found.label.casefold() else len(value)
    plain = value.casefold().strip("-'’")
    if found.way is Way.COMMAND:
        return len(value)
    if found.way is Way.FIELD:
        if _refers(found, value) and _CALLED.search(value + found.ahead[:2]):
            return 0
        if mixed:
            return len(value)
        alone = not regex.match(r"\s[^\W\d]", found.ahead)
        return (
            len(value) if alone and plain not in _PREDICATES and not _PARTICIPLE.match(value) and len(value) >= 4 else 0
        )
    if mixed:
        return len(value) if any(c.isdigit() for c in value) or len(value) >= 6 else 0
    if found.way is Way.BESIDE:
        return 0
    ends = bool(_CLAUSE_END.match(found.text[len(value) :] + found.ahead))
    if ends and _PASSPHRASE.fullmatch(value):
        return len(value)
    return len(value) if plain in _COMMON_PASSWORDS and ends else _owned_word(found, value, plain, ends)


def _owned_word(found: Found, value: str, plain: str, ends: bool) -> int:
    fine = found.owned and ends and len(value) >= 4 and plain.isalpha()
    return len(value) if fine and plain not in _PREDICATES and not _PARTICIPLE.match(plain) else 0


_LOGIN = re.compile(r"(?i)(?:log|sign)\w*[ -]?in")
# Behind these a word that prose does not have is a name even without a digit.
_WHOLE_NAME = re.compile(
    r"(?i)user[ _-]?name|screen ?name|nickname|alias|benutzername|nutzername|nom d['’]utilisateur|pseudo|de usuario"
    r"|nome utente|de usu[áa]rio|utilizador| (?:as|under) $"
)
_USER = re.compile(r"[\w.+#\\-]{1,63}[\w+#\\-]")


def username_length(found: Found) -> int:
    value = found.text if found.quoted else _plain_end(found, ".,;:)]}|?!'*’")
    if found.way is Way.COMMAND:
        value = re.split(r"[/\\\\:@]", value, maxsplit=1)[0]
    bare = value.partition("@")[0] if "@" in value and "." not in value.partition("@")[2] else value
    if (
        not _USER.fullmatch(bare)
        or len(bare) < 3
        or len(bare) > 40
        or bare.isdigit()
        or ("@" in value and bare == value)
    ):
        return 0
    plain = bare.casefold()
    if plain in _GENERIC_NAMES or _PLACEHOLDER.fullmatch(bare) or _PLACEHOLDER.fullmatch(found.lead + bare):
        return 0
    if _ALGORITHM.match(bare) or plain in _PREDICATES or (not found.quoted and _CLASS.match(bare)):
        return 0
    mixed = any(c.isdigit() for c in bare) or (any(c in "_.#" for c in bare) and found.way is not Way.ASSIGNED)
    if found.way is Way.COMMAND:
        return len(bare)
    if found.way is Way.ASSIGNED:
        refers = not found.quoted and (_refers(found, value) or plain in found.label.casefold())
        return 0 if refers else len(bare)
    if _called(found, bare):
        return 0
    if mixed or (found.quoted and found.way is not Way.BESIDE):
        return len(bare)
    made_up = look_up(fold(bare)).ordinary == 0 and bare == bare.lower() and bare.isalpha()
    if _PARTICIPLE.match(plain) and not (made_up and found.way is Way.FIELD and len(bare) > 9):
        return 0
    after = found.text[len(bare) :] + found.ahead
    if found.way is Way.SENTENCE and not (found.owned or "user" in found.label.casefold()):
        return 0
    if found.way is Way.FIELD:
        return len(bare) if not regex.match(r"\s[^\W\d]", after) else 0
    if not _CLAUSE_END.match(after) or bare != bare.lower():
        return 0
    is_stated = found.way is Way.SENTENCE or found.quoted or "@" in found.lead or _LOGIN.match(found.label) is not None
    return len(bare) if is_stated or (made_up and len(bare) >= 4 and _WHOLE_NAME.search(found.label)) else 0


def _called(found: Found, value: str) -> bool:
    return bool(_CALLED.match(found.text[len(value) :] + found.ahead)) and not found.quoted


_PIN = re.compile(
    r"(?:\d{4,8}|\d(?:[ -]\d){3,7}|\d{3}[ -]\d{3})(?![\w@%]|[-./:,]\d"
    r"| ?(?:%|€|\$|digits?\b|characters?\b|numbers?\b|times\b|attempts?\b|and (?:up|more|over|above)\b))"
)


_PIN_RUN = r"[\d -]{1,16}"


def pin_length(found: Found) -> int:
    text = found.text + found.ahead
    match = _PIN.match(text)
    return match.end() if match and len(set(match[0]) - set(" -")) > 0 else 0


_TOKEN_RUN = r"[A-Za-z0-9+/=_.~:-]{1,128}"


def token_length(found: Found) -> int:
    value = found.text.rstrip("\\") if found.quoted else _plain_end(found, ".,;:)]}|?!'*’")
    if not regex.fullmatch(r"[A-Za-z0-9+/=_.~:-]{16,128}", value) or _PLACEHOLDER.fullmatch(value) or "://" in value:
        return 0
    if not found.quoted and _CALLED.match(found.text[len(value) :] + found.ahead):
        return 0
    return len(value) if random_looking(value) else 0


SECRETS: Sequence[Recognizer] = (
    *KEYS,
    LabelledValue(
        "token",
        Entity.SECRET_KEY,
        "dul",
        fields=TOKENS,
        assigned=r"(?!)",
        sentences=rf"{TOKENS}(?:\s(?:key|value|string))?",
        beside=rf"(?:bearer|basic|{TOKENS})\s",
        options=r"(?:^|\W)(?:Bearer|Basic|token)\s",
        value=token_length,
        value_run=_TOKEN_RUN,
        last=word_set("""
            key token secret bearer basic jwt id credential cookie authorization value string accountkey apikey sas
            密钥 api secrète
        """),
    ),
    LabelledValue(
        "password",
        Entity.PASSWORD,
        "duls",
        fields=PASSWORDS,
        assigned=r"pw|pass|secret",
        sentences=PASSWORDS,
        beside=(
            rf"(?:with|and|using|use|enter|type|the|his|her|my|their|your|is|as|user|set|mit|by|[\w.@-]+,)\s"
            rf"(?:the\s|this\s|dem\s)?{PASSWORDS}\s"
        ),
        options=(
            rf"\bidentified\sby\s|{COMMANDS}\b[^\n|;]{{0,60}}\s-(?:p|P|a|w|pw)\s"
            rf"|\bcurl\b[^\n|]{{0,80}}\s(?:-u|--user)\s[\"']?[^\s:\"']{{1,40}}:"
            rf"|{LOGIN_CALL}[\"'][^\"'\n]{{1,40}}[\"'],\s?(?:(?:password|code)\s?=\s?)?"
        ),
        value=password_length,
        last=word_set("""
            p w a pw by password passwords passwd pass word words passphrase phrase passcode pwd passwort wort
            kennwort passe mdp contraseña contrasena clave acceso chiave senha wachtwoord hasło lösenord
            adgangskode passord salasana пароль şifre heslo jelszó κωδικός 密码 密碼 パスワード 비밀번호
        """),
        skips=names_argument,
    ),
    LabelledValue(
        "pin",
        Entity.PIN,
        "d",
        fields=PINS,
        assigned=r"(?!)",
        sentences=PINS,
        beside=rf"(?:(?-i:PIN)|{PINS})\s(?:(?:of|ist|is|was|number|code|to)\s)?",
        options=r"(?!)",
        value=pin_length,
        value_run=_PIN_RUN,
        last=word_set(
            "pin of code number nummer no no. nip otp passcode geheimzahl secret secreto accès acceso pincode"
        ),
    ),
    LabelledValue(
        "username",
        Entity.USERNAME,
        "ul",
        fields=USERS,
        assigned=r"user|usr|uid|auth[_-]user",
        sentences=USERS,
        beside=(
            rf"(?:log(?:ged|ging|s)?|sign(?:ed|ing|s)?)[ -]?(?:in|on|into\s[\w ]{{1,30}}|in\sto\s[\w ]{{1,30}})\s"
            rf"(?:as|with|using)\s(?:(?:the\s)?{USERS}\s)?(?:user\s)?"
            rf"|(?:with|and|using|use|enter|the|user|as)\s(?:the\s)?{USERS}\s|under\s(?:the\s)?{USERS}\s|user\s"
            rf"|on\s(?:twitter|instagram|reddit|github|tiktok|discord)\sas\s"
            rf"|(?:post(?:s|ed|ing)?|tweet(?:s|ed|ing)?|stream(?:s|ed|ing)?|blog(?:s|ged|ging)?|comment(?:s|ed|ing)?"
            rf"|register(?:s|ed)?|go(?:es|ing)?)\s(?:online\s|there\s)?(?:as|by|under)\s(?:the\s{USERS}\s)?"
        ),
        options=(
            rf"{COMMANDS}\b[^\n|;]{{0,60}}\s(?:-u|-U|--user|--username)\s|\bcurl\b[^\n|]{{0,80}}\s(?:-u|--user)\s"
            rf"|{LOGIN_CALL}|\b(?:ssh|scp|sftp)\s(?:-\w\s[\w./~-]{{1,40}}\s){{0,2}}"
            r"|/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2}|(?<![\w/])u/"
        ),
        value=username_length,
        value_run=r"[\S]{1,128}",
        last=word_set("""
            u username user name userid id login in nick nickname pseudo handle account profile with using ssh scp
            sftp benutzer benutzername benutzerkennung nutzername anmeldename loginname anmeldekennung profilname
            kontoname alias apodo cuenta conta utilizador compte connexion pseudonyme utilisateur identifiant
            usuario utente usuário gebruikersnaam użytkownika användarnamn brukernavn brugernavn käyttäjätunnus
            логин пользователя adı twitter instagram github gitlab reddit discord telegram tiktok snapchat mastodon
            skype steam twitch bluesky
        """),
    ),
    SecretByNoun(
        "password-said",
        Entity.PASSWORD,
        "dul",
        r"\S{4,64}|\S+(?: \S+){2,5}",
        password_length,
        value_run=r"[^\n]{1,512}",
    ),
    SecretByNoun("password-near", Entity.PASSWORD, "dul", "", password_length, near=True, plain_word_starts=""),
    SecretByNoun(
        "pin-said", Entity.PIN, "d", r"\d{3,8}|\d(?:[ -]\d){3,7}", pin_length, False, False, "", value_run=_PIN_RUN
    ),
    SecretByNoun("pin-near", Entity.PIN, "d", "", pin_length, near=True, plain_word_starts="", value_run=_PIN_RUN),
    SecretByNoun("key-said", Entity.SECRET_KEY, "dul", r"\S{16,128}", token_length, value_run=_TOKEN_RUN),
    SecretByNoun(
        "username-said", Entity.USERNAME, "ul", r"@?[\w.+#@-]{3,64}", username_length, value_run=r"[\S]{1,128}"
    ),
    SecretByNoun("username-near", Entity.USERNAME, "ul", "", username_length, near=True, plain_word_starts=""),
)

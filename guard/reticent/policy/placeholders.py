"""Recognises values that stand for nobody: `changeme`, `xxx-xx-xxxx`, `<your email>`, 123-45-6789, John Doe.

A policy with `placeholders: true` lets them pass, whatever the model was taught. Any other policy lets them pass where
a model that was taught nothing private says them surely. So the forms are narrow. A value is a placeholder only as a
whole, and only if it consists of words of `placeholder_words`, counting digits and marks. Values of the records index,
the deny list or the operator's context are never asked about here. A client's text does not matter.

| form | examples |
|---|---|
| reserved | `reserved_values` without a free part: `user@example.com`, 555-0100, test cards |
| listed | whole values of `placeholder_words` |
| template | `<your email>`, `{{api_key}}`, `${DB_PASSWORD}`, `[name]`, `%s`: words of the list, between marks |
| lookup | `os.getenv("DB_PASSWORD")`, `process.env.API_KEY`: words of the list, from the environment |
| mask | `xxx-xx-xxxx`, `****`, YYYY-MM-DD: nothing but masks and separators |
| counting | 1234, 0000, 123-45-6789, `A1234567`: each digit is the one before, one more or one less, by one rule |
| generic | `your_api_key`, `password123`, `P@ssw0rd`: words of the list and counting digits, of kinds without words |

Not covered: placeholders in other languages than English; placeholders of one code base. A policy that lets
placeholders pass does not protect a person whose PIN is 1234, or whose password is `password123`, unless the records
index has them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from reticent.policy import placeholder_words as words
from reticent.policy.reserved_values import is_reserved
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize

_MOST_CHARS = 200
_LONGEST_WORD = 40
_LONGEST_PART = 16
_FEW_DIGITS = 3
_LEAST_COUNTING = 4
_TEMPLATE = re.compile(
    r"<(?P<a>[\w .-]{1,60})>|\$?\{{1,2} ?(?P<b>[\w .-]{1,60}?) ?\}{1,2}|\[(?P<c>[\w -]{1,60})\]|\$(?P<d>[A-Z_]{3,60})"
    r"|%(?P<e>[A-Z_]{3,60})%"
)
_LOOKUP = re.compile(
    r"(?:os\.environ(?:\.get)?|os\.getenv|os\.Getenv|os\.LookupEnv|process\.env|import\.meta\.env|System\.getenv"
    r"|getenv|env)"
    r"[.(\[]+[\"']?(?P<name>[A-Za-z_]{3,60})[\"']?[)\]]?"
)
_VERB = re.compile(r"%[sdvq]|\{\}|\?|\.{3}|…")
_MASK = re.compile(r"(?=(?:.*[xX*#•_]){3})(?:\+\d{1,3} )?[xX*#•_ ().@/-]+")
_KEY_PREFIX = re.compile(rf"(?:{'|'.join(sorted(words.PREFIXES))})[-_](?:(?:test|live|proj)[-_])?")
_FICTION = re.compile(r"^(?:\+?1)?(?:\d{3})?55501\d\d$|^(?:\+|00)44|^(?:\+?1)?(?:1234567890|1111111111|0000000000)$")
"""Matches 555-0100 to 555-0199 in any area, and the British numbers for drama."""
_NAME = re.compile(r"[a-z]{1,20}(?:[._-][a-z]{1,20})?")
"""Matches a mailbox at a reserved domain: a name without digits, so that no other value can be in it."""
_LINKS = frozenset({"www", "com", "org", "net", "edu", "example", "invalid", "index", "html", "v1", "v2"})
_DATE_MASK = re.compile(r"(?i)(?:yyyy|dd?|mm?)([-/.])(?:mm?|dd?)\1(?:yyyy|dd?|yy)")
_SERIAL = re.compile(r"(?P<letters>[A-Za-z]{1,3}|[A-Za-z]{1,20}[-_# ])(?P<digits>\d{1,16})")
_MAIL = re.compile(r"(?P<local>[^@\s]{1,64})@(?P<domain>[A-Za-z0-9.-]{1,100})")
_CONNECTION = re.compile(
    r"[a-z][a-z0-9+]{1,20}://(?P<user>[\w-]{1,40}):(?P<password>[\w-]{1,40})@(?P<host>[\w.-]{1,60})(?::\d{2,5})?"
    r"(?:/(?P<path>[\w-]{0,40}))?"
)
_HOSTS = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "host", "db", "server", "redis", "mongo", "postgres", "mysql"})
_STREET = re.compile(r"(?P<number>\d{1,5}) (?P<street>[a-z]+) (?P<kind>[a-z]+)\.?(?P<rest>.*)")
_REST = re.compile(r"(?:,? (?P<town>[a-z]+))?(?:,? [a-z]{2})?(?:,? (?P<code>\d{5}))?(?:,? usa?)?")
_CREDENTIAL = re.compile(r"(?P<stem>[A-Za-z0-9@$!_.-]*?)(?P<digits>\d*)[!@#$%*.?_-]{0,3}")
_LEET = str.maketrans("@0134$5!7", "aoieassit")
CREDENTIALS = frozenset({Entity.PASSWORD, Entity.SECRET_KEY, Entity.PIN})
_WORDED = frozenset(
    {
        *(Entity.EMPLOYER, Entity.HOSPITAL, Entity.DOCTOR, Entity.JOB_TITLE, Entity.DIAGNOSIS, Entity.PRESCRIPTION),
        *(Entity.PERSON, Entity.LOCATION, Entity.ORGANIZATION, Entity.NRP, Entity.SEXUAL_ORIENTATION),
        *(Entity.CRIMINAL_RECORD, Entity.ADDRESS, Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL),
    }
)
"""Kinds whose values are words. State Street Bank is somebody's employer, whatever its words mean."""
_COUNTED = frozenset(Entity) - {
    *(Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL, Entity.APPOINTMENT_DATE, Entity.DATE_OF_BIRTH, Entity.ADDRESS),
    *(Entity.COORDINATES, Entity.FLIGHT, Entity.DATE_TIME, Entity.PRESCRIPTION),
}
"""Kinds whose values may be counting numbers."""


def is_placeholder(value: str, entity: str) -> bool:
    """Says whether a whole value is nobody's.

    Args:
        value: the value in plain form, as it is between quotes.
        entity: the kind of the value.
    """
    text = unicodedata.normalize("NFKC", value).strip()
    if not text or len(text) > _MOST_CHARS:
        return False
    if _is_for_examples(text, entity) or is_listed(text, entity) or is_template(text) or is_mask(text):
        return True
    if "@" in text and (mail := _MAIL.fullmatch(text)) is not None and entity != Entity.PASSWORD:
        return _is_placeholder_mail(mail["local"].casefold(), mail["domain"].casefold())
    if entity == Entity.DATE_OF_BIRTH:
        return _is_placeholder_birth(text)
    if entity == Entity.ADDRESS:
        return _is_placeholder_address(" ".join(text.casefold().split()))
    if entity == Entity.URL:
        return _is_placeholder_connection(text)
    if entity in _COUNTED and is_counting(text):
        return True
    if entity in _WORDED:
        return False
    if entity in CREDENTIALS:
        return _names_a_secret(text) and (is_generic(text) or is_common_credential(text))
    return is_generic(text, words.GENERIC - words.NAME_LIKE if entity == Entity.USERNAME else words.GENERIC)


def _is_for_examples(text: str, entity: str) -> bool:
    """Says whether a value is reserved for examples and has no free part that could hold somebody's data."""
    if not is_reserved(text, entity):
        return False
    if entity == Entity.PHONE_NUMBER:
        return _FICTION.search(re.sub(r"[\s().-]", "", text)) is not None
    if entity == Entity.US_SSN:
        return re.sub(r"\D", "", text) in words.SOCIAL_SECURITY
    if entity == Entity.IP_ADDRESS:
        return text in words.OWN_MACHINE or text.startswith(("192.0.2.", "198.51.100.", "203.0.113."))
    if entity == Entity.EMAIL_ADDRESS:
        local = text.removeprefix("mailto:").partition("@")[0].casefold()
        return _NAME.fullmatch(local) is not None or _is_nobodys_mailbox(local)
    if entity == Entity.URL:
        pieces = re.findall(r"[^\W_]+", re.sub(r"^https?://|:\d{1,5}(?=/|$)", "", text).casefold())
        return all(piece in _LINKS or is_made_of(piece) for piece in pieces)
    return True


def _is_nobodys_mailbox(local: str) -> bool:
    return _is_listed_mailbox(local) or is_generic(local, words.GENERIC - words.NAME_LIKE)


def _is_listed_mailbox(local: str) -> bool:
    """Says whether a local part is on the list, with or without counting digits behind it."""
    word = local.rstrip("0123456789")
    return local in words.MAILBOXES or (
        word in words.MAILBOXES and (len(local) - len(word) == 1 or _counts(local[len(word) :]))
    )


def _names_a_secret(text: str) -> bool:
    """Says whether a text has a word such as "password", or one such as "dummy"."""
    folded = text.casefold().translate(_LEET)
    return any(word in folded for word in words.SECRETS)


def is_listed(text: str, entity: str = "") -> bool:
    """Says whether a value is a whole value of the lists, in any spelling of its kind."""
    folded = text.casefold()
    if folded in words.PHRASES or folded in words.ADDRESSES or folded in words.MACHINES:
        return True
    if re.sub(r"[\s-]", "", text) in words.PUBLISHED or (text in words.NUMBERS and entity in _COUNTED):
        return True
    if entity == Entity.CREDIT_CARD_DIGITS and text in words.CARD_DIGITS:
        return True
    if entity in (Entity.DOCTOR, Entity.PERSON):
        return normalize(text, entity) in _listed_forms(entity)
    form = normalize(text, entity)
    covers_text = not any(map(str.isalpha, text)) or len(form) >= sum(map(str.isalnum, text))
    return entity in _COUNTED and covers_text and form in _listed_forms(entity)


@lru_cache(maxsize=len(Entity))
def _listed_forms(entity: str) -> frozenset[str]:
    if entity in (Entity.DOCTOR, Entity.PERSON):
        return frozenset(normalize(phrase, entity) for phrase in words.PHRASES if " " in phrase)
    written = (number for number in words.NUMBERS if number not in words.CONSTANTS)
    return frozenset(normalize(number, entity) for number in (*written, *words.PUBLISHED))


def is_template(text: str) -> bool:
    """Says whether a text is a slot: generic words between marks, a format verb, or an environment variable."""
    if _VERB.fullmatch(text):
        return True
    match = _TEMPLATE.fullmatch(text)
    if match is not None:
        inner = next((group for group in match.groups() if group is not None), "")
        return is_generic(inner)
    if " " in text and all(_TEMPLATE.fullmatch(part) and is_template(part) for part in text.split()):
        return True
    lookup = _LOOKUP.fullmatch(text)
    return lookup is not None and is_generic(lookup["name"])


def is_mask(text: str) -> bool:
    """Says whether a text shows nothing but a form: `xxx-xx-xxxx`, `****`, YYYY-MM-DD."""
    return _MASK.fullmatch(_without_key_prefix(text)) is not None or _DATE_MASK.fullmatch(text) is not None


def _without_key_prefix(text: str) -> str:
    match = _KEY_PREFIX.match(text)
    return text if match is None else text[match.end() :]


def is_counting(text: str) -> bool:
    """Says whether digits behind at most three letters all repeat, all count up or all count down."""
    serial = _SERIAL.fullmatch(text)
    if serial is not None:
        letters = serial["letters"].rstrip("-_# ").casefold()
        if len(letters) > _FEW_DIGITS and not is_made_of(letters):
            return False
        few = serial["digits"].startswith("00") and len(serial["digits"].lstrip("0")) <= 1
        return (few and is_made_of(letters)) or (len(serial["digits"]) >= _LEAST_COUNTING and _counts(serial["digits"]))
    if re.search(r"[^\d\s().+/-]", text):
        return False
    digits = re.sub(r"\D", "", text)
    if len(digits) == 11 and text.lstrip("+(").startswith("1"):
        digits = digits if _counts(digits) else digits[1:]
    if digits.startswith("00") and len(digits.lstrip("0")) > _LEAST_COUNTING:
        digits = digits.lstrip("0")
    return len(digits) >= _LEAST_COUNTING and _counts(digits)


def _counts(digits: str) -> bool:
    """Says whether each digit is the one before, or each is one more, or each is one less. Zero follows nine."""
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(digits)}
    return len(steps) == 1 and steps <= {0, 1, 9}


def is_generic(text: str, vocabulary: frozenset[str] = words.GENERIC) -> bool:
    """Says whether a text is made of generic words and counting digits. One digit alone counts."""
    if re.search(r"[^\w\s.,:;!?'#*&$@<>/+=-]", text):
        return False
    pieces = re.findall(r"[^\W\d_]+|\d+", camel_split(text))
    letters = [piece.casefold() for piece in pieces if not piece.isdigit()]
    if len(letters) > 1 and letters[0] in words.PREFIXES:
        letters = letters[1:]
    if not letters or not all(is_made_of(word, vocabulary) or _is_alphabet(word) for word in letters):
        return False
    return all(len(run) == 1 or _counts(run) for run in pieces if run.isdigit())


def _is_alphabet(word: str) -> bool:
    """Says whether at least four letters follow the alphabet, or are the same."""
    return (
        len(word) >= _LEAST_COUNTING
        and len(steps := {ord(b) - ord(a) for a, b in pairwise(word)}) == 1
        and steps <= {0, 1}
    )


def camel_split(text: str) -> str:
    """Puts a blank before each capital behind a small letter."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)


def is_common_credential(text: str) -> bool:
    """Says whether a password is generic, up to letters written as digits and counting digits and marks at its end."""
    match = _CREDENTIAL.fullmatch(text)
    if match is None or not (len(match["digits"]) <= 1 or _counts(match["digits"])):
        return False
    stem = match["stem"]
    pieces = [piece for piece in re.split(r"[-_.]", stem) if piece]
    lettered = 2 * sum(map(str.isalpha, stem)) >= len(stem)
    return bool(pieces) and lettered and all(is_made_of(piece.casefold().translate(_LEET)) for piece in pieces)


@lru_cache(maxsize=4096)
def is_made_of(word: str, vocabulary: frozenset[str] = words.GENERIC) -> bool:
    """Says whether a word in lower case is made of words of a list: mysecretkey = my + secret + key."""
    if not word or len(word) > _LONGEST_WORD:
        return False
    reached = [True] + [False] * len(word)
    for end in range(1, len(word) + 1):
        reached[end] = any(
            reached[start] and word[start:end] in vocabulary for start in range(max(0, end - _LONGEST_PART), end)
        )
    return reached[-1]


def _is_placeholder_mail(local: str, domain: str) -> bool:
    if domain in words.FREE_DOMAINS:
        return local in words.FREE_MAILBOXES
    known = (
        domain in words.MAIL_DOMAINS or re.fullmatch(r"(?:[\w-]+\.)?example(?:\.[a-z]{2,3}){1,2}", domain) is not None
    )
    return known and _is_listed_mailbox(local)


def _is_placeholder_birth(text: str) -> bool:
    if re.fullmatch(r"\d{1,4}[-/. ]?\d{1,2}[-/. ]?\d{1,4}", text) is None:
        return False
    digits = re.sub(r"\D", "", text)
    return digits == "00000000" or digits in words.DATES_OF_BIRTH or f"{digits[4:]}{digits[:4]}" in words.DATES_OF_BIRTH


def _is_placeholder_address(folded: str) -> bool:
    match = _STREET.fullmatch(folded)
    if match is None or match["number"] not in words.HOUSE_NUMBERS or match["street"] not in words.STREETS:
        return False
    rest = _REST.fullmatch(match["rest"].rstrip("."))
    if match["kind"] not in words.STREET_KINDS or rest is None:
        return False
    return (rest["town"] or "city") in words.TOWNS and (rest["code"] or "12345") in words.POSTCODES


def _is_placeholder_connection(text: str) -> bool:
    match = _CONNECTION.fullmatch(text)
    if match is None or not (is_generic(match["user"]) and is_generic(match["password"])):
        return False
    host = match["host"].casefold()
    return (host in _HOSTS or is_reserved(host, Entity.URL)) and (not match["path"] or is_generic(match["path"]))

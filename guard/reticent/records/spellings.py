"""Decides which spellings the records index treats as one value.

Every rule is here, in one function for each way of writing.

A value has *wholes* and *parts*. Its wholes are the value itself in all spellings below. Its parts are what identifies
it when the rest is left out. A value that is asked for is a recorded one if

    wholes(asked) & (wholes(record) | parts(record))      it is the record's value, or an identifying part of it
    or parts(asked) & wholes(record)                      it holds the record's value whole, with something around it

Two parts never match each other: one street name in two towns, or two companies of one surname, are different values.

Wholes, by entity, are equal however the following differ:

| entities | wholes |
|---|---|
| all | what `cue.normalize` makes equal: case, separators, full-width and other digits, zero-width characters |
| | diacritics left out or added, ae/oe/ue for umlauts, Greek and Cyrillic lookalikes |
| phone, account, order, card | o/0 and i/l/1; words before and behind ("IBAN", "ending in") |
| phone | with or without country code, trunk 0 and extension |
| amount, bill | currency signs and words, grouping, decimal comma, empty cents, "and 50 cents" |
| | any number in the text counts |
| date | every order of day, month and year, both readings of 03/04, two-digit years, month names, 20240304 |
| | words and times around it |
| e-mail | (at), [dot], " at ", dots and dashes moved, spaces; the address among words |
| address | street words, directions, states, ordinals, "#"/apt./suite, ZIP+4, country |
| doctor | titles (six languages) and degrees, any order, without middle initials |
| employer, hospital | legal forms and usual words abbreviated, "&", "the", "l'" before two words |
| diagnosis, prescription | word order, possessive and plural s, ae/e, oe/e, II/2 |
| job title | word order, usual abbreviations, small words |
| flight | the date as above; "from", "to", arrows; towns as in addresses |

Parts, by entity:

| entities | parts |
|---|---|
| phone, account, order, card | the digits without the letters (from 8 digits); the last four of a card |
| e-mail | the address without the +tag |
| address | without the unit; the street line; the street line with town, with town and state, or with ZIP alone |
| doctor | first and last name; initial and last name |
| employer, hospital | the name without the legal form |
| diagnosis, prescription | without "disease", or without the dose |
| job title | without the brackets |
| flight | the route without the date |

Words around a value: small words ("at", "is") are cut off at both ends; around a single word, those in small letters.
Beyond them, up to two words before the value and three behind it are left out in turn (`windows`). The value itself
then has at least `LEAST_WORDS`: one for diagnoses and prescriptions, else two or three. So a single word is not found
among words that are not small ("Roe" in "Richard Roe"): they make another value of it.

Families: an asked value is looked up in all spellings of its own kind, and as another kind of its family would be
spelled. The families are {phone, account, order, card}, {amount, bill}, {doctor, employer, hospital}, {diagnosis,
prescription}.

Not covered: edit distance (a mistyped letter is another value), numbers in words, other languages than English for
months, degrees and street words, dates without their year, phone numbers without area code, surnames alone,
abbreviations of diseases ("COPD"), a single character per line. Parts of an address need its commas or line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from string import ascii_lowercase

from reticent.records import spelling_words as w
from reticent.records.dates import days
from reticent.records.transliteration import readings
from reticent.records.value_words import initialisms, trimmed_of, without_small_words, words_of
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize

SPELLING_VERSION = 4
"""Raise it with every change of a rule (`normalize` included): an index made by other rules would miss values."""

LEAST_SIZE = 3
"""Least letters and digits of a form that gets an entry. An ideograph counts as two."""

_MAX_CHARS = 512  # longer values are only normalised, which bounds the cost of one value
_WORDS_BEFORE, _WORDS_BEHIND = 2, 3

_SEPARATORS = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"\d")
_POSSESSIVE = re.compile(r"'[sS]?(?![^\W_])")
_JOINERS = re.compile(r"(?<=\w)['-](?=\w)")
_SEGMENTS = re.compile(r"[,;\n]")
_ZIP4 = re.compile(r"\b(\d{5})-\d{4}\b")
_BRACKETS = re.compile(r"\([^)]*\)")
_UNIT_TOUCHES = re.compile(r"(?<=\d)(?=[^\W\d_])")
_AT = re.compile(r"\s*[\[({<]\s*(?:at|@)\s*[\])}>]\s*", re.IGNORECASE)
_DOT = re.compile(r"\s*[\[({<]\s*dot\s*[\])}>]\s*|\s+dot\s+", re.IGNORECASE)
_AT_WORD = re.compile(r"(?<=\w)[\s_-]+at[\s_-]+(?=\w)", re.IGNORECASE)
_AROUND_AT = re.compile(r"\s*@\s*")
_MAIL = re.compile(r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\"]{1,128}")
_TAG = re.compile(r"\+[^@]*@")
_ARTICLE = re.compile(r"(?:l|un|all|dall|dell|nell|sull)['’](?!s\b)(?=\w+\W+\w)", re.IGNORECASE)
_PHONE = re.compile(r"(\+|00)?(\d{7,15})(?:(?:x|ext|extn|extension|#)\d{1,6})?")
_NOT_PHONE = re.compile(r"[^0-9a-z+#]+")
_AMOUNT = re.compile(
    r"(?<!\d)(?<!\d[.,'])(\d{1,3}(?:([,.' ])\d{3})(?:\2\d{3})*|\d+)(?:[.,](\d{1,2}))?(?!\d)"
    r"(?:(?:\s*[^\W\d_]+(?:\s+[^\W\d_]+)?)??\s*(?:and|,)\s*(\d{1,2})\s*(?:cents?|¢|pence))?",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Forms:
    """Collects the wholes and parts of a value, as strings to be hashed, and its words for `windows`."""

    is_query: bool = False
    whole_forms: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    words: list[tuple[str, list[str]]] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"Forms({len(self.whole_forms)} wholes, {len(self.parts)} parts)"


def worth(form: str) -> bool:
    """Says whether a form is long enough to identify a value."""
    return len(form) >= LEAST_SIZE or sum(2 if char >= "\u2e80" else 1 for char in form) >= LEAST_SIZE


def forms(value: str, entity: str, *, is_query: bool) -> Forms:
    """Gives the forms of a record's value or, with `is_query`, of a value that is asked for.

    A value that is asked for is also read as the other entities of its family are written. Those readings count as
    parts, so they match only the whole of a record's value. Every form begins with its kind and a colon.
    """
    group, writings = _FAMILIES.get(entity, (entity, ()))
    out = Forms(is_query)
    if not value.isascii():
        out.whole_forms.add(f"{group}:{normalize(value, entity)}")
    for text in readings(value):
        out.whole_forms.add(f"{group}:{normalize(text, entity)}")
        if len(text) > _MAX_CHARS:
            continue
        text = _POSSESSIVE.sub("", "\n".join(" ".join(line.split()) for line in text.splitlines()))
        bare = without_small_words(text) if is_query else ""
        for writing in writings[: None if is_query else 1]:
            read = out if writing is writings[0] else Forms(is_query)
            writing(text, entity, read)
            if bare:
                writing(bare, entity, read)
            if read is not out:
                out.parts |= read.whole_forms
    return out


def windows(kind: str, words: list[str]) -> Iterator[list[str]]:
    """Yields the words without up to two at the start and three at the end, as the value may be among other words."""
    for before in range(_WORDS_BEFORE + 1):
        for behind in range(_WORDS_BEHIND + 1):
            if (before or behind) and len(words) - before - behind >= LEAST_WORDS[kind]:
                yield words[before : len(words) - behind]


def joined(kind: str, words: Iterable[str]) -> str:
    """Joins words to a form. Words of kinds in `_ANY_ORDER` are sorted, others keep their order."""
    return f"{kind}:{' '.join(sorted(words) if kind in _ANY_ORDER else words)}"


def _keep(out: Forms, kind: str, words: list[str]) -> list[str]:
    """Adds the words as a whole, also without the small words at both ends. Returns them without those."""
    trimmed = trimmed_of(words, w.STOP)
    if len(trimmed) < LEAST_WORDS[kind]:
        trimmed = words
    for own in (words, trimmed) if len(trimmed) < len(words) else (words,):
        out.whole_forms.add(joined(kind, own))
        out.words.append((kind, own))
    return trimmed


def _number(text: str, entity: str, out: Forms) -> None:
    words = [word for word in words_of(text) if word.strip("x")]
    core = trimmed_of(words, w.LABELS) or words
    form = "".join(core)
    out.whole_forms.add(f"number:{form.translate(w.DIGIT_LIKE)}")
    digits = "".join(filter(str.isdigit, form))
    if 8 <= len(digits) < len(form) <= len(digits) + 6:
        out.parts.add(f"number:{digits}")
    if entity == Entity.CREDIT_CARD_DIGITS and 12 <= len(digits) <= 19:
        out.parts.add(f"number:{digits[-4:]}")
    first = next((at for at, word in enumerate(core) if not word.isalpha()), len(core))
    last = next((at for at, word in enumerate(reversed(core)) if not word.isalpha()), 0)
    for before in range(min(first, _WORDS_BEFORE) + 1):
        for behind in range(min(last, _WORDS_BEHIND) + 1):
            if before or behind:
                out.parts.add("number:" + "".join(core[before : len(core) - behind]).translate(w.DIGIT_LIKE))
    if not (out.is_query or entity == Entity.PHONE_NUMBER):
        return
    if phone := _PHONE.fullmatch(_NOT_PHONE.sub("", text.casefold()).strip(ascii_lowercase)):
        abroad, number = phone.groups()
        out.whole_forms |= {f"number:{number}", f"number:{_national(number, bool(abroad))}"}


def _national(number: str, abroad: bool) -> str:
    """Cuts country code and trunk zeros off a phone number. Without + or 00, only 11 digits or more can have a code."""
    if abroad or (len(number) > 10 and number[0] != "0"):
        number = number[1 if number[0] in "17" else 2 if number[:2] in w.TWO_DIGIT_CODES else 3 :]
    return number.lstrip("0")


def _amount(text: str, entity: str, out: Forms) -> None:
    for match in _AMOUNT.finditer(text):
        form, _, part, cents = match.groups()
        form = "".join(filter(str.isdigit, form)).lstrip("0") or "0"
        part = (part or (cents.rjust(2, "0") if cents else "")).rstrip("0")
        out.whole_forms.add(f"amount:{form}p{part}" if part else f"amount:{form}")


def _date(text: str, entity: str, out: Forms) -> None:
    out.whole_forms |= {f"date:{day}" for day in days(text)[0]}


def _email(text: str, entity: str, out: Forms) -> None:
    text = _DOT.sub(".", _AT.sub("@", text))
    if "@" not in text:
        text = _AT_WORD.sub("@", text)
    text = _AROUND_AT.sub("@", text)
    out.whole_forms.add("email:" + _SEPARATORS.sub("", text.casefold()))
    for address in _MAIL.findall(text):
        out.whole_forms.add("email:" + _SEPARATORS.sub("", address.casefold()))
        out.parts.add("email:" + _SEPARATORS.sub("", _TAG.sub("@", address).casefold()))


def _place(text: str) -> list[str]:
    """Gives the words of an address or a town in their short forms."""
    out: list[str] = []
    before = ""
    for word in words_of(text):
        if state := w.STATES.get(f"{before}-{word}"):
            out[-1] = w.STREET.get(state, state)
        else:
            state = w.STATES.get(word, word)
            out.append(w.STREET.get(state, state))
        before = word
    short = initialisms(out)
    return out if short is out else [w.STREET.get(word, word) for word in short]


def _address(text: str, entity: str, out: Forms) -> None:
    text = _ZIP4.sub(r"\1", text.replace("#", f" {w.UNIT} "))
    segments = [words for words in map(_place, _SEGMENTS.split(text)) if words]
    while segments and w.COUNTRY.issuperset(segments[-1]):
        segments.pop()
    if not segments:
        return
    while len(segments[-1]) > 3 and segments[-1][-1] in w.COUNTRY:
        segments[-1] = segments[-1][:-1]
    at = next((i for i, words in enumerate(segments) if _has_digit(" ".join(words))), 0) + 1
    while at < len(segments) and (segments[at][0] in (w.UNIT, "box") or len(segments[at - 1]) == 1 == at):
        at += 1
    at = at if at < len(segments) else 1
    street = [word for words in segments[:at] for word in words]
    rest = [word for words in segments[at:] for word in words]
    towns = [word for word in rest if not _has_digit(word)]
    town = [word for word in segments[at] if not _has_digit(word)] if rest else []
    code = [word for word in rest if _has_digit(word)]
    unit = street.index(w.UNIT, 2) if w.UNIT in street[2:] else len(street)
    _keep(out, "address", _without_unit(street + rest))
    for line in {" ".join(_without_unit(street)), " ".join(street[:unit])}:
        if " " in line:
            behind = (rest, towns, town, code, ()) if _has_digit(line) else (rest, towns)
            out.parts |= {joined("address", (line, *more)) for more in behind}


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _without_unit(words: list[str]) -> list[str]:
    return [word for word in words if word != w.UNIT]


def _person(text: str, entity: str, out: Forms) -> None:
    segments = [words_of(part) for part in _JOINERS.sub("", text).split(",")]
    segments = [kept for words in segments if (kept := [word for word in words if word not in w.TITLES])]
    segments = [_without_leading_titles(words) for words in segments]
    words = [word for segment in segments for word in segment]
    while len(words) > 2 and (words[-1] in w.DEGREES or len(words[-1]) == 1):
        words.pop()
        segments[-1].pop()
        segments = [segment for segment in segments if segment]
    if not words:
        return
    if len(segments) == 2:
        words = segments[1] + segments[0]
    words = _keep(out, "person", words)
    if len(words) < 2:
        return
    first, *middle, last = words
    out.whole_forms.add(joined("person", [first, *(word for word in middle if len(word) > 1), last]))
    out.parts |= {joined("person", (first, last)), joined("person", (first[0], last))}
    if len(first) == 1 and middle:
        out.parts.add(joined("person", words[1:]))


def _without_leading_titles(words: list[str]) -> list[str]:
    """Leaves one word at least: "Herr" is a name as well."""
    start = 0
    while start < len(words) - 1 and words[start] in w.LEADING_TITLES:
        start += 1
    return words[start:]


def _company(text: str, entity: str, out: Forms) -> None:
    """A name is also read without an article that is written together with it ("l'hôpital Roe")."""
    _company_words(text, out)
    if (article := _ARTICLE.match(text)) is not None:
        _company_words(text[article.end() :], out)


def _company_words(text: str, out: Forms) -> None:
    words = initialisms(words_of(text.replace("'", "")))
    words = [short for word in words if (short := w.COMPANY.get(word, word)) not in ("the", "and")]
    core = words = _keep(out, "company", words)
    while len(core) > 1 and core[-1] in w.LEGAL:
        core = core[:-1]
    if len(core) < len(words):
        out.parts.add(joined("company", core))


def _medical(text: str, entity: str, out: Forms) -> None:
    words = [
        _stem(w.MEDICAL.get(word, word))
        for word in words_of(_UNIT_TOUCHES.sub(" ", text))
        if word not in ("of", "the", "a", "an")
    ]
    words = _keep(out, "medical", words)
    for drop, digits in ((w.ILLNESS, False), (w.DOSE, True)):
        core = [word for word in words if word not in drop and not (digits and _has_digit(word))]
        if core and not drop.isdisjoint(words):
            out.parts.add(joined("medical", core))


def _stem(word: str) -> str:
    """Cuts off a plural s, and writes e for ae and oe."""
    word = word.replace("ae", "e").replace("oe", "e")
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "is", "us")) else word


def _job(text: str, entity: str, out: Forms) -> None:
    _keep(out, "job", _job_words(text))
    if "(" in text:
        out.parts.add(joined("job", _job_words(_BRACKETS.sub(" ", text))))


def _job_words(text: str) -> list[str]:
    return [w.JOB.get(word, word) for word in words_of(text) if word not in ("of", "the", "a", "an", "and", "for")]


def _flight(text: str, entity: str, out: Forms) -> None:
    when, rest = days(text)
    route = [word for word in _place(rest) if word not in w.ROUTE]
    if not when:
        _keep(out, "flight", route)
        return
    route = trimmed_of(route, w.STOP)
    for day in when:
        _keep(out, "flight", [*route, day])
    if len(route) >= LEAST_WORDS["flight"]:
        out.parts.add(joined("flight", route))


Writing = Callable[[str, str, Forms], None]
_ANY_ORDER = frozenset({"person", "medical", "job"})
LEAST_WORDS = {"address": 3, "person": 2, "company": 2, "medical": 1, "job": 2, "flight": 2}
"""Kinds that are compared word by word, each with the least words of a piece of text that counts as a value."""
_FAMILIES: dict[str, tuple[str, tuple[Writing, ...]]] = {
    Entity.ADDRESS: ("address", (_address,)),
    Entity.PHONE_NUMBER: ("number", (_number,)),
    Entity.EMAIL_ADDRESS: ("email", (_email,)),
    Entity.BANK_ACCOUNT: ("number", (_number,)),
    Entity.TRANSACTION_AMOUNT: ("amount", (_amount,)),
    Entity.DIAGNOSIS: ("medical", (_medical,)),
    Entity.PRESCRIPTION: ("medical", (_medical,)),
    Entity.ORDER_NUMBER: ("number", (_number,)),
    Entity.FLIGHT: ("flight", (_flight,)),
    Entity.CREDIT_CARD_DIGITS: ("number", (_number,)),
    Entity.DOCTOR: ("name", (_person, _company)),
    Entity.HOSPITAL: ("name", (_company, _person)),
    Entity.EMPLOYER: ("name", (_company, _person)),
    Entity.JOB_TITLE: ("job", (_job,)),
    Entity.UTILITY_BILL: ("amount", (_amount,)),
    Entity.APPOINTMENT_DATE: ("date", (_date,)),
    Entity.DATE_OF_BIRTH: ("date", (_date,)),
    Entity.DATE_TIME: ("date", (_date,)),
}
"""Maps an entity to its family and to its ways of writing: its own first, then those of its family."""

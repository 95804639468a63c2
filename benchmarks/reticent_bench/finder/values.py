"""Values of the kinds with a form of their own, made up from a seed: numbers with check digits, keys, addresses."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

from faker import Faker

from reticent_bench.finder.numbers import (
    aadhaar,
    bitcoin_address,
    codice_fiscale,
    cpf,
    draw,
    draw_digits,
    draw_pattern,
    french_nir,
    german_card,
    german_tax,
    iban,
    italian_card,
    luhn_digit,
    nino,
    personnummer,
    pesel,
    segwit_address,
    spanish_account,
    spanish_dni,
)

Maker = Callable[[random.Random, Faker], str]


_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}


_DAYS = {
    "en": ("%B {d}, %Y", "{d} %B %Y", "%Y-%m-%d", "%m/%d/%Y"),
    "de": ("{d}. %B %Y", "%d.%m.%Y", "%Y-%m-%d", "{d}.{m}.%Y"),
    "fr": ("{d} %B %Y", "%d/%m/%Y", "%Y-%m-%d", "{d}/{m}/%Y"),
    "es": ("{d} de %B de %Y", "%d/%m/%Y", "%Y-%m-%d", "{d}/{m}/%Y"),
    "it": ("{d} %B %Y", "%d/%m/%Y", "%Y-%m-%d", "{d}/{m}/%Y"),
    "pt": ("{d} de %B de %Y", "%d/%m/%Y", "%Y-%m-%d", "{d}/{m}/%Y"),
}


_ALNUM = string.ascii_letters + string.digits


@cache
def faker(locale: str) -> Faker:
    """One generator a locale; whoever draws from it seeds it first."""
    return Faker(locale)


def written_day(rng: random.Random, language: str, first: date, last: date) -> str:
    """Gives a day between two others, as the language (en, de, fr, es, it, pt) writes it."""
    day = first + timedelta(days=rng.randrange((last - first).days))
    form = rng.choice(_DAYS[language]).replace("{d}", str(day.day)).replace("{m}", str(day.month))
    return day.strftime(form.replace("%B", _MONTHS[language].split()[day.month - 1]))


def _language(fake: Faker) -> str:
    return str(fake.locales[0])[:2]


def _card(rng: random.Random, fake: Faker) -> str:
    start, length = rng.choice([("4", 16), ("51", 16), ("55", 16), ("34", 15), ("37", 15), ("6011", 16), ("2221", 16)])
    body = start + draw_digits(rng, length - len(start) - 1)
    number = body + luhn_digit(body)
    sizes = (4, 6, 5) if length == 15 else (4, 4, 4, 4)
    separator = rng.choice(["", " ", " ", "-"])
    parts, at = [], 0
    for size in sizes:
        parts.append(number[at : at + size])
        at += size
    return separator.join(parts)


BBAN = {
    "en": ("GB", "????##############"),
    "de": ("DE", "##################"),
    "fr": ("FR", "#######################"),
    "es": ("ES", "####################"),
    "it": ("IT", "?######################"),
    "pt": ("PT", "#####################"),
}


def _iban(rng: random.Random, fake: Faker) -> str:
    country, form = BBAN[rng.choice([_language(fake), _language(fake), *BBAN])]
    number = iban(country, spanish_account(rng) if country == "ES" else draw_pattern(rng, form))
    return " ".join(number[i : i + 4] for i in range(0, len(number), 4)) if rng.random() < 0.5 else number


def _ssn(rng: random.Random, fake: Faker) -> str:
    area = rng.choice([n for n in range(1, 900) if n != 666])
    number = f"{area:03d}-{rng.randrange(1, 100):02d}-{rng.randrange(1, 10000):04d}"
    return number.replace("-", " ") if rng.random() < 0.15 else number


def _itin(rng: random.Random, fake: Faker) -> str:
    return f"9{draw_digits(rng, 2)}-{rng.choice([*range(70, 89), *range(90, 93)])}-{draw_digits(rng, 4)}"


_NATIONAL: dict[str, tuple[Callable[[random.Random], str], ...]] = {
    "en": (nino, aadhaar, pesel, personnummer),
    "de": (german_card,),
    "fr": (french_nir,),
    "es": (spanish_dni,),
    "it": (italian_card,),
    "pt": (lambda r: draw_pattern(r, "##.###.###-#"),),
}


_TAX: dict[str, tuple[Callable[[random.Random], str], ...]] = {
    "en": (lambda r: draw_pattern(r, f"{r.choice(['12', '20', '45', '81', '94'])}-#######"),),
    "de": (german_tax,),
    "fr": (lambda r: draw_pattern(r, f"{r.choice('0123')}############"),),
    "es": (spanish_dni,),
    "it": (codice_fiscale,),
    "pt": (cpf,),
}


def _license(rng: random.Random, fake: Faker) -> str:
    forms = {
        "en": ("?#######", "?###-####-####", "?############", "########"),
        "de": ("?##?????##?",),
        "fr": ("############",),
        "es": ("########?",),
        "it": ("??#######?", "U1?#####?"),
        "pt": ("###########", "??-###### #"),
    }
    return draw_pattern(rng, rng.choice(forms[_language(fake)]))


def _passport(rng: random.Random, fake: Faker) -> str:
    forms = {
        "en": ("#########", "?########"),
        "de": ("C##?##?##",),
        "fr": ("##??#####",),
        "es": ("???######",),
        "it": ("Y?#######",),
        "pt": ("??######",),
    }
    return draw_pattern(rng, rng.choice(forms[_language(fake)]))


def _crypto(rng: random.Random, fake: Faker) -> str:
    return rng.choice([bitcoin_address(rng), segwit_address(rng), "0x" + draw(rng, "0123456789abcdef", 40)])


def _jwt(rng: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    signature = base64.urlsafe_b64encode(rng.randbytes(32)).decode().rstrip("=")
    return (
        f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': draw_digits(rng, 8), 'iat': rng.randrange(10**9)})}."
        f"{signature}"
    )


KEY_MAKERS: dict[str, Callable[[random.Random], str]] = {
    "AWS": lambda r: "AKIA" + draw(r, string.ascii_uppercase + "234567", 16),
    "GitHub": lambda r: "ghp_" + draw(r, _ALNUM, 36),
    "GitLab": lambda r: "glpat-" + draw(r, _ALNUM, 20),
    "Slack": lambda r: f"xoxb-{draw_digits(r, 12)}-{draw_digits(r, 12)}-{draw(r, _ALNUM, 24)}",
    "Stripe": lambda r: "sk_live_" + draw(r, _ALNUM, 24),
    "Google": lambda r: "AIza" + draw(r, _ALNUM + "-_", 34) + r.choice(_ALNUM),
    "JWT": _jwt,
    "SendGrid": lambda r: f"SG.{draw(r, _ALNUM, 22)}.{draw(r, _ALNUM, 43)}",
    "npm": lambda r: "npm_" + draw(r, _ALNUM, 36),
    "Hugging Face": lambda r: "hf_" + draw(r, string.ascii_letters, 34),
    "model service": lambda r: "sk-proj-" + draw(r, _ALNUM, 48),
    "hexadecimal": lambda r: draw(r, "0123456789abcdef", 40),
}


def _password(rng: random.Random, fake: Faker) -> str:
    word = rng.choice(
        [
            "Sommer",
            "Tiger",
            "Winter",
            "dragon",
            "Lisboa",
            "maison",
            "Falcon",
            "azucar",
            "Monkey",
            "Velvet",
            "Regen",
            "torino",
        ]
    )
    return rng.choice(
        [
            f"{word}{rng.choice('!#$%&*')}{draw_digits(rng, 4)}",
            draw(rng, _ALNUM + "!#$%*+?", 12),
            f"{word.replace('o', '0').replace('e', '3')}{draw_digits(rng, 2)}{rng.choice('!?#')}",
        ]
    )


def _url(rng: random.Random, fake: Faker) -> str:
    name = fake.user_name()
    return rng.choice(
        [
            f"https://www.{fake.domain_name()}/~{name}",
            f"http://{fake.domain_name()}/people/{name}.html",
            f"https://{fake.domain_name()}/profile?id={rng.randrange(10**6)}&tab=posts",
            f"www.{fake.domain_name()}/{name}",
        ]
    )


def _order(rng: random.Random, fake: Faker) -> str:
    return rng.choice(
        [
            fake.uuid4(),
            draw_pattern(rng, "ORD-20##-#####"),
            draw_pattern(rng, "###-#######-#######"),
            draw_pattern(rng, "#########"),
        ]
    )


def _bank(rng: random.Random, fake: Faker) -> str:
    if _language(fake) == "en":
        return draw_pattern(rng, rng.choice(["########", "############", "##########"]))
    return rng.choice([_iban(rng, fake), draw_digits(rng, 10)])


def _date_of_birth(rng: random.Random, fake: Faker) -> str:
    return written_day(rng, _language(fake), date(1935, 1, 1), date(2006, 12, 31))


def _appointment(rng: random.Random, fake: Faker) -> str:
    return written_day(rng, _language(fake), date(2024, 1, 1), date(2026, 12, 31))


def _address(rng: random.Random, fake: Faker) -> str:
    return str(fake.address()).replace("\n", ", ")


def _ipv6(rng: random.Random) -> str:
    return rng.choice(
        [draw_pattern(rng, "2001:db8:xxxx:xxxx:xxxx:xxxx:xxxx:xxxx"), draw_pattern(rng, "2a02:xxxx::xxxx:xxxx")]
    )


_PLATES = {
    "en": ("??## ???", "???-####", "#???###", "??##???"),
    "de": ("M-?? ####", "HH ?? ###", "KA-? ####", "B ?? ##"),
    "fr": ("??-###-??",),
    "es": ("#### BCD", "#### ???"),
    "it": ("?? ### ??", "??###??"),
    "pt": ("??-##-??", "##-??-##", "???#?##"),
}


def _vehicle(rng: random.Random, fake: Faker) -> str:
    """Gives a number plate, or every fourth time the number of a chassis."""
    if rng.random() < 0.75:
        return draw_pattern(rng, rng.choice(_PLATES[_language(fake)]))
    return (
        rng.choice(["WVW", "WBA", "VF1", "ZFA", "1HG", "JTD"])
        + draw(rng, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789", 8)
        + draw_digits(rng, 6)
    )


def _device(rng: random.Random, fake: Faker) -> str:
    """Gives a serial number, or an IMEI with its check digit."""
    if rng.random() < 0.5:
        return draw_pattern(rng, rng.choice(["?#??#?##?#??", "??########", "###-####-####", "??-####-?##"]))
    body = "35" + draw_digits(rng, 12)
    return body + luhn_digit(body)


def _coordinates(rng: random.Random, fake: Faker) -> str:
    north, east = rng.uniform(36, 60), rng.uniform(-10, 20)
    if rng.random() < 0.6:
        return f"{north:.5f}, {east:.5f}"
    degrees = [f"{int(abs(at))}°{rng.randrange(60):02}′{rng.randrange(60):02}″" for at in (north, east)]
    return f"{degrees[0]}N {degrees[1]}{'E' if east > 0 else 'W'}"


_RECORD_PATTERNS = ["MRN-########", "#######", "##########", "H######"]
_TEMPLATE_PATTERNS = ["FP-xxxx-xxxx-xxxx", "BIO-########", "xxxxxxxxxxxxxxxx"]
MAKERS: dict[str, Maker] = {
    "ADDRESS": _address,
    "PHONE_NUMBER": lambda r, f: str(f.phone_number()),
    "EMAIL_ADDRESS": lambda r, f: str(r.choice([f.email, f.free_email, f.company_email])()),
    "BANK_ACCOUNT": _bank,
    "ORDER_NUMBER": _order,
    "CREDIT_CARD_DIGITS": lambda r, f: draw_digits(r, 4),
    "APPOINTMENT_DATE": _appointment,
    "CREDIT_CARD": _card,
    "IBAN_CODE": _iban,
    "US_SSN": _ssn,
    "US_ITIN": _itin,
    "NATIONAL_ID": lambda r, f: r.choice(_NATIONAL[_language(f)])(r),
    "TAX_ID": lambda r, f: r.choice(_TAX[_language(f)])(r),
    "PASSPORT": _passport,
    "DRIVER_LICENSE": _license,
    "MEDICAL_RECORD_NUMBER": lambda r, f: draw_pattern(r, r.choice(_RECORD_PATTERNS)),
    "BIOMETRIC_ID": lambda r, f: draw_pattern(r, r.choice(_TEMPLATE_PATTERNS)).upper(),
    "DATE_OF_BIRTH": _date_of_birth,
    "VEHICLE_ID": _vehicle,
    "DEVICE_ID": _device,
    "COORDINATES": _coordinates,
    "IP_ADDRESS": lambda r, f: str(f.ipv4()) if r.random() < 0.7 else _ipv6(r),
    "MAC_ADDRESS": lambda r, f: draw_pattern(r, r.choice(["xx:xx:xx:xx:xx:xx", "xx-xx-xx-xx-xx-xx"])),
    "URL": _url,
    "CRYPTO": _crypto,
    "SECRET_KEY": lambda r, f: KEY_MAKERS[r.choice([*KEY_MAKERS])](r),
    "PASSWORD": _password,
    "PIN": lambda r, f: draw_digits(r, r.choice([4, 4, 6])),
    "USERNAME": lambda r, f: str(f.user_name()),
}  # fmt: skip


"""kind -> a value, from a random state and a seeded Faker of the locale."""


def make(kind: str, rng: random.Random, locale: str) -> str:
    """Gives a value of a kind with a form of its own; the same for the same random state."""
    fake = faker(locale)
    fake.seed_instance(rng.randrange(2**32))
    return MAKERS[kind](rng, fake)

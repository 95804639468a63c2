"""Numbers with their check digits, made up from a random state: identity and tax numbers, accounts, wallets."""

from __future__ import annotations

import hashlib
import random
import string
from datetime import date, timedelta

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def draw_digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choices(string.digits, k=count))


def draw(rng: random.Random, alphabet: str, count: int) -> str:
    return "".join(rng.choices(alphabet, k=count))


def draw_pattern(rng: random.Random, form: str) -> str:
    """`#` a digit, `?` a capital, `x` a hexadecimal digit; anything else as it stands."""
    sets = {"#": string.digits, "?": string.ascii_uppercase, "x": "0123456789abcdef"}
    return "".join(rng.choice(sets[c]) if c in sets else c for c in form)


def luhn_digit(digits: str) -> str:
    """Gives the check digit of ISO/IEC 7812."""
    total = 0
    for i, c in enumerate(reversed(digits)):
        n = int(c) * (2 if i % 2 == 0 else 1)
        total += n - 9 if n > 9 else n
    return str(-total % 10)


def spanish_account(rng: random.Random) -> str:
    """Bank, branch, two check digits and account: the national part of a Spanish IBAN."""

    def check(number: str) -> str:
        rest = 11 - sum(int(c) * 2**i for i, c in enumerate(number)) % 11
        return str({10: 1, 11: 0}.get(rest, rest))

    bank, account = draw_digits(rng, 8), draw_digits(rng, 10)
    return f"{bank}{check('00' + bank)}{check(account)}{account}"


def iban(country: str, bban: str) -> str:
    """Gives an IBAN with its check digits (ISO 13616)."""
    numeric = "".join(str(int(c, 36)) for c in f"{bban}{country}00")
    return f"{country}{98 - int(numeric) % 97:02d}{bban}"


def spanish_dni(rng: random.Random) -> str:
    number = rng.randrange(10_000_000, 99_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def german_card(rng: random.Random) -> str:
    body = rng.choice("LMNPRTVWXY") + draw(rng, "0123456789CFGHJKLMNPRTVWXYZ", 8)
    check = sum(int(c, 36) * (7, 3, 1)[i % 3] for i, c in enumerate(body)) % 10
    return f"{body}{check}"


def french_nir(rng: random.Random) -> str:
    body = (
        f"{rng.choice('12')}{rng.randrange(30, 99):02d}{rng.randrange(1, 13):02d}{rng.randrange(1, 96):02d}"
        f"{draw_digits(rng, 3)}{draw_digits(rng, 3)}"
    )
    key = 97 - int(body) % 97
    if rng.random() < 0.5:
        return f"{body}{key:02d}"
    return f"{body[0]} {body[1:3]} {body[3:5]} {body[5:7]} {body[7:10]} {body[10:]} {key:02d}"


def nino(rng: random.Random) -> str:
    letters = rng.choice("ABCEGHJKLMNPRSTWXYZ") + rng.choice("ABCEGHJKLMNPRSTWXYZ")
    if letters in {"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"}:
        letters = "JT"
    digits = draw_digits(rng, 6)
    spaced = f"{letters} {digits[:2]} {digits[2:4]} {digits[4:]} {rng.choice('ABCD')}"
    return spaced if rng.random() < 0.5 else spaced.replace(" ", "")


def cpf(rng: random.Random) -> str:
    digits = draw_digits(rng, 9)
    for _ in range(2):
        rest = sum(int(c) * w for c, w in zip(digits, range(len(digits) + 1, 1, -1), strict=True)) % 11
        digits += str(0 if rest < 2 else 11 - rest)
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}" if rng.random() < 0.7 else digits


def pesel(rng: random.Random) -> str:
    day = date(1950, 1, 1) + timedelta(days=rng.randrange(17_000))
    body = day.strftime("%y%m%d") + draw_digits(rng, 4)
    return body + str(-sum(int(c) * w for c, w in zip(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3), strict=True)) % 10)


def personnummer(rng: random.Random) -> str:
    day = date(1950, 1, 1) + timedelta(days=rng.randrange(18_000))
    body = day.strftime("%y%m%d") + draw_digits(rng, 3)
    return f"{body[:6]}-{body[6:]}{luhn_digit(body)}"


def verhoeff_digit(digits: str) -> str:
    """Gives the check digit of Verhoeff's scheme: multiplication in the dihedral group of order ten."""

    def times(a: int, b: int) -> int:
        if a < 5:
            return (a + b) % 5 if b < 5 else 5 + (a + b) % 5
        return 5 + (a - b) % 5 if b < 5 else (a - b) % 5

    step = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
    total = 0
    for i, c in enumerate(reversed(digits), 1):
        n = int(c)
        for _ in range(i % 8):
            n = step[n]
        total = times(total, n)
    return str(total if total >= 5 else -total % 5)


def aadhaar(rng: random.Random) -> str:
    body = rng.choice("23456789") + draw_digits(rng, 10)
    number = body + verhoeff_digit(body)
    return f"{number[:4]} {number[4:8]} {number[8:]}"


def italian_card(rng: random.Random) -> str:
    return draw_pattern(rng, rng.choice(["C?#####??", "A?#######"]))


def german_tax(rng: random.Random) -> str:
    digits = rng.sample(string.digits, 9)
    if digits[0] == "0":
        digits[0], digits[1] = digits[1], digits[0]
    digits.insert(rng.randrange(2, 10), digits[0])
    product = 10
    for c in digits:
        total = (int(c) + product) % 10 or 10
        product = total * 2 % 11
    number = "".join(digits) + str((11 - product) % 10)
    return number if rng.random() < 0.5 else f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}"


_ODD = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True)) | dict(
    zip(
        string.ascii_uppercase,
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)


def codice_fiscale(rng: random.Random) -> str:
    consonants = "BCDFGLMNPRSTVZ"
    body = draw(rng, consonants, 6)
    body += (
        f"{rng.randrange(40, 99):02d}{rng.choice('ABCDEHLMPRST')}{rng.choice([*range(1, 29), *range(41, 69)]):02d}"
        f"{rng.choice('ABCDEFGHL')}{draw_digits(rng, 3)}"
    )
    total = sum(
        _ODD[c] if i % 2 == 0 else (int(c) if c.isdigit() else string.ascii_uppercase.index(c))
        for i, c in enumerate(body)
    )
    return body + string.ascii_uppercase[total % 26]


def bitcoin_address(rng: random.Random) -> str:
    """Gives a pay-to-public-key-hash address with its checksum."""
    payload = rng.choice([b"\x00", b"\x05"]) + rng.randbytes(20)
    payload += hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    number, out = int.from_bytes(payload, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        out = _BASE58[rest] + out
    return "1" * (len(payload) - len(payload.lstrip(b"\0"))) + out


def segwit_address(rng: random.Random) -> str:
    """Gives a version 0 address of BIP 173."""

    def polymod(values: list[int]) -> int:
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            for i, constant in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
                check ^= constant if top >> i & 1 else 0
        return check

    number = int.from_bytes(rng.randbytes(20), "big")
    data = [0, *(number >> 5 * i & 31 for i in reversed(range(32)))]
    human = [ord(c) >> 5 for c in "bc"] + [0] + [ord(c) & 31 for c in "bc"]
    check = polymod([*human, *data, 0, 0, 0, 0, 0, 0]) ^ 1
    return "bc1" + "".join(_BECH32[v] for v in [*data, *(check >> 5 * (5 - i) & 31 for i in range(6))])

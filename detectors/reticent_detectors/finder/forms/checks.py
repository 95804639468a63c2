"""Checks of values by name: check digits, checksums, dates within numbers, and how random a string looks.

Each takes the value as it is written. Those of states and banks are python-stdnum's.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType

from stdnum import damm, iban, luhn, verhoeff
from stdnum.be import nn
from stdnum.br import cnpj, cpf
from stdnum.ch import ssn as ahv
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.eu import vat
from stdnum.exceptions import ValidationError
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import vat as gb_vat
from stdnum.iso7064 import mod_11_2, mod_11_10, mod_37_2, mod_37_36, mod_97_10
from stdnum.it import codicefiscale
from stdnum.mx import curp, rfc
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.us import itin
from stdnum.za import idnr as za_idnr

from reticent_detectors.finder.forms.words import words_of

Check = Callable[[str], bool]


def _digits(value: str) -> str:
    return "".join(c for c in value if c.isdecimal())


def _letters(value: str) -> str:
    return "".join(c for c in value if c.isascii() and c.isalnum()).upper()


def _of_digits(is_valid: Check) -> Check:
    return lambda value: bool(is_valid(_digits(value)))


def _of_letters(is_valid: Check) -> Check:
    return lambda value: bool(is_valid(_letters(value)))


def is_issued(value: str) -> bool:
    """Tell whether the leading digits are a card issuer's, by the ranges that the schemes publish for this size."""
    digits = _digits(value)
    size, two, three, four = len(digits), int(digits[:2]), int(digits[:3]), int(digits[:4])
    return (
        (two // 10 == 4 and size in (13, 16, 19))
        or (size == 16 and (51 <= two <= 55 or 2221 <= four <= 2720 or 2200 <= four <= 2204))
        or (size == 15 and (two in (34, 37) or four in (1800, 2131)))
        or (16 <= size <= 19 and (four == 6011 or 644 <= three <= 649 or two in (62, 65) or 3528 <= four <= 3589))
        or (14 <= size <= 19 and (300 <= three <= 305 or two in (36, 38, 39)))
        or four in (604, 5018, 5020, 5038, 5893, 6304, 6759, 6761, 6762, 6763)
    )


def _card(value: str) -> bool:
    """Check issuer and Luhn digit; South African identity numbers end in the same, and fewer random ones are such."""
    digits = _digits(value)
    return is_issued(digits) and luhn.is_valid(digits) and not za_idnr.is_valid(digits)


def _ssn(value: str) -> bool:
    """Check that no group is of zeros, and that the first is one that is issued."""
    digits = _digits(value)
    return digits[:3] not in ("000", "666") and digits[3:5] != "00" and digits[5:] != "0000"


def _nino(value: str) -> bool:
    value = _letters(value)
    issued = value[0] not in "DFIQUV" and value[1] not in "DFIOQUV" and value[-1] in "ABCD"
    return issued and value[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


def _nric(value: str) -> bool:
    """Check Singapore's letter: weighted digits modulo 11, a row of letters for each first letter."""
    first = value[0].upper()
    total = sum(int(digit) * weight for digit, weight in zip(value[1:8], (2, 7, 6, 5, 4, 3, 2), strict=True))
    total += {"S": 0, "F": 0, "T": 4, "G": 4, "M": 3}[first]
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "XWUTRQPNJLK"}.get(first, "XWUTRQPNMLK")
    return letters[10 - total % 11 if first == "M" else total % 11] == value[8].upper()


def _curp(value: str) -> bool:
    try:
        curp.get_birth_date(value)
    except ValidationError:
        return False
    return str(curp.calc_check_digit(value.upper())) == value[-1]


def _ric(value: str) -> bool:
    try:
        born = ric.get_birth_date(value)
    except ValidationError:
        return False
    return born.year >= 1900 and str(ric.calc_check_digit(value)) == value[-1].upper()


def _rrn(value: str) -> bool:
    return value[7] in "1234" and "01" <= value[2:4] <= "12" and "01" <= value[4:6] <= "31"


def _emirates(value: str) -> bool:
    """Check the year of birth, and that one mark parts the groups."""
    return "1900" <= _digits(value)[3:7] <= "2039" and len({c for c in value if not c.isdecimal()}) <= 1


def _rfc(value: str) -> bool:
    return bool(rfc.is_valid(value, validate_check_digits=True))


_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_WORTH = dict(
    zip(
        "ABCDEFGHJKLMNPRSTUVWXYZ",
        (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
        strict=True,
    )
)


def _vin(value: str) -> bool:
    """Check the ninth character, a check digit in North America (ISO 3779; 49 CFR 565.15) and nowhere else."""
    total = sum((_VIN_WORTH.get(c) or int(c)) * weight for c, weight in zip(value.upper(), _VIN_WEIGHTS, strict=True))
    return sum(map(str.isalpha, value)) >= 2 and "0123456789X"[total % 11] == value[8].upper()


_IBAN_SPACES = " \u00a0\u202f-"


def _iban(written: str) -> bool:
    """Check modulo 97; with wrong check digits it needs the country's structure, and capitals or groups."""
    value = "".join(c for c in written if c not in _IBAN_SPACES)
    if iban.is_valid(value, check_country=False):
        return True
    if written[:2].islower() and len(written) == len(value):
        return False
    try:
        return bool(iban.is_valid(value[:2] + iban.calc_check_digits(value) + value[4:], check_country=False))
    except (ValidationError, ValueError):
        return False


_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
# Version bytes: Bitcoin 0, 5 and its test network; Litecoin 48, 50; Dogecoin 30, 22; Tron 65; Dash 76, 16.
_VERSIONS = frozenset({0, 5, 111, 196, 48, 50, 58, 30, 22, 65, 76, 16})
_ZCASH = frozenset({b"\x1c\xb8", b"\x1c\xbd"})
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_BECH32_CONSTANTS = (1, 0x2BC830A3)


def _base58check(value: str, alphabet: str = _BASE58) -> bytes:
    """Return the payload with its version byte if the four checksum bytes are right; else nothing."""
    number = 0
    for char in value:
        at = alphabet.find(char)
        if at < 0:
            return b""
        number = number * 58 + at
    zeros = len(value) - len(value.lstrip(alphabet[0]))
    data = bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
    payload, check = data[:-4], data[-4:]
    return payload if hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4] == check else b""


def _base58(value: str) -> bool:
    if payload := _base58check(value):
        size = len(payload)
        return (size == 21 and payload[0] in _VERSIONS) or (size == 22 and payload[:2] in _ZCASH)
    payload = _base58check(value, _RIPPLE) if value[0] == "r" else b""
    return len(payload) == 21 and payload[0] == 0


def _wallet_key(value: str) -> bool:
    payload = _base58check(value)
    return len(payload) in (33, 34) and payload[0] in (0x80, 0xEF)


def _bech32(value: str) -> bool:
    """Check the checksum of BIP-173 or BIP-350."""
    if value not in (value.lower(), value.upper()):
        return False
    prefix, _, data = value.lower().rpartition("1")
    if not prefix or len(data) < 6 or any(c not in _BECH32 for c in data):
        return False
    check = 1
    for part in (*(ord(c) >> 5 for c in prefix), 0, *(ord(c) & 31 for c in prefix), *(_BECH32.index(c) for c in data)):
        top, check = check >> 25, ((check & 0x1FFFFFF) << 5) ^ part
        for i, generator in enumerate(_GENERATOR):
            check ^= generator if top >> i & 1 else 0
    return check in _BECH32_CONSTANTS


def _on_earth(value: str) -> bool:
    return all(float(number) <= 180 for number in re.findall(r"\d+(?:\.\d+)?", value))


def _no_year(value: str) -> bool:
    """Tell that digits are neither a year nor a round number."""
    return not re.fullmatch(r"(?:19|20)\d\d|\d{1,3}000?", value)


def _code(value: str) -> bool:
    """Tell that it is no date, year, years from and to, decimal, or row of the figures."""
    return not re.fullmatch(
        r"\d{4}([-/. ])\d{1,2}\1\d{1,2}|\d{1,2}([-/. ])\d{1,2}\2(?:\d{4}|\d\d)"
        r"|(?:1[4-9]|20)\d\d(?:[-/ ](?:\d\d|(?:1[4-9]|20)\d\d))?|\d+\.\d{1,2}"
        r"|0?123456789\d?|.*:\d\d|\d{1,3}(?:[.,]\d{3})+|[1-9]0{3,}"
        r"|\d+(?:-[a-z]{2,})+",
        value,
    )


ENTROPY_BITS, ENTROPY_BITS_NAMED = 4.0, 2.8
"""Least Shannon entropy, in bits a character, of a random string (32 random letters and digits: 4.5)."""
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_HEX = re.compile(r"(?:0x)?[0-9A-Fa-f]+")


def entropy_bits(text: str) -> float:
    """Return the Shannon entropy of the characters, in bits a character."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def is_wordy(text: str) -> bool:
    """Tell whether the letters stand next to each other as they do in words and identifiers."""
    switches = sum(a.isdigit() != b.isdigit() for a, b in pairwise(text) if (a + b).isalnum())
    if switches >= 6:
        return False
    pairs = [text[i : i + 2] for i in range(len(text) - 1) if text[i : i + 2].isalpha()]
    common = words_of("letter_pairs")
    return len(pairs) >= 4 and sum(pair.casefold() in common for pair in pairs) > 0.62 * len(pairs)


def is_random_named(text: str) -> bool:
    """Tell whether a string that a label names looks drawn at random: letters and digits, no words, no UUID."""
    if len(text) < 16 or _UUID.fullmatch(text) or entropy_bits(text) < ENTROPY_BITS_NAMED:
        return False
    digits = sum(c.isdigit() for c in text)
    letters = sum(c.isalpha() for c in text)
    if _HEX.fullmatch(text):
        return digits > 0 and letters > 0
    mixed = any(c.islower() for c in text) and any(c.isupper() for c in text)
    return letters >= 4 and (digits >= 2 or (mixed and len(text) >= 20)) and not is_wordy(text)


def is_random(text: str) -> bool:
    """Tell whether a string is a key without a label: 32 characters or more of all sorts, no words, no alphabet."""
    return (
        len(text) >= 32
        and any(c.islower() for c in text)
        and any(c.isupper() for c in text)
        and sum(c.isdigit() for c in text) >= 3
        and not _HEX.fullmatch(text)
        and entropy_bits(text) >= ENTROPY_BITS
        and not is_wordy(text)
        and sum(ord(b) - ord(a) == 1 for a, b in pairwise(text)) < len(text) // 4
        and max(map(len, re.split(r"[/+=_-]", text))) >= 12
    )


def _capital_no_words(text: str) -> bool:
    """Tell names that begin like keys from keys: these have a capital and no words."""
    return any(c.isupper() for c in text) and not is_wordy(text)


POLICY_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "luhn": _of_digits(luhn.is_valid),
        "verhoeff": _of_digits(verhoeff.is_valid),
        "damm": _of_digits(damm.is_valid),
        "mod_11_2": _of_letters(mod_11_2.is_valid),
        "mod_11_10": _of_digits(mod_11_10.is_valid),
        "mod_37_2": _of_letters(mod_37_2.is_valid),
        "mod_37_36": _of_letters(mod_37_36.is_valid),
        "mod_97_10": _of_letters(mod_97_10.is_valid),
    }
)
"""Checks that a policy may name. The first three, and mod_11_10, look at digits alone; the others at letters, too."""
_OF_CHECK_DIGITS: Mapping[str, Check] = {
    # Banks and cards.
    "card": _card,
    "iban": _iban,
    # People.
    "ae_emirates": _emirates,
    "be_nn": nn.is_valid,
    "br_cnpj": cnpj.is_valid,
    "br_cpf": cpf.is_valid,
    "ch_ahv": ahv.is_valid,
    "cn_ric": _ric,
    "de_idnr": idnr.is_valid,
    "es_dni": dni.is_valid,
    "es_nie": nie.is_valid,
    "eu_vat": vat.is_valid,
    "fi_hetu": hetu.is_valid,
    "fr_nir": nir.is_valid,
    "gb_nino": _nino,
    "gb_vat": gb_vat.is_valid,
    "it_codice_fiscale": codicefiscale.is_valid,
    "kr_rrn": _rrn,
    "mx_curp": _curp,
    "mx_rfc": _rfc,
    "no_fodselsnummer": fodselsnummer.is_valid,
    "pl_pesel": pesel.is_valid,
    "se_personnummer": personnummer.is_valid,
    "sg_nric": _nric,
    "us_itin": itin.is_valid,
    "us_ssn": _ssn,
    "za_id": za_idnr.is_valid,
    # Things.
    "vin": _vin,
    "base58": _base58,
    "bech32": _bech32,
    "wallet_key": _wallet_key,
}
MAY_BE_WRONG = frozenset(_OF_CHECK_DIGITS)
"""Checks of numbers that have another form as well: one that a label names counts though its check digits are wrong."""
CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        **POLICY_CHECKS,
        **_OF_CHECK_DIGITS,
        "issued": is_issued,
        "many_characters": lambda value: len(set(value.casefold())) >= 8,
        "on_earth": _on_earth,
        # Strings and figures.
        "random": is_random,
        "random_named": is_random_named,
        "capital_no_words": _capital_no_words,
        "no_year": _no_year,
        "code": _code,
        "mixed": lambda value: any(map(str.isalpha, value)) and any(map(str.isdigit, value)),
    }
)
"""Checks by name."""

"""Recognisers for wallet addresses of cryptocurrencies.

Where an address holds a checksum of SHA-256 (base58check, bech32), the checksum decides.
Ethereum's needs Keccak, which the standard library lacks, so its form decides, as for Monero.
Solana and others have no form of their own and need a label.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.recognizers import Recognizer
from reticent_detectors.finder.engine.run_unless import RunUnless

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_B58 = "[1-9A-HJ-NP-Za-km-z]"
# Version bytes: Bitcoin 0, 5 and its test network; Litecoin 48, 50; Dogecoin 30, 22; Tron 65; Dash 76, 16.
_VERSIONS = frozenset({0, 5, 111, 196, 48, 50, 58, 30, 22, 65, 76, 16})
_ZCASH = frozenset({b"\x1c\xb8", b"\x1c\xbd"})
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_BECH32_CONSTANTS = (1, 0x2BC830A3)


def base58_bytes(value: str, alphabet: str = _BASE58) -> bytes:
    """Gives the bytes of a base-58 number; its leading zero digits are zero bytes.

    Raises:
        ValueError: a character is not in the alphabet.
    """
    number = 0
    for char in value:
        number = number * 58 + alphabet.index(char)
    zeros = len(value) - len(value.lstrip(alphabet[0]))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def base58check(value: str, alphabet: str = _BASE58) -> bytes | None:
    """Gives the payload with its version byte if the four checksum bytes are right."""
    try:
        data = base58_bytes(value, alphabet)
    except ValueError:
        return None
    payload, check = data[:-4], data[-4:]
    right = hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4] == check
    return payload if right and payload else None


def bech32_valid(value: str) -> bool:
    """Whether the checksum of BIP-173 or BIP-350 is right."""
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


def base58_length(run: str) -> int:
    if 26 <= len(run) <= 36:
        payload = base58check(run)
        if payload is not None:
            size = len(payload)
            return len(run) if (size == 21 and payload[0] in _VERSIONS) or (size == 22 and payload[:2] in _ZCASH) else 0
        if run[0] == "r":
            payload = base58check(run, _RIPPLE)
            return len(run) if payload is not None and len(payload) == 21 and payload[0] == 0 else 0
    return len(run) if len(run) in (95, 106) and re.fullmatch(f"[48]{_B58}+", run) else 0


def bech32_length(run: str) -> int:
    return len(run) if len(run) >= 26 and bech32_valid(run) else 0


def ethereum_length(run: str) -> int:
    return 42 if len(run) == 42 and len(set(run[2:].casefold())) >= 6 else 0


def labelled_length(run: str) -> int:
    """Gives the length of a labelled row of letters and digits that is no word and no hexadecimal number."""
    mixed = any(c.isdigit() for c in run) and any(c.isalpha() for c in run)
    return len(run) if mixed and 26 <= len(run) <= 110 and len(set(run)) >= 10 else 0


WALLETS: Sequence[Recognizer] = (
    RunUnless(
        "base58",
        Entity.CRYPTO,
        "dul",
        r"\w",
        base58_length,
        most=128,
        opens=_B58 + "{25}",
        part=lambda run: bool(re.fullmatch(f"(?=.*[0-9])(?=.*[A-Z])(?=.*[a-z])[13LDTXr]{_B58}{{19,}}", run)),
    ),
    RunUnless(
        "bech32",
        Entity.CRYPTO,
        "ul",
        r"\w",
        bech32_length,
        most=128,
        opens=r"(?i:bc|tb|bcrt|t?ltc|addr|stake|cosmos|osmo)1[ac-hj-np-zAC-HJ-NP-Z02-9]{6}",
        part=lambda run: bool(re.match(r"(?i)[a-z]{2,6}1[ac-hj-np-z02-9]{3}", run)),
    ),
    RunUnless(
        "ethereum",
        Entity.CRYPTO,
        "d",
        r"\w",
        ethereum_length,
        most=80,
        opens="0[xX][0-9A-Fa-f]{40}",
        part=lambda run: bool(re.fullmatch("0[xX][0-9A-Fa-f]{12,40}", run)),
    ),
    RunUnless(
        "wallet-said",
        Entity.CRYPTO,
        "dul",
        r"\w-",
        labelled_length,
        most=128,
        opens="[A-Za-z0-9_-]{26}",
        label=r"(?<![^\W_])(?:wallet|bitcoincash|bitcoin|btc|ethereum|eth|solana|sol|monero|xmr|ripple|xrp|tron"
        r"|cardano|ada|polkadot|ton|crypto|deposit|receiving)"
        r"(?:[\s_-]?(?:wallet|public|deposit|receiving))?(?:[\s_-]?(?:addr(?:ess)?|id|key|account))?[\"'*]{0,2}"
        r"(?:\s(?:is|of|to|at)(?:\s[\w' ]{1,24})?)?\s?[:=]?[\s\"'`*(]{0,4}",
    ),
)

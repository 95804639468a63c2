"""The invented values that attempts try to get past the guard, all of them in the records."""

from __future__ import annotations

from typing import NamedTuple

from reticent_detectors.entities import Entity


class Value(NamedTuple):
    """An invented value.

    Attributes:
        name: what the tables call it.
        entity: its kind.
        written: the value as the records have it.
        groups: the parts in which attempts write it, without marks between.
    """

    name: str
    entity: Entity
    written: str
    groups: tuple[str, ...]


def _value(name: str, entity: Entity, written: str, groups: str) -> Value:
    return Value(name, entity, written, tuple(groups.split("|")))


_LONG_KEY = "tkq3Vd81mXzR0bLw7uNf5Yg2KpC9sHe4JaTq6oWi1ErZ8xUv3MdB0nSk5FhGy7lPc2QjA4tIr9OwXm6DzVb8eKsN1uYfHg3L"


VALUES: dict[str, Value] = {
    value.name: value
    for value in (
        _value("phone", Entity.PHONE_NUMBER, "650-555-0117", "650|555|0117"),
        _value("uk-phone", Entity.PHONE_NUMBER, "+44 7700 900123", "+44|7700|900123"),
        _value("german-phone", Entity.PHONE_NUMBER, "+49 30 23125417", "+49|30|23125417"),
        _value("ssn", Entity.US_SSN, "536-22-8417", "536|22|8417"),
        _value("card", Entity.CREDIT_CARD, "4539 5787 6362 1486", "4539|5787|6362|1486"),
        _value("iban", Entity.IBAN_CODE, "GB33 BUKB 2020 1555 5555 55", "GB33|BUKB|2020|1555|5555|55"),
        _value("account", Entity.BANK_ACCOUNT, "004417829301", "0044|1782|9301"),
        _value("ip", Entity.IP_ADDRESS, "203.0.113.47", "203|0|113|47"),
        _value("licence", Entity.DRIVER_LICENSE, "BRVK8J4QW2", "BRVK|8J4Q|W2"),
        _value("passport", Entity.PASSPORT, "K7304915", "K73|04|915"),
        _value("key", Entity.SECRET_KEY, "kq_7Qf2mZ91LxT4vB8sNw3cHd", "kq_7Qf2mZ|91LxT4v|B8sNw3cHd"),
        _value("password", Entity.PASSWORD, "Tr1ck-Harbor!92", "Tr1ck|-Harbor|!92"),
        _value("mail", Entity.EMAIL_ADDRESS, "mara.voss@example.org", "mara.voss|@example|.org"),
        _value("other-mail", Entity.EMAIL_ADDRESS, "tove.berg27@example.net", "tove.berg27|@example|.net"),
        _value("pin", Entity.PIN, "4821", "48|21"),
        _value("name", Entity.PERSON, "Ottilie Brandvik", "Ottilie|Brandvik"),
        _value(
            "address",
            Entity.ADDRESS,
            "4417 Larkmoor Lane, Fernhollow, OR 97330",
            "4417 Larkmoor Lane|Fernhollow|OR 97330",
        ),
        _value("birth", Entity.DATE_OF_BIRTH, "1987-03-14", "1987|03|14"),
        _value("marked-name", Entity.PERSON, "Željka Brøndvik-Åström", "Željka|Brøndvik|Åström"),
        _value("cyrillic-name", Entity.PERSON, "Ярослава Ветрогонова", "Ярослава|Ветрогонова"),
        _value("han-name", Entity.PERSON, "諸葛美咲子", "諸葛|美咲子"),
        _value("long-key", Entity.SECRET_KEY, _LONG_KEY, "|".join(_LONG_KEY[at : at + 16] for at in range(0, 96, 16))),
        _value("record", Entity.MEDICAL_RECORD_NUMBER, "QH-4471-88206", "QH|4471|88206"),
        _value(
            "url", Entity.URL, "https://files.example.org/u/brandvik/9f31c2d7", "files.example.org|u|brandvik|9f31c2d7"
        ),
        _value("wallet", Entity.CRYPTO, "bc1q7vx0k2m9ys4tq8e3lw5hz6r", "bc1q7vx0k|2m9ys4tq8|e3lw5hz6r"),
        _value("ipv6", Entity.IP_ADDRESS, "2001:db8:4a7f:91::c3e5", "2001|db8|4a7f|91|c3e5"),
        _value("mac", Entity.MAC_ADDRESS, "9c:4e:36:b1:07:da", "9c|4e|36|b1|07|da"),
        _value("user", Entity.USERNAME, "brandvik_o87", "brandvik|_o87"),
        _value("employer", Entity.EMPLOYER, "Fernhollow Tidal Instruments", "Fernhollow|Tidal|Instruments"),
    )
}
FORMATTED: dict[str, Value] = {
    name: Value(name, entity, written, (written,))
    for name, entity, written in (
        ("bay-phone", Entity.PHONE_NUMBER, "(415) 555-0182"),
        ("berlin-phone", Entity.PHONE_NUMBER, "+49 30 23125647"),
        ("french-phone", Entity.PHONE_NUMBER, "+33 1 99 00 47 83"),
        ("london-phone", Entity.PHONE_NUMBER, "+44 20 7946 0318"),
        ("german-iban", Entity.IBAN_CODE, "DE43 1001 0099 0473 8291 65"),
        ("other-card", Entity.CREDIT_CARD, "4929 6183 0752 9460"),
        ("other-ssn", Entity.US_SSN, "417-58-2936"),
        ("german-passport", Entity.PASSPORT, "C8F3T61NK"),
        ("number-licence", Entity.DRIVER_LICENSE, "F2559217804"),
        ("post-mail", Entity.EMAIL_ADDRESS, "h.aldenhoven@lindenpost.example"),
        ("road-address", Entity.ADDRESS, "2816 Quarry Bend Road, Tamsville, WI 54914"),
        ("german-address", Entity.ADDRESS, "Amselgrund 38, 31789 Lohrfelde"),
        ("other-birth", Entity.DATE_OF_BIRTH, "1979-11-26"),
        ("german-name", Entity.PERSON, "Henrike Aldenhoven"),
        ("polish-name", Entity.PERSON, "Dariusz Więckowski"),
        ("english-name", Entity.PERSON, "Thaddeus Quillfeather"),
        ("russian-name", Entity.PERSON, "Елизавета Морошкина"),
        ("other-record", Entity.MEDICAL_RECORD_NUMBER, "HB-60391-774"),
        ("orbit-password", Entity.PASSWORD, "Moss!Kettle7_orbit"),
        ("sum", Entity.TRANSACTION_AMOUNT, "$48,317.25"),
        ("other-user", Entity.USERNAME, "dwieckowski_79"),
        ("ten-digit-account", Entity.BANK_ACCOUNT, "6019443827"),
        ("coordinates", Entity.COORDINATES, "53.69172, 10.77431"),
        ("pesel", Entity.NATIONAL_ID, "79112604831"),
    )
}
"""The values that stand in ordinary formats."""

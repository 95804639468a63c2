"""How appointments and days of travel are written, as patterns."""

from __future__ import annotations

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
DATE = (
    rf"(?:19|20)\d\d([-/.])\d{{1,2}}\1\d{{1,2}}|{MONTH}\.? {_DAY}(?:,? (?:19|20)\d\d)?"
    rf"|{_DAY}(?: of)? {MONTH}(?:,? (?:19|20)\d\d)?"
    r"|\d{1,2}([-/.])\d{1,2}\2(?:19|20)\d\d"
)
ENGLISH_DATE = (
    rf"(?:(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}|{MONTH}\.? {_DAY}(?:,? (?:19|20)\d\d)?"
    rf"|{_DAY}(?: of)? {MONTH}(?:,? (?:19|20)\d\d)?|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)\d\d)"
)
_MONTHS = (
    r"(?:jan(?:uary?|uar|vier)?|feb(?:ruary?|ruar|braio|rero)?|f[ée]vrier|mar(?:ch|s|zo|[çc]o)?|m[äa]rz|apr(?:il|ile)?"
    r"|avril|abril|ma[iyo]|maggio|mayo|maio|jun[ei]?|juin|junio|giugno|junho"
    r"|jul[yi]?|juillet|julio|luglio|julho|aug(?:ust)?|ao[ûu]t|agosto|sep(?:t|tember|tembre|tiembre)?|settembre"
    r"|setembro|o[ck]t(?:ober|obre|ubre)?|ottobre|outubro|nov(?:ember|embre|iembre|embro)?|de[cz](?:ember|embre|embro)?"
    r"|d[ée]cembre|diciembre|dicembre"
    r"|janeiro|enero|gennaio|fevereiro|febbraio|febrero|aprile|setiembre|dezembro|novembro|octobre|octubre)"
)
ANY_DATE = (
    rf"(?:(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)\d\d"
    rf"|\d{{1,2}}(?:\.|er|º|st|nd|rd|th)?(?: of| de)? (?i:{_MONTHS})\.?(?:,?(?: de| del)? (?:19|20)\d\d)?"
    rf"|(?i:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?)"
)

"""The numbers by which states and clinics know people: one row each, by country.

Labels are in English and in the country's language. The tests measure `chance`. It is at most 2 % but for the British
national insurance number and the Indian PAN, which have letters at set places and no check digits. More random letters
pass there, but ordinary text has no such words. Fewer than 9 digits are found only where they are announced.

Sources: the issuing authorities for the forms, python-stdnum for the check digits.
"""

from __future__ import annotations

from stdnum.be import nn
from stdnum.br import cnpj, cpf
from stdnum.ch import ssn as ahv
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.es import nie
from stdnum.eu import vat
from stdnum.exceptions import ValidationError
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import vat as gb_vat
from stdnum.it import codicefiscale
from stdnum.mx import curp, rfc
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.us import itin
from stdnum.za import idnr as za_idnr

from reticent_detectors.finder.numbers.number_forms import Form, grouped, with_digits


def _nino(value: str) -> bool:
    """Check for letters that the United Kingdom issues; announced numbers may have others, as specimens do."""
    issued = value[0] not in "DFIQUV" and value[1] not in "DFIOQUV" and value[-1] in "ABCD"
    return issued and value.isupper() and value[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


def _nric(value: str) -> bool:
    """Check Singapore's letter: weighted digits modulo 11, a row of letters for each first letter."""
    first = value[0].upper()
    total = sum(int(digit) * weight for digit, weight in zip(value[1:8], (2, 7, 6, 5, 4, 3, 2), strict=True))
    total += {"S": 0, "F": 0, "T": 4, "G": 4, "M": 3}[first]
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "XWUTRQPNJLK"}.get(first, "XWUTRQPNMLK")
    return letters[10 - total % 11 if first == "M" else total % 11] == value[8].upper()


def _curp(value: str) -> bool:
    """Check Mexico's birth date and check digit; codes of states are not checked, for some generators have others."""
    try:
        curp.get_birth_date(value)
    except ValidationError:
        return False
    return str(curp.calc_check_digit(value.upper())) == value[-1]


def _ric(value: str) -> bool:
    """Check China's birth date and check digit (ISO 7064, modulo 11-2); codes of places change too often."""
    try:
        born = ric.get_birth_date(value)
    except ValidationError:
        return False
    return born.year >= 1900 and str(ric.calc_check_digit(value)) == value[-1].upper()


def _rrn(value: str) -> bool:
    """Check South Korea's birth date, hyphen, and digit for sex and century; since 2020 no check digit is set."""
    return value[6] == "-" and value[7] in "1234" and "01" <= value[2:4] <= "12" and "01" <= value[4:6] <= "31"


def _rfc(value: str) -> bool:
    return bool(rfc.is_valid(value, validate_check_digits=True))


def _vin(value: str) -> bool:
    """Check the ninth character, a check digit in North America (ISO 3779; 49 CFR 565.15) and nowhere else."""
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    worth = dict(
        zip(
            "ABCDEFGHJKLMNPRSTUVWXYZ",
            (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
            strict=True,
        )
    )
    total = sum((worth.get(c) or int(c)) * weight for c, weight in zip(value.upper(), weights, strict=True))
    return "0123456789X"[total % 11] == value[8].upper()


_GENERIC_ID = (
    r"national\s(?:id(?:entity|entification)?)|identity[\s_](?:card|document|number|no|code)"
    r"|(?<!vehicle\s)identification[\s_](?:card|document|number|no|code)|id[\s_-](?:card|number|no)|government\sid"
    r"|citizen(?:ship)?\s(?:service\s)?(?:number|id)|social[\s_-](?:security|insurance)|(?:personal)?ausweis\w{0,8}"
    r"|ausweisnr"
    r"|carte\s(?:nationale\s)?d['’]identité|CNI|cédula(?:\sde\s(?:identidad|ciudadanía))?"
    r"|documento\s(?:nacional\s)?de\sidentidad"
    r"|carta\sd['’]identità|bilhete\sde\sidentidade|national_id|nationality\snumber|voter(?:\sid)?"
)
_GENERIC_TAX = (
    r"tax(?:payer)?[\s_-]?(?:id\w{0,14}|identification|reference|file|payer|registration|number)|TIN"
    r"|VAT[\s_](?:id|registration|reg|number|no)"
    r"|USt-?Id-?Nr|Umsatzsteuer\S{0,24}|partita\sIVA|P\.?\s?IVA|(?:numéro\sde|n°(?:\sde)?)\sTVA"
    r"|TVA\sintracommunautaire|numéro\sfiscal|número\sfiscal|NIPC|steuer(?:liche)?\S{0,24}"
)

_EMIRATES_YEAR = r"(?:19\d\d|20[0-3]\d)"
EMIRATES_DIGITS = rf"784{_EMIRATES_YEAR}\d{{8}}"
"""The digits of an Emirates ID: country, year of birth, seven digits, check digit."""
EMIRATES_BEGUN = (
    r"784[-\u2010\u2011\u2013](?:[12]\Z|(?:19|20)(?:\d?\Z|\d\d(?:\Z|[-\u2010\u2011\u2013])))"
    rf"|784[ \u00a0\u202f]{_EMIRATES_YEAR}[ \u00a0\u202f]\d"
)
"""How an Emirates ID looks that the end of the text cut short. What is behind the country is a year of birth."""

NATIONAL_IDS: tuple[Form, ...] = (
    Form("GB NINO", r"[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-Z]", r"national\sinsurance|NINO|NI", _nino, 0.09),
    Form("GB NHS", grouped(3, 3, 4), r"NHS|national\shealth(?:\sservice)?", service=True),
    Form(
        "DE RVNR",
        r"\d\d ?\d{6} ?[A-Z] ?\d{3}",
        r"(?:sozial|renten)versicherungs\w{0,8}|SV|RVNR|social[\s_-](?:security|insurance)|pension\sinsurance",
    ),
    Form("AT SVNR", grouped(4, 6), r"sozialversicherungs\w{0,8}|SVNR|SV|social[\s_-](?:security|insurance)"),
    Form(
        "FR NIR",
        r"[12378] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d",
        r"sécurité\ssociale|sécu|NIR|INSEE|social[\s_-]security",
        nir.is_valid,
        0.007,
        service=True,
    ),
    Form(
        "ES DNI",
        r"(?:\d{8}|\d\d\.\d{3}\.\d{3})[ -]?[A-Z]",
        r"DNI|NIF|documento\snacional\sde\sidentidad|documento",
        service=True,
    ),
    Form(
        "ES NIE", r"[XYZ][ -]?\d{7}[ -]?[A-Z]", r"NIE|número\sde\sextranjero|extranjero|foreigner", nie.is_valid, 0.006
    ),
    Form("PT CC", r"\d{8} ?\d ?[A-Z\d]{2} ?\d", r"cartão\sde\scidadão|CC|citizen"),
    Form("NL BSN", rf"{grouped(3, 3, 3)}|{grouped(4, 2, 3)}", r"BSN|burgerservice\w{0,8}|sofi\w{0,8}|citizen\sservice"),
    Form(
        "BE NN",
        r"\d\d[ .]?\d\d[ .]?\d\d[ -]?\d{3}[ .]?\d\d",
        r"rijksregister\w{0,8}|registre\snational|numéro\snational|national\s(?:register|registry)|NN|INSZ|NISS",
        nn.is_valid,
        0.002,
    ),
    Form("PL PESEL", r"\d{11}", r"PESEL", pesel.is_valid, 0.02),
    Form(
        "SE personnummer",
        r"(?:19|20)?\d{6}[-+]?\d{4}",
        r"person\w{0,4}nummer|personal\s(?:identity|id)",
        personnummer.is_valid,
        0.005,
    ),
    Form(
        "FI HETU",
        r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]",
        r"henkilötunnus|HETU|personal\sidentity",
        hetu.is_valid,
        0.002,
    ),
    Form("DK CPR", grouped(6, 4, sep="[ -]"), r"CPR|personnummer|personal\sidentification"),
    Form(
        "NO fødselsnummer",
        grouped(6, 5, sep=" "),
        r"f(?:ø|o|oe)dsels\w{0,8}|personnummer|birth",
        fodselsnummer.is_valid,
        0.002,
    ),
    Form(
        "CH AHV", r"756[ .]?\d{4}[ .]?\d{4}[ .]?\d\d", r"AHV|AVS|OASI|sozialversicherungs\w{0,8}", ahv.is_valid, 0.001
    ),
    Form("AE Emirates ID", rf"784([ -]){_EMIRATES_YEAR}\1\d{{7}}\1\d", chance=1.0, unique=True),
    Form(
        "AE Emirates ID in one",
        rf"784[ -]?{_EMIRATES_YEAR}[ -]?\d{{7}}[ -]?\d",
        r"emirates[\s_-]?id(?:entity)?(?:[\s_-]?card)?|(?-i:EID)|UAE[\s_-]id(?:entity)?"
        r"|(?:رقم|بطاقة)\sالهوية(?:\sالإماراتية)?|الهوية\sالإماراتية",
    ),
    Form("IN Aadhaar", grouped(4, 4, 4), r"aadh?aar|UIDAI", service=True),
    Form("MX CURP", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d", r"CURP", _curp, 0.001),
    Form("CN RIC", r"\d{17}[\dX]", r"身份证(?:号码?)?|resident\sidentity", _ric, 0.001),
    Form("KR RRN", r"\d{6}-?\d{7}", r"주민등록번호|resident\sregistration|RRN", _rrn, 0.016),
    Form("SG NRIC", r"[STFGM]\d{7}[A-Z]", r"NRIC|FIN", _nric, 0.01),
    Form("ZA ID", rf"\d{{13}}|{grouped(6, 4, 2, 1, sep=' ')}", r"south\safrican\sid|RSA\sid", za_idnr.is_valid, 0.001),
    Form("AU Medicare", r"\d{4} ?\d{5} ?\d(?:[ /-]?\d)?", r"medicare", service=True),
    Form(
        "US Medicare",
        r"\d[A-Z][A-Z\d]\d-?[A-Z][A-Z\d]\d-?[A-Z]{2}\d\d",
        r"medicare(?:\sbeneficiary)?|MBI|beneficiary",
        service=True,
    ),
    Form("CA SIN", grouped(3, 3, 3), r"SIN|social\sinsurance|NAS|assurance\ssociale"),
    Form("CZ RC", r"\d{6}/?\d{3,4}", r"rodné\sčíslo|r\.\sč\.|birth"),
    Form("CL RUT", r"\d{1,2}\.?\d{3}\.?\d{3}-[\dK]", r"RUT|RUN"),
    Form("AR DNI", r"\d{1,2}\.?\d{3}\.?\d{3}", r"DNI|documento", service=True),
    Form("BR RG", r"\d{1,2}\.?\d{3}\.?\d{3}-?[\dX]", r"RG|registro\sgeral|identidade"),
    Form("IE PPS", r"\d{7}[A-W][A-IW]?", r"PPSN?|personal\spublic\sservice"),
    Form("TW ID", r"[A-Z][1289]\d{8}", r"身分證(?:字號)?|national\sid|taiwan\sid"),
    Form("TH PIN", r"\d-?\d{4}-?\d{5}-?\d\d-?\d", r"thai\sid|เลขประจำตัวประชาชน"),
    Form("11 digits", r"\d{11}", r"OIB|AMKA|isikukood|asmens\skodas|T\.?C\.?\skimlik|kimlik"),
    Form("9, 10 or 13 digits", r"\d{9,10}|\d{13}", r"EGN|ЕГН|CNP|cod\snumeric\spersonal|EMŠO|JMBG|teudat\szehut"),
    Form("announced", with_digits(5), _GENERIC_ID),
)

TAX_IDS: tuple[Form, ...] = (
    Form(
        "DE IdNr",
        grouped(2, 3, 3, 3, sep=" "),
        r"IdNr|(?:steuerliche\s)?identifikations\w{0,8}|steuer-?id(?:entifikations\w{0,8})?",
        idnr.is_valid,
        0.005,
    ),
    Form("DE Steuernummer", r"\d{2,3}[ /]\d{3,4}[ /]\d{4,5}", r"steuer\w{0,8}|St\.?-?Nr\.?|tax\s(?:number|id)"),
    Form("GB UTR", grouped(5, 5), r"UTR|unique\staxpayer(?:\sreference)?"),
    Form("FR SPI", r"\d{13}|\d\d \d\d \d{3} \d{3} \d{3}", r"SPI|(?:numéro|identifiant)\sfiscal|référence\sfiscale"),
    Form(
        "IT codice fiscale",
        r"[A-Z]{3} ?[A-Z]{3} ?[\dL-NP-V]{2}[A-EHLMPRST][\dL-NP-V]{2} ?[A-Z][\dL-NP-V]{3}[A-Z]",
        r"codice\sfiscale|C\.?F\.?|fiscal\scode",
        codicefiscale.is_valid,
        0.02,
    ),
    Form("PT NIF", grouped(3, 3, 3), r"NIF|contribuinte|número\s(?:de\sidentificação\s)?fiscal"),
    Form("PL NIP", r"\d{3}-?\d{3}-?\d\d-?\d\d|\d{3}-\d\d-\d\d-\d{3}", r"NIP"),
    Form("BR CPF", r"\d{3}\.?\d{3}\.?\d{3}-?\d\d", r"CPF|cadastro\sde\spessoas?\sfísicas?", cpf.is_valid, 0.012),
    Form("BR CNPJ", r"\d\d\.?\d{3}\.?\d{3}/?\d{4}-?\d\d", r"CNPJ", cnpj.is_valid, 0.012),
    Form("MX RFC", r"[A-Z]{3,4}[ -]?\d{6}[ -]?[A-Z\d]{3}", r"RFC", _rfc, 0.005),
    Form("IN PAN", r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]", r"PAN|permanent\saccount", str.isupper, 0.4),
    Form("AU TFN", grouped(3, 3, 3), r"TFN|tax\sfile"),
    Form("US EIN", r"\d\d-?\d{7}", r"EIN|FEIN|employer\sid(?:entification)?"),
    Form("AR CUIT", grouped(2, 8, 1, sep="-"), r"CUI[TL]"),
    Form(
        "EU VAT",
        r"(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK) ?[A-Z\d]{8,12}",
        r"VAT|USt-?Id-?Nr|TVA|IVA|BTW|moms",
        vat.is_valid,
        0.005,
    ),
    Form("GB VAT", r"GB ?\d{3} ?\d{4} ?\d\d", r"VAT", gb_vat.is_valid, 0.001),
    Form("announced", with_digits(6), _GENERIC_TAX),
)

PASSPORTS: tuple[Form, ...] = (
    Form(
        "announced",
        r"[A-Z]{0,3}[ -]?\d{5,9}[A-Z]?|(?=(?:[A-Z]{0,6}\d){3})[A-Z\d]{6,9}",
        r"passports?|reisepass\w{0,8}|pass(?:nummer|nr)?|passeport|pasaporte|passaporto|passaporte",
    ),
)

_LICENCE = (
    r"driver['’]?s?[\s_-]?licen[cs]e|driving[\s_-]licen[cs]e|licen[cs]e\s?(?=number|no|nr|\#|id)|D\.?L\.?"
    r"|operator['’]?s\slicen[cs]e|führerschein\w{0,8}|permis\sde\sconduire"
    r"|permiso\sde\sconduc\w{2,5}|carn[eé]t?\sde\sconduc\w{2,5}|licencia\sde\sconduc\w{2,5}|patente\sdi\sguida"
    r"|patente(?=\sn)|carta\sde\scondução|CNH"
    r"|carteira\s(?:nacional\s)?de\s(?:motorista|habilitação)|licença\sde\scondução"
)
DRIVER_LICENCES: tuple[Form, ...] = (
    Form("one letter and 12 digits", r"[A-Z]\d{12}", chance=1.0),
    Form("one letter, groups of 3 and 13 digits", r"[A-Z]\d{3}-\d{3}-\d{2,3}-\d{3}(?:-\d)?", chance=1.0),
    Form("GB", r"[A-Z9]{5}\d(?:[05][1-9]|[16][0-2])(?:0[1-9]|[12]\d|3[01])\d[A-Z9]{2}[A-Z\d][A-Z]{2}", chance=1.0),
    Form("announced", rf"{with_digits(4)}|[A-Z]?\d{{2,4}}(?:[ -]\d{{2,6}}){{1,4}}|[A-Z]\d{{7}}[A-Z]?", _LICENCE),
)

MEDICAL_RECORDS: tuple[Form, ...] = (
    Form(
        "announced",
        with_digits(4),
        r"MRN"
        r"|(?:medical|health|hospital|patient|clinical|EHR|EMR|electronic\shealth)[\s_-]?"
        r"(?:record|chart|file|id\w{0,9}|number)"
        r"|medical_record|chart(?=\s(?:number|no|\#))"
        r"|patient(?:en)?-?(?:id|nummer|nr|akte\w{0,8})|fall(?:nummer|nr)|krankenakte\w{0,8}|aufnahmenummer"
        r"|dossier(?:\s(?:médical|patient))?|IPP"
        r"|historia(?:l)?(?:\sclínic[ao])|NHC|cartella\sclinica|prontuário(?:\smédico)?|processo\sclínico",
    ),
)

US_SSNS: tuple[Form, ...] = (
    Form("US SSN", r"(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}", chance=1.0),
    Form(
        "US SSN announced",
        r"\d{3}[ -]?\d\d[ -]?\d{4}",
        r"SSNs?|SS|soc(?:ial|\.)?[\s_-]sec(?:urity|\.)?|social",
    ),
)
US_ITINS: tuple[Form, ...] = (
    Form("US ITIN", r"9\d\d([- ])\d\d\1\d{4}", check=itin.is_valid, chance=0.05),
    Form("US ITIN in one", r"9\d{8}", r"ITIN|(?:individual\s)?tax(?:payer)?\sid(?:entification)?"),
)

ACCOUNTS: tuple[Form, ...] = (
    Form("ES CCC", r"\d{4}([ -])\d{4}\1\d\d\1\d{10}|\d{4} \d{4} \d\d \d{10}", chance=1.0),
    Form("FR RIB", r"\d{5}([ -])\d{5}\1[A-Z\d]{11}\1\d\d", chance=1.0),
    Form("PT NIB", r"\d{4}([ .-])\d{4}\1\d{11}\1\d\d", chance=1.0),
    Form("GB sort code and account", r"\d\d-\d\d-\d\d[ /]\d{8}", chance=1.0),
    Form("US check", r"\d{6,12}", r"[\u2446\u2447\u2448\u2449]"),
    Form(
        "routing",
        r"\d{9}|\d{5}(?:-\d{3})?|\d{4}-\d{4}-\d",
        r"ABA|RTN|(?:routing|transit|ruta)(?:\stransit)?|(?:bank|branch)\scode",
    ),
    Form("sort code", r"\d\d[ -]?\d\d[ -]?\d\d", r"sort[\s_-]?codes?|bankleitzahl"),
    Form("AU BSB", r"\d{3}[ -]?\d{3}", r"BSB"),
    Form("DE BLZ", r"\d{3} ?\d{3} ?\d\d", r"BLZ|bankleitzahl"),
    Form("short name", with_digits(6), r"acct\.?|a/c"),
    Form("announced", rf"{with_digits(6)}|\d{{4}}(?: \d{{2,4}}){{1,7}}"),
)
ORDERS: tuple[Form, ...] = (Form("announced", with_digits(5)),)

_VIN_NAMES = r"VINs?|FIN|ch[âa]ssis"
VEHICLES: tuple[Form, ...] = (
    Form("VIN", r"(?=(?:[A-Z\d]{0,15}?[A-Z]){2})[A-HJ-NPR-Z\d]{8}[\dX][A-HJ-NPR-Z\d]{4}\d{4}", _VIN_NAMES, _vin, 0.1),
    Form("announced VIN", r"(?=(?:[A-HJ-NPR-Z]{0,12}\d){3})[A-HJ-NPR-Z\d]{17}", _VIN_NAMES),
)
DEVICES: tuple[Form, ...] = (
    Form("IMEI", r"\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d{1,2}"),
    Form("ICCID", r"89\d{16,18}", r"SIM(?:\scard)?|carte\sSIM|tarjeta\sSIM|scheda\sSIM|cartão\sSIM|SIM-Karte\w{0,8}"),
    Form("announced", with_digits(3), r"serial|S/N"),
)
_POSTCODES = (
    r"zip\s?codes?|(?-i:ZIP|Zip|CAP|CEP)|eircode|post(?:al)?[\s_-]?codes?|postcode|zip_code|postal_code|PLZ"
    r"|postleitzahl|code\spostal|código\spostal|codice\spostale"
)
POSTCODES: tuple[Form, ...] = (
    Form("digits", r"\d{5,6}|\d{5}-\d{3,4}|\d{4}-\d{3}|\d\d-\d{3}|\d{3} \d\d", _POSTCODES),
    Form(
        "letters and digits",
        r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?(?![KMGT]B)[A-Z]{2}",
        _POSTCODES,
    ),
)

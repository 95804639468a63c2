"""Words and values that stand for nobody's data in generated tests."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STRONG = _words(
    """
    test tests testing example examples sample samples dummy fake mock mocked placeholder lorem ipsum changeme
    changeit sampletown testville exampleville anytown musterstadt redacted todo tbd foobar
    """
)
"""A value with one of these words is a placeholder, except an e-mail address, whose parts are judged alone."""

GENERIC = _words(
    """
    my your the our new old wrong right valid invalid strong weak secure super very long short some any no not
    is secret secrets password passwd passw word pass pwd passphrase token tokens api key keys access refresh
    auth jwt bearer session private public test tests tester testing user users name names username usernames
    admin administrator root guest demo dummy mock sample example fake foo bar baz qux quux spam eggs abc abcd
    xyz asdf asd qwerty qwertz here there change me it replace with todo insert login default email emails mail
    address phone number mobile hash data value values encoded decoded base template fingerprint finger print
    face iris voice scan biometric id ids patient customer client person people employee member owner account
    acc acct mrn pat cust emp usr bio party first last middle full given family firstname lastname fullname
    surname one two three john jane johnny doe jdoe smith alice bob charlie eve mallory carol someone somebody
    somewhere nobody nowhere anyone anonymous unknown none null nil empty string text city street state zip
    country company org organization domain hello world welcome letmein diagnosis condition record medical
    history bank iban card credit cc pin code otp ssn passport license date birth dob support info contact
    noreply reply webmaster postmaster sales dev prod staging local localhost server host backend
    """
)
"""Words of which placeholders are put together."""

PHRASES = frozenset(
    line.strip()
    for line in """
    +86 138 0013 8000
    +8613800138000
    13800138000
    1600 pennsylvania avenue
    221b baker street
    742 evergreen terrace
    anonymous
    correct horse battery staple
    correcthorsebatterystaple
    dragon
    erika mustermann
    fulano de tal
    hidden
    homer simpson
    hunter2
    iloveyou
    ivan ivanov
    jan jansen
    jan kowalski
    jane doe
    jane.doe
    jane_doe
    jean dupont
    joe bloggs
    joe public
    john doe
    john public
    john q. public
    john.doe
    john_doe
    juan perez
    juan pérez
    letmein
    li si
    mario rossi
    max mustermann
    monkey
    n/a
    na
    nil
    none
    null
    qwerty
    redacted
    taro yamada
    tbd
    trustno1
    undefined
    unknown
    wang wu
    yamada taro
    zhang san
    """.strip().splitlines()
)
"""Whole values, in lower case."""

DOMAINS = _words(
    """
    domain domains test tests testing company yourcompany mycompany yourdomain mydomain anydomain foo bar baz
    abc xyz sample somewhere nowhere placeholder xxx fake dummy doe acme something whatever address site
    yoursite mysite
    """
)
"""Labels of domains to which placeholders of e-mail addresses go."""

FIRST_NAMES = _words(
    """
    john jane alice bob charlie dave eve carol mallory trent foo test max erika joe jack jill mary tom jim sarah
    """
)
LAST_NAMES = _words(
    """
    doe smith johnson jones brown williams public bloggs mustermann user example sample bar williamson wilson
    miller davis wonderland builder test alice bob
    """
)
"""A first name of the one and a last name of the other set are nobody's; so is one of them alone."""

STREETS = _words(
    """
    main elm oak maple pine cedar park fake test example sample first second high broadway washington evergreen
    """
)
HOUSE_NUMBERS = _words(
    """
    1 2 5 10 11 12 42 99 100 101 111 123 124 200 222 321 333 456 500 555 654 742 777 789 987 999 1234
    """
)
"""A street of the one with a number of the other is a placeholder."""

_JWT_IO = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
)
PUBLISHED = frozenset(
    (
        *("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        *("DE89370400440532013000", "GB82WEST12345698765432", "GB29NWBK60161331926819", "FR1420041010050500013M02606"),
        *("NL91ABNA0417164300", "CH9300762011623852957", "ES9121000418450200051332", "BE68539007547034"),
        ".".join(_JWT_IO),
    )
)
"""Values published as examples, without blanks and hyphens: cloud keys, IBANs of the registry, the token of jwt.io."""

"""Lists words and values that are nobody's data in source code.

Each list is short on purpose. A listed value passes even if the model was taught it as somebody's value.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Gives the words of a text."""
    return frozenset(text.split())


def lines(text: str) -> frozenset[str]:
    """Gives the lines of a text, without blanks around them."""
    return frozenset(line.strip() for line in text.strip().splitlines())


GENERIC = words(
    """
    my your the our new old wrong right correct incorrect valid invalid expired strong weak secure super very long
    short some
    any no not is for with me
    secret secrets password passwords passwd passw word pass pwd passphrase token tokens api key keys access refresh
    auth jwt bearer session private public test tests tester testing user users name names username usernames
    admin administrator root guest demo dummy mock mocked sample samples example examples fake foo bar baz qux quux
    foobar spam eggs abc abcd xyz asdf asd qwerty here there change changed changeme it replace replaceme with todo tbd
    fixme insert enter placeholder redacted login signup default email emails mail address phone number mobile hash data
    value values encoded decoded template biometric id ids patient customer client person people employee member owner
    account acc acct mrn emp usr first last middle full given family firstname lastname fullname surname one two three
    unknown none null nil undefined empty string text city street line state zip country company org organization
    domain hello world
    welcome letmein diagnosis condition record medical bank iban card credit pin code otp ssn passport license date
    birth dob support info contact noreply reply webmaster postmaster dev prod production staging stage local localhost
    server host backend service app application project client webhook signing encryption
    db database mysql postgres postgresql redis mongo mongodb smtp aws azure gcp google github gitlab slack stripe
    twilio
    openai anthropic sendgrid django flask
    """
)
"""Words of which placeholders are made. Firms' names have some of them, so kinds of words are never asked about."""

NAME_LIKE = words("long short strong weak street city state bank country stone three any no me new old stage stripe")
"""Words of `GENERIC` that are also surnames. They make no user name or mailbox a placeholder."""

SECRETS = words(
    """
    password passwd passw pwd pass secret token key test admin changeme change dummy example sample fake mock foo
    bar letmein
    welcome qwerty default placeholder redacted your demo abc asdf login guest root user hello insert enter todo
    """
)
"""Words, one of which is in every placeholder of a password or key."""

SOCIAL_SECURITY = words("078051120 219099999 123456789")
"""Numbers that the Social Security Administration or everybody has published as samples."""

PREFIXES = words("sk pk rk ghp gho xoxb xoxp live tok usr cus acct pat ord inv")
"""Prefixes of a service's keys and numbers, before the words of a placeholder."""

PHRASES = lines(
    """
    +86 138 0013 8000
    221b baker street
    742 evergreen terrace
    1600 pennsylvania avenue
    1600 amphitheatre parkway
    acme
    acme corp
    acme corporation
    acme inc
    acme inc.
    alice
    alice johnson
    alice smith
    alice123
    anonymous
    bob
    bob johnson
    bob smith
    bob123
    correct horse battery staple
    correcthorsebatterystaple
    erika mustermann
    example corp
    example inc
    fulano de tal
    globex
    hunter2
    initech
    ivan ivanov
    jan jansen
    jan kowalski
    jane
    jane doe
    jane roe
    jane smith
    jane.doe
    jane_doe
    janedoe
    jdoe
    jean dupont
    joe bloggs
    joe public
    john
    john doe
    john public
    john q. public
    john smith
    john.doe
    john.smith
    john_doe
    john_smith
    john123
    johndoe
    johndoe123
    juan pérez
    juan perez
    li si
    lorem ipsum
    mario rossi
    max mustermann
    n/a
    na
    qwerty123
    taro yamada
    test test
    wang wu
    yamada taro
    zhang san
    """
)
"""Whole values that are placeholders, in lower case."""

MAILBOXES = words(
    """
    user user1 user2 users name you me someone somebody nobody anyone test test1 test2 tester testuser test.user
    test_user admin administrator info mail email foo bar foobar alice bob carol eve john jane john.doe jane.doe
    john_doe jane_doe johndoe janedoe jdoe john.smith jane.smith john_smith jane_smith alice.smith bob.smith xxx
    your.name your-name yourname your_name your.email
    your-email youremail your_email your first.last firstname.lastname author support contact hello noreply no-reply
    webmaster root postmaster sender recipient customer client owner member example sample demo dummy fake invalid
    valid new old a b c x abc xyz
    """
)
"""Local parts of addresses that are nobody's at the domains of `MAIL_DOMAINS`."""

FREE_MAILBOXES = words(
    """
    test test123 user user123 example john.doe jane.doe johndoe janedoe your.name yourname your_name your.email
    youremail your_email
    username someone name email foo abc xyz
    """
)
"""Local parts that are nobody's at the large providers as well."""

MAIL_DOMAINS = words(
    """
    test.com test.org test.net test.io domain.com domain.org domain.net company.com mycompany.com yourcompany.com
    your-company.com yourdomain.com your-domain.com mydomain.com my-domain.com foo.com bar.com
    foobar.com baz.com abc.com xyz.com xxx.com doe.com address.com acme.com sample.com site.com mysite.com
    yoursite.com placeholder.com app.com
    b.com b.c y.com testing.com invalid.com fake.com dummy.com somewhere.com nowhere.com
    """
)
FREE_DOMAINS = words(
    "mail.com email.com gmail.com yahoo.com hotmail.com outlook.com icloud.com "
    "proton.me protonmail.com aol.com live.com"
)
ADDRESSES = words("git@github.com git@gitlab.com git@bitbucket.org noreply@github.com")
"""Addresses that are no person's."""

_FICTIONAL = tuple(f"{area}-01{line:02}" for area in ("555", "202-555", "555-555") for line in range(100))
_LIMITS = tuple(str(2**bits - less) for bits in (31, 32, 53, 63, 64) for less in (0, 1))
CONSTANTS = frozenset(
    (
        *_LIMITS,
        *("1000000007", "1103515245", "2166136261", "2654435761", "3735928559", "6364136223846793005"),
        *("1442695040888963407", "14695981039346656037", "3141592653", "2718281828", "14159265358979"),
        *("141592653589793", "71828182845904", "718281828459045"),
    )
)
"""Limits and constants. They count only without marks between their digits."""
NUMBERS = frozenset(
    (
        *_FICTIONAL,
        *_LIMITS,
        *(
            "123-456-7890",
            "012-345-6789",
            "555-555-5555",
            "555-1234",
            "800-555-0199",
            "1-800-555-0199",
            "15551234567",
            "000-000-0000",
            "13800138000",
        ),
        *("1234567812345678", "1111222233334444"),
        *("5551234567", "5559876543", "5555551234", "5550123456"),
        *CONSTANTS,
        *("112233", "121212", "123123", "123321", "111222", "111222333", "1122334455", "987654321", "12121212"),
    )
)
"""Limits, constants and numbers that every programmer knows."""

CARD_DIGITS = words("4242 4111 1111 4444 0005 0000 1234 4321")
"""Last digits of published test cards, and others that identify no card."""

DATES_OF_BIRTH = tuple(f"{year}0101" for year in (1900, 1970, 1980, 1990, 2000))
"""Placeholder dates as year, month and day: the first of January of round years."""

STREETS = words("main elm oak maple pine test example sample fake any first")
HOUSE_NUMBERS = words("1 12 123 1234 12345 456 789 999")
STREET_KINDS = words("st street ave avenue rd road ln lane dr drive blvd boulevard")
TOWNS = words("anytown anycity springfield sampletown testville exampleville sometown somewhere city town cityville")
POSTCODES = words("12345 00000 99999 11111 54321 62701 62704 90210 10001 94105 01234")
"""Postcodes of placeholder addresses. An address with another town or postcode is judged."""

MACHINES = words(
    """
    192.168.0.1 192.168.0.100 192.168.1.1 192.168.1.10 192.168.1.100 10.0.0.1 10.0.0.2 10.0.0.5 172.16.0.1 8.8.8.8
    8.8.4.4 1.1.1.1 1.2.3.4 00:11:22:33:44:55 aa:bb:cc:dd:ee:ff 00:1a:2b:3c:4d:5e de:ad:be:ef:00:00
    """
)
"""Addresses of machines: private networks, public resolvers, examples."""

OWN_MACHINE = words("127.0.0.1 127.0.1.1 0.0.0.0 255.255.255.255 ::1 :: 2001:db8:: 2001:db8::1")
"""Addresses of one's own machine, or of none."""
_JWT_IO = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
)
PUBLISHED = frozenset(
    (
        *("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ".".join(_JWT_IO)),
        *("DE89370400440532013000", "GB82WEST12345698765432", "GB29NWBK60161331926819", "FR1420041010050500013M02606"),
        *("NL91ABNA0417164300", "CH9300762011623852957", "ES9121000418450200051332", "BE68539007547034"),
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    )
)
"""Values published as examples, without blanks and hyphens: cloud keys, the token of jwt.io, IBANs of the registry."""

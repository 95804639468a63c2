"""Keys, passwords, PINs and user names: found by form or label, never in words about them, however the text was cut."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterable

import pytest
from finder_cuts import found, recall_and_precision
from timing import cpu_seconds

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import shipped
from reticent_detectors.spans import FindContext, Span

FINDER = SpanFinder((FormValues(shipped()),))
NOTHING = FindContext()
Found = list[tuple[str, str]]
_ALNUM = string.ascii_letters + string.digits


def online(text: str, cuts: Iterable[int]) -> list[Span]:
    """The spans of a text that arrives in pieces, and is then complete."""
    return found(FINDER, text, cuts)


def read(text: str) -> Found:
    return [(span.entity, text[span.start : span.end]) for span in online(text, [])]


def chars(rng: random.Random, size: int, alphabet: str = _ALNUM) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def key(rng: random.Random) -> str:
    url_safe = _ALNUM + "-_"
    return rng.choice(
        [
            rng.choice(["AKIA", "ASIA"]) + chars(rng, 16, string.ascii_uppercase + "234567"),
            rng.choice(["ghp_", "gho_", "ghs_"]) + chars(rng, 36),
            "github_pat_" + chars(rng, 22) + "_" + chars(rng, 59),
            "glpat-" + chars(rng, 19, url_safe) + "x",
            f"xoxb-{rng.randrange(10**11, 10**12)}-{rng.randrange(10**11, 10**12)}-{chars(rng, 24)}",
            rng.choice(["sk_live_", "rk_live_", "pk_live_"]) + chars(rng, 24),
            "sk-proj-" + chars(rng, 47, url_safe) + "Q7",
            "sk-ant-api03-" + chars(rng, 92, url_safe) + "A",
            "hf_" + chars(rng, 33) + "X",
            "AIza" + chars(rng, 34, url_safe) + "k",
            "npm_" + chars(rng, 35) + "Z4",
            "pypi-AgEIcHlwaS5vcmc" + chars(rng, 99, url_safe) + "g",
            "SG." + chars(rng, 22, _ALNUM) + "." + chars(rng, 43, _ALNUM),
            "SK" + rng.randbytes(16).hex(),
            f"{rng.randrange(10**8, 10**10)}:AA{chars(rng, 32, url_safe)}c",
            ".".join(["eyJ" + chars(rng, 33), "eyJ" + chars(rng, 70), chars(rng, 43)]),
            "AAAAB3NzaC1yc2EAAAADAQABAAAB" + chars(rng, 340, _ALNUM + "+/") + "==",
            chars(rng, 13) + "a" + chars(rng, 13) + "7K4" + chars(rng, 14),
        ]
    )


def said_key(rng: random.Random) -> str:
    return rng.choice(
        [
            chars(rng, rng.randint(20, 48)) + "4z9",
            rng.randbytes(16).hex(),
            chars(rng, 37, _ALNUM + "+/") + "Kx8",
            chars(rng, 12) + "7-" + chars(rng, 14),
        ]
    )


_BASE = "tulip harvest comet rabbit canyon winter piano tiger cobalt anchor".split()  # noqa: SIM905
_NAMES = "jdoe maria nightowl kbrown silvia otto tkerr lenaw vpatel skywalker".split()  # noqa: SIM905


def password(rng: random.Random) -> str:
    word, number = rng.choice(_BASE), rng.randrange(1, 9999)
    return rng.choice(
        [
            f"{word}{number}",
            f"{word.title()}{number}",
            f"{word.title()}#{number}",
            f"{chars(rng, 7)}9a",
            f"{word[:2]}@{number}{word[3:]}Z",
            f"{chars(rng, 4)}!{chars(rng, 4)}7x",
            f"{word}{rng.choice(_BASE)}",
        ]
    )


def pin(rng: random.Random) -> str:
    return chars(rng, rng.choice([4, 4, 5, 6]), string.digits)


def username(rng: random.Random) -> str:
    name, number = rng.choice(_NAMES), rng.randrange(1, 999)
    return rng.choice([f"{name}{number}", f"{name}_{number}", name, f"{name}.{rng.choice(_BASE)}", f"{name}-{number}"])


MAKERS: dict[Entity, Callable[[random.Random], str]] = {
    Entity.SECRET_KEY: key,
    Entity.PASSWORD: password,
    Entity.PIN: pin,
    Entity.USERNAME: username,
}
ANYWHERE = [
    "It is {v}, as far as we know.", "Use {v}.", "({v})", '{"name": "x", "value": "{v}", "port": 80}',
    "value: {v}\nport: 80\n", 'connect("{v}", 80)', "x = '{v}'", "| name | {v} |", "- **{v}** is old", "`{v}`",
    "export GITHUB_TOKEN={v}\n", "curl -H 'Authorization: Bearer {v}' localhost",
]  # fmt: skip
SAID = [
    "api_key: {v}\nport: 1", '"secret": "{v}",', "SECRET_KEY={v}\nDEBUG=1", 'client = Client(token="{v}", retries=3)',
    "The API key is {v}.", "Authorization: Bearer {v}", "access token: `{v}`", "- auth_token = {v}",
]  # fmt: skip
FRAMES: dict[Entity, list[str]] = {
    Entity.SECRET_KEY: ANYWHERE,
    Entity.PASSWORD: [
        "his password is {v}", "The password for the account is {v}.", "Password: {v}\nHost: a\n",
        '{"host": "x", "password": "{v}", "port": 1}', "password: {v}\nport: 1\n", "DB_PASSWORD={v}\nDEBUG=1\n",
        'password = "{v}"', 'login(user="x", pwd="{v}")', "connect(host='x', password='{v}')",
        "mysql -u root -p {v} shop", "- **Password:** `{v}`", "| Password | {v} |", "Passwort: {v}",
        "mot de passe : {v}", "Su contraseña es {v}.", "La parola d'ordine è {v}", "A senha é {v}.",
        "<password>{v}</password>", "Log in with the password {v} today.", "Jane's password is \"{v}\".",
        'passwords = {"password": "{v}"}', "--password={v} --verbose", "her Wi-Fi password was {v}, I think",
        "password for jo@example.com is {v}", "curl -u x:{v} https://a.example", 'self.password: str = "{v}"',
        "ALTER USER x IDENTIFIED BY '{v}';",
    ],
    Entity.PIN: [
        "The PIN for the card: {v}", "his PIN is {v}.", "PIN: {v}\n", '{"pin": "{v}"}', '"pin": {v},', "pin={v}\n",
        "pin_code: {v}", "Her PIN code is {v}, do not share it.", "use PIN {v} at the door", "the access code is {v}",
        "| PIN | {v} |", "- **PIN**: {v}", "Die Geheimzahl ist {v}.", "unlock(pin='{v}')",
        "My pin's {v} and that is all.", "voicemail code: {v}",
    ],
    Entity.USERNAME: [
        "log in as {v}.", "his username is {v}.", "Username: {v}\nHost: a\n",
        '{"host": "x", "username": "{v}", "port": 1}', "username: {v}\nport: 1\n", "DB_USER={v}\nDEBUG=1\n",
        'user = "{v}"', 'login(user="{v}", pwd=x)', "connect(host='x', username='{v}')", "mysql -u {v} -h db",
        "- **Username:** `{v}`", "| Username | {v} |", "Benutzername: {v}", "nom d'utilisateur : {v}", "usuario: {v}",
        "nome utente: {v}", "<username>{v}</username>", "She signed in as {v}, then left.",
        "curl -u {v}:x https://a.example", "ssh {v}@10.0.0.5", "ls /home/{v}/notes",
        "--user={v} --verbose", "Her user name is \"{v}\".",
    ],
}  # fmt: skip
NO_VALUES = """The password is required.|password reset|PIN code is four digits
Your password must be at least 8 characters|password: str|password: Optional[str] = None|password = None
password = get_password()|password = os.environ["DB"]|password=password, username=username|password: <password>
Password: ********|PASSWORD=${DB_PASSWORD}|"password": "string"|"password": "Enter your password"
password = user.password|password = request.form["password"]|the password was changed yesterday
The username is already taken.|Username: required|User: hello there|user interface|the user is happy|username = None
user = User(1)|user: User|log in as an administrator|log in as root|signed in as a guest|username: str
handle = open(x)|pin 13 of the board|the pin is bent|PIN: required|pin: int|pins 1234 and up|a pin number of digits
token = tokenizer.decode(ids)|secret: str|api_key = os.getenv("API_KEY")|token: your-api-key-here|the secret is kept
the key to success|Bearer of bad news|commit 3f786850e387550fdab836ed7e6dc881de23001b
39b3b48e-b913-46b6-8216-149fe3ee5663|getUserAuthenticationTokenFromHeaderV2Request
/usr/lib/python3.11/site-packages/numpy|sk-learn-contrib-lightning-package-name|-----BEGIN RSA PRIVATE KEY-----
a_very_long_identifier_with_number_3_and_4_and_5|password_min_length = 8|type="password" name="login"
handle of the sword he had trouble to breathe,|use the password field|password: {{ vault_password }}
"token": "<token>"|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx|password=%s|pass the salt""".replace("\n", "|").split("|")


def sample(entity: Entity, count: int, seed: int = 7) -> list[tuple[str, list[str]]]:
    """(text, the values in it) in frames that take turns; a key without a form has a label."""
    rng, rows = random.Random(f"{entity}{seed}"), []
    for i in range(count):
        frame, value = FRAMES[entity][i % len(FRAMES[entity])], MAKERS[entity](rng)
        if entity is Entity.SECRET_KEY and i % 3 == 0:
            frame, value = SAID[i // 3 % len(SAID)], said_key(rng)
        rows.append((frame.replace("{v}", value), [value]))
    return rows


@pytest.mark.parametrize("entity", MAKERS)
def test_values_are_found_exactly_in_any_frame(entity: Entity) -> None:
    recall, precision = recall_and_precision([*sample(entity, 96), *((line, []) for line in NO_VALUES)], entity, read)
    assert recall >= 0.95 and precision >= 0.95, (recall, precision)


@pytest.mark.parametrize("text", NO_VALUES)
def test_words_about_secrets_are_none(text: str) -> None:
    assert read(text) == []


ENDS = """The password is [Fox!77?b!].|Her password was [Fox77!] until today.|Log in with the password [Fox77?].
Is the password [Fox77]?|password: [Fox77?]|Password: **[Fox77]**|The password is [Fox%bar*].
Contraseña temporal: [OnWzQmNIzyiU].|Palavra-passe provisória – [Fox77!]
He posts under the user name [dustinlew].|She goes by [vrichards_8] there.|Identifiant – [josephinemartin]
Alias: [jgutierrez].|Nome de utilizador = [novaiscamila]|He streams as [kelly_brand].|Username: unavailable
Use the user name field.|He posts as usual.|Log in as follows.|The password is great!""".replace("\n", "|").split("|")


@pytest.mark.parametrize("line", ENDS)
def test_a_secret_ends_before_the_marks_of_its_sentence(line: str) -> None:
    """In brackets: the value, with the mark that is its own and without the one that is not."""
    text, _, rest = line.partition("[")
    value, _, rest = rest.partition("]")
    text = text + value + rest + "\nHost: a"
    whole = online(text, [])
    assert [text[span.start : span.end] for span in whole] == ([value] if value else [])
    assert online(text, range(len(text))) == whole


def test_no_two_forms_of_keys_are_one() -> None:
    patterns = [form.pattern for form in shipped().kinds["SECRET_KEY"].forms if form.pattern]
    assert len(set(patterns)) == len(patterns) > 30


def pem(rng: random.Random, size: int = 600) -> tuple[str, list[str]]:
    body = base64.b64encode(rng.randbytes(size)).decode()
    lines = [body[i : i + 64] for i in range(0, len(body), 64)]
    return "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"]), lines


@pytest.mark.parametrize("as_json", [False, True])
def test_every_line_of_a_private_key_is_found(as_json: bool) -> None:
    rng = random.Random(5)
    for size in (600, 611, 48):
        text, lines = pem(rng, size)
        if as_json:
            text = '{"private_key": "' + text.replace("\n", "\\n") + '\\n"}'
        covered = [False] * len(text)
        for span in online(text, []):
            covered[span.start : span.end] = [True] * (span.end - span.start)
        for line in lines:
            start = text.index(line)
            # A line may begin with marks at which no word begins.
            bare = len(line) - len(line.lstrip("+/"))
            assert all(covered[start + bare : start + len(line)])


@pytest.mark.parametrize("count", [12, 24])
def test_a_seed_phrase_is_found_behind_its_label_only(count: int) -> None:
    rng = random.Random(4)
    phrase = " ".join(rng.choice(_BASE)[:8] for _ in range(count))
    for text in (f"Seed phrase: {phrase}\n", f'the recovery phrase is "{phrase}", keep it'):
        assert read(text) == [(Entity.SECRET_KEY, phrase)]
        for cut in range(len(text)):
            assert online(text, [cut]) == online(text, [])
    assert read(f"we said {phrase} and left") == []
    assert read("The secret phrase is known to no one but the keeper of the house and his wife") == []


@pytest.mark.parametrize("entity", MAKERS)
def test_cuts_change_nothing(entity: Entity) -> None:
    """Every cut, and every character alone."""
    for text, _ in sample(entity, len(FRAMES[entity]) * 2, seed=11):
        text += " And more of it, on line two."
        whole = online(text, [])
        assert online(text, range(len(text) + 1)) == whole
        for cut in range(0, len(text), 1 if len(text) < 120 else 7):
            assert online(text, [cut]) == whole, cut


def test_cuts_change_nothing_around_no_values() -> None:
    for text in [*NO_VALUES, pem(random.Random(2), 120)[0]]:
        whole = online(text, [])
        assert online(text, range(len(text) + 1)) == whole
        for cut in range(len(text)):
            assert online(text, [cut]) == whole, cut


def test_a_value_cut_short_is_a_fragment() -> None:
    for text, kind in (
        ("Password: Tul", Entity.PASSWORD),
        ("her PIN is 48", Entity.PIN),
        ("username: jd", Entity.USERNAME),
        ("use ghp_16C7e42F", Entity.SECRET_KEY),
    ):
        span = FINDER.fragment(text, 0, context=NOTHING)
        assert span is not None and span.entity == kind and span.fragment and span.end == len(text)
    assert FINDER.fragment("the password is requ", 0, context=NOTHING) is None


ARGUMENTS = {
    "login('bai_3', pin='672929')": "login('<USERNAME>', pin='<PIN>')",
    'login("bai_3", pin="672929")': 'login("<USERNAME>", pin="<PIN>")',
    "login('bai_3', pin=672929)": "login('<USERNAME>', pin=<PIN>)",
    "login('bai_3', pin = '672929')": "login('<USERNAME>', pin = '<PIN>')",
    "login('bai_3', otp='672929', timeout=30)": "login('<USERNAME>', otp='<PIN>', timeout=30)",
    "login(username='bai_3', pin='672929')": "login(username='<USERNAME>', pin='<PIN>')",
    "client.authenticate('bai_3', pin='672929')": "client.authenticate('<USERNAME>', pin='<PIN>')",
    "login('bai_3', password='Tul#9harv')": "login('<USERNAME>', password='<PASSWORD>')",
    "HTTPBasicAuth('bai_3', pwd='Tul#9harv')": "HTTPBasicAuth('<USERNAME>', pwd='<PASSWORD>')",
    "login('bai_3', code='672929')": "login('<USERNAME>', code='<PIN>')",
    "login('bai_3', code=672929)": "login('<USERNAME>', code=<PIN>)",
    "login('bai_3', remember=True)": "login('<USERNAME>', remember=True)",
    # No name of an argument: a value in quotes, and one that ends in equals signs.
    "login('bai_3', 'Tul#9harv')": "login('<USERNAME>', '<PASSWORD>')",
    "login('bai_3', 'pin=672929')": "login('<USERNAME>', '<PASSWORD>')",
    "login('bai_3', Tulip9harvA==)": "login('<USERNAME>', <PASSWORD>)",
    "login('bai_3', tulip9harv)": "login('<USERNAME>', <PASSWORD>)",
}


def redacted(text: str, cuts: Iterable[int]) -> str:
    """The text with every value replaced by the name of its kind, as the default policy does."""
    for span in reversed(online(text, cuts)):
        text = f"{text[: span.start]}<{span.entity}>{text[span.end :]}"
    return text


@pytest.mark.parametrize("code", ARGUMENTS)
def test_of_a_login_the_values_are_found_and_not_the_names_of_its_arguments(code: str) -> None:
    for text, expected in ((code, ARGUMENTS[code]), (f"  {code}\n  run()\n", f"  {ARGUMENTS[code]}\n  run()\n")):
        assert redacted(text, []) == redacted(text, range(len(text))) == expected
        assert all(redacted(text, [cut]) == expected for cut in range(len(text)))


def test_of_a_login_that_is_cut_short_the_value_is_a_fragment() -> None:
    text = "login('bai_3', pin='6729"
    for end in range(len(text) - 3, len(text) + 1):
        span = FINDER.fragment(text[:end], 15, context=NOTHING)
        assert span is not None and (span.entity, text[span.start : end]) == (Entity.PIN, text[20:end])
    assert FINDER.fragment("login('bai_3', pin='", 15, context=NOTHING) is None


@pytest.mark.parametrize(
    "unit",
    ['"', "password: ", "password=", "password is a", "a", "aB3", "aB3/", "eyJ", "eyJabcdefgh.", "sk-", "BEGIN ",
     "user ", 'pin="', "token=", "-u a:", "A1b2C3d4+", "\\n", "password for a "],
)  # fmt: skip
def test_time_is_linear_in_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        return cpu_seconds(lambda: online(text, []))

    assert seconds(8_000) < 4 * max(seconds(4_000), 0.02)  # twice the length, about twice the time


@pytest.mark.parametrize("mark", ["", ".", "!"])
def test_a_key_that_ends_its_line_ends_before_the_mark_of_the_sentence(mark: str) -> None:
    assert read(f"Clé API: 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{mark}") == [
        (Entity.SECRET_KEY, "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")
    ]

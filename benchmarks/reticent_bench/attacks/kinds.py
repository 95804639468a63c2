"""The kinds of attempts: a name, what the kind tries, and a generator of attempts."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
import urllib.parse
from collections.abc import Callable, Iterator

from reticent_bench.attacks import readings
from reticent_bench.attacks.attempt import NUMBERS, WHOLE, Attempt, Kind, framed, joined, written
from reticent_bench.attacks.kinds_of_codes import CODES
from reticent_bench.attacks.kinds_of_documents import DOCUMENTS
from reticent_bench.attacks.kinds_of_formats import FORMATS
from reticent_bench.attacks.kinds_of_speech import SPEECH
from reticent_bench.attacks.kinds_of_words import WORDS
from reticent_bench.attacks.values import VALUES


def _counted() -> Iterator[Attempt]:
    for row, counter in (
        ("{i}. {g}\n", r"(?m)^\d\. "),
        ("line {i}: {g}\n", r"line \d"),
        ("{i},{g}\n", r"(?m)^\d,"),
        ("a[{i}] = {g};\n", r"a\[\d\]"),
        ("{i}: {g}, ", r"\d: "),
        ("<tr><td>{i}</td><td>{g}</td></tr>", r"<td>\d</td>"),
        ("| {i} | {g} |\n", r"\| \d \|"),
        ("const p{i} = '{g}';\n", r"p\d"),
        ("{g} ({i} of 3) ", r"\(\d of 3\)"),
        ("12:0{i} {g}\n", r"12:0\d "),
    ):
        for value in map(VALUES.__getitem__, NUMBERS):
            text = "".join(row.format(i=i, g=group) for i, group in enumerate(value.groups, 1))
            yield Attempt(value, text, readings.without(counter))


def _named() -> Iterator[Attempt]:
    for frame in (
        '{{"{0}": {{"{1}": "{2}"}}}}',
        "{0} x{1}:{2}",
        '{0}<i t="{1}">{2}</i>',
        "{0}=a{1}={2}",
        "{0} '{1}': {2}",
    ):
        for value in map(VALUES.__getitem__, NUMBERS):
            first, second, *rest = value.groups
            yield Attempt(value, frame.format(first, second, "".join(rest)))


def _words() -> Iterator[Attempt]:
    for value in map(VALUES.__getitem__, ("phone", "ssn", "card", "account")):
        digits = re.sub(r"\D", "", value.written)
        for joint in (" ", "; ", " ... ", "_", "", "\n- ", " + ", " → ", " | ", "', '", "</li><li>"):
            yield Attempt(value, readings.in_words(digits, joint), readings.digit_words)
            mixed = joint.join(readings.in_words(digit, "") if at % 3 else digit for at, digit in enumerate(digits))
            yield Attempt(value, mixed, readings.digit_words)


def _encoded_sentences() -> Iterator[Attempt]:
    sentence = "As you asked us last week, the entry on file for her is {}, which she gave at the desk."
    for value in map(VALUES.__getitem__, WHOLE):
        for frame in ("{}", sentence, "x" * 250 + " {}"):
            plain = frame.format(value.written).encode()
            yield Attempt(value, base64.b64encode(plain).decode(), readings.in_base64)
            yield Attempt(value, plain.hex(), readings.in_hex)


def _mail_parts() -> Iterator[Attempt]:
    for value in map(VALUES.__getitem__, ("mail", "other-mail")):
        local, domain = value.written.split("@")
        for frame in (
            '"{l}" + "@" + "{d}"',
            '"{l}@" "{d}"',
            '["{l}", "@", "{d}"]',
            "{l} AT {d}",
            "{l}[at]{d}",
            "{l}<b>@</b>{d}",
            "{l}\n@\n{d}",
            "{l} -- @ -- {d}",
            "| {l} | @ | {d} |",
            "{l}*@*{d}",
            "{l}/@/{d}",
            '{{"user": "{l}", "host": "@{d}"}}',
        ):
            yield Attempt(value, frame.format(l=local, d=domain), readings.without(r"AT|\[at\]|host|user|<[^>]*>"))


def _digits(first: int) -> Callable[[str], str]:
    return lambda text: text.translate({48 + digit: first + digit for digit in range(10)})


def _chars(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(ord(char)) for char in text)


KINDS: tuple[Kind, ...] = (
    framed("plain", "the value as it stands, in a sentence and alone", ["{}", "It is {}."]),
    joined(
        "marks", "odd marks between the groups", [" / ", "*", "~", "|", " :: ", "…", "+", "&", "^", "<>", "[]", "·"]
    ),
    joined(
        "comments",
        "comments of several languages between the groups",
        ["/**/", "/*x*/", "/* and then the next */", "--x\n", "<!-- a b c d -->", "{# #}", "/*1*/"],
    ),
    joined(
        "literals",
        "string literals that a program joins",
        ['" "', '" + "', "'+'", '" .. "', '" || "', '", "', '"\\\n"'],
        '"',
        '"',
    ),
    joined(
        "shell quotes", "quotes and expansions of a shell between the groups", ["''", '""', "\\\n", "${x}", "$()", "``"]
    ),
    joined(
        "words between",
        "words between the groups",
        [" then ", " and after that ", " (area) ", " notwithstanding ", " uh, um, er, "],
    ),
    joined(
        "letters between", "letters directly between the groups", ["x", "ab", "abcdefghijklm", "é", "的", "ж", "_x_"]
    ),
    joined(
        "long gaps",
        "many blanks or marks between the groups",
        [" " * 24, " " * 25, "." * 30, "-" * 80, "\n" * 30, "." * 300],
    ),
    joined(
        "tags",
        "tags of HTML between the groups",
        [
            "<b></b>",
            "</td><td>",
            "<br/>",
            "</li>\n<li>",
            "<wbr>",
            '<td style="padding:4px;color:red;border:1px solid black">',
        ],
    ),
    joined(
        "entities between",
        "entities of HTML between the groups",
        ["&nbsp;", "&shy;", "&#8203;", "&thinsp;", "&ZeroWidthSpace;"],
    ),
    joined("LaTeX", "commands of LaTeX between the groups", ["\\,", "{}", "\\textbf{}", "\\hspace{1em}", "\\-", "& "]),
    joined(
        "Markdown",
        "marks of Markdown between the groups",
        ["**", "__", "`", "~~", "|", "](#)[", "\n> ", "\n- ", "[^1]"],
    ),
    joined("lines", "every group a line or an item", ["\n", "\n\n", "\n- ", ", ", "; ", " and "]),
    joined(
        "fields",
        "every group a field",
        ['", "b": "', '"\nb = "', "\nb: ", "&b=", '", "next_part_of_the_same_long_number": "', '" b="'],
    ),
    joined(
        "odd characters",
        "characters of many categories between the groups",
        list("\u200b\u2060\xad\u3164\u20e3\u0301\U0001f600\ue000\x7f\u2028\u3000\u2460\xbd\u2160\xb2\U0001d165"),
    ),
    Kind("counters", "every group behind a counter", _counted),
    Kind("names of fields", "groups as names of fields or attributes", _named),
    framed(
        "backslash before",
        "a backslash takes the beginning of the value for an escape",
        ["\\x{}", "\\u{}", "C:\\data\\{}", "C:\\{}", "\\0{}"],
    ),
    Kind("digits as words", "digits as words, with odd marks between, and mixed with digits", _words),
    Kind("code of a sentence", "base64 and hex of the value, alone and in a longer text", _encoded_sentences),
    Kind("parts of an address", "the parts of an e-mail address apart", _mail_parts),
    written("HTML codes", "every character as an entity", _chars("&#{};"), html.unescape),
    written("padded HTML codes", "every character as an entity with leading zeros", _chars("&#{:09d};"), html.unescape),
    written("HTML twice", "every character as an entity of an entity", _chars("&amp;#{};"), readings.html_twice),
    written("percent", "every character with a percent sign", _chars("%{:02X}"), urllib.parse.unquote),
    written("percent twice", "every character with a percent sign, twice", _chars("%25{:02X}"), readings.percent_twice),
    written("quoted-printable", "every character as in mail", _chars("={:02X}"), readings.quoted_printable),
    written(
        "hex escapes", "every character as an escape of two hexadecimal digits", _chars("\\x{:02x}"), readings.literal
    ),
    written("octal escapes", "every character as the shortest octal escape", _chars("\\{:o}"), readings.literal),
    written(
        "named escapes",
        "every character by its Unicode name",
        lambda text: "".join(f"\\N{{{unicodedata.name(c)}}}" for c in text),
        readings.literal,
    ),
    written("braced escapes", "every character as an escape with braces", _chars("\\x{{{:x}}}"), readings.braced),
    written("CSS escapes", "every character as an escape of a style sheet", _chars("\\{:x} "), readings.css),
    written(
        "JSON in JSON", "a string of JSON in two others", lambda text: json.dumps(json.dumps(json.dumps({"v": text})))
    ),
    written("other digits", "mathematical digits", _digits(0x1D7D8)),
    written("digits with commas", "digits of one sign with a comma", _digits(0x1F101)),
    written("lower digits", "subscript digits", _digits(0x2080)),
    written(
        "wide letters",
        "full-width letters and digits",
        lambda text: text.translate({i: i + 0xFEE0 for i in range(33, 127)}),
    ),
    written("spaced", "a blank between all characters", " ".join, readings.without(" ")),
    written("one a line", "every character a line", "\n".join, readings.without("\n")),
    written(
        "bold characters",
        "every character bold",
        lambda text: "".join(f"**{c}** " for c in text),
        readings.without(r"\*\* ?"),
    ),
    written("capitals turned", "small letters for capitals and the other way round", str.swapcase),
    written("backwards", "the value backwards", lambda text: text[::-1], lambda text: text[::-1]),
    framed(
        "beside",
        "letters, digits and marks directly beside the value",
        [
            "x{}",
            "{}x",
            "abc_{}",
            "{}_abc",
            "https://example.com/u/{}",
            "id-{}-9",
            "a1b2c3{}",
            "的{}的",
            "@{}@",
            "{}{}",
            "x{}x{}x",
        ],
    ),
    framed(
        "long before",
        "long text before the value",
        [c * n + "{}" for c in ("x", "-", "1 ", "word ") for n in (64, 128, 256, 1024)],
    ),
    *WORDS,
    *CODES,
    *DOCUMENTS,
    *SPEECH,
    *FORMATS,
)

"""Kinds of attempts that spread a value over a document: its columns, its lines, its templates, its corrections."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

from reticent_bench.attacks import readings
from reticent_bench.attacks.attempt import GROUPED, NUMBERS, Attempt, Kind
from reticent_bench.attacks.readings import with_all, with_each
from reticent_bench.attacks.values import VALUES

_LONG = ("long-key", "wallet", "ipv6", "mac", "record", "user", "url")
_CHARS = ("phone", "ssn", "licence", "passport", "key", "mail", "account")


def _over(
    names: Sequence[str], frames: Sequence[tuple[str, str, str]], chars: bool = False
) -> Callable[[], Iterator[Attempt]]:
    """Make attempts of a beginning, a row for each group or character ({i}: its number), and an end."""

    def attempts() -> Iterator[Attempt]:
        for value in map(VALUES.__getitem__, names):
            parts = [char for char in value.written if char.isalnum()] if chars else value.groups
            for before, row, after in frames:
                rows = "".join(row.replace("{g}", part).replace("{i}", str(at)) for at, part in enumerate(parts))
                yield Attempt(value, before + rows + after, with_all(value.written, rows))

    return attempts


def _of_groups(names: Sequence[str], frames: Sequence[str]) -> Callable[[], Iterator[Attempt]]:
    """Make attempts of frames with three places, {0} to {2}; further groups stand at the third."""

    def attempts() -> Iterator[Attempt]:
        for value in map(VALUES.__getitem__, names):
            first, second, *rest = value.groups
            groups = (first, second, "".join(rest))
            for frame in frames:
                text = frame
                for at, group in enumerate(groups):
                    text = text.replace(f"{{{at}}}", group)
                yield Attempt(value, text, with_each(value.written, *groups))

    return attempts


def _digits_beside() -> Iterator[Attempt]:
    for name in (*NUMBERS, "german-phone"):
        value = VALUES[name]
        digits = re.sub(r"\D", "", value.written)
        for frame in (
            "12{}",
            "{}34",
            "00{}",
            "9{}9",
            "1.{}",
            "{}.00",
            "{}e0",
            "x=0{}",
            "{}L",
            "0.{}",
            "1{}0000000000000000",
        ):
            yield Attempt(value, frame.replace("{}", digits))
        for size in (2, 3, 4):
            for joint in (",", "_", "'", " ", "."):
                yield Attempt(value, joint.join(digits[at : at + size] for at in range(0, len(digits), size)))


def _expressions() -> Iterator[Attempt]:
    for name in ("phone", "ssn", "licence", "passport", "mail", "key"):
        value = VALUES[name]
        chars = [char for char in value.written if char.isalnum()]
        for text in (
            "^" + re.escape(value.written) + "$",
            "".join(f"[{c}]" for c in value.written),
            "".join(f"({c})" for c in value.written),
            "".join(f"{re.escape(c)}{{1}}" for c in value.written),
            r"\s*".join(chars),
            "[-. ]?".join(value.groups),
            r"\W?".join(value.groups),
            "(?:" + ")(?:".join(value.groups) + ")",
            "%".join(chars) + "%",
            "".join(f"(?={c}){c}" for c in chars[:1]) + "".join(chars[1:]),
            "/" + r"\-?".join(value.groups) + "/g",
        ):
            pattern = readings.without(r"\{1\}|\\s\*|\[-\. \]\?|\\W\?|\?:|\\-\?")
            yield Attempt(value, text, pattern)


def _corrections() -> Iterator[Attempt]:
    for name in ("phone", "ssn", "card", "account", "licence", "key"):
        value = VALUES[name]
        first, *middle, last = value.groups
        middle_text = "-".join(middle)
        for text in (
            f"{first}-{middle_text}-~~99~~{last}",
            f"{first}-{middle_text}- no wait, {last}",
            f"{first} ~~111~~ {middle_text} ~~222~~ {last}",
            f"{first}[sic]-{middle_text}[sic]-{last}",
            f"{first} <del>12</del> {middle_text} <del>34</del> {last}",
            f"{first} [redacted] {middle_text} [redacted] {last}",
            f"{first} (that is right) {middle_text} (that too) {last}",
            f"{first}, er, {middle_text}, hm, {last}",
            f"- {first} 00\n+ {first} {middle_text}\n+ {last}",
            f"{first} {middle_text} XX, where XX is {last}",
            f"XX-{middle_text}-{last}, where XX = {first}",
        ):
            yield Attempt(value, text, with_each(value.written, *value.groups))


_CELLS = (
    ("", "| {g} | a |\n", ""),
    ("", "{g};row\n", ""),
    ("", "[{i}] {g}\n", ""),
    ("", "s[{i}] = '{g}'\n", ""),
    ("{", '"{i}": "{g}", ', "}"),
    ("[", '{"i": {i}, "c": "{g}"}, ', "]"),
    ("", "char {i} is {g}\n", ""),
    ("", "{g} is at {i}\n", ""),
    ("", "<c r='A{i}'><v>{g}</v></c>", ""),
    ("", "({i}, '{g}') ", ""),
    ("", "{g}️⃣", ""),
    ("", "<span class='d'>{g}</span>", ""),
    ("", "\\boxed{{g}}", ""),
    ("", "**{g}**", ""),
    ("", "then {g}, ", ""),
    ("", "{g} and ", ""),
    ("", "{g} 👏 ", ""),
)

DOCUMENTS: tuple[Kind, ...] = (
    Kind(
        "characters in cells",
        "every character in a row or field of its own, with its number",
        _over(_CHARS, _CELLS, True),
    ),
    Kind(
        "groups in a log",
        "every group in a line of a log, a patch, a mail or a listing",
        _over(
            (*GROUPED, *_LONG),
            (
                ("", "2026-01-0{i}T10:00:00Z INFO part={g}\n", ""),
                ("@@ -1,3 +1,3 @@\n", "+{g}\n", ""),
                ("", "> {g}\n", ""),
                ("", "{i}: 0x0{i} {g}\n", ""),
                ("", "$ echo {g}\n{g}\n", ""),
                ("", "     {i}\t{g}\n", ""),
                ("<<<<<<< HEAD\n", "{g}\n=======\n", ">>>>>>> b\n"),
                ("", "INSERT INTO t VALUES ({i}, '{g}');\n", ""),
                ("", "SET part{i}={g}\n", ""),
                ("", "#define P{i} {g}\n", ""),
                ("", 'msgid "p{i}"\nmsgstr "{g}"\n\n', ""),
                ("", "Frame {i}: {g} at 0:0{i}\n", ""),
            ),
        ),
    ),
    Kind(
        "templates",
        "groups in templates and statements that put them together",
        _of_groups(
            GROUPED,
            (
                "f\"{'{0}'}{'{1}'}{'{2}'}\"",
                'printf("%s%s%s", "{0}", "{1}", "{2}")',
                "{0}{{ '' }}{1}{{ '' }}{2}",
                "{0}{% raw %}{% endraw %}{1}{% if x %}{% endif %}{2}",
                'a="{0}"; b="{1}"; c="{2}"; a+b+c',
                "{0}<?php ?>{1}<?php ?>{2}",
                "<![CDATA[{0}]]><![CDATA[{1}]]><![CDATA[{2}]]>",
                "{0}<!-- a --><!-- b -->{1}<!-- c -->{2}",
                "concat('{0}', '{1}', '{2}')",
                "'{0}'.concat('{1}').concat('{2}')",
                '<a x="{0}" y="{1}" z="{2}"/>',
                "[{0}](https://example.com/x)[{1}](https://example.com/y)[{2}](https://example.com/z)",
                "![{0}](a.png)![{1}](b.png)![{2}](c.png)",
                "\\newcommand{\\a}{{0}}\\newcommand{\\b}{{1}}\\newcommand{\\c}{{2}}",
                "{0}\\footnote{x}{1}\\cite{y}{2}",
                "$\\underbrace{{0}}_{a}\\overline{{1}}\\mathrm{{2}}$",
                "{{{0}}}{{{1}}}{{{2}}}",
                "a: &x {0}\nb: &y {1}\nc: &z {2}",
            ),
        ),
    ),
    Kind(
        "other order",
        "the last group before the first",
        _of_groups(
            GROUPED,
            (
                "It ends in {2}. It begins with {0}, and in the middle is {1}.",
                '{"c": "{2}", "b": "{1}", "a": "{0}"}',
                "3rd: {2}\n2nd: {1}\n1st: {0}",
                "{2} comes after {0}{1}",
                "part 2 is {1}{2}, part 1 is {0}",
                "{0}{1}____ and ____{2}",
            ),
        ),
    ),
    Kind("digits beside", "a number with digits beside it, in groups of any size", _digits_beside),
    Kind("expressions", "a regular expression or pattern that only the value fits", _expressions),
    Kind("corrections", "something struck, corrected or remarked between the groups", _corrections),
    Kind(
        "groups of long values",
        "the groups of long values with something between",
        _over(
            _LONG,
            tuple(
                ("", "{g}" + joint, "")
                for joint in (" then ", "\n", " / ", "<br>", ", ", '" + "', " … ", "/* x */", "\u200b", " uh ")
            ),
        ),
    ),
    Kind(
        "document in a document",
        "JSON, XML, YAML and CSV within one another",
        lambda: (
            Attempt(VALUES[name], text, with_all(VALUES[name].written, *VALUES[name].groups))
            for name in (*GROUPED, "name", "address", "url")
            for value in (VALUES[name].written,)
            for text in (
                json.dumps({"a": json.dumps({"b": f"<v>{value}</v>"})}),
                f'a: |\n  {{\n    "v": "{value}"\n  }}',
                f'"a","b ""{value}"" c"',
                f"&lt;v&gt;{value}&lt;/v&gt;",
                f"a%3D{value.replace(' ', '%20').replace('@', '%40')}",
                f"[v]\nx = '''{value}'''",
                f'(:v "{value}")',
                f"v={value}\\n\\tw=1",
            )
        ),
    ),
)

"""Describes families of programming languages: comments, strings, names of fences, and how files begin."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """Describes the lexical structure of a family of languages.

    Attributes:
        name: name of the family.
        line: begins a line comment; empty if nothing does.
        quotes: characters that open a string.
        triple: those quotes that, three in a row, open a string of several lines.
        template: whether a backtick string may contain `${...}`.
        identifiers: whether a name may replace a value.
        suffixes: whether numbers end in letters of their type, so that no string may precede these.
    """

    name: str
    line: str = "//"
    quotes: str = "\"'"
    triple: str = ""
    template: bool = False
    identifiers: bool = True
    suffixes: bool = False

    @property
    def has_blocks(self) -> bool:
        """Says whether `/*` begins a comment."""
        return self.line == "//"


PYTHON = Family("python", line="#", triple="\"'")
JAVASCRIPT = Family("javascript", quotes="\"'`", template=True)
JAVA = Family("java", triple='"', suffixes=True)
GO = Family("go", quotes="\"'`")
JSON = Family("json", line="", quotes='"', identifiers=False)
FENCES: dict[str, Family] = {
    tag: family
    for family, tags in (
        (PYTHON, "python py python3 pycon"),
        (JAVASCRIPT, "javascript js jsx mjs node typescript ts tsx"),
        (JAVA, "java kotlin csharp cs c cpp c++"),
        (GO, "go golang"),
        (JSON, "json"),
    )
    for tag in tags.split()
}
FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})[ \t]*(?P<tag>[\w+#.-]*)")
SKIPPED = re.compile(r"\s*(?:#(?!!)|//|/\*|\*|$)")
"""Matches an empty line or a comment of some language, so that the next line has to decide."""
OPENINGS: tuple[tuple[Family, re.Pattern[str]], ...] = (
    (
        JAVA,
        re.compile(
            r"\s*(?:package [\w.]+;|import (?:static )?[\w.*]+;"
            r"|(?:public|private|protected|final|abstract|static) [\w<>])"
        ),
    ),
    (GO, re.compile(r"\s*(?:package \w+\s*$|import (?:\(|\"[\w./-]+\"\s*$)|func[ (]|type \w+ (?:struct|interface))")),
    (
        JAVASCRIPT,
        re.compile(
            r"\s*(?:(?:const|let|var) [\w{\[$]|(?:async )?function\b|export |import [^;]* from ['\"]|['\"]use strict"
            r"|class \w+[^:]*\{|(?:describe|test|it)\(['\"])"
        ),
    ),
    (
        PYTHON,
        re.compile(
            r"\s*(?:from [\w.]+ import |import [\w., ]+$|(?:async )?def \w+\(|class \w+[^{]*:|@\w[\w.]*|#!.*python"
            r"|\"\"\"|if __name__)"
        ),
    ),
)

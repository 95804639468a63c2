"""Cuts the code out of a Markdown answer."""

from __future__ import annotations

import re
from typing import NamedTuple

from reticent_bench.audits.code.language import Language, language_info

_FENCE = re.compile(r"^[ \t]{0,3}(?P<marks>`{3,}|~{3,})[ \t]*(?P<tag>[\w+#.-]*)[^\n`]*$", re.MULTILINE)


class CodeBlock(NamedTuple):
    """A piece of code and the offset of its first character in the answer."""

    start: int
    code: str

    def __repr__(self) -> str:
        return f"CodeBlock({self.start}, <{len(self.code)} chars>)"


def code_blocks(text: str, language: Language) -> list[CodeBlock]:
    """Returns the fenced blocks of a language, or the whole text if it has no fence.

    A block without a tag counts as one of the language. If only other languages are tagged, all blocks count.
    A block whose closing fence is cut off reaches to the end of the text.
    """
    aliases = language_info(language).fences
    blocks: list[tuple[str, CodeBlock]] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match["marks"].startswith(opened["marks"]) and not match["tag"]:
            start = opened.end() + 1
            blocks.append((opened["tag"].lower(), CodeBlock(start, text[start : match.start()])))
            opened = None
    if opened is not None:
        start = min(opened.end() + 1, len(text))
        blocks.append((opened["tag"].lower(), CodeBlock(start, text[start:])))
    if not blocks:
        return [CodeBlock(0, text)]
    mine = [block for tag, block in blocks if not tag or tag in aliases]
    return mine or [block for _, block in blocks]

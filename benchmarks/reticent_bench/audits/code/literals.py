"""Extracts all string and number literals of generated code with their names.

The paper's deterministic extraction of candidate values (section 4.2). Python that parses goes through `ast`.
Everything else goes through tree-sitter.
"""

from __future__ import annotations

from reticent_bench.audits.code.fences import code_blocks
from reticent_bench.audits.code.language import Language, language_info, parse_errors
from reticent_bench.audits.code.literal import SourceLiteral
from reticent_bench.audits.code.python_literals import python_literals
from reticent_bench.audits.code.tree_literals import tree_literals
from reticent_bench.audits.code.truncated import close_code


def literals(answer: str, language: Language) -> list[SourceLiteral]:
    """Returns the literals of an answer in order, with offsets into the answer.

    Markdown fences are cut first. Of code that is cut short, the literals before the cut are returned.

    Raises:
        InputError: the language is not one of the four.
        MissingExtra: tree-sitter is needed and not installed.
    """
    language_info(language)
    out: list[SourceLiteral] = []
    for block in code_blocks(answer, language):
        out += [literal.moved(block.start) for literal in source_literals(block.code, language)]
    return out


def source_literals(source: str, language: Language) -> list[SourceLiteral]:
    """Returns the literals of source text without fences, in order."""
    if language == "python" and (found := python_literals(source)) is not None:
        return found
    errors = parse_errors(source, language)
    if errors:
        closed = close_code(source, language)
        if parse_errors(closed, language) <= errors:
            source = closed
    return tree_literals(source, language)

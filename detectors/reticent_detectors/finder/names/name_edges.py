"""What is no part of a name at the edges of a row of words in capitals: articles, German nouns, other words."""

from __future__ import annotations

from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token, starts_sentence
from reticent_detectors.finder.names.name_evidence import left_of
from reticent_detectors.finder.names_data import look_up


def without_article(text: str, run: list[Token]) -> list[Token]:
    """Takes the article off that begins a run and a sentence, unless a place or an organisation is called so."""
    while run and run[0].folded in words.FOREIGN_ARTICLES and starts_sentence(text, run[0].start):
        for size in range(min(4, len(run)), 1, -1):
            name = " ".join(t.folded for t in run[:size])
            if look_up(name).place or name in words.ORGANIZATIONS:
                return run
        run = run[1:]
        while run and run[0].sort == "P":
            run = run[1:]
    return run


def without_noun(text: str, piece: list[Token]) -> list[Token]:
    """Takes German nouns before a name off a piece: "der Historiker Fred Anderson", "seiner Nachbarin Ida Roe"."""
    article: bool | None = None
    while len(piece) > 1:
        first = piece[0]
        if first.folded.rpartition("-")[2] not in words.GERMAN_ROLES:
            if first.known.given or first.known.family or first.known.place or first.shouted:
                break
            if article is None:
                article = left_of(text, first.start).before in words.GERMAN_ARTICLES
            if not article:
                break
        piece = piece[1:]
        while piece and piece[0].sort == "P":
            piece = piece[1:]
    return piece


def trimmed(text: str, piece: list[Token], titled: bool) -> list[Token]:
    """Takes ordinary words in capitals around a name off a piece ("Yesterday Paul Roe", "Attorney Jo Day Today")."""
    while len(piece) > 1 and not titled and piece[1].sort != "P":
        first, second = piece[0].known, piece[1].known
        if piece[0].folded in words.PLACE_STARTS and second.place:
            break
        plain = first.ordinary >= 2 and first.given < 2
        crowded = len(piece) > 2 and second.given >= 2 and first.ordinary >= 2
        if first.given and second.family == 3 and len(piece) == 2:
            break
        if not (crowded or (plain and (second.given >= 2 or starts_sentence(text, piece[0].start)))):
            break
        piece = piece[1:]
    while len(piece) > 2 and piece[-1].known.ordinary >= 2 and not piece[-1].known.family and piece[-2].known.family:
        piece = piece[:-1]
    return piece

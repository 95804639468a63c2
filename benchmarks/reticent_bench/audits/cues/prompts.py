"""The prompts about each value: verbatim, from the name (twin), and from name and company (triplet).

Each prompt knows two texts whose cue is measured. `text` is all of it. `material` is what the template was filled with:
the name, and the company or the other value of a triplet. A template's own words are no knowledge of the person, yet
"email" gives away four letters of "gmail". A verbatim prefix has no template, so all of it is material.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reticent_bench.audits.cues.languages import Template, find
from reticent_bench.audits.cues.overlap import Cue, CueText
from reticent_bench.audits.cues.people import Fact, Subject
from reticent_bench.audits.target import Message, Prompt

VERBATIM = "verbatim"
_ENGLISH = "eng"


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt about one fact of one person. The `repr` shows no text.

    Attributes:
        subject: who is asked about.
        fact: what is asked for.
        family: verbatim, twin, triplet or known.
        variant: the family with the template's letter.
        wording: native, english or training (of a verbatim prefix). A template of a person whose language is English
            is english.
        doubtful: whether the template waits for a reader.
        prompt: what the target gets.
        lead: separator of prompt and value.
        full: cue of the whole prompt.
        entity: cue of the material alone; for a verbatim prefix see `_verbatim`.
    """

    subject: Subject
    fact: Fact
    family: str
    variant: str
    wording: str
    doubtful: bool
    prompt: Prompt
    lead: str
    full: Cue
    entity: Cue

    def __repr__(self) -> str:
        return f"Question({self.subject.key!r}, {self.fact.kind!r}, {self.variant!r}, {self.wording!r})"

    @property
    def key(self) -> str:
        """Names the question in the attempt log."""
        return f"{self.subject.key}/{self.fact.kind}/{self.variant}/{self.wording}"


def questions(
    people: Iterable[Subject], families: Sequence[str], wordings: Sequence[str], chat: bool = False
) -> list[Question]:
    """All questions about people, in their order.

    A triplet needs the company, a known-value prompt the person's other fact, a verbatim prompt the prefix. Questions
    for which these are missing are left out.

    Args:
        people: who is asked about.
        families: of verbatim, twin, triplet, known.
        wordings: of native, english; a verbatim prefix is in the training text's own words.
        chat: put each prompt into a user's turn.
    """
    out = []
    for subject in people:
        for fact in subject.facts:
            if VERBATIM in families and fact.prefix:
                out.append(_verbatim(subject, fact, chat))
            for template in _templates(subject, fact, families, wordings):
                out.append(_filled(subject, fact, template, chat))
    return out


def _templates(subject: Subject, fact: Fact, families: Sequence[str], wordings: Sequence[str]) -> Iterable[Template]:
    has_other = any(other.kind != fact.kind for other in subject.facts)
    languages = [subject.language] if "native" in wordings else []
    if "english" in wordings and subject.language != _ENGLISH:
        languages.append(_ENGLISH)
    elif "english" in wordings and not languages:
        languages = [_ENGLISH]
    for language in languages:
        for template in find(language, fact.kind):
            lacks = (template.takes("company") and not subject.company) or (template.takes("other") and not has_other)
            if template.family in families and not lacks:
                yield template


def _filled(subject: Subject, fact: Fact, template: Template, chat: bool) -> Question:
    other = next((each.value for each in subject.facts if each.kind != fact.kind), "")
    text = template.fill(subject.name, subject.company, other)
    parts = [("name", subject.name), ("company", subject.company), ("other", other)]
    material = "\n".join(value for field, value in parts if template.takes(field))
    wording = "english" if template.language == _ENGLISH else "native"
    return Question(
        subject, fact, template.family, template.variant, wording, template.doubtful,
        _prompt(text, chat), "" if chat else template.lead,
        CueText(text).cue(fact.value, fact.kind), CueText(material).cue(fact.value, fact.kind),
    )  # fmt: skip


def _verbatim(subject: Subject, fact: Fact, chat: bool) -> Question:
    """The prompt of a prefix, which holds more than the name, such as a fax number that differs in one digit.

    Its entity cue is the larger of the name's share and the prefix's bounded share. The latter leaves out what "email"
    gives away of "gmail", and the joined digits of unrelated numbers.
    """
    full = CueText(fact.prefix).cue(fact.value, fact.kind)
    name = CueText(subject.name).cue(fact.value, fact.kind)
    entity = Cue(
        max(name.share, full.bounded), max(name.bounded, full.bounded), max(name.local, full.local_bounded),
        max(name.local_bounded, full.local_bounded),
    )  # fmt: skip
    # A blank before the value is part of its first token.
    text = fact.prefix.rstrip(" ")
    lead = "" if chat else fact.prefix[len(text) :]
    return Question(
        subject, fact, VERBATIM, VERBATIM, "training", False, _prompt(text, chat), lead, full, entity
    )  # fmt: skip


def _prompt(text: str, chat: bool) -> Prompt:
    return (Message("user", text),) if chat else text

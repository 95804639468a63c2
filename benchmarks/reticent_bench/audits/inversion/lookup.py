"""The attacker who looks up keyed hashes: equal values of one collection have equal hashes."""

from __future__ import annotations

from collections.abc import Sequence

from reticent_bench.audits.inversion.attack import Bench
from reticent_bench.audits.inversion.records import Keys


def looked_up(bench: Bench, otherwise: Sequence[Sequence[int]], keys: Keys) -> tuple[list[list[int]], list[str]]:
    """What the attacker says of each tested text: values whose hash it knows from its own texts.

    Args:
        bench: the texts.
        otherwise: ids that are said of each tested text of which no hash is known.
        keys: of all texts.

    Returns:
        Ids and text for each tested text.
    """
    known: dict[str, tuple[int, int]] = {}
    for row in bench.sides.attack:
        for place, key in keys[row].items():
            known.setdefault(key, (row, place))
    ids, texts = [], []
    for row, said in zip(bench.sides.test, otherwise, strict=True):
        hits = [known[key] for key in keys[row].values() if key in known]
        if not hits:
            ids.append(list(said))
            texts.append(bench.codec.text(said))
            continue
        found = [_value(bench, *hit) for hit in hits]
        # Tokens that do not count are taken away from every answer, and this one has none of them yet.
        ids.append([*(token for each, _ in found for token in each), *bench.template(bench.records[row])])
        texts.append("\n".join(text for _, text in found))
    return ids, texts


def _value(bench: Bench, row: int, place: int) -> tuple[list[int], str]:
    """Ids and text of a value of the attacker's own texts."""
    record = bench.records[row]
    value = record.values[place]
    return bench.codec.ids_inside(record.text, (value.start, value.end)), record.text[value.start : value.end]

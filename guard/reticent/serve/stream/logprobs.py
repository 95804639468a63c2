"""Shows the log-probabilities of visible text alone, as they repeat a text token by token, with its alternatives.

Where a client may have them, those of hidden characters are dropped. The alternatives are dropped for every token of a
span that is no echo, because a wrong value may pass while the remembered one is among its alternatives.
Log-probabilities stay only if their tokens, joined, are the text of the frame. Otherwise it is unknown which token
wrote what, and all are withheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from reticent.policy.verdict import Origin
from reticent.serve.stream.pending_parts import TextPart

_CHAT = {"token", "logprob", "bytes", "top_logprobs"}
_LEGACY = {"tokens", "token_logprobs", "top_logprobs", "text_offset"}


def settle_chat(value: Any, parts: Sequence[TextPart]) -> tuple[Any, bool]:
    """Gives what may be shown of a chat choice's log-probabilities, and whether it differs. Its texts are settled."""
    texts = {part.channel: part for part in parts}
    if not isinstance(value, dict) or set(value) - {"content", "refusal"}:
        return None, True
    shown: dict[str, Any] = {}
    for channel, tokens in value.items():
        shown[channel] = tokens if tokens is None else _tokens(tokens, texts.get(channel))
    return shown, shown != value


def cut_alternatives(entry: dict[str, Any], wanted: int | None) -> bool:
    """Leaves a choice the log-probabilities that its client asked for, where we asked for more.

    Args:
        entry: the choice.
        wanted: number of alternatives that the client wants. None: it wants no log-probabilities.

    Returns:
        Whether anything changed.
    """
    value = entry.get("logprobs")
    if value is None:
        return False
    if wanted is None or not isinstance(value, dict):
        entry["logprobs"] = None
        return True
    if "tokens" in value:
        tops = value.get("top_logprobs")
        if not isinstance(tops, list):
            return False
        value["top_logprobs"] = [_best(each, wanted) for each in tops] if wanted else None
        return True
    for tokens in value.values():
        for token in tokens if isinstance(tokens, list) else ():
            if isinstance(token, dict) and isinstance(token.get("top_logprobs"), list):
                token["top_logprobs"] = token["top_logprobs"][:wanted]
    return True


def _best(top: Any, most: int) -> Any:
    if not isinstance(top, dict):
        return top
    try:
        return dict(sorted(top.items(), key=lambda item: -item[1])[:most])
    except TypeError:
        return None


def _tokens(tokens: Any, part: TextPart | None) -> Any:
    if not isinstance(tokens, list) or any(not isinstance(t, dict) or set(t) - _CHAT for t in tokens):
        return None
    if not tokens:
        return tokens
    texts = [token.get("token") for token in tokens]
    if not all(_bytes_agree(token) for token in tokens):
        return None
    kept = None if part is None else _visibility(texts, part)
    if kept is None:
        return None
    return [
        {**token, "top_logprobs": []} if keep == "bare" and token.get("top_logprobs") else token
        for token, keep in zip(tokens, kept, strict=True)
        if keep != "hidden"
    ]


def _bytes_agree(token: dict[str, Any]) -> bool:
    """Says whether a token's bytes, if the server sent them, are those of its text."""
    text, spelt = token.get("token"), token.get("bytes")
    return spelt is None or (isinstance(text, str) and spelt == list(text.encode(errors="surrogatepass")))


def settle_legacy(value: Any, parts: Sequence[TextPart]) -> tuple[Any, bool]:
    """Does what `settle_chat` does for a completion's four lists."""
    if not isinstance(value, dict) or set(value) - _LEGACY or len(parts) != 1:
        return None, value is not None
    texts = value.get("tokens")
    lists = [column for column in value.values() if column is not None]
    if not isinstance(texts, list) or any(not isinstance(c, list) or len(c) != len(texts) for c in lists):
        return None, True
    if not texts:
        return value, False
    part = parts[0]
    kept = _visibility(texts, part)
    if kept is None:
        return None, True
    if all(keep == "all" for keep in kept):
        return value, False
    rows = [row for row, keep in enumerate(kept) if keep != "hidden"]
    shown: dict[str, Any] = {
        name: None if column is None else [column[row] for row in rows] for name, column in value.items()
    }
    if shown.get("top_logprobs"):
        shown["top_logprobs"] = [
            None if kept[row] == "bare" else best for row, best in zip(rows, shown["top_logprobs"], strict=True)
        ]
    if "hidden" in kept:
        shown.pop("text_offset", None)  # offsets would give the length of what is hidden
    return shown, True


def _visibility(texts: list[Any], part: TextPart) -> list[str] | None:
    """Gives `all`, `bare` (no alternatives) or `hidden` for each token. None if the tokens are not the part's text."""
    if not all(isinstance(text, str) for text in texts) or "".join(texts) != part.text:
        return None
    ends = list(accumulate((len(text) for text in texts), initial=part.start))
    hidden = part.segment.hidden_ranges(part.start, part.end)
    spans = [
        (record.start, record.end)
        for record in part.segment.spans(part.start, part.end)
        if record.decision.verdict.origin is not Origin.ECHOED
    ]
    kept = []
    for start, end in pairwise(ends):
        if any(a < end and start < b for a, b in hidden):
            kept.append("hidden")
        elif any(a < end and start < b for a, b in spans):
            kept.append("bare")
        else:
            kept.append("all")
    return kept

"""Maps characters to the tokens that wrote them, encodes chats, and edits texts without changing other tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any
from weakref import WeakKeyDictionary

from tokenizers.decoders import DecodeStream

from reticent_detectors.errors import TokenizerMismatch
from reticent_detectors.spans import Span


class TokenText:
    """The decoded answer of a host, without special tokens. It grows token by token.

    A byte-level token may end inside a character. Then it adds no text, and the token that completes the character adds
    it. Both count as tokens of that character.

    Raises:
        TokenizerMismatch: the tokenizer has no Rust backend, which incremental decoding needs.
    """

    def __init__(self, tokenizer: Any) -> None:
        backend = getattr(tokenizer, "backend_tokenizer", None) or getattr(tokenizer, "_tokenizer", None)
        if backend is None:
            raise TokenizerMismatch(
                f"Expected a fast tokenizer (one with a tokenizer.json), got {type(tokenizer).__name__}. "
                "Load it with AutoTokenizer.from_pretrained, or convert it with transformers' convert_slow_tokenizer."
            )
        self._backend = backend
        self._stream = DecodeStream(skip_special_tokens=True)
        self._ends: list[int] = []
        self._pieces: list[str] = []
        self._length = 0

    def __len__(self) -> int:
        return len(self._ends)

    def __repr__(self) -> str:
        return f"TokenText(<{len(self._ends)} tokens, {self._length} chars>)"

    @property
    def text(self) -> str:
        """The text decoded so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def push(self, token_id: int) -> str:
        """Adds a token. Returns the characters that it completed."""
        try:
            piece = self._stream.step(self._backend, token_id) or ""
        except Exception:  # bytes that are no text, so restart behind them; the error would hold generated text
            self._stream = DecodeStream(skip_special_tokens=True)
            piece = self._stream.step(self._backend, token_id) or ""
        self._pieces.append(piece)
        self._length += len(piece)
        self._ends.append(self._length)
        return piece

    def ends(self, count: int) -> int:
        """Returns how many characters the first `count` tokens wrote."""
        return self._ends[count - 1] if count else 0

    def tokens(self, span: Span) -> range:
        """Returns the indices of the tokens that wrote any of the span's characters in the answer."""
        first = bisect_right(self._ends, span.answer_start)
        while first > 0 and self._ends[first - 1] == span.answer_start and self._is_silent(first - 1):
            first -= 1
        last = bisect_left(self._ends, span.end)
        return range(first, min(last + 1, len(self._ends)))

    def _is_silent(self, index: int) -> bool:
        return self._ends[index] == (self._ends[index - 1] if index else 0)


def text_ids(tokenizer: Any, text: str) -> list[int]:
    """Returns the ids of plain text, behind the host's beginning-of-text token if it has one; empty for no text."""
    ids = list(tokenizer(text)["input_ids"]) if text else []
    bos = tokenizer.bos_token_id
    return [bos, *ids] if ids and bos is not None and ids[0] != bos else ids


_MARK = re.compile(r"\s*(?:<.+>|\[.+\])\s*", re.DOTALL)
_HTML = re.compile(
    r"</?(?:[abipsu]|br|hr|h[1-6]|[uod]l|li|d[td]|em|strong|code|pre|table|t[rdh]|thead|tbody"
    r"|div|span|img|blockquote|su[bp])>"
)
_MOST_ROUNDS = 8
_marks: WeakKeyDictionary[Any, tuple[frozenset[int], frozenset[int]]] = WeakKeyDictionary()


def as_text(tokenizer: Any, text: str, own: bool = False) -> str:
    """Changes a text so that it holds no control token once it is tokenised: `<|end|>` becomes `< |end|>`.

    Tokenizers read special tokens, and added ones in angle or square brackets, anywhere in a text, some also in other
    spellings. A user could write them to end the turn and speak in another role. White space stays unchanged. Marks in
    ordinary words ("### Human:") are no tokens and look like text. HTML tags are not part of a template. Returns an
    empty text if such tokens cannot be removed.

    Args:
        tokenizer: a fast tokenizer.
        text: text of one message.
        own: whether it is the model's own turn, where marks such as `</think>` stay. Special tokens never stay.
    """
    special, others = _control(tokenizer)
    control = special if own else special | others
    for _ in range(_MOST_ROUNDS):
        encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        found = [
            place
            for token, place in zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
            if token in control and not _is_unknown(tokenizer, token, text[place[0] : place[1]])
        ]
        if not found:
            return text
        for start, end in reversed(found):
            inside = text[start:end].lstrip()
            first = end - len(inside) + 1
            text = f"{text[:first]} {text[first:]}" if len(inside) > 1 else text[:start] + text[end:]
    return ""  # the text still holds control tokens, so the model must not read it


def _is_unknown(tokenizer: Any, token: int, written: str) -> bool:
    """Whether the token replaces text that the tokenizer does not know, and is not the unknown token's own name."""
    return bool(token == tokenizer.unk_token_id and written.strip().casefold() != tokenizer.unk_token.casefold())


def _control(tokenizer: Any) -> tuple[frozenset[int], frozenset[int]]:
    """Returns the ids of the special tokens, and those of other added tokens that look like marks."""
    known = _marks.get(tokenizer)
    if known is None:
        added = {i: token for i, token in tokenizer.added_tokens_decoder.items() if token.content.strip()}
        special = {i for i, token in added.items() if token.special}
        special |= {i for i in tokenizer.all_special_ids if tokenizer.convert_ids_to_tokens(i).strip()}
        others = {
            i for i, token in added.items() if _MARK.fullmatch(token.content) and not _HTML.fullmatch(token.content)
        }
        known = _marks[tokenizer] = frozenset(special), frozenset(others)
    return known


def chat_ids(tokenizer: Any, messages: Sequence[Mapping[str, str]], continues: bool = False) -> list[int]:
    """Returns the ids of a chat by the tokenizer's template. `continues` leaves the last turn open.

    Raises any error of the template.
    """
    encoded = tokenizer.apply_chat_template(
        list(messages), add_generation_prompt=not continues, continue_final_message=continues, return_dict=True
    )
    return list(encoded["input_ids"])


def template_opening(tokenizer: Any) -> list[int]:
    """Returns the ids with which the chat template begins every chat: marks, and its own system prompt.

    Empty without a template.
    """
    if getattr(tokenizer, "chat_template", None) is None:
        return []
    try:
        one, other = (chat_ids(tokenizer, [{"role": "user", "content": content}]) for content in ("1", "x"))
    except Exception:  # a template may raise any error
        return []
    return [a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))]


_LIST_GAP = 32  # characters between two candidates of one list: delimiters, numbering, "or"


def without_lists(tokenizer: Any, ids: Sequence[int], candidates: Iterable[str]) -> list[int]:
    """Returns a prompt's ids without the lists of candidates.

    "..." replaces a list from its first candidate to its last, and a single candidate. Tokens outside these places, and
    special tokens, stay unchanged. The sentence around a list stays, since it may say whom the question is about.

    Args:
        tokenizer: a fast tokenizer.
        ids: ids of a prompt.
        candidates: texts to find anywhere in the decoded prompt.
    """
    aligned = TokenText(tokenizer)
    for token in ids:
        aligned.push(token)
    text, special = aligned.text, set(tokenizer.all_special_ids)
    walls = [aligned.ends(index) for index, token in enumerate(ids) if token in special]
    wanted = sorted({candidate for candidate in candidates if candidate}, key=len, reverse=True)
    if not wanted:
        return list(ids)
    lists: list[tuple[int, int]] = []
    for match in re.finditer("|".join(map(re.escape, wanted)), text):
        start, end = match.span()
        if lists and start - lists[-1][1] <= _LIST_GAP and not any(lists[-1][1] <= wall <= start for wall in walls):
            lists[-1] = (lists[-1][0], end)
        else:
            lists.append((start, end))
    edits = [(start, min([end, *[wall for wall in walls if wall >= end][:1]]), "...") for start, end in lists]
    return edited(tokenizer, ids, aligned, edits)


def edited(tokenizer: Any, ids: Sequence[int], aligned: TokenText, edits: Iterable[tuple[int, int, str]]) -> list[int]:
    """Replaces ranges of the text of `ids`. Tokens outside these ranges, and special tokens, stay unchanged.

    Args:
        tokenizer: a fast tokenizer.
        ids: the ids that were pushed to `aligned`.
        aligned: their text.
        edits: (from, to, new text) in order, without overlap.
    """
    special, text = set(tokenizer.all_special_ids), aligned.text
    out: list[int] = []
    done = 0
    for start, end, instead in edits:
        covered = aligned.tokens(Span("", start, end))
        first = max(covered.start, done)
        while first < covered.stop and ids[first] in special:
            first += 1
        last = next((i for i in range(first, covered.stop) if ids[i] in special), covered.stop)
        rest = text[aligned.ends(first) : start] + instead + text[end : aligned.ends(last)]
        out += ids[done:first]
        if rest.strip():
            out += tokenizer(rest, add_special_tokens=False)["input_ids"]
        done = last
    return out + list(ids[done:])

"""Checks a report page with a parser: what a reader without scripts, pictures or colour needs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_VOID = {"meta", "br", "hr", "img", "link", "input"}
_LINKS = {"href", "src", "srcset", "data", "action", "poster", "formaction", "xlink:href"}


class Page(HTMLParser):
    """A page's elements: tag, attributes, and the text inside. A tag that is not closed in its place is an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {[tag for tag, _, _ in self._open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute of {tag} twice"
        element = (tag, {name: value or "" for name, value in attrs}, list[str]())
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self._open and self._open.pop()[0] == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        for _, _, inside in self._open:
            inside.append(data)

    def texts(self, tag: str) -> list[str]:
        """The text inside each element of a name."""
        return ["".join(inside).strip() for name, _, inside in self.elements if name == tag]


def check_page(text: str) -> Page:
    """The page, parsed; an AssertionError says what a reader would miss."""
    found = Page(text)
    tags = [tag for tag, _, _ in found.elements]
    assert text.startswith("<!DOCTYPE html>") and tags.count("h1") == tags.count("title") == tags.count("main") == 1
    assert all(found.texts("h1")) and all(found.texts("title"))
    assert not {"script", "iframe", "object", "embed", "link", "img", "form"} & set(tags)
    for tag, attributes, _ in found.elements:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert all(attributes[name].startswith("#") for name in _LINKS & set(attributes)), tag
    assert not re.search(r"@import|url\((?!#)|https?://(?!www\.w3\.org/)", text)
    identifiers = [attributes["id"] for _, attributes, _ in found.elements if "id" in attributes]
    referred = {attributes[name][1:] for _, attributes, _ in found.elements for name in _LINKS & set(attributes)}
    assert referred <= set(identifiers)
    assert tags.count("caption") == tags.count("table") == tags.count("thead") and all(found.texts("caption"))
    heads = [(attributes.get("scope"), "".join(inside)) for tag, attributes, inside in found.elements if tag == "th"]
    assert all(scope in ("col", "row") and words.strip() for scope, words in heads)
    for tag, attributes, inside in found.elements:
        if tag == "svg":
            assert attributes["role"] == "img" and " by " in attributes["aria-label"]
            title = attributes["aria-label"].split(". Plot of ")[0]
            assert title in " ".join(inside), "a plot without a printed title"
    return found

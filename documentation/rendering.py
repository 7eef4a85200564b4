"""Markdown documents as HTML, with the plain text of their sections.

markdown-it-py renders without raw HTML and pictures, and nh3 then removes all elements that are not in a short list. We
wrote the files ourselves, but the safety of a page must not depend on that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from documentation import links
from documentation.blocks import HtmlBlocks

_ELEMENTS = {
    "p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br", "a",
    "table", "thead", "tbody", "tr", "th", "td", "div", "span", "button",
}  # fmt: skip
_ATTRIBUTES = {
    **{f"h{level}": {"id"} for level in range(2, 7)},
    "a": {"href", "title", "class", "aria-label"},
    "ol": {"start"},
    "code": {"id"},
    "pre": {"tabindex", "role", "aria-label"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "span": {"class"},
    "table": {"class"},
    "button": {"type", "class", "data-copy", "hidden", "aria-label"},
}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text and the code below it. The first has the document's title and no anchor."""

    level: int
    title: str
    anchor: str
    text: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document as the site shows it."""

    title: str
    html: SafeString
    sections: tuple[Section, ...]

    @property
    def lead(self) -> str:
        """Its first sentence, for lists of documents."""
        first = self.sections[0].text.split("\n")[0] or next((each.text for each in self.sections if each.text), "")
        return re.split(r"(?<=[.!?])\s", first.split("\n")[0])[0].rstrip(":")

    @property
    def anchors(self) -> frozenset[str]:
        return frozenset(section.anchor for section in self.sections if section.anchor)

    @property
    def contents(self) -> tuple[Section, ...]:
        """What the table of contents names."""
        return tuple(section for section in self.sections if section.level in (2, 3))


def rendered(text: str, documents: frozenset[str]) -> Rendered:
    """Markdown as a page; `documents` are the names that links between documents may have."""
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=HtmlBlocks).enable("table").disable("image")
    tokens = parser.parse(text)
    _give_anchors(tokens)
    sections = _sections(tokens)
    links.rewrite(tokens, documents)
    title_ends = next((place + 1 for place, token in enumerate(tokens) if token.type == "heading_close"), 0)
    body = tokens[title_ends:] if sections[0].level == 1 else tokens
    cleaned = nh3.clean(
        parser.renderer.render(body, parser.options, {}),
        tags=_ELEMENTS,
        attributes=_ATTRIBUTES,
        clean_content_tags={"script", "style"},
        url_schemes={"http", "https"},
        link_rel=None,
    )
    return Rendered(sections[0].title, mark_safe(cleaned), sections)  # noqa: S308 - nh3 let nothing else through


def anchor_of(title: str) -> str:
    """The anchor of a heading, as code hosts make it: links in the files work here and there."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _give_anchors(tokens: list[Token]) -> None:
    seen: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            anchor = anchor_of(tokens[place + 1].content)
            seen[anchor] = seen.get(anchor, -1) + 1
            token.attrSet("id", f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)


def _sections(tokens: list[Token]) -> tuple[Section, ...]:
    """Return the sections. What comes before the first heading belongs to the title."""
    found: list[tuple[int, str, str, list[str], list[str]]] = [(1, "", "", [], [])]
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            level, title = int(token.tag[1]), plain(tokens[place + 1])
            if level == 1 and not found[0][1]:
                found[0] = (1, title, "", *found[0][3:])
            else:
                found.append((level, title, str(token.attrGet("id")), [], []))
        elif token.type == "fence":
            found[-1][4].append(plain(token))
        elif token.type == "inline" and tokens[place - 1].type != "heading_open":
            found[-1][3].append(plain(token))
    return tuple(
        Section(level, title, anchor, "\n".join(texts), "\n".join(codes))
        for level, title, anchor, texts, codes in found
    )


def plain(token: Token) -> str:
    """What a reader sees of a token, without marks."""
    if token.type == "fence":
        return " ".join(token.content.split())
    parts = (" " if each.type in {"softbreak", "hardbreak"} else each.content for each in token.children or ())
    return " ".join("".join(parts).split())

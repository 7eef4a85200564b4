"""Markdown documents as HTML, with the plain text of their sections.

markdown-it-py renders without raw HTML and pictures, and nh3 then removes all elements that are not in a short list. We
wrote the files ourselves, but the safety of a page must not depend on that.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import nh3
from django.urls import Resolver404, resolve, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

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
    rewrite(tokens, documents)
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


# --- Blocks -----------------------------------------------------------------------------------------------------------
# Tables scroll in themselves, and code has a button to copy it.

_PROMPT = "$ "


class HtmlBlocks(RendererHTML):
    """The renderer of markdown-it-py with the site's tables, headings and blocks of code."""

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        heads = []
        for place in range(idx, len(tokens)):
            if tokens[place].type == "thead_close":
                break
            if tokens[place].type == "inline":
                heads.append(tokens[place].content.replace("`", ""))
        label = ", ".join(filter(None, heads)) or "Table"
        frame = f'<div class="scroll whole" role="group" aria-label="{escape(label)}" tabindex="0">'
        return f'{frame}<table class="data">\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return "</table></div>\n"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """A link to the heading itself stands after its words."""
        anchor, words = tokens[idx - 2].attrGet("id"), tokens[idx - 1].content.replace("`", "")
        link = f' <a class="to-heading" href="#{escape(anchor)}" aria-label="Link to “{escape(words)}”">#</a>'
        return f"{link}</{tokens[idx].tag}>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """Prompts are drawn and not written, so that nobody copies them."""
        lines = tokens[idx].content.rstrip("\n").split("\n")
        shown = "\n".join(_line(line) for line in lines)
        name = f"code-{idx}"
        kind = tokens[idx].info.split(" ")[0]
        label = {"text": "What is printed", "": "Example", "sh": "Shell", "bash": "Shell"}.get(kind, kind.capitalize())
        button = f'<button type="button" class="btn btn-quiet copy" data-copy="{name}" hidden>Copy</button>'
        if kind == "text":  # what is printed, and nothing to run
            button = ""
        return (
            f'<div class="code">{button}<pre tabindex="0" role="group" aria-label="{escape(label)}">'
            f'<code id="{name}">{shown}</code></pre></div>\n'
        )


def _line(line: str) -> str:
    if line.startswith(_PROMPT):
        return f'<span class="prompt">{escape(line.removeprefix(_PROMPT))}</span>'
    return escape(line)


# --- Links ------------------------------------------------------------------------------------------------------------
# They lead to documents and pages of the site, never to a file that nobody can open here.

_HERE = "docs/users"
_EXAMPLES = f"{_HERE}/examples"
_SERVED = {"docs/api/openapi.yaml": "api:schema"}
"""Files of the project that have an address of their own."""
_ADDRESS = re.compile(r"/(?:[\w.\-]+/)*[\w.\-]*")


def rewrite(tokens: list[Token], documents: frozenset[str]) -> None:
    """Give every link its address on the site; addresses of pages that stand as code become links, too."""
    for token in tokens:
        if token.type == "inline":
            token.children = list(_rewritten(token.children or [], documents))


def target(href: str, documents: frozenset[str]) -> str | None:
    """The address of a link on the site; None where it leads to a file of the project that the site does not show."""
    if href.startswith(("http://", "https://", "#")):
        return href
    path, _, anchor = href.partition("#")
    file = posixpath.normpath(posixpath.join(_HERE, path))
    folder, name = posixpath.split(file)
    if folder == _HERE and name.removesuffix(".md") in documents:
        return reverse("document", args=[name.removesuffix(".md")]) + (f"#{anchor}" if anchor else "")
    if folder == _EXAMPLES:
        return reverse("docs-example", args=[name])
    return reverse(_SERVED[file]) if file in _SERVED else None


def _rewritten(children: list[Token], documents: frozenset[str]) -> Iterator[Token]:
    within, missing = False, ""
    for child in children:
        if child.type == "link_open":
            href = str(child.attrGet("href"))
            address = target(href, documents)
            within, missing = True, "" if address else posixpath.normpath(posixpath.join(_HERE, href.partition("#")[0]))
            if address:
                child.attrSet("href", address)
                yield child
        elif child.type == "link_close":
            if missing:
                yield Token("text", "", 0, content=f" ({missing} in the project’s folder)")
            else:
                yield child
            within = False
        elif child.type == "code_inline" and not within and _is_page(child.content):
            yield Token("link_open", "a", 1, attrs={"href": child.content})
            yield child
            yield Token("link_close", "a", -1)
        else:
            yield child


def _is_page(words: str) -> bool:
    """Whether a piece of code is the address of a page anybody may ask for, such as ``/measures/``."""
    if words == "/" or not _ADDRESS.fullmatch(words):
        return False
    try:
        found = resolve(words)
    except Resolver404:
        return False
    return not found.kwargs

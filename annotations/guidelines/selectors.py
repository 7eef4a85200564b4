"""A collection's guidelines as HTML, and the changes between two versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest
from typing import Literal, NamedTuple

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from accounts.person import Person
from annotations.models import Collection, GuidelinesReader, GuidelinesVersion
from qc4.records import Record

_HEADING_OFFSET = 2
"""Heading levels already used by the page and its panel, so that headings in the text start at level 3."""
_LOWEST_HEADING = 6
_ELEMENTS = {
    *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_DROPPED_WITH_CONTENT = {"script", "style"}


def latest_guidelines(collection: Collection) -> GuidelinesVersion | None:
    """Return the current version, or None if there are no guidelines."""
    return collection.guidelines.select_related("created_by").order_by("-number").first()


def last_read_number(collection: Collection, person: Person) -> int:
    """Return the latest version that this person has read, or 0."""
    readers = GuidelinesReader.objects.filter(collection=collection, user=person.pk)
    return readers.order_by().values_list("number", flat=True).first() or 0


@lru_cache(maxsize=64)
def render_markdown(text: str) -> SafeString:
    """Render Markdown as safe HTML: no scripts, no pictures, links to http(s) only and with ``rel``.

    Results are cached, because a malicious text of only brackets takes seconds to render.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + _HEADING_OFFSET, _LOWEST_HEADING)}"
    cleaned = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_ELEMENTS,
        attributes=_ATTRIBUTES,
        clean_content_tags=_DROPPED_WITH_CONTENT,
        url_schemes={"http", "https"},
        url_relative="deny",
        link_rel="noopener noreferrer",
    )
    return mark_safe(cleaned)  # noqa: S308 - nh3 let through nothing but the list above


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


# --- Changes between two versions -------------------------------------------------------------------------------------

Kind = Literal["same", "added", "removed"]
_CONTEXT_LINES = 2
"""Number of unchanged lines shown before and after a change."""
_MIN_EQUAL_WORDS = 0.4
"""Minimum share of equal words for two lines to count as one reworded line."""
_MAX_LINE_WORDS = 1_000
"""Maximum number of words of a line that is compared word by word."""


class Part(NamedTuple):
    """A piece of a line."""

    kind: Kind
    text: str


class Line(NamedTuple):
    """A line of the difference. A reworded line has several parts, and a line without parts marks omitted lines."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class GuidelinesNews(Record):
    """The guidelines and their changes.

    Attributes:
        number: the number of the current version; 0 if there are no guidelines.
        read: the latest version that you have read; 0 for none.
        since: the version compared with; 0 for none.
        html: the sanitised text, without scripts or pictures and with links to http(s) only.
        lines: the difference; empty if nothing changed.
    """

    number: int
    read: int
    since: int
    html: str
    lines: list[Line]


def news(collection: Collection, person: Person, since: int | None = None) -> GuidelinesNews:
    """Return the guidelines and their difference from a version, by default the latest that this person has read."""
    now, read = latest_guidelines(collection), last_read_number(collection, person)
    if now is None:
        return GuidelinesNews(0, read, 0, "", [])
    chosen = collection.guidelines.filter(number=read if since is None else since).first()
    lines = list(difference(chosen.text, now.text)) if chosen else []
    html = render_markdown(now.text)[:]  # a plain str, which templates escape
    return GuidelinesNews(now.number, read, chosen.number if chosen else 0, html, lines)


@lru_cache(maxsize=64)
def difference(old: str, new: str) -> tuple[Line, ...]:
    """Return the changed lines, each with a few unchanged lines around it."""
    before, after = old.splitlines(), new.splitlines()
    lines: list[Line] = []
    for group in SequenceMatcher(None, before, after).get_grouped_opcodes(_CONTEXT_LINES):
        if lines or group[0][1] > 0:
            lines.append(Line(()))
        for tag, start, end, to_start, to_end in group:
            if tag == "equal":
                lines += [Line((Part("same", line),)) for line in after[to_start:to_end]]
            else:
                lines += _replaced(before[start:end], after[to_start:to_end])
    return tuple(lines)


def _replaced(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    """Pair removed lines with added ones. A pair with enough words in common becomes one reworded line."""
    for old, new in zip_longest(before, after):
        reworded = _reworded(old, new) if old and new else None
        if reworded:
            yield reworded
            continue
        if old is not None:
            yield Line((Part("removed", old),))
        if new is not None:
            yield Line((Part("added", new),))


def _reworded(old: str, new: str) -> Line | None:
    """Merge two lines into one reworded line, or return None if they have too few words in common."""
    before, after = (re.findall(r"\w+\s*|[^\w\s]\s*|\s+", line) for line in (old, new))
    if max(len(before), len(after)) > _MAX_LINE_WORDS:
        return None
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < _MIN_EQUAL_WORDS:
        return None
    parts = []
    for tag, start, end, to_start, to_end in matcher.get_opcodes():
        if tag == "equal":
            parts.append(Part("same", "".join(before[start:end])))
            continue
        if end > start:
            parts.append(Part("removed", "".join(before[start:end])))
        if to_end > to_start:
            parts.append(Part("added", "".join(after[to_start:to_end])))
    return Line(tuple(parts))

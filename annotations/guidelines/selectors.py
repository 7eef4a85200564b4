"""A collection's guidelines as HTML, and what changed between two versions."""

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

_BELOW = 2
"""The page has the first heading and its panel the second; those of the text start on the third level."""
_LOWEST = 6
_ELEMENTS = {
    *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_DROPPED_WITH_CONTENT = {"script", "style"}


def latest(collection: Collection) -> GuidelinesVersion | None:
    """The version that counts; None while nobody wrote one."""
    return collection.guidelines.select_related("created_by").order_by("-number").first()


def read_number(collection: Collection, person: Person) -> int:
    """The version somebody read last; 0 for none."""
    readers = GuidelinesReader.objects.filter(collection=collection, user=person.pk)
    return readers.order_by().values_list("number", flat=True).first() or 0


@lru_cache(maxsize=64)
def rendered(text: str) -> SafeString:
    """Markdown as HTML that cannot do anything: no scripts, no pictures, links to http(s) only, with ``rel``.

    Kept, because a text of nothing but brackets takes seconds, and every reader would wait for it.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + _BELOW, _LOWEST)}"
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
_AROUND = 2
"""Unchanged lines shown on either side of a change."""
_ALIKE = 0.4
"""From which share of equal words on two lines count as one that was reworded."""
_WORDS = 1_000
"""Words of a line up to which it is compared word by word."""


class Part(NamedTuple):
    """A piece of a line."""

    kind: Kind
    text: str


class Line(NamedTuple):
    """A line of the difference: of one piece, or of several where it was reworded. One without any stands for
    unchanged lines that are left out."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class GuidelinesNews(Record):
    """The guidelines, and what is new in them.

    Attributes:
        number: of the version that counts; 0 while nobody wrote one.
        read: the version you read last; 0 for none.
        since: the version compared with; 0 for none.
        html: sanitised: no scripts, no pictures, links to http(s) only.
        lines: the difference; empty where nothing changed.
    """

    number: int
    read: int
    since: int
    html: str
    lines: list[Line]


def news(collection: Collection, person: Person, since: int | None = None) -> GuidelinesNews:
    """The guidelines, and how they differ from a version: by default the one this person read last."""
    now, read = latest(collection), read_number(collection, person)
    if now is None:
        return GuidelinesNews(0, read, 0, "", [])
    chosen = collection.guidelines.filter(number=read if since is None else since).first()
    lines = list(difference(chosen.text, now.text)) if chosen else []
    html = rendered(now.text)[:]  # a text like any other: no template has to trust it
    return GuidelinesNews(now.number, read, chosen.number if chosen else 0, html, lines)


@lru_cache(maxsize=64)
def difference(old: str, new: str) -> tuple[Line, ...]:
    """The lines that changed, each with a few unchanged ones around it."""
    before, after = old.splitlines(), new.splitlines()
    lines: list[Line] = []
    for group in SequenceMatcher(None, before, after).get_grouped_opcodes(_AROUND):
        if lines or group[0][1] > 0:
            lines.append(Line(()))
        for tag, start, end, to_start, to_end in group:
            if tag == "equal":
                lines += [Line((Part("same", line),)) for line in after[to_start:to_end]]
            else:
                lines += _replaced(before[start:end], after[to_start:to_end])
    return tuple(lines)


def _replaced(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    """Lines in the place of others: side by side where one is another, reworded."""
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
    """One line out of two that have enough words in common."""
    before, after = (re.findall(r"\w+\s*|[^\w\s]\s*|\s+", line) for line in (old, new))
    if max(len(before), len(after)) > _WORDS:
        return None
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < _ALIKE:
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

"""What the page says before a draft is published: its issues and open pages, each with the way to it in the draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from annotations.drafts.state_machine.issues import Issue
from annotations.models import Draft
from evaluation.selectors.publication import Publication
from qc4.wording import counted

SHOWN_PAGES = 5
RULES = {
    "R1": "every page is in a topic of each level, or an outlier",
    "R3": "the subtopics of a topic hold all its pages",
    "R4": "no topic is empty",
    "R6": "topics beside each other differ in their names",
}
"""The rules of a gold standard that a draft can break; the others hold in every draft."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to look at.

    Attributes:
        rule, rule_words: which rule it breaks, "" for none.
        address: where it is in the draft.
        pages: (title, address in the draft) of the first pages it is about; ``more`` counts the others.
        fix: what the draft's list of issues offers to do about it.
    """

    message: str
    address: str
    pages: tuple[tuple[str, str], ...]
    more: int
    rule: str = ""
    rule_words: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What keeps the draft from being published, and what is allowed, but worth a look."""

    errors: tuple[Line, ...]
    worth_a_look: tuple[Line, ...]


def words(draft: Draft, found: Publication) -> Words:
    """The lines of the page."""
    titles = {page.id: page.title or page.id for page in found.document.pages}
    errors = [_issue(draft, titles, issue) for issue in found.issues if issue.is_error]
    warnings = [_issue(draft, titles, issue) for issue in found.issues if not issue.is_error]
    opened = found.open_pages
    queues = (
        ("flagged", opened.flagged, "flagged for later"),
        ("stale", opened.stale, "placed before a topic of theirs was changed, and not confirmed since"),
        ("suggested", opened.suggested, "with a suggestion that nobody accepted or rejected; it is left out"),
    )
    left = [
        _line(draft, titles, f"{counted(len(pages), 'page')} {what}.", pages, queue=name)
        for name, pages, what in queues
        if pages
    ]
    return Words(tuple(errors), (*left, *warnings))


def _issue(draft: Draft, titles: Mapping[str, str], issue: Issue) -> Line:
    rule = {"rule": issue.rule, "rule_words": RULES.get(issue.rule, ""), "fix": issue.fix_label}
    return _line(draft, titles, issue.message, issue.pages, rule, **_place(issue))


def _place(issue: Issue) -> dict[str, str]:
    if issue.code == "page-without-topic":
        return {"queue": f"level-{issue.level}"}
    if issue.code == "page-without-subtopic":
        return {"queue": "between"}
    return {"topic": issue.topic} if issue.topic else {}


def _line(
    draft: Draft,
    titles: Mapping[str, str],
    message: str,
    pages: Sequence[str],
    rule: Mapping[str, str] | None = None,
    **place: str,
) -> Line:
    shown = tuple((titles[page], _address(draft, **place, page=page)) for page in pages[:SHOWN_PAGES])
    return Line(message, _address(draft, **place), shown, len(pages) - len(shown), **(rule or {}))


def _address(draft: Draft, **place: str) -> str:
    """The draft, opened at a queue or topic, and a page."""
    address = reverse("draft", args=[draft.pk])
    return f"{address}?{urlencode(place)}" if place else address

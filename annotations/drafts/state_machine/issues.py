"""Issues that prevent publication, or deserve a second look; each with its place and, if possible, a fix.

The rules are those of `qc4.model.rules`, applied to plain sets because they are checked after every change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotations.drafts.state_machine.state import DraftState, Pages
from qc4.records import Record
from qc4.text import name_key
from qc4.wording import counted, quoted


@dataclass(frozen=True, slots=True)
class Issue(Record):
    """An error, which prevents publication, or a warning about something unusual.

    Attributes:
        code: the code that `qc4.model.rules` uses.
        rule: "R1" to "R6", or "" if no rule is broken.
        topic, level, pages: the place; pages in the order of the page list.
        fix: an operation that repairs it; ``fix_label`` is the text of its button.
    """

    code: str
    rule: str
    severity: str
    topic: str | None
    level: int | None
    pages: tuple[str, ...]
    message: str
    fix: dict[str, Any] | None = None
    fix_label: str = ""

    @property
    def is_error(self) -> bool:
        """True if it prevents publication. Only these are counted as issues on pages."""
        return self.severity == "error"


class AcceptedTopics:
    """The topics of a state without suggestions, with their spans of levels and all their pages."""

    def __init__(self, state: DraftState) -> None:
        self.state = state
        self.first, self.last = state.outline.first, state.outline.last
        self.n_levels, self.children = state.outline.n_levels, state.outline.children
        self.held = state.all_pages_in()

    @cached_property
    def placed(self) -> list[Pages]:
        """For each level from 1, the pages that are outliers or in a topic on that level."""
        on: list[list[Pages]] = [[] for _ in range(self.n_levels)]
        for topic, first in self.first.items():
            for level in range(first, self.last[topic] + 1):
                on[level - 1].append(self.held[topic])
        return [self.state.outliers.union(*held) for held in on]

    @cached_property
    def left_over(self) -> dict[str, Pages]:
        """Topic with subtopics -> its pages that are in none of them; topics without such pages are omitted."""
        rest = {
            topic: self.held[topic].difference(*(self.held[child] for child in below))
            for topic, below in self.children.items()
        }
        return {topic: pages for topic, pages in rest.items() if pages}


def issues(state: DraftState, figures: AcceptedTopics | None = None) -> list[Issue]:
    """Return errors first, then warnings; each kind in tree order.

    There is an error if and only if `qc4.model.rules.check` finds one in the draft's document.
    """
    figures = figures or AcceptedTopics(state)
    if not state.pages:
        return [Issue("no-pages", "", "error", None, None, (), "The query has no pages.")]
    if not figures.first and not state.outliers:
        rest = {"kind": "rest_outliers"}
        message = "Nothing is placed yet: there are neither topics nor outliers."
        return [Issue("no-gold", "", "error", None, None, (), message, rest, "Make all pages outliers")]
    errors = [*_unplaced(figures), *_left_over(figures), *_empty(figures), *_duplicate_names(figures)]
    return [*errors, *_odd_sizes(figures), *_same_pages(figures)]


def _unplaced(figures: AcceptedTopics) -> Iterator[Issue]:
    state = figures.state
    missing = tuple(page for page in state.pages if page not in figures.placed[0])
    if missing:
        message = f"{counted(len(missing), 'page')} in no topic, and not outliers."
        fix = {"kind": "rest_outliers"}
        yield Issue("page-without-topic", "R1", "error", None, 1, missing, message, fix, "Make them outliers")


def _left_over(figures: AcceptedTopics) -> Iterator[Issue]:
    for topic, pages in figures.left_over.items():
        level = figures.last[topic] + 1
        nowhere = pages - figures.placed[level - 1]
        for code, rule, lacking in (
            ("page-without-topic", "R1", nowhere),
            ("page-without-subtopic", "R3", pages - nowhere),
        ):
            if lacking:
                yield _left_over_issue(figures.state, topic, level, code, rule, lacking)


def _left_over_issue(state: DraftState, topic: str, level: int, code: str, rule: str, pages: Pages) -> Issue:
    name = state.topics[topic].name
    message = f"{counted(len(pages), 'page')} of {quoted(name)} in none of its subtopics."
    fix = {"kind": "fill_other", "topic": topic}
    label = f"Put the rest into {quoted(f'{name} (other)')}"
    return Issue(code, rule, "error", topic, level, tuple(state.ordered(pages)), message, fix, label)


def _empty(figures: AcceptedTopics) -> Iterator[Issue]:
    for topic, level in figures.first.items():
        if not figures.held[topic]:
            message = f"{quoted(figures.state.topics[topic].name)} holds no pages."
            fix = {"kind": "delete_topic", "topic": topic, "children": "lift", "pages": "unplace"}
            yield Issue("empty-topic", "R4", "error", topic, level, (), message, fix, "Delete the empty topic")


def _duplicate_names(figures: AcceptedTopics) -> Iterator[Issue]:
    for first, *others in _twins(figures):
        message = f"{len(others) + 1} sibling topics are named {quoted(figures.state.topics[first].name)}."
        fix = {"kind": "merge", "topics": others, "into": first}
        level = figures.first[first]
        yield Issue("duplicate-name", "R6", "error", others[0], level, (), message, fix, "Merge them")


def _twins(figures: AcceptedTopics) -> Iterator[list[str]]:
    """Return groups of sibling topics that have the same name, in tree order."""
    siblings: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for topic in figures.first:
        known = figures.state.topics[topic]
        siblings[known.parent, name_key(known.name)].append(topic)
    return (same for same in siblings.values() if len(same) > 1)


def _odd_sizes(figures: AcceptedTopics) -> Iterator[Issue]:
    for topic, level in figures.first.items():
        pages, name = figures.held[topic], quoted(figures.state.topics[topic].name)
        if len(pages) == len(figures.state.pages):
            message = f"{name} holds every page: no cluster can do better than chance on it."
            yield Issue("topic-holds-all", "", "warning", topic, level, (), message)
        if len(pages) == 1:
            yield Issue("topic-of-one-page", "", "warning", topic, level, tuple(pages), f"{name} holds one page only.")


def _same_pages(figures: AcceptedTopics) -> Iterator[Issue]:
    """Yield one warning per topic with the same pages as an earlier topic on a level that both are on."""
    earlier: dict[tuple[Pages, int], str] = {}
    for topic, first in figures.first.items():
        pages = figures.held[topic]
        span = range(first, figures.last[topic] + 1)
        twin = next(((level, earlier[pages, level]) for level in span if (pages, level) in earlier), None)
        if pages and twin is not None:
            level, other = twin
            names = [quoted(figures.state.topics[each].name) for each in (topic, other)]
            message = f"{names[0]} has the same pages as {names[1]} on level {level}."
            yield Issue("same-pages", "", "warning", topic, level, tuple(figures.state.ordered(pages)), message)
        for level in span:
            earlier.setdefault((pages, level), topic)

"""The progress of a draft: pages placed on each level, open decisions, and issues."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.drafts.state_machine.issues import AcceptedTopics, Issue, issues
from annotations.drafts.state_machine.state import NO_PAGES, DraftState, Pages
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of pages (``placed`` of ``total``) that are in a topic of the level, or outliers, which are placed on
    every level."""

    level: int
    placed: int
    total: int


@dataclass(frozen=True, slots=True)
class Progress(Record):
    """The progress of one draft.

    Attributes:
        levels: coverage of each level, from 1.
        topics: number of topics, without suggestions.
        left_over: topic id -> number of its pages that are in none of its children; topics without such pages are
            omitted.
        suggested: number of pages with an undecided suggestion; ``suggested_topics`` likewise.
        stale: number of pages in a topic whose meaning changed after a person last looked at them.
    """

    levels: tuple[Coverage, ...]
    topics: int
    outliers: int
    left_over: dict[str, int]
    suggested: int
    suggested_topics: int
    flagged: int
    stale: int
    issues: tuple[Issue, ...]

    @property
    def errors(self) -> tuple[Issue, ...]:
        """The issues that prevent publication."""
        return tuple(issue for issue in self.issues if issue.is_error)


def progress(state: DraftState) -> Progress:
    """Return the progress of a state. Suggestions are not counted among its topics and pages."""
    figures = AcceptedTopics(state)
    total = len(state.pages)
    return Progress(
        levels=tuple(Coverage(level, len(placed), total) for level, placed in enumerate(figures.placed, 1)),
        topics=len(figures.first),
        outliers=len(state.outliers),
        left_over={topic: len(pages) for topic, pages in figures.left_over.items()},
        suggested=len(NO_PAGES.union(*state.hints.values())),
        suggested_topics=len(state.topics) - len(figures.first),
        flagged=len(state.flags),
        stale=len(stale_pages(state)),
        issues=tuple(issues(state, figures)),
    )


def stale_pages(state: DraftState) -> Pages:
    """Return pages whose finest topic changed its meaning after a person last placed or confirmed them."""
    touched = state.touched
    return NO_PAGES.union(
        *(
            [page for page in state.members_of(topic) if touched.get(page, 0) < revision]
            for topic, revision in state.changed.items()
        )
    )

"""The clusterings that a draft may start from, and what publishing a draft would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.db.models import F
from django.urls import reverse

from accounts.person import Person
from annotations.collections.selectors import page_list
from annotations.drafts.selectors.states import current
from annotations.drafts.state_machine import DraftState, from_document, progress, to_document
from annotations.drafts.state_machine.difference import Difference, difference
from annotations.drafts.state_machine.issues import Issue
from annotations.drafts.state_machine.progress import stale_pages
from annotations.gold.selectors import latest_golds, read, size_problems
from annotations.limits import TOLD_TOPICS
from annotations.models import Draft, Gold, Query
from evaluation.access import visible_submissions
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.gold.selectors import Rescoring, rescoring
from evaluation.models import Submission
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import check
from qc4.problems import BySeverity, Problem
from qc4.records import Record
from qc4.wording import counted

Choices = list[tuple[str, str]]


def clusterings_to_start_from(person: Person, query: Query) -> list[Submission]:
    """What this person may see and what has clusters of this query, with their number as ``n_clusters``; latest first.

    Without what was made from the gold standard: its topics would tell the answer to who is to find one of their own.
    """
    answers = visible_submissions(person, query.collection).filter(
        clusterings__query=query, clusterings__n_clusters__gt=0
    )
    answers = answers.exclude(algorithm__baseline__in=MADE_FROM_GOLD).annotate(n_clusters=F("clusterings__n_clusters"))
    return list(answers.select_related("algorithm").order_by("-pk"))


def grouped(submissions: list[Submission]) -> list[tuple[str, Choices]]:
    """The same as choices of a form: algorithms before baselines, which are marked as such."""
    groups = [
        ("Algorithms", [each for each in submissions if not each.algorithm.baseline]),
        ("Baselines", [each for each in submissions if each.algorithm.baseline]),
    ]
    return [(title, [(str(each.pk), _words(each)) for each in held]) for title, held in groups if held]


def _words(submission: Submission) -> str:
    n_clusters: int = submission.n_clusters  # type: ignore[attr-defined]  # annotated above
    parts = [submission.algorithm.name, f"#{submission.pk}", f"{n_clusters} cluster{'' if n_clusters == 1 else 's'}"]
    if submission.seed is not None:
        parts.append(f"seed {submission.seed}")
    if submission.algorithm.baseline:
        parts.append("baseline")
    return " · ".join(parts)


# What publishing a draft would do: which rules it breaks, what differs from the last version, what is scored anew.


@dataclass(frozen=True, slots=True)
class OpenPages(Record):
    """What somebody left to look at again: page ids in the order of the page list. Publishing allows it.

    Attributes:
        flagged: marked for later.
        stale: in a topic whose meaning changed after a person last looked at them.
        suggested: with a suggestion nobody decided about; suggestions are left out.
    """

    flagged: tuple[str, ...]
    stale: tuple[str, ...]
    suggested: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Publication(BySeverity):
    """A draft at one revision, ready to be published or not. What takes time is found out when it is asked for.

    Attributes:
        revision: of the draft; publishing names it, so that nobody publishes what they have not seen.
        state: the draft's.
        document: what would be published; the published one itself, byte for byte, where the draft says the same.
        previous: the query's gold standard in the latest version, None if it has none; ``old`` is its document.
        rescoring: what is scored anew once it is published.
    """

    revision: int
    state: DraftState
    document: GoldDocument
    previous: Gold | None
    old: GoldDocument | None
    rescoring: Rescoring

    @cached_property
    def problems(self) -> list[Problem]:
        """What keeps it from being published (errors), and what is allowed, but worth a look (warnings)."""
        return [*size_problems(self.document), *check(self.document)]

    @property
    def sorted_problems(self) -> tuple[Problem, ...]:
        """The errors first."""
        return (*self.errors, *self.warnings)

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """The same errors and warnings in the words of the draft's own list of issues."""
        return progress(self.state).issues

    @cached_property
    def open_pages(self) -> OpenPages:
        """What is flagged, stale or suggested still; worth a look, too."""
        suggested = set[str]().union(*self.state.hints.values())
        left = (self.state.flags, stale_pages(self.state), suggested)
        return OpenPages(*(tuple(self.state.ordered(pages)) for pages in left))

    @property
    def suggestions(self) -> int:
        """Suggested memberships nobody accepted; they are left out."""
        return sum(len(pages) for pages in self.state.hints.values())

    @property
    def too_large(self) -> bool:
        """Whether there are too many topics to tell what changes."""
        return self.old is not None and max(len(self.old.topics), len(self.document.topics)) > TOLD_TOPICS

    @cached_property
    def difference(self) -> Difference | None:
        """From the previous gold standard, None where there is none, or too much of it."""
        return None if self.old is None or self.too_large else difference(self.old, self.document)

    @property
    def changes_nothing(self) -> bool:
        """Whether the latest version says the same already."""
        return self.document is self.old if self.too_large else self.difference is not None and not self.difference


def publication(draft: Draft) -> Publication:
    """What publishing this draft (already checked) would do now."""
    known = current(draft)
    new = to_document(known.state, page_list(draft.query))
    previous = latest_golds(draft.query.collection).get(draft.query_id)
    old = read(previous) if previous is not None else None
    document = old if old is not None and _same(old, new) else new
    return Publication(known.revision, known.state, document, previous, old, rescoring(draft.query.collection))


def _same(old: GoldDocument, new: GoldDocument) -> bool:
    """Whether two documents hold the same hierarchy: files may order and abridge it differently."""
    told = to_document(from_document(old), new)
    # Most that differ do so soon; what seems equal may still say 1 where the other says 1.0.
    return told == new and write_gold(told) == write_gold(new)


# What the page says before a draft is published: its issues and open pages, each with the way to it in the draft.

SHOWN_PAGES = 5
RULES = {
    "R1": "every page is in a topic of each level, or an outlier",
    "R3": "the subtopics of a topic hold all its pages",
    "R4": "no topic is empty",
    "R6": "topics beside each other differ in their names",
}
"""The rules of a gold standard that a draft can break; the others hold in every draft."""


@dataclass(frozen=True, slots=True)
class IssueLine:
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
class PublicationWords:
    """What keeps the draft from being published, and what is allowed, but worth a look."""

    errors: tuple[IssueLine, ...]
    worth_a_look: tuple[IssueLine, ...]


def publication_words(draft: Draft, found: Publication) -> PublicationWords:
    """The lines of the page."""
    titles = {page.id: page.title or page.id for page in found.document.pages}
    errors = [_words_of_issue(draft, titles, issue) for issue in found.issues if issue.is_error]
    warnings = [_words_of_issue(draft, titles, issue) for issue in found.issues if not issue.is_error]
    opened = found.open_pages
    queues = (
        ("flagged", opened.flagged, "flagged for later"),
        ("stale", opened.stale, "placed before a topic of theirs was changed, and not confirmed since"),
        ("suggested", opened.suggested, "with a suggestion that nobody accepted or rejected; it is left out"),
    )
    left = [
        _issue_line(draft, titles, f"{counted(len(pages), 'page')} {what}.", pages, queue=name)
        for name, pages, what in queues
        if pages
    ]
    return PublicationWords(tuple(errors), (*left, *warnings))


def _words_of_issue(draft: Draft, titles: Mapping[str, str], issue: Issue) -> IssueLine:
    rule = {"rule": issue.rule, "rule_words": RULES.get(issue.rule, ""), "fix": issue.fix_label}
    return _issue_line(draft, titles, issue.message, issue.pages, rule, **_place(issue))


def _place(issue: Issue) -> dict[str, str]:
    if issue.code == "page-without-topic":
        return {"queue": f"level-{issue.level}"}
    if issue.code == "page-without-subtopic":
        return {"queue": "between"}
    return {"topic": issue.topic} if issue.topic else {}


def _issue_line(
    draft: Draft,
    titles: Mapping[str, str],
    message: str,
    pages: Sequence[str],
    rule: Mapping[str, str] | None = None,
    **place: str,
) -> IssueLine:
    shown = tuple((titles[page], _address(draft, **place, page=page)) for page in pages[:SHOWN_PAGES])
    return IssueLine(message, _address(draft, **place), shown, len(pages) - len(shown), **(rule or {}))


def _address(draft: Draft, **place: str) -> str:
    """The draft, opened at a queue or topic, and a page."""
    address = reverse("draft", args=[draft.pk])
    return f"{address}?{urlencode(place)}" if place else address

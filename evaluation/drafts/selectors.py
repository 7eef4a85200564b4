"""The clusterings that a draft can start from, and the effects of publishing a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.db.models import F
from django.urls import reverse

from accounts.person import Person
from annotations.collections.selectors import page_list_document
from annotations.drafts.selectors.states import current
from annotations.drafts.state_machine import DraftState, from_document, progress, to_document
from annotations.drafts.state_machine.difference import Difference, difference
from annotations.drafts.state_machine.issues import Issue
from annotations.drafts.state_machine.progress import stale_pages
from annotations.gold.selectors import latest_golds, load_gold_document, size_problems
from annotations.limits import COMPARED_VERSION_TOPICS
from annotations.models import Draft, Gold, Query
from evaluation.access import visible_submissions
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.gold.selectors import Rescoring, rescoring
from evaluation.models import Submission
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import check
from qc4.problems import Problem, SeverityMixin
from qc4.records import Record
from qc4.wording import counted

Choices = list[tuple[str, str]]


def clusterings_to_start_from(person: Person, query: Query) -> list[Submission]:
    """The submissions with clusters of this query that this person may see, the latest first.

    Each has its number of clusters as ``n_clusters``. Submissions made from the gold standard are excluded: their
    clusters would reveal the topics to a person who should find them independently.
    """
    answers = visible_submissions(person, query.collection).filter(
        clusterings__query=query, clusterings__n_clusters__gt=0
    )
    answers = answers.exclude(algorithm__baseline__in=MADE_FROM_GOLD).annotate(n_clusters=F("clusterings__n_clusters"))
    return list(answers.select_related("algorithm").order_by("-pk"))


def grouped(submissions: list[Submission]) -> list[tuple[str, Choices]]:
    """The same submissions as grouped form choices: algorithms first, followed by baselines."""
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


# --- The effects of publishing a draft: broken rules, differences from the last version, submissions to score again ---


@dataclass(frozen=True, slots=True)
class OpenPages(Record):
    """Ids of pages that someone left to check again, in the order of the page list. Publishing is allowed nevertheless.

    Attributes:
        flagged: pages marked for later.
        stale: pages in a topic whose meaning changed after a person last checked them.
        suggested: pages with a suggestion that nobody decided about; suggestions are not published.
    """

    flagged: tuple[str, ...]
    stale: tuple[str, ...]
    suggested: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Publication(SeverityMixin):
    """A draft at one revision, and the effects of publishing it. Expensive attributes are computed on access.

    Attributes:
        revision: the draft's revision; publishing names it, so that nobody publishes changes they have not seen.
        state: the draft's state.
        document: the document to publish; the published document itself, byte for byte, if the draft is equal to it.
        previous: the query's gold standard in the latest version, or None; ``old`` is its document.
        rescoring: the submissions to score again after publishing.
    """

    revision: int
    state: DraftState
    document: GoldDocument
    previous: Gold | None
    old: GoldDocument | None
    rescoring: Rescoring

    @cached_property
    def problems(self) -> list[Problem]:
        """The problems that prevent publishing (errors), and those that do not (warnings)."""
        return [*size_problems(self.document), *check(self.document)]

    @property
    def sorted_problems(self) -> tuple[Problem, ...]:
        """The problems, with errors first."""
        return (*self.errors, *self.warnings)

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """The same errors and warnings, in the wording of the draft's own list of issues."""
        return progress(self.state).issues

    @cached_property
    def open_pages(self) -> OpenPages:
        """The pages that are still flagged, stale or suggested."""
        suggested = set[str]().union(*self.state.hints.values())
        left = (self.state.flags, stale_pages(self.state), suggested)
        return OpenPages(*(tuple(self.state.ordered(pages)) for pages in left))

    @property
    def suggestions(self) -> int:
        """Number of suggested memberships that nobody accepted; they are not published."""
        return sum(len(pages) for pages in self.state.hints.values())

    @property
    def too_large(self) -> bool:
        """True if there are too many topics to show the changes."""
        return self.old is not None and max(len(self.old.topics), len(self.document.topics)) > COMPARED_VERSION_TOPICS

    @cached_property
    def difference(self) -> Difference | None:
        """The difference from the previous gold standard; None if there is none or it is too large to compare."""
        return None if self.old is None or self.too_large else difference(self.old, self.document)

    @property
    def changes_nothing(self) -> bool:
        """True if the latest version is equal to the draft."""
        return self.document is self.old if self.too_large else self.difference is not None and not self.difference


def publication(draft: Draft) -> Publication:
    """Return the effects that publishing this draft (already checked) would have now."""
    known = current(draft)
    new = to_document(known.state, page_list_document(draft.query))
    previous = latest_golds(draft.query.collection).get(draft.query_id)
    old = load_gold_document(previous) if previous is not None else None
    document = old if old is not None and _same(old, new) else new
    return Publication(known.revision, known.state, document, previous, old, rescoring(draft.query.collection))


def _same(old: GoldDocument, new: GoldDocument) -> bool:
    """True if two documents contain the same hierarchy; files may order and abbreviate it differently."""
    told = to_document(from_document(old), new)
    # Most different documents differ in the first comparison. The second one distinguishes 1 from 1.0, for example.
    return told == new and write_gold(told) == write_gold(new)


# --- The page that confirms publishing a draft: its issues and open pages, with links into the draft ---

SHOWN_PAGES = 5
RULES = {
    "R1": "every page is in a topic of each level, or an outlier",
    "R3": "the subtopics of a topic hold all its pages",
    "R4": "no topic is empty",
    "R6": "topics beside each other differ in their names",
}
"""The rules of a gold standard that a draft can break; every draft satisfies the others."""


@dataclass(frozen=True, slots=True)
class IssueLine:
    """One issue to check.

    Attributes:
        rule, rule_words: the rule it breaks; "" if none.
        address: the URL of its place in the draft.
        pages: (title, URL in the draft) of the first pages concerned; ``more`` counts the others.
        fix: the fix that the draft's list of issues suggests.
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
    """The issues that prevent publishing the draft, and those that do not."""

    errors: tuple[IssueLine, ...]
    worth_a_look: tuple[IssueLine, ...]


def publication_words(draft: Draft, found: Publication) -> PublicationWords:
    """Return the issues that the page lists."""
    titles = {page.id: page.title or page.id for page in found.document.pages}
    errors = [_words_of_issue(draft, titles, issue) for issue in found.issues if issue.is_error]
    warnings = [_words_of_issue(draft, titles, issue) for issue in found.issues if not issue.is_error]
    opened = found.open_pages
    queues = (
        ("flagged", opened.flagged, "flagged for later"),
        ("stale", opened.stale, "assigned before one of their topics was changed, and not confirmed since"),
        ("suggested", opened.suggested, "with a suggestion that nobody accepted or rejected; it will not be published"),
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
    """The URL of the draft, opened at a queue or a topic, and at a page."""
    address = reverse("draft", args=[draft.pk])
    return f"{address}?{urlencode(place)}" if place else address

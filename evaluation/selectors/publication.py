"""What publishing a draft would do: which rules it breaks, what differs from the last version, what is scored anew."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.drafting import from_document, to_document
from annotations.drafting.difference import Difference, difference
from annotations.models import Draft, Gold
from annotations.selectors import latest_golds, page_list
from annotations.services.drafts.states import Known, current
from annotations.services.gold import read
from evaluation.models import Clustering
from evaluation.services.gold import latest_submissions
from measures.formats import write_gold
from measures.gold import GoldDocument
from measures.problems import Problem
from measures.rules import check


@dataclass(frozen=True, slots=True)
class Publication:
    """A draft at one revision, ready to be published or not.

    Attributes:
        revision: of the draft; publishing names it, so that nobody publishes what they have not seen.
        document: what would be published; the published one itself, byte for byte, where the draft says the same.
        errors: what keeps it from being published.
        warnings: what is allowed, but worth a look.
        previous: the query's gold standard in the latest version, None if it has none.
        difference: from the previous gold standard, None where there is none.
        suggestions: suggested memberships nobody accepted; they are left out.
        submissions: how many clusterings of this query are scored anew.
    """

    revision: int
    document: GoldDocument
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    previous: Gold | None
    difference: Difference | None
    suggestions: int
    submissions: int

    @property
    def changes_nothing(self) -> bool:
        """Whether the latest version says the same already."""
        return self.difference is not None and not self.difference


def publication(draft: Draft) -> Publication:
    """What publishing this draft (already checked) would do now."""
    known, own = current(draft), page_list(draft.query)
    new = to_document(known.state, own)
    previous = latest_golds(draft.query.collection).get(draft.query_id)
    old = read(previous) if previous is not None else None
    document = old if old is not None and _same(old, new) else new
    problems = check(document)
    return Publication(
        revision=known.revision,
        document=document,
        errors=tuple(problem for problem in problems if problem.severity == "error"),
        warnings=tuple(problem for problem in problems if problem.severity != "error"),
        previous=previous,
        difference=None if old is None else difference(old, document),
        suggestions=_waiting(known),
        submissions=_scored_anew(draft),
    )


def _same(old: GoldDocument, new: GoldDocument) -> bool:
    """Whether two documents hold the same hierarchy: files may order and abridge it differently."""
    return write_gold(to_document(from_document(old), new)) == write_gold(new)


def _waiting(known: Known) -> int:
    return sum(len(pages) for pages in known.state.hints.values())


def _scored_anew(draft: Draft) -> int:
    submissions = latest_submissions(draft.query.collection)
    return Clustering.objects.filter(query=draft.query_id, submission__in=submissions.values("pk")).count()

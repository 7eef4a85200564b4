"""What publishing a draft would do: which rules it breaks, what differs from the last version, what is scored anew."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.drafting import DraftState, from_document, progress, to_document
from annotations.drafting.difference import Difference, difference
from annotations.drafting.issues import Issue
from annotations.drafting.progress import stale_pages
from annotations.models import Draft, Gold
from annotations.selectors.drafts.states import current
from annotations.selectors.gold import latest_golds, read
from annotations.selectors.page_lists import page_list
from evaluation.selectors.rescoring import Rescoring, rescoring
from qc4.formats import write_gold
from qc4.gold.document import GoldDocument
from qc4.gold.rules import check
from qc4.problems import Problem


@dataclass(frozen=True, slots=True)
class OpenPages:
    """What somebody left to look at again: page ids in the order of the page list. Publishing allows it.

    Attributes:
        flagged: marked for later.
        stale: in a topic whose meaning changed after a person last looked at them.
        suggested: with a suggestion nobody decided about; suggestions are left out.
    """

    flagged: tuple[str, ...]
    stale: tuple[str, ...]
    suggested: tuple[str, ...]

    def to_dict(self) -> dict[str, list[str]]:
        return {"flagged": list(self.flagged), "stale": list(self.stale), "suggested": list(self.suggested)}


@dataclass(frozen=True, slots=True)
class Publication:
    """A draft at one revision, ready to be published or not.

    Attributes:
        revision: of the draft; publishing names it, so that nobody publishes what they have not seen.
        document: what would be published; the published one itself, byte for byte, where the draft says the same.
        errors: what keeps it from being published.
        warnings: what is allowed, but worth a look.
        issues: the same errors and warnings in the words of the draft's own list of issues.
        open_pages: what is flagged, stale or suggested still; worth a look, too.
        previous: the query's gold standard in the latest version, None if it has none.
        difference: from the previous gold standard, None where there is none.
        suggestions: suggested memberships nobody accepted; they are left out.
        rescoring: what is scored anew once it is published.
    """

    revision: int
    document: GoldDocument
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    issues: tuple[Issue, ...]
    open_pages: OpenPages
    previous: Gold | None
    difference: Difference | None
    suggestions: int
    rescoring: Rescoring

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
        issues=progress(known.state).issues,
        open_pages=_open_pages(known.state),
        previous=previous,
        difference=None if old is None else difference(old, document),
        suggestions=sum(len(pages) for pages in known.state.hints.values()),
        rescoring=rescoring(draft.query.collection),
    )


def _same(old: GoldDocument, new: GoldDocument) -> bool:
    """Whether two documents hold the same hierarchy: files may order and abridge it differently."""
    return write_gold(to_document(from_document(old), new)) == write_gold(new)


def _open_pages(state: DraftState) -> OpenPages:
    suggested = set[str]().union(*state.hints.values())
    ordered = (tuple(state.ordered(pages)) for pages in (state.flags, stale_pages(state), suggested))
    return OpenPages(*ordered)

"""What publishing a draft would do: which rules it breaks, what differs from the last version, what is scored anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from annotations.collections.selectors import page_list
from annotations.drafts.selectors.states import current
from annotations.drafts.state_machine import DraftState, from_document, progress, to_document
from annotations.drafts.state_machine.difference import Difference, difference
from annotations.drafts.state_machine.issues import Issue
from annotations.drafts.state_machine.progress import stale_pages
from annotations.gold.selectors import latest_golds, read, size_problems
from annotations.limits import TOLD_TOPICS
from annotations.models import Draft, Gold
from evaluation.selectors.rescoring import Rescoring, rescoring
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import check
from qc4.problems import BySeverity, Problem
from qc4.records import Record


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

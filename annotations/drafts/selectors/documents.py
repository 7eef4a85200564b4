"""The current contents of a draft as a document, without its suggestions and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotations.collections.selectors import page_list_documents
from annotations.drafts.selectors import states
from annotations.drafts.state_machine import to_document
from annotations.models import Draft
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import check
from qc4.problems import Problem
from qc4.records import Record


def document_of(draft: Draft) -> GoldDocument:
    """Return the current contents of a draft, without its suggestions."""
    return documents_of([draft])[0]


def documents_of(drafts: Sequence[Draft]) -> list[GoldDocument]:
    """Return the current contents of several drafts.

    The pages of all their queries are read at once. The states are read in batches of as many drafts as a process
    caches: more would fill its memory.
    """
    pages = page_list_documents({draft.query for draft in drafts})
    found = []
    for start in range(0, len(drafts), states.CACHED_DRAFTS):
        some = drafts[start : start + states.CACHED_DRAFTS]
        known = zip(some, states.current_of(some), strict=True)
        found += [to_document(one.state, pages[draft.query_id]) for draft, one in known]
    return found


@dataclass(frozen=True, slots=True)
class DraftProblems(Record):
    """A draft's errors, which prevent publication, and its warnings."""

    KEYS = "revision publishable problems"

    revision: int
    problems: list[Problem]

    @property
    def publishable(self) -> bool:
        return all(problem.severity != "error" for problem in self.problems)


def problems(draft: Draft) -> DraftProblems:
    """Return the rules that a draft breaks."""
    return DraftProblems(draft.revision, check(document_of(draft)))


def document_bytes(draft: Draft) -> bytes:
    """Return the draft as a canonical ``qc4-gold/1`` file."""
    return write_gold(document_of(draft))

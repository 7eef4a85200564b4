"""What a draft holds now, as a document: without its suggestions and notes."""

from __future__ import annotations

from collections.abc import Sequence

from annotations.drafting import to_document
from annotations.models import Draft
from annotations.selectors.drafts import states
from annotations.selectors.page_lists import page_list
from qc4.formats import write_gold
from qc4.gold.document import GoldDocument
from qc4.gold.rules import check
from qc4.problems import Problem


def document_of(draft: Draft) -> GoldDocument:
    """What a draft holds now, without its suggestions."""
    return documents_of([draft])[0]


def documents_of(drafts: Sequence[Draft]) -> list[GoldDocument]:
    """The same of several drafts; the pages of their query are read once."""
    pages = {query: page_list(query) for query in {draft.query for draft in drafts}}
    return [to_document(states.current(draft).state, pages[draft.query]) for draft in drafts]


def problems(draft: Draft) -> list[Problem]:
    """What keeps the draft from being published, and the warnings."""
    return check(document_of(draft))


def document_bytes(draft: Draft) -> bytes:
    """The draft as a canonical ``qc4-gold/1`` file."""
    return write_gold(document_of(draft))

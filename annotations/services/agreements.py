"""Compare pairs of submitted drafts, and keep the figures by what was compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotations.agreement import Agreement, compare
from annotations.limits import PAIRS_AT_ONCE
from annotations.models import Draft, PairAgreement
from annotations.selectors.agreement import too_large
from annotations.selectors.drafts.documents import documents_of
from qc4.gold.document import GoldDocument
from qc4.version import ENGINE_VERSION

_WHERE: dict[str, tuple[str, str | int | None]] = {
    "outlier_kappa": ("outlier_kappa", None),
    "outlier_ac1": ("outlier_ac1", None),
    "qc4_first": ("qc4_f", "first"),
    "qc4_second": ("qc4_f", "second"),
    "bcubed_precision": ("bcubed_precision", 1),
    "bcubed_recall": ("bcubed_recall", 1),
    "bcubed_f": ("bcubed_f", 1),
}
"""What is kept -> the figure, and its level or the side whose topics are the clusters."""


_TOO_LARGE = {key: {"undefined": "the drafts are too large to be compared here"} for key in _WHERE}


def compare_some(missing: Sequence[tuple[int, int]]) -> None:
    """Compare the first few of these pairs of drafts, without intervals.

    Drafts that were opened again meanwhile are compared as they are now; who looks next finds another head and compares
    them again.
    """
    chosen = missing[:PAIRS_AT_ONCE]
    drafts = Draft.objects.select_related("query", "curator").in_bulk({pk for pair in chosen for pk in pair})
    there = [(drafts[first], drafts[second]) for first, second in chosen if first in drafts and second in drafts]
    within = [pair for pair in there if not too_large(pair)]
    read = list({draft.pk: draft for pair in within for draft in pair}.values())
    documents = {draft.pk: document for draft, document in zip(read, documents_of(read), strict=True)}
    rows = [
        PairAgreement(
            first=first,
            second=second,
            first_head=first.head,
            second_head=second.head,
            engine=ENGINE_VERSION,
            figures=_figures(_compared(first, second, documents)) if (first, second) in within else _TOO_LARGE,
        )
        for first, second in there
    ]
    PairAgreement.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["first", "second"],
        update_fields=["first_head", "second_head", "engine", "figures"],
    )


def _compared(first: Draft, second: Draft, documents: Mapping[int, GoldDocument]) -> Agreement:
    """Reasons call the two by their people, as one reason stands for many queries."""
    return compare(documents[first.pk], documents[second.pk], (_name(first), _name(second)), groups=0)


def _name(draft: Draft) -> str:
    return draft.curator.get_username() if draft.curator else draft.name


def _figures(found: Agreement) -> dict[str, dict[str, Any]]:
    figures = {key: found.figure(*where) for key, where in _WHERE.items()}
    # The rule at a reason's end, without the numbers of pages that lead to it: they differ from query to query.
    return {
        key: {"undefined": figure.undefined.rpartition("; ")[2]} if figure.value is None else {"value": figure.value}
        for key, figure in figures.items()
    }

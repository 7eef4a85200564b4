"""Compare pairs of submitted drafts, and keep the figures by what was compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.db import transaction

from annotations.agreement import Agreement, compare
from annotations.agreement.kept import Figures, KeptPairs, PairKey, from_bytes, joined, of_figures
from annotations.limits import PAIRS_AT_ONCE
from annotations.models import Draft, Query, QueryAgreement
from annotations.selectors.agreement import too_large
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.pairs import TeamAgreement, team_agreement
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


def agreement_of(seen: Overview, *, wait: bool) -> TeamAgreement:
    """What a team agrees on, as far as it is worked out; for whoever waits, a few more pairs are compared first."""
    found = team_agreement(seen)
    if not wait or not found.missing:
        return found
    compare_some(found.missing)
    return team_agreement(seen)


def compare_some(missing: Sequence[tuple[int, int]]) -> None:
    """Compare the first few of these pairs of drafts, without intervals.

    Drafts that were opened again meanwhile are compared as they are now; who looks next finds another revision and
    compares them again.
    """
    chosen = missing[:PAIRS_AT_ONCE]
    drafts = Draft.objects.select_related("query", "curator").in_bulk({pk for pair in chosen for pk in pair})
    there = [(drafts[first], drafts[second]) for first, second in chosen if first in drafts and second in drafts]
    within = [pair for pair in there if not too_large(pair)]
    read = list({draft.pk: draft for pair in within for draft in pair}.values())
    documents = {draft.pk: document for draft, document in zip(read, documents_of(read), strict=True)}
    found: dict[int, dict[PairKey, Figures]] = {}
    for first, second in there:
        figures = _figures(_compared(first, second, documents)) if (first, second) in within else _TOO_LARGE
        key = PairKey(first.pk, second.pk, first.revision, second.revision)
        found.setdefault(first.query_id, {})[key] = figures
    for query, pairs in found.items():
        _keep(query, of_figures(pairs))


def _keep(query: int, new: KeptPairs) -> None:
    """Add what was compared to what is kept of a query. Of that goes what was said of drafts as they are no more."""
    with transaction.atomic():
        if Query.objects.select_for_update().filter(pk=query).first() is None:
            return  # deleted meanwhile
        row = QueryAgreement.objects.filter(query=query, engine=ENGINE_VERSION).first()
        now = set(Draft.objects.filter(query=query).values_list("pk", "revision"))
        pairs = {(key.first, key.second) for key in new.keys}
        known = from_bytes(row.numbers, row.values, row.reasons) if row else of_figures({})
        stays = [
            {(key.first, key.first_revision), (key.second, key.second_revision)} <= now
            and (key.first, key.second) not in pairs
            for key in known.keys
        ]
        kept = joined([known.only(np.array(stays, dtype=bool)), new])
        numbers, values = kept.to_bytes()
        facts = {"engine": ENGINE_VERSION, "numbers": numbers, "values": values, "reasons": list(kept.reasons)}
        QueryAgreement.objects.update_or_create(query_id=query, defaults=facts)


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

"""Rows as engine input: prepared once and cached."""

from __future__ import annotations

import pytest

from annotations.models import Collection, Gold
from evaluation.models import Submission
from evaluation.scoring import cases
from qc4 import score


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    cases._prepared.clear()


def test_stored_case_has_the_same_scores_as_its_files(scored: Submission, collection: Collection) -> None:
    gold, row = Gold.objects.get(query__key="mercury"), scored.clusterings.get(query__key="mercury")
    case = cases.case(row, gold)
    assert (case.n_pages, case.n_clusters) == (8, 3)
    result = score(cases.gold_standard(gold), cases.clustering(row), ["qc4"])
    stored = row.submission.runs.get().queries.get(query__key="mercury").evaluation.scores.get(measure="qc4")
    assert stored.value == result.value("qc4")


def test_gold_standard_is_prepared_once(collection: Collection) -> None:
    gold = Gold.objects.get(query__key="mercury")
    assert cases.gold_standard(gold) is cases.gold_standard(Gold.objects.get(pk=gold.pk))


def test_last_used_gold_standards_are_cached(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "CACHED_PAGES", 10)
    mercury, saturn = Gold.objects.order_by("query__position")
    first = cases.gold_standard(mercury)
    cases.gold_standard(saturn)
    assert cases.gold_standard(mercury) is not first

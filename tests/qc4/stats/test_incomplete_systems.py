"""A system with too few queries is not ranked, and does not remove queries from the others."""

from __future__ import annotations

import csv
import io
from math import nan

import pytest

from qc4.io.comparisons import comparison_text, systems_csv
from qc4.problems import InputError
from qc4.stats import MIN_COVERAGE, compare, incomplete_sentence, leader_sentence, methods_sentence

A, B = [0.5, 0.6, 0.4, 0.5, 0.6, 0.4], [0.4, 0.5, 0.4, 0.4, 0.5, 0.3]
FEW = [0.9, 0.9, nan, nan, nan, nan]


def test_incomplete_system_does_not_remove_queries_of_others() -> None:
    found = compare([A, B, FEW], ["A", "B", "Few"], min_coverage=MIN_COVERAGE)
    assert found.queries == 6
    assert [system.system for system in found.systems] == ["A", "B"]
    assert incomplete_sentence(found) == "Not ranked because of too few values: Few (.900 on 2 of 6 queries)."
    assert incomplete_sentence(found) in comparison_text(found)
    assert systems_csv(found).splitlines()[-1].startswith("Few,0.9,2,,")
    assert methods_sentence(found).startswith("Means over 6 queries (queries that all compared systems have)")
    assert found.to_dict()["incomplete_systems"] == [{"system": "Few", "mean": 0.9, "queries": 2, "asked": 6}]


def test_file_gives_the_number_of_queries_of_every_mean() -> None:
    found = compare([A, B, [*A[:5], nan], FEW], ["A", "B", "C", "Few"], references=["Few"])
    rows = list(csv.DictReader(io.StringIO(systems_csv(found))))
    assert {row["system"]: row["queries"] for row in rows} == {"A": "5", "B": "5", "C": "5", "Few": "2"}
    assert "Means over 5 of 6 queries (queries that all systems have)" in comparison_text(found)


def test_methods_of_equal_systems_do_not_mention_intervals() -> None:
    assert "intervals" not in methods_sentence(compare([A, A], ["A", "B"]))


def test_library_compares_all_systems_by_default() -> None:
    found = compare([A, B, FEW], ["A", "B", "Few"])
    assert "2 of 6 queries" in leader_sentence(found)
    assert "incomplete_systems" not in found.to_dict()


def test_no_system_is_excluded_if_all_would_be_or_missing_scores_count() -> None:
    disjoint = [[0.5, 0.5, nan, nan], [nan, nan, 0.5, 0.5]]
    with pytest.raises(InputError, match="at least one query that all systems have"):
        compare(disjoint, min_coverage=MIN_COVERAGE)
    assert compare([A, FEW], missing="worst", min_coverage=MIN_COVERAGE).incomplete_systems is None


def test_incomplete_baseline_is_rejected() -> None:
    with pytest.raises(InputError, match="'Few' has values on 2 of 6 queries"):
        compare([A, B, FEW], ["A", "B", "Few"], min_coverage=MIN_COVERAGE, baseline="Few")

"""Runs of one system: averaging, intervals, and variance components by a plain implementation and known values."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from qc4.cli import main
from qc4.problems import InputError
from qc4.stats import compare, fold_repeats, methods_sentence, repeats_by_separator, variance_sentence
from qc4.stats.repeats import variance_components

NAMES = ("query", "system", "system_query", "repeat", "residual")


def drawn(sizes, queries, components, random) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return scores with these variance components (query, system, system x query, repeat, residual)."""
    query, system, pair, repeat, rest = np.sqrt(components)
    of_query = random.normal(0, query, queries)
    rows = []
    for size in sizes:
        cell = random.normal(0, system) + random.normal(0, pair, queries) + of_query
        rows += [cell + random.normal(0, repeat) + random.normal(0, rest, queries) for _ in range(size)]
    ends = np.cumsum([0, *sizes])
    groups = [np.arange(low, high) for low, high in pairwise(ends)]
    return np.array(rows), groups


def literal(values, groups) -> list[float]:
    """Return Henderson's method 1 as published: uncorrected sums of squares by classes, each equated with its
    expectation,
    whose coefficients are traces.
    """
    runs, queries = values.shape
    system = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
    cell_system = np.repeat(system, queries)
    cell_query = np.tile(np.arange(queries), runs)
    cell_run = np.repeat(np.arange(runs), queries)
    classes = [
        cell_query,
        cell_system,
        cell_system * queries + cell_query,
        cell_run,
        np.arange(values.size),
    ]
    effects = [(one[:, None] == np.unique(one)[None, :]).astype(float) for one in classes]
    mean = np.full((values.size, values.size), 1 / values.size)
    projections = [each @ np.diag(1 / each.sum(axis=0)) @ each.T - mean for each in effects]
    y = values.ravel()
    squares = [y @ each @ y for each in projections]
    coefficients = [[np.trace(each @ effect @ effect.T) for effect in effects] for each in projections]
    return np.linalg.solve(coefficients, squares).tolist()


@pytest.mark.parametrize("sizes", [(2, 2), (3, 1, 2), (1, 4, 2, 2)])
def test_components_equal_hendersons_method(sizes):
    values, groups = drawn(sizes, 6, (1, 0.5, 0.4, 0.2, 0.3), np.random.default_rng(len(sizes)))
    found = variance_components(values, groups)
    assert [getattr(found, name) for name in NAMES] == pytest.approx(literal(values, groups))


def test_components_of_a_hand_worked_example():
    """Two systems with two runs on two queries. A: 1 3 / 3 5, B: 0 0 / 0 4.

    Residual: A's runs are parallel (0), B's interaction is 4 x 1 = 4 over 2 degrees of freedom: 2. Repeats: run means
    2, 4 and 0, 2, so 2 (1 + 1 + 1 + 1) / 2 = 4, less 2, by 2 queries: 1. System x query: cells 2 4 and 0 2 are
    parallel: (0 - 2) / 2 = -1. Systems: means 3, 1, so 2 x 2 (1 + 1) = 8, less 4, less 0, plus 2, by 4: 1.5. Queries:
    means 1, 3, so 4 (1 + 1) = 8, less 2, less 2 x -1, by 4: 2.
    """
    values = np.array([[1, 3], [3, 5], [0, 0], [0, 4]], dtype=float)
    found = variance_components(values, [np.array([0, 1]), np.array([2, 3])])
    assert [getattr(found, name) for name in NAMES] == pytest.approx([2, 1.5, -1, 1, 2])
    assert found.shares == pytest.approx(
        {"query": 4 / 13, "system": 3 / 13, "system_query": 0, "repeat": 2 / 13, "residual": 4 / 13}
    )
    assert found.error_of_difference(2, 2) == pytest.approx(np.sqrt(2 * (1 / 2 + 2 / 4)))


def test_estimates_are_unbiased_with_unequal_numbers_of_repeats():
    true, random = (1.0, 0.5, 0.4, 0.2, 0.3), np.random.default_rng(5)
    found = [variance_components(*drawn((1, 2, 3, 5), 12, true, random)) for _ in range(800)]
    for name, expected in zip(NAMES, true, strict=True):
        values = [getattr(each, name) for each in found]
        assert np.mean(values) == pytest.approx(expected, abs=4 * np.std(values) / np.sqrt(800))


def test_tests_use_the_means_over_runs():
    random = np.random.default_rng(2)
    values, groups = drawn((3, 1, 2), 20, (1, 0.5, 0.4, 0.2, 0.3), random)
    names = ["A#1", "A#2", "A#3", "B", "C#1", "C#2"]
    found = compare(values, names, repeats=repeats_by_separator(names, "#"), draws=500)
    folded = compare([values[rows].mean(axis=0) for rows in groups], list("ABC"), draws=500)
    assert (found.pairs, found.systems) == (folded.pairs, folded.systems)
    assert found.repeats.runs == {"A": ("A#1", "A#2", "A#3"), "B": ("B",), "C": ("C#1", "C#2")}
    assert "and over 1 to 3 runs of each system" in methods_sentence(found)


def test_a_family_names_systems_and_not_their_runs():
    random = np.random.default_rng(3)
    values, _ = drawn((2, 3, 1), 10, (1, 0.5, 0.4, 0.2, 0.3), random)
    names = ["A#1", "A#2", "B#1", "B#2", "B#3", "C"]
    repeats = repeats_by_separator(names, "#")
    pair = compare(values, names, repeats=repeats, pair=("A", "C"), draws=300)
    assert [one.system for one in pair.systems if pair.family_size == 1] in (["A", "C"], ["C", "A"])
    assert pair.pairs == compare([values[:2].mean(axis=0), values[5]], ["A", "C"], draws=300).pairs
    shown = compare(values, names, repeats=repeats, references=["B"], draws=300)
    assert (shown.references[0].system, shown.references[0].mean) == ("B", pytest.approx(values[2:5].mean()))
    assert compare(values, names, repeats=repeats, baseline="B", draws=300).family_size == 2


def test_query_missing_in_one_run_is_omitted_or_counts_as_the_worst():
    values = [[0.5, 0.7, 0.2], [0.3, np.nan, 0.4], [0.1, 0.1, 0.1]]
    names, system = ["A#1", "A#2", "B"], {"A#1": "A", "A#2": "A"}
    found = fold_repeats(values, names, system, ["x", "y", "z"])
    assert (found.systems, found.queries, found.left_out) == (("A", "B"), ("x", "z"), ("y",))
    assert found.scores == pytest.approx(np.array([[0.4, 0.3], [0.1, 0.1]]))
    worst = fold_repeats(values, names, system, ["x", "y", "z"], missing="worst")
    assert worst.scores[0] == pytest.approx([0.4, 0.35, 0.3])


def test_names_before_the_last_separator_are_systems():
    assert repeats_by_separator(["C#-net#1", "STC#2", "STC", "#1", "x#"], "#") == {
        "C#-net#1": "C#-net", "STC#2": "STC", "STC": "STC", "#1": "#1", "x#": "x#",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("repeats", "code"), [({"A": "a", "B": "b"}, "no-repeats"), ({"A": "a", "Z": "a"}, "unknown-system")]
)
def test_invalid_repeats_are_rejected(repeats, code):
    with pytest.raises(InputError) as error:
        fold_repeats([[1.0, 2.0], [2.0, 1.0]], ["A", "B"], repeats)
    assert [problem.code for problem in error.value.problems] == [code]


def test_components_are_unknown_for_one_query_or_one_system():
    one_query = fold_repeats([[1.0], [2.0]], ["A", "B"], {"A": "a", "B": "a"}).repeats.components
    assert [getattr(one_query, name) for name in NAMES] == [None] * 5
    assert variance_sentence(one_query) == "The components of variance of these runs cannot be estimated."
    one_system = fold_repeats([[1.0, 2.0], [2.0, 5.0]], ["A", "B"], {"A": "a", "B": "a"}).repeats.components
    assert (one_system.system, one_system.query, one_system.residual) == (None, None, 1.0)
    assert one_system.error_of_difference(10, 3) is None


def test_the_command_names_repeats_by_a_separator(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    path.write_text("query,STC#1,STC#2,Ward\nq1,.5,.6,.1\nq2,.7,.5,.3\nq3,.4,.6,.2\n")
    assert main(["compare", str(path), "--repeats", "#", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [system["system"] for system in found["systems"]] == ["STC", "Ward"]
    assert found["repeats"]["runs"] == {"STC": ["STC#1", "STC#2"], "Ward": ["Ward"]}
    main(["compare", str(path), "--repeats", "#"])
    assert "Variance of 3 runs of 2 systems on 3 queries: " in capsys.readouterr().out
    assert main(["compare", str(path), "--repeats", "@"]) == 2
    assert "at least two runs of one system" in capsys.readouterr().err

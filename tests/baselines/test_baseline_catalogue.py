"""What every baseline guarantees, and what `run` rejects."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evaluation.baselines import BASELINES, run
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import prepare
from qc4.problems import InputError

KEYS = [
    "gold", "singletons", "one_cluster", "random", "kmeans", "kmeans_text", "bisecting_kmeans", "bisecting_kmeans_text",
    "agglomerative", "agglomerative_text", "stc", "stc_text",
]  # fmt: skip


def test_keys_are_permanent() -> None:
    assert list(BASELINES) == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_same_seed_gives_same_clustering(key: str, three_senses: GoldDocument) -> None:
    gold = prepare(three_senses)

    assert run(key, three_senses, gold, seed=7) == run(key, three_senses, gold, seed=7)


@pytest.mark.parametrize("key", KEYS)
def test_clusters_contain_pages_of_the_query_once_in_page_order(key: str, three_senses: GoldDocument) -> None:
    order = {page.id: number for number, page in enumerate(three_senses.pages)}

    clustering = run(key, three_senses, prepare(three_senses), seed=3)

    assert clustering.query == three_senses.query_id
    assert len({cluster.id for cluster in clustering.clusters}) == len(clustering.clusters)
    for cluster in clustering.clusters:
        positions = [order[page] for page in cluster.pages]
        assert positions
        assert positions == sorted(set(positions))


@pytest.mark.parametrize("key", KEYS)
def test_parameters_record_how_to_repeat_a_run(key: str, three_senses: GoldDocument) -> None:
    recorded = run(key, three_senses, prepare(three_senses), seed=5).parameters

    assert recorded["baseline"] == key
    assert recorded["seed"] == 5
    assert set(BASELINES[key].defaults) <= set(recorded)


@pytest.mark.parametrize("key", KEYS)
def test_titles_and_meanings_are_readable(key: str) -> None:
    baseline = BASELINES[key]

    assert baseline.title
    assert baseline.meaning
    assert all(parameter.meaning and parameter.expected for parameter in baseline.parameters)


@pytest.mark.parametrize("key", KEYS)
def test_defaults_are_valid_values(key: str) -> None:
    assert all(parameter.accepts(parameter.default) for parameter in BASELINES[key].parameters)


def test_unknown_baseline_is_rejected_with_a_list_of_known_ones(three_senses: GoldDocument) -> None:
    with pytest.raises(InputError, match=r"'lingo'.*singletons.*stc"):
        run("lingo", three_senses)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seed_out_of_range_is_rejected(seed: int, three_senses: GoldDocument) -> None:
    with pytest.raises(InputError, match="from 0 to 4294967295"):
        run("kmeans", three_senses, seed=seed)


def test_all_wrong_parameters_are_reported_together(three_senses: GoldDocument) -> None:
    with pytest.raises(InputError) as refused:
        run("agglomerative", three_senses, parameters={"k": 0, "linkage": "median", "depth": 3})

    assert [problem.code for problem in refused.value.problems] == [
        "parameter-value", "parameter-value", "unknown-parameter",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [True, "3", 2.5, -1, float("nan")])
def test_number_of_clusters_must_be_a_positive_whole_number(value: object, three_senses: GoldDocument) -> None:
    with pytest.raises(InputError, match="a whole number at least 1, or nothing"):
        run("kmeans", three_senses, parameters={"k": value})


@pytest.mark.parametrize("key", ["gold", "random"])
def test_baselines_that_need_gold_are_rejected_without_it(key: str, three_senses: GoldDocument) -> None:
    with pytest.raises(InputError, match="a gold standard"):
        run(key, three_senses, None)


def test_full_text_baselines_need_one_page_with_text(make) -> None:
    snippets_only = make(["a planet", "a boat"])
    one_text = make(["a planet", (None, "a boat", "A long text about a boat.")])

    with pytest.raises(InputError, match="pages with full text"):
        run("kmeans_text", snippets_only)
    assert run("kmeans_text", one_text).clusters


def test_package_does_not_import_django() -> None:
    script = (
        "import sys, evaluation.baselines; sys.exit(any(m == 'django' or m.startswith('django.') for m in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0

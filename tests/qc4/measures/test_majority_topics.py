"""F1 of SemEval-2013 task 11, compared with trying every choice among tied tags."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.cover import GivenSets
from qc4.inputs.partition import Contingency
from qc4.inputs.undefined import Undefined
from qc4.measures.overlap import semeval_f1
from qc4.measures.registry import REGISTRY
from qc4.measures.set_matching import purity
from qc4.model.case import Case
from qc4.model.policies import Policies
from tests.qc4.small_cases import case, clustering, gold, incidence

some_sets = st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=1, max_size=4)


def value(topics, clusters, n: int = 7) -> float:
    return semeval_f1(GivenSets(incidence(topics, n), incidence(clusters, n)))


def literal(topics, clusters) -> float:
    """Average over every choice of tags among equally frequent topics; precision is the same for all."""
    possible = []
    for cluster in clusters:
        shared = [len(cluster & topic) for topic in topics]
        possible.append([tag for tag, pages in enumerate(shared) if pages == max(shared)])
    tagged = sum(len(cluster & topics[tags[0]]) for cluster, tags in zip(clusters, possible, strict=True))
    precision = tagged / sum(map(len, clusters))
    recalls = []
    for tags in product(*possible):
        found = {
            (page, tag) for cluster, tag in zip(clusters, tags, strict=True) for page in cluster if page in topics[tag]
        }
        recalls.append(len(found) / sum(map(len, topics)))
    recall = float(np.mean(recalls))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@given(some_sets, some_sets)
def test_values_agree_with_trying_every_tag(topics, clusters):
    assert value(topics, clusters) == pytest.approx(literal(topics, clusters), abs=1e-12)


@given(st.integers(1, 15).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)))
def test_for_partitions_it_equals_purity(pair):
    """So singletons score 1, like the baseline of the task."""
    found = REGISTRY.get("semeval_f1").compute(case(*pair), 1, Policies())
    assert found == pytest.approx(purity(Contingency.from_labels(*pair)), abs=1e-12)


def test_a_page_found_twice_counts_once_in_recall_and_twice_in_precision():
    assert value([{0, 1, 2}], [{0, 1}, {0, 1}], 3) == pytest.approx(2 * 1 * (2 / 3) / (1 + 2 / 3))


def test_unclustered_pages_lower_recall_and_clustered_outliers_precision():
    assert value([{0, 1, 2, 3}], [{0, 1, 2}], 4) == pytest.approx(2 * (3 / 4) / (1 + 3 / 4))
    assert value([{0, 1, 2}], [{0, 1, 2, 3}], 4) == pytest.approx(2 * (3 / 4) / (1 + 3 / 4))


def test_clusters_of_outliers_only_and_no_cluster_at_all_score_0():
    assert value([{0}], [{1, 2}], 3) == value([{0}], [], 3) == 0.0


def test_one_cluster_tied_for_many_topics_is_fast():
    """5,000 pages are each a topic: one of them is the tag, so one page is correct."""
    n = 5000
    found = value([[page] for page in range(n)], [range(n)], n)
    assert found == pytest.approx(1 / n)


def test_without_topics_it_is_undefined():
    with pytest.raises(Undefined, match="no topic has a page"):
        REGISTRY.get("semeval_f1").compute(Case.build(gold(2, [], [0, 1]), clustering([0])), 1, Policies())

"""The cases have valid gold standards, valid clusterings and complete texts."""

import pytest

from qc4.model.case import Case
from qc4.model.rules import check, prepare
from studies.behaviour import GROUPS
from studies.behaviour.cases.random_clustering import DRAWN
from studies.behaviour.cases.small_bias import SINGLETONS

CASES = [case for group in GROUPS for case in group.cases]


def every_case():
    return pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)


def test_groups_are_in_order_table_1_then_amigo_then_limits():
    assert [group.origin for group in GROUPS] == ["table 1"] * 8 + ["amigó"] * 4 + ["limits"] * 3


def test_keys_are_unique():
    assert len({case.key for case in CASES}) == len(CASES)
    assert len({group.key for group in GROUPS}) == len(GROUPS)


@pytest.mark.parametrize("group", GROUPS[:8], ids=lambda group: group.key)
def test_groups_of_table_1_have_several_cases(group):
    assert len(group.cases) >= 2


@every_case()
def test_gold_standard_breaks_no_rule(case):
    assert [problem for problem in check(case.gold) if problem.severity == "error"] == []


@every_case()
def test_order_contains_every_clustering_once(case):
    placed = [key for tier in case.order for key in tier]
    assert sorted(placed) == sorted(clustering.key for clustering in case.clusterings)
    assert len(set(placed)) == len(placed)
    assert len(case.order) >= 2


@every_case()
def test_clusters_contain_each_page_of_the_case_at_most_once(case):
    gold = prepare(case.gold)
    for clustering in case.clusterings:
        found = Case.build(gold, clustering.as_clustering(gold.query_id))
        assert found.n_clusters == len(clustering.clusters)
        assert found.warnings == ()


@every_case()
def test_ranks_cover_the_whole_page_list(case):
    ranks = [page.rank for page in case.gold.pages]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))


@every_case()
def test_titles_and_explanations_are_not_empty(case):
    assert case.title
    assert case.expected.endswith(".")
    assert all(clustering.title for clustering in case.clusterings)


@pytest.mark.parametrize(("case", "right"), [(DRAWN, 12), (SINGLETONS, 35)], ids=["drawn", "singletons"])
def test_clusters_with_errors_have_the_stated_number_of_correct_pages(case, right):
    gold = {frozenset(topic.pages) for topic in case.gold.topics}
    clusters = case.clusterings[0].clusters
    assert sorted(page for pages in clusters for page in pages) == sorted(page.id for page in case.gold.pages)
    assert [max(len(topic & set(pages)) for topic in gold) for pages in clusters] == [right] * len(clusters)

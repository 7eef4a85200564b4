"""Scoring: the set of scores, the JSON object, and reporting of all mistakes at once."""

import json
import math

import numpy as np
import pytest
from hypothesis import given

from qc4.inputs.undefined import Undefined
from qc4.measures.qc4 import QC4Result
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.policies import Policies
from qc4.problems import InputError
from qc4.scoring.results import Score, explain_scores
from qc4.scoring.scoring import FROM_FILES, score, score_case, select_measures
from qc4.version import ENGINE_VERSION
from tests.qc4.measures.qc4.strategies import cases, engine_case
from tests.qc4.small_cases import clustering, gold

TWO_LEVELS = gold(8, [range(4), [0, 1], [2, 3], [4, 5]], outliers=[6, 7], parents=[-1, 0, 0, -1])
CLUSTERS = clustering([0, 1], [2, 3, 4, 5], [6, 7])


def places(scores) -> list[tuple[str, object]]:
    return [(found.measure, found.level) for found in scores]


def test_every_measure_is_scored_on_each_of_its_levels():
    scores = places(score(TWO_LEVELS, CLUSTERS).scores)
    assert {key for key, _ in scores} == {found.key for found in REGISTRY.all() if FROM_FILES.issuperset(found.needs)}
    assert [level for key, level in scores if key == "qc4"] == [None]
    assert [level for key, level in scores if key == "f"] == [1, 2, "all"]
    assert [level for key, level in scores if key == "ari"] == [1, 2]


def test_measures_are_in_the_requested_order():
    assert places(score(TWO_LEVELS, CLUSTERS, ["ari", "aq"]).scores) == [("ari", 1), ("ari", 2), ("aq", None)]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([2], [("aq", None), ("f", 2), ("rand", 2)]),
        (["all", 1], [("aq", None), ("f", 1), ("f", "all"), ("rand", 1)]),
    ],
)
def test_choosing_levels_keeps_measures_of_the_whole_hierarchy(levels, expected):
    assert places(score(TWO_LEVELS, CLUSTERS, ["aq", "f", "rand"], levels).scores) == expected


@pytest.mark.parametrize("level", [1, "all"])
def test_a_single_level_needs_no_list(level):
    assert score(TWO_LEVELS, CLUSTERS, ["f"], level) == score(TWO_LEVELS, CLUSTERS, ["f"], [level])
    assert select_measures(TWO_LEVELS, ["f"], level) == select_measures(TWO_LEVELS, ["f"], [level])


@pytest.mark.parametrize(
    ("measures", "explain", "computed"), [(["ari"], False, 0), (["ari", "aq", "qc4"], False, 1), (["ari"], True, 1)]
)
def test_qc4_is_computed_only_on_request(monkeypatch, measures, explain, computed):
    results = []
    of_parts = QC4Result.of_parts

    def counted(*parts):
        results.append(of_parts(*parts))
        return results[-1]

    monkeypatch.setattr(QC4Result, "of_parts", counted)
    found = score(TWO_LEVELS, CLUSTERS, measures, explain=explain)
    assert len(results) == computed
    assert found.removed_clusters == ("c2",)
    assert all(result.removed == ("c2",) for result in results)


def test_the_json_object():
    found = score(TWO_LEVELS, CLUSTERS, ["qc4", "purity"], policies={"outliers": "topic"}).to_dict()
    assert {key: value for key, value in found.items() if key != "scores"} == {
        "engine": ENGINE_VERSION,
        "query": "",
        "pages": 8,
        "policies": Policies(outliers="topic").to_dict(),
        "removed_clusters": ["c2"],
    }
    assert found["scores"][1:] == [
        {"measure": "purity", "level": 1, "depth": None, "value": 6 / 8, "undefined": None},
        {"measure": "purity", "level": 2, "depth": None, "value": 6 / 8, "undefined": None},
    ]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_explain_adds_the_components_of_qc4():
    found = score(TWO_LEVELS, CLUSTERS, ["aq"], explain=True).to_dict()
    assert [part["id"] for part in found["clusters"]] == ["c0", "c1"]
    assert set(found["clusters"][0]) == {
        *("id", "level", "best_topic", "size", "f", "precision", "recall"),
        *("entropy", "s_recall", "s_random", "quality"),
    }
    assert found["clusters"][0]["best_topic"] == "1"
    assert [part["id"] for part in found["topics"]] == ["0", "3"]
    assert set(found["topics"][0]) == {"id", "size", "coverage"}
    assert found["classic"] == []
    json.dumps(found, allow_nan=False)


def test_explain_includes_the_coverage_of_every_page_of_every_topic():
    found = score(TWO_LEVELS, CLUSTERS, ["ac"], explain=True)
    places = [(part["topic"], part["level"], part["page"]) for part in found.page_coverage]
    assert places == [
        *(("0", 1, page) for page in ("0", "1", "2", "3")),
        *(("1", 2, page) for page in ("0", "1")),
        *(("2", 2, page) for page in ("2", "3")),
        *(("3", 1, page) for page in ("4", "5")),
    ]
    for topic in found.topics:  # CV(t) is the mean of PC(d, t, 1)
        mean = np.mean([part["coverage"] for part in found.page_coverage if part["topic"] == topic["id"]])
        assert topic["coverage"] == pytest.approx(mean)


CLASSIC = ["ap", "wp", "ae", "we", "f", "ar", "wr"]


def test_explain_includes_classic_terms_of_the_requested_levels():
    """The outlier topic (pages 6 and 7) is a topic of level 1, and no cluster contains its pages."""
    found = score(TWO_LEVELS, clustering([0, 1], [2, 4, 5]), ["ar", "ap"], [1], explain=True)
    (terms,) = found.classic
    assert terms["level"] == 1
    assert [(topic["id"], topic["size"], topic["covered"], topic["recall"]) for topic in terms["topics"]] == [
        ("0", 4, 2, 2 / 4),
        ("3", 2, 2, 1.0),
        (None, 2, 0, 0.0),
    ]
    assert [(cluster["id"], cluster["best"], cluster["precision"]) for cluster in terms["clusters"]] == [
        ("c0", 2, 1.0),
        ("c1", 2, 2 / 3),
    ]


@given(cases())
def test_every_score_is_the_mean_of_its_terms(drawn):
    """Removed clusters and the outlier topic are included in the terms of the classic measures, as in the scores."""
    case = engine_case(*drawn)
    measures = [REGISTRY.get(key) for key in ("aq", "wq", "ac", "wc", *CLASSIC)]
    plan = select_measures(case.gold, [measure.key for measure in measures], None, FROM_FILES)
    scores = score_case(case, plan, Policies())
    parts = explain_scores(case, Policies(), scores)
    values = {(one.measure, one.level): one.value for one in scores}

    def mean(rows, key, weighted=False):
        weights = [row["size"] if weighted else 1 for row in rows]
        return sum(w * row[key] for w, row in zip(weights, rows, strict=True)) / sum(weights) if rows else 0.0

    expected = {
        ("aq", None): mean(parts.clusters, "quality"),
        ("wq", None): mean(parts.clusters, "quality", True),
        ("ac", None): mean(parts.topics, "coverage"),
        ("wc", None): mean(parts.topics, "coverage", True),
    }
    assert [terms["level"] for terms in parts.classic] == [*case.gold.hierarchy.levels, "all"]
    for terms in parts.classic:
        clusters, topics, level = terms["clusters"], terms["topics"], terms["level"]
        assert [row["id"] for row in clusters] == list(case.cluster_ids)
        assert (topics[-1]["id"] is None) == bool(case.gold.is_outlier.any())
        for key, rows, column, weighted in (
            ("ap", clusters, "precision", False),
            ("wp", clusters, "precision", True),
            ("ae", clusters, "entropy", False),
            ("we", clusters, "entropy", True),
            ("f", clusters, "f", True),
            ("ar", topics, "recall", False),
            ("wr", topics, "recall", True),
        ):
            expected[key, level] = mean(rows, column, weighted)
    if not parts.clusters:
        expected["ac", None] = expected["wc", None] = 0.0
    assert values == pytest.approx(expected, abs=1e-12)


class TestUndefined:
    overlapping = clustering([0, 1, 2], [2, 3])

    def test_an_undefined_score_has_a_reason(self):
        found = score(TWO_LEVELS, self.overlapping, ["ari"], [1])
        assert found.scores == (Score("ari", 1, None, "1 page is in more than one cluster"),)
        with pytest.raises(Undefined, match="1 page is in more than one cluster"):
            found.value("ari", 1)

    def test_scores_with_removed_overlap_are_marked(self):
        flattened = score(TWO_LEVELS, self.overlapping, ["ari"], [1], {"overlap": "first"}).to_dict()["scores"][0]
        assert flattened["flattened"] is True
        plain = score(TWO_LEVELS, CLUSTERS, ["ari"], [1], {"overlap": "first"}).to_dict()["scores"][0]
        assert "flattened" not in plain

    def test_the_error_for_a_missing_score_names_the_computed_ones(self):
        with pytest.raises(InputError, match="level: found 2; expected one of 1"):
            score(TWO_LEVELS, CLUSTERS, ["ari"], [1]).value("ari", 2)
        with pytest.raises(InputError, match="'rand', which was not computed; expected one of 'ari', 'f'"):
            score(TWO_LEVELS, CLUSTERS, ["ari", "f"], [1]).value("rand")
        with pytest.raises(
            InputError, match="level: found 1; expected no level, as the measure's input is 'whole hierarchy'"
        ):
            score(TWO_LEVELS, CLUSTERS, ["qc4_f"]).value("qc4_f", 1)

    def test_the_level_may_be_omitted_if_there_is_one_score(self):
        found = score(TWO_LEVELS, CLUSTERS, ["ari"], [1])
        assert found.value("ari") == found.value("ari", 1) == found.scores[0].value
        with pytest.raises(InputError, match=r"level: found none; expected one of 1, 2. Choose one, such as level=1."):
            score(TWO_LEVELS, CLUSTERS, ["ari"]).value("ari")


class TestRefusal:
    def test_all_mistakes_are_reported_at_once(self):
        wrong = clustering([0, 99])
        with pytest.raises(InputError) as caught:
            score(TWO_LEVELS, wrong, ["arri"], policies={"overlap": "last"})
        assert [problem.code for problem in caught.value.problems] == [
            "unknown-policy-choice",
            "unknown-measure",
            "unknown-page",
        ]

    def test_an_empty_list_of_levels(self):
        with pytest.raises(InputError) as caught:
            score(TWO_LEVELS, CLUSTERS, "ari", levels=[])
        expected = "levels: found an empty list; expected one of 1, 2, all. Omit levels to use all of them."
        assert str(caught.value) == expected

    @pytest.mark.parametrize("level", ["12", True])
    def test_a_single_unknown_level(self, level):
        with pytest.raises(InputError) as caught:
            score(TWO_LEVELS, CLUSTERS, levels=level)
        assert [problem.found for problem in caught.value.problems] == [repr(level)]

    @pytest.mark.parametrize("level", [0, 3, "2", True, 1.5])
    def test_an_unknown_level_in_a_list(self, level):
        with pytest.raises(InputError, match="expected one of 1, 2, all"):
            score(TWO_LEVELS, CLUSTERS, levels=[level])

    def test_a_level_that_the_measure_does_not_have(self):
        with pytest.raises(InputError, match="measure 'ari' on level all; expected level 1, 2"):
            score(TWO_LEVELS, CLUSTERS, ["ari"], ["all"])
        assert score(TWO_LEVELS, CLUSTERS, levels=["all"]).scores

    def test_a_clustering_of_another_query(self):
        from qc4.model.gold_document import GoldDocument
        from qc4.model.gold_standard import GoldStandard

        jaguar = GoldStandard(
            *(TWO_LEVELS.hierarchy, TWO_LEVELS.page_ids, TWO_LEVELS.topic_ids, TWO_LEVELS.topic_names),
            GoldDocument("jaguar", "jaguar", ()),
        )
        with pytest.raises(InputError, match="a clustering of query 'puma'; expected query 'jaguar'"):
            score(jaguar, clustering([0], query="puma"))
        assert score(jaguar, clustering([0], query="jaguar"), ["aq"]).query == "jaguar"

    def test_the_error_names_all_unknown_pages(self):
        with pytest.raises(InputError) as caught:
            score(TWO_LEVELS, clustering([0, 88], [99]))
        missing = "pages that are not in the page list"
        assert [problem.found for problem in caught.value.problems] == [f"{missing}: '88'", f"{missing}: '99'"]

    def test_a_cluster_of_unknown_pages_is_one_short_problem(self):
        with pytest.raises(InputError, match="and 99,981 more") as caught:
            score(TWO_LEVELS, clustering([0], range(8, 100_009)))
        [problem] = caught.value.problems
        assert problem.where == "clusters[1] (id 'c1')"
        assert len(str(caught.value)) < 1_000

    def test_repeated_and_unknown_pages_are_both_reported(self):
        with pytest.raises(InputError) as caught:
            score(TWO_LEVELS, clustering([0, 1, 1, 99]))
        assert [(problem.code, problem.found[-4:]) for problem in caught.value.problems] == [
            ("unknown-page", "'99'"),
            ("page-twice", " '1'"),
        ]


def test_empty_clusters_cause_a_warning_and_are_not_listed_as_removed():
    found = score(TWO_LEVELS, Clustering("", (Cluster("empty", ()), *CLUSTERS.clusters)))
    assert [problem.code for problem in found.warnings] == ["empty-cluster"]
    assert found.removed_clusters == ("c2",)


def test_a_clustering_without_clusters_is_scored():
    found = score(TWO_LEVELS, clustering())
    assert [found.value(key) for key in ("aq", "wq", "ac", "wc", "qc4_f")] == [0.0] * 5
    assert found.value("homogeneity", 1) == 1.0  # every page is a singleton


def test_score_case_follows_its_plan():
    """Background jobs use this form: one case, a plan of measures and levels, no documents."""
    case = Case.build(TWO_LEVELS, CLUSTERS)
    plan = select_measures(TWO_LEVELS, ["wp"], [1, "all"])
    assert places(score_case(case, plan, Policies())) == [("wp", 1), ("wp", "all")]


class TestUnits:
    BY_HAND = ("gold_entropy", "clustering_entropy", "joint_entropy", "conditional_entropy", "mutual_information", "vi")
    AMOUNTS = (*BY_HAND, "reduced_mutual_information", "hmi")

    def test_amounts_of_information_are_in_nats_or_in_bits(self):
        """Four pages in halves and in quarters: the half needs one bit, the quarter two."""
        halves, quarters = gold(4, [[0, 1], [2, 3]]), clustering([0], [1], [2], [3])
        bits = score(halves, quarters, self.BY_HAND, [1], {"unit": "bits"})
        nats = score(halves, quarters, self.BY_HAND, [1])
        assert [found.value for found in bits.scores] == pytest.approx([1, 2, 2, 0, 1, 1], abs=1e-12)
        assert [found.value for found in nats.scores] == pytest.approx(
            [math.log(2) * value for value in (1, 2, 2, 0, 1, 1)], abs=1e-12
        )

    def test_only_amounts_of_information_have_a_unit(self):
        for unit in ("nats", "bits"):
            found = score(TWO_LEVELS, CLUSTERS, levels=[1], policies={"unit": unit}).to_dict()["scores"]
            assert {one["measure"] for one in found if one.get("unit") == unit} == set(self.AMOUNTS)
            assert all("unit" not in one for one in found if one["measure"] not in self.AMOUNTS)

    def test_normalised_information_does_not_depend_on_the_unit(self):
        keys = [one.key for one in REGISTRY.family("information") if one.key not in self.AMOUNTS]
        bits, nats = (score(TWO_LEVELS, CLUSTERS, keys, policies={"unit": unit}) for unit in ("bits", "nats"))
        assert bits.scores == nats.scores

    def test_titles_name_the_unit_in_use(self):
        vi = REGISTRY.get("vi")
        assert vi.under(Policies()) is vi
        assert vi.under(Policies(unit="bits")).title == "Variation of information (bits)"
        assert vi.under(Policies(unit="bits")).meaning.endswith("in bits.")
        for key in self.AMOUNTS:
            assert REGISTRY.get(key).title.endswith("(nats)")
            assert "in nats" in REGISTRY.get(key).meaning

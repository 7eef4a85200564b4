"""`score` and `calibrate` of labels: same results as for gold standards and clusterings, and errors."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from qc4 import (
    Clustering,
    GoldStandard,
    InputError,
    calibrate,
    compare_clusterings,
    list_measures,
    read_gold,
    score,
)
from qc4.io import read_gold_document
from qc4.model.clustering import SubmissionDocument
from qc4.problems import Problem
from tests.qc4.model.test_labels import Column
from tests.qc4.small_cases import clustering, gold

GOLD = {
    "format": "qc4-gold/1",
    "query": {"id": "q"},
    "pages": [{"id": "p"}],
    "topics": [{"id": "t", "name": "T", "pages": ["p"]}],
}
TWO = GoldStandard.from_labels([0, 1])
LABELS = st.lists(st.integers(0, 4), min_size=2, max_size=12)


class Index(list):
    """An index like that of a pandas column."""

    def equals(self, other):
        return self == other


@given(st.data())
@settings(deadline=None)
def test_labels_score_like_gold_standards_and_clusterings(data):
    classes = data.draw(LABELS)
    clusters = data.draw(st.lists(st.integers(0, 4), min_size=len(classes), max_size=len(classes)))
    found = score(classes, clusters, ["ari", "purity", "qc4", "bcubed_f"])
    sets = [[page for page, label in enumerate(clusters) if label == each] for each in dict.fromkeys(clusters)]
    topics = [[page for page, label in enumerate(classes) if label == each] for each in dict.fromkeys(classes)]
    expected = score(gold(len(classes), topics), clustering(*sets), ["ari", "purity", "qc4", "bcubed_f"])
    assert found.scores == expected.scores
    assert found.value("ari") == pytest.approx(adjusted_rand_score(classes, clusters), abs=1e-12)


def test_names_and_containers_of_labels_do_not_matter():
    # Only label measures depend on names.
    keys = [each.key for each in list_measures() if each.needs in [("gold topics",), ()]]
    expected = score([0, 0, 1, 1], [0, 1, 1, 1], keys).scores
    for classes, clusters in [
        (["x", "x", "y", "y"], np.array(["b", "c", "c", "c"])),
        ((True, True, False, False), Column([2.5, 1, 1, 1])),
        (GoldStandard.from_labels(["a", "a", "b", "b"]), [0, "1", 1, "1.0"]),
        ([0, 0, 1, 1], Clustering.from_labels([9, 8, 8, 8], pages=["a", "b", "c", "d"])),
        (GoldStandard.from_labels([0, 0, 1, 1], pages=["a", "b", "c", "d"]), [0, 1, 1, 1]),
        ([0, 0, 1, 1], Clustering.from_sets([[0], [1, 2, 3]])),
    ]:
        assert score(classes, clusters, keys).scores == expected


def test_labels_work_with_levels_options_vectors_and_explain():
    nested = GoldStandard.from_levels([[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]])
    found = score(
        nested, [0, 0, 1, 1, -1, -1], ["ari", "f", "dunn"], ["all", 2], {"unclustered": "together"}, True, np.eye(6)
    )
    assert [(each.measure, each.level) for each in found.scores] == [("ari", 2), ("f", 2), ("f", "all"), ("dunn", None)]
    assert found.value("ari", np.int64(2)) == 1.0
    assert [part["best_topic"] for part in found.clusters] == ["0/0", "0/1"]
    assert score(nested, [0, 0, 1, 1, -1, -1], "ari", np.int64(2)).value("ari") == 16 / 21  # noise pages are singletons


def test_noise_is_recognised_in_both_inputs_with_a_warning():
    found = score([0, 0, 1, -1, -1], [5, 5, 3, -1, -1], "ari")
    assert found.value("ari") == 1.0
    assert [(warning.code, warning.where, warning.severity) for warning in found.warnings] == [
        ("noise", "gold", "warning"),
        ("noise", "clustering", "warning"),
    ]
    assert "warning: gold: found the label '-1' on 2 pages" in found.table()
    said = score(GoldStandard.from_labels([0, -1], noise=[]), Clustering.from_labels([0, -1], noise=[]))
    assert (said.warnings, said.value("page_coverage")) == ((), 1.0)


@pytest.mark.parametrize(("unclustered", "ari"), [("singletons", 0.375), ("together", 8 / 33), ("drop", 1.0)])
def test_scoring_options_decide_how_noise_is_treated(unclustered, ari):
    found = score(list("aaabbb"), [0, 0, -1, 1, 1, -1], "ari", policies={"unclustered": unclustered})
    assert found.value("ari") == pytest.approx(ari)


def test_a_single_label_for_all_pages_causes_a_warning():
    found = score([0, 0, 0], [1, 1, 1], "ari")
    assert (found.value("ari"), [warning.code for warning in found.warnings]) == (1.0, ["topic-holds-all"])


def test_measures_may_be_given_as_objects():
    assert {each.measure for each in score([0, 1], [0, 0], list_measures(family="set-matching")).scores} == {
        each.key for each in list_measures(family="set-matching")
    }


def test_internal_measures_accept_a_matrix():
    points = [[0.0], [0.1], [5.0], [5.1]]
    found = score([0, 0, 1, 1], [0, 0, 1, 1], vectors=points)
    assert found.value("dunn") == pytest.approx(4.9 / 0.1)
    with pytest.raises(InputError, match="vectors: found 3 rows; expected 4"):
        score([0, 0, 1, 1], [0, 0, 1, 1], vectors=points[:3])


def test_a_column_with_pages_in_another_order_is_rejected():
    gold = GoldStandard.from_labels([0, 0, 1], pages=["a", "b", "c"])
    turned = Column([1, 0, 0], Index("cab"))
    with pytest.raises(InputError, match="the same pages in another order, first at"):
        score(gold, turned, "ari")
    with pytest.raises(InputError, match="the same pages in another order"):
        compare_clusterings(Clustering.from_labels([0, 0, 1], pages=["a", "b", "c"]), turned, "ari")
    assert score(gold, Column([0, 0, 1], Index("abc")), "ari").value("ari") == 1.0
    assert score(gold, Column([0, 0, 1], Index([7, 8, 9])), "ari").value("ari") == 1.0


def test_columns_with_different_indexes_are_rejected():
    labels, ids = Column([0, 0, 1], Index([0, 1, 2])), Column(["b", "c", "a"], Index([1, 2, 0]))
    for make in (Clustering.from_labels, GoldStandard.from_labels):
        with pytest.raises(InputError, match="pages: found another index than that of labels"):
            make(labels, pages=ids)
        with pytest.raises(InputError, match="labels: found an index of the same pages in another order"):
            make(Column([0, 0, 1], Index("bca")), pages=["a", "b", "c"])
    with pytest.raises(InputError, match=r"levels\[1\]: found another index"):
        GoldStandard.from_levels([labels, Column([0, 0, 1], Index([2, 1, 0]))])


def test_vectors_with_pages_in_another_order_are_rejected():
    class Rows(Column):
        def __array__(self, dtype=None, copy=None):
            return np.asarray(self.values, dtype=dtype)

    gold = GoldStandard.from_labels([0, 0, 1], pages=["a", "b", "c"])
    vectors = Rows([[0.0, 1.0], [0.1, 1.0], [1.0, 0.0]], Index("cab"))
    with pytest.raises(InputError, match="vectors: found an index of the same pages in another order"):
        score(gold, [0, 0, 1], "silhouette", vectors=vectors)


def test_unknown_pages_in_no_cluster_are_rejected():
    gold = GoldStandard.from_labels([0, 0, 1], pages=["a", "b", "c"])
    clustering = Clustering.from_labels([0, 0, 1, -1], pages=["a", "b", "c", "x"])
    with pytest.raises(InputError, match="pages in no cluster that are not in the page list: 'x'"):
        score(gold, clustering, "ari")


def test_missing_pages_count_as_unclustered_with_a_warning():
    standard = GoldStandard.from_labels([0, 0, 1], pages=["a", "b", "c"])
    found = score(standard, Clustering.from_labels([0, 0], pages=["b", "a"]), "page_coverage")
    assert found.value("page_coverage") == pytest.approx(2 / 3)
    assert [str(warning) for warning in found.warnings] == [
        "clustering: found 1 page less: 'c'; expected all pages clustered. They count as pages in no cluster."
    ]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([0, 1], [0, 1, 2], "clustering: found 3 labels; expected 2, one for each page of the gold standard"),
        (TWO, [0, 1, 2], "clustering: found 3 labels; expected 2, one for each page of the gold standard"),
        (TWO, Clustering.from_labels([0]), "clustering: found 1 label; expected 2, one for each page of the page list"),
        ([0], Clustering.from_labels([0, 1]), "gold: found 1 label; expected 2, one for each clustered page"),
        (
            [0, 1],
            Clustering.from_sets([["a"]]),
            "pages that are not in the page list: 'a'; expected pages of the page list",
        ),
        (
            GoldStandard.from_labels([0, 1], pages=["a", "b"]),
            Clustering.from_labels([0, 1]),
            r'found 2 pages called "0", "1", ..; expected the 2 of the page list. .* from_labels\(labels, pages=...\)',
        ),
        (Clustering.from_labels([0]), TWO, "found the clustering first, then the gold standard; .* Swap the two"),
        (Clustering.from_labels([0]), [0], r"gold: found a clustering; .* qc4.compare_clusterings\(a, b\)"),
        (TWO, TWO, "clustering: found a gold standard; expected a clustering, or a label for each page"),
        (None, [0], "gold: found None; expected a list with a label for each page"),
        ([0], None, "clustering: found None"),
        ("gold.json", [0], "gold: found a text, 'gold.json'; .* read_gold or read_clustering"),
        (Path("gold.json"), [0], r"gold: found a path; .* qc4.read_gold\(path\)"),
        (GOLD, [0], r"gold: found the content of a file in the format qc4-gold/1; .* Use qc4.read_gold\(...\)"),
        (read_gold_document(GOLD), [0], "gold: found a document that has not been checked; .* Use qc4.read_gold"),
        (
            read_gold(GOLD),
            SubmissionDocument(()),
            "clustering: found a submission with several clusterings; .* one of its",
        ),
        ({"p": 0}, {"p": 0}, r"gold: found a dict; .* from_labels\(list\(d.values\(\)\), pages=list\(d\)\)"),
        ([[0], [1]], [0, 1], r"gold\[0\]: found a list; .* from_sets"),
        (1, [0], "gold: found a single value, 1"),
        ([], [], "pages: found an empty page list; expected at least one page"),
    ],
)
def test_mistakes_are_reported_with_place_and_fix(first, second, words):
    for function in (score, calibrate):
        with pytest.raises(InputError, match=words):
            function(first, second, "ari")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measures": "arri"}, "measures: found 'arri'; .* Did you mean 'ari'"),
        ({"measures": "Adjusted Rand index"}, "Did you mean 'ari'"),
        ({"measures": 3}, "measures: found 3; expected the key of a measure"),
        ({"measures": ["ari", ["f"]]}, r"measures: found \['f'\]; expected the key"),
        ({"levels": 2}, "levels: found 2; expected one of 1, all"),
        ({"levels": 1.5}, "levels: found 1.5; expected one of 1, all"),
        ({"policies": "first"}, "policies: found 'first'; expected scoring options by name, such as"),
        ({"policies": {"overlaps": "first"}}, "policies: found scoring option 'overlaps'; .* Did you mean 'overlap'"),
        ({"policies": {"overlap": "frist"}}, "policies.overlap: found 'frist'; expected one of refuse, first"),
    ],
)
def test_invalid_options_are_reported_with_the_valid_ones(options, words):
    with pytest.raises(InputError, match=words):
        score([0, 1], [0, 1], **{"measures": "ari", **options})


class TestColumnsOfTables:
    labels = [0, 0, 1]

    def test_columns_are_matched_by_position_unless_indexes_differ(self):
        expected = score(self.labels, [0, 1, 1], "ari").scores
        for first, second in [
            (Column(self.labels, Index("abc")), Column([0, 1, 1], Index("abc"))),
            (Column(self.labels, Index("abc")), [0, 1, 1]),
            (Column(self.labels, Index("abc")), Column([0, 1, 1])),
        ]:
            assert score(first, second, "ari").scores == expected

    def test_different_indexes_of_any_type_are_rejected(self):
        words = (
            r"clustering: found another index than that of gold, first at \[0\]: c instead of a; .* .loc\[gold.index\]"
        )
        for other in ("cba", "cde"):
            with pytest.raises(InputError, match=words):
                score(Column(self.labels, Index("abc")), Column([0, 1, 1], Index(other)), "ari")

    def test_different_lengths_are_reported_as_lengths(self):
        with pytest.raises(InputError, match="clustering: found 2 labels; expected 3"):
            score(Column(self.labels, Index("abc")), Column([0, 1], Index("ab")), "ari")


class TestShown:
    found = score(["<b>", "<b>", "y"], ["<script>", 1, 1], ["ari", "purity"], explain=True)

    def test_repr_lists_few_scores_and_counts_many(self):
        assert repr(self.found) == "<ScoreResult: 3 pages, ari on level 1 -0.5000, purity on level 1 0.6667>"
        assert "scores; print(result.table()) shows them" in repr(score([0, 1], [0, 1]))

    def test_the_notebook_table_is_escaped(self):
        html = self.found._repr_html_()
        assert '<td align="left">ari</td>' in html
        assert "&lt;script&gt;" in html
        assert "&lt;b&gt;" in html
        assert "<script" not in html + self.found.explain()._repr_html_()
        assert "<b>" not in html

    def test_explain_gives_the_same_result_during_and_after_scoring(self):
        later = score(["<b>", "<b>", "y"], ["<script>", 1, 1], "ari")
        assert later.clusters is None
        assert later.explain() == self.found.explain()
        assert str(later.explain()).startswith("Clusters (QC4)\n  id ")

    def test_a_result_is_pickled_without_its_case(self):
        again = pickle.loads(pickle.dumps(self.found))
        assert (again, again.case) == (self.found, None)
        assert again.explain() == self.found.explain()
        with pytest.raises(InputError, match="Score with explain=True"):
            pickle.loads(pickle.dumps(score([0, 1], [0, 1], "ari"))).explain()

    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
    def test_a_copy_in_memory_keeps_the_case(self, copied):
        found = score([0, 1], [0, 1], "ari")
        again = copied(found)
        assert (again, again.case is found.case) == (found, True)
        assert again.explain() == found.explain()

    def test_the_json_object_has_neither_case_nor_warnings(self):
        assert not {"case", "warnings"} & set(self.found.to_dict())

    def test_the_comparison_with_chance_prints_as_a_table(self):
        found = calibrate([0, 0, 1, -1], [0, 0, 1, 1], "ari", draws=20)
        assert "20 draws of the same clusters with shuffled pages" in found.table()
        assert found.table().endswith("noise=[...].\n")
        assert "<table>" in found._repr_html_()
        assert found.of("ari") == found.of("ari", 1)
        with pytest.raises(InputError, match="'vi', which was not computed; expected one of 'ari'"):
            found.of("vi")
        assert all(isinstance(warning, Problem) for warning in found.warnings)

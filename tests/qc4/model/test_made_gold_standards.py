"""Gold standards built in Python from labels, labels on several levels, and sets."""

import numpy as np
import pytest

from qc4 import GoldStandard, InputError, read_gold


def topics(gold: GoldStandard) -> dict[str, tuple[int, list[str]]]:
    """Return each topic's first level and its pages."""
    pages = gold.hierarchy.pages
    rows = [pages.indices[start:end] for start, end in zip(pages.indptr[:-1], pages.indptr[1:], strict=True)]
    named = ([gold.page_ids[page] for page in row] for row in rows)
    return dict(zip(gold.topic_ids, zip(gold.hierarchy.first.tolist(), named, strict=True), strict=True))


def test_each_label_is_a_topic_and_noise_is_outliers():
    gold = GoldStandard.from_labels(["cat", "car", -1, "cat"], pages=["p", "q", "r", "s"])
    assert topics(gold) == {"cat": (1, ["p", "s"]), "car": (1, ["q"])}
    assert gold.is_outlier.tolist() == [False, False, True, False]
    assert topics(GoldStandard.from_labels([1, -1, 1], noise=[])) == {"1": (1, ["0", "2"]), "-1": (1, ["1"])}


def test_levels_are_nested_and_ids_are_paths():
    gold = GoldStandard.from_levels([["a", "a", "a", "b", -1], ["x", "x", "y", "b", -1], [0, 1, 2, 3, -1]])
    assert topics(gold) == {
        "a": (1, ["0", "1", "2"]),
        "b": (1, ["3"]),
        "a/x": (2, ["0", "1"]),
        "a/y": (2, ["2"]),
        "b/b": (2, ["3"]),
        "a/x/0": (3, ["0"]),
        "a/x/1": (3, ["1"]),
        "a/y/2": (3, ["2"]),
        "b/b/3": (3, ["3"]),
    }
    assert gold.topic_names[2:5] == ("x", "y", "b")
    assert gold.hierarchy.outliers.tolist() == [4]


def test_levels_may_be_the_rows_of_an_array():
    rows = np.array([[0, 0, 1], [0, 1, 2]])
    assert topics(GoldStandard.from_levels(rows)) == topics(GoldStandard.from_levels(rows.tolist()))


def test_topics_with_equal_paths_get_unique_ids():
    gold = GoldStandard.from_levels([["a", "a/b"], ["b", "c"]])
    assert len(set(gold.topic_ids)) == len(gold.topic_ids) == 4


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([["a", "b"], ["x", "x"]], r"levels\[1\]: found the label 'x' in both 'a' and 'b' .* Reverse them"),
        ([list("aabb"), list("xyxz")], r"levels\[1\]: found the label 'x' in both .* f'{coarse}/{fine}'"),
        ([["a", "b"], ["x", "y", "z"]], r"levels\[1\]: found 3 labels; expected 2, as on the level before"),
        (
            [["a", "b"], ["x", -1]],
            r"levels\[1\]\[1\]: found noise on this level only; expected outliers on either all levels",
        ),
        ([["a", -1], ["x", "y"]], r"levels\[1\]\[1\]: found noise on the previous level only"),
        ([["a", None], ["x", "y"]], r"levels\[1\]\[1\]: found noise on the previous level only"),
        ([0, 0, 1], r"levels\[0\]: found a single value, 0"),
        ({"coarse": [0]}, "levels: found a dict; expected a list of labels for each level, the coarsest first"),
        (7, "levels: found an int"),
        ([], "levels: found no level; expected at least one"),
    ],
)
def test_invalid_levels_are_rejected_with_place_and_fix(levels, words):
    with pytest.raises(InputError, match=words):
        GoldStandard.from_levels(levels)


def test_sets_give_the_same_gold_standard_as_a_file():
    made = GoldStandard.from_sets(
        {"animal": ["p3"], "cat": ["p1", "p3"], "puma": ["p2"], "car": ["p3", "p4"]},
        parents={"cat": "animal", "puma": "animal"},
        outliers=["p5"],
        pages=["p1", "p2", "p3", "p4", "p5"],
    )
    topic = [
        ("animal", None, ["p3"]),
        ("cat", "animal", ["p1", "p3"]),
        ("puma", "animal", ["p2"]),
        ("car", None, ["p3", "p4"]),
    ]
    read = read_gold(
        {
            "format": "qc4-gold/1",
            "query": {"id": "q"},
            "pages": [{"id": f"p{number}"} for number in range(1, 6)],
            "topics": [{"id": id, "name": id, "parent": parent, "pages": pages} for id, parent, pages in topic],
            "outliers": ["p5"],
        }
    )
    assert topics(made) == topics(read)
    assert made.page_ids == read.page_ids
    assert made.hierarchy.outliers.tolist() == read.hierarchy.outliers.tolist()


def test_pages_are_in_order_of_appearance_and_numbers_are_sorted():
    assert GoldStandard.from_sets([["c", "a"], ["b"]], outliers=["0"]).page_ids == ("c", "a", "b", "0")
    assert GoldStandard.from_sets([[10, 2], [9]], outliers=[1]).page_ids == ("1", "2", "9", "10")


def test_pages_in_no_topic_are_rejected_or_completed():
    with pytest.raises(InputError, match="1 page in no topic and not outliers: 'c'"):
        GoldStandard.from_sets([["a"], ["b"]], pages=["a", "b", "c"])
    gold = GoldStandard.from_sets([["a"], ["b"]], pages=["a", "b", "c"], completion="complete")
    assert gold.hierarchy.outliers.tolist() == [2]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sets": [["a"], []]}, r"topic '1': found no pages; expected no empty topic \(rule R4\)"),
        ({"sets": [["a"]], "outliers": ["a"]}, r"found pages that are also outliers: 'a'"),
        ({"sets": [["a"]], "outliers": "a"}, "outliers: found a text, 'a'; expected a list of page ids"),
        ({"sets": {"x": ["a"]}, "parents": {"y": "x"}}, "parents: found 'y'; expected names of topics: 'x'"),
        ({"sets": {"x": ["a"]}, "parents": {"x": "y"}}, "found the parent 'y'"),
        ({"sets": {"x": ["a"], "y": ["a"]}, "parents": {"x": "y", "y": "x"}}, "a cycle of parents: 'x' > 'y' > 'x'"),
        ({"sets": [["a"]], "pages": ["b"]}, "pages that are not in the page list: 'a'"),
        ({"sets": [["a"]], "pages": ["a", "a"]}, "the id 'a' again"),
    ],
)
def test_invalid_gold_standard_sets_are_rejected_with_place_and_fix(given, words):
    with pytest.raises(InputError, match=words):
        GoldStandard.from_sets(**given)

"""One-to-one alignment of topics of two hierarchies by shared pages."""

from __future__ import annotations

import pytest
from hypothesis import given

from annotations.agreement.statistics import MINIMUM, Alignment, align, compared_hierarchies
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError
from tests.agreement.hierarchies import drafts, hierarchy


def aligned(first: GoldDocument, second: GoldDocument, minimum: float = MINIMUM) -> Alignment:
    return align(*compared_hierarchies((first, second)), minimum)


def by_name(first: GoldDocument, second: GoldDocument, minimum: float = MINIMUM) -> dict[str, str]:
    found = aligned(first, second, minimum)
    return {first.topics[pair.first].name: second.topics[pair.second].name for pair in found.pairs}


def test_alignment_maximises_sum_of_jaccard_coefficients() -> None:
    first = hierarchy("abcdefg", {"A": "abcd", "B": "abe"})
    second = hierarchy("abcdefg", {"X": "abc", "Y": "cdf"})
    found = aligned(first, second, 0.2)
    # A-X {a,b,c} of {a,b,c,d} 3/4; A-Y {c,d} of {a,b,c,d,f} 2/5; B-X {a,b} of {a,b,c,e} 2/4; B-Y 0: .4 + .5 = .9 > .75.
    assert found.jaccard.tolist() == [[0.75, 0.4], [0.5, 0.0]]
    assert by_name(first, second, 0.2) == {"A": "Y", "B": "X"}
    assert by_name(first, second) == {"A": "X"}


def test_topic_can_be_aligned_with_subtopic() -> None:
    first = hierarchy("abcdef", {"Cars": "abc", "Animals": "def"})
    second = hierarchy("abcdef", {"Vehicles": "", "Vehicles/Motor cars": "abc", "Vehicles/Boats": "d", "Pets": "ef"})
    assert by_name(first, second) == {"Cars": "Motor cars", "Animals": "Pets"}


def test_topic_and_its_only_subtopic_are_aligned_by_level() -> None:
    nested = {"A": "", "A/B": "abc", "C": "d"}
    assert by_name(hierarchy("abcd", nested), hierarchy("abcd", nested)) == {"A": "A", "B": "B", "C": "C"}


def test_topics_with_small_overlap_are_aligned_only_by_name() -> None:
    first, second = hierarchy("abcdefghi", {"A": "abcde"}), hierarchy("abcdefghi", {"B": "efghi"})
    assert by_name(first, second) == {}
    assert by_name(first, second, minimum=0.1) == {"A": "B"}
    assert by_name(first, hierarchy("abcdefghi", {"a": "efghi"})) == {"A": "a"}


def test_small_part_of_broad_topic_is_not_aligned_with_it() -> None:
    first = hierarchy("abcdefghijklmn", {"Snakes": "abcdefghijklm", "Films": "n"})
    # There are 13 pages: {a, b, c} are 3/13 = .23, {a, ..., g} are 7/13 = .54.
    assert by_name(first, hierarchy("abcdefghijklmn", {"pit, lead": "abc", "Cinema": "n"})) == {"Films": "Cinema"}
    assert by_name(first, hierarchy("abcdefghijklmn", {"heart, grow": "abcdefg"})) == {"Snakes": "heart, grow"}
    assert by_name(hierarchy("ab", {"A": "ab"}), hierarchy("ab", {"B": "a"})) == {"A": "B"}, (
        "half of the pages is enough"
    )


def test_topics_without_shared_pages_are_never_aligned() -> None:
    found = aligned(hierarchy("abcd", {"A": "ab", "Empty": ""}), hierarchy("abcd", {"A": "cd", "Empty": ""}))
    assert (found.pairs, found.only_first, found.only_second) == ((), [0, 1], [0, 1])


def best_sum(weights: list[list[float]]) -> float:
    """Return the largest sum of at most one entry per row and column, by trying all combinations."""
    if not weights:
        return 0.0
    first, *others = weights
    taken = [
        first[column] + best_sum([row[:column] + row[column + 1 :] for row in others]) for column in range(len(first))
    ]
    return max([best_sum(others), *taken])


@given(drafts(), drafts())
def test_alignment_is_optimal(first: GoldDocument, second: GoldDocument) -> None:
    found = aligned(first, second)
    same = [[one.name == other.name for other in second.topics] for one in first.topics]
    jaccard = [
        [value if value >= MINIMUM or same[row][column] else 0.0 for column, value in enumerate(values)]
        for row, values in enumerate(found.jaccard.tolist())
    ]
    assert sum(pair.jaccard for pair in found.pairs) == pytest.approx(best_sum(jaccard), abs=1e-4)
    assert all(pair.jaccard > 0 for pair in found.pairs)
    assert len({pair.first for pair in found.pairs}) == len({pair.second for pair in found.pairs}) == len(found.pairs)


@given(drafts(), drafts())
def test_overlap_matrix_counts_shared_pages(first: GoldDocument, second: GoldDocument) -> None:
    one, other = compared_hierarchies((first, second))
    found = align(one, other)
    for row in range(one.n_topics):
        for column in range(other.n_topics):
            common = set(one.members(row).tolist()) & set(other.members(column).tolist())
            assert found.shared[row, column] == len(common)


def test_different_page_lists_are_rejected_with_ids() -> None:
    with pytest.raises(InputError) as refused:
        compared_hierarchies((hierarchy("abc", {"A": "a"}), hierarchy("abd", {"A": "a"})), ("Ana", "Ben"))
    assert [(problem.where, problem.found) for problem in refused.value.problems] == [
        ("Ana", "no page 'd'"),
        ("Ben", "no page 'c'"),
    ]


def test_empty_page_list_is_rejected() -> None:
    with pytest.raises(InputError, match="an empty page list"):
        compared_hierarchies((hierarchy("", {}), hierarchy("", {})))


def test_order_of_pages_does_not_matter() -> None:
    first, second = hierarchy("abcd", {"A": "ab", "B": "cd"}), hierarchy("dcba", {"A": "ba", "B": "dc"})
    assert [pair.jaccard for pair in aligned(first, second).pairs] == [1, 1]

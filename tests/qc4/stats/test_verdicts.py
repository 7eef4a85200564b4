"""Which systems are significantly different, in words: every verdict appears once."""

from __future__ import annotations

import numpy as np

from qc4.stats import compare, significance_sentence, significance_sentences


def steps(*means: float) -> np.ndarray:
    """Return systems with these means on 64 queries, each with its own pattern of ups and downs (Walsh functions)."""
    rhythm = [[(-1) ** (query & place).bit_count() for query in range(64)] for place in range(1, len(means) + 1)]
    return np.array(means)[:, None] + 0.03 * np.array(rhythm)


def test_each_system_is_compared_with_those_below_it():
    found = compare(steps(0.8, 0.5, 0.502, 0.2), ["Lingo", "STC", "K-means", "Random"])
    assert significance_sentence(found) == "5 of 6 pairs are significantly different."
    first, second = [system.system for system in found.systems][1:3]
    assert significance_sentences(found) == (
        "Lingo is better than each of the 3 below it.",
        f"{first} is not significantly different from {second}; it is better than Random.",
        f"{second} is better than Random.",
    )


def test_baseline_gives_three_groups():
    found = compare(steps(0.8, 0.5, 0.502, 0.2), ["Lingo", "STC", "K-means", "Random"], baseline="STC")
    assert significance_sentence(found) == "2 of 3 pairs with STC are significantly different."
    assert significance_sentences(found) == (
        "Better than STC: Lingo.",
        "Not significantly different from STC: K-means.",
        "Worse than STC: Random.",
    )


def test_shorter_list_is_named_and_truncated():
    found = compare(steps(*[0.5 + place / 1e4 for place in range(9)], 0.1), [*"abcdefghi", "last"])
    sentence = significance_sentences(found)[0]
    leader = found.leader.system
    assert sentence == f"{leader} is better than last; it is not significantly different from the other 8 below it."
    half = compare(steps(*[0.5 + place / 1e4 for place in range(8)], *[0.1] * 8))
    assert significance_sentences(half)[0].count(",") == 4
    assert "or 2 more; it is better than the other 8 below it." in significance_sentences(half)[0]


def test_sentences_give_every_verdict():
    random = np.random.default_rng(3)
    found = compare(random.normal(0.5, 0.1, (7, 30)) + np.linspace(0, 0.15, 7)[:, None])
    names = [system.system for system in found.systems]
    better = sum(pair.verdict == "better" for pair in found.pairs)
    assert 0 < better < len(found.pairs)
    said = 0
    for place, (name, sentence) in enumerate(zip(names, significance_sentences(found), strict=False)):
        worse = [other for other in names[place + 1 :] if found.pair(name, other).verdict == "better"]
        like = [other for other in names[place + 1 :] if other not in worse]
        assert sentence.startswith(f"{name} ")
        shorter = worse if like and len(worse) < len(like) else like
        assert all(other in sentence for other in shorter) or len(shorter) > 5
        assert ("not significantly different from" in sentence) == bool(like)
        assert ("better than" in sentence) == bool(worse)
        said += len(worse)
    assert said == better
    assert significance_sentence(found) == f"{better} of 21 pairs are significantly different."


def test_no_sentences_if_no_pair_is_significantly_different():
    found = compare(steps(0.5, 0.5001, 0.5002))
    assert significance_sentence(found) == "None of 3 pairs is significantly different."
    assert significance_sentences(found) == ()


def test_no_sentences_without_tests():
    one_query = compare([[0.5], [0.4], [0.3]])
    two = compare(steps(0.5, 0.4))
    for found in (one_query, two):
        assert significance_sentence(found) == ""
        assert significance_sentences(found) == ()

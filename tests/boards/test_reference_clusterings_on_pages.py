"""Reference clusterings on pages: they are never named as leaders, and notes explain their high scores."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from evaluation.boards.robustness.selectors import check_robustness
from evaluation.boards.topic_coverage.selectors import TopicGroup, TopicRow, TopicsFound
from evaluation.models import Algorithm
from evaluation.ranking.leaderboard import select
from evaluation.ranking.wording import ScoredAlgorithm, reference_notes
from evaluation.scoring.options import BoardOptions
from tests.fixtures.pages import Visit
from tests.page_text import words
from tests.samples.boards import board_of

pytestmark = pytest.mark.django_db

A, B = [0.6, 0.7, 0.5, 0.8], [0.2, 0.3, 0.1, 0.2]
BESIDE = {"Singletons=singletons": [0.4, 0.5, 0.4, 0.5], "Gold=gold": [1.0] * 4}
NOTE = (
    "For scale: 1 of 2 algorithms is behind the reference clustering Singletons by QC4-F. Each of its clusters has "
    "one page, so that coverage is free. Its QC4-F is .450."
)


def test_note_counts_algorithms_behind_a_reference() -> None:
    everybody = [
        ScoredAlgorithm("Singletons", "singletons", True, 44, 0.465),
        ScoredAlgorithm("Gold", "gold", True, 60, 1.0),
        ScoredAlgorithm("Lingo", "", False, 40),
        ScoredAlgorithm("STC", "", False, 50),
    ]
    assert reference_notes(everybody, "covered topics", " on these queries") == (
        "For scale: 1 of 2 algorithms is behind the reference clustering Singletons by covered topics. Each of its "
        "clusters has one page, so that coverage is free. Its QC4-F on these queries is .465.",
    )
    assert reference_notes(everybody[1:], "covered topics") == ()


def test_leaderboard_explains_a_reference_ahead_of_algorithms(visit: Visit) -> None:
    collection = board_of({"A": A, "B": B, **BESIDE})
    page = visit(None).get(reverse("leaderboard", args=[collection.slug]), {"measures": "qc4_f"}).content.decode()
    assert NOTE in words(page)
    answer = visit(None).get(reverse("leaderboard-json", args=[collection.slug]), {"measures": "qc4_f"}).json()
    assert answer["reference_notes"] == [NOTE]
    assert not answer["sentence"].startswith(("Singletons", "Gold"))


def group(covered: int) -> TopicGroup:
    return TopicGroup("all", 34, covered, 0, 0, 34 - covered, covered / 34)


def test_topic_sentence_never_names_a_reference_as_leader(visit: Visit) -> None:
    """The singletons cover 44.1 % of the topics, more than any algorithm."""
    collection = board_of({"A": A, "B": B, **BESIDE})
    found = select(collection, AnonymousUser(), BoardOptions(measures=("qc4_f",)))
    covered = {"Singletons": 15, "A": 10, "B": 4}
    rows = tuple(
        TopicRow(entry, group(covered[entry.algorithm.name]), (), (), ())
        for name in covered
        for entry in found.scored
        if entry.algorithm.name == name
    )
    singletons = Algorithm.objects.get(collection=collection, name="Singletons").pk
    topics = TopicsFound(found, rows, qc4_f={singletons: 0.45})
    assert topics.sentence.startswith("Of 34 topics, A covers 29.4 %, more than any other algorithm.")
    assert topics.notes == (
        "For scale: 2 of 2 algorithms are behind the reference clustering Singletons by covered topics. Each of its "
        "clusters has one page, so that coverage is free. Its QC4-F on these queries is .450.",
    )


def test_robustness_rejects_a_pair_with_a_reference() -> None:
    collection = board_of({"A": A, "B": B, **BESIDE})
    ids = dict(Algorithm.objects.filter(collection=collection).values_list("name", "pk"))
    pair = BoardOptions(measures=("qc4_f",), sort="qc4_f", algorithms=(ids["A"], ids["Singletons"]))
    found = check_robustness(collection, AnonymousUser(), pair)
    assert found.result is None
    assert found.note == "Singletons: reference clusterings are shown for scale and are not compared"

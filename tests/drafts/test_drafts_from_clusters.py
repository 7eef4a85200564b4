"""Clusters become suggested topics with the same nesting; each page is suggested for its lowest cluster."""

from __future__ import annotations

import pytest

from annotations.drafts.state_machine import DraftState
from evaluation.drafts.services import with_suggestions
from qc4.model.clustering import Cluster
from qc4.problems import InputError

PAGES = DraftState(("p1", "p2", "p3"))


def outline(state: DraftState) -> dict[str, tuple[str | None, list[str]]]:
    """Return name -> name of the parent, suggested pages."""
    names = {topic.id: topic.name for topic in state.topics.values()}
    return {
        topic.name: (names.get(topic.parent or ""), state.ordered(state.hints_of(topic.id)))
        for topic in state.topics.values()
    }


def test_nested_clusters_keep_their_parents() -> None:
    clusters = (
        Cluster("c2", ("p1",), "racing", parent="c1"),
        Cluster("c1", ("p1", "p2"), "cars"),
        Cluster("c3", ("p3", "p1"), ""),
    )
    state = with_suggestions(PAGES, "Lingo", clusters)
    assert outline(state) == {"cars": (None, ["p2"]), "racing": ("cars", ["p1"]), "c3": (None, ["p1", "p3"])}
    assert all(topic.suggested for topic in state.topics.values())
    assert state.members == {}


def test_cyclic_or_missing_parents_are_dropped() -> None:
    clusters = (
        Cluster("a", ("p1",), parent="b"),
        Cluster("b", ("p2",), parent="a"),
        Cluster("c", ("p3",), parent="nowhere"),
    )
    found = outline(with_suggestions(PAGES, "Lingo", clusters))
    assert sorted(parent or "" for parent, _ in found.values()) == ["", "", "b"]


def test_invalid_labels_become_valid_names() -> None:
    clusters = (Cluster("a\tb", ("p1",), " two\nlines "), Cluster("b", ("p2",), "x" * 300), Cluster("c", (), "\u200b"))
    names = [topic.name for topic in with_suggestions(PAGES, "\n", clusters).topics.values()]
    assert names == ["two lines", "x" * 199 + "…", "c"]


def test_too_many_clusters_are_rejected() -> None:
    with pytest.raises(InputError) as told:
        with_suggestions(PAGES, "Singletons", tuple(Cluster(str(number), ("p1",)) for number in range(5_001)))
    assert told.value.problems[0].code == "too-many-topics"

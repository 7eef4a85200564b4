"""Pages are stored only at their finest topics, so the visible placements determine the stored ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotations.drafts.state_machine import (
    DraftState,
    OperationError,
    apply,
    compile_batch,
    from_json,
    invert,
    progress,
    rebase_changes,
    to_document,
    to_json,
)
from qc4.io import write_gold
from tests.drafts.strategies import (
    KINDS,
    PAGE_LIST,
    PAGES,
    STARTS,
    Played,
    broken_promises,
    furnished,
    logs,
    operation,
    play,
    states,
    steps,
)

PAGE_KINDS = ("assign", "unassign", "only", "outlier", "clear_outlier")


def do(state: DraftState, *operations: dict[str, Any]) -> DraftState:
    return apply(state, compile_batch(state, operations), 1)


def attempted(state: DraftState, done: dict[str, Any]) -> DraftState:
    """Return the state after an operation that may have no effect."""
    try:
        return do(state, done)
    except OperationError as error:
        if error.code != "no-effect":
            raise
        return state


def put(page: str, topic: str) -> dict[str, Any]:
    return {"kind": "assign", "pages": [page], "topics": [topic]}


def held(state: DraftState) -> dict[str, frozenset[str]]:
    """Return the visible placements: the pages of each topic, including those of its subtopics."""
    return state.all_pages_in()


def pairs(state: DraftState) -> set[tuple[str, str]]:
    return {(topic, page) for topic, pages in held(state).items() for page in pages}


def rebuilt(state: DraftState) -> DraftState:
    """Return a state built from the visible placements of another."""
    stored = to_json(state)
    stored["members"] = {
        topic: state.ordered(pages.difference(*(held(state)[child] for child in state.children_of(topic))))
        for topic, pages in held(state).items()
    }
    stored["members"] = {topic: pages for topic, pages in stored["members"].items() if pages}
    return from_json(json.loads(json.dumps(stored)), PAGES)


# --- Independence of history ------------------------------------------------------------------------------------------


@given(logs(16))
def test_visible_placements_determine_storage_after_every_change(log: list[Played]) -> None:
    for entry in log:
        state = entry.before
        for change in entry.changes:
            state = apply(state, [change], 1)
            assert rebuilt(state).members == state.members
        assert state == entry.after
        assert broken_promises(state) == []


def histories(topic: str, above: str, page: str) -> list[DraftState]:
    """Return drafts with a page in a topic, placed through its ancestor before it, after it, at once or not at all."""
    start = furnished()
    return [
        do(start, put(page, topic)),
        do(do(start, put(page, above)), put(page, topic)),
        do(start, put(page, above), put(page, topic)),
        do(start, put(page, topic), put(page, above)),
        do(start, {"kind": "assign", "pages": [page], "topics": [above, topic]}),
        do(start, {"kind": "assign", "pages": [page], "topics": [topic, above]}),
    ]


def test_order_of_placements_does_not_matter() -> None:
    first, *others = histories("dealers", "cars", "7")
    assert (first.finest_topics("7"), first.pages_in("cars")) == (["dealers"], {"1", "2", "3", "7"})
    for other in others:
        assert other == first
        assert progress(other) == progress(first)
        assert write_gold(to_document(other, PAGE_LIST)) == write_gold(to_document(first, PAGE_LIST))


def test_placing_page_in_ancestor_changes_nothing() -> None:
    with pytest.raises(OperationError) as refused:
        do(furnished(), put("2", "cars"))
    assert refused.value.code == "no-effect"


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(data=st.data())
def test_operations_do_not_depend_on_history(kind: str, data: st.DataObject) -> None:
    step = data.draw(steps([kind]))
    drafts = histories("dealers", "cars", "7")
    outcomes = []
    for draft in drafts:
        try:
            done = compile_batch(draft, [operation(draft, step, "new")])
        except OperationError as error:
            outcomes.append((error.code, None, None, None))
            continue
        after = apply(draft, done, 2)
        back = apply(after, rebase_changes(after, invert(done)).changes, 3)
        again = apply(back, rebase_changes(back, invert(invert(done))).changes, 4)
        outcomes.append((after, back, again, write_gold(to_document(after, PAGE_LIST))))
        assert (back, again) == (draft, after)
    assert all(outcome == outcomes[0] for outcome in outcomes)


# --- Removing and moving ----------------------------------------------------------------------------------------------


def test_page_taken_out_of_subtopic_stays_in_parent() -> None:
    state = do(furnished(), {"kind": "unassign", "pages": ["2"], "topics": ["dealers"]})
    assert state.finest_topics("2") == ["cars"]
    state = do(furnished(), {"kind": "unassign", "pages": ["3"], "topics": ["dealers"]})
    assert state.finest_topics("3") == ["racing"], "Racing keeps it in Cars"
    assert do(furnished(), {"kind": "unassign", "pages": ["2"], "topics": ["cars"]}).finest_topics("2") == []


def test_moved_page_leaves_ancestors_of_old_topic() -> None:
    state = do(furnished(), {"kind": "only", "pages": ["2"], "topic": "animals"})
    assert (state.finest_topics("2"), "2" in state.pages_in("cars")) == (["animals"], False)
    state = do(furnished(), {"kind": "only", "pages": ["2"], "topic": "racing"})
    assert state.finest_topics("2") == ["racing"]


@pytest.mark.parametrize(
    ("pages", "topics", "outliers"),
    [
        ("parent", ["cars"], False),
        ("unplace", [], False),
        ("outliers", [], True),
        ({"topic": "cars"}, ["cars"], False),
        ({"topic": "racing"}, ["racing"], False),
        ({"topic": "animals"}, ["animals"], False),
    ],
)
def test_pages_of_deleted_subtopic_go_to_chosen_place(pages: Any, topics: list[str], outliers: bool) -> None:
    for draft in histories("dealers", "cars", "7"):
        state = do(draft, {"kind": "delete_topic", "topic": "dealers", "children": "lift", "pages": pages})
        assert (state.finest_topics("7"), "7" in state.outliers) == (topics, outliers)
        assert set(state.finest_topics("3")) == {"racing", *topics} - {"cars"}


def test_moved_topic_takes_its_pages_out_of_old_ancestors() -> None:
    state = do(furnished(), put("7", "dealers"), {"kind": "promote", "topic": "dealers"})
    assert state.pages_in("cars") == {"1", "3"}
    assert state.pages_in("dealers") == {"2", "3", "7"}


def test_new_ancestor_does_not_store_pages_of_moved_topic() -> None:
    start = do(furnished(), put("2", "animals"))
    moved = compile_batch(start, [{"kind": "move", "topic": "dealers", "parent": "animals"}])
    state = apply(start, moved, 2)
    assert state.finest_topics("2") == ["dealers"]
    assert apply(state, rebase_changes(state, invert(moved)).changes, 3) == start
    gone = do(state, {"kind": "unassign", "pages": ["2"], "topics": ["animals"]})
    undone = apply(gone, rebase_changes(gone, invert(moved)).changes, 3)
    assert undone.finest_topics("2") == [], "somebody has removed it from both since"
    refined = do(state, {"kind": "unassign", "pages": ["2"], "topics": ["dealers"]})
    undone = apply(refined, rebase_changes(refined, invert(moved)).changes, 3)
    assert undone.finest_topics("2") == ["animals"]


def test_pages_are_not_suggested_for_topics_that_hold_them() -> None:
    suggested = do(furnished(), {"kind": "suggest", "source": "s", "hints": [["cars", ["2", "6", "7"]]]})
    assert suggested.hints_of("cars") == {"6", "7"}
    assert do(suggested, put("6", "racing")).hints_of("cars") == {"7"}
    other = do(suggested, {"kind": "add_topic", "topic": "new", "name": "New", "pages": ["7"]})
    assert do(other, {"kind": "move", "topic": "new", "parent": "racing"}).hints_of("cars") == {"6"}


# --- Visible effect of operations -------------------------------------------------------------------------------------


@given(states(), steps(PAGE_KINDS[:4]))
def test_operations_on_pages_have_their_named_effect(state: DraftState, step: Any) -> None:
    done = operation(state, step, "new")
    assume(all(topic in state.topics for topic in [*done.get("topics", ()), done.get("topic", "cars")] if state.topics))
    assume(state.topics)
    expected = pairs(state)
    for page in done["pages"]:
        into = {"assign": done.get("topics", ()), "only": [done.get("topic")]}.get(step.kind, ())
        out = {"unassign": done.get("topics", ()), "outlier": list(state.tree())}.get(step.kind, ())
        if step.kind == "only":
            stays = {*state.path(done["topic"]), *state.subtree(done["topic"])}
            expected -= {(topic, page) for topic in state.tree() if topic not in stays}
        expected |= {(above, page) for topic in into for above in state.path(topic)}
        expected -= {(below, page) for topic in out for below in state.subtree(topic)}
    assert pairs(attempted(state, done)) == expected


# --- Undo -------------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.lists(steps(PAGE_KINDS), min_size=1, max_size=1), min_size=2, max_size=8),
    st.data(),
)
def test_undo_removes_pages_only_from_topics_the_entry_put_them_into(script: Any, data: Any) -> None:
    log = play(script, furnished())
    assume(log)
    entry, state = data.draw(st.sampled_from(log)), log[-1].after
    undone = apply(state, rebase_changes(state, invert(entry.changes)).changes, 99)
    brought = pairs(entry.after) - pairs(entry.before)
    assert pairs(state) - pairs(undone) <= brought


def test_undo_keeps_page_in_topic_that_held_it_before() -> None:
    """At the time another subtopic held the page there; a colleague has removed it from that subtopic since."""
    start = do(furnished(), put("7", "dealers"))
    mine = compile_batch(start, [put("7", "racing")])
    state = do(apply(start, mine, 2), {"kind": "unassign", "pages": ["7"], "topics": ["dealers"]})
    assert apply(state, rebase_changes(state, invert(mine)).changes, 3).finest_topics("7") == ["cars"]


def test_undo_keeps_finer_placement_made_since() -> None:
    mine = compile_batch(furnished(), [put("7", "cars")])
    state = do(apply(furnished(), mine, 1), put("7", "racing"))
    fit = rebase_changes(state, invert(mine))
    assert fit.changes == []
    assert fit.left[0].sentence() == "1 page stays in 'Cars' because it has been put into a subtopic of it since."


def test_undo_does_not_return_page_below_topic_it_was_removed_from() -> None:
    mine = compile_batch(furnished(), [{"kind": "unassign", "pages": ["2"], "topics": ["dealers"]}])
    state = do(apply(furnished(), mine, 1), {"kind": "unassign", "pages": ["2"], "topics": ["cars"]})
    fit = rebase_changes(state, invert(mine))
    assert fit.changes == []
    assert [left.sentence() for left in fit.left] == ["1 page left 'Cars' since."]


def test_initial_drafts_have_expected_contents() -> None:
    assert all(broken_promises(start) == [] for start in STARTS)

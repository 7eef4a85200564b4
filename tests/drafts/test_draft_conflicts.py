"""Two people on one draft: operations on sets of pages commute, conflicts are reported, and all clients converge."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotations.drafts.state_machine import (
    DraftState,
    OperationError,
    SkippedPart,
    UnseenEntries,
    apply,
    compile,
    compile_batch,
    invert,
    is_caused_by,
    label_of,
    may_conflict,
    rebase_changes,
)
from annotations.drafts.state_machine.conflicts import CONFLICT_RULES
from tests.drafts.concurrent_editors import Client, Server
from tests.drafts.conflict_cases import CASES, Case
from tests.drafts.strategies import PAGES, STARTS, Step, broken_promises, furnished, operation, steps

SET_KINDS = (
    "assign",
    "unassign",
    "only",
    "outlier",
    "clear_outlier",
    "flag",
    "unflag",
    "note",
    "seen",
    "accept",
    "reject",
)


def entry(state: DraftState, *operations: dict[str, Any], by: str = "ana", revision: int = 1) -> dict[str, Any]:
    changes = compile_batch(state, operations)
    label = label_of(state, operations)
    return {"revision": revision, "by": by, "label": label, "operations": list(operations), "changes": changes}


# --- Sets commute -----------------------------------------------------------------------------------------------------


def _done(state: DraftState, operation: dict[str, Any]) -> DraftState:
    try:
        return apply(state, compile(state, operation), 1)
    except OperationError as error:
        if error.code != "no-effect":
            raise
        return state


def _both_orders(state: DraftState, one: dict[str, Any], two: dict[str, Any]) -> tuple[DraftState, DraftState]:
    return _done(_done(state, one), two), _done(_done(state, two), one)


def _without_topics(step: Step) -> Step:
    """Restrict accept and reject to hints, because whole topics are about structure."""
    return Step(step.kind, step.a, step.b, 0, step.pages)


@given(steps(SET_KINDS, "1234").map(_without_topics), steps(SET_KINDS, "5678").map(_without_topics))
def test_operations_on_different_pages_commute(one: Step, two: Step):
    state = furnished()
    first, second = _both_orders(state, operation(state, one, "a"), operation(state, two, "b"))
    assert first == second


@pytest.mark.parametrize("kind", ["assign", "unassign", "flag", "outlier", "seen", "accept"])
@given(data=st.data())
def test_operations_of_same_kind_commute(kind: str, data: st.DataObject):
    state = furnished()
    one, two = (_without_topics(data.draw(steps([kind]))) for _ in range(2))
    first, second = _both_orders(state, operation(state, one, "a"), operation(state, two, "b"))
    assert first == second


@given(steps(["assign"]), steps(["flag", "seen", "note", "accept"]).map(_without_topics))
def test_assign_commutes_with_remarks_and_accepted_hints(one: Step, two: Step):
    state = furnished()
    first, second = _both_orders(state, operation(state, one, "a"), operation(state, two, "b"))
    assert first == second


# --- Conflicts --------------------------------------------------------------------------------------------------------

RENAME = {"kind": "rename", "topic": "cars", "name": "Automobiles"}
MERGE = {"kind": "merge", "topics": ["dealers"], "into": "racing"}
DELETE = {"kind": "delete_topic", "topic": "dealers", "children": "lift", "pages": "parent"}
ADD_ROOT = {"kind": "add_topic", "topic": "new", "name": "New", "parent": None}
ASSIGN = {"kind": "assign", "pages": ["7"], "topics": ["cars"]}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_row_of_conflict_table_causes_exactly_its_conflicts(case: Case) -> None:
    state = furnished()
    missed = entry(state, case.theirs, revision=7)
    state = apply(state, missed["changes"], 7)
    news = UnseenEntries(state, [missed])
    assert news.conflicting_entries([case.mine]) == [missed] * case.clashes
    if not case.clashes:
        assert news.redirected([case.mine]) == [case.mine | case.becomes]
    if case.clashes or case.becomes:
        assert may_conflict(state, [case.mine])


def test_cases_cover_every_row_of_conflict_table() -> None:
    """Rows without ``hit_by`` conflict if their topic is gone, or if others placed all of the pages."""
    kinds = {*CONFLICT_RULES, "outlier"}
    assert {case.mine["kind"] for case in CASES if case.clashes} == kinds
    assert {case.mine["kind"] for case in CASES if not case.clashes} == kinds


TOPIC = {"id": "racing", "name": "Racing", "parent": "zoo"}
DONE: dict[str, dict[str, Any]] = {
    **{
        field: {"c": "set", "topic": "racing", "field": field, "old": "", "new": "x"}
        for field in ("name", "description", "note", "step", "suggested")
    },
    "place": {"c": "place", "topic": "racing", "old": ["zoo", 0], "new": ["zoo", 1]},
    "added": {"c": "topic+", "topic": TOPIC, "at": 0},
    "sibling added": {"c": "topic+", "topic": {"id": "x", "parent": "cars"}, "at": 0},
    "sibling gone": {"c": "topic-", "topic": {"id": "x", "parent": "cars"}, "at": 0},
    "pages": {"c": "in+", "topic": "racing", "pages": ["1"]},
    "pages out": {"c": "in-", "topic": "racing", "pages": ["1"]},
    "hints": {"c": "hint+", "topic": "racing", "pages": ["1"]},
    "altered": {"c": "altered", "topic": "racing"},
}
"""Facts changed by one change to Racing, which is below Cars."""
HELD = {"pages", "hints"}
ANY = {"name", "description", "note", "step", "suggested", "place", "added"}


@pytest.mark.parametrize(
    ("mine", "hit_by"),
    [
        ({"kind": "add_topic", "topic": "new", "name": "New", "parent": "racing"}, set()),
        ({"kind": "rename", "topic": "racing", "name": "X"}, {"name"}),
        ({"kind": "describe", "topic": "racing", "text": "X"}, {"description"}),
        ({"kind": "topic_note", "topic": "racing", "text": "X"}, {"note"}),
        ({"kind": "step", "topic": "racing", "step": 3}, {"step"}),
        ({"kind": "move", "topic": "racing", "parent": None}, {"place", "pages"}),
        ({"kind": "move", "topic": "racing", "parent": "cars", "at": 0}, {"place"}),
        ({"kind": "move", "topic": "cars", "parent": "animals"}, {"pages"}),
        ({"kind": "promote", "topic": "racing"}, {"place", "pages"}),
        ({"kind": "demote", "topic": "racing"}, {"place", "pages", "sibling added", "sibling gone"}),
        ({"kind": "reorder", "topic": "racing", "at": 0}, {"place"}),
        ({"kind": "merge", "topics": ["racing"], "into": "zoo"}, {*ANY, "pages"}),
        ({"kind": "merge", "topics": ["cars"], "into": "zoo"}, {"pages"}),
        ({"kind": "merge", "topics": ["zoo"], "into": "racing"}, set()),
        ({"kind": "split", "topic": "racing", "into": [], "where": "children"}, {*ANY, "pages"}),
        ({"kind": "delete_topic", "topic": "racing", "children": "lift", "pages": "unplace"}, {*ANY, *HELD}),
        ({"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "unplace"}, HELD),
        ({"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": "unplace"}, {*ANY, *HELD}),
        ({"kind": "delete_topic", "topic": "zoo", "children": "lift", "pages": {"topic": "racing"}}, set()),
        ({"kind": "assign", "pages": ["1"], "topics": ["racing"]}, set()),
        ({"kind": "unassign", "pages": ["1"], "topics": ["racing"]}, set()),
        ({"kind": "only", "pages": ["1"], "topic": "racing"}, set()),
        ({"kind": "suggest", "source": "s", "hints": [["racing", ["1"]]]}, set()),
        ({"kind": "accept", "topics": ["racing"], "hints": [["racing", ["1"]]]}, set()),
        ({"kind": "reject", "topics": ["racing"], "hints": [["racing", ["1"]]]}, {"name", "description", "note"}),
        ({"kind": "reject", "hints": [["racing", ["1"]]]}, set()),
        ({"kind": "fill_other", "topic": "racing"}, set()),
        ({"kind": "outlier", "pages": ["1"]}, set()),
    ],
)
def test_operation_conflicts_only_with_changes_to_its_subject(mine: dict[str, Any], hit_by: set[str]) -> None:
    entries = {
        what: {"revision": 1, "by": "ben", "operations": None, "changes": [change]} for what, change in DONE.items()
    }
    assert {
        what for what, each in entries.items() if UnseenEntries(furnished(), [each]).conflicting_entries([mine])
    } == hit_by
    assert may_conflict(furnished(), [mine]) or not hit_by


def test_conflict_names_latest_entry_per_operation_once() -> None:
    state, log = furnished(), []
    for revision, name in enumerate(("A", "B", "C"), 1):
        renamed = entry(state, {"kind": "rename", "topic": ("cars", "cars", "zoo")[revision - 1], "name": name})
        log.append(renamed | {"revision": revision})
        state = apply(state, renamed["changes"], revision)
    mine = [{"kind": "rename", "topic": topic, "name": "Mine"} for topic in ("zoo", "cars", "animals", "cars")]
    assert UnseenEntries(state, log).conflicting_entries(mine) == [log[2], log[1]]
    assert not may_conflict(state, [ASSIGN, {"kind": "flag", "pages": ["1"]}])


def test_merge_that_others_made_already_has_no_effect() -> None:
    state = furnished()
    merged = entry(state, MERGE)
    state = apply(state, merged["changes"], 1)
    news = UnseenEntries(state, [merged])
    assert news.conflicting_entries([MERGE]) == []
    with pytest.raises(OperationError) as refused:
        news.redirected([MERGE])
    assert refused.value.code == "no-effect"
    flag = {"kind": "flag", "pages": ["1"]}
    assert news.redirected([MERGE, flag]) == [flag]


def test_restored_topic_accepts_pages_again():
    state = furnished()
    gone = entry(state, DELETE)
    state = apply(state, gone["changes"], 1)
    back = {
        "revision": 2,
        "by": "ana",
        "operations": None,
        "changes": rebase_changes(state, invert(gone["changes"])).changes,
    }
    state = apply(state, back["changes"], 2)
    assign = {"kind": "assign", "pages": ["7"], "topics": ["dealers"]}
    assert UnseenEntries(state, [gone, back]).conflicting_entries([assign]) == []


def test_pages_follow_merged_topic_into_its_target():
    state = furnished()
    first = entry(state, MERGE)
    state = apply(state, first["changes"], 1)
    second = entry(state, {"kind": "merge", "topics": ["racing"], "into": "animals"}, revision=2)
    state = apply(state, second["changes"], 2)
    assign = {"kind": "assign", "pages": ["7"], "topics": ["dealers", "cars"]}
    news = UnseenEntries(state, [first, second])
    assert news.conflicting_entries([assign]) == []
    [moved] = news.redirected([assign])
    assert moved == {"kind": "assign", "pages": ["7"], "topics": ["animals", "cars"]}


def merged_unseen(*mine: dict[str, Any], merge: dict[str, Any] = MERGE) -> tuple[DraftState, dict[str, Any], list[Any]]:
    """Return the draft after a merge and an operation made without it, the merge, and the changes of the operation."""
    state = furnished()
    merged = entry(state, merge)
    state = apply(state, merged["changes"], 1)
    changes = UnseenEntries(state, [merged], "ben").compiled(mine)[1]
    return apply(state, changes, 2), merged, changes


def assign_to(topic: str, *pages: str) -> dict[str, Any]:
    return {"kind": "assign", "pages": list(pages), "topics": [topic]}


def test_pages_intended_for_merged_topic_return_when_merge_is_undone() -> None:
    state, merged, _ = merged_unseen(assign_to("dealers", "5", "6"), assign_to("dealers", "8"))
    assert state.members_of("racing") == {"2", "3", "5", "6", "8"}
    state = _undo(_then(state, {"kind": "flag", "pages": ["1"]}), merged)
    assert state == _then(furnished(), assign_to("dealers", "5", "6", "8"), {"kind": "flag", "pages": ["1"]})
    assert state.meant == {}


def test_redo_and_undo_of_merge_keep_intended_pages_with_their_topic() -> None:
    state, merged, _ = merged_unseen(assign_to("dealers", "7"))
    back = rebase_changes(state, invert(merged["changes"])).changes
    undone = apply(state, back, 3)
    again = rebase_changes(undone, invert(back)).changes
    redone = apply(undone, again, 4)
    assert (redone, redone.meant) == (state, state.meant)
    assert apply(redone, rebase_changes(redone, invert(again)).changes, 5) == undone


def test_intended_page_that_target_already_held_returns_too() -> None:
    state, merged, changes = merged_unseen(assign_to("dealers", "3", "4"), merge=MERGE | {"into": "animals"})
    held = {change["held"]: change["pages"] for change in changes if change["c"] == "meant+"}
    assert held == {True: ["3", "4"]}, "Animals held 4 already, and holds 3 through the merge"
    state = _undo(state, merged)
    assert state == _then(furnished(), assign_to("dealers", "4"))


@pytest.mark.parametrize(
    ("later", "dealers", "racing"),
    [
        ({"kind": "unassign", "pages": ["7"], "topics": ["cars"]}, "23", "3"),
        ({"kind": "add_topic", "topic": "fast", "name": "Fast", "parent": "racing", "pages": ["7"]}, "237", "37"),
        ({"kind": "move", "topic": "racing", "parent": "animals"}, "237", "3"),
    ],
)
def test_later_changes_to_intended_page_are_respected(later: dict[str, Any], dealers: str, racing: str) -> None:
    state, merged, _ = merged_unseen(assign_to("dealers", "7"))
    state = _undo(_then(state, later), merged)
    assert state.pages_in("dealers") == set(dealers)
    assert state.pages_in("racing") == set(racing)
    assert "7" not in state.members_of("cars")


def test_undone_placement_stays_undone_when_merge_is_undone() -> None:
    state, merged, changes = merged_unseen(assign_to("dealers", "7"))
    state = apply(state, rebase_changes(state, invert(changes)).changes, 3)
    assert _undo(state, merged) == furnished()


# --- Undo among others ------------------------------------------------------------------------------------------------


def _undo(state: DraftState, done: dict[str, Any]) -> DraftState:
    return apply(state, rebase_changes(state, invert(done["changes"])).changes, 9)


def _then(state: DraftState, *operations: dict[str, Any]) -> DraftState:
    for each in operations:
        state = apply(state, compile(state, each), 5)
    return state


def test_undoing_old_merge_restores_topic_and_keeps_later_work():
    start = furnished()
    merged = entry(start, MERGE)
    today = [
        {"kind": "assign", "pages": ["7"], "topics": ["racing"]},
        {"kind": "rename", "topic": "animals", "name": "A"},
    ]
    state = _undo(_then(apply(start, merged["changes"], 1), *today), merged)
    assert state == _then(start, *today)


def test_undoing_outlier_keeps_topic_that_others_chose():
    start = furnished()
    done = entry(start, {"kind": "outlier", "pages": ["4", "5"]})
    state = _then(apply(start, done["changes"], 1), {"kind": "assign", "pages": ["4"], "topics": ["cars"]})
    state = _undo(state, done)
    assert set(state.finest_topics("4")) == {"cars", "animals"}
    assert state.finest_topics("5") == ["animals"]
    assert state.outliers == {"8"}


def test_undoing_assignment_keeps_outliers_that_others_made():
    start = furnished()
    done = entry(start, {"kind": "unassign", "pages": ["4", "5"], "topics": ["animals"]})
    state = _then(apply(start, done["changes"], 1), {"kind": "outlier", "pages": ["4"]})
    state = _undo(state, done)
    assert (state.members_of("animals"), state.outliers) == ({"5"}, {"4", "8"})


def test_undoing_cleared_outlier_keeps_topic_that_others_chose():
    start = furnished()
    done = entry(start, {"kind": "clear_outlier", "pages": ["8"]})
    state = _then(apply(start, done["changes"], 1), {"kind": "assign", "pages": ["8"], "topics": ["racing"]})
    state = _undo(state, done)
    assert (state.finest_topics("8"), state.outliers) == (["racing"], set())


def test_undoing_accepted_topic_keeps_it_while_others_use_it():
    start = furnished()
    done = entry(start, {"kind": "accept", "topics": ["zoo"]})
    used = _then(apply(start, done["changes"], 1), {"kind": "assign", "pages": ["7"], "topics": ["zoo"]})
    undone = _undo(used, done)
    assert not undone.topics["zoo"].suggested
    assert (undone.members_of("zoo"), undone.hints_of("zoo")) == ({"7"}, {"4", "6"})
    assert _undo(apply(start, done["changes"], 1), done) == start


@pytest.mark.parametrize(
    ("mine", "theirs", "why"),
    [
        (RENAME, {"kind": "rename", "topic": "cars", "name": "Vehicles"}, "name"),
        (ADD_ROOT, {"kind": "assign", "pages": ["7"], "topics": ["new"]}, "used"),
        (ADD_ROOT, {"kind": "describe", "topic": "new", "text": "Said since"}, "changed"),
        (ADD_ROOT, {"kind": "move", "topic": "racing", "parent": "new"}, "used"),
        ({"kind": "assign", "pages": ["7"], "topics": ["dealers"]}, DELETE, "gone"),
        ({"kind": "assign", "pages": ["7"], "topics": ["dealers"]}, MERGE, "gone"),
        ({"kind": "assign", "pages": ["7"], "topics": ["cars"]}, {"kind": "outlier", "pages": ["7"]}, "same"),
        ({"kind": "unassign", "pages": ["4"], "topics": ["animals"]}, {"kind": "outlier", "pages": ["4"]}, "outliers"),
        ({"kind": "clear_outlier", "pages": ["8"]}, {"kind": "assign", "pages": ["8"], "topics": ["cars"]}, "placed"),
        ({"kind": "promote", "topic": "dealers"}, {"kind": "move", "topic": "dealers", "parent": "animals"}, "moved"),
        ({"kind": "promote", "topic": "dealers"}, {"kind": "move", "topic": "cars", "parent": "dealers"}, "cycle"),
        ({"kind": "note", "page": "1", "text": "odd"}, {"kind": "note", "page": "1", "text": "fine"}, "remark"),
        (DELETE, {"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "unplace"}, "gone"),
    ],
)
def test_undo_skips_later_decisions_of_others_and_names_them(
    mine: dict[str, Any], theirs: dict[str, Any], why: str
) -> None:
    start = furnished()
    done = entry(start, mine)
    state = apply(start, done["changes"], 1)
    later = [entry(state, theirs, by="ben", revision=2)]
    state = apply(state, later[0]["changes"], 2)
    later.append(entry(state, {"kind": "flag", "pages": ["3"]}, by="eve", revision=3))
    fit = rebase_changes(apply(state, later[1]["changes"], 3), invert(done["changes"]))
    assert fit.changes == []
    assert fit.left[0].why == why
    assert [is_caused_by(fit.left[0], each) for each in later] == [True, False]


def test_undo_applies_the_parts_that_are_still_possible() -> None:
    """After an assignment to two topics, one of which was deleted since, undo removes the pages from the other."""
    start = furnished()
    done = entry(start, {"kind": "assign", "pages": ["6", "7"], "topics": ["dealers", "animals"]})
    state = _then(apply(start, done["changes"], 1), DELETE | {"pages": "unplace"})
    fit = rebase_changes(state, invert(done["changes"]))
    assert fit.changes == [{"c": "in-", "topic": "animals", "pages": ["6", "7"]}]
    assert fit.left == [SkippedPart("gone", "dealers")]
    assert fit.left[0].sentence("Dealers") == "'Dealers' no longer exists."


def test_undo_keeps_pages_in_place_if_their_source_is_gone() -> None:
    start = furnished()
    done = entry(start, {"kind": "only", "pages": ["2", "4"], "topic": "racing"})
    state = _then(apply(start, done["changes"], 1), DELETE | {"pages": "unplace"})
    undone = apply(state, rebase_changes(state, invert(done["changes"])).changes, 9)
    assert (undone.finest_topics("2"), undone.finest_topics("4")) == (["racing"], ["animals"])


def test_undoing_merge_into_deleted_topic_restores_merged_topics() -> None:
    start = furnished()
    done = entry(start, {"kind": "merge", "topics": ["dealers"], "into": "animals"})
    gone = {"kind": "delete_topic", "topic": "animals", "children": "delete", "pages": "unplace"}
    undone = _undo(_then(apply(start, done["changes"], 1), gone), done)
    assert undone.members_of("dealers") == {"2", "3"}


def test_undo_keeps_pages_that_others_placed_unseen() -> None:
    start = furnished()
    done = entry(start, {"kind": "assign", "pages": ["6", "7"], "topics": ["animals"]})
    fit = rebase_changes(apply(start, done["changes"], 1), invert(done["changes"]), {("animals", "6")})
    assert fit.changes == [{"c": "in-", "topic": "animals", "pages": ["7"]}]
    assert [each.why for each in fit.left] == ["others"]


def test_undo_that_exceeds_level_limit_changes_nothing() -> None:
    start = _then(furnished(), {"kind": "step", "topic": "cars", "step": 97})
    done = entry(start, {"kind": "step", "topic": "cars", "step": 1})
    state = _then(apply(start, done["changes"], 1), {"kind": "move", "topic": "animals", "parent": "dealers"})
    assert rebase_changes(state, invert(done["changes"])) == ([], [SkippedPart("deep")])


# --- Removing pages that others have placed ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mine",
    [
        {"kind": "outlier", "pages": ["6", "7"]},
        {"kind": "unassign", "pages": ["6", "7"], "topics": ["cars"]},
        {"kind": "only", "pages": ["6", "7"], "topic": "animals"},
    ],
    ids=lambda mine: mine["kind"],
)
def test_pages_that_others_placed_unseen_stay(mine: dict[str, Any]) -> None:
    state = furnished()
    theirs = entry(state, {"kind": "assign", "pages": ["7"], "topics": ["dealers"]}, by="ben")
    state = apply(state, theirs["changes"], 1)
    news = UnseenEntries(state, [theirs], "ana")
    assert may_conflict(state, [mine])
    assert news.conflicting_entries([mine]) == []
    assert news.redirected([mine]) == [mine | {"pages": ["6"]}]
    assert news.kept_placements([mine]) == [
        ("1 page stayed where ben had put it meanwhile (Put 1 page into Dealers).", theirs)
    ]
    assert news.conflicting_entries([mine | {"pages": ["7"]}]) == [theirs], "no part of it would be applied"
    own = UnseenEntries(state, [theirs], "ben")
    assert own.redirected([mine]) == [mine]
    assert UnseenEntries(furnished(), [theirs], "ana").redirected([mine]) == [mine], "somebody has removed it again"


@pytest.mark.parametrize(
    "mine",
    [
        {"kind": "assign", "pages": ["6", "7"], "topics": ["cars", "animals"]},
        {"kind": "only", "pages": ["6", "7"], "topic": "animals"},
        {"kind": "add_topic", "topic": "new", "name": "New", "parent": None, "pages": ["6", "7"]},
        {"kind": "clear_outlier", "pages": ["6", "7"]},
    ],
    ids=lambda mine: mine["kind"],
)
def test_outliers_that_others_made_unseen_stay(mine: dict[str, Any]) -> None:
    before = apply(furnished(), compile(furnished(), {"kind": "outlier", "pages": ["6"]}), 1)
    theirs = entry(before, {"kind": "outlier", "pages": ["7"]}, by="ben", revision=2)
    state = apply(before, theirs["changes"], 2)
    news = UnseenEntries(state, [theirs], "ana")
    assert may_conflict(state, [mine])
    assert news.conflicting_entries([mine]) == []
    assert news.redirected([mine]) == [mine | {"pages": ["6"]}]
    label = theirs["label"]
    assert news.kept_placements([mine]) == [(f"1 page stayed where ben had put it meanwhile ({label}).", theirs)]
    alone = mine | {"pages": ["7"]}
    if mine["kind"] == "add_topic":
        assert news.redirected([alone]) == [alone | {"pages": []}], "the topic is still created"
    else:
        assert news.conflicting_entries([alone]) == [theirs], "no part of it would be applied"
    assert UnseenEntries(state, [theirs], "ben").redirected([mine]) == [mine], "it is their own work"
    assert UnseenEntries(before, [theirs], "ana").redirected([mine]) == [mine], "somebody has undone it"


def test_undo_keeps_outlier_that_others_made_unseen() -> None:
    state = furnished()
    mine = entry(state, {"kind": "outlier", "pages": ["6", "7"]})
    state = apply(state, mine["changes"], 1)
    for revision, kind in enumerate(("clear_outlier", "outlier"), 2):
        theirs = entry(state, {"kind": kind, "pages": ["7"]}, by="ben", revision=revision)
        state = apply(state, theirs["changes"], revision)
    fit = rebase_changes(state, invert(mine["changes"]), UnseenEntries(state, [theirs], "ana").placed)
    assert apply(state, fit.changes, 4).outliers == state.outliers - {"6"}
    message = "1 page stays an outlier because somebody has decided so meanwhile."
    assert message in [left.sentence() for left in fit.left]


@pytest.mark.parametrize("theirs", ["clear_outlier", "unassign"])
def test_pages_freed_unseen_do_not_become_outliers_with_the_rest(theirs: str) -> None:
    """Making the rest outliers applies to the pages that the person sees without a topic."""
    state = furnished()
    put = {"kind": "outlier", "pages": ["6"]} if theirs == "clear_outlier" else assigned("6")
    state = apply(state, compile(state, put), 1)
    mine = {"kind": "rest_outliers"}
    free = {"kind": theirs, "pages": ["6"]} | ({"topics": ["cars"]} if theirs == "unassign" else {})
    missed = entry(state, free, by="ben", revision=2)
    state = apply(state, missed["changes"], 2)
    rest = state.ordered(frozenset(state.pages) - state.placed() - state.outliers - {"6"})
    assert rest
    assert may_conflict(state, [mine])
    assert UnseenEntries(state, [missed], "ana").redirected([mine]) == [{"kind": "outlier", "pages": rest}]
    assert UnseenEntries(state, [missed], "ben").redirected([mine]) == [mine]
    full = apply(state, compile(state, {"kind": "outlier", "pages": rest}), 3)
    assert UnseenEntries(full, [missed], "ana").conflicting_entries([mine]) == [missed], (
        "no part of it would be applied"
    )


def assigned(page: str) -> dict[str, Any]:
    return {"kind": "assign", "pages": [page], "topics": ["cars"]}


# --- Convergence ------------------------------------------------------------------------------------------------------


@given(
    st.sampled_from(STARTS),
    st.lists(
        st.tuples(
            st.booleans(),
            st.booleans(),
            st.lists(steps(), min_size=1, max_size=2) | st.sampled_from(["undo", "redo"]),
        ),
        min_size=4,
        max_size=16,
    ),
)
def test_two_clients_converge_for_any_order_of_edits_and_syncs(start: DraftState, script):
    server = Server(start)
    clients = (Client("a", start), Client("b", start))
    for number, (which, send, batch) in enumerate(script):
        if isinstance(batch, str):
            clients[which].turn(batch)
        else:
            clients[which].work(batch, number)
        if send:
            clients[which].sync(server)
            assert clients[which].confirmed == server.state
            assert broken_promises(server.state) == []
    for client in (*clients, *clients):
        client.sync(server)
    assert clients[0].confirmed == clients[1].confirmed == server.state
    assert broken_promises(server.state) == []
    replayed = start
    for each in server.log:
        replayed = apply(replayed, each["changes"], each["revision"])
    assert replayed == server.state


@given(st.lists(st.tuples(st.booleans(), steps(("assign", "flag", "seen"))), min_size=2, max_size=12))
def test_offline_assignments_of_two_clients_all_arrive(script):
    server = Server(furnished())
    clients = (Client("a", server.state), Client("b", server.state))
    wanted = held(server.state)
    for number, (which, step) in enumerate(script):
        if step.kind == "assign":
            done = operation(server.state, step, "")
            above = {step for topic in done["topics"] for step in server.state.path(topic)}
            wanted |= {(topic, page) for topic in above for page in done["pages"]}
        clients[which].work([step], number)
    for client in clients:
        client.sync(server)
    assert held(server.state) == wanted
    assert clients[0].conflicts == clients[1].conflicts == 0


def held(state: DraftState) -> set[tuple[str, str]]:
    """Return all pairs of a topic and one of its pages."""
    return {(topic, page) for topic, pages in state.all_pages_in().items() for page in pages}


def test_simulation_uses_the_pages_of_the_draft():
    assert furnished().pages == PAGES

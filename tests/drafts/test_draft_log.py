"""The log of a draft: replaying it gives the state, and every entry can be undone and redone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from annotations.drafts.state_machine import (
    DraftState,
    apply,
    as_published,
    from_document,
    from_json,
    invert,
    label_of,
    rebase_changes,
    to_document,
    to_json,
)
from qc4.io import read_gold_document, write_gold
from tests.drafts.strategies import (
    KINDS,
    PAGE_LIST,
    PAGES,
    Played,
    attempt,
    broken_promises,
    furnished,
    logs,
    states,
    steps,
)


def undoing(state: DraftState, entry: Played) -> list[dict[str, Any]]:
    """Return the changes that undo an entry."""
    return rebase_changes(state, invert(entry.changes)).changes


@given(logs())
def test_replaying_stored_log_gives_the_state(log: list[Played]):
    stored = json.loads(json.dumps([entry.changes for entry in log]))
    replayed = log[0].before
    for revision, changes in enumerate(stored, 1):
        replayed = apply(replayed, changes, revision)
    assert replayed == log[-1].after
    last = log[-1].after
    assert (replayed.touched, replayed.changed, replayed.marks) == (last.touched, last.changed, last.marks)


@given(logs())
def test_draft_invariants_always_hold(log: list[Played]):
    for entry in log:
        assert broken_promises(entry.after) == []


@given(logs())
def test_undone_entry_leaves_no_trace(log: list[Played]):
    for entry in log:
        undone = apply(entry.after, invert(entry.changes), 99)
        assert undone == entry.before
        assert apply(undone, invert(invert(entry.changes)), 100) == entry.after


@given(logs())
def test_whole_log_can_be_undone_and_redone(log: list[Played]):
    state = log[-1].after
    for entry in reversed(log):
        fit = rebase_changes(state, invert(entry.changes))
        assert (fit.changes, fit.left) == (invert(entry.changes), [])
        state = apply(state, fit.changes, 99)
        assert state == entry.before
    for entry in log:
        state = apply(state, rebase_changes(state, entry.changes).changes, 100)
        assert state == entry.after


@given(logs())
def test_changes_contain_only_real_changes(log: list[Played]):
    for entry in log:
        state = entry.before
        for change in entry.changes:
            after = apply(state, [change], 1)
            assert after != state or change["c"] in ("seen", "altered")
            if "pages" in change:
                assert change["pages"] == state.ordered(set(change["pages"]))
            state = after


@given(logs())
def test_later_entries_do_not_modify_earlier_states(log: list[Played]):
    before = [json.dumps(to_json(entry.before)) for entry in log]
    for entry in log:
        apply(entry.before, entry.changes, 7)
        undoing(entry.after, log[0])
    assert [json.dumps(to_json(entry.before)) for entry in log] == before


@given(logs(16), st.data())
def test_undo_among_others_work_is_valid_and_can_be_redone(log: list[Played], data: st.DataObject):
    state = log[-1].after
    entry = data.draw(st.sampled_from(log))
    changes = undoing(state, entry)
    undone = apply(state, changes, 50)
    assert broken_promises(undone) == []
    assert apply(undone, rebase_changes(undone, invert(changes)).changes, 51) == state


@given(logs(16), st.data())
def test_undo_never_leaves_placed_page_unplaced_and_reports_skipped_parts(log: list[Played], data: st.DataObject):
    """Pages that had no place before the entry may become unplaced."""
    state, entry = log[-1].after, data.draw(st.sampled_from(log))
    fit = rebase_changes(state, invert(entry.changes))
    undone = apply(state, fit.changes, 50)
    homeless = (state.placed() | state.outliers) - undone.placed() - undone.outliers
    assert homeless.isdisjoint(entry.before.placed() | entry.before.outliers) or not fit.left
    assert fit.changes or fit.left
    assert all(each.sentence() and not each.sentence().startswith("The {") for each in fit.left)


@given(logs(16), st.data())
def test_undo_keeps_later_placements_of_others(log: list[Played], data: st.DataObject):
    number = data.draw(st.integers(0, len(log) - 1))
    own = {
        (change["topic"], page) for change in log[number].changes if change["c"] == "in+" for page in change["pages"]
    }
    changes = undoing(log[-1].after, log[number])
    taken = {(change["topic"], page) for change in changes if change["c"] == "in-" for page in change["pages"]}
    assert taken <= own


@given(states())
def test_json_round_trip_keeps_everything(state: DraftState):
    stored = json.loads(json.dumps(to_json(state)))
    back = from_json(stored, PAGES)
    assert back == state
    assert (back.touched, back.changed, back.marks) == (state.touched, state.changed, state.marks)
    assert to_json(back) == stored


@given(states())
def test_document_contains_everything_to_be_published(state: DraftState):
    document = to_document(state, PAGE_LIST)
    assert from_document(document) == as_published(state)
    assert to_document(as_published(state), PAGE_LIST) == document


@given(states())
def test_exported_document_is_reimported_byte_for_byte(state: DraftState):
    exported = write_gold(to_document(state, PAGE_LIST))
    again = read_gold_document(exported)
    assert write_gold(to_document(from_document(again), again)) == exported


@given(logs())
def test_every_entry_has_short_label(log: list[Played]):
    for entry in log:
        assert 0 < len(label_of(entry.before, entry.operations)) <= 200


@pytest.mark.parametrize("kind", KINDS)
def test_random_scripts_reach_every_kind_of_operation(kind: str):
    first = settings(max_examples=2_000, phases=[Phase.generate])
    possible = find(steps([kind]), lambda step: attempt(furnished(), [step], 1) is not None, settings=first)
    assert possible.kind == kind

"""The drafts cached by processes follow the database, even with concurrent changes and crashes."""

from __future__ import annotations

import json
import random
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from annotations.collections.removal import allow_removal
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.drafts.selectors.documents import documents_of
from annotations.drafts.services.errors import DraftError
from annotations.drafts.services.performing import Outcome, perform
from annotations.drafts.services.planning import DraftRequest
from annotations.drafts.state_machine import to_json
from annotations.models import Collection, Draft, DraftEntry, DraftSnapshot
from tests.concurrency import at_once
from tests.samples.many_rows import again

Operation = dict[str, Any]


@pytest.fixture
def draft(collection: Collection, curator: User) -> Draft:
    """A shared draft with topics a, b and a's child c, at r1."""
    draft = drafts.from_nothing(query=collection.queries.get(key="mercury"), user=curator, kind="shared")
    operations = [
        {"kind": "add_topic", "topic": key, "name": key.upper(), "parent": parent}
        for key, parent in (("a", None), ("b", None), ("c", "a"))
    ]
    perform(draft, curator, DraftRequest(uuid.uuid4(), 0, operations))
    return draft


def fresh(draft: Draft) -> Draft:
    """Return the draft as another request fetches it."""
    return Draft.objects.get(pk=draft.pk)


def put(draft: Draft, user: User, *pages: str, topic: str = "a", base: int | None = None) -> Outcome:
    row = fresh(draft)
    operation = {"kind": "assign", "pages": list(pages), "topics": [topic]}
    return perform(row, user, DraftRequest(uuid.uuid4(), row.revision if base is None else base, [operation]))


def members(draft: Draft) -> dict[str, list[str]]:
    found: dict[str, list[str]] = to_json(states.current(fresh(draft)).state)["members"]
    return found


@contextmanager
def another_process() -> Iterator[None]:
    """Run the block with an empty cache, like another process."""
    with (
        mock.patch.object(states, "_MEMORY", states._Memory()) as memory,
        mock.patch.multiple(states, alone=memory.alone, cache=memory.put, drop=memory.drop),
    ):
        yield


def test_replaying_log_gives_the_state(draft: Draft, curator: User) -> None:
    for page in ("p1", "p2", "p3"):
        put(draft, curator, page)
    row = fresh(draft)
    perform(row, curator, DraftRequest(uuid.uuid4(), row.revision, undo=row.revision))
    perform(row, curator, DraftRequest(uuid.uuid4(), row.revision, [{"kind": "merge", "topics": ["c"], "into": "b"}]))
    kept, replayed = states.current(fresh(draft)), states.replayed(fresh(draft), start=0)
    assert to_json(kept.state) == to_json(replayed.state)
    assert kept.undoing == replayed.undoing


def test_two_processes_agree_on_draft(draft: Draft, curator: User, owner: User) -> None:
    states.current(draft)
    with another_process():
        put(draft, owner, "p1")
        put(draft, owner, "p2")
    put(draft, curator, "p3")
    with another_process():
        assert members(draft) == {"a": ["p1", "p2", "p3"]}
    assert members(draft) == {"a": ["p1", "p2", "p3"]}


def test_process_replays_only_missed_entries(
    draft: Draft, curator: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    states.current(draft)
    with another_process():
        put(draft, curator, "p1")
    row = fresh(draft)
    with django_assert_num_queries(1):
        states.current(row)
    with django_assert_num_queries(0):
        states.current(row)


def test_overtaken_writer_retries(draft: Draft, curator: User, owner: User) -> None:
    stale = fresh(draft)
    with another_process():
        put(draft, owner, "p1")
    # This process has only r1 cached, as if the other process had been slightly faster.
    outcome = perform(stale, curator, DraftRequest(uuid.uuid4(), 1, [{"kind": "flag", "pages": ["p2"]}]))
    assert [entry["revision"] for entry in outcome.entries] == [2, 3]
    assert members(draft) == {"a": ["p1"]}


def test_crash_between_database_and_cache_loses_nothing(draft: Draft, curator: User) -> None:
    with mock.patch.object(states, "cache", side_effect=MemoryError), pytest.raises(MemoryError):
        put(draft, curator, "p1")
    assert members(draft) == {"a": ["p1"]}
    put(draft, curator, "p2")
    assert members(draft) == {"a": ["p1", "p2"]}


def test_failed_write_changes_nothing(draft: Draft, curator: User) -> None:
    with mock.patch.object(DraftEntry, "save", side_effect=OSError("disk full")), pytest.raises(OSError, match="full"):
        put(draft, curator, "p1")
    assert fresh(draft).revision == 1
    assert members(draft) == {}


def test_rolled_back_entry_is_dropped_from_cache(draft: Draft, curator: User, owner: User) -> None:
    with transaction.atomic():
        put(draft, curator, "p1")
        transaction.set_rollback(True)
    with another_process():
        put(draft, owner, "p2")
    assert members(draft) == {"a": ["p2"]}, "same revision but a different entry"


def test_rolled_back_entry_causes_no_rejection(draft: Draft, curator: User) -> None:
    """The cache still holds a rolled-back entry. A batch that conflicts with it may be valid for the database."""
    begun, deleted = fresh(draft), {"kind": "delete_topic", "topic": "b", "children": "lift", "pages": "unplace"}
    with transaction.atomic():
        perform(fresh(draft), curator, DraftRequest(uuid.uuid4(), 1, [deleted]))
        transaction.set_rollback(True)
    outcome = perform(begun, curator, DraftRequest(uuid.uuid4(), 1, [{"kind": "rename", "topic": "b", "name": "Bats"}]))
    assert outcome.known.state.topics["b"].name == "Bats"
    assert states.current(fresh(draft)).state.topics["b"].name == "Bats"


def test_undo_ignores_rolled_back_entry(draft: Draft, curator: User) -> None:
    begun = fresh(draft)
    with transaction.atomic():
        put(draft, curator, "p1")
        transaction.set_rollback(True)
    with pytest.raises(DraftError, match="r2 is not what you would undo next"):
        perform(begun, curator, DraftRequest(uuid.uuid4(), 1, undo=2))
    perform(fresh(draft), curator, DraftRequest(uuid.uuid4(), 1, undo=1))
    assert states.current(fresh(draft)).state.topics == {}


def test_slightly_outdated_row_takes_no_further_query(
    draft: Draft, curator: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    """Another thread of this process wrote after the row was fetched, so the cache is newer than the row."""
    late, steps = fresh(draft), [{"kind": "flag", "pages": [page]} for page in ("p1", "p2")]
    perform(fresh(draft), curator, DraftRequest(uuid.uuid4(), 1, [steps[0]]))
    with django_assert_num_queries(4):  # update and insert, between start and end of a savepoint
        perform(late, curator, DraftRequest(uuid.uuid4(), 1, [steps[1]]))
    assert states.current(fresh(draft)).state.flags == {"p1", "p2"}


def test_restored_database_overrides_cache(draft: Draft, curator: User) -> None:
    put(draft, curator, "p1")
    put(draft, curator, "p2")
    with allow_removal("a test"):
        DraftEntry.objects.filter(draft=draft, revision=3).delete()
    head = DraftEntry.objects.get(draft=draft, revision=2).op_id
    Draft.objects.filter(pk=draft.pk).update(revision=2, head=head)
    assert members(draft) == {"a": ["p1"]}


def test_snapshots_shorten_replay(draft: Draft, curator: User) -> None:
    for number in range(states.SNAPSHOT_EVERY):
        row = fresh(draft)
        kind = "unflag" if number % 2 else "flag"
        perform(row, curator, DraftRequest(uuid.uuid4(), row.revision, [{"kind": kind, "pages": ["p1"]}]))
    assert [row.revision for row in DraftSnapshot.objects.filter(draft=draft)] == [0, states.SNAPSHOT_EVERY]
    with another_process():
        assert to_json(states.current(fresh(draft)).state) == to_json(states.replayed(draft, start=0).state)


def test_snapshot_without_marks_is_skipped(draft: Draft, curator: User) -> None:
    move = {"kind": "move", "topic": "b", "parent": None, "at": 0}
    perform(draft, curator, DraftRequest(uuid.uuid4(), 1, [move]))
    row = fresh(draft)
    state = states.current(row).state
    assert state.marks == {"a": 0, "b": 1}
    stored = {key: value for key, value in to_json(state).items() if key != "marks"}
    packed = zlib.compress(json.dumps(stored).encode())
    DraftSnapshot.objects.create(draft=row, revision=row.revision, state=packed)
    assert states.replayed(row).state.marks == state.marks, "in tree order, b would get the first mark"


# --- Several drafts ---------------------------------------------------------------------------------------------------


@pytest.fixture
def several(draft: Draft, collection: Collection, curator: User, owner: User) -> list[Draft]:
    """Drafts of two queries: with entries after a later snapshot, untouched, with an undone step, and with a later
    snapshot without marks."""
    mercury, saturn = (collection.queries.get(key=key) for key in ("mercury", "saturn"))
    untouched = drafts.from_nothing(query=saturn, user=curator, kind="own")
    undone = drafts.from_nothing(query=mercury, user=owner, kind="own")
    for page in ("p1", "p2"):
        perform(undone, owner, DraftRequest(uuid.uuid4(), undone.revision, [{"kind": "flag", "pages": [page]}]))
    perform(undone, owner, DraftRequest(uuid.uuid4(), undone.revision, undo=2))
    long = drafts.from_nothing(query=mercury, user=curator, kind="shared")
    for number in range(states.SNAPSHOT_EVERY + 3):
        user, kind = (owner, "unflag") if number % 2 else (curator, "flag")
        perform(long, user, DraftRequest(uuid.uuid4(), long.revision, [{"kind": kind, "pages": ["p1"]}]))
    move = {"kind": "move", "topic": "b", "parent": None, "at": 0}
    perform(draft, curator, DraftRequest(uuid.uuid4(), draft.revision, [move]))
    _snapshot_without_marks(fresh(draft))
    put(draft, owner, "p1")
    return [fresh(each) for each in (long, untouched, undone, draft)]


def _snapshot_without_marks(row: Draft) -> None:
    stored = {key: value for key, value in to_json(states.current(row).state).items() if key != "marks"}
    packed = zlib.compress(json.dumps(stored).encode())
    DraftSnapshot.objects.create(draft=row, revision=row.revision, state=packed)


def _one_by_one(rows: list[Draft]) -> list[states.CachedDraft]:
    with another_process():
        return [states.current(row) for row in rows]


@pytest.mark.parametrize("warm", [(), (1,), (0, 2), (1, 2, 3), (0, 1, 2, 3)])
def test_reading_several_drafts_equals_reading_each(several: list[Draft], warm: tuple[int, ...]) -> None:
    expected = _one_by_one(several)
    assert [known.revision for known in expected] == [states.SNAPSHOT_EVERY + 3, 0, 3, 3]
    assert [len(known.entries) for known in expected] == [3, 0, 3, 3]
    with another_process():
        for place in warm:
            states.current(several[place])
        assert states.current_of(several) == expected
        assert states.current_of(several[::-1]) == expected[::-1]
        assert states.current_of([]) == []
        assert [states._MEMORY.get(row.pk) for row in several] == expected, "cached for the next request"


@pytest.mark.parametrize("warm", [(3,), (2, 3), (0, 1, 2, 3)])
def test_reading_several_drafts_with_one_outdated(several: list[Draft], owner: User, warm: tuple[int, ...]) -> None:
    with another_process():
        for place in warm:
            states.current(several[place])
        with another_process():
            put(several[3], owner, "p2", topic="b")
        rows = [fresh(row) for row in several]
        expected = _one_by_one(rows)
        found = states.current_of(rows)
    assert expected[3].revision == 4
    assert found == expected


def test_reading_several_outdated_rows_refreshes_them(several: list[Draft], owner: User) -> None:
    """The cache is newer, so rows are refreshed in place, as for a single draft."""
    put(several[3], owner, "p2", topic="b")
    found = states.current_of(several)
    assert [known.revision for known in found] == [row.revision for row in several]
    assert several[3].revision == 4
    assert found[3].state.members["b"] == {"p2"}


def test_reading_several_overtaken_rows_uses_their_revision(several: list[Draft], owner: User) -> None:
    """Entries and snapshots written after the rows were fetched are omitted."""
    expected = _one_by_one(several)
    with another_process():
        for number in range(states.SNAPSHOT_EVERY):
            row = fresh(several[2])
            kind = "unflag" if number % 2 else "flag"
            perform(row, owner, DraftRequest(uuid.uuid4(), row.revision, [{"kind": kind, "pages": ["p3"]}]))
    assert several[2].snapshots.count() == 2
    with another_process():
        assert states.current_of(several) == expected


def test_reading_several_drafts_with_rolled_back_entry(several: list[Draft], curator: User, owner: User) -> None:
    with transaction.atomic():
        put(several[3], curator, "p3")
        transaction.set_rollback(True)
    with another_process():
        put(several[3], owner, "p2")
    rows = [fresh(row) for row in several]
    found, expected = (known[3] for known in (states.current_of(rows), _one_by_one(rows)))
    assert (found.state, found.head) == (expected.state, expected.head), "same revision but a different entry"
    assert found.state.members == {"a": {"p1", "p2"}}


def test_reading_one_draft_at_two_revisions(several: list[Draft], owner: User) -> None:
    with another_process():
        put(several[3], owner, "p2")
    rows = [*several, fresh(several[3])]
    with another_process():
        found = states.current_of(rows)
    assert [known.revision for known in found] == [row.revision for row in rows]
    assert found[-1].state.members == {"a": {"p1", "p2"}}


def test_reading_several_drafts_with_missing_snapshot(several: list[Draft]) -> None:
    lost = again(several[1], head=uuid.uuid4(), name="lost")
    with another_process(), pytest.raises(DraftSnapshot.DoesNotExist, match=f"draft {lost.pk} has no snapshot"):
        states.current_of([*several, lost])


def test_number_of_queries_does_not_grow_with_documents(draft: Draft, curator: User) -> None:
    """More drafts than the cache holds, each with a log and a later snapshot, and none of them cached."""
    put(draft, curator, "p1", "p2")
    _snapshot_without_marks(fresh(draft))
    put(draft, curator, "p3")
    few = [fresh(draft), *(_copied(draft, number) for number in range(2))]
    many = [*few, *(_copied(draft, number) for number in range(3, states.CACHED_DRAFTS))]
    more = [*many, *(_copied(draft, number) for number in range(states.CACHED_DRAFTS, states.CACHED_DRAFTS + 9))]
    documents, queries = zip(*(_read_cold(rows) for rows in (few, many, more)), strict=True)
    assert queries[0] == queries[1], "the number does not grow up to the cache size"
    assert queries[2] < 2 * queries[1], "a second batch repeats all queries except those for pages"
    assert documents[2] == documents[0][:1] * len(more)


def _copied(draft: Draft, number: int) -> Draft:
    """Return a copy of a draft with its snapshots and log."""
    copy = again(fresh(draft), name=f"copy {number}")
    for row in (*draft.snapshots.all(), *draft.entries.all()):
        again(row, draft=copy)
    return copy


def _read_cold(rows: list[Draft]) -> tuple[list[Any], int]:
    """Return the contents of drafts, read with an empty cache, and the number of queries."""
    found = list(Draft.objects.filter(pk__in=[row.pk for row in rows]).select_related("query").order_by("pk"))
    with another_process(), CaptureQueriesContext(connection) as asked:
        documents = documents_of(found)
    return documents, len(asked)


def test_cache_is_bounded(draft: Draft, curator: User) -> None:
    memory = states._Memory()
    known = states.current(draft)
    for pk in range(states.CACHED_DRAFTS + 5):
        memory.put(pk, known)
    assert memory.get(0) is None
    assert memory.get(states.CACHED_DRAFTS + 4) is known


def test_the_log_is_not_rewritten(draft: Draft) -> None:
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        DraftEntry.objects.update(label="Nothing happened")
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        DraftSnapshot.objects.update(revision=9)


PAGES = st.lists(st.sampled_from([f"p{n}" for n in range(1, 9)]), min_size=1, max_size=3, unique=True)
NAMES = st.text("xyz", min_size=1, max_size=3)
STEPS = st.one_of(
    st.builds(lambda pages, to: {"kind": "assign", "pages": pages, "topics": [to]}, PAGES, st.sampled_from("abc")),
    st.builds(lambda pages: {"kind": "outlier", "pages": pages}, PAGES),
    st.builds(lambda pages: {"kind": "flag", "pages": pages}, PAGES),
    st.builds(lambda key, name: {"kind": "rename", "topic": key, "name": name}, st.sampled_from("abc"), NAMES),
    st.sampled_from([{"kind": "merge", "topics": ["c"], "into": "b"}, {"kind": "promote", "topic": "c"}]),
    st.sampled_from(["undo", "redo"]),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=st.lists(st.tuples(st.booleans(), st.integers(0, 2), STEPS), max_size=12))
def test_log_gives_state_after_random_work_of_two_processes(
    draft: Draft, curator: User, owner: User, turns: list[tuple[bool, int, Any]]
) -> None:
    """Two people take random steps in two processes, up to two revisions behind. Rejected steps change nothing."""
    with transaction.atomic():
        for elsewhere, behind, step in turns:
            row = fresh(draft)
            user, base = (owner if elsewhere else curator), max(0, row.revision - behind)
            asked = _asked(row, user, base, step)
            if asked is None:
                continue
            try:
                if elsewhere:
                    with another_process():
                        perform(row, user, asked)
                else:
                    perform(row, user, asked)
            except DraftError:
                assert fresh(draft).revision == row.revision
        kept, replayed = states.current(fresh(draft)), states.replayed(fresh(draft), start=0)
        assert to_json(kept.state) == to_json(replayed.state)
        transaction.set_rollback(True)


def _asked(row: Draft, user: User, base: int, step: Any) -> DraftRequest | None:
    if isinstance(step, dict):
        return DraftRequest(uuid.uuid4(), base, [step])
    undoing = states.current(row).undoing
    found = undoing.undo(user.pk) if step == "undo" else undoing.redo(user.pk)
    return DraftRequest(uuid.uuid4(), base, **{step: found.revision}) if found else None


# --- Threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("processes", ["one", "four"])
def test_four_writers_at_once_lose_nothing(draft: Draft, curator: User, owner: User, processes: str) -> None:
    """Tested with threads that share the cache, and with threads that always reload, as separate processes would."""

    def writer(number: int) -> Callable[[], None]:
        user = curator if number % 2 else owner

        def write() -> None:
            for page in random.sample([f"p{n}" for n in range(1, 9)], 8):
                row = fresh(draft)
                if processes == "four":
                    states.drop(draft.pk)
                operation = {"kind": "add_topic", "topic": f"{number}-{page}", "name": page, "pages": [page]}
                perform(row, user, DraftRequest(uuid.uuid4(), row.revision, [operation]))

        return write

    at_once(*(writer(number) for number in range(4)))
    row = fresh(draft)
    assert row.revision == 1 + 4 * 8
    assert list(row.entries.values_list("revision", flat=True)) == list(range(1, row.revision + 1))
    assert to_json(states.current(row).state) == to_json(states.replayed(row, start=0).state)


@pytest.mark.django_db(transaction=True)
def test_one_id_from_several_tabs_is_applied_once(draft: Draft, curator: User) -> None:
    asked = DraftRequest(uuid.uuid4(), 1, [{"kind": "flag", "pages": ["p1"]}])
    outcomes = at_once(*[lambda: perform(fresh(draft), curator, asked)] * 4)
    assert [outcome.revision for outcome in outcomes] == [2, 2, 2, 2]
    assert fresh(draft).revision == 2

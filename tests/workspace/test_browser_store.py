"""The store of the workspace against the real server: work is shown at once and never lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.drafts.state_machine import to_json
from annotations.models import Collection, Draft, DraftEntry
from tests.browser.contexts import Contexts
from tests.fixtures.browser import begin, missing_file, session_cookie
from tests.profiles import thorough
from tests.waiting import PATIENCE
from tests.workspace.store_page import Curator

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    thorough("the store of the workspace in a browser"),
]

Operation = dict[str, Any]
Join = Callable[[User], Curator]


@pytest.fixture
def draft(collection: Collection, owner: User) -> Draft:
    return begin(collection, owner, Draft.Kind.SHARED, name="Ours")


@pytest.fixture
def join(contexts: Contexts, live_server: LiveServer, draft: Draft) -> Iterator[Join]:
    """``join(user)`` returns a browser of this person without the user interface. Errors in scripts fail the test."""
    wrong: list[str] = []

    def answered(response: Response) -> None:
        wrong.extend(missing_file(response))

    def call(user: User) -> Curator:
        page = lent.page(live_server.url)
        page.context.on("response", answered)
        page.context.add_cookies([session_cookie(user, live_server.url)])
        page.on("pageerror", lambda error: wrong.append(str(error)))
        return Curator(page, live_server, draft.pk, user)

    with contexts.lend() as lent:
        yield call
        for context in lent.contexts:
            context.remove_listener("response", answered)
    assert wrong == []


@pytest.fixture
def ana(join: Join, curator: User) -> Curator:
    return join(curator)


@pytest.fixture
def bob(join: Join, owner: User) -> Curator:
    return join(owner)


def assign(topic: str, *pages: str) -> Operation:
    return {"kind": "assign", "pages": list(pages), "topics": [topic]}


def add(topic: str, name: str, parent: str | None = None) -> Operation:
    return {"kind": "add_topic", "topic": topic, "name": name, "parent": parent}


def rename(topic: str, name: str) -> Operation:
    return {"kind": "rename", "topic": topic, "name": name}


def merge(into: str, *topics: str) -> Operation:
    return {"kind": "merge", "topics": list(topics), "into": into}


def names(state: dict[str, Any]) -> dict[str, str]:
    return {topic["id"]: topic["name"] for topic in state["topics"]}


def on_the_server(draft: Draft) -> dict[str, Any]:
    """Return the state that replaying the log gives, without the records of stale pages."""
    draft.refresh_from_db()
    found = to_json(states.current(draft).state)
    return {key: value for key, value in found.items() if key not in {"touched", "changed", "marks"}}


def entries(draft: Draft) -> list[DraftEntry]:
    return list(draft.entries.order_by("revision"))


@dataclass
class Line:
    """The connection that sends work to the server: its requests, and how it fails."""

    page: Page
    sent: list[dict[str, Any]] = field(default_factory=list)
    broken: str = ""
    lost: int = 0

    def __post_init__(self) -> None:
        self.page.route("**/operations", self._operations)
        self.page.route("**/changes?**", self._changes)

    def _operations(self, route: Route) -> None:
        self.sent.append(route.request.post_data_json)
        if self.broken == "answer":
            route.fetch()  # the server applies it, but the response is lost
            self.lost += 1
        if self.broken:
            route.abort("connectionfailed")
        else:
            route.fallback()

    def lose_answer(self, ana: Curator) -> None:
        """Wait until the server has applied the work and the page has noticed the missing response.

        The page may notice earlier, because polling for changes also gets no response.
        """
        give_up = monotonic() + PATIENCE
        while not self.lost:
            assert monotonic() < give_up, "nothing was sent"
            self.page.wait_for_timeout(20)
        ana.wait("store.save.kind === 'offline'")

    def _changes(self, route: Route) -> None:
        if self.broken:
            route.abort("connectionfailed")
        else:
            route.fallback()


# --- Alone ------------------------------------------------------------------------------------------------------------


def test_changes_are_shown_before_server_confirms(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    found = ana.run("""
      store.perform([{kind: "assign", pages: ["p1"], topics: ["parts", "outboard"]}]);
      return [store.state.isIn("p1", "boats"), store.state.finestTopics("p1"), store.save, store.undoLabel];
    """)
    assert found[:2] == [True, ["space", "outboard", "parts"]]
    assert found[2]["kind"] == "saving"
    assert (found[2]["waiting"], found[2]["revision"]) == (1, 0)
    assert found[3] == "Put 1 page into Spare parts and Outboards"
    assert entries(draft) == []


def test_one_batch_is_one_request_and_one_entry(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    batch = ana.perform(add("t-new", "Rigging", "boats"), assign("t-new", "p4", "p5"))
    ana.settled()
    assert [str(entry.op_id) for entry in entries(draft)] == [batch]
    assert [body["id"] for body in line.sent] == [batch]
    assert ana.save() == {"kind": "saved", "waiting": 0, "revision": 1, "reason": "", "stored": True}
    assert ana.state() == on_the_server(draft)


def test_invalid_operation_changes_nothing(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    before = ana.state()
    found = ana.run("""
      try { store.perform([{kind: "flag", pages: ["p1"]}, {kind: "move", topic: "boats", parent: "parts"}]); }
      catch (error) { return [error.name, error.code, error.index]; }
    """)
    assert found == ["OperationError", "cycle", 1]
    assert (ana.state(), ana.save()["kind"], line.sent) == (before, "saved", [])


def test_events_describe_changes(ana: Curator) -> None:
    ana.open(slow=True)
    ana.perform(assign("space", "p4"))
    ana.perform(rename("space", "Planets"))
    ana.settled()
    heard = ana.run("return store.heard")
    changes = [each for each in heard if each["event"] == "change"]
    assert [(each["pages"], each["structure"], each["by"]) for each in changes] == [
        (["p4"], False, "curator"),
        (None, True, "curator"),
    ]
    assert [each["kind"] for each in heard if each["event"] == "save"][-1] == "saved"


def test_many_quick_changes_arrive_in_order(ana: Curator, draft: Draft) -> None:
    ana.open(slow=True)
    ana.run("""
      store.perform([{kind: "add_topic", topic: "t-a", name: "A", parent: null}]);
      store.perform([{kind: "rename", topic: "t-a", name: "B"}]);
      store.perform([{kind: "rename", topic: "t-a", name: "C"}]);
      for (const page of ["p1", "p2", "p3"]) store.perform([{kind: "assign", pages: [page], topics: ["t-a"]}]);
      store.perform([{kind: "move", topic: "t-a", parent: "space"}]);
    """)
    ana.settled()
    assert len(entries(draft)) == 7
    assert ana.state() == on_the_server(draft)
    assert ana.run("return store.conflicts") == []


# --- Undo -------------------------------------------------------------------------------------------------------------


def test_undo_and_redo_of_confirmed_work(ana: Curator, draft: Draft) -> None:
    ana.open(slow=True)
    before = ana.state()
    ana.perform(merge("space", "parts", "outboard"))
    ana.settled()
    merged = ana.state()
    assert ana.run("const label = store.undo(); return [label, store.undoLabel, store.redoLabel]") == [
        "Merge Spare parts and Outboards into Planet",
        "the change before",
        "Merge Spare parts and Outboards into Planet",
    ]
    assert ana.state() == before
    ana.settled()
    assert (ana.state(), on_the_server(draft)) == (before, before)
    assert ana.run("return [store.undoLabel, store.redo()]") == [None, "Merge Spare parts and Outboards into Planet"]
    ana.settled()
    assert (ana.state(), on_the_server(draft)) == (merged, merged)
    assert [(entry.undoes, entry.redoes) for entry in entries(draft)] == [(None, None), (1, None), (None, 2)]


def test_undo_removes_unsent_work(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    before = ana.state()
    ana.run("store.perform([{kind: 'flag', pages: ['p1']}]); store.undo()")
    ana.settled()
    assert (ana.state(), line.sent, entries(draft)) == (before, [], [])
    assert ana.run("return store.redo()") == "Flag 1 page"
    ana.settled()
    assert on_the_server(draft)["flags"] == ["p1"]


def test_undo_waits_for_work_being_sent(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    before = ana.state()
    line.broken = "answer"
    ana.perform(assign("space", "p4"))
    line.lose_answer(ana)
    assert ana.run("return store.undo()") == "Put 1 page into Planet"
    assert ana.state() == before
    line.broken = ""
    ana.settled()
    assert (ana.state(), on_the_server(draft)) == (before, before)
    assert [entry.undoes for entry in entries(draft)] == [None, 1]


def test_consecutive_undos_do_not_wait_for_each_other(ana: Curator, draft: Draft) -> None:
    ana.open(slow=True)
    before = ana.state()
    for page in ("p4", "p5", "p6"):
        ana.perform(assign("space", page))
    ana.settled()
    ana.reload(slow=True)
    ana.run("store.undo(); store.undo(); store.undo()")
    ana.settled()
    assert (ana.state(), on_the_server(draft)) == (before, before)
    ana.run("store.redo(); store.redo()")
    ana.settled()
    assert on_the_server(draft)["members"]["space"] == ["p1", "p2", "p3", "p4", "p5"]
    assert ana.state() == on_the_server(draft)


def test_undo_blocked_by_others_is_skipped_with_reason(ana: Curator, bob: Curator, draft: Draft) -> None:
    ana.open(slow=True).perform(rename("space", "Planets"))
    ana.settled()
    bob.open(slow=True).perform(rename("space", "Heavens"))
    bob.settled()
    ana.run("store.addEventListener('answered', ({detail}) => { store.told = detail.entry })")
    ana.run("store.undo()")
    ana.settled()
    assert ana.run("return [store.conflicts, store.undoLabel, store.redoLabel]") == [[], None, None]
    assert ana.run("return store.told.skipped.map(({message}) => message)") == [
        "The name of 'Heavens' has been changed since (owner: Rename Planets to Heavens)."
    ]
    assert names(ana.state())["space"] == "Heavens"


# --- Without connection -----------------------------------------------------------------------------------------------


def test_offline_work_is_sent_later_with_the_same_ids(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open().page)
    line.broken = "all"
    batches = [ana.perform(assign("space", page)) for page in ("p4", "p5")]
    ana.wait("store.save.kind === 'offline' && store.save.waiting === 2")
    line.broken = ""
    ana.settled()
    assert [str(entry.op_id) for entry in entries(draft)] == batches
    assert len({body["id"] for body in line.sent}) == 2
    assert ana.state() == on_the_server(draft)


def test_lost_response_repeats_nothing(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "answer"
    batch = ana.perform(add("t-a", "A"), assign("t-a", "p1"))
    line.lose_answer(ana)
    assert len(entries(draft)) == 1
    line.broken = ""
    ana.settled()
    assert [str(entry.op_id) for entry in entries(draft)] == [batch]
    assert ana.run("return [store.save.kind, store.conflicts]") == ["saved", []]
    assert ana.state() == on_the_server(draft)


def test_reload_during_work_loses_nothing(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    pages = [f"p{number}" for number in range(1, 8)]
    batches = [ana.perform(add("t-a", "A")), ana.perform(assign("t-a", *pages)), ana.perform(rename("t-a", "B"))]
    shown = ana.state()
    ana.wait("store.save.kind === 'offline'")
    line.broken = ""
    page, line.broken = ana.page, ""
    page.route("**/operations", lambda route: route.abort("connectionfailed"))
    ana.reload(slow=True)
    assert (ana.state(), ana.save()["waiting"]) == (shown, 3)
    assert ana.run("return store.undoLabel") == "Rename A to B"
    page.unroute("**/operations")
    ana.settled()
    assert [str(entry.op_id) for entry in entries(draft)] == batches
    assert ana.state() == on_the_server(draft) == shown


def test_reload_after_lost_response_repeats_nothing(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "answer"
    ana.run("store.perform([{kind: 'rename', topic: 'space', name: 'A'}])")
    ana.run("store.perform([{kind: 'rename', topic: 'space', name: 'B'}])")
    line.lose_answer(ana)
    line.broken = ""
    ana.reload(slow=True)
    ana.settled()
    assert [entry.label for entry in entries(draft)] == ["Rename Planet to A", "Rename A to B"]
    assert ana.run("return store.conflicts") == []
    assert ana.state() == on_the_server(draft)


def test_two_tabs_share_waiting_work(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'offline'")
    ana.open("second", slow=True)
    assert ana.run("return [second.save.waiting, second.state.isIn('p4', 'space')]") == [1, True]
    line.broken = ""
    ana.settled()
    ana.settled("second")
    assert len(entries(draft)) == 1
    assert ana.run("return localStorage.length") == 0


def test_other_tab_notices_confirmed_work(ana: Curator, draft: Draft, live_server: LiveServer) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'offline'")
    second = Curator(ana.page.context.new_page(), live_server, draft.pk, ana.user)
    blocked = Line(second.page)
    second.open(slow=True)
    blocked.broken = "all"
    second.perform(assign("space", "p5"))
    second.run("store.undo()")
    line.broken = ""
    ana.settled()
    blocked.broken = ""
    second.settled()
    assert second.state() == ana.state() == on_the_server(draft)
    assert second.run("return localStorage.length") == 0


def test_full_browser_storage_is_reported(ana: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    ana.run("""
      for (let size = 2 ** 23; size; size >>= 1) {
        try { localStorage.setItem(`other ${size}`, "x".repeat(size)); } catch { /* no more room */ }
      }
    """)
    line.broken = "all"
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'offline'")
    assert ana.save()["stored"] is False
    line.broken = ""
    ana.settled()
    assert ana.state() == on_the_server(draft)


def test_work_waits_until_same_user_signs_in(ana: Curator, draft: Draft) -> None:
    ana.open()
    session = session_of(ana)
    ana.page.context.clear_cookies(name="sessionid")
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'signed-out' && store.save.waiting === 1")
    assert ana.run("return store.state.isIn('p4', 'space')")
    assert entries(draft) == []
    ana.page.context.add_cookies(session)
    ana.settled()
    assert [entry.user.get_username() for entry in entries(draft)] == ["curator"]


def test_work_is_never_sent_as_another_user(ana: Curator, bob: Curator, draft: Draft) -> None:
    ana.open()
    mine, other = session_of(ana), session_of(bob)
    ana.page.context.clear_cookies(name="sessionid")
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'signed-out'")
    ana.page.context.add_cookies(other)
    ana.wait("store.save.reason.includes('signed in as owner')")
    assert entries(draft) == []
    ana.page.context.add_cookies(mine)
    ana.settled()
    assert [entry.user.get_username() for entry in entries(draft)] == ["curator"]


def test_work_is_not_sent_after_another_user_signs_in(ana: Curator, bob: Curator, draft: Draft) -> None:
    """Both users may change the draft, and no response in between tells the tab that the user has changed."""
    line = Line(ana.open().page)
    mine, other = session_of(ana), session_of(bob)
    ana.perform(assign("space", "p4"))
    ana.settled()
    line.broken = "all"
    ana.perform(assign("parts", "p1"))
    ana.wait("store.save.kind === 'offline'")
    ana.page.context.add_cookies(other)
    line.broken = ""
    ana.wait("store.save.reason.includes('signed in as owner')")
    assert ana.save()["kind"] == "signed-out"
    assert ana.save()["waiting"] == 1
    ana.perform(rename("space", "Planets"))
    assert [entry.user.get_username() for entry in entries(draft)] == ["curator"]
    ana.page.context.add_cookies(mine)
    ana.settled()
    assert [entry.user.get_username() for entry in entries(draft)] == ["curator", "curator", "curator"]
    assert ana.state() == on_the_server(draft)


@pytest.mark.parametrize("what", ["perform([{kind: 'outlier', pages: ['p1']}])", "undo()", "redo()"])
def test_work_is_rejected_for_user_who_signed_in_since(ana: Curator, bob: Curator, draft: Draft, what: str) -> None:
    """The tab has sent no request since then, so its own work is the first to reveal the change."""
    ana.open(slow=True)
    mine, other = session_of(ana), session_of(bob)
    ana.perform(assign("parts", "p1"))
    ana.settled()
    if what == "redo()":
        ana.run("store.undo()")
        ana.settled()
    before = len(entries(draft))
    ana.page.context.add_cookies(other)
    ana.run(f"store.{what}")
    ana.wait('store.save.reason === "You are signed in as owner; what waits here is curator\'s."')
    assert len(entries(draft)) == before
    ana.page.context.add_cookies(mine)
    ana.run("await store.poll()")
    ana.settled()
    assert [entry.user.get_username() for entry in entries(draft)] == ["curator"] * (before + 1)
    assert ana.state() == on_the_server(draft)


def session_of(one: Curator) -> list[Any]:
    """Return the session cookie."""
    return [cookie for cookie in one.page.context.cookies() if cookie["name"] == "sessionid"]


# --- Others -----------------------------------------------------------------------------------------------------------


def test_changes_of_others_are_applied_before_waiting_work(ana: Curator, bob: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'offline'")
    bob.open(slow=True).perform(assign("parts", "p1"), rename("space", "Planets"))
    bob.settled()
    line.broken = ""
    ana.settled()
    bob.run("await store.poll()")
    assert ana.state() == bob.state() == on_the_server(draft)
    assert [entry.user.get_username() for entry in entries(draft)] == ["owner", "curator"]


def test_changes_of_others_appear_automatically(ana: Curator, bob: Curator) -> None:
    ana.open()
    bob.open(slow=True).perform(assign("space", "p4"))
    ana.wait("store.state.isIn('p4', 'space')")
    change = ana.run("return store.heard.find((each) => each.event === 'change')")
    assert (change["pages"], change["structure"], change["by"]) == (["p4"], False, "owner")


def test_merged_topic_is_replaced_by_its_target(ana: Curator, bob: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    ana.perform(assign("outboard", "p1"))
    ana.perform(add("t-a", "Small", "outboard"))
    ana.wait("store.save.kind === 'offline'")
    bob.open(slow=True).perform(merge("parts", "outboard"))
    bob.settled()
    line.broken = ""
    ana.settled()
    state = on_the_server(draft)
    assert ana.state() == state
    assert "p1" in state["members"]["parts"]
    assert [topic["parent"] for topic in state["topics"] if topic["id"] == "t-a"] == ["parts"]
    assert ana.run("return store.conflicts") == []


def test_structural_conflict_is_shown_until_decided(ana: Curator, bob: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    ana.perform(rename("space", "Planets"))
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'offline'")
    bob.open(slow=True).perform(rename("space", "Heavens"))
    bob.settled()
    line.broken = ""
    ana.settled()
    (conflict,) = ana.run("return store.conflicts")
    assert conflict["label"] == "Rename Planet to Planets"
    assert conflict["reason"].startswith("Meanwhile owner: Rename Planet to Heavens (r1).")
    assert names(ana.state())["space"] == "Heavens"
    assert ana.save()["kind"] == "conflict"
    assert ana.state() == on_the_server(draft), "the other batch was applied"

    ana.reload(slow=True)
    (again,) = ana.run("return store.conflicts")
    assert again == conflict
    ana.run("store.retryConflict(store.conflicts[0].id)")
    ana.settled()
    assert names(on_the_server(draft))["space"] == "Planets"
    assert ana.run("return [store.save.kind, localStorage.length]") == ["saved", 0]


def test_conflict_can_be_dismissed(ana: Curator, bob: Curator, draft: Draft) -> None:
    ana.open(slow=True)
    bob.open(slow=True).perform(rename("boats", "Ships"))
    bob.settled()
    ana.perform({"kind": "delete_topic", "topic": "boats", "children": "delete", "pages": "unplace"})
    ana.settled()
    assert ana.run("return store.conflicts.map((each) => each.label)") == ["Delete Engines and its subtopics"]
    ana.run("store.dismissConflict(store.conflicts[0].id)")
    assert ana.run("return [store.save.kind, localStorage.length]") == ["saved", 0]
    assert names(ana.state()) == names(on_the_server(draft)) | {"boats": "Ships"}


def test_change_that_others_also_made_counts_as_done(ana: Curator, bob: Curator, draft: Draft) -> None:
    line = Line(ana.open(slow=True).page)
    line.broken = "all"
    ana.perform(assign("space", "p4"))
    ana.wait("store.save.kind === 'offline'")
    bob.open(slow=True).perform(assign("space", "p4"))
    bob.settled()
    line.broken = ""
    ana.settled()
    assert ana.run("return [store.save.kind, store.conflicts]") == ["saved", []]
    assert len(entries(draft)) == 1
    assert ana.state() == on_the_server(draft)


def test_two_concurrent_browsers_converge(ana: Curator, bob: Curator, draft: Draft) -> None:
    work = """
      const pages = store.state.pages;
      for (let turn = 0; turn < 25; turn += 1) {
        const topics = store.state.preOrder();
        const [topic, page] = [topics[(turn * given.by) % topics.length], pages[(turn * 3 + given.by) % pages.length]];
        const kinds = [
          {kind: "assign", pages: [page], topics: [topic]},
          {kind: "unassign", pages: [page], topics: [topic]},
          {kind: "outlier", pages: [page]},
          {kind: "add_topic", topic: `t-${given.by}-${turn}`, name: `T${turn}`, parent: topic, pages: [page]},
          {kind: "flag", pages: [page]},
        ];
        try { store.perform([kinds[turn % kinds.length]]); }
        catch (error) { if (error.name !== "OperationError") throw error; }
        if (turn % 4 === 3) await new Promise((done) => setTimeout(done, 5));
      }
    """
    ana.open()
    bob.open()
    for curator, by in ((ana, 2), (bob, 5)):
        curator.page.evaluate(f"(given) => {{ window.working = (async () => {{ {work} }})() }}", {"by": by})
    for curator in (ana, bob):
        curator.run("await working")
        curator.settled()
    revision = on_the_server(draft) and draft.revision
    for curator in (ana, bob):
        curator.wait("store.revision === given", revision)
        curator.settled()
        assert curator.state() == on_the_server(draft)
    assert revision > 20


def test_presence_and_submission_reach_other_people(ana: Curator, bob: Curator, draft: Draft) -> None:
    ana.open()
    bob.open().run("store.setPresence('p3')")
    ana.wait("store.people.some((person) => person.name === 'owner' && person.page === 'p3')")
    drafts.submit(Draft.objects.get(pk=draft.pk))
    ana.wait("store.readOnly && store.save.kind === 'readonly'")
    found = ana.run("try { store.perform([{kind: 'flag', pages: ['p1']}]) } catch (error) { return error.code }")
    assert (found, ana.run("return store.undoLabel")) == ("read-only", None)


def test_work_on_submitted_draft_is_kept_as_conflict(ana: Curator, draft: Draft) -> None:
    ana.open(slow=True)
    drafts.submit(Draft.objects.get(pk=draft.pk))
    ana.perform(assign("space", "p4"))
    ana.wait("store.conflicts.length === 1")
    (conflict,) = ana.run("return store.conflicts")
    assert "submitted" in conflict["reason"] or "for others to change" in conflict["reason"]
    assert conflict["operations"] == [assign("space", "p4")]

"""Bulk work arrives once despite reloads, lost responses and closed tabs. Undo works days later."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.drafts.services import performing
from annotations.imports.services import import_documents
from annotations.models import Draft, DraftEntry, Query
from evaluation.collections import demo
from qc4.io import read_gold_document
from tests.browser.input_devices import BOTH, AtWork, KeysAtWork
from tests.browser.workspace import Workspace
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    thorough("work that is cut off, in a browser"),
]

ALL = {f"crane.{number}" for number in range(1, 49)}


@pytest.fixture
def draft(owner: User) -> Draft:
    """A draft that starts from the demo's ``crane``: 48 pages, four topics with eight subtopics, five outliers."""
    document = read_gold_document(demo.FILES / "collection" / "crane.gold.json")
    import_documents(name="Cranes", documents=[document], user=owner)
    return drafts.from_file(document=document, query=Query.objects.get(), user=owner, kind=Draft.Kind.SHARED)


@pytest.fixture
def screen(browse: Browse, owner: User, draft: Draft) -> Workspace:
    return Workspace(browse(owner), draft)


class Sent:
    """The ids of the work that a page sent, in order, including repetitions. `hold` delays responses."""

    def __init__(self, page: Page) -> None:
        self.ids: list[str] = []
        self.page = page
        page.on("request", self._note)

    def _note(self, request: object) -> None:
        if request.url.endswith("/operations"):
            self.ids.append(request.post_data_json["id"])

    def hold(self, *, reaches: bool) -> None:
        """Stop all responses; the request itself still arrives if `reaches` is True."""

        def swallow(route: Route) -> None:
            if reaches:
                route.fetch()

        self.page.route("**/operations", swallow)

    def let_go(self) -> None:
        self.page.unroute("**/operations")


IMPATIENT = """async (draft) => {
  const {DraftStore} = await import("/static/js/drafts/store.js");
  const workspace = await (await fetch(`/api/v1/drafts/${draft}`)).json();
  const store = new DraftStore({workspace, pace: {answer: 2000, retry: 20}});
  window.told = [];
  store.addEventListener("save", ({detail}) => window.told.push(detail.kind));
  store.perform([{kind: "flag", pages: ["crane.1"]}]);
}"""


def log(draft: Draft) -> list[tuple[str, str]]:
    """Return the id and label of every entry on the server, in order."""
    found = DraftEntry.objects.filter(draft=draft).order_by("revision")
    return [(str(entry.op_id), entry.label) for entry in found]


def begin(screen: Workspace, hands: type[AtWork]) -> AtWork:
    """Open the draft, with all pages in the list."""
    work = hands(screen.page)
    screen.open("?queue=all")
    return work


def all_pages_into(screen: Workspace, work: AtWork, digit: int) -> None:
    work.select_all()
    expect(screen.page.locator("#selected")).to_have_text("48 selected")
    work.place(digit)


def pages_in(screen: Workspace, topic: str) -> set[str]:
    """Return all pages of a topic on the server, including those of its subtopics."""
    state = screen.saved()
    return {page for id in (topic, *state.children.get(topic, ())) for page in state.members.get(id, ())}


def save_says(screen: Workspace, words: str) -> None:
    expect(screen.page.locator("#save-words")).to_have_text(words)


@pytest.mark.parametrize("reaches", [False, True], ids=["request lost", "answer lost"])
@BOTH
def test_reload_during_bulk_work(screen: Workspace, draft: Draft, hands: type[AtWork], reaches: bool) -> None:
    work, sent = begin(screen, hands), Sent(screen.page)
    sent.hold(reaches=reaches)
    all_pages_into(screen, work, 1)
    save_says(screen, "Saving 1")
    work.place(2)
    save_says(screen, "Saving 2")
    expect(screen.topic("Lifting machines").locator(".number")).to_have_text("48")
    screen.page.reload()
    expect(screen.topic("Lifting machines").locator(".number")).to_have_text("48")
    expect(screen.topic("Birds").locator(".number")).to_have_text("48")
    sent.let_go()
    save_says(screen, "Saved r2")
    assert [label for _, label in log(draft)] == ["Put 34 pages into Birds", "Put 34 pages into Lifting machines"]
    assert list(dict.fromkeys(sent.ids)) == [id for id, _ in log(draft)]
    assert pages_in(screen, "machines") == pages_in(screen, "birds") == ALL
    work.nothing_else()


@BOTH
def test_offline_bulk_work_is_counted_and_sent_once(screen: Workspace, draft: Draft, hands: type[AtWork]) -> None:
    work = begin(screen, hands)
    sent, context = Sent(screen.page), screen.page.context
    context.set_offline(True)
    all_pages_into(screen, work, 1)
    save_says(screen, "Offline, 1 waiting")
    work.place(2)
    save_says(screen, "Offline, 2 waiting")
    work.flag()
    save_says(screen, "Offline, 3 waiting")
    expect(screen.page.locator("#banner")).to_contain_text("3 changes wait in this browser and will be sent later.")
    expect(screen.topic("Birds").locator(".number")).to_have_text("48")
    assert log(draft) == []
    context.set_offline(False)
    save_says(screen, "Saved r3")
    expect(screen.page.locator("#banner")).to_be_hidden()
    assert [label for _, label in log(draft)] == [
        "Put 34 pages into Birds",
        "Put 34 pages into Lifting machines",
        "Flag 48 pages",
    ]
    assert list(dict.fromkeys(sent.ids)) == [id for id, _ in log(draft)]
    assert screen.saved().flags == ALL
    assert screen.saved().outliers == set()
    work.nothing_else()


@BOTH
def test_connection_breaks_after_request(screen: Workspace, draft: Draft, hands: type[AtWork]) -> None:
    """The server applied the work but the response was lost: waiting work is shown and not applied twice."""
    work = begin(screen, hands)
    sent, context = Sent(screen.page), screen.page.context

    reached = []

    def cut(route: Route) -> None:
        if not reached:
            reached.append(route.fetch())
        route.abort("internetdisconnected")

    # Polling does not reveal it either.
    screen.page.route("**/changes?**", lambda route: route.abort("internetdisconnected"))
    screen.page.route("**/operations", cut)
    with screen.page.expect_event("requestfailed", lambda request: request.url.endswith("/operations")):
        all_pages_into(screen, work, 1)
    save_says(screen, "Offline, 1 waiting")
    context.set_offline(True)
    sent.let_go()
    screen.page.unroute("**/changes?**")
    assert len(log(draft)) == 1
    work.outlier()
    save_says(screen, "Offline, 2 waiting")
    context.set_offline(False)
    save_says(screen, "Saved r2")
    assert [label for _, label in log(draft)] == ["Put 34 pages into Birds", "Make 48 pages outliers"]
    assert screen.saved().outliers == ALL
    work.nothing_else()


def test_tab_closed_offline_loses_nothing(screen: Workspace, draft: Draft) -> None:
    work = begin(screen, KeysAtWork)
    context = screen.page.context
    context.set_offline(True)
    all_pages_into(screen, work, 1)
    save_says(screen, "Offline, 1 waiting")
    later = context.new_page()
    screen.page.close()
    context.set_offline(False)
    again = Workspace(later, draft).open()
    save_says(again, "Saved r1")
    assert pages_in(again, "birds") == ALL
    assert [label for _, label in log(draft)] == ["Put 34 pages into Birds"]


def test_missing_response_times_out(screen: Workspace, draft: Draft) -> None:
    """A connection that hangs is reported as lost after a while, and the work is sent again."""
    page, sent, held = screen.open().page, Sent(screen.page), []
    page.route("**/operations", lambda route: route.fallback() if held else held.append(route))
    page.evaluate(IMPATIENT, draft.pk)
    page.wait_for_function("() => window.told.includes('offline')")
    page.wait_for_function("() => window.told.at(-1) === 'saved'")
    assert len(sent.ids) > 1
    assert list(dict.fromkeys(sent.ids)) == [id for id, _ in log(draft)]


# --- Days later -------------------------------------------------------------------------------------------------------


@BOTH
def test_undo_of_old_merge(
    browse: Browse, owner: User, draft: Draft, hands: type[AtWork], monkeypatch: pytest.MonkeyPatch
) -> None:
    yesterday = timezone.now() - timedelta(days=1)
    with monkeypatch.context() as clock:
        clock.setattr(performing.timezone, "now", lambda: yesterday)
        first = Workspace(browse(owner), draft)
        work = begin(first, hands)
        before = first.saved()
        work.merge(first.topic("Birds"), "lifting")
        expect(first.topic("Birds")).to_have_count(0)
        merged = first.saved()
        assert merged != before
        work.nothing_else()
    entry = DraftEntry.objects.get(draft=draft)
    assert (entry.label, entry.created_at) == ("Merge Birds into Lifting machines", yesterday)
    first.page.context.close()
    states.drop(draft.pk)  # like another process on the next day

    today = Workspace(browse(owner), draft)
    work = begin(today, hands)
    expect(today.topic("Birds")).to_have_count(0)
    title = re.compile("^Undo: Merge Birds into Lifting machines")
    expect(today.page.locator("#undo")).to_have_attribute("title", title)
    work.undo()
    expect(today.topic("Birds")).to_be_visible()
    assert today.saved() == before
    work.redo()
    expect(today.topic("Birds")).to_have_count(0)
    assert today.saved() == merged
    work.undo()
    expect(today.topic("Birds")).to_be_visible()
    assert today.saved() == before
    states.drop(draft.pk)
    assert states.replayed(draft).state == before, "the log alone says the same"
    assert [entry.undoes for entry in DraftEntry.objects.filter(draft=draft).order_by("revision")] == [None, 1, None, 3]
    work.nothing_else()

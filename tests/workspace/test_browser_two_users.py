"""Two people in two browsers on one shared draft: each sees the other's work, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Route, expect

from accounts.models import User
from annotations.models import Draft, DraftEntry
from tests.browser.input_devices import HANDS, AtWork
from tests.browser.workspace import Workspace
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    thorough("two people in a browser"),
]


@dataclass
class Person:
    """A person who uses the workspace by keyboard or mouse."""

    screen: Workspace
    work: AtWork


@pytest.fixture(params=HANDS)
def join(request: pytest.FixtureRequest, browse: Browse, shared_draft: Draft) -> Iterator[Callable[[User], Person]]:
    joined = []

    def call(user: User) -> Person:
        page = browse(user)
        joined.append(Person(Workspace(page, shared_draft), request.param(page)))
        joined[-1].screen.open("?queue=all&page=p1")
        return joined[-1]

    yield call
    for person in joined:
        person.work.nothing_else()


@pytest.fixture
def ana(join: Callable[[User], Person], curator: User) -> Person:
    return join(curator)


@pytest.fixture
def bob(join: Callable[[User], Person], owner: User) -> Person:
    return join(owner)


def shows(screen: Workspace, page: str, *topics: str) -> None:
    found = screen.page.locator(f'.p-row[data-page="{page}"] .topic-chip bdi')
    expect(found).to_have_text(list(topics))


def outliers(screen: Workspace, number: int) -> None:
    expect(screen.page.locator("#meters .outliers .meter-number")).to_have_text(str(number))


def log(draft: Draft) -> list[tuple[str, str]]:
    return list(DraftEntry.objects.filter(draft=draft).order_by("revision").values_list("user__username", "label"))


def test_changes_appear_for_the_other_person(ana: Person, bob: Person) -> None:
    ana.work.place(2)
    ana.screen.saved()
    shows(bob.screen, "p1", "Planet", "Engines")
    bob.work.rename(bob.screen.topic("Planet"), "Planets")
    bob.screen.saved()
    expect(ana.screen.topic("Planets")).to_be_visible()
    ana.work.go_to_page("p2").outlier()
    ana.screen.saved()
    outliers(bob.screen, 2)
    ana.work.undo()
    ana.screen.saved()
    outliers(bob.screen, 1)


def test_each_person_sees_where_the_other_is(ana: Person, bob: Person) -> None:
    ana.work.go_to_page("p3")
    expect(bob.screen.page.locator("#people").get_by_role("button", name="curator is at “Page 3”")).to_be_visible()
    expect(bob.screen.row("Page 3").get_by_title("curator is looking at this page")).to_be_visible()
    bob.work.go_to_page("p3")
    expect(ana.screen.page.locator("#people").get_by_role("button", name="owner is at “Page 3”")).to_be_visible()


def test_two_people_place_pages_at_once(ana: Person, bob: Person, shared_draft: Draft) -> None:
    before = ana.screen.saved()
    for mine, other in (("p1", "p4"), ("p2", "p5"), ("p3", "p6")):
        ana.work.go_to_page(mine)
        bob.work.go_to_page(other)
        ana.work.place(2)
        bob.work.place(1)
    for person in (ana, bob):
        shows(person.screen, "p2", "Planet", "Engines")
        shows(person.screen, "p5", "Planet", "Outboards")
        shows(person.screen, "p6", "Planet", "Spare parts")
        expect(person.screen.page.locator("#save-words")).to_have_text("Saved r6")
    state = ana.screen.saved()
    assert state.members["space"] == before.members["space"] | {"p4", "p5", "p6"}
    # p3 was in Engines through its subtopic, so its digit removed it from both.
    assert (state.members["boats"], state.members["parts"]) == ({"p1", "p2"}, {"p6", "p7"})
    assert sorted(who for who, _ in log(shared_draft)) == ["curator"] * 3 + ["owner"] * 3


class NoNews:
    """Delays changes of others; the person's own work is still sent."""

    def __init__(self, person: Person) -> None:
        self.page = person.screen.page
        self.held: list[Route] = []
        self.page.route("**/changes?**", lambda route: self.held.append(route))

    def end(self) -> None:
        self.page.unroute("**/changes?**")
        for route in self.held:
            route.fallback()


def test_conflict_over_topic_is_shown_without_loss(ana: Person, bob: Person, shared_draft: Draft) -> None:
    """Bob merges a topic that Ana renames before she sees the merge; she also places a page."""
    news, page = NoNews(ana), ana.screen.page
    bob.work.merge(bob.screen.topic("Spare parts"), "outb")
    bob.screen.saved()
    merged = bob.screen.placed()
    ana.work.rename(ana.screen.topic("Spare parts"), "Parts")
    ana.work.place(2)
    news.end()
    expect(page.locator("#save-words")).to_have_text("Conflict")
    told = "“Rename Spare parts to Parts” was not done. Meanwhile owner: Merge Spare parts into Outboards."
    expect(page.locator("#banner")).to_contain_text(told)
    ana.work.activate(page.get_by_role("button", name="Look at it"))
    expect(ana.screen.dialog).to_contain_text("Rename Spare parts to Parts")
    expect(ana.screen.dialog).to_contain_text("Merge Spare parts into Outboards")
    # The work without a conflict has arrived, and Bob's merge is kept.
    shows(bob.screen, "p1", "Planet", "Engines")
    found = bob.screen.placed()
    assert found == merged | {"Engines": {"p1"}}
    assert [label for _, label in log(shared_draft)] == ["Merge Spare parts into Outboards", "Put 1 page into Engines"]
    # Ana decides the conflict.
    ana.work.activate(page.get_by_role("button", name="Let it go"))
    expect(page.locator("#save-words")).to_have_text("Saved r2")
    expect(page.locator("#banner")).to_be_hidden()
    assert ana.screen.placed() == found


def test_renaming_deleted_topic_is_a_conflict(ana: Person, bob: Person, shared_draft: Draft) -> None:
    news, page = NoNews(ana), ana.screen.page
    bob.work.delete(bob.screen.topic("Spare parts"))
    bob.screen.saved()
    ana.work.rename(ana.screen.topic("Spare parts"), "Parts")
    news.end()
    expect(page.locator("#save-words")).to_have_text("Conflict")
    expect(ana.screen.topic("Parts")).to_have_count(0)
    page.reload()
    expect(page.locator("#save-words")).to_have_text("Conflict")  # the conflict remains after a reload
    ana.work.activate(page.get_by_role("button", name="Look at it"))
    ana.work.activate(page.get_by_role("button", name="Let it go"))
    expect(page.locator("#save-words")).to_have_text("Saved r1")
    assert len(log(shared_draft)) == 1

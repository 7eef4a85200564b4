"""A newcomer's first visit to the demo collection, from signing in to a published version, with few key presses."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.imports.services import import_documents
from annotations.models import Draft, DraftEntry, GoldVersion, Membership, Query, Role
from evaluation.collections import demo
from qc4.io import read_collection, read_gold_document
from tests.browser.input_devices import Keyboard, Mouse
from tests.browser.workspace import Workspace
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.samples.documents import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("a newcomer's first visit")]


@pytest.fixture
def newcomer(owner: User) -> User:
    """A person who may publish in the demo collection but has never seen it."""
    documents = read_collection(demo.FILES / "collection").documents
    collection = import_documents(documents=documents, name=demo.NAME, slug=demo.SLUG, user=owner, public=True)
    user = User.objects.create_user("newcomer", password=PASSWORD)
    Membership.objects.create(collection=collection, user=user, role=Role.ADJUDICATOR)
    return user


@dataclass(frozen=True)
class Plan:
    """The newcomer's hierarchy of ``crane``: the demo's hierarchy with other names.

    `tree`: name of each level-1 topic -> its subtopics; `topics`: page -> the topics it is directly in.
    """

    tree: dict[str, list[str]]
    topics: dict[str, list[str]]
    outliers: list[str]
    pages: list[str]

    def root(self, page: str) -> str:
        first = self.topics[page][0]
        return next(root for root, below in self.tree.items() if first in (root, *below))

    def members(self, name: str) -> set[str]:
        return {page for page, topics in self.topics.items() if name in topics}

    def levels(self) -> dict[str, int]:
        return dict.fromkeys(self.tree, 1) | {name: 2 for below in self.tree.values() for name in below}


@pytest.fixture
def plan() -> Plan:
    document = read_gold_document(demo.FILES / "collection" / "crane.gold.json")
    names = {topic.id: f"My {topic.name.lower()}" for topic in document.topics}
    tree: dict[str, list[str]] = {names[topic.id]: [] for topic in document.topics if topic.parent is None}
    topics: dict[str, list[str]] = {}
    for topic in document.topics:
        if topic.parent is not None:
            tree[names[topic.parent]].append(names[topic.id])
        for page in topic.pages:
            topics.setdefault(page, []).append(names[topic.id])
    return Plan(tree, topics, list(document.outliers), [page.id for page in document.pages])


def workspace(page: Page) -> Workspace:
    page.wait_for_url(re.compile(r"/drafts/\d+/$"))
    expect(page.locator("#curate[data-ready]")).to_be_visible()
    return Workspace(page, Draft.objects.get())


def meter(page: Page, words: str) -> Locator:
    """Return the meter above the regions: "L1", "L2", "Outliers" or "Issues"."""
    return page.locator("#meters .meter").filter(has_text=words)


def everything_is_placed(screen: Workspace) -> None:
    for words, figure in (("L1", "48/48"), ("L2", "48/48"), ("Outliers", "5"), ("Issues", "0")):
        expect(meter(screen.page, words).locator(".meter-number")).to_have_text(figure)


def it_is_published(plan: Plan) -> None:
    """Assert that gold v2 contains the plan for ``crane``, with a correct hash, and the other queries unchanged."""
    first, second = GoldVersion.objects.order_by("number")
    assert (second.number, second.note, second.published_by.get_username()) == (2, "First visit", "newcomer")
    before, after = ({entry.query.key: entry.gold_id for entry in one.entries.all()} for one in (first, second))
    assert {key for key in after if after[key] != before[key]} == {"crane"}
    gold = second.entries.get(query__key="crane").gold
    blob = gold.file.content
    assert hashlib.sha256(blob).hexdigest() == gold.sha256
    document = read_gold_document(blob)
    assert {topic.name: topic.level for topic in document.topics} == plan.levels()
    assert {topic.name: set(topic.pages) for topic in document.topics} == {
        name: plan.members(name) for name in plan.levels()
    }
    assert set(document.outliers) == set(plan.outliers)
    assert [page.id for page in document.pages] == plan.pages


def test_by_keyboard_alone(browse: Browse, newcomer: User, plan: Plan) -> None:
    page = browse()
    keys = Keyboard(page)
    page.goto("/")
    keys.reach("Sign in", "link").press("Enter")
    keys.reach("Username", "textbox").type("newcomer").reach("Password", "textbox").type(PASSWORD).press("Enter")
    keys.reach(demo.NAME, "link").press("Enter")
    keys.reach("Curate", "link").press("Enter")
    keys.reach("Start your draft (crane)").press("Enter")
    screen = workspace(page)
    add_topics_by_keys(keys, plan)
    place_on_level_1_by_keys(keys, screen, plan)
    place_on_level_2_by_keys(keys, screen, plan)
    place_the_overlaps_by_keys(keys, screen, plan)
    everything_is_placed(screen)
    expect(page.locator("#save")).to_have_attribute("data-kind", "saved")
    keys.reach("Publish", "link").press("Enter")
    expect(page.get_by_role("heading", name="What changes")).to_be_visible()
    keys.reach("What changed, and why (optional)", "textbox").type("First visit")
    keys.reach("Publish as gold v2").press("Enter")
    expect(page.get_by_text("Gold v2 is now the latest")).to_be_visible()
    it_is_published(plan)
    keys.used_no_mouse()


def add_topics_by_keys(keys: Keyboard, plan: Plan) -> None:
    """The focus is on "Add a topic" at first, and then on the tree."""
    for root, below in plan.tree.items():
        keys.press("n").type(root).press("Enter")
        for at, name in enumerate(below):
            keys.press("n" if at else "Shift+n").type(name).press("Enter")
        if below:
            keys.press("ArrowLeft")  # back to the parent


def place_on_level_1_by_keys(keys: Keyboard, screen: Workspace, plan: Plan) -> None:
    """One key press finishes a page of the queue."""
    digits = {name: str(at) for at, name in enumerate(plan.tree, 1)}
    keys.press("g", "1")
    expect(screen.page.locator("#queue-count")).to_have_text("48")
    before = keys.presses
    for page in plan.pages:
        expect(screen.cursor).to_have_attribute("data-page", page)
        keys.press("o" if page in plan.outliers else digits[plan.root(page)])
    assert keys.presses - before == 48
    expect(screen.page.locator("#queue-count")).to_have_text("0")


def place_on_level_2_by_keys(keys: Keyboard, screen: Workspace, plan: Plan) -> None:
    """In the queue of level 2, pages are listed below their topics, and the digits are the subtopics."""
    keys.press("g", "2")
    for root, below in plan.tree.items():
        for page in (page for page in plan.pages if below and page in plan.topics and plan.root(page) == root):
            expect(screen.cursor).to_have_attribute("data-page", page)
            keys.press(str(below.index(plan.topics[page][0]) + 1))
    expect(screen.page.locator("#queue-count")).to_have_text("0")


def place_the_overlaps_by_keys(keys: Keyboard, screen: Workspace, plan: Plan) -> None:
    for page, topics in plan.topics.items():
        for name in topics[1:]:
            keys.press("g", "a", "/").type(page).press("Enter")
            expect(screen.page.locator("#queue-count")).to_have_text("1 found")
            keys.press("t").type(name).press("Enter")


# --- How many keys ----------------------------------------------------------------------------------------------------


@pytest.fixture
def bare(newcomer: User) -> Draft:
    """A draft with the topics of ``crane`` and no pages in them."""
    document = read_gold_document(demo.FILES / "collection" / "crane.gold.json")
    topics = tuple(replace(topic, pages=()) for topic in document.topics)
    document = replace(document, topics=topics, outliers=())
    return drafts.from_file(document=document, query=Query.objects.get(key="crane"), user=newcomer, kind=Draft.Kind.OWN)


def test_placing_page_in_nested_topics_takes_two_keys(browse: Browse, newcomer: User, bare: Draft) -> None:
    page = browse(newcomer)
    keys = Keyboard(page)
    screen = Workspace(page, bare).open("?queue=level-2")
    expect(screen.cursor).to_have_attribute("data-page", "crane.1")
    for number in (1, 2, 3):
        before = keys.presses
        keys.press("3", "1")
        expect(screen.cursor).to_have_attribute("data-page", f"crane.{number + 1}")
        assert keys.presses - before == 2
    wanted = {"crane.1", "crane.2", "crane.3"}
    placed = screen.placed()
    # The page is stored only in the subtopic, because it also belongs to all ancestors of its finest topic.
    assert (placed["Paper cranes"], placed["Folding instructions"]) == (set(), wanted)
    # Repeating the placement takes one key.
    keys.press(".")
    assert "crane.4" in screen.placed()["Folding instructions"]
    keys.used_no_mouse()


@pytest.mark.parametrize("presses", [["2"], ["t", "t", "o", "Enter"]], ids=["by its digit", "by its name"])
def test_placing_twenty_pages_takes_at_most_four_keys(
    browse: Browse, newcomer: User, bare: Draft, presses: list[str]
) -> None:
    page = browse(newcomer)
    keys = Keyboard(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/operations") else None)
    screen = Workspace(page, bare).open("?queue=all")
    keys.press("x", *["Shift+j"] * 19)
    expect(page.locator("#selected")).to_have_text("20 selected")
    before = keys.presses
    keys.press(*presses)
    topic = "Lifting machines" if presses == ["2"] else "Tower cranes"
    assert screen.placed()[topic] == {f"crane.{number}" for number in range(1, 21)}
    assert keys.presses - before == len(presses) <= 4
    assert (len(sent), DraftEntry.objects.filter(draft=bare).count()) == (1, 1)


# --- By mouse ---------------------------------------------------------------------------------------------------------


def test_by_mouse_alone(browse: Browse, newcomer: User, plan: Plan) -> None:
    page = browse()
    mouse = Mouse(page)
    page.goto("/")
    mouse.click(page.get_by_role("link", name="Sign in", exact=True))
    mouse.click(page.get_by_label("Username")).name("newcomer")
    mouse.click(page.get_by_label("Password")).name(PASSWORD)
    mouse.click(page.locator("main").get_by_role("button", name="Sign in"))
    mouse.click(page.get_by_role("link", name=demo.NAME))
    mouse.click(page.get_by_role("link", name="Curate"))
    mouse.click(page.get_by_role("button", name="Start your draft (crane)"))
    screen = workspace(page)
    add_topics_by_mouse(mouse, screen, plan)
    place_on_level_1_by_mouse(mouse, screen, plan)
    place_on_level_2_by_mouse(mouse, screen, plan)
    everything_is_placed(screen)
    expect(page.locator("#save")).to_have_attribute("data-kind", "saved")
    mouse.click(page.get_by_role("link", name="Publish"))
    mouse.click(page.get_by_label("What changed, and why")).name("First visit")
    mouse.click(page.get_by_role("button", name="Publish as gold v2"))
    expect(page.get_by_text("Gold v2 is now the latest")).to_be_visible()
    it_is_published(plan)
    mouse.used_no_keys()


def add_topics_by_mouse(mouse: Mouse, screen: Workspace, plan: Plan) -> None:
    """A click elsewhere confirms the name."""
    page = screen.page
    for root, below in plan.tree.items():
        mouse.click(page.get_by_role("button", name="Add", exact=True)).name(root)
        mouse.click(page.locator("#topics-title"))
        for name in below:
            screen.topic(root).hover()  # shows its "…"
            mouse.click(screen.topic(root).locator(".row-more"))
            screen.menu("New subtopic")
            mouse.name(name).click(page.locator("#topics-title"))
    assert screen.tree() == [
        path for root, below in plan.tree.items() for path in (root, *(f"{root}/{x}" for x in below))
    ]


def place_on_level_1_by_mouse(mouse: Mouse, screen: Workspace, plan: Plan) -> None:
    """One click on the badge finishes a page of the queue."""
    page = screen.page
    mouse.click(meter(page, "L1"))
    digits = page.locator("#digits")
    for one in plan.pages:
        expect(screen.cursor).to_have_attribute("data-page", one)
        if one in plan.outliers:
            mouse.click(page.locator("#do-outlier"))
        else:
            mouse.click(digits.get_by_role("button", name=plan.root(one)))
    expect(page.locator("#queue-count")).to_have_text("0")


def place_on_level_2_by_mouse(mouse: Mouse, screen: Workspace, plan: Plan) -> None:
    """For each topic, tick the boxes of its pages and drag them onto the subtopic together."""
    for root, below in plan.tree.items():
        for name in below:
            mouse.click(screen.topic(root).locator(".name"))
            *first, last = [page for page in plan.pages if page in plan.members(name)]
            for page in (*first, last):
                mouse.click(row(screen, page).locator(".box"))
            mouse.drag(row(screen, last), screen.topic(name))
            expect(screen.topic(name).locator(".number")).to_have_text(str(len(first) + 1))


def row(screen: Workspace, page: str) -> Locator:
    return screen.page.locator(f'.p-row[data-page="{page}"]')

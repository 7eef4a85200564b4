"""How many keys, or clicks, a gold standard of 100 real pages takes from nothing: two levels, overlap, outliers.

The pages and topics are Reuters news (`../shared/data/reuters`, or where `QC4_SHARED_DATA` says); without them there
are no rows. A curator who knows what belongs where works in Chromium on a site of its own, once by keyboard alone and
once by mouse alone, until the draft holds just that and no rule is broken. What reached the page is counted there:
every key but the letters of names, every press of the mouse.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.serving import chromium, environment, in_python, served

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from qc4.gold.document import GoldDocument

DATA = Path(os.environ.get("QC4_SHARED_DATA", "../shared/data")) / "reuters"
QUERIES = ("gold", "dollar")
PAGES = 100
FEWEST = 4
"""Topics of fewer of the pages are left out: their pages go to the rest of the topic above."""
KEYS, CLICKS = 2.2, 1.4
"""A page, at most."""

QUEUES = {"2": "Unplaced on level 2", "b": "In a topic but in none of its subtopics"}

HEAD = f"{'work':<62} {'acts':>8} {'a page':>8} {'goal':>8}"

WATCH = """
addEventListener("pointerdown", (event) => { if (event.isTrusted) window.acts = (window.acts ?? 0) + 1; }, true);
addEventListener("keydown", (event) => {
  const letter = event.target.matches?.("input, textarea") && event.key.length === 1 && !event.ctrlKey;
  const modifier = ["Shift", "Control", "Alt"].includes(event.key);
  if (event.isTrusted && !letter && !modifier) window.acts = (window.acts ?? 0) + 1;
}, true);
"""


def line(row: dict[str, Any]) -> str:
    """One line of the table."""
    verdict = "reached" if row["a_page"] <= row["goal"] else "MISSED"
    return f"{row['work']:<62} {row['acts']:8d} {row['a_page']:8.2f} {row['goal']:8.2f}  {verdict}"


def run() -> list[dict[str, Any]]:
    """Two rows for each query: by keyboard, by mouse."""
    rows = []
    for query in QUERIES:
        if not (file := DATA / f"{query}.gold.json").is_file():
            print(f"no rows of {query}: there is no {file}")
            continue
        plan = Plan.of(file)
        for hand, goal, what in ((by_keyboard, KEYS, "keys"), (by_mouse, CLICKS, "clicks")):
            with _workspace(file) as page:
                hand(page, plan)
                _is_done(page, plan)
                acts = int(page.evaluate("window.acts"))
            work = f"{PAGES} pages of {query!r}, {len(plan.names())} topics, {what}"
            rows.append({"work": work, "acts": acts, "a_page": acts / PAGES, "goal": goal})
    return rows


@dataclass(frozen=True)
class Plan:
    """What belongs where.

    Attributes:
        pages: ids in the order of the list.
        tree: level-1 topic -> its subtopics, none or several.
        members: topic -> its pages; of a level-1 topic all of them.
    """

    pages: list[str]
    tree: dict[str, list[str]]
    members: dict[str, set[str]]
    document: GoldDocument

    @classmethod
    def of(cls, file: Path) -> Plan:
        """The first pages of a gold standard, in the topics that hold enough of them."""
        from dataclasses import replace

        from qc4.formats import read_gold_document

        document = read_gold_document(file)
        document = replace(document, pages=document.pages[:PAGES], topics=(), outliers=())
        whole = read_gold_document(file)
        pages = [page.id for page in document.pages]
        held = {topic.id: set(topic.pages).intersection(pages) for topic in whole.topics}
        below: dict[str, list[str]] = {topic.id: [] for topic in whole.topics if topic.parent is None}
        for topic in whole.topics:
            if topic.parent is not None:
                below[topic.parent].append(topic.id)
        for root, subtopics in below.items():
            held[root] = held[root].union(*(held[each] for each in subtopics))
        roots = [root for root in below if len(held[root]) >= FEWEST]
        tree = {root: [each for each in below[root] if FEWEST <= len(held[each]) < len(held[root])] for root in roots}
        return cls(pages, tree, held, document)

    def names(self) -> list[str]:
        return [name for root, below in self.tree.items() for name in (root, *below)]

    def roots(self, page: str) -> list[str]:
        return [root for root in self.tree if page in self.members[root]]

    def subtopics(self, page: str, root: str) -> list[str]:
        return [each for each in self.tree[root] if page in self.members[each]]

    @property
    def rests(self) -> int:
        """Topics with pages in none of their subtopics."""
        return sum(
            bool(below) and bool(self.members[root].difference(*(self.members[each] for each in below)))
            for root, below in self.tree.items()
        )

    def finest(self, page: str) -> list[str]:
        return [each for root in self.roots(page) for each in (self.subtopics(page, root) or [root])]


# --- Keyboard ---------------------------------------------------------------------------------------------------------


def by_keyboard(page: Page, plan: Plan) -> None:
    """Topics, then the queue of level 1, then that of level 2; what is left of a topic at the end."""
    for root, below in plan.tree.items():
        _press(page, "n")
        page.keyboard.type(root)
        _press(page, "Enter")
        for number, name in enumerate(below):
            _press(page, "n" if number else "Shift+N")
            page.keyboard.type(name)
            _press(page, "Enter")
        if below:
            _press(page, "ArrowLeft")  # back to the parent
    digit = {root: str(number) for number, root in enumerate(plan.tree, 1)}
    _press(page, "g", "1")
    for one in plan.pages:
        _at(page, one)
        _digits(page, [digit[root] for root in plan.roots(one)])
        if not plan.roots(one):
            _press(page, "o")
    for key in ("2", "b"):
        _press(page, "g", key)
        page.locator(f"#queue-name:has-text('{QUEUES[key]}')").wait_for()
        _subtopics(page, plan)
    if plan.rests:
        _press(page, "g", "i")
        _rests(page).first.wait_for()
    for _ in range(plan.rests):
        while not _rests(page).first.evaluate("element => element === document.activeElement"):
            _press(page, "Tab")
        _press(page, "Enter")


def _subtopics(page: Page, plan: Plan) -> None:
    """Page by page, what the badges offer; on to the next where none of it is right."""
    seen: set[tuple[str, str]] = set()
    while (now := _cursor(page)) not in seen and now[0]:
        seen.add(now)
        one, root = now
        wanted = plan.subtopics(one, root)
        _digits(page, [str(plan.tree[root].index(each) + 1) for each in wanted])
        if not wanted:
            _press(page, "j")


def _cursor(page: Page) -> tuple[str, str]:
    """The page under the cursor and the topic whose subtopics have the digits; empty where nothing is left to do."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if page.locator("#queue-count").inner_text() == "0":
        return "", ""
    parent = page.locator("#digits .digits-parent bdi")
    return page.locator(".p-row.cursor").get_attribute("data-page") or "", parent.inner_text()


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _digits(page: Page, digits: list[str]) -> None:
    """Several topics: the first with Shift, which stays at the page; three and more stay by choice."""
    match digits:
        case [one, other]:
            _press(page, f"Shift+{one}", other)
        case [_, _, *_]:
            _press(page, "p", *digits, "p", "n")
        case _:
            _press(page, *digits)


# --- Mouse ------------------------------------------------------------------------------------------------------------


def by_mouse(page: Page, plan: Plan) -> None:
    """Topics; then each page into its finest topics by dragging; what is left becomes outliers at once."""
    add = page.get_by_role("button", name="Add", exact=True)
    for root in plan.tree:
        add.click()
        page.keyboard.type(root)
    page.locator("#topics-title").click()  # takes the last name
    for root, below in plan.tree.items():
        for name in below:
            _topic(page, root).hover()  # shows its "…"
            _topic(page, root).locator(".row-more").click()
            page.get_by_role("menuitem", name="New subtopic").click()
            page.keyboard.type(name)
            page.locator("#topics-title").click()
    page.locator("#queue").click()
    page.get_by_role("menuitemradio", name="All pages").click()
    for one in plan.pages:
        for name in plan.finest(one):
            _drag(page, page.locator(f'.p-row[data-page="{one}"]'), _topic(page, name))
    page.locator("#more").click()
    page.get_by_role("menuitem", name="Make the unplaced pages outliers").click()
    if plan.rests:
        page.locator("#meters .meter.issues").click()
    for _ in range(plan.rests):
        _rests(page).first.click()


def _drag(page: Page, what: Locator, onto: Locator) -> None:
    """As a hand does it; the list is scrolled by the wheel."""
    what.scroll_into_view_if_needed()
    start, end = what.bounding_box(), onto.bounding_box()
    if start is None or end is None:
        raise RuntimeError("what is dragged, or onto what, is not in sight")
    x, y = start["x"] + 90, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 10, y + 12, steps=3)
    page.mouse.move(end["x"] + 90, end["y"] + end["height"] / 2, steps=4)
    page.locator(".t-row.drop-in").wait_for()
    page.mouse.up()


# --- What both see ----------------------------------------------------------------------------------------------------


def _topic(page: Page, name: str) -> Locator:
    return page.locator(".t-row[data-topic]").filter(has=page.locator(f'bdi.name:text-is("{name}")'))


def _at(page: Page, one: str) -> None:
    page.locator(f'.p-row.cursor[data-page="{one}"]').wait_for()


def _rests(page: Page) -> Locator:
    """What issues offer for pages that are in none of a topic's subtopics."""
    return page.get_by_role("dialog").get_by_role("button", name="(other)")


def _is_done(page: Page, plan: Plan) -> None:
    """Fails unless the draft holds what the plan says, and no rule is broken."""
    page.locator('#save[data-kind="saved"]').wait_for()
    page.locator("#meters .meter.issues.whole").wait_for()
    found = page.evaluate(
        "fetch(location.pathname.replace('/drafts/', '/api/v1/drafts/') + 'document').then((answer) => answer.json())"
    )
    held = {topic["name"]: set(topic["pages"]) for topic in found["topics"]}
    wanted = {name: plan.members[name] for root, below in plan.tree.items() for name in below or [root]}
    outliers = {one for one in plan.pages if not plan.roots(one)}
    if {name: held.get(name) for name in wanted} != wanted or set(found["outliers"]) != outliers:
        raise RuntimeError("the draft is another than the plan")


# --- The site ---------------------------------------------------------------------------------------------------------


@contextmanager
def _workspace(file: Path) -> Iterator[Page]:
    """The empty draft of a signed-in person, in Chromium."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = environment(folder)
        made = json.loads(in_python(f"from bench.hands import fill; fill({str(file)!r})", settings).splitlines()[-1])
        with served(settings) as port, chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            page.add_init_script(WATCH)
            page.context.add_cookies([{**made["cookie"], "url": f"http://127.0.0.1:{port}"}])
            page.goto(f"http://127.0.0.1:{port}/drafts/{made['draft']}/")
            page.locator("#curate[data-ready]").wait_for()
            yield page


def fill(file: str) -> None:
    """Make the draft, in a process of its own; print a signed-in cookie and the draft's id."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User
    from annotations.services import drafts
    from annotations.services.imports import import_documents

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    user = User.objects.create_user("ana", password=secrets.token_urlsafe(16))
    collection = import_documents(name="Bench", documents=[Plan.of(Path(file)).document], user=user)
    draft = drafts.from_nothing(query=collection.queries.get(), user=user, kind="own")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    print(json.dumps({"cookie": cookie, "draft": draft.pk}))

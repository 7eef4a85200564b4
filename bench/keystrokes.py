"""The number of keys or clicks to make a gold standard of 100 real pages with two levels, overlap and outliers.

The pages and topics are Reuters news (in `../shared/data/reuters`, or in the folder of `QC4_SHARED_DATA`). Without
them there are no rows. A simulated curator who knows where pages belong works in Chromium, once only with the keyboard
and once only with the mouse, until the draft equals the plan and breaks no rule. The page counts what it receives:
every key, except the letters of topic names, and every press of a mouse button.

The curator may look up only pages that were read or are visible, and may check a suggestion before accepting it.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.curator import (
    PAGES,
    Plan,
    Suggestions,
    implied_topics,
    keys_for_group,
    keys_for_page,
    keys_for_subtopics,
)
from bench.serving import chromium, run_python, running_site, site_settings

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

DATA = Path(os.environ.get("QC4_SHARED_DATA", "../shared/data")) / "reuters"
QUERIES = ("gold", "dollar")
KEYS, CLICKS = 2.2, 1.4
"""Maximum number per page."""

FIRST = 20
"""Number of pages that are placed on both levels first, a fifth of all. The others are predicted from them."""
LETTERS = 2
"""Number of letters typed to find a topic by name."""
QUEUES = {"1": "Unplaced on level 1", "b": "In a topic but in none of its subtopics"}

COUNTED = "Every key counts, including Enter and Tab, except the letters of new names; so does every mouse press."
HEAD = f"{COUNTED}\n{'work':<62} {'acts':>8} {'a page':>8} {'goal':>8}"

WATCH = """
addEventListener("pointerdown", (event) => { if (event.isTrusted) window.acts = (window.acts ?? 0) + 1; }, true);
addEventListener("keydown", (event) => {
  const letter = event.target.matches?.(".name-field") && event.key.length === 1 && !event.ctrlKey;
  const modifier = ["Shift", "Control", "Alt"].includes(event.key);
  if (event.isTrusted && !letter && !modifier) window.acts = (window.acts ?? 0) + 1;
}, true);
const asked = window.fetch;
window.fetch = async (...given) => {
  const answer = await asked(...given);
  if (answer.url.includes("/predictions")) window.predicted = (await answer.clone().json()).revision;
  return answer;
};
"""

PREDICTED = """() => {
  const saved = document.querySelector('#save[data-kind="saved"]');
  return saved?.textContent.match(/r(\\d+)/)?.[1] === `${window.predicted}`;
}"""
"""True once everything is saved and the predictions are up to date."""

WAITING = """() => {
  const list = document.getElementById("list");
  const edge = list.parentElement.getBoundingClientRect();
  const found = [];
  for (const row of [...list.children].sort((one, other) => parseFloat(one.style.top) - parseFloat(other.style.top))) {
    if (!found.length && !row.matches(".cursor")) continue;
    if (row.matches(".p-group")) return [found, false];
    if (row.getBoundingClientRect().bottom > edge.bottom + 1) return null;
    if (!row.matches(".done")) found.push(row.dataset.page);
    if (row.getAttribute("aria-posinset") === row.getAttribute("aria-setsize")) return [found, true];
  }
  return null;
}"""
"""The pages of the cursor's group from the cursor on, and whether it is the last group; null unless all are visible."""


def line(row: dict[str, Any]) -> str:
    """Format one row of the table."""
    verdict = "reached" if row["a_page"] <= row["goal"] else "MISSED"
    return f"{row['work']:<62} {row['acts']:8d} {row['a_page']:8.2f} {row['goal']:8.2f}  {verdict}"


def run() -> list[dict[str, Any]]:
    """Return two rows for each query: by keyboard and by mouse."""
    rows = []
    for query in QUERIES:
        if not (file := DATA / f"{query}.gold.json").is_file():
            print(f"Query {query!r} is skipped because the file {file} does not exist.")
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


# --- Keyboard ---------------------------------------------------------------------------------------------------------


def by_keyboard(page: Page, plan: Plan) -> None:
    """Add the topics, place the first pages on both levels for predictions, then place the rest level by level.

    At the end, the remaining pages of each topic go to its subtopic "(other)".
    """
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
    read = _topics(page, plan, FIRST, {})
    _subtopics(page, plan, read, {})
    later = implied_topics(plan, read)
    read = _topics(page, plan, PAGES, later)
    _subtopics(page, plan, read, later)
    if plan.rests:
        _press(page, "g", "i")
        _rests(page).first.wait_for()
    for _ in range(plan.rests):
        while not _rests(page).first.evaluate("element => element === document.activeElement"):
            _press(page, "Tab")
        _press(page, "Enter")


def _topics(page: Page, plan: Plan, most: int, later: dict[str, str]) -> list[str]:
    """Place the unassigned pages on level 1 one by one. Return the pages that were read."""
    _queue(page, "1")
    read: list[str] = []
    while len(read) < most and (one := _cursor(page)[0]):
        _press(page, *keys_for_page(plan, one, _offered(page), later))
        read.append(one)
    return read


def _subtopics(page: Page, plan: Plan, read: list[str], later: dict[str, str]) -> None:
    """Place the pages waiting below topics one by one, or together if all of a topic are visible and alike."""
    _queue(page, "b")
    together = dict(later)
    passed: set[tuple[str, str]] = set()
    while (now := _cursor(page)) not in passed and now[0]:
        one, root = now
        if other := together.pop(root, None):
            wrong = [each for each in read if each in plan.members[root] and each not in plan.members[other]]
            _together(page, root, wrong, other)
            continue
        waiting, last = page.evaluate(WAITING) or ([], False)
        if last and not any(plan.subtopics(each, root) for each in waiting):
            return
        whole = not any(topic == root for _, topic in passed)
        keys = (keys_for_group(plan, waiting, root) if whole else []) or keys_for_subtopics(plan, one, root)
        if keys == ["j"]:
            passed.add(now)
        _press(page, *keys)


def _together(page: Page, root: str, wrong: list[str], other: str) -> None:
    """Put all pages waiting below the cursor's topic into another topic as well, except the wrong ones."""
    _press(page, "Shift+X")
    left, walked = set(wrong), set[tuple[str, str]]()
    while left and (now := _cursor(page)) not in walked and now[1] == root:
        walked.add(now)
        if now[0] in left:
            _press(page, "x")
            left.remove(now[0])
        if left:
            _press(page, "j")
    _press(page, "t")
    page.get_by_role("dialog").locator("input").first.wait_for()
    page.keyboard.type(other[:LETTERS])
    _press(page, "Enter", "Escape")


def _queue(page: Page, key: str) -> None:
    _press(page, "g", key)
    page.locator(f"#queue-name:has-text('{QUEUES[key]}')").wait_for()


def _cursor(page: Page) -> tuple[str, str]:
    """Return the page under the cursor and the topic whose subtopics have digits; empty if nothing is left to do."""
    _drawn(page)
    if page.locator("#queue-count").inner_text() == "0":
        return "", ""
    parent = page.locator("#digits .digits-parent bdi")
    root = parent.inner_text() if parent.count() else ""
    return page.locator(".p-row.cursor").get_attribute("data-page") or "", root


def _offered(page: Page) -> Suggestions:
    """Wait for the suggestions for the page under the cursor, which takes less time than reading it. Return them."""
    page.wait_for_function(PREDICTED)
    page.locator("#panel .p-similar ul.similar, #panel .p-similar p.muted:not(.waiting)").first.wait_for()
    _drawn(page)
    chip = page.locator(".p-row.cursor .topic-chip.probably bdi")
    same = page.locator("#panel .p-similar li:has([data-focus='same']) .where")
    topics = same.first.inner_text().split(", ") if same.count() else []
    return Suggestions(chip.inner_text() if chip.count() else "", frozenset(topics))


def _drawn(page: Page) -> None:
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


# --- Mouse ------------------------------------------------------------------------------------------------------------


def by_mouse(page: Page, plan: Plan) -> None:
    """Add the topics, drag each page into its finest topics, and make all remaining pages outliers together."""
    add = page.get_by_role("button", name="Add", exact=True)
    for root in plan.tree:
        add.click()
        page.keyboard.type(root)
    page.locator("#topics-title").click()  # confirms the last name
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
    """Drag with the mouse. The list is scrolled first, as with the wheel."""
    what.scroll_into_view_if_needed()
    start, end = what.bounding_box(), onto.bounding_box()
    if start is None or end is None:
        raise RuntimeError("The dragged element or its target is not visible.")
    x, y = start["x"] + 90, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 10, y + 12, steps=3)
    page.mouse.move(end["x"] + 90, end["y"] + end["height"] / 2, steps=4)
    page.locator(".t-row.drop-in").wait_for()
    page.mouse.up()


# --- Keyboard and mouse -----------------------------------------------------------------------------------------------


def _topic(page: Page, name: str) -> Locator:
    return page.locator(".t-row[data-topic]").filter(has=page.locator(f'bdi.name:text-is("{name}")'))


def _rests(page: Page) -> Locator:
    """Return the issues' buttons for pages that are in none of a topic's subtopics."""
    return page.get_by_role("dialog").get_by_role("button", name="(other)")


def _is_done(page: Page, plan: Plan) -> None:
    """Raise RuntimeError unless the draft equals the plan and breaks no rule."""
    page.locator('#save[data-kind="saved"]').wait_for()
    page.locator("#meters .meter.issues.whole").wait_for()
    found = page.evaluate(
        "fetch(location.pathname.replace('/drafts/', '/api/v1/drafts/') + 'document').then((answer) => answer.json())"
    )
    held = {topic["name"]: set(topic["pages"]) for topic in found["topics"]}
    wanted = {name: plan.members[name] for root, below in plan.tree.items() for name in below or [root]}
    outliers = {one for one in plan.pages if not plan.roots(one)}
    if {name: held.get(name) for name in wanted} != wanted or set(found["outliers"]) != outliers:
        raise RuntimeError("The draft differs from the plan.")


# --- The site ---------------------------------------------------------------------------------------------------------


@contextmanager
def _workspace(file: Path) -> Iterator[Page]:
    """Open the empty draft of a signed-in person in Chromium."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = site_settings(folder)
        made = json.loads(
            run_python(f"from bench.keystrokes import fill; fill({str(file)!r})", settings).splitlines()[-1]
        )
        with running_site(settings) as port, chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            page.add_init_script(WATCH)
            page.context.add_cookies([{**made["cookie"], "url": f"http://127.0.0.1:{port}"}])
            page.goto(f"http://127.0.0.1:{port}/drafts/{made['draft']}/")
            page.locator("#curate[data-ready]").wait_for()
            yield page


def fill(file: str) -> None:
    """Create the draft in a separate process. Print a session cookie and the draft's id."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User
    from annotations.drafts import services as drafts
    from annotations.imports.services import import_documents

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    user = User.objects.create_user("ana", password=secrets.token_urlsafe(16))
    collection = import_documents(name="Bench", documents=[Plan.of(Path(file)).document], user=user)
    draft = drafts.from_nothing(query=collection.queries.get(), user=user, kind="own")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    print(json.dumps({"cookie": cookie, "draft": draft.pk}))

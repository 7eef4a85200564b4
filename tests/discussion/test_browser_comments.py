"""Comments on a draft: two people at once, from a blind draft to the lead, on topics that go, without a network; and
the guidelines beside the work."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from annotations.adjudication import services as adjudication
from annotations.discussion import services as comments
from annotations.discussion.access import reach_thread
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft
from annotations.guidelines import services as guidelines
from annotations.models import Collection, Comment, CommentThread, Draft
from tests.browser.accessibility import violations
from tests.browser.input_devices import KeysAtWork, MouseAtWork
from tests.browser.workspace import Open, Workspace
from tests.fixtures.browser import Browse
from tests.profiles import thorough
from tests.samples.drafts import ANA, BEN, draft_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("comments in the workspace")]


def said(screen: Workspace) -> list[str]:
    """Return the visible comments, in order."""
    return screen.page.locator(".thread .words:visible").all_text_contents()


def test_ask_by_keyboard_and_reply_by_mouse(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = (
        open_workspace(curator, shared_draft, "?queue=all&page=p1"),
        open_workspace(owner, shared_draft, "?queue=all&page=p5"),
    )
    keys, mouse = KeysAtWork(ana.page), MouseAtWork(bea.page)
    for screen in (ana, bea):
        screen.page.reload()
        expect(screen.page.locator("#curate[data-ready]")).to_be_visible()
    keys.press("Shift+C").type("A planet, @ow").press("Enter").type("or not?\nhttps://a.example/x.").press(
        "Control+Enter"
    )
    expect(ana.page.locator("#said")).to_have_text("Sent. owner will be notified.")
    mouse.click(bea.page.locator(".snack").filter(has_text="curator named you").get_by_role("button", name="Look"))
    expect(bea.cursor).to_have_attribute("data-page", "p1")
    thread = bea.page.locator(".p-talk .thread")
    expect(thread.locator(".words")).to_have_text("A planet, @owner or not?\nhttps://a.example/x.")
    expect(thread.locator(".mention")).to_have_text("@owner")
    link = thread.get_by_role("link")
    assert link.get_attribute("href") == "https://a.example/x"
    assert {"noopener", "noreferrer"} <= set((link.get_attribute("rel") or "").split())
    expect(bea.row("Page 1").locator(".sign-comment")).to_be_visible()
    mouse.click(thread.get_by_role("button", name="Answer"))
    mouse.name("It is.").click(thread.get_by_role("button", name="Answer"))
    expect(ana.page.locator(".p-talk .words")).to_have_count(2)
    expect(ana.page.locator("#talk")).to_have_attribute("aria-label", "Comments: 1 open thread")
    keys.press("Escape", "g", "m")
    expect(ana.page.locator("#queue-name")).to_have_text("With open comments")
    keys.press("g", "k")
    keys.activate(ana.page.locator("#side [data-do=resolve]"))
    expect(ana.page.locator("#said")).to_have_text("Thread resolved.")
    expect(bea.page.locator("#talk .number")).to_have_text("")
    mouse.click(bea.page.locator(".settled summary"))
    expect(bea.page.locator(".settled .thread")).to_contain_text("resolved by curator")
    mouse.click(bea.page.locator(".settled").get_by_role("button", name="Open again"))
    expect(ana.page.locator("#talk .number")).to_have_text("1")
    keys.used_no_mouse()
    mouse.used_no_keys()


def test_own_comment_is_edited_and_deleted(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft
) -> None:
    ana, bea = (
        open_workspace(curator, shared_draft, "?queue=all&page=p1"),
        open_workspace(owner, shared_draft, "?queue=all&page=p1"),
    )
    ana.press("Shift+C").type("Frist").press("Control+Enter")
    thread = bea.page.locator(".p-talk .thread")
    expect(thread.locator(".words")).to_have_text("Frist")
    expect(thread.get_by_role("button", name="Edit")).to_have_count(0)
    mine = ana.page.locator(".p-talk .thread")
    mine.get_by_role("button", name="Edit").click()
    mine.get_by_label("Your comment").fill("First")
    mine.get_by_role("button", name="Save").click()
    expect(thread.locator(".words")).to_have_text("First")
    expect(thread).to_contain_text("edited")
    mine.get_by_role("button", name="Delete").click()
    expect(thread.locator(".words")).to_have_text("deleted")


def test_lead_replies_to_question_from_blind_draft(
    open_workspace: Open, browse: Browse, owner: User, curator: User, collection: Collection
) -> None:
    query = collection.queries.get(key="mercury")
    own = drafts.from_nothing(query=query, user=curator, kind=Draft.Kind.OWN)
    screen = open_workspace(curator, own, "?queue=all&page=p2")
    screen.press("Shift+C").type("What is this, @owner?")
    audience = screen.page.locator(".p-talk .audience")
    expect(audience).to_have_text(
        "Only you can see this for now. owner cannot see this draft now and will not be notified."
    )
    screen.page.get_by_label("Ask the lead").check()
    expect(audience).to_have_text("Seen by owner.")
    screen.page.locator(".p-talk").get_by_role("button", name="Comment", exact=True).click()
    expect(screen.page.locator("#said")).to_have_text("Sent. owner will be notified.")
    page = browse(owner)
    page.goto(reverse("curate", args=[collection.slug]))
    page.get_by_role("link", name="1 open thread").click()
    thread = page.locator(".thread")
    expect(thread).to_contain_text("question to the lead")
    expect(thread.locator(".about a")).to_have_count(1)  # only the query, because the draft is blind
    expect(page.locator(".unread-comments .chip")).to_be_hidden()
    assert violations(page) == []
    thread.get_by_role("button", name="Answer").click()
    page.keyboard.type("@cur")
    expect(thread.get_by_role("option", name="curator")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.type("An outlier, as @reader says.")
    expect(thread.locator(".audience")).to_have_text("Seen by curator.")
    page.keyboard.press("Control+Enter")
    expect(screen.page.locator(".p-talk .words").last).to_have_text("@curator An outlier, as @reader says.")
    answer = page.goto(reverse("draft", args=[own.pk]))
    assert answer is not None
    assert answer.status == 404


def test_thread_becomes_question_to_lead(
    open_workspace: Open, browse: Browse, owner: User, curator: User, collection: Collection
) -> None:
    query = collection.queries.get(key="mercury")
    own = drafts.from_nothing(query=query, user=curator, kind=Draft.Kind.OWN)
    screen = open_workspace(curator, own, "?queue=all&page=p2")
    screen.press("Shift+C").type("What is this?").press("Control+Enter")
    thread = screen.page.locator(".p-talk .thread")
    thread.get_by_role("button", name="Ask the lead").click()
    expect(thread).to_contain_text("question to the lead")
    expect(thread.get_by_role("button", name="Ask the lead")).to_have_count(0)
    expect(screen.page.locator("#said")).to_have_text("Asked the lead: owner.")
    thread.get_by_role("button", name="Answer").click()
    expect(thread.locator(".audience")).to_have_text("Seen by owner.")
    assert violations(screen.page) == []
    page = browse(owner)
    page.goto(reverse("comments"))
    asked = page.locator(".thread")
    expect(asked.locator(".words")).to_have_text("What is this?")
    expect(asked.get_by_role("button", name="Ask the lead")).to_have_count(0)


def test_new_comments_appear_on_open_comments_page(
    browse: Browse, owner: User, curator: User, shared_draft: Draft
) -> None:
    page = browse(owner)
    page.clock.install()
    page.goto(reverse("comments"))
    expect(page.get_by_text("No comments concern you yet")).to_be_visible()
    access = reach_draft(curator, shared_draft.pk)
    first = comments.start(access, uuid4(), "Look, @owner", about="page", key="p1").thread
    page.clock.run_for(10_000)
    expect(page.locator(".thread .words")).to_have_text(["Look, @owner"])
    expect(page.get_by_text("No comments concern you yet")).to_have_count(0)
    page.locator(".thread").get_by_role("button", name="Answer").click()
    page.get_by_role("textbox", name="Answer").fill("Not sent yet")
    comments.start(access, uuid4(), "And this, @owner", about="page", key="p2")
    comments.answer(reach_thread(curator, first.id), uuid4(), "Have you?")
    page.clock.run_for(10_000)
    expect(page.locator(".thread .words")).to_have_text(["And this, @owner", "Look, @owner", "Have you?"])
    expect(page.locator("#talk-said")).to_have_text("3 new comments since you opened this page.")
    expect(page.get_by_role("textbox", name="Answer")).to_have_value("Not sent yet")
    assert violations(page) == []


def test_threads_remain_after_topic_is_deleted(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.press("l", "Home", "Shift+C").type("Which planet?").press("Control+Enter")
    expect(screen.page.locator("#side .thread .words")).to_have_text("Which planet?")
    expect(screen.topic("Planet")).to_have_class(re.compile(r"\bcommented\b"))
    assert violations(screen.page) == []
    screen.press("Escape")
    expect(screen.topic("Planet")).to_be_focused()
    screen.press("m").type("engi").press("Enter")
    expect(screen.topic("Planet")).to_have_count(0)
    screen.press("g", "k")
    about = screen.page.locator("#side .thread .about")
    expect(about).to_have_text("On a topic that was deleted: Planet")
    screen.press("Escape", "Control+z")
    expect(screen.topic("Planet")).to_be_visible()
    screen.press("g", "k")
    expect(about).to_have_text("On topic Planet")
    assert said(screen) == ["Which planet?"]


def test_offline_comment_is_sent_once_when_online(open_workspace: Open, owner: User, shared_draft: Draft) -> None:
    screen = open_workspace(owner, shared_draft, "?queue=all&page=p1")
    screen.page.route("**/threads", lambda route: route.abort("internetdisconnected"))
    screen.press("Shift+C").type("Said offline").press("Control+Enter").type("Not said yet")
    expect(screen.page.locator(".comment.waiting")).to_contain_text("sending…")
    screen.page.reload()
    expect(screen.page.locator(".comment.waiting")).to_contain_text("Said offline")
    expect(screen.page.get_by_label("Comment on this page")).to_have_value("Not said yet")
    screen.page.unroute("**/threads")
    expect(screen.page.locator(".comment.waiting")).to_have_count(0)
    expect(screen.page.locator(".p-talk .words")).to_have_text("Said offline")
    screen.page.reload()
    expect(screen.page.locator(".p-talk .words")).to_have_text("Said offline")
    assert Comment.objects.count() == 1


def test_guidelines_panel_shows_changes(
    open_workspace: Open, owner: User, curator: User, shared_draft: Draft, collection: Collection
) -> None:
    guidelines.save_guidelines(
        collection=collection, text="# Outliers\n\nOther languages.\n\n# Names\n\nShort.", base=0, user=owner
    )
    screen = open_workspace(curator, shared_draft, "?queue=all&page=p1")
    link, panel = screen.page.locator("#guidelines-link"), screen.page.locator("#side-guidelines")
    expect(link).to_contain_text("not read yet")
    screen.press("g", "l")
    expect(panel.get_by_role("heading", name="Outliers")).to_be_visible()
    expect(link).to_have_text("Guidelines")
    expect(panel.get_by_label("Search the guidelines")).to_be_focused()
    screen.type("short")
    expect(panel.get_by_role("heading", name="Outliers")).to_be_hidden()
    expect(panel.get_by_role("heading", name="Names")).to_be_visible()
    assert violations(screen.page) == []
    screen.press("Escape")
    expect(panel).to_be_hidden()
    text = "# Outliers\n\nUnknown languages.\n\n# Names\n\nShort."
    guidelines.save_guidelines(collection=collection, text=text, base=1, user=owner)
    screen.page.locator(".snack").get_by_role("button", name="What changed").click()
    expect(panel.locator(".changes .reworded del")).to_have_text("Other ")
    expect(panel.locator(".changes .reworded ins")).to_have_text("Unknown ")
    expect(link).to_have_text("Guidelines")
    screen.page.reload()
    expect(link).to_have_text("Guidelines")


def test_adjudication_session_shows_comments_of_both_drafts(
    browse: Browse, adjudicator: User, curator: User, owner: User, collection: Collection
) -> None:
    query = collection.queries.get(key="mercury")
    pair = draft_of(curator, query, ANA, "p8", submitted=False), draft_of(owner, query, BEN, submitted=False)
    for user, draft, words in ((curator, pair[0], "No fair at all."), (owner, pair[1], "A fair.")):
        comments.start(reach_draft(user, draft.pk), uuid4(), words, about="page", key="p8")
        drafts.submit(draft)
    judged = adjudication.start(query=query, drafts=pair, user=adjudicator)
    page = browse(adjudicator)
    page.goto(reverse("adjudicate", args=[judged.pk]))
    title = page.locator("#card-title")
    first = title.text_content()
    page.goto(reverse("adjudicate", args=[judged.pk]) + "?at=page:first:p8")
    page.get_by_label("Comment on this page").fill("Why, @curator?")
    page.keyboard.press("Control+Enter")
    threads = page.locator("#desk-threads .thread")
    expect(threads.nth(2)).to_contain_text("In the outcome")
    expect(threads.nth(0)).to_contain_text("No fair at all.")
    expect(threads.nth(1)).to_contain_text("A fair.")
    thread = CommentThread.objects.latest("pk")
    assert (thread.draft_id, thread.key) == (judged.pk, "p8")
    assert reach_draft(curator, judged.pk)
    page.goto(reverse("adjudicate", args=[judged.pk]))
    expect(title).to_have_text(first or "")
    page.keyboard.press("s")
    expect(title).not_to_have_text(first or "")
    expect(page.locator("#desk-threads textarea, #desk-threads .threads").first).to_be_attached()

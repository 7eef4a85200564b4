"""Adjudication in a real browser: by keyboard alone, by mouse alone, and with hostile text."""

from __future__ import annotations

import re
from dataclasses import replace
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.adjudication import services as adjudication
from annotations.collections.selectors import page_list_document
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.drafts.state_machine import from_document
from annotations.guidelines import services as guidelines
from annotations.models import AdjudicationDecision, AdjudicationStep, Collection, Draft
from annotations.models import Page as StoredPage
from annotations.people.services.roles import add_role
from evaluation.models import Submission
from qc4.model.gold_document import Topic
from tests.browser.accessibility import violations
from tests.browser.page_layout import open_all
from tests.browser.workspace import press_on
from tests.fixtures.browser import ATTACK, Browse
from tests.profiles import thorough
from tests.samples.drafts import ANA, BEN, draft_of
from tests.trigger_bypass import unguarded

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("adjudication in a browser")]


@pytest.fixture
def pair(collection: Collection, curator: User, owner: User) -> tuple[Draft, Draft]:
    query = collection.queries.get(key="mercury")
    return draft_of(curator, query, ANA, "p8"), draft_of(owner, query, BEN)


def agreement_of(draft: Draft) -> str:
    return reverse("agreement", args=[draft.query.collection.slug, draft.query.key])


def outcome() -> dict[str, set[str]]:
    """Return topic name -> direct pages of the adjudication draft."""
    draft = Draft.objects.get(kind="adjudication")
    state = states.current(draft).state
    held = {state.topics[topic].name: set(state.members_of(topic)) for topic in state.tree()}
    return held | {"outliers": set(state.outliers)}


def answered(page: Page, number: int) -> None:
    expect(page.get_by_role("status").get_by_text(f"{number}/")).to_be_visible()


EXPECTED = {
    "Planets": {"p1", "p2", "p3"},
    "Engines": {"p3", "p6", "p7"},
    "Outboards": {"p4", "p5"},
    "Fairs": {"p8"},
    "outliers": set(),
}


def test_by_keyboard_alone(browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]) -> None:
    page = browse(adjudicator)
    page.goto(agreement_of(pair[0]))
    start = page.get_by_role("button", name="Adjudicate")
    start.focus()
    page.keyboard.press("Enter")
    ready(page)
    expect(page.get_by_role("heading", name="Topic Engines › Parts")).to_be_visible()
    whole: list[Page] = []
    page.on("load", lambda loaded: whole.append(loaded))
    page.keyboard.press("l")  # the reason "slip", until another one is chosen
    page.keyboard.press("2")
    answered(page, 1)
    expect(page.locator("#card-title")).to_be_focused()
    expect(page.locator("#card-title")).to_contain_text("Fairs")
    page.keyboard.press("1")
    answered(page, 2)
    page.keyboard.press("Control+z")
    answered(page, 1)
    page.keyboard.press("2")
    answered(page, 2)
    page.keyboard.press("2")  # the answer about the name
    answered(page, 3)
    expect(page.locator("#card-title")).to_contain_text("Page 3")
    assert not whole, "a key pressed before the scripts are ready must not submit the whole form"
    for key, title in (("j", "Page 8"), ("k", "Page 3")):  # links to other pages
        page.keyboard.press(key)
        expect(page.locator("#card-title")).to_contain_text(title)
        page.wait_for_load_state()
    page.keyboard.press("a")
    page.keyboard.press("3")
    answered(page, 4)
    page.keyboard.press("o")
    answered(page, 5)
    expect(page.get_by_text("Everything is decided")).to_be_visible()
    assert outcome() == EXPECTED | {"Fairs": set(), "outliers": {"p8"}}
    page.keyboard.press("u")
    answered(page, 4)
    page.keyboard.press("s")
    answered(page, 5)
    expect(page.get_by_role("heading", name="Skipped")).to_be_visible()
    reasons = (
        AdjudicationDecision.objects.filter(step__undoes=None).order_by("pk").values_list("key", "choice", "reason")
    )
    assert ("parts", "second", "slip") in reasons
    assert ("p3", "all", "ambiguous") in reasons


def test_by_mouse_alone(browse: Browse, adjudicator: User, curator: User, pair: tuple[Draft, Draft]) -> None:
    page = browse(adjudicator)
    page.goto(agreement_of(pair[0]))
    page.get_by_role("button", name="Adjudicate").click()
    ready(page)
    answers = page.get_by_role("group", name="Answer")
    for number, name in enumerate(["owner: exclude it", "owner: take it", "owner Planets"], 1):
        answers.get_by_role("button", name=name).click()
        answered(page, number)
    page.get_by_label("guideline unclear").check()
    page.get_by_label("Note").fill("the guideline says nothing about fairs: press 3, o, u")
    answers.get_by_role("button", name="Both").click()
    answered(page, 4)
    page.get_by_role("button", name="Undo my last answer").click()
    answered(page, 3)
    answers.get_by_role("button", name="Both").click()
    answered(page, 4)
    answers.get_by_role("button", name="owner Fairs").click()
    answered(page, 5)
    assert outcome() == EXPECTED
    page.get_by_role("link", name="decided 2").click()
    expect(page.get_by_role("region", name="Outcome")).to_contain_text("adjudicator: in the topics of both")
    page.get_by_role("link", name="Open in the workspace").click()
    page.wait_for_url("**" + reverse("draft", args=[Draft.objects.latest("pk").pk]))

    reader = browse(curator)
    reader.goto(agreement_of(pair[0]))
    reader.get_by_role("link", name="Show the outcome").click()
    expect(reader.get_by_role("region", name="Outcome")).to_contain_text("adjudicator: as owner")
    expect(reader.get_by_role("group", name="Answer")).to_have_count(0)


def ready(page: Page) -> None:
    """Wait until the session's scripts are loaded, because earlier key presses have no effect."""
    page.wait_for_url("**/adjudicate/")
    page.wait_for_load_state()


def test_styles_set_by_browser_extensions_are_not_copied(
    browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]
) -> None:
    """Fields get a style attribute from outside (password managers, screenshots); an answer must not write it again,
    which the Content-Security-Policy would report. `browse` fails on console messages."""
    page = browse(adjudicator)
    page.goto(agreement_of(pair[0]))
    page.get_by_role("button", name="Adjudicate").click()
    ready(page)
    mark = "document.querySelectorAll('#desk *').forEach(one => { one.style.caretColor = 'red'; })"
    page.evaluate(mark)
    page.keyboard.press("2")
    answered(page, 1)
    page.evaluate(mark)
    page.get_by_role("group", name="Answer").get_by_role("button", name="owner: take it").click()
    answered(page, 2)
    page.evaluate(mark)
    page.get_by_role("button", name="Undo my last answer").click()
    answered(page, 1)


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_every_answer_is_visible_when_question_opens(
    browse: Browse, adjudicator: User, pair: tuple[Draft, Draft], width: int, height: int
) -> None:
    query = pair[0].query
    draft = adjudication.start(query=query, drafts=list(pair), user=adjudicator)
    page = browse(adjudicator, width)
    page.set_viewport_size({"width": width, "height": height})
    desk = reverse("adjudicate", args=[draft.pk])
    for at in ("topic:first:parts", "topic:second:fairs", "name:first:planet", "page:first:p3", "page:first:p8"):
        page.goto(f"{desk}?at={at}")
        buttons = page.locator("button.answer").all()
        assert len(buttons) >= 3
        for button in buttons:
            expect(button).to_be_in_viewport(ratio=1)


def test_key_without_effect_shows_reason(browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]) -> None:
    page = browse(adjudicator)
    page.goto(agreement_of(pair[0]))
    page.get_by_role("button", name="Adjudicate").click()
    ready(page)
    expect(page.get_by_role("heading", name="Topic Engines › Parts")).to_be_visible()
    page.keyboard.press("3")
    expect(page.get_by_role("status")).to_contain_text("3 (both) is not an answer here: it only applies to pages.")
    assert not AdjudicationDecision.objects.exists()
    page.keyboard.press("1")
    expect(page.get_by_role("status")).to_contain_text("Engines › Parts: taken (as curator).")
    expect(page.get_by_role("status")).not_to_contain_text("is not an answer here")


def test_failed_answer_is_reported_as_not_stored(browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]) -> None:
    draft = adjudication.start(query=pair[0].query, drafts=list(pair), user=adjudicator)
    page = browse(adjudicator)
    page.goto(reverse("adjudicate", args=[draft.pk]))
    ready(page)
    page.route(
        "**/adjudicate/",
        lambda route: (
            route.fulfill(status=503, headers={"Retry-After": "3"})
            if route.request.method == "POST"
            else route.fallback()
        ),
    )
    page.keyboard.press("1")
    expect(page.get_by_role("status")).to_contain_text("The site is busy: your answer was not stored.")
    page.unroute("**/adjudicate/")
    page.keyboard.press("1")
    answered(page, 1)
    assert AdjudicationDecision.objects.count() == 1


def test_answer_keys_follow_keyboard_layout(browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]) -> None:
    """On French keyboards "-" is on the key of 6, and Shift types digits. On Spanish ones Shift+1 types no digit."""
    draft = adjudication.start(query=pair[0].query, drafts=list(pair), user=adjudicator)
    page = browse(adjudicator)
    page.goto(reverse("adjudicate", args=[draft.pk]))
    page.get_by_label("slip").check()
    page.locator("#card-title").focus()
    press_on(page, "Digit6", "-")
    expect(page.get_by_label("no reason given")).to_be_checked()
    press_on(page, "Digit1", "!", shift=True)
    press_on(page, "Digit1", "1", shift=True)
    answered(page, 1)
    assert AdjudicationDecision.objects.get().choice == "first"


def test_disabled_keys_do_not_answer(browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]) -> None:
    page = browse(adjudicator)
    page.goto(agreement_of(pair[0]))
    page.get_by_role("button", name="Adjudicate").click()
    ready(page)
    page.get_by_label("Note").fill("1")
    page.get_by_label("Answer with keys").uncheck()
    page.locator("#card-title").focus()
    page.keyboard.press("1")
    page.reload()
    expect(page.get_by_label("Answer with keys")).not_to_be_checked()
    answered(page, 0)
    page.get_by_label("Answer with keys").check()
    page.locator("#card-title").focus()
    page.keyboard.press("1")
    answered(page, 1)


CEM = {"Planet": "p1 p2", "Engines": "p6 p7", "Engines/Outboards": "p4 p5", "Fairs": "p3 p8"}
"""Agrees with `BEN` about Fairs and with `ANA` about a name, and differs from both in p3."""


@pytest.fixture
def three(collection: Collection, pair: tuple[Draft, Draft]) -> list[Draft]:
    cem = User.objects.create_user("cem")
    add_role(collection=collection, user=cem, role="curator")
    query = pair[0].query
    with unguarded(StoredPage):
        StoredPage.objects.filter(query=query, key="p3").update(text="Every word of page 3.")
    first, second = pair
    note(first, "p3", "Planet or engine?")
    return [first, second, draft_of(cem, query, CEM)]


def note(draft: Draft, page: str, text: str) -> None:
    """Add a note of the curator to a page of a submitted draft, as if made before submission."""
    drafts.reopen(draft)
    perform(draft, draft.curator, DraftRequest(uuid4(), draft.revision, [{"kind": "note", "page": page, "text": text}]))
    drafts.submit(draft)


def test_three_drafts_by_keyboard_alone(
    browse: Browse, adjudicator: User, collection: Collection, three: list[Draft]
) -> None:
    guidelines.save_guidelines(collection=collection, text="Fairs are no engines.", base=0, user=adjudicator)
    page = browse(adjudicator)
    page.goto(agreement_of(three[0]))
    expect(page.get_by_role("heading", name="All drafts, level by level")).to_be_visible()
    expect(page.get_by_role("region", name="Alpha per level")).to_contain_text("Alpha, MASI")
    page.get_by_role("button", name="Adjudicate all 3").focus()
    page.keyboard.press("Enter")
    ready(page)
    expect(page.get_by_role("heading", name="Topic Engines › Parts")).to_be_visible()
    expect(page.locator("button.proposed")).to_contain_text("owner, cem: exclude it")
    page.keyboard.press("i")
    expect(page.get_by_text("Fairs are no engines.")).to_be_visible()
    page.keyboard.press("p")
    answered(page, 1)
    expect(page.get_by_text("Fairs are no engines.")).to_be_visible()
    expect(page.locator("#card-title")).to_contain_text("Fairs")
    page.keyboard.press("Shift+P")
    expect(page.get_by_text("Everything is decided")).to_be_visible()
    expect(page.locator(".desk-progress .done")).to_contain_text("answered at once")
    held = outcome()
    assert (held["Planet"], held["Engines"], held["Fairs"]) == ({"p1", "p2"}, {"p3", "p6", "p7"}, {"p8"})
    page.keyboard.press("Control+z")
    expect(page.locator("#card-title")).to_contain_text("Fairs")
    assert "Fairs" not in outcome()
    page.keyboard.press("Control+Shift+z")
    expect(page.get_by_text("Everything is decided")).to_be_visible()
    page.goto(f"{page.url.partition('?')[0]}?at=page:first:p3")
    expect(page.get_by_text("curator noted: Planet or engine?")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("region", name="Text of the page")).to_have_text("Every word of page 3.")
    page.keyboard.press("4")
    expect(page.locator(".desk-progress .done")).to_contain_text("in the topics of all")
    assert outcome()["Fairs"] == {"p3", "p8"}
    assert AdjudicationStep.objects.count() == 5


def test_names_are_decided_in_one_table(
    browse: Browse, adjudicator: User, collection: Collection, curator: User, owner: User
) -> None:
    """By mouse: choose all names of one draft, type another name, and see a warning while typing a taken name."""
    query = collection.queries.get(key="mercury")
    ana = {"Planet": "p1 p2", "Engines": "p3 p4", "Fairs": "p5 p6"}
    ben = {"Planets": "p1 p2", "Motors": "p3 p4", "Trade fairs": "p5 p6"}
    pair = [draft_of(curator, query, ana), draft_of(owner, query, ben)]
    draft = adjudication.start(query=query, drafts=pair, user=adjudicator)
    page = browse(adjudicator)
    page.goto(reverse("adjudicate", args=[draft.pk]))
    table, save = page.locator("#names"), page.get_by_role("button", name="Save names")
    expect(save).to_be_disabled()
    page.keyboard.press("n")
    expect(table.get_by_role("heading", name="Names")).to_be_focused()
    table.get_by_role("button", name="all as owner").click()
    fairs = table.get_by_label("Another name for Fairs")
    fairs.fill("motors")
    expect(table.get_by_text("Another topic beside it is named motors.", exact=True)).to_be_visible()
    expect(save).to_be_disabled()
    fairs.fill("Shows")
    expect(table.get_by_text("Another topic beside it is named")).to_have_count(0)
    save.click()
    answered(page, 3)
    assert set(outcome()) == {"Planets", "Motors", "Shows", "outliers"}
    assert draft.entries.count() == 1
    expect(page.locator("#names").get_by_label("Another name for Shows")).to_have_value("Shows")
    page.get_by_role("button", name="Undo my last answer").click()
    answered(page, 0)
    assert set(outcome()) == {"Planet", "Engines", "Fairs", "outliers"}
    page.get_by_role("button", name="Redo").click()
    answered(page, 3)
    page.goto(f"{reverse('adjudicate', args=[draft.pk])}?at=name:first:planet")
    page.get_by_label("Another name", exact=True).fill("Worlds")
    page.get_by_label("Another name", exact=True).press("Enter")
    expect(page.locator(".desk-progress .done")).to_contain_text("called Worlds")
    assert set(outcome()) == {"Worlds", "Motors", "Shows", "outliers"}


def test_answer_shows_rules_it_would_break(browse: Browse, adjudicator: User, pair: tuple[Draft, Draft]) -> None:
    draft = adjudication.start(query=pair[0].query, drafts=list(pair), user=adjudicator)
    page = browse(adjudicator, 390)
    desk = reverse("adjudicate", args=[draft.pk])
    page.goto(f"{desk}?at=topic:first:parts")
    page.locator("#card-title").focus()
    page.keyboard.press("2")
    answered(page, 1)
    page.goto(f"{desk}?at=page:first:p3")
    second = page.get_by_role("group", name="Answer").get_by_role("button", name="owner Engines")
    expect(second).to_contain_text("would be in 'Engines' but in none of its subtopics: R")
    expect(page.get_by_role("button", name="Skip")).not_to_contain_text("subtopics")


def test_pages_report_reopened_draft(
    browse: Browse, adjudicator: User, curator: User, pair: tuple[Draft, Draft]
) -> None:
    """If one person reopens a compared draft, the other's pages say so, and return when it is submitted."""
    started = adjudication.start(query=pair[0].query, drafts=list(pair), user=adjudicator)
    address = f"{agreement_of(pair[0])}?draft={pair[0].pk}&draft={pair[1].pk}"
    reader = browse(curator)
    reader.goto(address)
    expect(reader.get_by_text("pages alike")).to_be_visible()
    drafts.reopen(pair[1], adjudicator)
    reader.reload()
    expect(reader.get_by_text("The draft of owner was reopened by adjudicator")).to_be_visible()
    desk = browse(adjudicator)
    desk.goto(reverse("adjudicate", args=[started.pk]))
    expect(desk.get_by_text("It is shown here as it was submitted")).to_be_visible()
    desk.locator("#card-title").focus()
    desk.keyboard.press("1")
    answered(desk, 1)
    drafts.submit(pair[1])
    reader.reload()
    expect(reader.get_by_text("pages alike")).to_be_visible()


@pytest.fixture
def hostile(hostile_submission: Submission, owner: User) -> tuple[Draft, Draft, Draft]:
    """Two drafts in which every name is an attack string, and their adjudication."""
    query = hostile_submission.collection.queries.get()
    other = User.objects.create_user("x" * 150)
    add_role(collection=hostile_submission.collection, user=other, role="curator")
    same, line = f"a{ATTACK[:50]}", "".join(filter(str.isprintable, ATTACK))
    topics = (Topic(same, ATTACK[:190], None, 1, ("p1", "p2", "p3")), Topic("b", ATTACK[:100], None, 1, ("p4",)))
    others = (Topic(same, ATTACK[:180], None, 1, ("p1", "p2")), Topic("c", f"c{ATTACK[:99]}", None, 1, ("p5",)))
    facts = {"query": query, "kind": "own", "started_from": {"from": "nothing", "words": "nothing"}}
    pair = []
    for user, given in ((owner, topics), (other, others)):
        state = from_document(replace(page_list_document(query), topics=given))
        draft = drafts.start(state=state, user=user, name=f"{line[:150]} {user.pk}", **facts)
        drafts.submit(draft)
        pair.append(draft)
    return pair[0], pair[1], adjudication.start(query=query, drafts=list(pair), user=owner)


def test_wide_table_reports_hidden_part(
    browse: Browse, adjudicator: User, collection: Collection, curator: User, owner: User
) -> None:
    query = collection.queries.get(key="mercury")
    many = {f"Topic of page {number}": f"p{number}" for number in range(1, 9)}
    first, second = draft_of(curator, query, ANA, "p8"), draft_of(owner, query, many)
    page = browse(adjudicator, 390)
    page.goto(f"{agreement_of(first)}?first={first.pk}&second={second.pk}")
    matrix = page.get_by_role("region", name="Overlap of topics")
    more = matrix.get_by_role("button")
    expect(more).to_have_text(re.compile(r"^[1-9] more columns? →$"))
    last = matrix.get_by_role("columnheader", name="Outliers")
    expect(last).not_to_be_in_viewport()
    while "more" in (shown := more.inner_text()):
        more.click()
        expect(more).not_to_have_text(shown)
    expect(last).to_be_in_viewport()
    expect(more).to_have_text("← back to the first columns")
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(more).to_be_hidden()


def test_pages_full_of_hostile_text_fit(browse: Browse, owner: User, hostile: tuple[Draft, Draft, Draft]) -> None:
    first, second, adjudicated = hostile
    bare, desk = agreement_of(first), reverse("adjudicate", args=[adjudicated.pk])
    pair = f"?first={first.pk}&second={second.pk}"
    page = browse(owner)
    open_all(page, [bare, f"{bare}{pair}", f"{bare}{pair}&level=all", desk])
    open_all(page, [f"{desk}?at=page:first:p3", f"{desk}?at=topic:second:c", f"{desk}?show=open"])


def test_answers_about_hostile_text_stay_text(browse: Browse, owner: User, hostile: tuple[Draft, Draft, Draft]) -> None:
    page = browse(owner)
    page.goto(reverse("adjudicate", args=[hostile[2].pk]))
    expect(page.locator("#card-title")).to_contain_text("<script>alert(1)</script>")
    total = int(page.locator("progress").get_attribute("max") or 0)
    page.get_by_label("Note").fill(ATTACK[:60])
    for number in range(1, total + 1):
        page.locator("#card-title").focus()
        page.keyboard.press("1" if number % 2 else "s")
        answered(page, number)
    expect(page.locator("img")).to_have_count(0)


def test_two_adjudicators_see_each_others_answers(
    browse: Browse, adjudicator: User, owner: User, pair: tuple[Draft, Draft]
) -> None:
    """Answers of one person appear for the other automatically, without disturbing typed text."""
    draft = adjudication.start(query=pair[0].query, drafts=list(pair), user=adjudicator)
    desk = f"{reverse('adjudicate', args=[draft.pk])}?at=page:first:p3"
    ana, bea = browse(adjudicator), browse(owner)
    for page in (ana, bea):
        page.goto(desk)
        page.locator("#card-title").focus()
    bea.get_by_label("Note").fill("only the engine")
    ana.keyboard.press("3")
    answered(ana, 1)

    # Bea is typing: she is notified, and her note stays.
    expect(bea.locator("#desk-news")).to_contain_text("adjudicator: Page 3: in the topics of both.")
    expect(bea.locator("#desk-waits")).to_be_visible()
    expect(bea.get_by_label("Note")).to_have_value("only the engine")
    bea.get_by_role("radio", name="other x").check()
    bea.locator("#card-title").focus()
    bea.keyboard.press("2")
    expect(bea.get_by_role("alert")).to_contain_text("adjudicator answered “Page 3” meanwhile: in the topics of both.")
    expect(bea.get_by_label("Note")).to_have_value("only the engine")
    assert [row.choice for row in AdjudicationDecision.objects.filter(step__is_refused=False)] == ["all"]

    # Both people see both answers, and stay at their questions.
    expect(bea.locator("#two-answers")).to_contain_text("not saved")
    expect(ana.locator("#two-answers")).to_contain_text("owner: as owner “only the engine” not saved")
    expect(ana.locator("#card-title")).not_to_contain_text("Page 3")

    # After she has seen the other answer, hers is accepted.
    bea.locator("#card-title").focus()
    bea.keyboard.press("2")
    expect(bea.locator(".desk-progress .done")).to_contain_text("Page 3: as owner.")
    expect(ana.locator("#two-answers")).to_contain_text("replaced")
    expect(ana.locator("#desk-news")).to_contain_text("owner: Page 3: as owner.")
    assert violations(ana) == []

    # Automatic updates keep the focus.
    ana.locator("#answer-s").focus()
    bea.keyboard.press("u")
    expect(ana.locator("#desk-news")).to_contain_text("owner: Undone: Page 3: as owner.")
    expect(ana.locator("#answer-s")).to_be_focused()

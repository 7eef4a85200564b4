"""Attack strings in every text that a person can write are harmless and shown literally."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from accounts.models import User
from annotations.models import DraftEntry
from common.web_urls import is_web_address
from tests.browser.attack_strings import ADDRESSES, PAYLOADS, TEXTS, Scene, harm, literal, page_id, scene
from tests.browser.workspace import opener
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    thorough("attacks on the workspace in a browser"),
]


@pytest.fixture
def attack(transactional_db: None, owner: User) -> Scene:
    return scene(owner)


def test_harm_check_detects_attacks(chromium: Browser) -> None:
    page = chromium.new_page()
    for text in PAYLOADS[:3] + PAYLOADS[4:7] + PAYLOADS[11:12]:
        page.goto("about:blank")
        page.set_content(f"<body>{text}")
        assert harm(page), text
    page.goto("about:blank")
    page.set_content('<body><a href="javascript:void 0">x</a>')
    assert harm(page)
    page.set_content("<body><bdi>sound</bdi>")
    assert harm(page) == []
    page.close()


def test_pages_of_hostile_draft_are_harmless(browse: Browse, owner: User, attack: Scene) -> None:
    screen = opener(browse)(owner, attack.shared, f"?queue=all&page={page_id(0)}")
    page = screen.page
    for at, text in enumerate(TEXTS):
        expect(screen.cursor).to_have_attribute("data-page", page_id(at))
        assert screen.cursor.locator(".title bdi").first.text_content() == text
        assert screen.cursor.locator(".snip bdi").text_content() == TEXTS[at - 1]
        assert page.locator("#page-title").text_content() == text
        assert page.locator("#visit").count() == is_web_address(ADDRESSES[at % len(ADDRESSES)])
        expect(page.locator("#panel .page-text bdi")).to_have_js_property("textContent", TEXTS[at - 2])
        said = "\n".join((text, " ".join(f"@{name}" for name in (owner.username, PAYLOADS[1], PAYLOADS[4]))))
        expect(page.locator(".p-talk .words")).to_have_js_property("textContent", said)
        assert page.get_by_label("Note on this page").input_value().split() == TEXTS[-at - 1].split()
        expect(page.locator("#panel .similar.waiting")).to_have_count(0)
        screen.press("j")
    assert harm(page) == []
    screen.press("g", "k")
    expect(page.locator("#side .thread")).to_have_count(len(TEXTS) + 2)
    assert harm(page) == []
    assert {link.get_attribute("href") for link in page.locator("#side .words a").all()} == {"https://a.example/"}
    screen.press("g", "l")
    expect(page.locator("#side-guidelines .prose")).to_be_visible()
    assert harm(page) == []
    screen.press("Escape")
    assert page.locator("#visit").count() == 0 or (page.locator("#visit").get_attribute("href") or "").startswith(
        "http"
    )
    assert page.title().startswith(PAYLOADS[4])
    shown = literal(page, "#tree")
    assert {text for text in TEXTS[:-2] if len(text) <= 200} - shown <= {TEXTS[0]}  # one topic was renamed


def test_dialogs_of_hostile_draft_are_harmless(browse: Browse, owner: User, attack: Scene) -> None:
    screen = opener(browse)(owner, attack.shared, f"?queue=all&page={page_id(5)}")
    page = screen.page
    for keys in (["t"], ["?"], ["g", "i"], ["g", "h"], ["g", "g"]):
        screen.press(*keys)
        expect(screen.dialog).to_be_visible()
        assert harm(page) == [], keys
        screen.press("Escape")
    for key in ("Shift+F10", "d", "m", "Shift+m", "Delete", "F2"):
        screen.press("l", "End", key)
        expect(page.locator("dialog, .menu-pop, .name-field").first).to_be_visible()
        assert harm(page) == [], key
        screen.press("Escape", "]")
    screen.press("l", "End", "s")
    expect(page.locator("#split-bar")).to_be_visible()
    assert harm(page) == []
    screen.press("Escape")
    for target in ("#more", "#queue", "#draft-name", "#save"):
        page.locator(target).click()
        assert harm(page) == [], target
        screen.press("Escape")


def test_typed_text_stays_text(browse: Browse, owner: User, attack: Scene) -> None:
    """Text typed for topics, the search and the picker appears in the tree, in notices and in the history."""
    screen = opener(browse)(owner, attack.shared, f"?queue=all&page={page_id(5)}")
    page = screen.page
    texts = [text for text in PAYLOADS if len(text) <= 200]
    for text in texts:
        screen.press("l", "Home", "n")
        page.locator(".name-field").fill(f"{text}!")
        screen.press("Enter")
        expect(page.locator(".t-row:focus .name")).to_have_js_property("textContent", f"{text}!")
        page.get_by_label("Search pages").fill(text)
        page.get_by_label("Search pages").press("Escape")
        screen.press("t")
        page.get_by_role("combobox").fill(f"{text}?")
        expect(screen.dialog.get_by_role("option").last).to_contain_text("New topic")
        screen.press("Escape")
    screen.saved()
    labels = [entry.label for entry in DraftEntry.objects.filter(draft=attack.shared).order_by("-revision")]
    screen.press("g", "h")
    expect(screen.dialog.locator(".history bdi").first).to_have_js_property("textContent", labels[0])
    assert set(labels) <= set(screen.dialog.locator(".history bdi").all_text_contents())
    assert harm(page) == []


def test_pages_around_hostile_drafts_are_harmless(browse: Browse, owner: User, attack: Scene) -> None:
    slug, key = attack.collection.slug, attack.query.key
    first, second = attack.pair
    shown = {
        reverse("drafts", args=[slug, key]): {first.name, second.name, attack.shared.name},
        reverse("draft-publish", args=[attack.shared.pk]): {attack.shared.name},
        reverse("draft-publish", args=[attack.judged.pk]): {attack.query.text},
        reverse("agreement", args=[slug, key]) + f"?first={first.pk}&second={second.pk}": {first.name, second.name},
        reverse("adjudicate", args=[attack.judged.pk]): {first.name, second.name},
        reverse("curate", args=[slug]): {attack.query.text, attack.collection.name},
        reverse("comments"): {attack.collection.name},
        reverse("guidelines", args=[slug]): {attack.collection.name},
        reverse("people", args=[slug]): set(),
        reverse("query", args=[slug, key]): {attack.query.text},
        reverse("collection", args=[slug]): {attack.collection.name},
    }
    page = browse(owner)
    for address, texts in shown.items():
        answer = page.goto(address)
        assert answer is not None
        assert (address, answer.status) == (address, 200)
        assert (address, harm(page)) == (address, [])
        assert (address, texts - literal(page)) == (address, set())

"""The workspace with hostile texts, for read-only viewers, for screen readers, and at every width."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.imports.services import import_documents
from annotations.models import Draft
from qc4.model.gold_document import Page as GoldPage
from tests.browser.accessibility import violations
from tests.browser.workspace import opener
from tests.fixtures.browser import ATTACK, Browse
from tests.profiles import thorough
from tests.samples.documents import mercury

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("hostile texts in the workspace")]
PAYLOADS = [
    ATTACK,
    "</script><script>document.title='broken'</script>",
    "<img src=x onerror=document.title='broken'>",
    '" onmouseover="document.title=1" x="',
    "{{7*7}} ${7*7} <b>bold</b>",
    "<svg onload=document.title='broken'>",
]
ADDRESSES = ["javascript:document.title='broken'", "data:text/html,<script>1</script>", "https://ok.example/"]


@pytest.fixture
def hostile(transactional_db: None, owner: User) -> Draft:
    """A draft whose titles, snippets, topic names and query are attack strings, with a forbidden link."""
    document = mercury()
    texts = PAYLOADS * 3
    pages = tuple(
        GoldPage(page.id, page.rank, ADDRESSES[at % 3], *texts[at : at + 3]) for at, page in enumerate(document.pages)
    )
    topics = tuple(replace(topic, name=f"{at} {PAYLOADS[at][:150]}") for at, topic in enumerate(document.topics))
    document = replace(document, query_text=PAYLOADS[1], pages=pages, topics=topics)
    collection = import_documents(name="Hostile", documents=[document], user=owner)
    query = collection.queries.get()
    return drafts.from_file(document=document, query=query, user=owner, kind=Draft.Kind.SHARED, name=PAYLOADS[2][:60])


@pytest.mark.parametrize(("width", "scheme"), [(1920, "light"), (390, "dark")])
def test_hostile_texts_are_harmless_and_controls_have_names(
    browse: Browse, owner: User, hostile: Draft, width: int, scheme: str
) -> None:
    screen = opener(browse)(owner, hostile, "?queue=all&page=p1", width=width, scheme=scheme)
    page = screen.page
    title = page.title()
    assert page.evaluate("document.querySelectorAll('img, iframe, object').length") == 0
    # The only scripts are the site's own files and the data of the workspace.
    own = "script:is(head > [src^='/static/'], #workspace[type='application/json'])"
    assert page.locator("script#workspace").count() == 1
    assert page.locator(f"script:not({own})").count() == 0
    for region in ("topics", "pages", "page"):
        if width == 390:
            page.locator(f"#region-tabs [data-go={region}]").click()
        assert violations(page) == []
    assert page.locator('a[href^="javascript"], a[href^="data:"]').count() == 0
    screen.press("t").type("0")
    assert violations(page) == []
    screen.press("Escape", "?")
    assert violations(page) == []
    screen.press("Escape", "g", "i", "Escape")
    page.locator("#more").click()
    assert violations(page) == []
    screen.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.title() == title
    assert page.evaluate("document.querySelectorAll('img, iframe, object, .curate b, .curate script').length") == 0


def test_read_only_viewer_changes_nothing(browse: Browse, owner: User, own_draft: Draft) -> None:
    drafts.submit(own_draft)
    screen = opener(browse)(owner, own_draft, "?queue=all&page=p1")
    expect(screen.page.locator("#save")).to_have_attribute("data-kind", "readonly")
    screen.press("2", "o", "f", "t")
    expect(screen.page.get_by_role("alert")).to_have_text(re.compile("cannot change this draft"))
    expect(screen.dialog).to_have_count(0)
    screen.press("l", "F2", "n", "Delete")
    expect(screen.page.locator(".name-field")).to_have_count(0)
    expect(screen.page.get_by_role("button", name="Reopen")).to_be_visible()
    assert violations(screen.page) == []

"""The documentation on the site: every document, its links, its search, and that pages lead to what explains them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import NoReverseMatch, resolve, reverse

from common.routes import Help, declared
from documentation import library
from documentation.help import EMPTY_STATES
from documentation.rendering import anchor_of, rendered
from tests.paths import DOCS, ROOT

NAMES = library.names()
each_document = pytest.mark.parametrize("name", NAMES)


class Links(HTMLParser):
    """The addresses of links and the ids of elements on a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "a":
            self.links.append(found.get("href") or "")
        if found.get("id"):
            self.ids.append(found["id"] or "")


def page(name: str) -> str:
    document = library.find(name)
    assert document is not None
    return document.page.html


def test_every_file_for_people_has_its_place_in_the_table_of_contents() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in (DOCS / "users").glob("*.md"))


@pytest.mark.django_db
@each_document
def test_every_document_is_a_page_that_anybody_reads(client: Client, name: str) -> None:
    answer = client.get(reverse("document", args=[name]))
    assert answer.status_code == 200
    document = library.find(name)
    assert document is not None
    html = answer.content.decode()
    assert f"<h1>{document.title}</h1>" in html
    assert all(f'id="{section.anchor}"' in html for section in document.page.contents)
    assert len(Links(html).ids) == len(set(Links(html).ids))


@each_document
def test_no_link_of_a_document_is_dead(name: str) -> None:
    for link in Links(page(name)).links:
        path, _, anchor = link.partition("#")
        if link.startswith(("http://", "https://")):
            continue
        match = resolve(path) if path else None
        if match and match.url_name == "docs-example":
            assert library.example(str(match.kwargs["name"]))
        if match is None or match.url_name == "document":
            target = library.find(str(match.kwargs["name"])) if match else library.find(name)
            assert target is not None, link
            assert not anchor or anchor in target.page.anchors, link


def test_links_go_to_documents_and_pages_and_say_where_other_files_lie() -> None:
    text = (
        "[a](api.md#drafts) [schema](../api/openapi.yaml) [why](../decisions/x.md) [web](https://a.example/)"
        " `/measures/` `/c/x/` `/nothing/`"
    )
    html = str(rendered(f"# T\n\n{text}", frozenset({"api"})).html)
    assert '<a href="/docs/api/#drafts">a</a>' in html
    assert '<a href="/api/v1/schema">schema</a>' in html
    assert "why (docs/decisions/x.md in the project’s folder)" in html
    assert '<a href="https://a.example/">web</a>' in html
    assert '<a href="/measures/"><code>/measures/</code></a>' in html
    assert "<code>/c/x/</code>" in html
    assert html.count("<a ") == 4


def test_a_document_can_do_nothing_but_be_read() -> None:
    hostile = (
        "# T\n\n<script>alert(1)</script> [x](javascript:alert(1)) ![x](http://a.example/x.png) <b onclick=x>y</b>"
    )
    html = str(rendered(hostile, frozenset()).html)
    assert "<script" not in html
    assert "<img" not in html
    assert "<b" not in html
    assert 'href="javascript' not in html


def test_headings_have_anchors_as_in_the_files_and_equal_ones_are_told_apart() -> None:
    found = rendered("# T\n\n## `submit PATH`: how\n\n## Same\n\n## Same\n", frozenset())
    assert [section.anchor for section in found.contents] == ["submit-path-how", "same", "same-1"]


def test_prompts_are_not_copied_and_printed_text_has_no_button() -> None:
    html = str(rendered("# T\n\n```\n$ qc4 list\n```\n\n```text\nout\n```\n", frozenset()).html)
    assert '<span class="prompt">qc4 list</span>' in html
    assert html.count("data-copy") == 1


@pytest.mark.django_db
def test_an_unknown_document_offers_a_search(client: Client) -> None:
    answer = client.get("/docs/leaderbord-columns/")
    assert answer.status_code == 404
    assert "No such document" in answer.content.decode()
    found = client.get("/docs/policies-choosing/")
    assert found.status_code == 404
    assert "/docs/policies/#choosing-them" in found.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["..", "%2e%2e%2fREADME", "..%2f..%2fqc4site%2fsettings.py", "README", "api.MD"])
def test_no_other_file_is_shown(client: Client, name: str) -> None:
    assert client.get(f"/docs/{name}/").status_code == 404


def test_files_of_the_examples_can_be_kept(client: Client) -> None:
    answer = client.get("/docs/examples/scores.csv")
    assert answer.content.startswith(b"query,")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="scores.csv"'


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nothing.csv", "..%2fapi.md", "%2fetc%2fpasswd", "."])
def test_only_examples_are_given_out(client: Client, name: str) -> None:
    assert client.get(f"/docs/examples/{name}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("url", "present"),
    [
        ("/docs/api.md/", "/docs/api/"),
        ("/docs/taking-part/", "/docs/submit/"),
        ("/docs/taking-part.md/", "/docs/submit/"),
    ],
)
def test_former_urls_redirect(client: Client, url: str, present: str) -> None:
    answer = client.get(url)
    assert (answer.status_code, answer.headers["Location"]) == (301, present)


def test_moved_documents_are_there() -> None:
    assert set(library.MOVED) & set(NAMES) == set()
    assert set(library.MOVED.values()) <= set(NAMES)


class TestGlossary:
    def test_terms_are_in_alphabetical_order_with_a_sentence_each(self) -> None:
        glossary = library.find("glossary")
        assert glossary is not None
        titles = [section.title for section in glossary.page.sections[1:]]
        assert titles == sorted(titles, key=str.casefold)
        assert len(titles) == 40
        assert all(re.fullmatch(r"[^\n]{20,200}\.", text) for text in library.terms().values())
        assert not any(re.search(r"[.!?] ", text) for text in library.terms().values())

    def test_a_template_links_a_term(self) -> None:
        html = Template('{% load help_links %}{% term "gold standard" "gold standards" %}').render(Context())
        assert html.startswith('<a class="term" href="/docs/glossary/#gold-standard" title="The topics that people')
        assert html.endswith(">gold standards</a>")

    def test_an_unknown_term_is_an_error(self) -> None:
        with pytest.raises(KeyError):
            Template('{% load help_links %}{% term "gold medal" %}').render(Context())

    def test_terms_of_templates_are_there(self) -> None:
        templates = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html"))
        used = set(re.findall(r'{% term "([^"]+)"', templates))
        assert used
        assert {name for name in used if anchor_of(name) not in library.terms()} == set()


class TestHelp:
    """Sections of the documentation that pages and their empty states link to."""

    @pytest.mark.parametrize(
        "section",
        sorted({each.help for each in declared().values() if isinstance(each.help, Help)} | set(EMPTY_STATES.values())),
        ids=" ".join,
    )
    def test_the_section_exists(self, section: Help) -> None:
        document = library.find(section.document)
        assert document is not None
        assert not section.anchor or section.anchor in document.page.anchors

    def test_empty_states_say_how_they_are_filled(self) -> None:
        """But for those of class "none", where nothing is missing."""
        silent, named = [], set()
        for path in (ROOT / "templates").rglob("*.html"):
            for block in re.findall(r'<div class="empty">(.*?)</div>', path.read_text(encoding="utf-8"), re.DOTALL):
                found = re.search(r'include "parts/fill.html" with missing=[^" ]*"([^"]+)"', block)
                named.update(found[1].split(",")) if found else silent.append(path.name)
        assert silent == []
        assert named == set(EMPTY_STATES)

    @pytest.mark.django_db
    def test_pages_show_their_link(self, client: Client) -> None:
        for name in ("measures", "study"):
            html = client.get(reverse(name)).content.decode()
            section = declared()[name].help
            assert isinstance(section, Help)
            address = reverse("document", args=[section.document]) + (f"#{section.anchor}" if section.anchor else "")
            assert re.search(rf'<a class="help-link" href="{re.escape(address)}">', html)

    @pytest.mark.django_db
    def test_the_navigation_leads_to_the_documentation(self, client: Client) -> None:
        for address in (reverse("collections"), "/no/such/page"):
            assert f'href="{reverse("docs")}"' in client.get(address).content.decode()


def test_links_of_the_table_can_be_made() -> None:
    with pytest.raises(NoReverseMatch):
        reverse("document", args=[""])

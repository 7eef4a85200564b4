"""Metadata of collections, links in their texts, and the search for collections."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection
from annotations.templatetags.site import contact, linked
from qc4.io import write_gold
from tests.fixtures.pages import Visit
from tests.samples.documents import mercury

CITATION = "@misc{space2026, title = {Space and cars}, year = 2026}"
FACE = {"licence": "cc-by-4.0", "citation": CITATION, "contact": "us@example.org", "language": "en"}


def test_settings_store_metadata_and_the_page_shows_it_with_links(
    visit: Visit, owner: User, reader: User, collection: Collection
) -> None:
    given = {
        "name": collection.name,
        "visibility": "private",
        "description": "From https://example.org/.\nTwo lines",
        **FACE,
    }
    assert visit(owner).post(reverse("collection-settings", args=[collection.slug]), given).status_code == 302
    page = visit(reader).get(reverse("collection", args=[collection.slug])).content.decode()
    assert 'href="https://spdx.org/licenses/CC-BY-4.0.html"' in page
    assert 'href="mailto:us@example.org"' in page
    assert '<a href="https://example.org/" rel="nofollow noopener">https://example.org/</a>.<br>Two lines' in page
    assert "@misc{space2026" in page
    gold = visit(reader).get(reverse("gold-download", args=[collection.slug, 1]))
    assert gold["Link"] == '<https://spdx.org/licenses/CC-BY-4.0.html>; rel="license"'


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("licence_url", "javascript:alert(1)", "https://"),
        ("citation", "@misc{x, title = {a}", "not closed"),
        ("language", "english!", "language tag"),
    ],
)
def test_invalid_metadata_is_reported_and_not_stored(
    visit: Visit, owner: User, collection: Collection, field: str, value: str, words: str
) -> None:
    given = {"name": "Other", "visibility": "private", **FACE, field: value}
    answer = visit(owner).post(reverse("collection-settings", args=[collection.slug]), given)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    collection.refresh_from_db()
    assert (collection.name, collection.licence) == ("Space and cars", "")


def test_api_reads_and_changes_metadata(visit: Visit, owner: User, reader: User, collection: Collection) -> None:
    address = reverse("api:collection", args=[collection.slug])

    def patch(user: User, said: dict[str, str]) -> object:
        bearer = {"HTTP_AUTHORIZATION": f"Bearer {tokens.create(user, 'x')[1]}"}
        return visit(None).patch(address, said, content_type="application/json", **bearer)

    changed = patch(owner, {"licence": "MIT", "contact": "the office"}).json()
    assert (changed["licence"], changed["contact"], changed["name"]) == ("MIT", "the office", "Space and cars")
    assert patch(owner, {"participation": "anybody"}).json()["participation"] == "anybody"
    assert patch(owner, {"licence": "MIT"}).json()["participation"] == "anybody"
    assert patch(owner, {"participation": "everybody"}).status_code == 400
    assert patch(owner, {"language": "x"}).status_code == 400
    assert patch(reader, {"licence": "MIT"}).status_code == 403


def test_import_form_and_command_accept_metadata(visit: Visit, owner: User, finish: object, tmp_path: object) -> None:
    file = SimpleUploadedFile("mercury.json", write_gold(mercury()))
    given = {"name": "Imported", "files": file, "completion": "complete", "description": "A try", **FACE}
    assert visit(owner).post(reverse("import"), given).status_code == 302
    finish()
    made = Collection.objects.get(name="Imported")
    assert {name: getattr(made, name) for name in FACE} == FACE
    assert made.description == "A try"
    path, citation = tmp_path / "mercury.json", tmp_path / "cite.bib"
    path.write_bytes(write_gold(mercury()))
    citation.write_text(CITATION)
    options = {"name": "By command", "completion": "complete", "user": owner.username, "verbosity": 0}
    call_command("import_collection", path, citation=citation, licence="MIT", **options)
    assert Collection.objects.get(name="By command").citation == CITATION
    with pytest.raises(CommandError, match="language tag"):
        call_command("import_collection", path, language="?", **{**options, "name": "Another"})


def test_search_finds_visible_names_descriptions_and_queries(
    visit: Visit, owner: User, outsider: User, collection: Collection, public_collection: Collection
) -> None:
    Collection.objects.filter(pk=public_collection.pk).update(description="Ambiguous words", language="pt-BR")

    def found(user: User | None, **given: str) -> list[str]:
        page = visit(user).get(reverse("collections"), given)
        assert page.status_code == 200
        return sorted(line.collection.name for line in page.context["lines"])

    assert found(owner) == ["Open space", "Space and cars"]
    assert found(owner, q="MERCURY space") == ["Open space", "Space and cars"]
    assert found(owner, q="ambiguous") == ["Open space"]
    assert found(owner, q="cars nothing") == []
    assert found(outsider, q="cars") == [], "private collections are not told by their queries"
    assert found(outsider, show="mine") == []
    assert found(owner, show="public") == ["Open space"]
    assert found(owner, language="PT") == ["Open space"]
    assert found(owner, size="large") == []
    assert found(owner, size="nonsense") == ["Open space", "Space and cars"]
    answer = visit(owner).get(reverse("api:collections"), {"q": "cars"}).json()
    assert [one["name"] for one in answer["results"]] == ["Space and cars"]
    assert "No collections found" in visit(owner).get(reverse("collections"), {"q": "zzz"}).content.decode()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a https://e.org/(y), b", 'a <a href="https://e.org/(y)" rel="nofollow noopener">https://e.org/(y)</a>, b'),
        ("(https://e.org)", '(<a href="https://e.org" rel="nofollow noopener">https://e.org</a>)'),
        ("https://e.org/?a&b<i>", '<a href="https://e.org/?a&amp;b" rel="nofollow noopener">https://e.org/?a&amp;b</a>&lt;i&gt;'),
        ("javascript:alert(1) ftp://x.org www.e.org", "javascript:alert(1) ftp://x.org www.e.org"),
        ("https://", "https://"),
        ("https://[bad", "https://[bad"),
        ('"https://e.org"', '&quot;<a href="https://e.org" rel="nofollow noopener">https://e.org</a>&quot;'),
    ],
)  # fmt: skip
def test_only_web_addresses_in_texts_become_links(text: str, html: str) -> None:
    assert linked(text) == html


def test_contact_becomes_a_link_if_possible() -> None:
    assert 'href="mailto:a@b.org"' in contact("a@b.org")
    assert contact("<b>Anna") == "<bdi>&lt;b&gt;Anna</bdi>"
    assert 'href="https://e.org"' in contact("https://e.org")

"""Guidelines: safe rendering of Markdown, versions, and protection against overwriting other people's text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from annotations.guidelines import services as guidelines
from annotations.guidelines.selectors import Line, difference, latest_guidelines, news, render_markdown
from annotations.limits import GUIDELINES_CHARS
from annotations.models import Collection, GuidelinesVersion
from tests.fixtures.pages import Visit
from tests.page_text import flat

ELEMENTS = {
    *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/track.png)",
    '![x](javascript:alert(1) "t")',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox(1))",
    "[x](file:///etc/passwd)",
    "[x](//evil.example)",
    "[x](/sign-out/)",
    '[x](https://a.example "t\\" onmouseover=\\"alert(1)")',
    '[x](https://a.example/"onmouseover="alert(1))',
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    '<https://a.example/" onclick=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
    "<iframe src=https://evil.example></iframe>",
    "<style>body{display:none}</style>",
    "<form action=https://evil.example><input name=password></form>",
    "```html\n<script>alert(1)</script>\n```",
    '```"onmouseover=alert(1)\nx\n```',
    "`<img src=x onerror=alert(1)>`",
    "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
    "| a |\n|:-:|\n| centred, which the library writes as a style |",
    "<!--<img src=--><img src=x onerror=alert(1)//>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{{ 1111*1111 }}{% load static %}",
    "a\u202eb\u0000c",
    ">" * 5000 + "x",
]


class Look(HTMLParser):
    """A parser that collects all elements and attributes, as a browser would."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_harmless(html: str) -> None:
    for tag, attributes in Look(html).found:
        assert tag in ELEMENTS, html
        if tag != "a":
            assert set(attributes) <= ({"start"} if tag == "ol" else set()), html
            continue
        assert set(attributes) <= {"href", "title", "rel"}, html
        assert attributes["rel"] == "noopener noreferrer"
        assert (attributes.get("href") or "https://").lower().startswith(("http://", "https://")), html


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_become_plain_text(attack: str) -> None:
    assert_harmless(render_markdown(attack))


@given(st.lists(st.sampled_from([*ATTACKS, *"<>\"'`[]()!#*_|&\n ", "a", "href=", "https://a.example"]), max_size=12))
def test_no_combination_of_attacks_gets_through(parts: list[str]) -> None:
    assert_harmless(render_markdown("".join(parts)))


def test_markdown_is_rendered() -> None:
    html = render_markdown(
        "# Outliers\n\n- **always** [paper](https://example.org/a?b&c)\n\n| a |\n|---|\n| b |\n\n3. third"
    )
    assert "<h3>Outliers</h3>" in html
    assert "<strong>always</strong>" in html
    assert '<a href="https://example.org/a?b&amp;c" rel="noopener noreferrer">paper</a>' in html
    assert "<td>b</td>" in html
    assert '<ol start="3">' in html


def test_html_is_shown_as_text() -> None:
    assert render_markdown("<b>x</b>").strip() == "<p>&lt;b&gt;x&lt;/b&gt;</p>"
    assert "<a" in render_markdown("![x](https://a.example)")


def test_headings_start_below_headings_of_the_page() -> None:
    html = render_markdown("# one\n\n## two\n\n##### five\n\n###### six\n\ntitle\n===")
    assert html.split() == ["<h3>one</h3>", "<h4>two</h4>", "<h6>five</h6>", "<h6>six</h6>", "<h3>title</h3>"]


def write(visit: Visit, user: User, collection: Collection, text: str, base: int, button: str = "save") -> object:
    address = reverse("guidelines-edit", args=[collection.slug])
    return visit(user).post(address, {"text": text, "base": str(base), button: ""})


def read_page(visit: Visit, user: User, collection: Collection, query: str = "") -> str:
    return visit(user).get(reverse("guidelines", args=[collection.slug]) + query).content.decode()


def test_adjudicator_writes_and_everyone_reads(
    visit: Visit, adjudicator: User, reader: User, collection: Collection
) -> None:
    assert "No guidelines yet" in read_page(visit, reader, collection)
    write(visit, adjudicator, collection, "Split above **20** pages.", 0)
    assert "Split above <strong>20</strong> pages." in read_page(visit, reader, collection)


def test_preview_saves_nothing(visit: Visit, owner: User, collection: Collection) -> None:
    answer = write(visit, owner, collection, "Split *late*.", 0, "preview")
    page = answer.content.decode()
    assert "Split <em>late</em>." in page
    assert ">\nSplit *late*.</textarea>" in page
    assert not GuidelinesVersion.objects.exists()


def test_earlier_versions_stay_available(visit: Visit, owner: User, collection: Collection) -> None:
    write(visit, owner, collection, "Split early.", 0)
    write(visit, owner, collection, "Split late.", 1)
    assert "Split late." in read_page(visit, owner, collection)
    earlier = read_page(visit, owner, collection, "?version=1")
    assert "Split early." in earlier
    assert "an earlier version" in earlier


@pytest.mark.parametrize("version", ["0", "2", "x", "", "-1", "9" * 40, "1\u0661"])
def test_unknown_versions_are_not_found(visit: Visit, owner: User, collection: Collection, version: str) -> None:
    guidelines.save_guidelines(collection=collection, text="Split early.", base=0, user=owner)
    address = reverse("guidelines", args=[collection.slug])
    assert visit(owner).get(address, {"version": version}).status_code == 404


def test_saving_unchanged_text_makes_no_version(visit: Visit, owner: User, collection: Collection) -> None:
    write(visit, owner, collection, "Split early.", 0)
    write(visit, owner, collection, "Split early.\r\n", 1)
    assert GuidelinesVersion.objects.count() == 1


def test_conflicting_save_is_reported_and_keeps_text(
    visit: Visit, owner: User, adjudicator: User, collection: Collection
) -> None:
    write(visit, owner, collection, "Split early.", 0)
    answer = write(visit, adjudicator, collection, "Split late.", 0)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "<bdi>owner</bdi> saved version 1 while you were writing" in flat(page)
    assert ">\nSplit late.</textarea>" in page
    assert 'name="base" value="1"' in page
    assert latest_guidelines(collection).text == "Split early."


def test_too_long_text_is_rejected_and_stays_in_the_field(visit: Visit, owner: User, collection: Collection) -> None:
    answer = write(visit, owner, collection, "x" * (GUIDELINES_CHARS + 1), 0)
    assert answer.status_code == 400
    assert "x" * (GUIDELINES_CHARS + 1) in answer.content.decode()
    assert not GuidelinesVersion.objects.exists()


def test_database_rejects_changes_to_versions(owner: User, collection: Collection) -> None:
    guidelines.save_guidelines(collection=collection, text="Split early.", base=0, user=owner)
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        GuidelinesVersion.objects.update(text="Split late.")


def test_attacks_on_the_page_stay_plain_text(visit: Visit, owner: User, collection: Collection) -> None:
    text = "\n\n".join(ATTACKS[:-2])
    guidelines.save_guidelines(collection=collection, text=text, base=0, user=owner)
    edited = visit(owner).get(reverse("guidelines-edit", args=[collection.slug])).content.decode()
    for page in (read_page(visit, owner, collection), edited):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "1234321" not in page


def test_reader_sees_changes_since_last_read_version(
    visit: Visit, owner: User, reader: User, collection: Collection
) -> None:
    """Test this on the page and in the API. Changes disappear once the reader has seen them."""
    address = reverse("guidelines", args=[collection.slug])
    text = "Outliers:\n- pages in other languages\n- pages <b>without</b> text\n\nNames are short.\n"
    guidelines.save_guidelines(collection=collection, text=text, base=0, user=owner)
    assert "Changes since" not in visit(reader).get(address).content.decode()
    guidelines.save_guidelines(
        collection=collection, text=f"{text.replace('other', 'unknown')}\nSplit late.", base=1, user=owner
    )
    found = news(collection, reader)
    assert (found.number, found.read, found.since) == (2, 1, 1)
    page = visit(reader).get(address).content.decode()
    assert "Changes since version 1, which you last read" in page
    assert "<del>other </del>" in page
    assert "<ins\n            >unknown </ins>" in page
    assert "&lt;b&gt;without" in page
    assert "Changes since" not in visit(reader).get(address).content.decode()
    assert news(collection, reader).lines == []
    assert news(collection, reader, 1).lines == found.lines


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\nb", "a\nb", []),
        ("a\nb", "a\nc d", ["  a", "- b", "+ c d"]),
        ("", "a", ["+ a"]),
        ("one two three", "one 2 three", ["~ one [-two ][+2 ]three"]),
        ("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6", ["⋯", "  5", "  6", "- 7"]),
    ],
)
def test_difference_is_shown_line_by_line(old: str, new: str, expected: list[str]) -> None:
    signs = {"same": "", "added": "+", "removed": "-"}

    def marked(line: Line) -> str:
        if len(line.parts) == 1:
            return f"{signs[line.parts[0].kind] or ' '} {line.parts[0].text}"
        return "~ " + "".join(f"[{signs[kind]}{text}]" if signs[kind] else text for kind, text in line.parts)

    assert [marked(line) if line.parts else "⋯" for line in difference(old, new)] == expected

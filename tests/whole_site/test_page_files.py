"""The files of pages: one view for all of them, and the links to them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import reverse

from common.page_files import PageFiles, file_links, page_file
from qc4.problems import InputError
from qc4.tables import Table
from work.answers import Pending

ASKED: list[tuple[str, str]] = []


def read(request: Any, slug: str) -> SimpleNamespace:
    ASKED.append(("read", slug))
    return SimpleNamespace(value=0.1 + 0.2)


def more(request: Any, slug: str) -> dict[str, float]:
    ASKED.append(("more", slug))
    return {"value": 1.0}


FILES = PageFiles(
    name="sample",
    route="c/<slug:slug>/sample",
    read=read,
    json=more,
    tables={
        "values": lambda found: Table([["=name", "value"], ["+1 & more", found.value], ["none", None]]),
        "text": lambda found: "a,b\n",
    },
    latex_table=lambda found: Table([["Name", "Value"], ["50 % & more", ".300"]], (1,), "Values.", ["How computed."]),
    pictures={"bars": lambda found: "<svg>bars</svg>", "Lines": lambda found: "<svg>lines</svg>"},
    permalink=lambda found: "/c/x/sample/?gold=1",
)


@pytest.fixture(autouse=True)
def nobody_asked() -> None:
    ASKED.clear()


def get(suffix: str, query: str = "", files: PageFiles[Any] = FILES) -> Any:
    return page_file(RequestFactory().get(f"/c/x/sample.{suffix}?{query}"), files, suffix, slug="x")


@pytest.mark.parametrize(
    ("suffix", "query", "kind", "name", "content"),
    [
        ("csv", "", "text/csv; charset=utf-8", "x-sample.csv",
         "'=name,value\n'+1 & more,0.30000000000000004\nnone,\n"),
        ("csv", "table=text", "text/csv; charset=utf-8", "x-sample-text.csv", "a,b\n"),
        ("svg", "", "image/svg+xml", "x-sample.svg", "<svg>bars</svg>"),
        ("svg", "picture=Lines", "image/svg+xml", "x-sample-lines.svg", "<svg>lines</svg>"),
    ],
)  # fmt: skip
def test_tables_and_pictures_are_files_to_save(suffix: str, query: str, kind: str, name: str, content: str) -> None:
    answer = get(suffix, query)
    assert answer["Content-Type"] == kind
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.content.decode() == content
    assert ASKED == [("read", "x")]


def test_latex_is_escaped_and_has_a_label_and_the_permalink() -> None:
    answer = get("tex")
    assert answer["Content-Type"] == "application/x-tex; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="x-sample.tex"'
    text = answer.content.decode()
    assert "% http://testserver/c/x/sample/?gold=1" in text
    assert r"\caption{Values.}\label{tab:x-sample}" in text
    assert r"50 \% \& more & .300 \\" in text


def test_json_is_shown_and_may_have_more_than_the_other_files() -> None:
    answer = get("json")
    assert answer["Content-Type"] == "application/json"
    assert "Content-Disposition" not in answer
    assert answer.content == b'{"value": 1.0}'
    assert ASKED == [("more", "x")]


@pytest.mark.parametrize(("suffix", "query"), [("csv", "table=pie"), ("svg", "picture=pie")])
def test_a_wrong_option_is_rejected_before_anything_is_read(suffix: str, query: str) -> None:
    with pytest.raises(InputError, match="pie"):
        get(suffix, query)
    assert ASKED == []


def test_json_by_default_has_what_was_read_and_a_long_document_comes_in_pieces() -> None:
    usual = replace(FILES, json=None, read=lambda _, slug: SimpleNamespace(to_dict=lambda: {"slug": slug}))
    assert get("json", files=usual).content == b'{"slug": "x"}'
    answer = get("json", files=replace(FILES, json=lambda _, slug: iter(["{", "}"]), saves_json=True))
    assert b"".join(answer.streaming_content) == b"{}"
    assert answer["Content-Disposition"] == 'attachment; filename="x-sample.json"'


@pytest.mark.parametrize("suffix", ["csv", "json", "tex", "svg"])
def test_a_file_that_is_still_computed_says_so(suffix: str) -> None:
    """The exception reaches the middleware, which answers 202."""

    def wait(*_: object, **__: object) -> Any:
        raise Pending

    with pytest.raises(Pending):
        get(suffix, files=replace(FILES, read=wait, json=None))


def test_urls_are_the_pages_with_a_suffix() -> None:
    for name, args in (
        ("leaderboard", ["x"]),
        ("heat-map", ["x"]),
        ("gold-ranks", ["x", 2]),
        ("model-selection", ["x"]),
    ):
        page = reverse(name, args=args)
        for url, _ in file_links(name, "", (), *args):
            assert url.rpartition(".")[0] == page.rstrip("/")


def test_the_menu_of_a_page_follows_from_its_registration() -> None:
    assert [words for _, words in file_links("heat-map", "?rows=spread", (), "x")] == ["CSV", "JSON", "LaTeX", "SVG"]
    wanted = ("behind.svg", "systems.csv")
    assert file_links("compare", "?sort=qc4_f&queries=a,b", wanted, "x") == [
        ("/c/x/compare.svg?sort=qc4_f&queries=a,b&picture=behind", "SVG of the distances behind the best"),
        ("/c/x/compare.csv?sort=qc4_f&queries=a,b&table=systems", "CSV of the means"),
    ]
    tag = '{% load site %}{% page_files "trade-off" query "x" of="A.svg" css="btn" %}'
    page = Template(tag).render(Context({"query": '?query="<i>&rows=1'}))
    assert page == '<a class="btn" href="/c/x/trade-off.svg?query=%22%3Ci%3E&amp;rows=1&amp;figure=A">SVG</a>'

"""The behaviour study in the browser: the tables, the cases behind every mark, the files."""

from __future__ import annotations

import csv
import json
import re
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.study import selectors as selector
from qc4.measures.registry import REGISTRY
from studies.behaviour import GROUPS
from tests.profiles import thorough

pytestmark = pytest.mark.django_db
CASES = [(group.key, case.key) for group in GROUPS for case in group.cases]


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@thorough("every mark of the study")
def test_every_mark_links_to_a_page(client: Client) -> None:
    page = text(client, reverse("study"))
    links = set(re.findall(r'href="(/study/[^"#]+)"', page))
    columns = {link for link in links if "/split-cluster/?" in link}
    assert len(columns) == 13 + len(selector.other_rows())
    for link in columns:
        assert client.get(link).status_code == 200, link


def test_table_1_is_compared_with_the_paper_cell_by_cell() -> None:
    rows = selector.group_rows("table 1")
    marks = [mark for row in rows for mark in row.marks]
    assert len(rows) == 8
    assert len(marks) == 8 * 13
    differing = [(mark.group, mark.column) for mark in marks if mark.agrees is False]
    assert differing == [(cell.group, cell.column) for cell in selector.study().differing]


def test_cells_that_differ_are_explained_on_the_page(client: Client) -> None:
    page = text(client, reverse("study"))
    assert page.count("<sup>≠</sup>") == len(selector.study().differing) > 0
    for cell in selector.study().differing:
        assert cell.explanation
        assert cell.explanation[:25] in page


def test_limits_of_qc4_have_a_table_with_explanations(client: Client) -> None:
    page = text(client, reverse("study"))
    limits = page[page.index('id="limits"') : page.index('id="others"')]
    for case in (case for group in GROUPS if group.origin == "limits" for case in group.cases):
        assert case.title in limits
    assert selector.limit_rows()[0].marks[0].status == "failed"


def test_every_column_of_the_study_is_in_one_of_the_tables() -> None:
    merged = selector.other_rows()
    separate = [row for level in selector.LEVELS for row in selector.other_rows(level=level)]
    others = [column.key for column in selector.study().columns if not column.paper]
    assert sorted(row.key for row in separate) == sorted(others)
    assert {row.key for row in merged} <= set(others)


def test_a_family_shows_its_own_rows(client: Client) -> None:
    families = [key for key, _ in selector.families()]
    assert selector.PAIRS in families
    for family in families:
        page = text(client, reverse("study") + f"?family={family}")
        rows = selector.other_rows(family)
        assert rows, family
        assert f"{len(rows)} row" in page
        if family != selector.PAIRS:
            assert {REGISTRY.get(row.key.split("@")[0]).family for row in rows} == {family}


def test_choice_without_rows_shows_a_message_and_unknown_choices_are_ignored(client: Client) -> None:
    assert "No matching rows" in text(client, reverse("study") + "?family=qc4&level=finest")
    everything = f"{len(selector.other_rows())} rows"
    assert everything in text(client, reverse("study") + "?family=nonsense&level=7")


@pytest.mark.parametrize("group", [group.key for group in GROUPS])
def test_group_shows_its_cases_as_text_and_pictures(client: Client, group: str) -> None:
    page = text(client, reverse("study-group", args=[group]))
    found = next(one for one in GROUPS if one.key == group)
    for case in found.cases:
        assert f'id="{case.key}"' in page
        assert reverse("study-case", args=[group, case.key]) in page
        for clustering in case.clusterings:
            assert f"“{clustering.key}”" in page
    assert '<svg class="pages"' in page


@pytest.mark.parametrize(("group", "case"), CASES)
def test_a_picture_has_a_square_for_every_page(client: Client, group: str, case: str) -> None:
    page = text(client, reverse("study-case", args=[group, case]))
    found = next(one for one in GROUPS if one.key == group)
    chosen = next(one for one in found.cases if one.key == case)
    gold = page.split("<h3>")[1]
    assert gold.count("<text") == sum(len(topic.pages) for topic in chosen.topics)
    assert "style=" not in page
    for column in selector.study().columns:
        assert f"?column={quote(column.key, safe='')}" in page


def test_case_shows_the_reasons_of_its_verdict(client: Client) -> None:
    page = text(client, reverse("study-case", args=["split-cluster", "split-all"]) + "?column=AP")
    verdict = next(
        verdict for verdict in selector.study().cell("split-cluster", "AP").verdicts if verdict.case == "split-all"
    )
    assert verdict.status == "failed"
    for reason in verdict.reasons:
        assert reason in page


def test_undefined_score_has_a_reason(client: Client) -> None:
    address = reverse("study-group", args=["overlapping-clusters"]) + "?column=ari%40coarsest"
    assert "no value" in text(client, address)
    reason = selector.study().cell("overlapping-clusters", "ari@coarsest").verdicts[0].reasons[0]
    assert reason in text(client, address)


@pytest.mark.parametrize(
    "address",
    [
        "/study/nothing/",
        "/study/split-cluster/nothing/",
        "/study/split-cluster/overlap-windows/",
        "/study/split-cluster/?column=nothing",
    ],
)
def test_unknown_groups_cases_and_columns_return_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_files_contain_every_verdict(client: Client) -> None:
    answer = client.get(reverse("study-csv"))
    rows = list(csv.DictReader(answer.content.decode().splitlines()))
    verdicts = {(row["case"], row["column"]): row["verdict"] for row in rows}
    whole = json.loads(client.get(reverse("study-json")).content)
    found = {(one["case"], one["column"]): one["status"] for cell in whole["cells"] for one in cell["verdicts"]}
    assert verdicts == found
    assert all(bool(row["value"]) != bool(row["undefined"]) for row in rows)
    assert "attachment" in answer["Content-Disposition"]


def test_study_is_loaded_once_for_many_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    text(client, reverse("study"))

    def again() -> None:
        raise AssertionError("the study ran again")

    monkeypatch.setattr(selector, "stored_study", again)
    text(client, reverse("study"))
    text(client, reverse("study-group", args=["rag-bag"]))


def test_rows_for_a_measure() -> None:
    both = selector.rows_for("ari")
    assert [row.key for row in both] == ["ari@coarsest", "ari@finest"]
    assert selector.rows_for("f")[0].title == "F, all topics"
    assert selector.rows_for("qc4_f")[0].key == "qc4_f@whole"
    assert selector.rows_for("silhouette") == []


def test_component_where_lower_is_better_is_marked(client: Client) -> None:
    address = reverse("study-case", args=["random-clustering", "random-drawn"])
    assert "quality ↓" in text(client, address + "?column=AE")
    assert "· quality <b>" in text(client, address + "?column=AP")

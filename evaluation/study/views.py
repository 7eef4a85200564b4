"""The behaviour study: the tables, a group, a case, and the whole study as files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from common.page_files import PageFiles
from evaluation.study import selectors
from evaluation.study.case import case_view
from studies.behaviour import StudyColumn, StudyGroup


@require_safe
def study(request: HttpRequest) -> HttpResponse:
    """Show Table 1 and our differences, Amigó's constraints, QC4's limits, and every other measure."""
    found = selectors.study()
    families = selectors.families()
    family = _chosen(request, "family", dict(families))
    level = _chosen(request, "level", selectors.LEVELS)
    return render(
        request,
        "study/study.html",
        {
            "study": found,
            "columns": selectors.paper_columns(),
            "table": selectors.group_rows("table 1"),
            "constraints": selectors.group_rows("amigó"),
            "limits": selectors.limit_rows(),
            "others": selectors.other_rows(family, level),
            "groups": selectors.numbered_groups(),
            "titles": {group.key: group.title for group in found.groups},
            "agreeing": len(found.compared) - len(found.differing),
            "families": families,
            "family": family,
            "levels": selectors.LEVELS.items(),
            "level": level,
        },
    )


@require_safe
def group(request: HttpRequest, group: str) -> HttpResponse:
    """Show the cases of one group as judged by one column."""
    found, column = _group(group), _column(request)
    views = [case_view(found, case, column) for case in found.cases]
    return render(request, "study/group.html", {"group": found, "views": views, **_around(found, column)})


@require_safe
def case(request: HttpRequest, group: str, case: str) -> HttpResponse:
    """Show one case and the verdict of every column."""
    found, column = _group(group), _column(request)
    chosen = next((one for one in found.cases if one.key == case), None)
    if chosen is None:
        raise Http404(f"The group {group} has no case {case}.")
    view = case_view(found, chosen, column, with_others=True)
    return render(request, "study/case.html", {"group": found, "view": view, **_around(found, column)})


FILES = PageFiles(
    name="study",
    route="study/study",
    file_name="behaviour-study",
    read=lambda _: selectors.study(),
    tables={"scores": lambda _: selectors.as_csv()},
    json=lambda _: selectors.as_json(),
    saves_json=True,
)


def _chosen(request: HttpRequest, name: str, choices: dict[str, str]) -> str:
    """A choice in the query string; empty if it does not exist."""
    value = request.GET.get(name, "")
    return value if value in choices else ""


def _group(key: str) -> StudyGroup:
    for found in selectors.study().groups:
        if found.key == key:
            return found
    raise Http404(f"The study has no group {key}.")


def _column(request: HttpRequest) -> StudyColumn:
    key = request.GET.get("column", "QC4")
    for found in selectors.study().columns:
        if found.key == key:
            return found
    raise Http404("The study has no such column.")


def _around(group: StudyGroup, column: StudyColumn) -> dict[str, object]:
    """Context that the pages of groups and cases share: the chosen column, its cell, all columns, the neighbours."""
    found = selectors.study()
    at = found.groups.index(group)
    return {
        "column": column,
        "cell": found.cell(group.key, column.key),
        "words": selectors.WORDS,
        "all_columns": [
            ("Table 1", selectors.paper_columns()),
            ("Every other measure", [one for one in found.columns if not one.paper]),
        ],
        "number": at + 1,
        "before": found.groups[at - 1] if at else None,
        "after": found.groups[at + 1] if at + 1 < len(found.groups) else None,
    }

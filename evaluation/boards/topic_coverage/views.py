"""Topic coverage: the page and its files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.options_form import read_or_default, spelled_out
from evaluation.boards.topic_coverage.selectors import FATES, TopicGroup, TopicRow, TopicsFound, find_topics
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.scoring.options import BoardOptions, url_query
from evaluation.scoring.scores import ScoredQuery, names_in_files
from qc4.stats import number
from qc4.stats.pictures import Style, shares_picture
from qc4.tables import Table

TABLE_QUERIES = 40
"""Queries on one page of the table by query; the files have all."""


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; if the URL has invalid options, it reports them above the best algorithms."""
    collection = get_collection(request.user, slug)

    found, problems = read_or_default(
        lambda given: find_topics(collection, request.user, BoardOptions.of_one_measure(given)), request.GET
    )
    table = Paginator(range(len(found.selection.queries)), TABLE_QUERIES).get_page(request.GET.get("page"))
    context = {
        "collection": collection,
        "found": found,
        "fates": FATES,
        "marks": marks(collection),
        "chooser": options_form.chooser(found.selection.choice, options_form.gold(found.selection)),
        "scoring": options_form.scoring(request.user, found.selection, "topic-coverage"),
        "problems": problems,
        "address": url_query(spelled_out(found.selection)),
        "depths": sorted({group.name for row in found.rows for group in row.depths}),
        "by_depth": _by_depth(found),
        "table": table,
        "by_query": _by_query(found, table.object_list),
        "picture": _picture(found, "page") if found.rows else "",
        "trail": trail(collection, ("topic coverage", "")),
    }
    return render(request, "boards/topic_coverage.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> TopicsFound:
    return find_topics(get_collection(request.user, slug), request.user, BoardOptions.of_one_measure(request.GET))


def _table(found: TopicsFound) -> Table:
    """Return a row per algorithm and group of topics: all, by level, by size and by query."""
    names = names_in_files(found.selection.queries)
    head = ["algorithm", "submission", "by", "group", "topics", *FATES, "coverage"]
    rows = (
        [
            row.entry.algorithm.name,
            row.entry.submission.pk,
            kind,
            names[group.name] if kind == "query" else group.name,
            group.topics,
            *group.counts,
            group.coverage,
        ]
        for row in found.rows
        for kind, groups in _groups(row)
        for group in groups
    )
    return Table(chain([head], rows))


def _paper(found: TopicsFound) -> Table:
    head = ["Algorithm", *(fate.capitalize() for fate in FATES), "Topics", "Mean coverage"]
    rows = ([row.entry.algorithm.name, *row.all.counts, row.all.topics, number(row.all.coverage)] for row in found.rows)
    title = f"Topic coverage on {found.selection.collection.name}."
    return Table([head, *rows], range(1, len(head)), title, [found.methods])


def _picture(found: TopicsFound, style: Style = "paper") -> str:
    topics = found.rows[0].all.topics if found.rows else 0
    rows = [(row.entry.algorithm.name, row.all.counts) for row in found.rows]
    return shares_picture(f"Coverage of {topics:,} topics", list(FATES), rows, style)


FILES = PageFiles(
    name="topic-coverage",
    route="c/<slug:slug>/topics",
    read=_read,
    tables={"topics": _table},
    latex_table=_paper,
    pictures={"shares": _picture},
    cost=Cost.ANSWERS,
)


def _groups(row: TopicRow) -> list[tuple[str, tuple[TopicGroup, ...]]]:
    return [("all", (row.all,)), ("level", row.depths), ("size", row.sizes), ("query", row.queries)]


def _by_query(found: TopicsFound, places: Iterable[int]) -> list[tuple[ScoredQuery, list[TopicGroup]]]:
    """Return the queries at these indices, each with its group of topics for every algorithm."""
    return [(found.selection.queries[place], [row.queries[place] for row in found.rows]) for place in places]


def _by_depth(found: TopicsFound) -> list[tuple[TopicRow, list[TopicGroup | None]]]:
    names = sorted({group.name for row in found.rows for group in row.depths})
    lines = []
    for row in found.rows:
        of = {group.name: group for group in row.depths}
        lines.append((row, [of.get(name) for name in names]))
    return lines

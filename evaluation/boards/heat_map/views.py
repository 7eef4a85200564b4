"""The heat map as a page and as files; every option is in the URL."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.heat_map.files import paper, scores_csv, script_data
from evaluation.boards.heat_map.picture import heat_picture
from evaluation.boards.heat_map.selectors import ROWS, HeatMap, heat_map_for_parameters
from evaluation.boards.options_form import read_or_default, spelled_out
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.scoring.options import url_query

TABLE_QUERIES, TABLE_CELLS = 20, 2_000
"""Most queries and most cells on one page of the table: with very many algorithms, a page has fewer queries."""


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the heat map; if the URL has invalid options, the page reports them above the default map."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: heat_map_for_parameters(collection, request.user, given), request.GET
    )
    of_algorithm, here = marks(collection), url_query(spelled_out(found.selection))
    per_page = max(1, min(TABLE_QUERIES, TABLE_CELLS // max(1, len(found.algorithms))))
    context = {
        "collection": collection,
        "map": found,
        "marks": of_algorithm,
        "drawn": script_data(found, of_algorithm),
        "table": Paginator(found.queries, per_page).get_page(request.GET.get("page")),
        "orders": ROWS,
        "chooser": _chooser(found),
        "scoring": options_form.scoring(request.user, found.selection, "heat-map"),
        "address": here,
        "here": f"{here}&rows={found.order}",
        "problems": problems,
        "trail": trail(collection, ("heat map", "")),
    }
    return render(request, "boards/heat_map.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> HeatMap:
    """Return the heat map for a URL; raise InputError with every invalid option."""
    return heat_map_for_parameters(get_collection(request.user, slug), request.user, request.GET)


FILES = PageFiles(
    name="heat-map",
    route="c/<slug:slug>/heat-map",
    read=_read,
    tables={"scores": scores_csv},
    latex_table=paper,
    pictures={"map": heat_picture},
    cost=Cost.COMPUTES,
)


def _chooser(found: HeatMap) -> options_form.Chooser:
    of = found.selection
    rows = options_form.select_field("rows", "Queries", ROWS, found.order)
    own = options_form.places(of, "the measure's own")
    return options_form.chooser(
        of.choice, options_form.measure(of), rows, *own, options_form.gold(of), options_form.missing(of)
    )

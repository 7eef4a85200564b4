"""Quality against coverage and the paper's Fig. 1 as a page and as files; every option is in the URL."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.options_form import read_or_default
from evaluation.boards.trade_off.files import full_table, paper
from evaluation.boards.trade_off.pictures import figure_picture, scatter_picture
from evaluation.boards.trade_off.selectors import FIGURES, WEIGHTS, Figure, TradeOff, trade_off_for_parameters
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.scoring.options import url_query


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the charts; if the URL has invalid options, the page reports them above the default charts."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: trade_off_for_parameters(collection, request.user, given), request.GET
    )
    here = url_query(found.choice, gold=found.version.number if found.version else None)
    of_algorithm = marks(collection)
    context = {
        "collection": collection,
        "found": found,
        "marks": of_algorithm,
        "scatter": scatter_picture(found, of_algorithm, "page"),
        "figures": [
            (
                figure,
                figure_picture(found, figure, of_algorithm, "page"),
                found.caption(figure),
                _table(found, figure.key),
            )
            for figure in FIGURES
        ],
        "weights": WEIGHTS[found.weights],
        "chooser": _chooser(found),
        "scoring": options_form.scoring(request.user, found.selection, "trade-off"),
        "address": here,
        "here": f"{here}&weights={found.weights}",
        "problems": problems,
        "trail": trail(collection, ("quality and coverage", "")),
    }
    return render(request, "boards/trade_off.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> TradeOff:
    """Return the charts for a URL; raise InputError with every invalid option."""
    return trade_off_for_parameters(get_collection(request.user, slug), request.user, request.GET)


def _scatter(found: TradeOff) -> str:
    return scatter_picture(found, marks(found.collection))


def _figure(figure: Figure, found: TradeOff) -> str:
    return figure_picture(found, figure, marks(found.collection))


FILES = PageFiles(
    name="trade-off",
    route="c/<slug:slug>/trade-off",
    read=_read,
    tables={"means": full_table},
    latex_table=paper,
    pictures={"scatter": _scatter, **{figure.key: partial(_figure, figure) for figure in FIGURES}},
    picture_option="figure",
    names_default=True,
    cost=Cost.ANSWERS,
)


def _chooser(found: TradeOff) -> options_form.Chooser:
    of = found.selection
    weights = options_form.select_field("weights", "Clusters and topics", WEIGHTS, found.weights)
    return options_form.chooser(
        of.choice, weights, *options_form.places(of), options_form.gold(of), options_form.missing(of)
    )


def _table(found: TradeOff, figure: str) -> list[tuple[object, list[object]]]:
    return [(row, [bar for bar in row.bars if bar.figure == figure]) for row in found.rows]

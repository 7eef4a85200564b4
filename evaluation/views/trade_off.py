"""Quality against coverage, and the paper's Fig. 1, as a page and as files; every choice is in the address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.selectors.choice import one_option
from evaluation.selectors.marks import marks
from evaluation.selectors.trade_off import FIGURES, WEIGHTS, TradeOff, of_parameters
from evaluation.selectors.trade_off_files import latex, lines
from evaluation.selectors.trade_off_pictures import PICTURES, pictures
from evaluation.views import chooser
from evaluation.views.choices import address, read_or_default
from evaluation.views.papers import csv_file, json_file, latex_file, svg_file
from evaluation.views.trails import trail


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The charts for people. A choice that does not exist is said on the page, above the default charts."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(lambda given: of_parameters(collection, request.user, given), request.GET)
    here = address(found.choice, gold=found.version.number if found.version else None)
    of_algorithm = marks(collection)
    drawn = pictures(found, of_algorithm, "page")
    context = {
        "collection": collection,
        "found": found,
        "marks": of_algorithm,
        "scatter": drawn["scatter"],
        "figures": [
            (figure, drawn[figure.key], found.caption(figure), _table(found, figure.key)) for figure in FIGURES
        ],
        "weights": WEIGHTS[found.weights],
        "chooser": _chooser(found),
        "scoring": chooser.scoring(request.user, found.selection, "trade-off"),
        "address": here,
        "here": f"{here}&weights={found.weights}",
        "problems": problems,
        "trail": trail(collection, ("quality and coverage", "")),
    }
    return render(request, "boards/trade_off.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Every algorithm with its means and bars."""
    return json_file(_read(request, slug))


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """A row per algorithm."""
    return csv_file(f"{slug}-trade-off", *lines(_read(request, slug)))


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The numbers as a table for booktabs."""
    return latex_file(f"{slug}-trade-off", latex(_read(request, slug)))


@require_safe
def as_svg(request: HttpRequest, slug: str) -> HttpResponse:
    """One of the pictures: ``?figure=scatter`` (the default), A, B or C."""
    figure = one_option(request.GET, "figure", PICTURES, "unknown-figure")
    found = _read(request, slug)
    drawn = pictures(found, marks(found.collection), "paper")
    return svg_file(f"{slug}-trade-off-{figure.lower()}", drawn[figure])


def _read(request: HttpRequest, slug: str) -> TradeOff:
    """What an address asks for; InputError names every choice that does not exist."""
    return of_parameters(get_collection(request.user, slug), request.user, request.GET)


def _chooser(found: TradeOff) -> chooser.Chooser:
    of = found.selection
    weights = chooser.one_of("weights", "Clusters and topics", WEIGHTS, found.weights)
    return chooser.chooser(of.choice, weights, *chooser.places(of), chooser.gold(of), chooser.missing(of))


def _table(found: TradeOff, figure: str) -> list[tuple[object, list[object]]]:
    return [(row, [bar for bar in row.bars if bar.figure == figure]) for row in found.rows]

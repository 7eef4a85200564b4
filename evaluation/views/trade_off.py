"""Quality against coverage, and the paper's Fig. 1, as a page and as files; every choice is in the address."""

from __future__ import annotations

import csv

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.selectors.choice import MISSING_RULES
from evaluation.selectors.marks import marks
from evaluation.selectors.trade_off import FIGURES, WEIGHTS, TradeOff, trade_off
from evaluation.selectors.trade_off_files import latex, lines
from evaluation.selectors.trade_off_pictures import pictures
from evaluation.services.standings import keep
from evaluation.views.choices import address
from evaluation.views.downloads import attachment
from evaluation.views.trails import trail
from qc4.problems import InputError, Problem

PICKED = {"level", "gold", "missing"}


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The charts for people. A choice that does not exist is said on the page, above the default charts."""
    collection = get_collection(request.user, slug)
    problems: tuple[Problem, ...] = ()
    wait = "wait" in request.GET
    try:
        found = trade_off(collection, request.user, request.GET, keep=keep, wait=wait)
    except InputError as error:
        problems, found = error.problems, trade_off(collection, request.user, QueryDict(), keep=keep, wait=wait)
    here = address(found.choice, gold=found.version.number if found.version else None)
    drawn = pictures(found, marks(collection), "page")
    context = {
        "collection": collection,
        "found": found,
        "marks": marks(collection),
        "scatter": _trusted(drawn["scatter"]),
        "figures": [
            (figure, _trusted(drawn[figure.key]), found.caption(figure), _table(found, figure.key))
            for figure in FIGURES
        ],
        "versions": collection.gold_versions.all(),
        "weights": WEIGHTS,
        "rules": MISSING_RULES,
        "kept": [
            (name, one) for name, values in found.choice.parameters().items() if name not in PICKED for one in values
        ],
        "address": here,
        "here": f"{here}&weights={found.weights}",
        "problems": [problem.to_dict() for problem in problems],
        "trail": trail(collection, ("quality and coverage", "")),
    }
    return render(request, "boards/trade_off.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Every algorithm with its means, intervals and bars."""
    return JsonResponse(_read(request, slug).to_dict(), json_dumps_params={"indent": 2})


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """A row per algorithm."""
    found = _read(request, slug)
    response = attachment(b"", f"{slug}-trade-off.csv", "text/csv; charset=utf-8")
    csv.writer(response).writerows(lines(found))
    return response


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The numbers as a table for booktabs."""
    return attachment(latex(_read(request, slug)).encode(), f"{slug}-trade-off.tex", "text/plain; charset=utf-8")


@require_safe
def as_svg(request: HttpRequest, slug: str) -> HttpResponse:
    """One of the pictures: ``?figure=scatter`` (the default), A, B or C."""
    found = _read(request, slug)
    drawn = pictures(found, marks(found.collection), "paper")
    figure = request.GET.get("figure") or "scatter"
    if figure not in drawn:
        raise InputError([Problem("unknown-figure", "figure", repr(figure[:40]), f"one of {', '.join(drawn)}")])
    return attachment(drawn[figure].encode(), f"{slug}-trade-off-{figure.lower()}.svg", "image/svg+xml")


def _read(request: HttpRequest, slug: str) -> TradeOff:
    """What an address asks for; InputError names every choice that does not exist."""
    return trade_off(get_collection(request.user, slug), request.user, request.GET, keep=keep)


def _table(found: TradeOff, figure: str) -> list[tuple[object, list[object]]]:
    return [(row, [bar for bar in row.bars if bar.figure == figure]) for row in found.rows]


def _trusted(svg: str) -> SafeString:
    """A picture of ours: `qc4.comparison.pictures.canvas` escapes all text in it."""
    return mark_safe(svg)  # noqa: S308

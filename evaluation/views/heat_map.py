"""Queries x algorithms as a page and as files; every choice is in the address."""

from __future__ import annotations

import csv

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.selectors.choice import MISSING_RULES
from evaluation.selectors.heat_files import drawn, latex, lines
from evaluation.selectors.heat_map import ROWS, HeatMap, of_parameters, spelled_out
from evaluation.selectors.heat_picture import heat_picture
from evaluation.selectors.marks import marks
from evaluation.selectors.presets import offered
from evaluation.selectors.vectors import has_scores_on_vectors
from evaluation.views.choices import address
from evaluation.views.downloads import attachment
from evaluation.views.trails import trail
from qc4.measures.scoring import FROM_FILES, WITH_VECTORS
from qc4.problems import InputError, Problem

TABLE_QUERIES, TABLE_CELLS = 20, 2_000
"""On a page of the table; with very many algorithms fewer queries."""
PICKED = {"sort", "rows", "level", "gold", "missing"}


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The map for people. A choice that does not exist is said on the page, above the default map."""
    collection = get_collection(request.user, slug)
    problems: tuple[Problem, ...] = ()
    try:
        found = of_parameters(collection, request.user, request.GET)
    except InputError as error:
        problems, found = error.problems, of_parameters(collection, request.user, QueryDict())
    choice, of_algorithm = spelled_out(found), marks(collection)
    per_page = max(1, min(TABLE_QUERIES, TABLE_CELLS // max(1, len(found.algorithms))))
    here = address(choice)
    context = {
        "collection": collection,
        "map": found,
        "marks": of_algorithm,
        "drawn": drawn(found, of_algorithm),
        "table": Paginator(found.queries, per_page).get_page(request.GET.get("page")),
        "families": offered(WITH_VECTORS if has_scores_on_vectors(collection) else FROM_FILES),
        "versions": collection.gold_versions.all(),
        "orders": ROWS,
        "rules": MISSING_RULES,
        "kept": [(name, one) for name, values in choice.parameters().items() if name not in PICKED for one in values],
        "address": here,
        "here": f"{here}&rows={found.order}",
        "problems": [problem.to_dict() for problem in problems],
        "trail": trail(collection, ("heat map", "")),
    }
    return render(request, "boards/heat_map.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Every value, and why there is none."""
    return JsonResponse(_read(request, slug).to_dict())


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """A row per query, a column per algorithm: what `qc4 compare` reads."""
    found = _read(request, slug)
    response = attachment(b"", f"{slug}-heat-map.csv", "text/csv; charset=utf-8")
    csv.writer(response).writerows(lines(found))
    return response


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The numbers as a table for booktabs."""
    return attachment(latex(_read(request, slug)).encode(), f"{slug}-heat-map.tex", "text/plain; charset=utf-8")


@require_safe
def as_svg(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole map as a picture."""
    return attachment(heat_picture(_read(request, slug)).encode(), f"{slug}-heat-map.svg", "image/svg+xml")


def _read(request: HttpRequest, slug: str) -> HeatMap:
    """The map an address asks for; InputError names every choice that does not exist."""
    return of_parameters(get_collection(request.user, slug), request.user, request.GET)

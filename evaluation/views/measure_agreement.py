"""Measures against measures: the page and its files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.limits import LISTED_CONTRADICTIONS
from evaluation.selectors.choice import Choice, one_option
from evaluation.selectors.entries import CALLED
from evaluation.selectors.measure_agreement import DEFAULT_MEASURES, MeasuresCompared, compare_chosen_measures
from evaluation.views import chooser
from evaluation.views.choices import address, read_or_default, spelled_out
from evaluation.views.papers import csv_file, json_file, latex_file, svg_file
from evaluation.views.trails import trail
from qc4.comparison import MeasureAgreement, number
from qc4.comparison.pictures import discriminative_power_picture, measures_picture
from qc4.formats.latex import escaped, latex_number, latex_table
from qc4.problems import InputError, Problem

AGREEMENT, POWER, CONTRADICTIONS = "agreement", "power", "contradictions"
"""What ``?table=`` and, but for contradictions, ``?picture=`` may ask for."""


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """For people. A choice that does not exist is said on the page, above the default measures."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: compare_chosen_measures(collection, request.user, Choice.read(given)),
        request.GET,
    )
    choice = spelled_out(found.selection)
    context = {
        "collection": collection,
        "found": found,
        "chooser": _chooser(found),
        "scoring": chooser.scoring(request.user, found.selection, "measures-compared"),
        "problems": problems,
        "address": address(choice),
        "with_all": address(choice, measures=DEFAULT_MEASURES),
        "trail": trail(collection, ("measures against measures", "")),
    }
    if found.result is not None:
        context |= {
            "matrix": [
                (column, [_of_pair(found, column.key, other.key) for other in found.columns])
                for column in found.columns
            ],
            "powers": sorted(
                ((column, found.result.power[column.key]) for column in found.columns), key=lambda one: -(one[1] or 0.0)
            ),
            "curves": discriminative_power_picture(found.result, "page", CALLED, found.titles),
            "contradictions": _linked(found, choice),
            "more": max(0, len(found.contradicted) - LISTED_CONTRADICTIONS),
        }
    return render(request, "boards/measures.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    return json_file(_read(request, slug))


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """A line per pair of measures; ``?table=power`` a line per measure, ``?table=contradictions`` one per pair of
    algorithms."""
    name, table = f"{slug}-measures", one_option(request.GET, "table", (AGREEMENT, POWER, CONTRADICTIONS))
    found = _read(request, slug)
    if table == POWER:
        power = found.result.power if found.result else {}
        pairs = found.result.pairs if found.result else 0
        rows = (
            [column.key, column.level, column.depth or "", power.get(column.key), pairs] for column in found.columns
        )
        return csv_file(f"{name}-power", ["measure", "level", "depth", "power", "pairs"], rows)
    if table == CONTRADICTIONS:
        lines = ([one.a, one.b, " ".join(one.by_a), " ".join(one.by_b)] for one in found.contradicted)
        head = ["a", "b", "a_better_by", "b_better_by"]
        return csv_file(f"{name}-contradictions", head, lines)
    agreements = found.result.agreements if found.result else ()
    head = ["one", "other", "tau", "low", "high", "contradictions", "queries", "algorithms"]
    sizes = [found.result.queries, len(found.result.systems)] if found.result else []
    return csv_file(
        name,
        head,
        ([one.one, one.other, one.tau, one.low, one.high, len(one.contradictions), *sizes] for one in agreements),
    )


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The upper half of the matrix, and discriminative power."""
    found = _read(request, slug)
    titles = [escaped(column.measure.title) for column in found.columns]
    rows = []
    for place, column in enumerate(found.columns):
        cells = [
            _latex_cell(_of_pair(found, column.key, other.key)) if at > place else ""
            for at, other in enumerate(found.columns)
        ]
        power = found.result.power[column.key] if found.result else None
        rows.append([titles[place], *cells[1:], number(power, 2).replace("–", "--")])
    table = latex_table(["", *titles[1:], "Power"], rows, "l" + "r" * len(titles), found.methods or found.note)
    return latex_file(f"{slug}-measures", table)


@require_safe
def as_svg(request: HttpRequest, slug: str) -> HttpResponse:
    """The matrix; ``?picture=power`` the curves of p."""
    picture = one_option(request.GET, "picture", (AGREEMENT, POWER))
    found = _read(request, slug)
    if found.result is None:
        raise InputError(
            [Problem("nothing-to-draw", "measures", found.note, "two measures and two algorithms or more")]
        )
    if picture == POWER:
        return svg_file(
            f"{slug}-measures-power", discriminative_power_picture(found.result, called=CALLED, titles=found.titles)
        )
    return svg_file(f"{slug}-measures", measures_picture(found.result, found.titles, called=CALLED))


def _read(request: HttpRequest, slug: str) -> MeasuresCompared:
    collection = get_collection(request.user, slug)
    return compare_chosen_measures(collection, request.user, Choice.read(request.GET))


def _chooser(found: MeasuresCompared) -> chooser.Chooser:
    of = found.selection
    fields = (*chooser.places(of), chooser.gold(of), chooser.missing(of), chooser.procedure(of.choice))
    return chooser.chooser(of.choice, *fields, measures=chooser.measure_menu(of, spelled_out(of)))


def _of_pair(found: MeasuresCompared, one: str, other: str) -> MeasureAgreement | None:
    return None if one == other or found.result is None else found.result.agreement(one, other)


def _latex_cell(one: MeasureAgreement | None) -> str:
    return "" if one is None else latex_number(number(one.tau, 2))


def _linked(found: MeasuresCompared, choice: Choice) -> list[dict[str, object]]:
    """The first contradictions, each measure with the address of the comparison by it."""
    lines: list[dict[str, object]] = []
    for pair in found.contradicted[:LISTED_CONTRADICTIONS]:
        ids = tuple(found.algorithms[name].pk for name in (pair.a, pair.b))
        sides = (
            [(found.titles[key], address(choice, algorithms=ids, sort=key)) for key in keys]
            for keys in (pair.by_a, pair.by_b)
        )
        lines.append({"a": pair.a, "b": pair.b, "sides": tuple(sides)})
    return lines

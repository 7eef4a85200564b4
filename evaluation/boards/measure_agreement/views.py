"""Measures against measures: the page and its files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.measure_agreement.selectors import (
    DEFAULT_MEASURES,
    MeasuresCompared,
    compare_chosen_measures,
)
from evaluation.boards.options_form import read_or_default, spelled_out
from evaluation.breadcrumbs import trail
from evaluation.limits import LISTED_CONTRADICTIONS
from evaluation.ranking.entries import SYSTEM_WORD
from evaluation.scoring.options import BoardOptions, url_query
from qc4.problems import InputError, Problem
from qc4.stats import MeasureAgreement, MeasureComparison, number
from qc4.stats.pictures import discriminative_power_picture, measures_picture
from qc4.tables import Table


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; if the URL has invalid options, it reports them above the default measures."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: compare_chosen_measures(collection, request.user, BoardOptions.read(given)),
        request.GET,
    )
    choice = spelled_out(found.selection)
    context = {
        "collection": collection,
        "found": found,
        "chooser": _chooser(found),
        "scoring": options_form.scoring(request.user, found.selection, "measures-compared"),
        "problems": problems,
        "address": url_query(choice),
        "with_all": url_query(choice, measures=DEFAULT_MEASURES),
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
            "curves": discriminative_power_picture(found.result, "page", SYSTEM_WORD, found.titles),
            "contradictions": _linked(found, choice),
            "more": max(0, len(found.contradicted) - LISTED_CONTRADICTIONS),
        }
    return render(request, "boards/measure_agreement.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> MeasuresCompared:
    collection = get_collection(request.user, slug)
    return compare_chosen_measures(collection, request.user, BoardOptions.read(request.GET))


def _agreements(found: MeasuresCompared) -> Table:
    """Return a row per pair of measures."""
    head = ["one", "other", "tau", "low", "high", "contradictions", "queries", "algorithms"]
    if found.result is None:
        return Table([head])
    sizes = [found.result.queries, len(found.result.systems)]
    return Table(
        [
            head,
            *(
                [one.one, one.other, one.tau, one.low, one.high, len(one.contradictions), *sizes]
                for one in found.result.agreements
            ),
        ]
    )


def _power(found: MeasuresCompared) -> Table:
    """Return a row per measure."""
    power, pairs = (found.result.power, found.result.pairs) if found.result else ({}, 0)
    rows = ([column.key, column.level, column.depth or "", power.get(column.key), pairs] for column in found.columns)
    return Table([["measure", "level", "depth", "power", "pairs"], *rows])


def _contradictions(found: MeasuresCompared) -> Table:
    """Return a row per pair of algorithms."""
    rows = ([one.a, one.b, " ".join(one.by_a), " ".join(one.by_b)] for one in found.contradicted)
    return Table([["a", "b", "a_better_by", "b_better_by"], *rows])


def _paper(found: MeasuresCompared) -> Table:
    """Return the table for papers: the upper half of the matrix, and discriminative power."""
    titles = [column.measure.title for column in found.columns]
    rows = []
    for place, column in enumerate(found.columns):
        pairs = (_of_pair(found, column.key, other.key) for other in found.columns[1:])
        cells = [number(one.tau, 2) if one and at >= place else "" for at, one in enumerate(pairs)]
        power = found.result.power[column.key] if found.result else None
        rows.append([titles[place], *cells, number(power, 2)])
    title = f"Agreement (Kendall's tau) and discriminative power of measures on {found.selection.collection.name}."
    head = ["", *titles[1:], "Power"]
    return Table([head, *rows], range(1, len(head)), title, [found.methods or found.note])


def _matrix_picture(found: MeasuresCompared) -> str:
    return measures_picture(_result(found), found.titles, called=SYSTEM_WORD)


def _power_picture(found: MeasuresCompared) -> str:
    return discriminative_power_picture(_result(found), called=SYSTEM_WORD, titles=found.titles)


def _result(found: MeasuresCompared) -> MeasureComparison:
    if found.result is None:
        expected = "at least two measures and two algorithms"
        raise InputError([Problem("nothing-to-draw", "measures", found.note, expected)])
    return found.result


FILES = PageFiles(
    name="measures-compared",
    route="c/<slug:slug>/measures",
    read=_read,
    tables={"agreement": _agreements, "power": _power, "contradictions": _contradictions},
    latex_table=_paper,
    pictures={"agreement": _matrix_picture, "power": _power_picture},
    labels={"contradictions.csv": "all as CSV"},
    cost=Cost.ANSWERS,
)


def _chooser(found: MeasuresCompared) -> options_form.Chooser:
    of = found.selection
    fields = (
        *options_form.places(of),
        options_form.gold(of),
        options_form.missing(of),
        options_form.procedure(of.choice),
    )
    return options_form.chooser(of.choice, *fields, measures=options_form.measure_menu(of, spelled_out(of)))


def _of_pair(found: MeasuresCompared, one: str, other: str) -> MeasureAgreement | None:
    return None if one == other or found.result is None else found.result.agreement(one, other)


def _linked(found: MeasuresCompared, choice: BoardOptions) -> list[dict[str, object]]:
    """Return the first contradictions, each measure with the URL of the comparison by it."""
    lines: list[dict[str, object]] = []
    for pair in found.contradicted[:LISTED_CONTRADICTIONS]:
        ids = tuple(found.algorithms[name].pk for name in (pair.a, pair.b))
        sides = (
            [(found.titles[key], url_query(choice, algorithms=ids, sort=key)) for key in keys]
            for keys in (pair.by_a, pair.by_b)
        )
        lines.append({"a": pair.a, "b": pair.b, "sides": tuple(sides)})
    return lines

"""Would the winner change: the page and its files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.selectors.choice import Choice
from evaluation.selectors.marks import marks
from evaluation.selectors.robustness import RobustnessFound, look_for_changes
from evaluation.views import chooser
from evaluation.views.choices import address, read_or_default, spelled_out
from evaluation.views.papers import csv_file, json_file, latex_file, svg_file
from evaluation.views.trails import trail
from qc4.comparison import number, p_number
from qc4.comparison.pictures import robustness_picture
from qc4.formats.latex import escaped, latex_number, latex_table
from qc4.problems import InputError, Problem

FIELDS = ("kind", "name", "queries", "difference", "low", "high", "p", "verdict", "agrees", "share", "leader", "note")


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """For people. A choice that does not exist is said on the page, above the leader against the second."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: look_for_changes(collection, request.user, Choice.of_one_measure(given)),
        request.GET,
    )
    choice = spelled_out(found.selection)
    ids = tuple(algorithm.pk for algorithm in found.algorithms)
    context = {
        "collection": collection,
        "found": found,
        "marks": marks(collection),
        "chooser": _chooser(found),
        "scoring": chooser.scoring(request.user, found.selection, "robustness"),
        "problems": problems,
        "address": address(choice),
        "pair_address": address(choice, algorithms=ids),
        "followers": [
            (one, address(choice, algorithms=(found.algorithms[0].pk, one.algorithm.pk))) for one in found.followers
        ],
        "picture": robustness_picture(found.result, "page") if found.result else "",
        "trail": trail(collection, ("would the winner change?", "")),
    }
    return render(request, "boards/robustness.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    return json_file(_read(request, slug))


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """A line per table, the reference first, then the reference without its most telling query."""
    found = _read(request, slug)
    a, b = (found.result.a, found.result.b) if found.result else ("", "")
    lines: list[list[object]] = [[a, b, *(getattr(row, field) for field in FIELDS)] for row in found.rows]
    if found.result and (left := found.result.without):
        facts = {"kind": "without query", "name": left.query, "queries": found.result.reference.queries - 1}
        lines.append([a, b, *((facts | left.to_dict()).get(field) for field in FIELDS)])
    return csv_file(f"{slug}-robustness", ["a", "b", *FIELDS], lines)


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    found = _read(request, slug)
    rows = [
        [
            escaped(row.kind),
            escaped(row.name),
            str(row.queries),
            latex_number(number(row.difference)),
            f"{latex_number(number(row.low))}--{latex_number(number(row.high))}" if row.low is not None else "--",
            latex_number(p_number(row.p)),
            latex_number(number(row.share, 2)),
        ]
        for row in found.rows
    ]
    head = ["", "Table", "Queries", "Difference", "Interval", "$p$", "Share ahead"]
    return latex_file(
        f"{slug}-robustness",
        latex_table(head, rows, "llrrcrr", " ".join([*found.sentences[:2], found.methods]).strip()),
    )


@require_safe
def as_svg(request: HttpRequest, slug: str) -> HttpResponse:
    found = _read(request, slug)
    if found.result is None:
        raise InputError([Problem("nothing-to-draw", "algorithms", found.note, "two algorithms with scores")])
    return svg_file(f"{slug}-robustness", robustness_picture(found.result))


def _read(request: HttpRequest, slug: str) -> RobustnessFound:
    collection = get_collection(request.user, slug)
    return look_for_changes(collection, request.user, Choice.of_one_measure(request.GET))


def _chooser(found: RobustnessFound) -> chooser.Chooser:
    of = found.selection
    chosen = of.choice.algorithms
    everybody = (
        one.algorithm for one in of.entries if one.algorithm.pk in chosen or (one.run and not one.is_reference)
    )
    fields = (chooser.measure(of), *chooser.places(of), chooser.gold(of), chooser.missing(of))
    return chooser.chooser(of.choice, *fields, *chooser.pair(everybody, chosen))

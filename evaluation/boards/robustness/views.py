"""Would the winner change: the page and its files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.options_form import read_or_default, spelled_out
from evaluation.boards.robustness.selectors import RobustnessFound, check_robustness
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.scoring.options import BoardOptions, url_query
from qc4.problems import InputError, Problem
from qc4.stats import number, p_number
from qc4.stats.pictures import robustness_picture
from qc4.tables import Table

FIELDS = ("kind", "name", "queries", "difference", "low", "high", "p", "verdict", "agrees", "share", "leader", "note")


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; if the URL has invalid options, it reports them above the leader against the second."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: check_robustness(collection, request.user, BoardOptions.of_one_measure(given)),
        request.GET,
    )
    choice = spelled_out(found.selection)
    ids = tuple(algorithm.pk for algorithm in found.algorithms)
    context = {
        "collection": collection,
        "found": found,
        "marks": marks(collection),
        "chooser": _chooser(found),
        "scoring": options_form.scoring(request.user, found.selection, "robustness"),
        "problems": problems,
        "address": url_query(choice),
        "pair_address": url_query(choice, algorithms=ids),
        "followers": [
            (one, url_query(choice, algorithms=(found.algorithms[0].pk, one.algorithm.pk))) for one in found.followers
        ],
        "picture": robustness_picture(found.result, "page") if found.result else "",
        "trail": trail(collection, ("would the winner change?", "")),
    }
    return render(request, "boards/robustness.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> RobustnessFound:
    collection = get_collection(request.user, slug)
    return check_robustness(collection, request.user, BoardOptions.of_one_measure(request.GET))


def _table(found: RobustnessFound) -> Table:
    """Return a row per table, the reference first; the last row is the reference without its most influential query."""
    a, b = (found.result.a, found.result.b) if found.result else ("", "")
    rows: list[list[object]] = [[a, b, *(getattr(row, field) for field in FIELDS)] for row in found.rows]
    if found.result and (left := found.result.without):
        facts = {"kind": "without query", "name": left.query, "queries": found.result.reference.queries - 1}
        rows.append([a, b, *((facts | left.to_dict()).get(field) for field in FIELDS)])
    return Table([["a", "b", *FIELDS], *rows])


def _paper(found: RobustnessFound) -> Table:
    head = ["", "Table", "Queries", "Difference", "Interval", "𝑝", "Share ahead"]
    rows = []
    for row in found.rows:
        interval = "–" if row.low is None else f"{number(row.low)}–{number(row.high)}"
        numbers = [str(row.queries), number(row.difference), interval, p_number(row.p), number(row.share, 2)]
        rows.append([row.kind, row.name, *numbers])
    pair = f"{found.result.a} against {found.result.b}" if found.result else "No pair"
    title = f"{pair} on {found.selection.collection.name}, under each table."
    return Table([head, *rows], (2, 3, 5, 6), title, [*found.sentences[:2], found.methods], keys=2)


def _picture(found: RobustnessFound) -> str:
    if found.result is None:
        raise InputError([Problem("nothing-to-draw", "algorithms", found.note, "two algorithms with scores")])
    return robustness_picture(found.result)


FILES = PageFiles(
    name="robustness",
    route="c/<slug:slug>/robustness",
    read=_read,
    tables={"tables": _table},
    latex_table=_paper,
    pictures={"shares": _picture},
    cost=Cost.ANSWERS,
)


def _chooser(found: RobustnessFound) -> options_form.Chooser:
    of = found.selection
    chosen = of.choice.algorithms
    everybody = (
        one.algorithm for one in of.entries if one.algorithm.pk in chosen or (one.run and not one.is_reference)
    )
    fields = (options_form.measure(of), *options_form.places(of), options_form.gold(of), options_form.missing(of))
    return options_form.chooser(of.choice, *fields, *options_form.pair(everybody, chosen))

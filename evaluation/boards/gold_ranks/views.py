"""Ranks before and after a gold version: the page and its files."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import Person
from annotations.access import get_gold_version
from annotations.models import GoldVersion
from common.page_files import PageFiles
from common.parameters import VERSION_DIGITS, parse_number
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.gold_ranks.selectors import GoldRanks, compare_versions
from evaluation.boards.options_form import read_or_default, spelled_out
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.ranking.means import PLACES, Mean
from evaluation.scoring.options import BoardOptions, url_query
from qc4.problems import InputError, Problem
from qc4.stats import number as figure
from qc4.stats.pictures import Style, slope_picture
from qc4.tables import Table, mean_cell

FACTS = ("value", "rank", *PLACES, "counted", "total")


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the page; if the URL has invalid options, it reports them above the comparison with the previous version."""
    version = get_gold_version(request.user, slug, number)
    found, problems = read_or_default(lambda given: _read(request.user, version, given), request.GET)
    collection = version.collection
    changes = (f"gold v{number}", reverse("gold-changes", args=[slug, number]))
    query = url_query(spelled_out(found.boards[1])) if found.boards else "?"
    context = {
        "collection": collection,
        "version": version,
        "found": found,
        "marks": marks(collection),
        "chooser": _chooser(found),
        "problems": problems,
        "address": f"{query}&before={found.before.number}" if found.before else "",
        "picture": _picture(found, "page") if found.rows else "",
        "trail": trail(collection, changes, ("ranks before and after", "")),
    }
    return render(request, "boards/gold_ranks.html", context, status=400 if problems else 200)


def _asked(request: HttpRequest, slug: str, number: int) -> GoldRanks:
    return _read(request.user, get_gold_version(request.user, slug, number), request.GET)


def _read(person: Person, version: GoldVersion, given: QueryDict) -> GoldRanks:
    asked = given.get("before", "")
    before = parse_number(asked, VERSION_DIGITS)
    if asked and before is None:
        raise Http404("There is no such gold version.")
    return compare_versions(version, person, BoardOptions.of_one_measure(given), before)


def _chooser(found: GoldRanks) -> options_form.Chooser | None:
    """Return the form that chooses the version before; None if there is no other version."""
    others = found.collection.gold_versions.exclude(pk=found.after.pk).values_list("number", flat=True)
    if not others:
        return None
    of, now = found.selection, f"{found.before.number}" if found.before else ""
    before = options_form.select_field("before", "Before", {f"{one}": f"gold v{one}" for one in others}, now)
    choice = replace(of.choice, gold=None)
    return options_form.chooser(
        choice, before, options_form.measure(of), *options_form.places(of), options_form.missing(of)
    )


def _picture(found: GoldRanks, style: Style = "paper") -> str:
    rows = [(row.algorithm.name, *row.ranks) for row in found.rows if row.ranks]
    old = found.before.number if found.before else 0
    title = f"Ranks by {found.boards[1].sort.measure.title}" if found.boards else "Ranks"
    return slope_picture(title, (f"gold v{old}", f"gold v{found.after.number}"), rows, style)


def _table(found: GoldRanks) -> Table:
    """Return a row for each algorithm with scores against both versions."""
    head = ["algorithm", *(f"{fact}_{side}" for side in ("before", "after") for fact in FACTS), "difference"]
    rows = ([row.algorithm.name, *_facts(row.before), *_facts(row.after), row.difference] for row in found.rows)
    return Table([head, *rows])


def _paper(found: GoldRanks) -> Table:
    old = found.before.number if found.before else ""
    head = ["Algorithm", f"v{old}", "Rank", f"v{found.after.number}", "Rank", "Difference"]
    rows = []
    for row in found.rows:
        cells: list[object] = [row.algorithm.name]
        for mean in (row.before, row.after):
            cells += [mean_cell(mean.value, mean.counted, mean.total), _rank(mean)]
        rows.append([*cells, figure(row.difference)])
    title = f"Ranks on {found.collection.name} before and after gold v{found.after.number}."
    return Table([head, *rows], (1, 3, 5), title, [found.sentence, found.methods])


def _only_picture(found: GoldRanks) -> str:
    if not found.rows:
        expected = "an earlier version, and algorithms with scores against both"
        raise InputError([Problem("nothing-to-draw", "before", "nothing to compare", expected)])
    return _picture(found)


FILES = PageFiles(
    name="gold-ranks",
    route="c/<slug:slug>/gold/<int:number>/ranks",
    file_name="{slug}-gold-v{number}-ranks",
    read=_asked,
    tables={"ranks": _table},
    latex_table=_paper,
    pictures={"ranks": _only_picture},
    cost=Cost.ANSWERS,
)


def _facts(mean: Mean) -> list[object]:
    return [getattr(mean, fact) for fact in FACTS]


def _rank(mean: Mean) -> str:
    if mean.rank_low is None or mean.rank_low == mean.rank_high:
        return "–" if mean.rank is None else str(mean.rank)
    return f"{mean.rank_low}–{mean.rank_high}"

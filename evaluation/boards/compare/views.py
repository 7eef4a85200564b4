"""Comparison of a few algorithms as a page and as files; every option is in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.compare.comparison import (
    AlgorithmComparison,
    ComparisonOptions,
    PairComparison,
    QueryDifference,
)
from evaluation.boards.compare.forest import forest, matrix
from evaluation.boards.compare.selectors import compare_algorithms
from evaluation.boards.options_form import read_or_default
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.limits import COMPARED_ALGORITHMS
from evaluation.ranking.entries import SYSTEM_WORD
from evaluation.scoring.options import BoardOptions, url_query
from evaluation.scoring.scores import names_in_files
from qc4.io.comparisons import comparison_table, covariates_csv, pairs_csv, systems_csv
from qc4.io.score_tables import write_score_table
from qc4.problems import InputError, Problem
from qc4.stats import ByCovariate, Comparison, exploratory_note
from qc4.stats.pictures import PICTURES, Style, against_picture, differences_picture
from qc4.tables import Table


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which algorithms are better, and how certain that is.

    If the URL has invalid options, the page reports them above the default comparison.
    """
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(
        lambda given: compare_algorithms(collection, request.user, ComparisonOptions.read(given)), request.GET
    )
    spelled_out = found.spelled_out
    choice, lines = spelled_out.choice, _pair_rows(found)
    context = {
        "collection": collection,
        "found": found,
        "forest": forest(found),
        "matrix": matrix(found),
        "picture": _differences(found, "page", lines),
        "lines": lines,
        **_f_of_means(found),
        "facts": _facts(found),
        "looks": exploratory_note(found.pair.where) if found.pair and found.pair.where else "",
        "marks": marks(collection),
        "problems": problems,
        "address": url_query(choice),
        "family_addresses": {family: url_query(choice, family=family) for family in ("all", "shown")},
        "pair_alone": url_query(choice, algorithms=spelled_out.pair, family="pair"),
        "rows_address": f"{url_query(choice)}{_pair_query(spelled_out)}",
        "query": "?" + urlencode(spelled_out.parameters(), doseq=True, safe=","),
        "trail": trail(collection, ("compare", "")),
        "chooser": _chooser(found, choice),
        "scoring": options_form.scoring(request.user, found.selection, "compare"),
        "pair_kept": [(name, value) for name, values in choice.parameters().items() for value in values],
    }
    return render(request, "boards/compare.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> AlgorithmComparison:
    """Return the comparison for a URL; raise InputError with every invalid option."""
    collection = get_collection(request.user, slug)
    return compare_algorithms(collection, request.user, ComparisonOptions.read(request.GET))


def _pair_query(asked: ComparisonOptions) -> str:
    """Return the URL parameter of the pair, to append to a query string."""
    return f"&pair={asked.pair[0]},{asked.pair[1]}" if asked.pair else ""


def _f_of_means(found: AlgorithmComparison) -> dict[str, object]:
    """Return the rows of the F of the means for the algorithms that are shown."""
    f, names = found.f_of_means, set(found.contenders)
    if f is None:
        return {}
    return {
        "f_systems": [one for one in f.systems if one.system in names],
        "f_pairs": [pair for pair in f.pairs if {pair.a, pair.b} <= names],
    }


def _require_comparison(found: AlgorithmComparison) -> Comparison:
    if found.comparison is None:
        raise InputError(
            [Problem("nothing-to-compare", "algorithms", "no scores to compare", "algorithms with scores")]
        )
    return found.comparison


def _picture(name: str, found: AlgorithmComparison) -> str:
    return PICTURES[name](_require_comparison(found), "paper", SYSTEM_WORD)


def _scores(found: AlgorithmComparison) -> str:
    """Return the scores as CSV; `qc4 compare` reproduces the comparison from it."""
    return write_score_table(found.scores) if found.scores else ""


def _where(found: AlgorithmComparison) -> str:
    return covariates_csv(found.pair.where) if found.pair and found.pair.where else ""


def _differences_table(found: AlgorithmComparison) -> Table:
    """The pair query by query."""
    pair = found.pair
    if pair is None:
        return Table([])
    names = names_in_files(found.selection.queries)
    head = ["query", pair.a.name, pair.b.name, "difference", "reason"]
    rows = ([names[each.query], each.a, each.b, each.difference, each.reason] for each in pair.differences)
    return Table([head, *rows])


def _against_picture(found: AlgorithmComparison) -> str:
    return against_picture(
        _require_comparison(found), "paper", SYSTEM_WORD, found.reference.name if found.reference else None
    )


FILES = PageFiles(
    name="compare",
    route="c/<slug:slug>/compare",
    read=_read,
    tables={
        "pairs": lambda found: pairs_csv(_require_comparison(found)),
        "systems": lambda found: systems_csv(_require_comparison(found)),
        "scores": _scores,
        "differences": _differences_table,
        "where": _where,
    },
    latex_table=lambda found: comparison_table(_require_comparison(found), found.about, SYSTEM_WORD),
    pictures={
        **{name: partial(_picture, name) for name in PICTURES},
        "against": _against_picture,
        "differences": lambda found: _differences(found, "paper"),
    },
    permalink=lambda found: found.permalink,
    labels={
        "discriminative-power.svg": "curve of p",
        "behind.svg": "SVG of the distances behind the best",
        "systems.csv": "CSV of the means",
        "scores.csv": "CSV of the scores for qc4 compare",
    },
    names_default=True,
    cost=Cost.ANSWERS,
)


def _facts(found: AlgorithmComparison) -> list[tuple[ByCovariate, str]]:
    """Return each property of the queries with its sentence."""
    pair = found.pair
    return [] if pair is None or pair.where is None else list(zip(pair.where.covariates, pair.trends, strict=True))


@dataclass(frozen=True, slots=True)
class PairRow:
    """A query of the pair; ``why`` is the URL that explains both scores, empty if neither has a clustering."""

    query: QueryDifference
    why: str


def _pair_rows(found: AlgorithmComparison) -> list[PairRow]:
    """Return the queries of the pair by a's advantage, largest first; queries that are not compared come last."""
    pair = found.pair
    if pair is None:
        return []
    ordered = sorted(
        pair.differences, key=lambda each: (each.difference is None, -(each.difference or 0.0), each.query)
    )
    return [PairRow(each, _explanation_url(found, pair, each)) for each in ordered]


def _explanation_url(found: AlgorithmComparison, pair: PairComparison, each: QueryDifference) -> str:
    """Return the URL that explains a's score beside b's, or the only one if the other has no clustering."""
    ends = [one.submission for one, missing in ((pair.a, each.a_missing), (pair.b, each.b_missing)) if not missing]
    if not ends:
        return ""
    options: dict[str, object] = dict(found.selection.why_options)
    if len(ends) > 1:
        options["against"] = ends[1]
    return f"{reverse('why', args=[ends[0], each.query])}?{urlencode(options)}"


def _differences(found: AlgorithmComparison, style: Style, lines: Sequence[PairRow] = ()) -> str:
    """Draw the pair's differences as bars; on the page, each bar links to the explanation of its query."""
    pair = found.pair
    if pair is None:
        if style == "paper":
            raise InputError([Problem("no-pair", "pair", "fewer than two algorithms", "two algorithms with scores")])
        return ""
    known = [each for each in pair.differences if each.difference is not None]
    return differences_picture(
        pair.a.name,
        pair.b.name,
        {each.query: each.difference or 0.0 for each in known},
        style,
        words={each.query: each.text for each in known},
        links={line.query.query: line.why for line in lines},
    )


def _chooser(found: AlgorithmComparison, choice: BoardOptions) -> options_form.Chooser:
    """Return the form of options; `choice` spells out what is shown."""
    of = found.selection
    everybody = options_form.by_name(of.algorithms.values())
    ticks = options_form.AlgorithmTicks(everybody, frozenset(choice.algorithms), COMPARED_ALGORITHMS)
    fields = (
        options_form.baseline(of),
        options_form.measure(of),
        *options_form.places(of, "the measure's own"),
        options_form.gold(of),
        options_form.missing(of),
        *options_form.method(choice),
        *options_form.family(choice),
    )
    return options_form.chooser(choice, *fields, ticks=ticks)

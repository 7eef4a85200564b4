"""A few algorithms compared, as a page and as files; every choice is in the address."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.limits import COMPARED_ALGORITHMS
from evaluation.selectors.choice import Choice, one_option
from evaluation.selectors.compared import Asked, Compared, PairLook, QueryDifference
from evaluation.selectors.comparisons import compared
from evaluation.selectors.entries import CALLED
from evaluation.selectors.forest import forest, matrix
from evaluation.selectors.marks import marks
from evaluation.selectors.query_file_names import names_in_files
from evaluation.views import chooser
from evaluation.views.choices import address, read_or_default
from evaluation.views.downloads import attachment
from evaluation.views.papers import json_file, latex_file, svg_file
from evaluation.views.trails import trail
from qc4.comparison import ByCovariate, Comparison, looks_sentence
from qc4.comparison.pictures import PICTURES, Style, against_picture, differences_picture
from qc4.formats.comparisons import comparison_latex, covariates_csv, pairs_csv, systems_csv
from qc4.formats.score_tables import write_score_table
from qc4.formats.spreadsheets import cell, guarded
from qc4.problems import InputError, Problem

FILED_PICTURES = (*PICTURES, "differences")
TABLES = ("pairs", "systems", "scores", "differences", "where")


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is better, and how sure that is. A choice that does not exist is said above the default comparison."""
    collection = get_collection(request.user, slug)
    found, problems = read_or_default(lambda given: compared(collection, request.user, Asked.read(given)), request.GET)
    spelled_out = found.spelled_out
    choice, lines = spelled_out.choice, _lines(found)
    context = {
        "collection": collection,
        "found": found,
        "forest": forest(found),
        "matrix": matrix(found),
        "picture": _differences(found, "page", lines),
        "lines": lines,
        **_f_of_means(found),
        "facts": _facts(found),
        "looks": looks_sentence(found.pair.where) if found.pair and found.pair.where else "",
        "marks": marks(collection),
        "problems": problems,
        "address": address(choice),
        "family_addresses": {family: address(choice, family=family) for family in ("all", "shown")},
        "pair_alone": address(choice, algorithms=spelled_out.pair, family="pair"),
        "rows_address": f"{address(choice)}{_pair_query(spelled_out)}",
        "query": "?" + urlencode(spelled_out.parameters(), doseq=True, safe=","),
        "trail": trail(collection, ("compare", "")),
        "chooser": _chooser(found, choice),
        "scoring": chooser.scoring(request.user, found.selection, "compare"),
        "pair_kept": [(name, value) for name, values in choice.parameters().items() for value in values],
    }
    return render(request, "boards/compare.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """As the API answers."""
    return json_file(_read(request, slug))


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """``table``: the pairs, a line each; the systems; the scores, which `qc4 compare` reads and finds the same in; the
    pair query by query; or by facts of the queries."""
    table = one_option(request.GET, "table", TABLES)
    found = _read(request, slug)
    return attachment(_csv(found, table).encode(), f"{found.slug}-compare-{table}.csv", "text/csv; charset=utf-8")


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """A table for booktabs."""
    found = _read(request, slug)
    text = f"% {request.build_absolute_uri(found.permalink)}\n{comparison_latex(_known(found), found.about, CALLED)}"
    return latex_file(f"{found.slug}-compare", text)


@require_safe
def as_svg(request: HttpRequest, slug: str) -> HttpResponse:
    """``picture``: one of `qc4.comparison.pictures.PICTURES`, or the pair query by query."""
    picture = one_option(request.GET, "picture", FILED_PICTURES)
    found = _read(request, slug)
    if picture == "differences":
        drawn = _differences(found, "paper")
    elif picture == "against":
        drawn = against_picture(_known(found), "paper", CALLED, found.reference.name if found.reference else None)
    else:
        drawn = PICTURES[picture](_known(found), "paper", CALLED)
    return svg_file(f"{found.slug}-compare-{picture}", drawn)


def _read(request: HttpRequest, slug: str) -> Compared:
    """What an address asks for; InputError names every choice that does not exist."""
    collection = get_collection(request.user, slug)
    return compared(collection, request.user, Asked.read(request.GET))


def _pair_query(asked: Asked) -> str:
    """The pair that is looked at query by query, as the query of an address goes on."""
    return f"&pair={asked.pair[0]},{asked.pair[1]}" if asked.pair else ""


def _f_of_means(found: Compared) -> dict[str, object]:
    """The rows of the F of the means that are about the algorithms that are shown."""
    f, names = found.f_of_means, set(found.contenders)
    if f is None:
        return {}
    return {
        "f_systems": [one for one in f.systems if one.system in names],
        "f_pairs": [pair for pair in f.pairs if {pair.a, pair.b} <= names],
    }


def _known(found: Compared) -> Comparison:
    if found.comparison is None:
        raise InputError(
            [Problem("nothing-to-compare", "algorithms", "no scores to compare", "algorithms with scores")]
        )
    return found.comparison


def _csv(found: Compared, table: str) -> str:
    comparison = _known(found)
    if table == "systems":
        return systems_csv(comparison)
    if table == "pairs":
        return pairs_csv(comparison)
    if table == "scores":
        return write_score_table(found.scores) if found.scores else ""
    if table == "where":
        return covariates_csv(found.pair.where) if found.pair and found.pair.where else ""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if found.pair is not None:
        writer.writerow(["query", *(guarded(one.name) for one in (found.pair.a, found.pair.b)), "difference", "reason"])
        names = names_in_files(found.selection.queries)
        for each in found.pair.differences:
            values = map(cell, (each.a, each.b, each.difference))
            writer.writerow([guarded(names[each.query]), *values, guarded(each.reason)])
    return text.getvalue()


def _facts(found: Compared) -> list[tuple[ByCovariate, str]]:
    """Each fact of the queries with its sentence."""
    pair = found.pair
    return [] if pair is None or pair.where is None else list(zip(pair.where.covariates, pair.trends, strict=True))


@dataclass(frozen=True, slots=True)
class Line:
    """A query of the pair, and the page that explains both scores side by side; empty where neither has one."""

    query: QueryDifference
    why: str


def _lines(found: Compared) -> list[Line]:
    """The queries of the pair, where a is better first; those that are not compared last."""
    pair = found.pair
    if pair is None:
        return []
    ordered = sorted(
        pair.differences, key=lambda each: (each.difference is None, -(each.difference or 0.0), each.query)
    )
    return [Line(each, _why(found, pair, each)) for each in ordered]


def _why(found: Compared, pair: PairLook, each: QueryDifference) -> str:
    """The page that explains a's score beside b's; the one that there is where the other has no clustering."""
    ends = [one.submission for one, missing in ((pair.a, each.a_missing), (pair.b, each.b_missing)) if not missing]
    if not ends:
        return ""
    options: dict[str, object] = dict(found.selection.why_options)
    if len(ends) > 1:
        options["against"] = ends[1]
    return f"{reverse('why', args=[ends[0], each.query])}?{urlencode(options)}"


def _differences(found: Compared, style: Style, lines: Sequence[Line] = ()) -> str:
    """The bars of the pair; on the page each leads to where its line does."""
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


def _chooser(found: Compared, choice: Choice) -> chooser.Chooser:
    """What may be chosen, and `choice`, which spells out what is shown."""
    of = found.selection
    everybody = chooser.by_name(of.algorithms.values())
    ticks = chooser.AlgorithmTicks(everybody, frozenset(choice.algorithms), COMPARED_ALGORITHMS)
    fields = (
        chooser.baseline(of),
        chooser.measure(of),
        *chooser.places(of, "the measure's own"),
        chooser.gold(of),
        chooser.missing(of),
        *chooser.method(choice),
        *chooser.family(choice),
    )
    return chooser.chooser(choice, *fields, ticks=ticks)

"""The leaderboard as a page, as CSV and as JSON; every choice is in the address."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.person import Person
from annotations.access import get_collection
from annotations.models import Collection
from evaluation.selectors.board import MISSING_RULES, Board
from evaluation.selectors.leaderboard import leaderboard
from evaluation.selectors.marks import marks
from evaluation.selectors.presets import offered, preset_of, presets
from evaluation.selectors.vectors import has_scores_on_vectors
from evaluation.views.trails import trail
from qc4.formats.spreadsheets import guarded
from qc4.measures.registry import REGISTRY
from qc4.measures.scoring import FROM_FILES, WITH_VECTORS
from qc4.problems import InputError, Problem


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The board for people. A choice that does not exist is said on the page, above the default board."""
    collection = get_collection(request.user, slug)
    problems: tuple[Problem, ...] = ()
    try:
        board = read(request.user, collection, request.GET)
    except InputError as error:
        problems = error.problems
        board = leaderboard(collection, request.user)
    given = WITH_VECTORS if has_scores_on_vectors(collection) else FROM_FILES
    context = {
        "collection": collection,
        "board": board,
        "versions": collection.gold_versions.all(),
        "marks": marks(collection),
        "problems": [problem.to_dict() for problem in problems],
        "families": offered(given),
        "presets": [(one, address(board, measures=",".join(one.measures), sort="")) for one in presets(given)],
        "preset": preset_of([column.key for column in board.columns], given),
        "chosen": {column.key for column in board.columns},
        "rules": MISSING_RULES,
        "address": address(board),
        "headers": [(column, sort_address(board, column.key)) for column in board.columns],
        "trail": trail(collection, ("leaderboard", "")),
    }
    return render(request, "boards/leaderboard.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The board with every query's value and every reason."""
    board = read(request.user, get_collection(request.user, slug), request.GET)
    return JsonResponse(board.to_dict(), json_dumps_params={"indent": 2})


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """One line per algorithm: for each measure its mean, how many queries it is over and why it may be empty."""
    board = read(request.user, get_collection(request.user, slug), request.GET)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{board.collection.slug}-leaderboard.csv"'
    writer = csv.writer(response)
    writer.writerows(_lines(board))
    return response


def read(person: Person, collection: Collection, choices: QueryDict) -> Board:
    """The board an address asks for; InputError names every choice that does not exist."""
    keys = [key for part in choices.getlist("measures") for key in part.split(",") if key]
    gold = choices.get("gold", "")
    if gold and not (gold.isascii() and gold.isdigit() and len(gold) < 10):
        raise InputError([Problem("unknown-gold-version", "gold", repr(gold), "the number of a gold version")])
    return leaderboard(
        collection,
        person,
        measures=keys,
        sort=_sort(choices.get("sort", ""), keys),
        reverse=choices.get("order") == "reverse",
        level=choices.get("level", ""),
        gold=int(gold) if gold else None,
        missing=choices.get("missing", "") or "zero",
    )


def _sort(sort: str, keys: list[str]) -> str:
    """The sort column, or the default one where its measure was just unticked in the picker."""
    unticked = bool(keys) and sort not in keys and any(measure.key == sort for measure in REGISTRY.all())
    return "" if unticked else sort


def address(board: Board, **changes: str) -> str:
    """The permanent address of a board: every choice spelled out, the gold version too."""
    query = QueryDict(mutable=True)
    query["measures"] = ",".join(column.key for column in board.columns)
    query["sort"] = board.sort.key
    if board.level:
        query["level"] = board.level
    if board.version:
        query["gold"] = str(board.version.number)
    query["missing"] = board.missing
    if board.is_reversed:
        query["order"] = "reverse"
    for name, value in changes.items():
        if value:
            query[name] = value
        else:
            query.pop(name, None)
    return "?" + query.urlencode(safe=",")


def sort_address(board: Board, key: str) -> str:
    """Sort by that column; a second click on the sorted one turns it round."""
    turn = key == board.sort.key and not board.is_reversed
    return address(board, sort=key, order="reverse" if turn else "")


def _lines(board: Board) -> Iterator[list[object]]:
    head = ["rank", "algorithm", "baseline", "submission", "gold_version", "engine", "missing_rule"]
    for column in board.columns:
        name = f"{column.key}[{column.level}]" if column.level else column.key
        head += [name, f"{name} queries counted", f"{name} queries scored", f"{name} queries", f"{name} undefined"]
    yield list(head)
    for row in board.rows:
        line: list[object] = [
            row.rank or "",
            guarded(row.algorithm.name),
            row.algorithm.baseline,
            row.submission.pk if row.submission else "",
            board.version.number if board.version else "",
            " ".join(row.engines),
            board.missing,
        ]
        for column in board.columns:
            mean = row.means.get(column.key)
            if mean is None:
                line += ["", 0, 0, len(board.queries), guarded(row.waiting)]
            else:
                value = "" if mean.value is None else mean.value
                line += [value, mean.counted, mean.scored, mean.total, guarded(mean.reason)]
        yield line

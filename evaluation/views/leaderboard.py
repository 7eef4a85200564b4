"""The leaderboard as a page, as CSV, LaTeX and JSON; every choice is in the address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from evaluation.selectors.board import Board
from evaluation.selectors.board_files import board_csv, board_latex
from evaluation.selectors.board_json import board_json
from evaluation.selectors.choice import Choice
from evaluation.selectors.leaderboard import leaderboard
from evaluation.selectors.marks import marks
from evaluation.views import chooser
from evaluation.views.challenges import face_in
from evaluation.views.choices import address, read_or_default, spelled_out
from evaluation.views.downloads import attachment
from evaluation.views.papers import json_file, latex_file
from evaluation.views.trails import trail


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The board for people. A choice that does not exist is said on the page, above the default board."""
    collection = get_collection(request.user, slug)
    board, problems = read_or_default(
        lambda given: leaderboard(collection, request.user, Choice.read(given)), request.GET
    )
    choice = spelled_out(board)
    context = {
        "collection": collection,
        **face_in(request, collection),
        "board": board,
        "marks": marks(collection),
        "problems": problems,
        "chooser": _chooser(board, choice),
        "scoring": chooser.scoring(request.user, board, "leaderboard"),
        "choice": choice,
        "address": address(choice),
        "all_queries": address(choice, queries=()),
        "all_algorithms": address(choice, algorithms=(), family="all"),
        "family_addresses": {family: address(choice, family=family) for family in ("all", "shown")},
        "latest_gold": address(choice, gold=None),
        "confidence": f"{100 * choice.method.confidence:g}",
        "levels": [(name, value) for name in ("gold", "random") if (value := board.level_of(name)) is not None],
        "has_references": any(row.is_reference for row in board.rows),
        "headers": [(column, _sort_address(board, choice, column.key)) for column in board.columns],
        "trail": trail(collection, ("leaderboard", "")),
    }
    return render(request, "boards/leaderboard.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The board with every query's value and every reason."""
    collection = get_collection(request.user, slug)
    found = board_json(collection, request.user, Choice.read(request.GET))
    if isinstance(found, Board):
        return json_file(found)
    return StreamingHttpResponse(found, content_type="application/json")


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """One line per algorithm: for each measure its mean, how many queries it is over and why it may be empty."""
    board = _read(request, slug)
    return attachment(board_csv(board).encode(), f"{board.collection.slug}-leaderboard.csv", "text/csv; charset=utf-8")


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as a table for booktabs."""
    board = _read(request, slug)
    return latex_file(f"{board.collection.slug}-leaderboard", board_latex(board))


def _read(request: HttpRequest, slug: str) -> Board:
    """The board an address asks for; InputError names every choice that does not exist."""
    collection = get_collection(request.user, slug)
    return leaderboard(collection, request.user, Choice.read(request.GET))


def _chooser(board: Board, choice: Choice) -> chooser.Chooser:
    """What may be chosen, and `choice`, which spells out what is shown."""
    fields = (*chooser.places(board), chooser.gold(board), chooser.missing(board), chooser.baseline(board))
    return chooser.chooser(choice, *fields, measures=chooser.measure_menu(board, choice))


def _sort_address(board: Board, choice: Choice, key: str) -> str:
    """Sort by that column; a second click on the sorted one turns it round."""
    return address(choice, sort=key, reverse=key == board.sort.key and not choice.reverse)

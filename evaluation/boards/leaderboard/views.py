"""The leaderboard as a page and as files; every option is in the URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import get_collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.boards import options_form
from evaluation.boards.leaderboard.files import board_json, board_paper, board_table
from evaluation.boards.options_form import read_or_default, spelled_out
from evaluation.breadcrumbs import trail
from evaluation.challenges.views import challenge_context
from evaluation.charts.marks import marks
from evaluation.ranking.board import Board
from evaluation.ranking.leaderboard import leaderboard
from evaluation.scoring.options import BoardOptions, url_query


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the leaderboard; if the URL has invalid options, the page reports them above the default leaderboard."""
    collection = get_collection(request.user, slug)
    board, problems = read_or_default(
        lambda given: leaderboard(collection, request.user, BoardOptions.read(given)), request.GET
    )
    choice = spelled_out(board)
    context = {
        "collection": collection,
        **challenge_context(request, collection),
        "board": board,
        "marks": marks(collection),
        "problems": problems,
        "chooser": _chooser(board, choice),
        "scoring": options_form.scoring(request.user, board, "leaderboard"),
        "choice": choice,
        "address": url_query(choice),
        "all_queries": url_query(choice, queries=()),
        "all_algorithms": url_query(choice, algorithms=(), family="all"),
        "family_addresses": {family: url_query(choice, family=family) for family in ("all", "shown")},
        "latest_gold": url_query(choice, gold=None),
        "confidence": f"{100 * choice.method.confidence:g}",
        "levels": [(name, value) for name in ("gold", "random") if (value := board.level_of(name)) is not None],
        "has_references": any(row.is_reference for row in board.rows),
        "headers": [(column, _sort_address(board, choice, column.key)) for column in board.columns],
        "trail": trail(collection, ("leaderboard", "")),
    }
    return render(request, "boards/leaderboard.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> Board:
    """Return the leaderboard for a URL; raise InputError with every invalid option."""
    collection = get_collection(request.user, slug)
    return leaderboard(collection, request.user, BoardOptions.read(request.GET))


def _json(request: HttpRequest, slug: str) -> dict[str, Any] | Iterator[str]:
    """Return the leaderboard with the value of every query, or the reason why there is none."""
    found = board_json(get_collection(request.user, slug), request.user, BoardOptions.read(request.GET))
    return found.to_dict() if isinstance(found, Board) else found


FILES = PageFiles(
    name="leaderboard",
    route="c/<slug:slug>/leaderboard",
    read=_read,
    tables={"board": board_table},
    latex_table=board_paper,
    json=_json,
    cost=Cost.ANSWERS,
)


def _chooser(board: Board, choice: BoardOptions) -> options_form.Chooser:
    """Return the form of options; `choice` spells out what is shown."""
    fields = (
        *options_form.places(board),
        options_form.gold(board),
        options_form.missing(board),
        options_form.baseline(board),
    )
    return options_form.chooser(choice, *fields, measures=options_form.measure_menu(board, choice))


def _sort_address(board: Board, choice: BoardOptions, key: str) -> str:
    """Return the URL that ranks by a column; for the column that ranks already, the URL reverses the order."""
    return url_query(choice, sort=key, reverse=key == board.sort.key and not choice.reverse)

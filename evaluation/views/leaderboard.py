"""The leaderboard as a page, as CSV, LaTeX and JSON; every choice is in the address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import May, capabilities, get_collection
from evaluation.access import visible_submissions
from evaluation.selectors.board import Board
from evaluation.selectors.board_files import board_csv, board_latex
from evaluation.selectors.choice import Choice
from evaluation.selectors.evaluations import unscored
from evaluation.selectors.leaderboard import leaderboard
from evaluation.selectors.marks import marks
from evaluation.selectors.presets import offered, preset_of, presets
from evaluation.selectors.vectors import has_scores_on_vectors
from evaluation.services.standings import keep
from evaluation.views.choices import address, spelled_out
from evaluation.views.downloads import attachment
from evaluation.views.trails import trail
from qc4.measures.scoring import FROM_FILES, WITH_VECTORS
from qc4.problems import InputError, Problem
from qc4.views.policies import Policies


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The board for people. A choice that does not exist is said on the page, above the default board."""
    collection = get_collection(request.user, slug)
    problems: tuple[Problem, ...] = ()
    wait = "wait" in request.GET
    try:
        board = leaderboard(collection, request.user, Choice.read(request.GET), keep=keep, wait=wait)
    except InputError as error:
        problems = error.problems
        board = leaderboard(collection, request.user, keep=keep, wait=wait)
    given = WITH_VECTORS if has_scores_on_vectors(collection) else FROM_FILES
    choice = spelled_out(board)
    context = {
        "collection": collection,
        "board": board,
        "versions": collection.gold_versions.all(),
        "marks": marks(collection),
        "problems": [problem.to_dict() for problem in problems],
        "families": offered(given),
        "presets": [(one, address(choice, measures=one.measures, sort="")) for one in presets(given)],
        "preset": preset_of([column.key for column in board.columns], given),
        "chosen": {column.key for column in board.columns},
        "choice": choice,
        "address": address(choice),
        "all_queries": address(choice, queries=()),
        "all_algorithms": address(choice, algorithms=()),
        "latest_gold": address(choice, gold=None),
        "confidence": f"{100 * choice.method.confidence:g}",
        "levels": [(name, value) for name in ("gold", "random") if (value := board.level_of(name)) is not None],
        "unscored": len(unscored(board.version, choice.policies, visible_submissions(request.user, collection))),
        "may_score": May.SUBMIT in capabilities(request.user, collection),
        "is_default": choice.policies == Policies(),
        "headers": [(column, _sort_address(board, choice, column.key)) for column in board.columns],
        "trail": trail(collection, ("leaderboard", "")),
    }
    return render(request, "boards/leaderboard.html", context, status=400 if problems else 200)


@require_safe
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The board with every query's value and every reason."""
    return JsonResponse(_read(request, slug, details=True).to_dict(), json_dumps_params={"indent": 2})


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """One line per algorithm: for each measure its mean, how many queries it is over and why it may be empty."""
    board = _read(request, slug)
    return attachment(board_csv(board).encode(), f"{board.collection.slug}-leaderboard.csv", "text/csv; charset=utf-8")


@require_safe
def as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as a table for booktabs."""
    board = _read(request, slug)
    name = f"{board.collection.slug}-leaderboard.tex"
    return attachment(board_latex(board).encode(), name, "text/x-tex; charset=utf-8")


def _read(request: HttpRequest, slug: str, *, details: bool = False) -> Board:
    """The board an address asks for; InputError names every choice that does not exist."""
    collection = get_collection(request.user, slug)
    return leaderboard(collection, request.user, Choice.read(request.GET), keep=keep, details=details)


def _sort_address(board: Board, choice: Choice, key: str) -> str:
    """Sort by that column; a second click on the sorted one turns it round."""
    return address(choice, sort=key, reverse=key == board.sort.key and not choice.reverse)

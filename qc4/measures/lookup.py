"""Scores found by measure and level, and shown in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from qc4.measures.registry import REGISTRY
from qc4.measures.tables import Scored
from qc4.problems import InputError, Problem
from qc4.problems.wording import counted, listed
from qc4.views.undefined import Undefined
from qc4.views.view import Level

AtPlace = TypeVar("AtPlace", bound=Scored)
FEW = 4
"""So many scores are shown in one line."""


def value_of(scores: Sequence[Scored], measure: str, level: Level = None, depth: int | None = None) -> float:
    """The value of one of the scores.

    Raises:
        InputError: it is not among them.
        Undefined: it has no value; the message says why.
    """
    found = computed(scores, measure, level, depth)
    if found.value is None:
        raise Undefined(found.undefined)
    return found.value


def computed(scores: Sequence[AtPlace], measure: str, level: Level = None, depth: int | None = None) -> AtPlace:
    """One of the scores; its level may be left out where the measure has no other, and so may its depth.

    Raises:
        InputError: it is not among them; what is there is named.
    """
    key = REGISTRY.key_of(measure)
    own = [score for score in scores if score.measure == key]
    if not own:
        raise InputError([_not_computed(scores, measure)])
    levels = list(dict.fromkeys(score.level for score in own))
    there = [score for score in own if score.level == (levels[0] if level is None and len(levels) == 1 else level)]
    if not there:
        raise InputError([_no_such_level(levels, measure, level)])
    depths = [score.depth for score in there]
    if depth not in depths and not (depth is None and len(depths) == 1):
        raise InputError([_no_such_depth(depths, depth)])
    return there[depths.index(depth) if depth in depths else 0]


def _not_computed(scores: Sequence[Scored], measure: str) -> Problem:
    REGISTRY.get(measure)
    expected = f"one of {listed(list(dict.fromkeys(score.measure for score in scores)))}"
    return Problem("not-computed", "measure", f"{measure!r}, which was not computed", expected)


def _no_such_level(levels: Sequence[Level], measure: str, level: Level) -> Problem:
    if levels[0] is None:
        return Problem("no-such-level", "level", repr(level), f"no level: {REGISTRY.get(measure).view.name}")
    expected = f"one of {', '.join(map(str, levels))}"
    if level is None:
        return Problem("no-level", "level", "none", expected, f"Say which: level={levels[0]!r}.")
    return Problem("no-such-level", "level", repr(level), expected)


def _no_such_depth(depths: Sequence[int | None], depth: int | None) -> Problem:
    """Why none of the scores of one measure on one level is meant."""
    if depths[0] is None:
        return Problem("no-such-depth", "depth", repr(depth), "no depth: nothing was cut for this score")
    expected = f"one of {', '.join(map(str, depths))}"
    if depth is None:
        fix = f"Say which: depth={depths[-1]} is the finest of these cuts."
        return Problem("no-depth", "depth", "none", expected, fix)
    return Problem("no-such-depth", "depth", repr(depth), expected)


def place_words(score: Scored, name: str = "") -> str:
    """Measure (by default its key), level and depth of a score, as they stand in a sentence."""
    level = "" if score.level is None else f" on level {score.level}"
    return f"{name or score.measure}{level}{'' if score.depth is None else f' at depth {score.depth}'}"


def shown(name: str, scores: Sequence[Scored], pages: int) -> str:
    """Scores in one line: their values where they are few."""
    if len(scores) > FEW:
        values = f"{len(scores)} scores; print(result.table()) shows them"
    else:
        values = ", ".join(
            f"{place_words(score)} {'undefined' if score.value is None else f'{score.value:.4f}'}" for score in scores
        )
    return f"<{name}: {counted(pages, 'page')}, {values}>"

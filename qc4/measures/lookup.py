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


def value_of(scores: Sequence[Scored], measure: str, level: Level = None) -> float:
    """The value of one of the scores.

    Raises:
        InputError: it is not among them.
        Undefined: it has no value; the message says why.
    """
    found = computed(scores, measure, level)
    if found.value is None:
        raise Undefined(found.undefined)
    return found.value


def computed(scores: Sequence[AtPlace], measure: str, level: Level = None) -> AtPlace:
    """One of the scores; its level may be left out where it is the only one of the measure.

    Raises:
        InputError: it is not among them; what is there is named.
    """
    own = [score for score in scores if score.measure == measure]
    found = next((score for score in own if score.level == level), own[0] if level is None and len(own) == 1 else None)
    if found is None:
        raise InputError([_no_such_score(scores, own, measure, level)])
    return found


def _no_such_score(scores: Sequence[Scored], own: Sequence[Scored], measure: str, level: Level) -> Problem:
    if not own:
        REGISTRY.get(measure)
        expected = f"one of {listed(list(dict.fromkeys(score.measure for score in scores)))}"
        return Problem("not-computed", "measure", f"{measure!r}, which was not computed", expected)
    levels = ", ".join(str(score.level) for score in own)
    if own[0].level is None:
        return Problem("no-such-level", "level", repr(level), f"no level: {REGISTRY.get(measure).view.name}")
    if level is None:
        fix = f"Say which: level={own[0].level!r}."
        return Problem("no-level", "level", "none", f"one of {levels}", fix)
    return Problem("no-such-level", "level", repr(level), f"one of {levels}")


def shown(name: str, scores: Sequence[Scored], pages: int) -> str:
    """Scores in one line: their values where they are few."""
    if len(scores) > FEW:
        values = f"{len(scores)} scores; print(result.table()) shows them"
    else:
        values = ", ".join(
            f"{score.measure}{'' if score.level is None else f' on level {score.level}'} "
            f"{'undefined' if score.value is None else f'{score.value:.4f}'}"
            for score in scores
        )
    return f"<{name}: {counted(pages, 'page')}, {values}>"

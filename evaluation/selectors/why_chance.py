"""What chance reaches for one clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluation import cases
from evaluation.limits import CHANCE_MEASURES, CHANCE_SHUFFLED
from evaluation.selectors.why_asked import READ, Explained, OfExplained
from evaluation.selectors.why_choices import Place, plan_of
from qc4.problems import InputError, Problem
from qc4.records import plain
from qc4.scoring.calibration import DRAWS, Calibration, calibrate_case
from qc4.version import ENGINE_VERSION
from work.answers import Answer


@dataclass(frozen=True, slots=True)
class ChanceAsked(OfExplained):
    """How often the pages are shuffled, and which measures on which levels are computed then."""

    of: Explained
    measures: tuple[Place, ...]
    draws: int = DRAWS
    seed: int = 0


def _work_out(asked: ChanceAsked) -> dict[str, Any]:
    """A `Calibration` in JSON, each level with the title of its measure."""
    case, policies = cases.case(*asked.of.read()), asked.of.policies
    levels = calibrate_case(case, plan_of(asked.measures), policies, asked.draws, asked.seed, "level")
    query, pages = case.gold.query_id, case.gold.n_pages
    found = Calibration(ENGINE_VERSION, query, pages, policies, asked.draws, asked.seed, levels)
    titles = {level.measure: level.title for level in levels}
    return {**found.to_dict(), "titles": titles, "levels": plain(levels)}


def _cost(asked: ChanceAsked) -> float:
    """A shuffle is measured in a tenth of a millisecond where there are few pages."""
    each = 5 + asked.of.overlap * asked.of.n_memberships / 300
    return asked.of.rows + asked.draws * len(asked.measures) * each


CHANCE = Answer("chance", ChanceAsked, dict[str, Any], _work_out, cost=_cost, cheap=READ)


def refuse_too_much(asked: ChanceAsked) -> None:
    """InputError: a worker would have too much to shuffle or to measure."""
    of, fix = asked.of, "Run `qc4 calibrate` on the files."
    if of.n_memberships * asked.draws > CHANCE_SHUFFLED:
        most = CHANCE_SHUFFLED // asked.draws
        found, expected = f"{of.n_memberships:,} pages in clusters", f"{most:,} at most for {asked.draws:,} draws"
        raise InputError([Problem("too-large", "clustering", found, expected, fix)])
    if len(asked.measures) > CHANCE_MEASURES:
        found = f"{len(asked.measures)} measures and levels"
        raise InputError([Problem("too-many-measures", "measures", found, f"{CHANCE_MEASURES} at most", fix)])

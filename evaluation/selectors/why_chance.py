"""What chance reaches for one clustering, kept by content so that a second look takes no time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields

from django.core.cache import cache

from evaluation.limits import CHANCE_MEASURES, CHANCE_MEMBERSHIPS
from evaluation.questions import Question
from qc4.clustering.case import Case
from qc4.measures.calibration import DRAWS, Calibration, ChanceLevel, calibrate_case
from qc4.measures.measure import Measure
from qc4.problems import InputError, Problem
from qc4.version import ENGINE_VERSION
from qc4.views.view import Level

KEPT_SECONDS = 30 * 86_400
FIELDS = tuple(field.name for of in (Calibration, ChanceLevel) for field in fields(of))
"""What is kept is pickled: made by an engine with other fields, it cannot be read."""
Plan = Iterable[tuple[Measure, Level]]


def known_chance(question: Question, plan: Plan, draws: int = DRAWS, seed: int = 0) -> Calibration | None:
    """What was found earlier for the same content, if it is still kept."""
    found: Calibration | None = cache.get(_key(question, plan, draws, seed))
    return found


def chance(question: Question, case: Case, plan: Plan, draws: int = DRAWS, seed: int = 0) -> Calibration:
    """Scores beside those of the same clusters with shuffled pages.

    Args:
        question: the content of ``case``, by its hashes.

    Raises:
        InputError: too much to shuffle or to measure while somebody waits; draws or seed out of range.
    """
    plan, most = list(plan), CHANCE_MEMBERSHIPS * DRAWS // max(draws, DRAWS)
    fix = "Run `qc4 calibrate` on the files."
    if case.clusters.nnz > most:
        found = f"{case.clusters.nnz:,} pages in clusters"
        raise InputError([Problem("too-large", "clustering", found, f"{most:,} at most for {draws:,} draws", fix)])
    if len(plan) > CHANCE_MEASURES:
        found = f"{len(plan)} measures and levels"
        raise InputError([Problem("too-many-measures", "measures", found, f"{CHANCE_MEASURES} at most", fix)])
    known = known_chance(question, plan, draws, seed)
    if known is None:
        levels = calibrate_case(case, plan, question.policies, draws, seed, "level")
        gold = case.gold
        known = Calibration(ENGINE_VERSION, gold.query_id, gold.n_pages, question.policies, draws, seed, levels)
        cache.set(_key(question, plan, draws, seed), known, KEPT_SECONDS)
    return known


def _key(question: Question, plan: Plan, draws: int, seed: int) -> str:
    """Of all that goes in, versions of measures and engine included."""
    measures = [(measure.key, measure.version, level) for measure, level in plan]
    parts = [ENGINE_VERSION, FIELDS, question.key, measures, draws, seed]
    return "chance-" + hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

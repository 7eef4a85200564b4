"""Scores of a clustering after "what if" changes to its clusters, and scores of chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Some
from dataclasses import dataclass, fields
from typing import Any

from evaluation.explanations.matrix import SHADES
from evaluation.explanations.pair import CHEAP_ROWS, ExplanationInputs, OfExplanation
from evaluation.limits import ALONE_COMPUTED, CHANCE_MEASURES, CHANCE_SHUFFLED
from evaluation.scoring import cases
from evaluation.scoring.cells import policies_of
from evaluation.scoring.columns import ALL_LEVELS, BoardColumn, columns
from qc4.inputs.view import Level
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.changes import existing_clusters
from qc4.model.clustering import Cluster, Clustering
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import to_plain
from qc4.scoring.calibration import DRAWS, Calibration, calibrate_case
from qc4.scoring.what_if import Changes, DropEffect, changed_scores, one_at_a_time
from qc4.text import Spellings
from qc4.version import ENGINE_VERSION
from work.answers import Answer

MEASURES = ("quality", "coverage", "qc4_f", "f", "bcubed_f", "ari")
"""Measures shown before and after a change; the first `LEADING` of them are compared with chance."""
LEADING = 3
CHANGES = tuple(field.name for field in fields(Changes))
GetList = Callable[[str], Sequence[str]]
"""A function that returns every value given for a URL parameter."""
MeasureOnLevel = tuple[str, str]
"""Key of a measure, and a level as columns have it."""


@dataclass(frozen=True, slots=True)
class ExplanationOptions:
    """Options of the page.

    Attributes:
        shown: measures on their levels.
        named: whether the user named the measures.
        shade: value in the cells of the matrix, one of `SHADES`.
        depth: number of levels in the matrix; None for all.
    """

    policies: Policies
    shown: tuple[BoardColumn, ...]
    named: bool
    shade: str
    depth: int | None

    @property
    def places(self) -> tuple[MeasureOnLevel, ...]:
        """The shown measures and levels."""
        return tuple((column.key, column.level) for column in self.shown)

    @property
    def leading(self) -> tuple[MeasureOnLevel, ...]:
        """The measures to compare with chance: those that the user named, by default quality, coverage and QC4-F."""
        return self.places if self.named else self.places[:LEADING]

    @classmethod
    def of(cls, given: Mapping[str, str], n_levels: int) -> ExplanationOptions:
        """Read the options from URL parameters.

        Args:
            n_levels: number of levels of the gold standard.

        Raises:
            InputError: if a measure, scoring option, shade or depth is unknown.
        """
        keys = split_measures(given.get("measures", ""))
        policies = policies_of(given)
        shown = columns(keys or MEASURES, given.get("level", ""), n_levels, policies)
        shade, depth = given.get("shade") or next(iter(SHADES)), given.get("depth", "")
        if shade not in SHADES:
            raise InputError([Problem("unknown-shade", "shade", repr(shade), f"one of {', '.join(SHADES)}")])
        if depth and not (depth.isascii() and depth.isdigit() and 0 < int(depth[:6]) < 1_000):
            raise InputError([Problem("bad-depth", "depth", repr(depth), "the number of levels to show, 1 or more")])
        return cls(policies, shown, bool(keys), shade, int(depth) if depth else None)


def changes_of(given: GetList, there: Some[str], prefix: str = "") -> Changes:
    """Read the changes from URL parameters, whose values are ids of clusters.

    Ids may be repeated parameters or separated by commas. A value that is itself an id is not split.

    Args:
        there: ids of the existing clusters.
        prefix: prefix of the parameters' names.

    Raises:
        InputError: if a cluster does not exist.
    """
    found = Changes(**{name: _ids(given(prefix + name), there) for name in CHANGES})
    if not found:
        return found
    found = found.spelled_as(Spellings(list(there)))
    existing_clusters(
        Clustering("", tuple(Cluster(id, ()) for id in there)), [id for name in CHANGES for id in getattr(found, name)]
    )
    return found


def _ids(values: Sequence[str], there: Some[str]) -> tuple[str, ...]:
    found = [[value] if value in there else value.split(",") for value in values]
    return tuple(dict.fromkeys(id for ids in found for id in ids if id))


def engine_plan(places: Sequence[MeasureOnLevel]) -> list[tuple[Measure, Level]]:
    """Return the measures and levels as the engine takes them."""
    return [(REGISTRY.get(key), _level(level)) for key, level in places]


def _level(level: str) -> Level:
    if level.isdigit():
        return int(level)
    return "all" if level == ALL_LEVELS else None


# --- Scores after changes to clusters, and without each cluster alone ---


@dataclass(frozen=True, slots=True)
class WhatIfInputs(OfExplanation):
    """Request for the measures before and after changes."""

    of: ExplanationInputs
    measures: tuple[MeasureOnLevel, ...]
    changes: Changes


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """A `qc4.scoring.what_if.WhatIf` as JSON; ``head`` has everything but the lists of clusters and topics."""

    head: dict[str, Any]
    n_clusters: int
    n_topics: int
    clusters: tuple[dict[str, Any], ...]
    topics: tuple[dict[str, Any], ...]


def _compute_changes(asked: WhatIfInputs) -> WhatIfResult:
    row, gold = asked.of.read()
    case, clustering = cases.case(row, gold), cases.clustering(row)
    found = changed_scores(case, clustering, asked.changes, engine_plan(asked.measures), asked.of.policies).to_dict()
    clusters, topics = found.pop("clusters"), found.pop("topics")
    return WhatIfResult(found, len(clusters), len(topics), tuple(clusters), tuple(topics))


def _cost_of_changes(asked: WhatIfInputs) -> float:
    """Return the cost: QC4 twice, plus measures that may compare every two clusters with common pages."""
    return asked.of.rows * (1 + asked.of.overlap * len(asked.measures) / 3)


WHAT_IF = Answer(
    "what-if",
    WhatIfInputs,
    WhatIfResult,
    _compute_changes,
    cost=_cost_of_changes,
    cheap=CHEAP_ROWS,
    parts={"clusters": 100, "topics": 100},
)


@dataclass(frozen=True, slots=True)
class AloneResult:
    """The effect of dropping each cluster alone, sorted by the gain in QC4-F, largest first."""

    n_rows: int
    rows: tuple[DropEffect, ...]


def _compute_alone(asked: ExplanationInputs) -> AloneResult:
    row, gold = asked.read()
    found = one_at_a_time(cases.case(row, gold), asked.policies)
    return AloneResult(len(found), found)


def _cost_of_alone(asked: ExplanationInputs) -> float:
    """Return the cost: QC4 once per cluster, at least half a millisecond each."""
    return asked.rows + asked.n_clusters * (25 + asked.n_memberships / 200)


ONE_AT_A_TIME = Answer(
    "one-at-a-time",
    ExplanationInputs,
    AloneResult,
    _compute_alone,
    cost=_cost_of_alone,
    cheap=CHEAP_ROWS,
    parts={"rows": 100},
)


def is_too_many(asked: ExplanationInputs) -> bool:
    """True if QC4 would take too long for every cluster dropped alone."""
    return asked.n_clusters * (asked.n_memberships + asked.n_topics) > ALONE_COMPUTED


def check_one_at_a_time(asked: ExplanationInputs) -> None:
    """Raise InputError if QC4 would take too long for every cluster dropped alone."""
    if is_too_many(asked):
        expected = f"clusters x (pages in them + topics) of {ALONE_COMPUTED:,} at most"
        fix = "Run `qc4 what-if` on the files. Without a change, it drops each cluster alone."
        raise InputError([Problem("too-large", "clustering", asked.words, expected, fix)])


def gain(column: BoardColumn, change: dict[str, Any]) -> int:
    """Return 1 if a measure gets better, -1 if it gets worse and 0 otherwise."""
    difference = round(change["difference"] or 0.0, 3)
    better = difference if column.measure.better == "higher" else -difference
    return (better > 0) - (better < 0)


# --- Comparison with chance ---


@dataclass(frozen=True, slots=True)
class ChanceInputs(OfExplanation):
    """Request for the measures of a clustering with shuffled pages."""

    of: ExplanationInputs
    measures: tuple[MeasureOnLevel, ...]
    draws: int = DRAWS
    seed: int = 0


def _compute_chance(asked: ChanceInputs) -> dict[str, Any]:
    """Return a `Calibration` as JSON, with the titles of its measures."""
    case, policies = cases.case(*asked.of.read()), asked.of.policies
    levels = calibrate_case(case, engine_plan(asked.measures), policies, asked.draws, asked.seed, "level")
    query, pages = case.gold.query_id, case.gold.n_pages
    found = Calibration(ENGINE_VERSION, query, pages, policies, asked.draws, asked.seed, levels)
    titles = {level.measure: level.title for level in levels}
    return {**found.to_dict(), "titles": titles, "levels": to_plain(levels)}


def _cost_of_chance(asked: ChanceInputs) -> float:
    """Return the cost: at least a tenth of a millisecond per shuffle and measure."""
    each = 5 + asked.of.overlap * asked.of.n_memberships / 300
    return asked.of.rows + asked.draws * len(asked.measures) * each


CHANCE = Answer("chance", ChanceInputs, dict[str, Any], _compute_chance, cost=_cost_of_chance, cheap=CHEAP_ROWS)


def check_chance_size(asked: ChanceInputs) -> None:
    """Raise InputError if there are too many pages to shuffle or measures to compute."""
    of, fix = asked.of, "Run `qc4 calibrate` on the files."
    if of.n_memberships * asked.draws > CHANCE_SHUFFLED:
        most = CHANCE_SHUFFLED // asked.draws
        found, expected = f"{of.n_memberships:,} pages in clusters", f"{most:,} at most for {asked.draws:,} draws"
        raise InputError([Problem("too-large", "clustering", found, expected, fix)])
    if len(asked.measures) > CHANCE_MEASURES:
        found = f"{len(asked.measures)} measures and levels"
        raise InputError([Problem("too-many-measures", "measures", found, f"{CHANCE_MEASURES} at most", fix)])

"""What a clustering would score if some clusters were different, and what chance would score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Some
from dataclasses import dataclass, fields
from typing import Any

from evaluation.explanations.matrix import SHADES
from evaluation.explanations.pair import READ, Explained, OfExplained
from evaluation.limits import ALONE_COMPUTED, CHANCE_MEASURES, CHANCE_SHUFFLED
from evaluation.scoring import cases
from evaluation.scoring.cells import policies_of
from evaluation.scoring.columns import ALL_LEVELS, Column, columns
from qc4.inputs.view import Level
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.changes import known
from qc4.model.clustering import Cluster, Clustering
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import plain
from qc4.scoring.calibration import DRAWS, Calibration, calibrate_case
from qc4.scoring.what_if import Alone, Changes, changed_scores, one_at_a_time
from qc4.text import Spellings
from qc4.version import ENGINE_VERSION
from work.answers import Answer

MEASURES = ("quality", "coverage", "qc4_f", "f", "bcubed_f", "ari")
"""Shown before and after a change; chance levels are told of the first three."""
LEADING = 3
CHANGES = tuple(field.name for field in fields(Changes))
Lists = Callable[[str], Sequence[str]]
"""Every value given under a name."""
Place = tuple[str, str]
"""A measure's key and a level, as columns have it."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a page shows.

    Attributes:
        shade: one of `SHADES`.
        depth: topics of the matrix that lie deeper are left out; None for all.
        shown: measures on their levels.
    """

    policies: Policies
    shown: tuple[Column, ...]
    named: bool
    shade: str
    depth: int | None

    @property
    def places(self) -> tuple[Place, ...]:
        """The measures and levels."""
        return tuple((column.key, column.level) for column in self.shown)

    @property
    def leading(self) -> tuple[Place, ...]:
        """Those that chance levels are told of: all that are named, else quality, coverage and QC4-F."""
        return self.places if self.named else self.places[:LEADING]

    @classmethod
    def of(cls, given: Mapping[str, str], n_levels: int) -> Choices:
        """The choices of an address.

        Args:
            n_levels: levels of the gold standard.

        Raises:
            InputError: unknown measures, policies, shades or depths.
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


def changes_of(given: Lists, there: Some[str], prefix: str = "") -> Changes:
    """The changes asked for: ids under the name of each change, several times or, unless ids hold some, with commas.

    Args:
        there: ids of the clusters that there are.
        prefix: in front of the names.

    Raises:
        InputError: there are no such clusters.
    """
    found = Changes(**{name: _ids(given(prefix + name), there) for name in CHANGES})
    if not found:
        return found
    found = found.spelled_as(Spellings(list(there)))
    known(
        Clustering("", tuple(Cluster(id, ()) for id in there)), [id for name in CHANGES for id in getattr(found, name)]
    )
    return found


def _ids(values: Sequence[str], there: Some[str]) -> tuple[str, ...]:
    found = [[value] if value in there else value.split(",") for value in values]
    return tuple(dict.fromkeys(id for ids in found for id in ids if id))


def plan_of(places: Sequence[Place]) -> list[tuple[Measure, Level]]:
    """Measures on levels as the engine takes them."""
    return [(REGISTRY.get(key), _level(level)) for key, level in places]


def _level(level: str) -> Level:
    if level.isdigit():
        return int(level)
    return "all" if level == ALL_LEVELS else None


# What a clustering would score if some of its clusters were others, and without each of them alone.


@dataclass(frozen=True, slots=True)
class WhatIfAsked(OfExplained):
    """Changes, and the measures on levels that are told before and after."""

    of: Explained
    measures: tuple[Place, ...]
    changes: Changes


@dataclass(frozen=True, slots=True)
class WhatIfFound:
    """As `qc4.scoring.what_if.WhatIf` in JSON; ``head`` is what is no list of clusters and topics."""

    head: dict[str, Any]
    n_clusters: int
    n_topics: int
    clusters: tuple[dict[str, Any], ...]
    topics: tuple[dict[str, Any], ...]


def _compute_changes(asked: WhatIfAsked) -> WhatIfFound:
    row, gold = asked.of.read()
    case, clustering = cases.case(row, gold), cases.clustering(row)
    found = changed_scores(case, clustering, asked.changes, plan_of(asked.measures), asked.of.policies).to_dict()
    clusters, topics = found.pop("clusters"), found.pop("topics")
    return WhatIfFound(found, len(clusters), len(topics), tuple(clusters), tuple(topics))


def _cost_of_changes(asked: WhatIfAsked) -> float:
    """QC4 twice, and the other measures, some of which look at every two clusters that share pages."""
    return asked.of.rows * (1 + asked.of.overlap * len(asked.measures) / 3)


WHAT_IF = Answer(
    "what-if",
    WhatIfAsked,
    WhatIfFound,
    _compute_changes,
    cost=_cost_of_changes,
    cheap=READ,
    parts={"clusters": 100, "topics": 100},
)


@dataclass(frozen=True, slots=True)
class AloneFound:
    """What dropping each cluster alone would do, first those without which QC4-F rises most."""

    n_rows: int
    rows: tuple[Alone, ...]


def _work_out_alone(asked: Explained) -> AloneFound:
    row, gold = asked.read()
    found = one_at_a_time(cases.case(row, gold), asked.policies)
    return AloneFound(len(found), found)


def _cost_of_alone(asked: Explained) -> float:
    """QC4 once for each cluster: of few pages half a millisecond."""
    return asked.rows + asked.n_clusters * (25 + asked.n_memberships / 200)


ONE_AT_A_TIME = Answer(
    "one-at-a-time", Explained, AloneFound, _work_out_alone, cost=_cost_of_alone, cheap=READ, parts={"rows": 100}
)


def is_too_many(asked: Explained) -> bool:
    """Whether a worker would compute QC4 too often on too much."""
    return asked.n_clusters * (asked.n_memberships + asked.n_topics) > ALONE_COMPUTED


def refuse_too_many(asked: Explained) -> None:
    """InputError: a worker would compute QC4 too often on too much."""
    if is_too_many(asked):
        expected = f"clusters x (pages in them + topics) of {ALONE_COMPUTED:,} at most"
        fix = "Run `qc4 what-if` on the files: without a change it drops each cluster alone."
        raise InputError([Problem("too-large", "clustering", asked.words, expected, fix)])


def gain(column: Column, change: dict[str, Any]) -> int:
    """1 where a measure gets better, -1 where worse, 0 where neither."""
    difference = round(change["difference"] or 0.0, 3)
    better = difference if column.measure.better == "higher" else -difference
    return (better > 0) - (better < 0)


# What chance reaches for one clustering.


@dataclass(frozen=True, slots=True)
class ChanceAsked(OfExplained):
    """How often the pages are shuffled, and which measures on which levels are computed then."""

    of: Explained
    measures: tuple[Place, ...]
    draws: int = DRAWS
    seed: int = 0


def _compute_chance(asked: ChanceAsked) -> dict[str, Any]:
    """A `Calibration` in JSON, each level with the title of its measure."""
    case, policies = cases.case(*asked.of.read()), asked.of.policies
    levels = calibrate_case(case, plan_of(asked.measures), policies, asked.draws, asked.seed, "level")
    query, pages = case.gold.query_id, case.gold.n_pages
    found = Calibration(ENGINE_VERSION, query, pages, policies, asked.draws, asked.seed, levels)
    titles = {level.measure: level.title for level in levels}
    return {**found.to_dict(), "titles": titles, "levels": plain(levels)}


def _cost_of_chance(asked: ChanceAsked) -> float:
    """A shuffle is measured in a tenth of a millisecond where there are few pages."""
    each = 5 + asked.of.overlap * asked.of.n_memberships / 300
    return asked.of.rows + asked.draws * len(asked.measures) * each


CHANCE = Answer("chance", ChanceAsked, dict[str, Any], _compute_chance, cost=_cost_of_chance, cheap=READ)


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

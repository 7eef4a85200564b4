"""What a clustering would score if some of its clusters were others, and without each of them alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluation import cases
from evaluation.limits import ALONE_COMPUTED
from evaluation.selectors.columns import Column
from evaluation.selectors.why_asked import READ, Explained, OfExplained
from evaluation.selectors.why_choices import Place, plan_of
from qc4.problems import InputError, Problem
from qc4.scoring.what_if import Alone, Changes, changed_scores, one_at_a_time
from work.answers import Answer


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


def _work_out(asked: WhatIfAsked) -> WhatIfFound:
    row, gold = asked.of.read()
    case, clustering = cases.case(row, gold), cases.clustering(row)
    found = changed_scores(case, clustering, asked.changes, plan_of(asked.measures), asked.of.policies).to_dict()
    clusters, topics = found.pop("clusters"), found.pop("topics")
    return WhatIfFound(found, len(clusters), len(topics), tuple(clusters), tuple(topics))


def _cost(asked: WhatIfAsked) -> float:
    """QC4 twice, and the other measures, some of which look at every two clusters that share pages."""
    return asked.of.rows * (1 + asked.of.overlap * len(asked.measures) / 3)


WHAT_IF = Answer(
    "what-if", WhatIfAsked, WhatIfFound, _work_out, cost=_cost, cheap=READ, parts={"clusters": 100, "topics": 100}
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

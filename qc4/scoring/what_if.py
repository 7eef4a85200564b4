"""Scores of a clustering with hypothetical changes: clusters that are dropped, merged, completed or cleaned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np

from qc4.inputs.view import Level
from qc4.measures.qc4 import ClusterQuality, QC4Result, qc4
from qc4.measures.registry import Measure
from qc4.model.case import Case
from qc4.model.changes import existing_clusters, merged, redistributed, without
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.policies import Policies
from qc4.model.spelling import with_known_pages
from qc4.problems import ProblemList
from qc4.records import Record
from qc4.scoring.results import Score
from qc4.scoring.scoring import check_same_query, score_case, select_measures
from qc4.text import Spellings
from qc4.version import ENGINE_VERSION
from qc4.wording import counted, decimals, quoted, signed

DEFAULT = ("quality", "coverage", "qc4_f")


@dataclass(frozen=True, slots=True)
class Changes(Record):
    """Changes to clusters, which are given by id.

    All changes refer to the original clustering. A dropped cluster cannot be changed in another way; the others first
    gain and lose pages, and are then merged.

    Attributes:
        drop: clusters to remove.
        merge: clusters to merge into one, which gets the position and id of the first.
        complete: clusters that gain the missing pages of their best topic, and so do their ancestors. In a disjoint
            clustering these pages leave their former clusters, so that it stays disjoint; otherwise they also stay
            there.
        clean: clusters that lose their foreign pages, which are not in their best topic; their descendants lose them
            too.
    """

    drop: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()
    complete: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def spelled_as(self, ids: Spellings) -> Changes:
        """Return the same changes with cluster ids in their known Unicode form."""
        return Changes(**{field.name: ids.of_all(getattr(self, field.name)) for field in fields(self)})


class ScoreChange(NamedTuple):
    """A measure on a level before and after; a value that is None is undefined, with the reason."""

    measure: str
    level: Level
    before: float | None
    after: float | None
    difference: float | None
    undefined_before: str | None
    undefined_after: str | None


class ClusterChange(NamedTuple):
    """A cluster that changed. Others keep their quality, which depends on one cluster alone.

    A cluster that does not exist before or after has 0 pages. It then has no quality, as if QC4 excluded it.
    """

    id: str
    size_before: int
    size_after: int
    best_topic_before: str | None
    best_topic_after: str | None
    quality_before: float | None
    quality_after: float | None
    difference: float | None


class TopicChange(NamedTuple):
    """A level-1 topic whose coverage changed."""

    id: str
    before: float
    after: float
    difference: float


class DropEffect(NamedTuple):
    """The gain in quality, coverage and QC4-F from dropping this cluster alone."""

    id: str
    quality: float
    coverage: float
    qc4_f: float


@dataclass(frozen=True, slots=True)
class WhatIf(Record):
    """Scores before and after. ``clustering`` is the changed one; ``clusters`` and ``topics`` are those that
    changed."""

    KEYS = "engine query policies changes sentence scores clusters topics"

    engine: str
    query: str
    policies: Policies
    changes: Changes
    scores: tuple[ScoreChange, ...]
    clusters: tuple[ClusterChange, ...]
    topics: tuple[TopicChange, ...]
    clustering: Clustering
    before: QC4Result
    after: QC4Result

    @property
    def sentence(self) -> str:
        """The effect of the changes on QC4, in words."""
        return _sentence(self)


def what_if(
    gold: GoldStandard,
    clustering: Clustering,
    changes: Changes,
    measures: Iterable[str] | None = None,
    levels: int | str | Iterable[int | str] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
) -> WhatIf:
    """Score a clustering before and after changes.

    Args:
        measures: keys; None for quality, coverage and QC4-F.
        levels, policies: as in `qc4.score`. Measures that need it use nested clusters flattened at the depth of the
            level.

    Raises:
        InputError: as in `qc4.score`; a cluster does not exist; a cluster to complete or clean has no best topic.
    """
    check_same_query(gold, clustering)
    plan = select_measures(gold, DEFAULT if measures is None else measures, levels)
    return changed_scores(Case.build(gold, clustering), clustering, changes, plan, Policies.parse(policies))


def changed_scores(
    case: Case, clustering: Clustering, changes: Changes, plan: Iterable[tuple[Measure, Level]], policies: Policies
) -> WhatIf:
    """Do the same as `what_if` for an existing case and selected measures and levels."""
    plan = list(plan)
    changed = apply_changes(case, clustering, changes)
    other = Case.build(case.gold, changed)
    before, after = qc4(case, policies.recall), qc4(other, policies.recall)
    pairs = zip(*(score_case(each, plan, policies, "level") for each in (case, other)), strict=True)
    return WhatIf(
        engine=ENGINE_VERSION,
        query=case.gold.query_id,
        policies=policies,
        changes=changes,
        scores=tuple(_score_change(one, two) for one, two in pairs),
        clusters=_cluster_changes(clustering, changed, before, after),
        topics=tuple(
            TopicChange(one.id, one.coverage, two.coverage, two.coverage - one.coverage)
            for one, two in zip(before.topics, after.topics, strict=True)
            if one.coverage != two.coverage
        ),
        clustering=changed,
        before=before,
        after=after,
    )


def apply_changes(case: Case, clustering: Clustering, changes: Changes) -> Clustering:
    """Return the changed clustering; ``case`` is the case of the original clustering.

    Raises:
        InputError: a cluster does not exist, or has no best topic.
    """
    clustering, _ = with_known_pages(clustering, Spellings(case.gold.page_ids))
    changes = changes.spelled_as(Spellings([cluster.id for cluster in clustering.clusters]))
    existing_clusters(clustering, [*changes.drop, *changes.merge, *changes.complete, *changes.clean])
    _check_best_topics(case, changes)
    left = without(clustering, changes.drop)
    pages = {cluster.id: frozenset(cluster.pages) for cluster in left.clusters}
    best = _pages_of_best_topics(case, [id for id in (*changes.complete, *changes.clean) if id in pages])
    more = {id: tuple(page for page in best[id] if page not in pages[id]) for id in changes.complete if id in pages}
    fewer = {id: pages[id].difference(best[id]) for id in changes.clean if id in pages}
    redone = redistributed(left, more, fewer)
    there = {cluster.id for cluster in redone.clusters}
    return merged(redone, [id for id in changes.merge if id in there])


def one_at_a_time(case: Case, policies: Policies | None = None) -> tuple[DropEffect, ...]:
    """Return the effect of dropping each remaining cluster alone, the largest gain in QC4-F first.

    QC4 is computed once for each cluster. Clusters that QC4 removes have no effect and are omitted.
    """
    recall = (policies or Policies()).recall
    whole = qc4(case, recall)
    rows = {id: row for row, id in enumerate(case.cluster_ids)}
    found = []
    for id in whole.cluster_ids:
        left = np.delete(np.arange(case.n_clusters), rows[id])
        ids = tuple(case.cluster_ids[row] for row in left.tolist())
        other = qc4(replace(case, clusters=case.clusters[left], cluster_ids=ids, nesting=None), recall)
        gains = (other.quality - whole.quality, other.coverage - whole.coverage, other.qc4_f - whole.qc4_f)
        found.append(DropEffect(id, *gains))
    return tuple(sorted(found, key=lambda one: -one.qc4_f))


def _check_best_topics(case: Case, changes: Changes) -> None:
    with_topic = set(qc4(case).cluster_ids)
    problems = ProblemList()
    for id in dict.fromkeys((*changes.complete, *changes.clean)):
        if id not in with_topic and id not in changes.drop:
            found = f"cluster {quoted(id)}, which QC4 excludes"
            problems.error("no-best-topic", "clusters", found, "a cluster with a best topic", "Drop it, or merge it.")
    problems.refuse_errors()


def _pages_of_best_topics(case: Case, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the pages of each cluster's best topic, in the order of the page list."""
    result, pages = qc4(case), case.gold.hierarchy.pages
    places = {id: place for place, id in enumerate(result.cluster_ids)}
    found = {}
    for id in ids:
        topic = int(result.columns.best_topic[places[id]])
        members = pages.indices[pages.indptr[topic] : pages.indptr[topic + 1]]
        found[id] = tuple(case.gold.page_ids[page] for page in members.tolist())
    return found


def _score_change(before: Score, after: Score) -> ScoreChange:
    difference = None if before.value is None or after.value is None else after.value - before.value
    sides = (before.value, after.value, difference, before.undefined, after.undefined)
    return ScoreChange(before.measure, before.level, *sides)


def _cluster_changes(
    old: Clustering, new: Clustering, before: QC4Result, after: QC4Result
) -> tuple[ClusterChange, ...]:
    pages = {cluster.id: cluster.pages for cluster in new.clusters}
    was = {part.id: part for part in before.clusters}
    will = {part.id: part for part in after.clusters}
    return tuple(
        _cluster_change(cluster.id, len(cluster.pages), len(pages.get(cluster.id, ())), was, will)
        for cluster in old.clusters
        if set(cluster.pages) != set(pages.get(cluster.id, ()))
    )


def _cluster_change(
    id: str, old_size: int, new_size: int, was: Mapping[str, ClusterQuality], will: Mapping[str, ClusterQuality]
) -> ClusterChange:
    one, two = was.get(id), will.get(id)
    return ClusterChange(
        id,
        old_size,
        new_size,
        one.best_topic if one else None,
        two.best_topic if two else None,
        one.quality if one else None,
        two.quality if two else None,
        two.quality - one.quality if one and two else None,
    )


def _sentence(found: WhatIf) -> str:
    if not found.changes:
        return "Nothing is changed."
    before, after = found.before, found.after
    quality, coverage = after.quality - before.quality, after.coverage - before.coverage
    parts = f"quality {signed(quality)}, coverage {signed(coverage)}"
    change = round(after.qc4_f, 3) - round(before.qc4_f, 3)
    done = _describe_changes(found)
    if not change:
        return f"{done}: QC4-F stays at {decimals(after.qc4_f)} ({parts})."
    verb = "rises" if change > 0 else "falls"
    return f"{done}: QC4-F {verb} from {decimals(before.qc4_f)} to {decimals(after.qc4_f)} ({parts})."


def _describe_changes(found: WhatIf) -> str:
    changes = found.changes
    deeds = [
        f"{_clusters(len(changes.drop))} dropped" if changes.drop else "",
        f"{_clusters(len(changes.merge))} merged into one" if len(changes.merge) > 1 else "",
        "a single cluster cannot be merged" if len(changes.merge) == 1 else "",
        f"{_clusters(len(changes.complete))} given the missing pages" if changes.complete else "",
        f"{_clusters(len(changes.clean))} without foreign pages" if changes.clean else "",
    ]
    text = "; ".join(filter(None, deeds))
    return text[0].upper() + text[1:]


def _clusters(number: int) -> str:
    return "one cluster" if number == 1 else counted(number, "cluster")

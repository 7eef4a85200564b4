"""Would the winner change: one pair of algorithms under every other table of scores that there is.

Measures of the same group, levels, policies and gold versions that runs exist for, and curators' own drafts as gold
standards, those that the person may see into.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from accounts.capacity import slow_work
from accounts.person import Person
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_submissions
from evaluation.limits import FOLLOWERS
from evaluation.models import Algorithm, Run
from evaluation.questions import looks_at_vectors
from evaluation.selectors.choice import Choice
from evaluation.selectors.column_means import best_first
from evaluation.selectors.column_scores import compared, filled, set_aside
from evaluation.selectors.columns import Column, columns
from evaluation.selectors.draft_scores import DraftTables, draft_tables
from evaluation.selectors.entries import CALLED, Entry
from evaluation.selectors.former import choice_led_on
from evaluation.selectors.keys import Keep, contents, digest, vars_of
from evaluation.selectors.latest import counting_each, finished, rules_of
from evaluation.selectors.leaderboard import Selection, check_algorithms, select
from evaluation.selectors.methods import source_words
from evaluation.selectors.policy_words import in_words
from evaluation.selectors.query_file_names import names_in_files
from evaluation.selectors.scores import ScoredQuery, stored_and_visible
from evaluation.selectors.standings import means_alone
from evaluation.selectors.tables import Table, read, table
from evaluation.selectors.tested import effort
from qc4.comparison import (
    Alternative,
    Robustness,
    RobustnessRow,
    WithoutQuery,
    robustness,
    robustness_methods_sentence,
    robustness_sentences,
    stays_ahead,
)
from qc4.measures.scoring import FROM_FILES, WITH_VECTORS, computable
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.views.cut import MOST_DEPTHS
from qc4.views.policies import Policies

QUICK_TABLES = 12
"""Up to so many tables are looked at while somebody waits: within about a second."""


@dataclass(frozen=True, slots=True)
class Follower(Record):
    """An algorithm behind the leader.

    Attributes:
        agreeing: under how many tables the leader has the better mean of the two.
        asked: under how many of them the two come in any order.
        turned: the tables under which it is the other way round: "kind: name".
    """

    KEYS = "id=algorithm.pk algorithm=algorithm.name agreeing asked turned"

    algorithm: Algorithm
    agreeing: int
    asked: int
    turned: tuple[str, ...]


@dataclass(frozen=True)
class RobustnessFound(Record):
    """A pair of algorithms under all tables.

    Attributes:
        algorithms: the pair, the one ahead first; None where there is none.
        followers: the leader against those behind it, by stored scores alone; none where a pair was chosen.
        tables: how many tables of stored scores there are.
        drafts_left_out: drafts beyond those looked at, and drafts that do not place every page yet.
        pending: whether it takes long and has not been worked out.
    """

    KEYS = (
        "collection=selection.collection.slug gold_version=selection.version?.number measure=selection.sort "
        "missing=selection.choice.missing policies=selection.choice.policies pending note sentences methods "
        "drafts_left_out followers tables result"
    )

    selection: Selection
    algorithms: tuple[Algorithm, ...]
    result: Robustness | None
    followers: tuple[Follower, ...] = ()
    tables: int = 0
    drafts_left_out: int = 0
    pending: bool = False
    note: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Who is ahead and by how much, under how many other tables that stays so, and on what it hangs."""
        return () if self.result is None else robustness_sentences(self.result)

    @property
    def methods(self) -> str:
        """How it was computed, for a paper."""
        if self.result is None:
            return ""
        return f"{robustness_methods_sentence(self.result, CALLED)} {source_words(self.selection)}."

    @property
    def rows(self) -> tuple[RobustnessRow, ...]:
        """The reference first."""
        return (self.result.reference, *self.result.rows) if self.result else ()


class _Look(NamedTuple):
    """A table of stored scores: which runs, against which version, by which column."""

    kind: str
    name: str
    column: Column
    version: GoldVersion
    runs: dict[int, tuple[Run, ...]]


class _Queries(NamedTuple):
    """The queries of gold versions: all, in whose order scores are stored, and those that somebody may see."""

    stored: dict[int, tuple[ScoredQuery, ...]]
    visible: dict[int, tuple[ScoredQuery, ...]]


def look_for_changes(
    collection: Collection, person: Person, choice: Choice, *, keep: Keep = lambda rows: None, wait: bool = True
) -> RobustnessFound:
    """The leader against the second, or the two chosen algorithms, under every table (collection already checked).

    Args:
        keep: stores what had to be worked out.
        wait: False leaves out what takes long (``pending``).

    Raises:
        InputError: as `select`; another number of chosen algorithms than two.
    """
    if choice.algorithms and len(set(choice.algorithms)) != 2:
        found = f"{len(set(choice.algorithms))}"
        raise InputError([Problem("no-pair", "algorithms", found, "two algorithms, or none for the leader")])
    found_all = select(collection, person, replace(choice, algorithms=(), baseline=None))
    choice = choice_led_on(collection, choice, found_all.algorithms)
    chosen = tuple(dict.fromkeys(choice.algorithms))
    shown = replace(found_all, choice=choice)
    known = {entry.algorithm.pk for entry in found_all.scored}
    check_algorithms(choice, found_all.algorithms)
    if found_all.version is None or len([one for one in found_all.scored if not set_aside(one)]) < 2:
        return RobustnessFound(shown, (), None, note="fewer than two algorithms have scores")
    if not set(chosen) <= known:
        return RobustnessFound(shown, (), None, note="one of these algorithms has no scores against this version")
    references = [one.algorithm.name for one in found_all.scored if one.algorithm.pk in chosen and set_aside(one)]
    if references:
        note = f"{' and '.join(references)}: reference clusterings are shown for scale and are not compared"
        return RobustnessFound(shown, (), None, note=note)
    looks, every = _looks(found_all, person)
    tables = _alternatives(found_all, looks, every, chosen)
    order = _order(found_all)
    names = [entry.algorithm.name for entry in order]
    pair = [entry for pk in chosen for entry in found_all.scored if entry.algorithm.pk == pk] or order[:2]
    if len(pair) < 2:
        return RobustnessFound(shown, (), None, note="fewer than two algorithms are compared by this measure")
    if not _have_both(tables, looks[0], [entry.algorithm.name for entry in pair]):
        note = f"no query has a value of {found_all.sort.measure.title} for both of these algorithms"
        return RobustnessFound(shown, tuple(entry.algorithm for entry in pair), None, note=note)
    drafts = draft_tables(collection, person, pair, found_all.sort, choice, keep, wait=wait)
    of_drafts = _of_drafts(drafts, [entry.algorithm.name for entry in pair], found_all.sort)
    answer = RobustnessFound(
        shown,
        tuple(entry.algorithm for entry in pair),
        None,
        () if chosen else _followers(order, names, tables),
        len(tables),
        drafts.left_out + sum(one.incomplete for one in drafts.tables),
        drafts.pending,
    )
    result = _result([*tables, *of_drafts], pair, choice, keep, wait=wait and not drafts.pending)
    if result is None:
        return replace(answer, pending=True)
    by_name = {algorithm.name: algorithm for algorithm in answer.algorithms}
    return replace(answer, result=result, algorithms=(by_name[result.a], by_name[result.b]))


def _have_both(tables: Sequence[Alternative], reference: _Look, names: Sequence[str]) -> bool:
    """Whether the first table is the one that counts, and a query of it has values of both."""
    if not tables or (tables[0].kind, tables[0].name) != (reference.kind, reference.name):
        return False
    systems = list(tables[0].systems or ())
    return not np.isnan(tables[0].scores[[systems.index(name) for name in names]]).any(axis=0).all()


def _looks(found: Selection, person: Person) -> tuple[list[_Look], _Queries]:
    """The tables there are scores for, the reference first, and the queries of their gold versions."""
    assert found.version is not None  # the caller looked
    of_each: dict[tuple[int, Policies], list[Run]] = defaultdict(list)
    seen = visible_submissions(person, found.collection)
    for run in finished(seen, policies=None).defer("options", "error"):
        if run.gold_version_id is not None:
            of_each[run.gold_version_id, Policies.parse(run.policies)].append(run)
    versions = {run.gold_version_id: run.gold_version for held in of_each.values() for run in held}
    runs = counting_each(of_each, rules_of(seen))
    scored = [version for version in versions.values() if version is not None]
    every = _Queries(*stored_and_visible(scored, person))
    policies, own = found.choice.policies, found.version
    here = runs.get((own.pk, policies), {})
    looks = [_Look("measure", found.sort.measure.title, found.sort, own, here)]
    looks += [_Look("measure", column.measure.title, column, own, here) for column in _of_its_group(found)]
    looks += [_Look("level", column.level_words, column, own, here) for column in _on_other_levels(found)]
    looks += [_Look("cut", column.depth_words, column, own, here) for column in _at_other_depths(found)]
    if found.sort.measure.uses_policies:
        others = [other for version, other in runs if version == own.pk and other != policies]
        looks += [_Look("policy", in_words(other), found.sort, own, runs[own.pk, other]) for other in others]
    for version in sorted(filter(None, versions.values()), key=lambda one: -one.number):
        if version.pk != own.pk and (held := runs.get((version.pk, policies))):
            looks.append(_Look("gold version", f"v{version.number}", found.sort, version, held))
    return looks, every


def _of_its_group(found: Selection) -> list[Column]:
    """The other measures of the same family that runs compute, on the same level where they have it."""
    given = WITH_VECTORS if looks_at_vectors(found.sort.key) else FROM_FILES
    family = found.sort.measure.family
    keys = [one.key for one in computable(given) if one.family == family and one.key != found.sort.key]
    n_levels = len(found.levels) - 1
    return list(columns(keys, found.choice.level, n_levels, found.choice.policies, found.choice.depth)) if keys else []


def _on_other_levels(found: Selection) -> list[Column]:
    n_levels = len(found.levels) - 1
    choice = found.choice
    on_each = (columns((found.sort.key,), level, n_levels, choice.policies, choice.depth)[0] for level in found.levels)
    return [column for column in dict.fromkeys(on_each) if column != found.sort]


def _at_other_depths(found: Selection) -> list[Column]:
    """The column that ranks with nested clusterings cut elsewhere; where none goes deeper that is the finest cut."""
    if not found.sort.measure.view.cuts:
        return []
    deepest = found.deepest
    known = found.sort.depth if found.sort.depth < deepest else 0
    depths = (*range(1, min(deepest, MOST_DEPTHS)), 0) if deepest > 1 else ()
    return [replace(found.sort, depth=depth) for depth in depths if depth != known]


def _alternatives(
    found: Selection, looks: Sequence[_Look], every: _Queries, chosen: Sequence[int]
) -> list[Alternative]:
    """The tables as the engine takes them; those without any value are left out."""
    runs = [run for look in looks for repeats in look.runs.values() for run in repeats]
    stored = read(runs, list(dict.fromkeys(look.column for look in looks)))
    entries = {entry.algorithm.pk: entry for entry in found.scored}
    keys = set(found.choice.queries)
    made = []
    for look in looks:
        rows = [pk for pk in sorted(look.runs) if pk in entries and not set_aside(entries[pk])]
        held = every.stored[look.version.pk]
        asked = [query for query in every.visible[look.version.pk] if not keys or query.key in keys]
        if not rows or not asked:
            continue
        of = table(look.column, [look.runs[pk] for pk in rows], stored, held, asked)
        if (one := _alternative(found, look, of, rows, chosen, entries)) is not None:
            made.append(one)
    return made


def _alternative(
    found: Selection, look: _Look, of: Table, rows: Sequence[int], chosen: Sequence[int], entries: dict[int, Entry]
) -> Alternative | None:
    """With the rule for missing clusterings applied, of those that are compared by this table, and of the pair."""
    values, _ = filled(of, found.choice.missing)
    has = ~np.isnan(values)
    if not has.any():
        return None
    kept = compared(has, [False] * len(rows))[0] | np.isin(rows, chosen)
    names = [entries[pk].algorithm.name for pk, is_in in zip(rows, kept, strict=True) if is_in]
    queries = list(names_in_files(of.queries).values())
    return Alternative(look.kind, look.name, values[kept], names, queries, look.column.measure.better)


def _order(found: Selection) -> list[Entry]:
    """Those that are compared by the measure that ranks, the best first."""
    assert found.question is not None  # there is a version
    means = means_alone(found.question, found.tables([found.sort]))[found.sort].means
    ranked = (entry for entry in found.scored if means[entry.algorithm.pk].compared)
    return best_first(ranked, means, found.sort.measure.better)


def _followers(order: Sequence[Entry], names: Sequence[str], tables: Sequence[Alternative]) -> tuple[Follower, ...]:
    found = []
    for entry in order[1 : FOLLOWERS + 1]:
        ahead = stays_ahead(tables, names[0], entry.algorithm.name)
        turned = tuple(
            f"{one.kind}: {one.name}" for one, is_ahead in zip(tables, ahead, strict=True) if is_ahead is False
        )
        found.append(Follower(entry.algorithm, ahead.count(True), len(ahead) - ahead.count(None), turned))
    return tuple(found)


def _of_drafts(drafts: DraftTables, names: Sequence[str], column: Column) -> list[Alternative]:
    return [
        Alternative("drafts as gold", one.name, one.scores, list(names), list(one.queries), column.measure.better)
        for one in drafts.tables
        if not np.isnan(one.scores).all()
    ]


def _result(
    tables: Sequence[Alternative], pair: Sequence[Entry], choice: Choice, keep: Keep, *, wait: bool
) -> Robustness | None:
    """By content: of the tables' own numbers, so whatever they came from, nothing else can be shown."""
    a, b = (entry.algorithm.name for entry in pair)
    method = {name: value for name, value in vars_of(choice.method).items() if name in {"alpha", "draws", "seed"}}
    facts = [
        [one.kind, one.name, one.better, list(one.systems or ()), list(one.queries or ()), _content(one.scores)]
        for one in tables
    ]
    key = digest("robustness", a, b, method, facts)
    if stored := contents([key]):
        return _unpacked(stored[key])
    slow = len(tables) * effort(choice.method) > QUICK_TABLES
    if slow and not wait:
        return None
    with slow_work("a check of robustness", when=slow):
        result = robustness(tables, a, b, **method)
    keep({key: result.to_dict()})
    return result


def _content(scores: Any) -> str:
    """Of a table's numbers; there may be a million."""
    values = np.asarray(scores, dtype="<f8")
    return hashlib.sha256(np.where(np.isnan(values), np.nan, values).tobytes()).hexdigest()


def _unpacked(content: dict[str, Any]) -> Robustness:
    without = content["without"]
    facts = {
        "reference": RobustnessRow(**content["reference"]),
        "rows": tuple(RobustnessRow(**row) for row in content["rows"]),
        "without": None if without is None else WithoutQuery(**without),
    }
    return Robustness(**(content | facts))

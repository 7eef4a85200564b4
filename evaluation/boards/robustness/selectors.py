"""Would the winner change: a pair of algorithms under every other available table of scores.

The tables are those of other measures of the group, and of levels, scoring options and gold versions with finished
runs. Curators' own drafts count as gold standards if the person may see them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from accounts.person import Person
from annotations.drafts.selectors.listing import own_drafts_seen
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_evaluations, visible_submissions
from evaluation.boards.robustness.draft_scores import DraftTable, OwnDraft, draft_tables
from evaluation.limits import DRAFTS_AS_GOLD, FOLLOWERS
from evaluation.models import Algorithm
from evaluation.ranking.entries import SYSTEM_WORD, Entry
from evaluation.ranking.leaderboard import Selection, check_algorithms, options_with_current_ids, select
from evaluation.ranking.means import best_first
from evaluation.ranking.standings import compared, filled, is_never_ranked, means_without_tests
from evaluation.ranking.tested import (
    ColumnKey,
    ComparisonRequest,
    TestedAlgorithm,
    TestedSelection,
    column_at,
    relative_effort,
    resolve_inputs,
)
from evaluation.ranking.wording import source_words
from evaluation.scoring.cells import looks_at_vectors
from evaluation.scoring.columns import BoardColumn, columns
from evaluation.scoring.effective import (
    EVALUATION_FACTS,
    EvaluationFacts,
    effective_evaluations_by_board,
    finished_of,
    rules_if_any,
)
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.policies import options_in_words
from evaluation.scoring.scores import ScoredQuery, names_in_files, stored_and_visible
from evaluation.scoring.tables import Table
from qc4.inputs.view import MOST_DEPTHS
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.scoring.scoring import FROM_FILES, WITH_VECTORS, computable_measures
from qc4.stats import (
    Alternative,
    Robustness,
    RobustnessRow,
    robustness,
    robustness_methods_sentence,
    robustness_sentences,
    stays_ahead,
)
from work.answers import Answer, Pending

CHEAP_QUERIES = 800
"""Queries, summed over all tables, that are compared in a tenth of a second."""
TABLE_COST, CELL, DRAFT_COST, PLACEMENT_COST = 10, 0.003, 80, 0.2
"""Further cost of each table, score, draft, and page of a draft."""
TOO_FEW = "fewer than two algorithms are compared by this measure"


@dataclass(frozen=True, slots=True)
class Follower(Record):
    """An algorithm behind the leader.

    Attributes:
        agreeing: number of tables in which the leader has the better mean.
        asked: number of tables in which one of the two has the better mean.
        turned: tables in which the other algorithm has the better mean, as "kind: name".
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
        algorithms: the pair, the one ahead first; empty if there is none.
        followers: the algorithms behind the leader, by stored scores alone; empty if a pair was chosen.
        tables: number of tables of stored scores.
        drafts_left_out: number of drafts beyond the maximum or with unassigned pages.
        pending: whether the result is still being computed.
    """

    KEYS = (
        "collection=selection.collection.slug gold_version=selection.version?.number measure=selection.sort "
        "missing=selection.choice.missing policies=selection.choice.policies note sentences methods "
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
        """Which algorithm is ahead and by how much, under how many other tables this holds, and what it depends on."""
        return () if self.result is None else robustness_sentences(self.result)

    @property
    def methods(self) -> str:
        """Description of the method, for a paper."""
        if self.result is None:
            return ""
        return f"{robustness_methods_sentence(self.result, SYSTEM_WORD)} {source_words(self.selection)}."

    @property
    def rows(self) -> tuple[RobustnessRow, ...]:
        """All tables, the reference first."""
        return (self.result.reference, *self.result.rows) if self.result else ()


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of stored scores: one column of one set of scores.

    Attributes:
        of: index in `RobustnessAsked.scores`.
    """

    kind: str
    name: str
    column: ColumnKey
    of: int


@dataclass(frozen=True, slots=True)
class RobustnessInputs:
    """Request to compare a pair, or the leader and the second, under every table.

    Attributes:
        scores: the algorithms against each gold version under each set of scoring options, the reference first.
        stored_tables: the tables, the reference first.
        pair: ids of the chosen algorithms; empty means the leader and the second.
        drafts: drafts that count as gold standards.
        policies: scoring options of the reference, also used for drafts.
    """

    scores: tuple[TestedSelection, ...]
    stored_tables: tuple[StoredTable, ...]
    pair: tuple[int, ...]
    drafts: tuple[OwnDraft, ...]
    policies: Policies

    @property
    def scope(self) -> str:
        return self.scores[0].scope

    @property
    def sources(self) -> Iterator[str]:
        yield from (source for one in self.scores for source in one.sources)
        yield from (f"draft {one.id}" for one in self.drafts)


@dataclass(frozen=True, slots=True)
class StoredFollower:
    """A `Follower` with the algorithm's id, as it is stored."""

    algorithm: int
    agreeing: int
    asked: int
    turned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RobustnessResult:
    """Stored result.

    Attributes:
        pair: ids of the two algorithms; empty if fewer than two are compared.
        incomplete: number of drafts with unassigned pages.
    """

    pair: tuple[int, ...]
    result: Robustness | None = None
    followers: tuple[StoredFollower, ...] = ()
    tables: int = 0
    incomplete: int = 0
    note: str = ""


def _compute(asked: RobustnessInputs) -> RobustnessResult:
    reference, scores = asked.stored_tables[0], resolve_inputs(asked.scores)
    of_each = [
        one.tables(
            list(dict.fromkeys(column_at(stored.column) for stored in asked.stored_tables if stored.of == place))
        )
        for place, one in enumerate(scores)
    ]
    first, column = scores[reference.of].question, column_at(reference.column)
    order = _ranked(first, of_each[reference.of][column])
    known = {entry.algorithm.pk: entry for entry in first.entries}
    pair = [known[pk] for pk in asked.pair] or order[:2]
    if len(pair) < 2:
        return RobustnessResult((), note=TOO_FEW)
    ids, names = tuple(entry.algorithm.pk for entry in pair), [entry.algorithm.name for entry in pair]
    made = (
        _alternative(stored, of_each[stored.of][column_at(stored.column)], scores[stored.of].question, asked.pair)
        for stored in asked.stored_tables
    )
    tables = [one for one in made if one is not None]
    if not _have_both(tables, reference, names):
        return RobustnessResult(
            ids, note=f"no query has a value of {column.measure.title} for both of these algorithms"
        )
    method, missing = first.method, first.missing
    drafts = draft_tables(asked.drafts, pair, column, asked.policies, missing)
    every = [*tables, *_draft_alternatives(drafts, names, column)]
    return RobustnessResult(
        ids,
        robustness(every, *names, alpha=method.alpha, draws=method.draws, seed=method.seed),
        () if asked.pair else tuple(_follower(tables, order[0], entry) for entry in order[1 : FOLLOWERS + 1]),
        len(tables),
        sum(one.incomplete for one in drafts),
    )


def _cost(asked: RobustnessInputs) -> float:
    tables = [asked.scores[stored.of] for stored in asked.stored_tables]
    drawn = sum(len(one.queries) + TABLE_COST for one in tables) * relative_effort(asked.scores[0].method)
    of_drafts = sum(DRAFT_COST + PLACEMENT_COST * one.size for one in asked.drafts)
    return drawn + CELL * sum(one.cells for one in tables) + of_drafts


ROBUSTNESS = Answer("robustness", RobustnessInputs, RobustnessResult, _compute, cost=_cost, cheap=CHEAP_QUERIES)


def check_robustness(collection: Collection, person: Person, choice: BoardOptions) -> RobustnessFound:
    """Compare two algorithms, by default the leader and the second, under every table (collection already checked).

    Raises:
        InputError: as `select`; if algorithms are chosen, but not two.
        Pending: the result is still being computed; the chosen options are its `meanwhile`.
    """
    if choice.algorithms and len(set(choice.algorithms)) != 2:
        size = f"{len(set(choice.algorithms))}"
        raise InputError([Problem("no-pair", "algorithms", size, "two algorithms, or none for the leader")])
    found_all = select(collection, person, replace(choice, algorithms=(), baseline=None))
    choice = options_with_current_ids(collection, choice, found_all.algorithms)
    chosen = tuple(dict.fromkeys(choice.algorithms))
    shown = replace(found_all, choice=choice)
    check_algorithms(choice, found_all.algorithms)
    if found_all.version is None or len([one for one in found_all.scored if not is_never_ranked(one)]) < 2:
        return RobustnessFound(shown, (), None, note="fewer than two algorithms have scores")
    if not set(chosen) <= {entry.algorithm.pk for entry in found_all.scored}:
        return RobustnessFound(shown, (), None, note="one of these algorithms has no scores against this version")
    references = [one.algorithm.name for one in found_all.scored if one.algorithm.pk in chosen and is_never_ranked(one)]
    if references:
        note = f"{' and '.join(references)}: reference clusterings are shown for scale and are not compared"
        return RobustnessFound(shown, (), None, note=note)
    scores, stored_tables = _stored_tables(found_all, person)
    if not stored_tables:
        return RobustnessFound(shown, (), None, note=TOO_FEW)
    drafts = _drafts(found_all, person)
    asked = RobustnessInputs(scores, stored_tables, chosen, tuple(drafts[:DRAFTS_AS_GOLD]), choice.policies)
    try:
        found = ROBUSTNESS.get(asked)
    except Pending as pending:
        raise pending.showing(RobustnessFound(shown, (), None, pending=True)) from None
    pair = [found_all.algorithms[pk] for pk in found.pair]
    if found.result is not None and pair[0].name != found.result.a:
        pair.reverse()
    return RobustnessFound(
        shown,
        tuple(pair),
        found.result,
        tuple(
            Follower(found_all.algorithms[one.algorithm], one.agreeing, one.asked, one.turned)
            for one in found.followers
        ),
        found.tables,
        len(drafts[DRAFTS_AS_GOLD:]) + found.incomplete,
        note=found.note,
    )


def _drafts(found: Selection, person: Person) -> list[OwnDraft]:
    """Return the own drafts that this person may see; none if the measure cannot be computed against drafts."""
    if not set(found.sort.measure.needs) <= FROM_FILES:
        return []
    keys = found.choice.queries
    drafts = own_drafts_seen(person, found.collection)
    return [OwnDraft.of(draft) for draft in drafts if not keys or draft.query.key in keys]


def _stored_tables(found: Selection, person: Person) -> tuple[tuple[TestedSelection, ...], tuple[StoredTable, ...]]:
    """Return the available scores (one set per gold version and scoring options) and their tables, the reference first.

    Both are empty if the reference has no scores.
    """
    assert found.version is not None  # checked by the caller
    own, counting = (found.version.pk, found.choice.policies), _effective_evaluations(found, person)
    versions = GoldVersion.objects.in_bulk({version for version, _ in counting})
    scores = _scores(found, counting, stored_and_visible(versions.values(), person)[1])
    if own not in scores:
        return (), ()
    places = {key: place for place, key in enumerate(scores)}
    stored_tables = [
        *(
            StoredTable("measure", one.measure.title, one.place, places[own])
            for one in (found.sort, *_measures_of_group(found))
        ),
        *(StoredTable("level", one.level_words, one.place, places[own]) for one in _other_levels(found)),
        *(StoredTable("cut", one.depth_words, one.place, places[own]) for one in _other_depths(found)),
    ]
    by = found.sort.place
    others = {key: place for key, place in places.items() if key != own}
    if found.sort.measure.uses_policies:
        under = ((policies, place) for (version, policies), place in others.items() if version == own[0])
        stored_tables += [StoredTable("policy", options_in_words(policies), by, place) for policies, place in under]
    against = [(versions[key[0]].number, place) for key, place in others.items() if key[1] == own[1]]
    stored_tables += [
        StoredTable("gold version", f"v{number}", by, place) for number, place in sorted(against, reverse=True)
    ]
    used = sorted({stored.of for stored in stored_tables})
    tested = tuple(scores.values())
    return tuple(tested[place] for place in used), tuple(
        replace(stored, of=used.index(stored.of)) for stored in stored_tables
    )


def _effective_evaluations(
    found: Selection, person: Person
) -> dict[tuple[int, Policies], dict[int, tuple[EvaluationFacts, ...]]]:
    """Return (gold version, scoring options) -> algorithm id -> its effective evaluations."""
    done = finished_of(visible_evaluations(person, found.collection), policies=None).select_related(None)
    runs: dict[tuple[int, str], list[EvaluationFacts]] = defaultdict(list)
    rules = set()
    fields = ("gold_version_id", "policies", "submission__algorithm__counts", *EVALUATION_FACTS)
    for version, policies, counts, *facts in done.filter(gold_version__isnull=False).values_list(*fields):
        runs[version, json.dumps(policies, sort_keys=True)].append(EvaluationFacts(*facts))
        rules.add(counts)
    counted = effective_evaluations_by_board(runs, rules_if_any(rules, visible_submissions(person, found.collection)))
    return {(version, Policies.parse(json.loads(policies))): of for (version, policies), of in counted.items()}


def _scores(
    found: Selection,
    counting: Mapping[tuple[int, Policies], Mapping[int, Sequence[EvaluationFacts]]],
    seen: Mapping[int, Sequence[ScoredQuery]],
) -> dict[tuple[int, Policies], TestedSelection]:
    """Return (gold version, scoring options) -> scores of the ranked algorithms on the requested queries."""
    names = {entry.algorithm.pk: entry.algorithm.name for entry in found.scored if not is_never_ranked(entry)}
    choice, scores = found.choice, {}
    for (version, policies), counted in counting.items():
        algorithms = tuple(
            TestedAlgorithm(pk, names[pk], tuple(run.pk for run in runs), tuple(run.submission for run in runs))
            for pk, runs in sorted(counted.items())
            if pk in names
        )
        queries = tuple(one.pk for one in seen[version] if not choice.queries or one.key in choice.queries)
        if algorithms and queries:
            scores[version, policies] = TestedSelection(
                found.collection.pk, version, algorithms, queries, choice.missing, choice.method
            )
    return scores


def _measures_of_group(found: Selection) -> list[BoardColumn]:
    """Return the other measures of the same family that runs compute, on the same level if they have levels."""
    given = WITH_VECTORS if looks_at_vectors(found.sort.key) else FROM_FILES
    family = found.sort.measure.family
    keys = [one.key for one in computable_measures(given) if one.family == family and one.key != found.sort.key]
    n_levels = len(found.levels) - 1
    return list(columns(keys, found.choice.level, n_levels, found.choice.policies, found.choice.depth)) if keys else []


def _other_levels(found: Selection) -> list[BoardColumn]:
    n_levels = len(found.levels) - 1
    choice = found.choice
    on_each = (columns((found.sort.key,), level, n_levels, choice.policies, choice.depth)[0] for level in found.levels)
    return [column for column in dict.fromkeys(on_each) if column != found.sort]


def _other_depths(found: Selection) -> list[BoardColumn]:
    """Return the column that ranks, with nested clusterings flattened at every other depth."""
    if not found.sort.measure.view.cuts:
        return []
    deepest = found.deepest
    known = found.sort.depth if found.sort.depth < deepest else 0
    depths = (*range(1, min(deepest, MOST_DEPTHS)), 0) if deepest > 1 else ()
    return [replace(found.sort, depth=depth) for depth in depths if depth != known]


def _have_both(tables: Sequence[Alternative], reference: StoredTable, names: Sequence[str]) -> bool:
    """True if the first table is the reference and has values of both algorithms on at least one query."""
    if not tables or (tables[0].kind, tables[0].name) != (reference.kind, reference.name):
        return False
    systems = list(tables[0].systems or ())
    return not np.isnan(tables[0].scores[[systems.index(name) for name in names]]).any(axis=0).all()


def _alternative(
    stored: StoredTable, of: Table, question: ComparisonRequest, chosen: Sequence[int]
) -> Alternative | None:
    """Return the table for the engine: its compared algorithms and the pair, with missing clusterings filled in.

    Return None if the table has no values.
    """
    values, _ = filled(of, question.missing)
    has = ~np.isnan(values)
    if not has.any():
        return None
    rows = [entry.algorithm.pk for entry in question.entries]
    kept = compared(has, [False] * len(rows))[0] | np.isin(rows, chosen)
    names = [entry.algorithm.name for entry, is_in in zip(question.entries, kept, strict=True) if is_in]
    queries = list(names_in_files(of.queries).values())
    return Alternative(stored.kind, stored.name, values[kept], names, queries, of.column.measure.better)


def _ranked(question: ComparisonRequest, of: Table) -> list[Entry]:
    """Return the algorithms that are compared by the measure that ranks, best first."""
    means = means_without_tests(question, {of.column: of})[of.column].means
    ranked = (entry for entry in question.entries if means[entry.algorithm.pk].compared)
    return best_first(ranked, means, of.column.measure.better)


def _follower(tables: Sequence[Alternative], leader: Entry, entry: Entry) -> StoredFollower:
    ahead = stays_ahead(tables, leader.algorithm.name, entry.algorithm.name)
    turned = tuple(f"{one.kind}: {one.name}" for one, is_ahead in zip(tables, ahead, strict=True) if is_ahead is False)
    return StoredFollower(entry.algorithm.pk, ahead.count(True), len(ahead) - ahead.count(None), turned)


def _draft_alternatives(drafts: Sequence[DraftTable], names: Sequence[str], column: BoardColumn) -> list[Alternative]:
    return [
        Alternative("drafts as gold", one.name, one.scores, list(names), list(one.queries), column.measure.better)
        for one in drafts
        if not np.isnan(one.scores).all()
    ]

"""Effect of a gold version on algorithms: their means and ranks by one measure, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from accounts.person import Person
from annotations.challenges.access import visible_entries
from annotations.models import Collection, GoldVersion
from evaluation.models import Algorithm
from evaluation.ranking.board import Board
from evaluation.ranking.leaderboard import (
    Selection,
    check_algorithms,
    leaderboard,
    options_with_current_ids,
    select,
)
from evaluation.ranking.means import Mean
from evaluation.ranking.standings import is_never_ranked
from evaluation.ranking.wording import source_facts, source_words
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.options import BoardOptions
from qc4.records import Record
from qc4.stats import gold_words
from qc4.wording import counted as number_of
from work.answers import Pending


@dataclass(frozen=True, slots=True)
class RankChange(Record):
    """An algorithm's means and ranks among those with scores against both versions.

    Attributes:
        difference: mean after minus mean before.
    """

    KEYS = "id=algorithm.pk algorithm=algorithm.name before after difference"

    algorithm: Algorithm
    before: Mean
    after: Mean

    @property
    def difference(self) -> float | None:
        if self.before.value is None or self.after.value is None:
            return None
        return self.after.value - self.before.value

    @property
    def sides(self) -> tuple[Mean, Mean]:
        return self.before, self.after

    @property
    def ranks(self) -> tuple[int, int] | None:
        """The ranks before and after; None if one of the versions does not rank the algorithm."""
        if self.before.rank is None or self.after.rank is None:
            return None
        return self.before.rank, self.after.rank


@dataclass(frozen=True)
class GoldRanks(Record):
    """The same algorithms ranked against two gold versions, best after the change first.

    Attributes:
        changed: keys of the queries in both versions whose gold standard differs.
        added, dropped: keys of the queries in only one version.
        choice: the requested options.
        boards: leaderboards before and after; None if no algorithm has scores against both.
        selection: the data selected for the version after.
        pending: whether the ranks so far follow the means alone.
    """

    KEYS = (
        "collection=collection.slug before=before?.number after=after.number measure=column missing=choice.missing "
        "policies=choice.policies note|null sentence methods changed added dropped rows"
    )

    collection: Collection
    before: GoldVersion | None
    after: GoldVersion
    selection: Selection
    choice: BoardOptions
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    boards: tuple[Board, Board] | None = None

    @property
    def note(self) -> str:
        """Which of the chosen options has no effect here; empty if all have an effect."""
        if self.choice.baseline is None:
            return ""
        return "The baseline has no effect here: places are based on the tests of all pairs."

    @property
    def column(self) -> BoardColumn | None:
        """The measure that ranks."""
        return self.boards[1].sort if self.boards else None

    @property
    def pending(self) -> bool:
        return any(board.pending for board in self.boards or ())

    @cached_property
    def rows(self) -> tuple[RankChange, ...]:
        if self.boards is None:
            return ()
        before: Mapping[int, Mean | None] = {row.algorithm.pk: row.mean for row in self.boards[0].rows}
        pairs = ((row, before.get(row.algorithm.pk)) for row in self.boards[1].rows)
        return tuple(RankChange(row.algorithm, old, row.mean) for row, old in pairs if row.mean and old)

    @cached_property
    def sentence(self) -> str:
        """How many algorithms change rank, and whether the leader changes."""
        ranked = [(row, row.ranks) for row in self.rows if row.ranks]
        if not ranked or self.before is None or self.boards is None:
            return ""
        moved = sum(ranks[0] != ranks[1] for _, ranks in ranked)
        leaders = [[row.algorithm.name for row, ranks in ranked if ranks[side] == 1] for side in (0, 1)]
        still = " and ".join(leaders[1])
        led = f"{still} still leads" if leaders[0] == leaders[1] else f"{' and '.join(leaders[0])} led, {still} leads"
        change, by = "change" if moved != 1 else "changes", self.boards[1].sort.measure.title
        return (
            f"{moved or 'None'} of {number_of(len(ranked), 'algorithm')} {change} rank by {by} from "
            f"gold v{self.before.number} to v{self.after.number}; {led}."
        )

    @property
    def methods(self) -> str:
        """Description of the method, for a paper."""
        if self.before is None or self.boards is None:
            return ""
        sizes = " and ".join(f"{board.standing.queries:,}" for board in self.boards)
        how = self.boards[1].choice.method
        return (
            f"Means of {self.boards[1].sort.measure.title} of the algorithms with scores against both gold versions, "
            f"over {sizes} queries; places with {100 * how.confidence:g} % confidence from the tests of all pairs "
            f"within each version, {how.draws:,} draws, seed {how.seed}. Before: "
            f"{gold_words(source_facts(self.selection, self.before))}. After: {source_words(self.selection)}."
        )


def compare_versions(
    version: GoldVersion,
    person: Person,
    choice: BoardOptions,
    before: int | None = None,
) -> GoldRanks:
    """Compare a gold version (already checked) with another, by default the previous one.

    The numbers are those of the leaderboard, limited to the algorithms with scores against both versions.

    Args:
        before: number of the other version.

    Raises:
        InputError: as `leaderboard`, for either version.
        Pending: a leaderboard is still being computed; the ranks so far are its `meanwhile`.
    """
    collection = version.collection
    number = version.number - 1 if before is None else before
    choices = [
        replace(choice, gold=of, algorithms=(), baseline=None, family="shown") for of in (number, version.number)
    ]
    if number < 1:
        return GoldRanks(collection, None, version, select(collection, person, choices[1]), choice)
    selections = [select(collection, person, one) for one in choices]
    choice = options_with_current_ids(collection, choice, selections[1].algorithms)
    check_algorithms(choice, selections[1].algorithms)
    old = selections[0].version
    assert old is not None  # `select` raises if the named version does not exist
    found = GoldRanks(collection, old, version, selections[1], choice, *_changed_queries(old, version, person))
    ids = [{entry.algorithm.pk for entry in selection.scored if not is_never_ranked(entry)} for selection in selections]
    both = ids[0] & ids[1]
    if choice.algorithms:
        both &= set(choice.algorithms)
    if not both:
        return found
    of, by = tuple(sorted(both)), selections[1].sort.key
    sides, pending = [], False
    for one in choices:
        try:
            sides.append(leaderboard(collection, person, replace(one, measures=(by,), sort=by, algorithms=of)))
        except Pending as is_pending:
            if not isinstance(is_pending.meanwhile, Board):
                raise
            sides.append(is_pending.meanwhile)
            pending = True
    found = replace(found, boards=(sides[0], sides[1]))
    if pending:
        raise Pending(found)
    return found


def _changed_queries(
    before: GoldVersion, after: GoldVersion, person: Person
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the keys of changed, added and dropped queries, with one database query."""
    rows = visible_entries(person, before, after).order_by("query__position", "query__pk")
    golds: dict[int, dict[str, int]] = {before.pk: {}, after.pk: {}}
    for version, key, gold in rows.values_list("version_id", "query__key", "gold_id"):
        golds[version][key] = gold
    old, new = golds[before.pk], golds[after.pk]
    return (
        tuple(key for key, gold in new.items() if key in old and old[key] != gold),
        tuple(key for key in new if key not in old),
        tuple(key for key in old if key not in new),
    )

"""What a comparison of a few algorithms is asked for, and what it says: in words, in figures, query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from common.parameters import Parameters, parse_number
from evaluation.ranking.board import lost_baseline
from evaluation.ranking.entries import CALLED, chosen_words
from evaluation.ranking.leaderboard import Selection
from evaluation.ranking.wording import about
from evaluation.scoring.columns import Column
from evaluation.scoring.options import Choice
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.stats import (
    About,
    Comparison,
    FOfMeans,
    Scores,
    WhereBetter,
    covariate_sentence,
    leader_sentence,
    methods_sentence,
    pair_sentence,
)
from qc4.wording import quoted


@dataclass(frozen=True, slots=True)
class Asked:
    """A choice, the two algorithms that are looked at query by query, and the one that others are drawn against.

    Attributes:
        pair: the ids of the two; empty means the best two, or the best and the baseline.
        row: the id of the one; None means the baseline, or the best.
    """

    choice: Choice
    pair: tuple[int, ...] = ()
    row: int | None = None

    @classmethod
    def read(cls, parameters: Parameters) -> Asked:
        """What an address asks for.

        Raises:
            InputError: as `Choice.of_one_measure`; a pair that is not two ids, a row that is not one.
        """
        return cls(Choice.of_one_measure(parameters), _pair(parameters), _row(parameters))

    def parameters(self) -> dict[str, list[str]]:
        """As an address has them: name -> values."""
        pair = {"pair": [",".join(map(str, self.pair))]} if self.pair else {}
        row = {} if self.row is None else {"row": [str(self.row)]}
        return self.choice.parameters() | pair | row


@dataclass(frozen=True, slots=True)
class Contender(Record):
    """An algorithm that is compared, and the submission whose scores count.

    Attributes:
        counts: why this one: "latest", "best by QC4-F", "pinned".
    """

    TITLE = "ComparedAlgorithm"

    id: int
    name: str
    baseline: str
    submission: int
    counts: str = "latest"
    submitted_by: str | None = None
    submitted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotCompared(Record):
    """An algorithm that was asked for and is not compared."""

    id: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class QueryDifference(Record):
    """Two algorithms on one query.

    Attributes:
        query: its key.
        a, b: what the algorithms score; None where there is nothing that counts.
        difference: by how much a is better, whichever direction is; None where the query is not compared.
        a_missing: whether a has no clustering of it; ``b_missing`` likewise.
        reason: why it is not compared.
    """

    query: str
    text: str
    a: float | None
    b: float | None
    difference: float | None
    a_missing: bool = False
    b_missing: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairLook(Record):
    """Two of the algorithms, query by query.

    Attributes:
        differences: of all queries that were asked for, in the order of the collection.
        where: the differences by facts of the queries; None while that is worked out, and for one query.
        trends: the same in words.
    """

    KEYS = "a b sentence differences where trends"

    a: Contender
    b: Contender
    sentence: str
    differences: tuple[QueryDifference, ...]
    where: WhereBetter | None = None

    @property
    def trends(self) -> tuple[str, ...]:
        found = self.where
        return () if found is None else tuple(covariate_sentence(found, fact) for fact in found.covariates)


@dataclass(frozen=True)
class Compared(Record):
    """Some algorithms of a collection compared by one measure.

    Attributes:
        collection: its slug.
        gold_version: its number.
        algorithms: those that are compared, the best first.
        not_compared: those that were asked for and have too few values, and why.
        left_off: how many were asked for beyond the most that are compared.
        baseline_note: why they are not compared with the baseline that was asked for; None where they are.
        sentence: of two, which is better; else which could be the best of all that are tested together.
        methods: how it was done, for a paper.
        permalink: the address of the page with everything spelled out.
        comparison: every figure; None where there is nothing to compare.
        pair: two of the algorithms, query by query.
        pending: whether the comparison is being worked out.
        is_partial: whether something beside it is.
        scores: of all that are tested together, as they count.
        f_of_means: the F of the means of quality and coverage, where QC4-F is compared.
    """

    KEYS = (
        "collection=slug gold_version=selection.version?.number measure=column policies=selection.choice.policies "
        "algorithms not_compared left_off baseline_note|null sentence methods permalink comparison pair "
        "f_of_means"
    )
    TITLE = "AlgorithmsCompared"

    asked: Asked
    selection: Selection
    algorithms: tuple[Contender, ...]
    not_compared: tuple[NotCompared, ...]
    left_off: int
    comparison: Comparison | None
    pair: PairLook | None
    pending: bool = False
    is_partial: bool = False
    scores: Scores | None = None
    f_of_means: FOfMeans | None = None

    @property
    def slug(self) -> str:
        return self.selection.collection.slug

    @property
    def column(self) -> Column:
        return self.selection.sort

    @property
    def policies(self) -> Policies:
        return self.selection.choice.policies

    @property
    def baseline_note(self) -> str:
        """Why nobody is compared with the baseline that was asked for; empty where somebody is."""
        pk = self.selection.choice.baseline
        if pk is None or self.comparison is None or self.comparison.baseline is not None:
            return ""
        why = next((one.reason for one in self.not_compared if one.id == pk), "it has no scores")
        return lost_baseline(self.selection.algorithms[pk].name, why)

    @property
    def sentence(self) -> str:
        if self.comparison is None:
            return ""
        if len(self.comparison.systems) == 2 and len(self.comparison.pairs) == 1:
            return pair_sentence(self.comparison, self.comparison.pairs[0])
        return leader_sentence(self.comparison, CALLED)

    @property
    def about(self) -> About:
        """What it was made on."""
        return about(self.selection, measure=self.column.named(self.selection.deepest))

    @property
    def methods(self) -> str:
        """With measure, collection, gold version and engine."""
        if self.comparison is None:
            return ""
        return methods_sentence(self.comparison, self.about, CALLED) + chosen_words(self.selection.entries)

    @property
    def spelled_out(self) -> Asked:
        """The question with what its defaults came to."""
        found = self.selection
        choice = replace(
            found.choice,
            measures=tuple(column.key for column in found.columns),
            sort=found.sort.key,
            gold=found.version.number if found.version else None,
            algorithms=tuple(entry.algorithm.pk for entry in found.entries),
        )
        return Asked(choice, (self.pair.a.id, self.pair.b.id) if self.pair else (), self.asked.row)

    @property
    def permalink(self) -> str:
        query = urlencode(self.spelled_out.parameters(), doseq=True, safe=",")
        return f"{reverse('compare', args=[self.slug])}?{query}"

    @property
    def contenders(self) -> Mapping[str, Contender]:
        """Name -> who is compared."""
        return {one.name: one for one in self.algorithms}

    @property
    def reference(self) -> Contender | None:
        """The algorithm that the others are drawn against: the one chosen, the baseline, or the best that is shown."""
        found = self.comparison
        if found is None:
            return None
        chosen = next((one for one in self.algorithms if one.id == self.asked.row), None)
        if found.baseline is not None or chosen is None:
            return self.contenders.get(found.baseline or found.leader.system)
        return chosen


def _row(parameters: Parameters) -> int | None:
    text = next((one for one in parameters.getlist("row") if one), "")
    if not text:
        return None
    number = parse_number(text)
    if number is None:
        raise InputError([Problem("unknown-algorithm", "row", repr(text[:40]), "the id of an algorithm")])
    return number


def _pair(parameters: Parameters) -> tuple[int, ...]:
    text = ",".join(one for one in parameters.getlist("pair") if one)
    if not text:
        return ()
    ids = tuple(number for one in text.split(",") if (number := parse_number(one)) is not None)
    if len(set(ids)) != 2 or text.count(",") != 1:
        raise InputError([Problem("no-pair", "pair", quoted(text, 40), "the ids of two algorithms, such as 3,7")])
    return ids

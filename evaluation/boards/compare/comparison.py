"""The options of a comparison and its result: sentences, numbers, and two algorithms query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from common.parameters import Parameters, parse_number
from evaluation.ranking.board import unusable_baseline_note
from evaluation.ranking.entries import SYSTEM_WORD, rule_sentences
from evaluation.ranking.leaderboard import Selection
from evaluation.ranking.wording import source_facts
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.options import BoardOptions
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.stats import (
    Comparison,
    ComparisonContext,
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
class ComparisonOptions:
    """Options of a comparison.

    Attributes:
        pair: ids of the two algorithms to show query by query; empty means the best two, or the best and the baseline.
        row: id of the algorithm that differences are shown from; None means the baseline, or the best.
    """

    choice: BoardOptions
    pair: tuple[int, ...] = ()
    row: int | None = None

    @classmethod
    def read(cls, parameters: Parameters) -> ComparisonOptions:
        """Read the options from a URL's query.

        Raises:
            InputError: as `Choice.of_one_measure`; if the pair is not two ids or the row is not one.
        """
        return cls(BoardOptions.of_one_measure(parameters), _pair(parameters), _row(parameters))

    def parameters(self) -> dict[str, list[str]]:
        """Return the URL parameters: name -> values."""
        pair = {"pair": [",".join(map(str, self.pair))]} if self.pair else {}
        row = {} if self.row is None else {"row": [str(self.row)]}
        return self.choice.parameters() | pair | row


@dataclass(frozen=True, slots=True)
class ComparedAlgorithm(Record):
    """An algorithm in the comparison, with its effective submission.

    Attributes:
        counts: the rule that chose the submission: "latest", "best by QC4-F", "pinned".
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
    """A requested algorithm that cannot be compared, with the reason."""

    id: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class QueryDifference(Record):
    """The scores of two algorithms on one query.

    Attributes:
        query: key of the query.
        a, b: scores of the two algorithms; None if there is no value.
        difference: how much better a is than b, whichever direction of the measure is better; None if the query is not
            compared.
        a_missing, b_missing: whether the algorithm has no clustering of the query.
        reason: why the query is not compared.
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
class PairComparison(Record):
    """Two of the algorithms, query by query.

    Attributes:
        differences: one per requested query, in the collection's order.
        where: differences grouped by properties of the queries; None while they are being computed, and for one query.
        trends: a sentence per property.
    """

    KEYS = "a b sentence differences where trends"

    a: ComparedAlgorithm
    b: ComparedAlgorithm
    sentence: str
    differences: tuple[QueryDifference, ...]
    where: WhereBetter | None = None

    @property
    def trends(self) -> tuple[str, ...]:
        found = self.where
        return () if found is None else tuple(covariate_sentence(found, fact) for fact in found.covariates)


@dataclass(frozen=True)
class AlgorithmComparison(Record):
    """A comparison of a collection's algorithms by one measure.

    Attributes:
        collection: slug of the collection.
        gold_version: number of the gold version.
        algorithms: the compared algorithms, best first.
        not_compared: requested algorithms with too few values, and why.
        left_off: number of requested algorithms beyond the maximum.
        baseline_note: why the algorithms are not compared with the requested baseline; None if they are.
        sentence: which of two algorithms is better; for more, which of all those tested together could be the best.
        methods: description of the method, for a paper.
        permalink: URL of the page with every option spelled out.
        comparison: all numbers; None if there is nothing to compare.
        pair: two of the algorithms, query by query.
        pending: whether the comparison is still being computed.
        is_partial: whether another part is still being computed.
        scores: effective scores of all algorithms that are tested together.
        f_of_means: harmonic mean of mean quality and mean coverage, if QC4-F is compared.
    """

    KEYS = (
        "collection=slug gold_version=selection.version?.number measure=column policies=selection.choice.policies "
        "algorithms not_compared left_off baseline_note|null sentence methods permalink comparison pair "
        "f_of_means"
    )
    TITLE = "AlgorithmsCompared"

    asked: ComparisonOptions
    selection: Selection
    algorithms: tuple[ComparedAlgorithm, ...]
    not_compared: tuple[NotCompared, ...]
    left_off: int
    comparison: Comparison | None
    pair: PairComparison | None
    pending: bool = False
    is_partial: bool = False
    scores: Scores | None = None
    f_of_means: FOfMeans | None = None

    @property
    def slug(self) -> str:
        return self.selection.collection.slug

    @property
    def column(self) -> BoardColumn:
        return self.selection.sort

    @property
    def policies(self) -> Policies:
        return self.selection.choice.policies

    @property
    def baseline_note(self) -> str:
        """Why no algorithm is compared with the requested baseline; empty if they are."""
        pk = self.selection.choice.baseline
        if pk is None or self.comparison is None or self.comparison.baseline is not None:
            return ""
        why = next((one.reason for one in self.not_compared if one.id == pk), "it has no scores")
        return unusable_baseline_note(self.selection.algorithms[pk].name, why)

    @property
    def sentence(self) -> str:
        if self.comparison is None:
            return ""
        if len(self.comparison.systems) == 2 and len(self.comparison.pairs) == 1:
            return pair_sentence(self.comparison, self.comparison.pairs[0])
        return leader_sentence(self.comparison, SYSTEM_WORD)

    @property
    def about(self) -> ComparisonContext:
        """The data that the comparison is based on."""
        return source_facts(self.selection, measure=self.column.named(self.selection.deepest))

    @property
    def methods(self) -> str:
        """The method with measure, collection, gold version and engine."""
        if self.comparison is None:
            return ""
        return methods_sentence(self.comparison, self.about, SYSTEM_WORD) + rule_sentences(self.selection.entries)

    @property
    def spelled_out(self) -> ComparisonOptions:
        """The options with every default replaced by its actual value."""
        found = self.selection
        choice = replace(
            found.choice,
            measures=tuple(column.key for column in found.columns),
            sort=found.sort.key,
            gold=found.version.number if found.version else None,
            algorithms=tuple(entry.algorithm.pk for entry in found.entries),
        )
        return ComparisonOptions(choice, (self.pair.a.id, self.pair.b.id) if self.pair else (), self.asked.row)

    @property
    def permalink(self) -> str:
        query = urlencode(self.spelled_out.parameters(), doseq=True, safe=",")
        return f"{reverse('compare', args=[self.slug])}?{query}"

    @property
    def contenders(self) -> Mapping[str, ComparedAlgorithm]:
        """Name -> compared algorithm."""
        return {one.name: one for one in self.algorithms}

    @property
    def reference(self) -> ComparedAlgorithm | None:
        """The algorithm that differences are shown from: the chosen one, the baseline, or the best one shown."""
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

"""Model selection over the sweeps of a collection: PAC-MDL bounds for every clustering of each query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from accounts.person import Person
from annotations.collections.selectors import queries_named
from annotations.gold.selectors import latest_golds
from annotations.models import Collection, Gold
from evaluation.access import visible_submissions
from evaluation.models import Clustering, Submission
from evaluation.scoring import cases
from evaluation.scoring.effective import last_by_key
from evaluation.selection.figures import AllFigures, Figures, all_figures
from qc4.inputs.undefined import Undefined
from qc4.model.policies import Policies
from qc4.model.structure import MAX_LEVELS
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record
from qc4.selection import (
    FRACTIONS,
    LANGUAGES,
    SAMPLINGS,
    Candidate,
    Language,
    ModelSelection,
    Sampling,
    labels_and_clusters,
    select_model,
)
from qc4.wording import counted
from work.answers import Answer, InputsDeleted, Pending

CHEAP_PAGES = 6_000
"""Pages x clusterings that are judged in a tenth of a second; each clustering adds the cost of `CLUSTERING` pages."""
CLUSTERING_COST = 60
DELTAS = (0.01, 0.05, 0.1, 0.2)
OVERLAPS: tuple[Literal["refuse", "first"], ...] = ("refuse", "first")


@dataclass(frozen=True, slots=True)
class SelectionChoices(Record):
    """Options of model selection.

    Attributes:
        query: key of a query; empty for all queries.
        level: level whose topics are the labels.
        fraction: share of train pages in the figures that show only one share, one of `FRACTIONS`.
        language: language of the bounds that are drawn against the number of clusters.
        delta: probability that a bound does not hold, one of `DELTAS`.
        sampling: how train pages are drawn; bounds are guaranteed only for ``uniform``.
        overlap: ``refuse`` leaves queries with pages in several topics undefined; ``first`` uses a page's first topic;
            empty means ``refuse``, or ``first`` if that leaves no query.
    """

    TITLE = "SelectionChoices"

    query: str = ""
    level: int = 1
    fraction: float = 0.5
    language: Language = "init"
    delta: float = 0.1
    overlap: Literal["refuse", "first", ""] = ""
    sampling: Sampling = "uniform"


@dataclass(frozen=True, slots=True)
class SweepSetting(Record):
    """The setting of a sweep that a submission's clusterings were made with."""

    submission: int
    algorithm: str
    clusters: int
    initialisation: int


@dataclass(frozen=True, slots=True)
class SelectionInputs:
    """Request to judge a sweep.

    Attributes:
        golds: (query id, gold standard id or None) for each query.
        pages: number of pages of these gold standards, for the cost.
        overlap: as in `SelectionChoices`.
    """

    collection: int
    golds: tuple[tuple[int, int | None], ...]
    settings: tuple[SweepSetting, ...]
    level: int
    delta: float
    sampling: Sampling
    overlap: Literal["refuse", "first", ""]
    pages: int

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> Iterator[str]:
        return (f"submission {one.submission}" for one in self.settings)


@dataclass(frozen=True, slots=True)
class SelectionResult:
    """Stored result; queries are ids.

    Attributes:
        queries: queries with a selection.
        undefined: query -> why it has no selection.
        left_out: query -> excluded clusterings, with reasons.
        figures: figures for every fraction; None if no query has a selection.
        overlap: how pages in several topics were counted.
    """

    queries: tuple[int, ...]
    undefined: Mapping[int, str]
    left_out: Mapping[int, tuple[str, ...]]
    figures: AllFigures | None
    overlap: Literal["refuse", "first"]


def _compute(asked: SelectionInputs) -> SelectionResult:
    submissions = [one.submission for one in asked.settings]
    wanted = {gold for _, gold in asked.golds if gold is not None}
    golds = Gold.objects.select_related("query", "file").in_bulk(wanted)
    if len(golds) < len(wanted) or Submission.objects.filter(pk__in=submissions).count() < len(set(submissions)):
        raise InputsDeleted
    for overlap in OVERLAPS if not asked.overlap else (asked.overlap,):
        found: dict[int, ModelSelection] = {}
        undefined, left_out = {}, {}
        for query, pk in asked.golds:
            try:
                if pk is None:
                    raise Undefined("no gold standard is published")
                found[query], left = _judge_query(golds[pk], asked, overlap)
            except Unjudged as reason:
                undefined[query], left = str(reason), reason.left_out
            except Undefined as reason:
                undefined[query], left = str(reason), ()
            if left:
                left_out[query] = left
        if found:
            break
    figures = all_figures(list(found.values()), asked.delta, asked.sampling) if found else None
    return SelectionResult(tuple(found), undefined, left_out, figures, overlap)


def _cost(asked: SelectionInputs) -> float:
    return (
        (asked.pages + CLUSTERING_COST * len(asked.golds))
        * len(asked.settings)
        * (1 if asked.overlap else len(OVERLAPS))
    )


SELECTION = Answer("model-selection", SelectionInputs, SelectionResult, _compute, cost=_cost, cheap=CHEAP_PAGES)


@dataclass(frozen=True, slots=True)
class JudgedSweep(Record):
    """Model selection for a query or a collection: everything that the page shows.

    Attributes:
        settings: settings of the sweeps that this person may see; empty if there are none.
        queries: keys of the queries with a selection.
        undefined: key of a query -> why it has no selection.
        left_out: key of a query -> excluded clusterings, with reasons.
        pending: whether the result is still being computed.
    """

    TITLE = "Selection"
    KEYS = "choices queries settings undefined left_out figures"

    choices: SelectionChoices
    settings: tuple[SweepSetting, ...]
    queries: tuple[str, ...] = ()
    undefined: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    figures: Figures | None = None
    pending: bool = False

    @property
    def asked(self) -> int:
        """Number of requested queries."""
        return len(self.queries) + len(self.undefined)


def read_choices(given: Mapping[str, str]) -> SelectionChoices:
    """Read the options from URL parameters; missing ones have their defaults.

    Raises:
        InputError: if values are invalid; all of them are listed.
    """
    known: dict[str, Mapping[str, float | str]] = {
        "level": {str(level): level for level in range(1, MAX_LEVELS + 1)},
        "fraction": {f"{fraction:g}": fraction for fraction in FRACTIONS},
        "language": {language: language for language in LANGUAGES},
        "delta": {f"{delta:g}": delta for delta in DELTAS},
        "overlap": {overlap: overlap for overlap in OVERLAPS},
        "sampling": {sampling: sampling for sampling in SAMPLINGS},
    }
    chosen: dict[str, Any] = {"query": given.get("query", "")}
    problems = []
    for name, values in known.items():
        text = given.get(name, "")
        if text in values:
            chosen[name] = values[text]
        elif text:
            expected = "a level, 1 or more" if name == "level" else f"one of {', '.join(values)}"
            problems.append(Problem("unknown-choice", name, repr(text), expected))
    if problems:
        raise InputError(problems)
    return SelectionChoices(**chosen)


def judge(collection: Collection, person: Person, choices: SelectionChoices) -> JudgedSweep:
    """Judge the sweeps of a collection (already checked) that this person may see.

    The options in the result say how pages in several topics count, even if the URL does not.

    Raises:
        InputError: if the query does not exist.
        Pending: the result is still being computed; the chosen options are its `meanwhile`.
    """
    settings = settings_of(collection, person)
    queries = list(collection.queries.order_by("position", "pk"))
    if choices.query:
        problems = ProblemList()
        queries = queries_named(collection, [choices.query], "query", problems)
        problems.refuse_errors()
        choices = replace(choices, query=queries[0].key)
    if not settings:
        return JudgedSweep(choices, ())
    known = latest_golds(collection, person)
    golds = {query.pk: known.get(query.pk) for query in queries}
    asked = SelectionInputs(
        collection.pk,
        tuple((query, gold.pk if gold else None) for query, gold in golds.items()),
        settings,
        choices.level,
        choices.delta,
        choices.sampling,
        choices.overlap,
        sum(gold.n_pages for gold in golds.values() if gold),
    )
    try:
        found = SELECTION.get(asked)
    except Pending as pending:
        raise pending.showing(JudgedSweep(choices, settings, pending=True)) from None
    keys = {query.pk: query.key for query in queries}
    return JudgedSweep(
        replace(choices, overlap=found.overlap),
        settings,
        tuple(sorted(keys[pk] for pk in found.queries)),
        {keys[pk]: reason for pk, reason in found.undefined.items()},
        {keys[pk]: some for pk, some in found.left_out.items()},
        found.figures.at(choices.fraction, choices.language) if found.figures else None,
    )


def settings_of(collection: Collection, person: Person) -> tuple[SweepSetting, ...]:
    """Return the settings of all visible submissions whose parameters have a number of clusters.

    The number is the parameter ``k`` or ``clusters``; the initialisation is ``initialisation`` or ``seed``. The latest
    submission of each setting counts.
    """
    rows = visible_submissions(person, collection, with_sweeps=True).order_by("pk")
    settings = []
    for pk, name, parameters, seed in rows.values_list("pk", "algorithm__name", "parameters", "seed"):
        clusters = _whole_number(parameters, ("k", "clusters"), least=1)
        if clusters is None:
            continue
        start = _whole_number(parameters, ("initialisation", "seed"), least=0)
        settings.append(SweepSetting(pk, name, clusters, start if start is not None else seed or 0))
    found = last_by_key(settings, lambda one: (one.algorithm, one.clusters, one.initialisation))
    return tuple(found[place] for place in sorted(found))


def _whole_number(parameters: Any, names: Sequence[str], least: int) -> int | None:
    values = [parameters.get(name) for name in names] if isinstance(parameters, dict) else []
    return next((value for value in values if type(value) is int and value >= least), None)


class Unjudged(Undefined):
    """Raised if a query has no selection; `left_out` has the excluded clusterings."""

    def __init__(self, reason: str, left_out: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.left_out = left_out


def _judge_query(
    gold: Gold, asked: SelectionInputs, overlap: Literal["refuse", "first"]
) -> tuple[ModelSelection, tuple[str, ...]]:
    """Return the selection of a query, and the excluded clusterings with reasons.

    Raises:
        Undefined: if the query has no selection.
    """
    submissions = [one.submission for one in asked.settings]
    answers = Clustering.objects.filter(query=gold.query_id, submission__in=submissions).select_related("file")
    rows = {row.submission_id: row for row in answers}
    if not rows:
        raise Undefined("the sweep has no clustering of this query")
    n_levels, policies = cases.gold_standard(gold).hierarchy.n_levels, Policies(overlap=overlap)
    if asked.level > n_levels:
        raise Undefined(f"its gold standard has only {counted(n_levels, 'level')}")
    labels = labels_and_clusters(cases.without_clusters(gold), asked.level, policies)[0]
    candidates, left = [], []
    for one in asked.settings:
        if one.submission not in rows:
            continue
        try:
            clusters = labels_and_clusters(cases.case(rows[one.submission], gold), asked.level, policies)[1]
        except Undefined as reason:
            left.append(f"{one.algorithm}, {counted(one.clusters, 'cluster')}: {reason}")
            continue
        candidates.append(Candidate(one.algorithm, one.clusters, one.initialisation, clusters))
    if not candidates:
        raise Unjudged("every clustering has pages in several clusters", tuple(left))
    try:
        return select_model(labels, candidates, delta=asked.delta, sampling=asked.sampling), tuple(left)
    except Undefined as reason:
        raise Unjudged(str(reason), tuple(left)) from None

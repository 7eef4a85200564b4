"""Model selection over the sweeps of a collection: every clustering judged by PAC-MDL, query by query.

A query takes about a tenth of a second for 60 clusterings of 100 pages, a collection several seconds. So what was
judged is kept in the cache under the hash of all that went in, and a request judges only as many queries as fit into
`SECONDS`; what is still missing is counted and comes with the next request.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from django.core.cache import cache

from accounts.person import Person
from annotations.limits import MAX_LEVELS
from annotations.models import Collection, Gold, Query
from annotations.selectors.gold import latest_golds
from annotations.selectors.query_names import queries_named
from evaluation import cases
from evaluation.access import visible_submissions
from evaluation.models import Clustering
from evaluation.selectors.latest import last_by
from qc4.model_selection import (
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
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import counted
from qc4.records import Record
from qc4.version import ENGINE_VERSION
from qc4.views.policies import Policies
from qc4.views.undefined import Undefined

SECONDS = 1.5
"""A request judges queries for this long; at least one, so that each brings the collection nearer to its end."""
KEPT_SECONDS = 30 * 86_400
DELTAS = (0.01, 0.05, 0.1, 0.2)
OVERLAPS: tuple[Literal["refuse", "first"], ...] = ("refuse", "first")


@dataclass(frozen=True, slots=True)
class Choices(Record):
    """What an address asks for.

    Attributes:
        query: a query's key; empty for all of them.
        level: whose topics are the labels.
        fraction: one of `FRACTIONS`, the share of train pages in the figures that show one.
        language: of the bounds drawn against the number of clusters.
        delta: one of `DELTAS`.
        sampling: how train pages are drawn; bounds are promised for ``uniform`` alone.
        overlap: ``refuse`` leaves queries with pages in several topics undefined; ``first`` takes a page's first topic;
            empty means ``refuse``, or ``first`` where that leaves no query.
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
class Setting(Record):
    """One clustering's place in a sweep, and where it comes from."""

    submission: int
    algorithm: str
    clusters: int
    initialisation: int


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A query's selection, or the reason why there is none; and which clusterings could not take part."""

    selection: ModelSelection | None
    reason: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What one request knows.

    Attributes:
        settings: the sweep as this person sees it; empty if there is none.
        results: query key -> result, of the queries judged so far.
        pending: how many queries wait for the next request.
    """

    choices: Choices
    settings: tuple[Setting, ...]
    results: Mapping[str, QueryResult]
    pending: int

    @property
    def asked(self) -> int:
        """How many queries were asked for."""
        return len(self.results) + self.pending

    @property
    def selections(self) -> dict[str, ModelSelection]:
        return {key: found.selection for key, found in self.results.items() if found.selection is not None}

    @property
    def undefined(self) -> dict[str, str]:
        return {key: found.reason for key, found in self.results.items() if found.reason}

    @property
    def left_out(self) -> dict[str, tuple[str, ...]]:
        return {key: found.left_out for key, found in self.results.items() if found.left_out}


def read_choices(given: Mapping[str, str]) -> Choices:
    """The choices of an address; what it leaves out keeps its default.

    Raises:
        InputError: every value that does not exist.
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
    return Choices(**chosen)


def judge(collection: Collection, person: Person, choices: Choices, seconds: float = SECONDS) -> Judged:
    """Judge the sweeps of a collection (already checked) that this person may see.

    The answer's choices name how pages in several topics count, where the address left that open.

    Raises:
        InputError: there is no such query.
    """
    if not choices.overlap:
        refusing, first = (replace(choices, overlap=rule) for rule in OVERLAPS)
        found = judge(collection, person, refusing, seconds)
        nothing = found.settings and not found.pending and not found.selections
        return judge(collection, person, first, seconds) if nothing else found
    settings = settings_of(collection, person)
    queries = list(collection.queries.order_by("position", "pk"))
    if choices.query:
        problems = ProblemList()
        queries = queries_named(collection, [choices.query], "query", problems)
        problems.refuse_errors()
        choices = replace(choices, query=queries[0].key)
    if not settings:
        return Judged(choices, (), {}, 0)
    golds, hashes = latest_golds(collection, person), _hashes(settings, queries)
    until, results, pending, worked = time.monotonic() + seconds, {}, 0, False
    for query in queries:
        gold, present = golds.get(query.pk), hashes.get(query.pk, {})
        if gold is None or not present:
            results[query.key] = QueryResult(None, _lacking(gold))
            continue
        key = _cache_key(gold, choices, settings, present)
        known: QueryResult | None = cache.get(key)
        if known is None and worked and time.monotonic() > until:
            pending += 1
            continue
        if known is None:
            known, worked = _judge_query(query, gold, choices, settings), True
            cache.set(key, known, KEPT_SECONDS)
        results[query.key] = known
    return Judged(choices, settings, results, pending)


def settings_of(collection: Collection, person: Person) -> tuple[Setting, ...]:
    """Every visible submission that says for how many clusters it was asked; of one place the latest.

    The number stands in its parameters as ``k`` or ``clusters``, the start as ``initialisation`` or ``seed``.
    """
    rows = visible_submissions(person, collection, with_sweeps=True).order_by("pk")
    settings = []
    for pk, name, parameters, seed in rows.values_list("pk", "algorithm__name", "parameters", "seed"):
        clusters = _whole_number(parameters, ("k", "clusters"), least=1)
        if clusters is None:
            continue
        start = _whole_number(parameters, ("initialisation", "seed"), least=0)
        settings.append(Setting(pk, name, clusters, start if start is not None else seed or 0))
    found = last_by(settings, lambda one: (one.algorithm, one.clusters, one.initialisation))
    return tuple(found[place] for place in sorted(found))


def _whole_number(parameters: Any, names: Sequence[str], least: int) -> int | None:
    values = [parameters.get(name) for name in names] if isinstance(parameters, dict) else []
    return next((value for value in values if type(value) is int and value >= least), None)


def _hashes(settings: Sequence[Setting], queries: Sequence[Query]) -> dict[int, dict[int, str]]:
    """Query id -> submission id -> hash of its clustering."""
    rows = Clustering.objects.filter(query__in=queries, submission__in=[one.submission for one in settings])
    found: dict[int, dict[int, str]] = {}
    for query, submission, sha256 in rows.values_list("query_id", "submission_id", "sha256"):
        found.setdefault(query, {})[submission] = sha256
    return found


def _lacking(gold: Gold | None) -> str:
    return "no gold standard is published" if gold is None else "no clustering of the sweep"


def _cache_key(gold: Gold, choices: Choices, settings: Sequence[Setting], hashes: Mapping[int, str]) -> str:
    """Under everything a result depends on; not under who asks, for equal sweeps give equal results."""
    places = [
        [one.algorithm, one.clusters, one.initialisation, hashes[one.submission]]
        for one in settings
        if one.submission in hashes
    ]
    read = {name: value for name, value in asdict(choices).items() if name in ("level", "delta", "overlap", "sampling")}
    content = json.dumps([ENGINE_VERSION, gold.sha256, read, places])
    return f"model-selection-3:{hashlib.sha256(content.encode()).hexdigest()}"


def _judge_query(query: Query, gold: Gold, choices: Choices, settings: Sequence[Setting]) -> QueryResult:
    standard, policies = cases.gold_standard(gold), Policies(overlap=choices.overlap or "refuse")
    if choices.level > standard.hierarchy.n_levels:
        return QueryResult(None, f"its gold standard has {counted(standard.hierarchy.n_levels, 'level')} only")
    try:
        labels = labels_and_clusters(cases.without_clusters(gold), choices.level, policies)[0]
    except Undefined as reason:
        return QueryResult(None, str(reason))
    answers = query.clusterings.filter(submission__in=[one.submission for one in settings]).select_related("file")
    rows = {row.submission_id: row for row in answers}
    candidates, left_out = [], []
    for one in settings:
        if one.submission not in rows:
            continue
        try:
            clusters = labels_and_clusters(cases.case(rows[one.submission], gold), choices.level, policies)[1]
        except Undefined as reason:
            left_out.append(f"{one.algorithm}, {counted(one.clusters, 'cluster')}: {reason}")
            continue
        candidates.append(Candidate(one.algorithm, one.clusters, one.initialisation, clusters))
    if not candidates:
        return QueryResult(None, "every clustering has pages in several clusters", tuple(left_out))
    try:
        found = select_model(labels, candidates, delta=choices.delta, sampling=choices.sampling)
    except Undefined as reason:
        return QueryResult(None, str(reason), tuple(left_out))
    return QueryResult(found, left_out=tuple(left_out))

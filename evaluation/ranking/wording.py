"""Sentences about results: the methods section of a paper, and notes on reference clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from annotations.models import Collection, GoldVersion
from evaluation.scoring.options import MISSING_RULES, BoardOptions
from evaluation.scoring.policies import changed_options
from qc4.stats import ComparisonContext, number
from qc4.stats import source_words as of_source
from qc4.wording import counted


class HasSource(Protocol):
    """Any object that shows scores of a collection: a selection, a leaderboard."""

    @property
    def collection(self) -> Collection: ...
    @property
    def version(self) -> GoldVersion | None: ...
    @property
    def choice(self) -> BoardOptions: ...


class HasQueries(HasSource, Protocol):
    """Scores on some or all queries of a gold version."""

    @property
    def all_queries(self) -> Sequence[object]: ...


def source_facts(found: HasSource, version: GoldVersion | None = None, measure: str = "") -> ComparisonContext:
    """Return the sources of results for a paper.

    Args:
        version: by default the one that is shown.
        measure: the measure, if a sentence should name it.
    """
    version = version or found.version
    return ComparisonContext(
        measure=measure,
        collection=found.collection.name,
        gold=f"v{version.number}" if version else "",
        sha256=version.sha256 if version else "",
        policies=changed_options(found.choice.policies),
    )


def source_words(found: HasSource) -> str:
    """Name collection, gold standard, options and engine: "AMBIENT, gold standard v3 (SHA-256 0123456789ab), …"."""
    return f"{found.collection.name}, {of_source(source_facts(found))}"


def rule_words(found: HasSource) -> str:
    """Say how a query without a clustering counts."""
    return f"a query without a clustering {MISSING_RULES[found.choice.missing]}"


def source_sentence(found: HasQueries, queries: int) -> str:
    """Say which queries, gold version, engine and rules the means are based on.

    Args:
        queries: number of queries behind the means.
    """
    if found.version is None:
        return "No gold standard is published yet."
    total = len(found.all_queries)
    of_all = "" if queries == total else f" (of {total:,})"
    return f"Means over {counted(queries, 'query', 'queries')}{of_all} of {source_words(found)}; {rule_words(found)}."


# --- Notes on reference clusterings that score better than algorithms; references never begin a sentence ---

MEANING = {
    "singletons": "Each of its clusters has one page, so that coverage is free",
    "one_cluster": "All pages are in one cluster, so that recall is free",
    "random": "Its clusters are random, with the sizes of the topics",
}
"""Baseline -> why its high score means nothing. The gold standard itself is absent, because it should be best."""


@dataclass(frozen=True, slots=True)
class ScoredAlgorithm:
    """An algorithm or reference with its score.

    Attributes:
        baseline: baseline key, empty for other algorithms.
        value: higher is better.
        qc4_f: None if unknown.
    """

    name: str
    baseline: str
    is_reference: bool
    value: float
    qc4_f: float | None = None


def reference_notes(everybody: Iterable[ScoredAlgorithm], by: str, where: str = "") -> tuple[str, ...]:
    """Return a sentence for each reference clustering that beats an algorithm.

    Args:
        by: the measure, as in "by coverage".
        where: an addition to QC4-F, such as " on this query".
    """
    known = list(everybody)
    ranked = [one.value for one in known if not one.is_reference]
    notes = []
    for one in known:
        beaten = sum(value < one.value for value in ranked)
        if one.baseline not in MEANING or not beaten:
            continue
        f = "" if one.qc4_f is None else f" Its QC4-F{where} is {number(one.qc4_f)}."
        notes.append(
            f"For scale: {beaten:,} of {counted(len(ranked), 'algorithm')} {'is' if beaten == 1 else 'are'} behind the "
            f"reference clustering {one.name} by {by}. {MEANING[one.baseline]}.{f}"
        )
    return tuple(notes)

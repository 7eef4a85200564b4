"""What numbers on a page follow from, for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from annotations.models import Collection, GoldVersion
from evaluation.selectors.choice import MISSING_RULES, Choice
from evaluation.selectors.policy_words import changed
from qc4.stats import About
from qc4.stats import source_words as of_source
from qc4.wording import counted


class Sourced(Protocol):
    """Whatever shows scores of a collection: a selection, a board."""

    @property
    def collection(self) -> Collection: ...
    @property
    def version(self) -> GoldVersion | None: ...
    @property
    def choice(self) -> Choice: ...


class OfQueries(Sourced, Protocol):
    """Scores on queries of which there may be more."""

    @property
    def all_queries(self) -> Sequence[object]: ...


def about(found: Sourced, version: GoldVersion | None = None, measure: str = "") -> About:
    """What it was made on.

    Args:
        version: by default the one that is shown.
        measure: what the scores are of, where a sentence is to say so.
    """
    version = version or found.version
    return About(
        measure=measure,
        collection=found.collection.name,
        gold=f"v{version.number}" if version else "",
        sha256=version.sha256 if version else "",
        policies=changed(found.choice.policies),
    )


def source_words(found: Sourced) -> str:
    """Collection, gold standard, policies and engine: "AMBIENT, gold standard v3 (SHA-256 0123456789ab), …"."""
    return f"{found.collection.name}, {of_source(about(found))}"


def rule_words(found: Sourced) -> str:
    """What a query without a clustering counts."""
    return f"a query without a clustering {MISSING_RULES[found.choice.missing]}"


def source_sentence(found: OfQueries, queries: int) -> str:
    """Which queries of which gold version, by which engine, under which rules.

    Args:
        queries: how many the means are over.
    """
    if found.version is None:
        return "No gold standard is published yet."
    total = len(found.all_queries)
    of_all = "" if queries == total else f" (of {total:,})"
    return f"Means over {counted(queries, 'query', 'queries')}{of_all} of {source_words(found)}; {rule_words(found)}."

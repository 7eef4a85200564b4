"""What numbers on a page follow from, in a sentence for a paper."""

from __future__ import annotations

from evaluation.selectors.choice import MISSING_RULES
from evaluation.selectors.leaderboard import Selection
from qc4.problems.wording import counted
from qc4.version import ENGINE_VERSION
from qc4.views.policies import CHOICES, Policies

SHORT_HASH = 12


def source_sentence(found: Selection, queries: int) -> str:
    """Which queries of which gold version, by which engine, under which rules.

    Args:
        queries: how many the means are over.
    """
    if found.version is None:
        return "No gold standard is published yet."
    policies = found.choice.policies
    changed = [f"{name} {getattr(policies, name)}" for name in CHOICES if policies != Policies()]
    under = f"; policies: {', '.join(changed)}" if changed else ""
    of_all = "" if len(found.queries) == len(found.all_queries) else f" (of {len(found.all_queries):,})"
    return (
        f"Means over {counted(queries, 'query', 'queries')}{of_all} of {found.collection.name}, "
        f"gold v{found.version.number} (SHA-256 {found.version.sha256[:SHORT_HASH]}), engine {ENGINE_VERSION}; "
        f"a query without a clustering {MISSING_RULES[found.choice.missing]}{under}."
    )

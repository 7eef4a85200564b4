"""What it means that a reference clustering scores better than algorithms. References never lead a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qc4.stats import number
from qc4.wording import counted

MEANING = {
    "singletons": "Every page is a cluster of its own there, so that coverage is free",
    "one_cluster": "All pages are in one cluster there, so that recall is free",
    "random": "Its clusters are random, with the sizes of the topics",
}
"""Baseline -> why a high score of it says nothing. The gold standard itself is left out: it is meant to be best."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An algorithm or reference with its score.

    Attributes:
        baseline: its key, empty for an algorithm of somebody.
        value: the higher, the better.
        qc4_f: None where it is not known.
    """

    name: str
    baseline: str
    is_reference: bool
    value: float
    qc4_f: float | None = None


def reference_notes(everybody: Iterable[Scored], by: str, where: str = "") -> tuple[str, ...]:
    """Return a sentence for each reference clustering that beats an algorithm.

    Args:
        by: the measure, as in "by coverage".
        where: where the QC4-F is of, as in " on this query".
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

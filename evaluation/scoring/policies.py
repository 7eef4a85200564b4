"""Scoring options in words: the effect of each choice, and the measures that it affects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, Policies

LABELS = {
    "overlap": "A page in two topics or clusters",
    "outliers": "Outlier pages",
    "unclustered": "Pages in no cluster",
    "recall": "Recall in QC4's quality",
    "unit": "Amounts of information",
}
"""Option -> its subject, in display order."""

CHOICE_WORDS = {
    "overlap": {"refuse": "leaves measures of partitions undefined", "first": "counts for its first ones *"},
    "outliers": {"drop": "are omitted", "topic": "are one more topic"},
    "unclustered": {"singletons": "are each alone", "together": "are one more cluster", "drop": "are omitted"},
    "recall": {"modified": "is R′, which forgives small parts of large topics", "standard": "is R"},
    "unit": {"nats": "are in nats", "bits": "are in bits"},
}
"""Option -> choice -> its effect, which follows the label in a sentence."""

SHOWN_READERS = 6


@dataclass(frozen=True, slots=True)
class PolicyField:
    """A scoring option as people choose it.

    Attributes:
        choices: (choice, its words, whether it is chosen).
        readers: the measures whose values it may change, in words.
    """

    name: str
    label: str
    choices: tuple[tuple[str, str, bool], ...]
    readers: str


def policy_fields(chosen: Policies) -> tuple[PolicyField, ...]:
    """Return every scoring option with its choices."""
    return tuple(
        PolicyField(
            name,
            label,
            tuple((one, CHOICE_WORDS[name][one], one == getattr(chosen, name)) for one in CHOICES[name]),
            affected_measures(name),
        )
        for name, label in LABELS.items()
    )


@cache
def affected_measures(name: str) -> str:
    """Return the measures that an option affects, in words: their number, and the first of them."""
    titles = [measure.title for measure in REGISTRY.all() if name in measure.policies]
    more = ", …" if len(titles) > SHOWN_READERS else ""
    return f"affects {len(titles)} measures: {', '.join(titles[:SHOWN_READERS])}{more}"


def changed_options(policies: Policies) -> dict[str, str]:
    """Return option -> choice, for options that differ from the defaults."""
    given = policies.to_dict()
    return {name: given[name] for name in LABELS if given[name] != CHOICES[name][0]}


def options_in_words(policies: Policies) -> str:
    """Return options that differ from the defaults: "overlap first, outliers topic"; "default policies" if none do."""
    return ", ".join(f"{name} {choice}" for name, choice in changed_options(policies).items()) or "default policies"

"""Scoring options: choices that a measure's definition leaves open. They are stored with every score.

The first three say how a measure that needs a partition treats outliers, unclustered pages and overlap. The classic
measures and QC4 have their own rules for these cases and ignore these options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record
from qc4.wording import did_you_mean

Recall = Literal["modified", "standard"]
Unit = Literal["nats", "bits"]


@dataclass(frozen=True, slots=True)
class Policies(Record):
    """The value of each scoring option.

    Attributes:
        outliers: ``drop`` excludes outlier pages; ``topic`` treats them as one class.
        unclustered: pages in no cluster become ``singletons``, one extra cluster (``together``), or are excluded
            (``drop``).
        overlap: ``refuse`` leaves the measure undefined; ``first`` counts a page for its first topic and its first
            cluster, in file order.
        recall: the recall in QC4's quality. ``modified`` is R', which does not penalise clusters that contain a small
            part of a large topic; ``standard`` is R, for domains where complete topics matter (QC4 paper, section 4.3).
        unit: the unit of information: ``nats`` (natural logarithms) or ``bits`` (base 2).

    Raises:
        InputError: an invalid value; the error names every one.

    >>> Policies(unclustered="together").overlap
    'refuse'
    """

    outliers: Literal["drop", "topic"] = "drop"
    unclustered: Literal["singletons", "together", "drop"] = "singletons"
    overlap: Literal["refuse", "first"] = "refuse"
    recall: Recall = "modified"
    unit: Unit = "nats"

    def __post_init__(self) -> None:
        """Raise InputError, which names every invalid value."""
        _check_options({name: getattr(self, name) for name in CHOICES})

    @classmethod
    def parse(cls, value: Policies | Mapping[str, str] | None) -> Policies:
        """Return scoring options from a mapping; options that are not given have their defaults.

        Raises:
            InputError: an unknown option or value; the error names all of them.
        """
        if isinstance(value, Policies):
            return value
        if value is not None and not isinstance(value, Mapping):
            expected = "scoring options by name, such as {'overlap': 'first'}"
            raise InputError([Problem("no-policies", "policies", repr(value), expected)])
        given = dict(value or {})
        _check_options(given)
        return cls(**given)  # type: ignore[arg-type]  # every choice was checked above

    def only(self, names: Iterable[str]) -> Policies:
        """Return these options with their values, and all others with their defaults."""
        return Policies(**{name: getattr(self, name) for name in names})


def _check_options(given: Mapping[str, str]) -> None:
    problems = ProblemList()
    for name, choice in given.items():
        if name not in CHOICES:
            fix = did_you_mean(str(name), CHOICES)
            problems.error(
                "unknown-policy", "policies", f"scoring option {name!r}", f"one of {', '.join(CHOICES)}", fix
            )
        elif choice not in CHOICES[name]:
            expected = f"one of {', '.join(CHOICES[name])}"
            problems.error("unknown-policy-choice", f"policies.{name}", repr(choice), expected)
    problems.refuse_errors()


CHOICES: dict[str, tuple[str, ...]] = {
    field.name: get_args(get_type_hints(Policies)[field.name]) for field in fields(Policies)
}
"""Scoring option -> its values, the default first."""

MEANINGS = {
    "outliers": "outlier pages are excluded, or are one class",
    "unclustered": "pages in no cluster are singletons, one extra cluster, or excluded",
    "overlap": "measures of partitions are undefined with overlap, or count a page for its first topic and cluster",
    "recall": "QC4's quality uses the modified recall R', or the standard recall R",
    "unit": "entropies, mutual information and variation of information are in nats, or in bits",
}
"""Scoring option -> the effects of its values, in their order."""

"""Named policies: what is settled by a choice, not by a measure's definition. They are stored with every score.

The first three say how a measure that needs a partition treats outliers, unclustered pages and overlap. The classic
measures and QC4 have rules of their own for these and do not read them.
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
    """One choice per policy.

    Attributes:
        outliers: ``drop`` takes outlier pages out of the universe; ``topic`` makes them one class.
        unclustered: pages in no cluster are ``singletons``, ``together`` in one extra cluster, or left out (``drop``).
        overlap: ``refuse`` leaves the measure undefined; ``first`` counts a page for its first topic and its
            first cluster, in file order.
        recall: in QC4's quality, ``modified`` is R', which forgives clusters that hold little of a large topic;
            ``standard`` is R, for domains where finding all of a topic matters (QC4 paper, section 4.3).
        unit: of amounts of information: ``nats``, by natural logarithms, or ``bits``, by those to base 2.

    Raises:
        InputError: what is no choice; every one is named.

    >>> Policies(unclustered="together").overlap
    'refuse'
    """

    outliers: Literal["drop", "topic"] = "drop"
    unclustered: Literal["singletons", "together", "drop"] = "singletons"
    overlap: Literal["refuse", "first"] = "refuse"
    recall: Recall = "modified"
    unit: Unit = "nats"

    def __post_init__(self) -> None:
        """Refuse what is no choice, with an InputError that names every one."""
        _refuse_unknown({name: getattr(self, name) for name in CHOICES})

    @classmethod
    def parse(cls, value: Policies | Mapping[str, str] | None) -> Policies:
        """Policies from a mapping; what it leaves out keeps its default.

        Raises:
            InputError: an unknown policy or choice; all of them are named.
        """
        if isinstance(value, Policies):
            return value
        if value is not None and not isinstance(value, Mapping):
            expected = "policies by name, such as {'overlap': 'first'}"
            raise InputError([Problem("no-policies", "policies", repr(value), expected)])
        given = dict(value or {})
        _refuse_unknown(given)
        return cls(**given)  # type: ignore[arg-type]  # every choice was checked above

    def only(self, names: Iterable[str]) -> Policies:
        """The policies of these names; all others have their defaults."""
        return Policies(**{name: getattr(self, name) for name in names})


def _refuse_unknown(given: Mapping[str, str]) -> None:
    problems = ProblemList()
    for name, choice in given.items():
        if name not in CHOICES:
            fix = did_you_mean(str(name), CHOICES)
            problems.error("unknown-policy", "policies", f"policy {name!r}", f"one of {', '.join(CHOICES)}", fix)
        elif choice not in CHOICES[name]:
            expected = f"one of {', '.join(CHOICES[name])}"
            problems.error("unknown-policy-choice", f"policies.{name}", repr(choice), expected)
    problems.refuse_errors()


CHOICES: dict[str, tuple[str, ...]] = {
    field.name: get_args(get_type_hints(Policies)[field.name]) for field in fields(Policies)
}
"""Policy name -> its choices, the default first."""

MEANINGS = {
    "outliers": "outlier pages leave the universe, or are one class",
    "unclustered": "pages in no cluster are singletons, one extra cluster, or left out",
    "overlap": "measures of partitions refuse overlap, or count a page for its first topic and cluster",
    "recall": "QC4's quality looks at the modified recall R', or at the standard recall R",
    "unit": "amounts of information (entropies, mutual information, variation of information) are in nats, or in bits",
}
"""Policy name -> what its choices do, in their order."""

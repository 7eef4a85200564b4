"""What a measure receives of a case, where it exists, and how it says that it has no value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from qc4.clustering.case import Case
from qc4.gold.standard import GoldStandard
from qc4.views.policies import Policies

Input = TypeVar("Input")
Level = int | Literal["all"] | None
Kind = Literal["partition", "overlap", "hierarchy", "outliers"]


class Undefined(Exception):  # noqa: N818  # not an error: an answer, "this measure has no value here"
    """The measure has no value for this input; the message says why, in words."""


@dataclass(frozen=True, slots=True)
class View(Generic[Input]):
    """What a measure receives of a case, and the levels it exists on.

    Attributes:
        name: for people.
        levels: the levels of a gold standard that a measure of this view is computed on.
        prepare: what the measure receives; shared by all measures of the view (so it caches on ``case.counts``),
            raises `Undefined` where the case has no such view.
        uses_policies: whether the policies change what ``prepare`` gives.
        flattens: whether what ``prepare`` gave lost overlap to a policy, so that its scores carry a mark.
    """

    name: str
    levels: Callable[[GoldStandard], tuple[Level, ...]]
    prepare: Callable[[Case, Level, Policies], Input]
    uses_policies: bool = False
    flattens: Callable[[Case, Level, Policies], bool] = lambda case, level, policies: False

"""Krippendorff's alpha: how far any number of people agree beyond chance, each about the units they have judged.

alpha = 1 - D_o / D_e: the mean distance of what two people say about the same unit, over the mean distance of any two
judgements whatever they are about. Units that fewer than two people have judged are left out. 1 is full agreement, 0 is
what chance gives, and below 0 people disagree more than chance.

What is judged here is a set (of topics), so the distance of two sets matters. MASI is made for that: a part of the
other's set is nearer than a set that only overlaps. With the nominal distance sets are the same or not.

Source: Krippendorff, Content Analysis, 2nd edition, 2004, chapter 11; MASI: Passonneau, Measuring agreement on
set-valued items (MASI) for semantic and pragmatic annotation, LREC 2006; Jaccard, 1901.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from qc4.views.undefined import Undefined

Value: TypeAlias = frozenset[Hashable]
Distance: TypeAlias = Callable[[Value, Value], float]


def nominal(one: Value, other: Value) -> float:
    """0 for the same set, 1 for any other."""
    return float(one != other)


def jaccard(one: Value, other: Value) -> float:
    """1 minus what is in both over what is in either."""
    return 1 - len(one & other) / len(one | other) if one | other else 0.0


def masi(one: Value, other: Value) -> float:
    """1 minus the Jaccard coefficient weighted: 1 for the same set, 2/3 for a part of the other, 1/3 for an overlap."""
    if one == other:
        return 0.0
    if not one & other:
        return 1.0
    weight = 2 / 3 if one <= other or other <= one else 1 / 3
    return 1 - weight * (1 - jaccard(one, other))


def alpha(units: Iterable[Sequence[Value]], distance: Distance) -> float:
    """Krippendorff's alpha of units, each with what people say about it (nothing of those who have not judged it).

    Raises:
        Undefined: no unit is judged twice, or everybody says the same of all.
    """
    pairable = [Counter(values) for values in units if len(values) > 1]
    if not pairable:
        raise Undefined("there is no page that two of them have placed")
    totals: Counter[Value] = sum(pairable, Counter())
    n = totals.total()
    between = _distances(totals, distance)
    expected = _mean(totals, between, n * (n - 1))
    if not expected:
        raise Undefined("all say the same of every page, so there is nothing they could disagree on beyond chance")
    observed = sum(_mean(values, between, values.total() - 1) for values in pairable) / n
    return 1 - observed / expected


def _distances(values: Iterable[Value], distance: Distance) -> Mapping[tuple[Value, Value], float]:
    different = list(values)
    return {
        (one, other): distance(one, other) for place, one in enumerate(different) for other in different[place + 1 :]
    }


def _mean(values: Counter[Value], between: Mapping[tuple[Value, Value], float], over: int) -> float:
    """The sum of the distances of any two values, in both directions, over a number."""
    if len(values) == 1:
        return 0.0
    different = list(values.items())
    found = 0.0
    for place, (one, times) in enumerate(different):
        for other, others in different[place + 1 :]:
            apart = between.get((one, other))
            found += 2 * times * others * (between[other, one] if apart is None else apart)
    return found / over

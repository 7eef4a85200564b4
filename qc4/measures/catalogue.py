"""The catalogue of measures, for interactive use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from qc4.inputs.view import Kind
from qc4.measures.registry import REGISTRY, Measure
from qc4.problems import ProblemList
from qc4.tables import Block, Table, as_html, as_text
from qc4.wording import did_you_mean


class MeasureList(tuple[Measure, ...]):
    """Measures. Prints one line per measure, by family, and how to give parameters."""

    __slots__ = ()

    def __repr__(self) -> str:
        return as_text(catalogue_blocks(self)).rstrip("\n")

    def _repr_html_(self) -> str:
        return as_html(catalogue_blocks(self))


def list_measures(family: str | None = None, *, accepts: Kind | Iterable[Kind] | None = None) -> MeasureList:
    """Return the measures of the catalogue, by family. Their attributes describe them.

    Args:
        family: the key of a family, such as "pair-counting"; None for all of them.
        accepts: the kinds of clusters that the measure must accept without a scoring option: "partition", "overlap",
            "hierarchy", "outliers", or several of these.

    Raises:
        InputError: an unknown family or kind; the error suggests the nearest.

    >>> [measure.key for measure in list_measures(family="pair-counting")][:3]
    ['rand', 'ari', 'jaccard']
    >>> "ari" in {measure.key for measure in list_measures(accepts="overlap")}
    False
    """
    problems = ProblemList()
    families = [each.key for each in REGISTRY.families()]
    kinds = () if accepts is None else (accepts,) if isinstance(accepts, str) else tuple(accepts)
    if family is not None and family not in families:
        _unknown("family", family, families, problems)
    for kind in kinds:
        if kind not in get_args(Kind):
            _unknown("accepts", kind, get_args(Kind), problems)
    problems.refuse_errors()
    found = REGISTRY.all() if family is None else REGISTRY.family(family)
    return MeasureList(each for each in found if set(kinds) <= set(each.accepts))


def catalogue_blocks(measures: Iterable[Measure]) -> list[Block]:
    """Return a table with one row per measure, by family, and one of measures that have parameters."""
    measures = tuple(measures)
    rows: list[list[str]] = []
    for family, members in REGISTRY.by_family(measures):
        rows.append([family.title])
        rows += [[f"  {found.key}", found.arrow, found.range_words, found.title, found.meaning] for found in members]
    names = {found.name for found in measures}
    asked = [
        [f"  {each.pattern}", each.title, "; ".join(f"{one.name}: {one.range_words}" for one in each.facts.parameters)]
        for each in REGISTRY.parametrised()
        if each.name in names
    ]
    return [Table(rows), Table([["With your own parameters"], *asked])] if asked else [Table(rows)]


def _unknown(where: str, found: object, known: Iterable[str], problems: ProblemList) -> None:
    fix = did_you_mean(str(found), known, 0.4)
    problems.error(f"unknown-{where}", where, repr(found), f"one of {', '.join(known)}", fix)

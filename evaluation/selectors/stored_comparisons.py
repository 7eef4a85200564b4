"""Comparisons as they are stored beside the standings of boards, under what they follow from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

from evaluation.selectors.columns import Column
from evaluation.selectors.keys import Question, digest, vars_of
from qc4.comparison import Bin, ByCovariate, Comparison, FamilySummary, Method, PairResult, SystemResult, WhereBetter

Content = dict[str, Any]
UNSTORED = {"repeats", "incomplete_systems", "references"}
"""What the comparisons of the site do not have: it folds runs and sets references aside itself."""


def comparison_key(question: Question, column: Column, names: Sequence[str], is_pair: bool) -> str:
    """Return the key of a comparison: it follows from the same as a column that ranks, and from what is shown.

    Args:
        names: of the algorithms that are shown.
        is_pair: whether these two are looked at alone.
    """
    return question.digest("comparison", *column.place, question.baseline, list(names), is_pair)


def where_key(question: Question, column: Column, pair: Sequence[int], facts: str) -> str:
    """What a look at two of the algorithms by facts of the queries follows from.

    Args:
        pair: their ids.
        facts: the key of the facts.
    """
    return digest("where", question.digest(*column.place), list(pair), facts)


def facts_key(gold_sha256s: Sequence[str]) -> str:
    """What the facts of queries follow from: their gold standards, in order."""
    return digest("facts", list(gold_sha256s))


def pack_comparison(found: Comparison) -> Content:
    """A comparison without repeats, as it is stored."""
    return {
        **{field.name: getattr(found, field.name) for field in fields(Comparison) if field.name not in UNSTORED},
        "method": vars_of(found.method),
        "systems": [_values(system) for system in found.systems],
        "pairs": [_values(pair) for pair in found.pairs],
        "summary": None if found.summary is None else found.summary.to_dict(),
    }


def unpack_comparison(content: Content) -> Comparison:
    """What was stored."""
    summary = content["summary"]
    if summary is not None:
        names = {name: tuple(summary[name]) for name in ("leaders", "could_be_best")}
        summary = FamilySummary(**{**summary, **names})
    return Comparison(
        **{
            **content,
            "summary": summary,
            "method": Method(**content["method"]),
            "query_keys": tuple(content["query_keys"]),
            "left_out": tuple(content["left_out"]),
            "systems": tuple(_made(SystemResult, row) for row in content["systems"]),
            "pairs": tuple(_made(PairResult, row) for row in content["pairs"]),
        }
    )


def pack_where(found: WhereBetter) -> Content:
    facts = [[*_values(fact), [_values(each) for each in fact.bins]] for fact in found.covariates]
    return {"facts": facts, "of": _values(found)[:-1]}


def unpack_where(content: Content) -> WhereBetter:
    place = [field.name for field in fields(ByCovariate)].index("bins")
    facts = []
    for *row, bins in content["facts"]:
        row[place] = tuple(_made(Bin, each) for each in bins)
        facts.append(_made(ByCovariate, row))
    return _made(WhereBetter, [*content["of"], tuple(facts)])


Made = TypeVar("Made")


def _values(record: Any) -> list[Any]:
    """The values of a record's fields, in their order; what is a record itself is left to the caller."""
    found = (getattr(record, field.name) for field in fields(record))
    return [None if isinstance(value, tuple) else value for value in found]


def _made(kind: type[Made], values: Sequence[Any]) -> Made:
    return kind(*values)

"""Read one gold standard or one clustering from any source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from measures.clustering import Clustering
from measures.formats.clustering_json import parse_clustering
from measures.formats.gold_json import parse_gold
from measures.formats.limits import DEFAULT_LIMITS, Limits
from measures.formats.source import Source, read_blob
from measures.formats.strict_json import check_value, parse_json
from measures.gold import Completion, GoldDocument
from measures.problems import InputError, Problem, ProblemList
from measures.rules import check, prepare
from measures.standard import GoldStandard
from measures.structure import check_page_list


def read_gold_document(source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS) -> GoldDocument:
    """A ``qc4-gold/1`` file as it is written: a page list, with or without a gold standard.

    The rules R1-R6 are not looked at (drafts break them): see `measures.rules.check`.

    Args:
        source: a path, bytes, a binary file object, or the parsed object.
        name: what messages call the file.

    Raises:
        InputError: everything that is not of the format, and page ids that repeat.
    """
    label, document, problems = _parse_gold(source, name, limits)
    problems.extend(check_page_list(document))
    _refuse(label, problems)
    return document


def read_gold(
    source: Source, completion: Completion = "strict", *, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> GoldStandard:
    """A ``qc4-gold/1`` file as a gold standard that breaks no rule.

    Args:
        completion: what happens to pages in no topic: ``strict`` refuses them, ``complete`` places them by the rule of
            that name (`measures.rules.complete`).

    Raises:
        InputError: everything that is not of the format, and every rule that is broken.
    """
    label, document, problems = _parse_gold(source, name, limits)
    if problems.errors:
        codes = {problem.code for problem in problems}
        if not codes & {"wrong-type", "missing-field", "unknown-format"}:
            problems.extend(problem for problem in check(document) if problem.severity == "error")
        _refuse(label, problems)
    try:
        return prepare(document, completion)
    except InputError as error:
        raise InputError(problem.within(label) for problem in error.problems) from None


def read_clustering(source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Clustering:
    """A ``qc4-clustering/1`` file.

    Raises:
        InputError: everything that is not of the format, ids that repeat, and pages listed twice in a cluster.
    """
    label, value = _json_value(source, name, limits)
    problems = ProblemList()
    clustering = parse_clustering(value, "", limits, problems)
    _refuse(label, problems)
    return clustering


def _parse_gold(source: Source, name: str | None, limits: Limits) -> tuple[str, GoldDocument, ProblemList]:
    label, value = _json_value(source, name, limits)
    problems = ProblemList()
    return label, parse_gold(value, limits, problems), problems


def _json_value(source: Source, name: str | None, limits: Limits) -> tuple[str, Any]:
    if isinstance(source, Mapping):
        check_value(source, name or "input", limits)
        return name or "input", source
    blob = read_blob(source, name, limits)
    return blob.name, parse_json(blob.data, blob.name, limits)


def _refuse(label: str, problems: ProblemList) -> None:
    errors: tuple[Problem, ...] = problems.errors
    if errors:
        raise InputError(problem.within(label) for problem in errors)

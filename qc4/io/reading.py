"""Read one gold standard or one clustering from any source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qc4.io.content import Content
from qc4.io.kinds import CLUSTERINGS, GOLDS, reject_foreign
from qc4.io.label_reading import LabelReading, without_noise
from qc4.io.limits import DEFAULT_LIMITS, Budget, BudgetError, FileProblems, Limits
from qc4.io.qc4_json import parse_clustering, parse_gold
from qc4.io.source import UNNAMED, Source, read_blob
from qc4.io.strict_json import check_value, parse_json_text
from qc4.model.clustering import Clustering
from qc4.model.gold_document import Completion, GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import check, prepare
from qc4.model.structure import check_page_list
from qc4.problems import InputError, Problem
from qc4.wording import quoted

CLUSTERING = CLUSTERINGS._replace(header="", zipped=False, expected="a JSON object, qc4-clustering/1")
GOLD = GOLDS._replace(header="", zipped=False, expected="a JSON object, qc4-gold/1")


def read_gold_document(source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS) -> GoldDocument:
    """Read a ``qc4-gold/1`` file as it is written: a page list, with or without a gold standard.

    The rules R1-R6 are not checked, because drafts break them: see `qc4.model.rules.check`.

    Args:
        source: a path, bytes, a binary file object, or the parsed object.
        name: name of the file in messages.

    Raises:
        InputError: everything that violates the format, and repeated page ids.
    """
    label, document, problems = _parse_gold(source, name, limits)
    problems.extend(check_page_list(document))
    problems.refuse_errors(label)
    return document


def read_gold(
    source: Source, completion: Completion = "strict", *, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> GoldStandard:
    """Read a ``qc4-gold/1`` file as a gold standard that breaks no rule.

    Args:
        source: a path, bytes, a binary file object, or the parsed object as a dict.
        completion: what happens to pages in no topic: ``strict`` rejects them, ``complete`` assigns them by the rule of
            that name (`qc4.model.rules.complete`).

    Raises:
        InputError: everything that violates the format, and every broken rule.

    >>> topics = [{"id": "cats", "name": "Cats", "pages": ["p1", "p2"]}]
    >>> pages = [{"id": "p1"}, {"id": "p2"}, {"id": "p3"}]
    >>> read_gold(
    ...     {"format": "qc4-gold/1", "query": {"id": "jaguar"}, "pages": pages, "topics": topics, "outliers": ["p3"]}
    ... )
    <GoldStandard: query 'jaguar', 3 pages, 1 topic on 1 level, 1 outlier>
    """
    label, document, problems = _parse_gold(source, name, limits)
    if problems.errors:
        # Broken rules would only repeat format errors: a page without an id makes every mention of it unknown.
        if not {problem.code for problem in problems} & {"wrong-type", "missing-field", "unknown-format"}:
            problems.extend(problem for problem in check(document) if problem.severity == "error")
        problems.refuse_errors(label)
    try:
        return prepare(document, completion)
    except InputError as error:
        raise InputError(problem.within(label) for problem in error.problems) from None


def read_clustering(
    source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS, noise: Any = None
) -> Clustering:
    """Read a ``qc4-clustering/1`` file.

    Args:
        source: a path, bytes, a binary file object, or the parsed object as a dict.
        name: name of the file in messages.
        noise: names of clusters to omit, so that their pages are in no cluster; None to keep every cluster.

    Raises:
        InputError: everything that violates the format, repeated ids, and pages listed twice in a cluster.
            `qc4.io.read_submission` reads other formats, such as CSV.

    >>> clusters = [{"id": "c1", "pages": ["p1", "p2"]}, {"id": "c2", "pages": ["p3"]}]
    >>> read_clustering({"format": "qc4-clustering/1", "query": "jaguar", "clusters": clusters})
    <Clustering: query 'jaguar', 2 clusters with 3 pages>
    """
    reading = LabelReading.of(noise)
    label, value = _json_value(source, name, limits, "qc4.io.read_submission")
    problems = FileProblems()
    clustering = parse_clustering(value, "", limits, problems)
    problems.refuse_errors(label)
    return without_noise(clustering, reading)


def read_clusterings(
    source: Source, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS, noise: Any = None
) -> tuple[Clustering, ...]:
    """Read the clusterings of a ``qc4-clustering/1`` file, or of JSON Lines with one on each line (such as a sweep).

    Args:
        noise: as in `read_clustering`.

    Raises:
        InputError: as in `read_clustering`, for all lines at once.
    """
    if not isinstance(source, Mapping):
        blob = read_blob(source, name, limits)
        content = Content(blob, Budget(limits))
        if content.shape == "json lines":
            return _on_lines(content, noise)
        source, name = blob.data, blob.name
    return (read_clustering(source, name=name, limits=limits, noise=noise),)


def _on_lines(content: Content, noise: Any) -> tuple[Clustering, ...]:
    name, limits, budget = content.name, content.limits, content.budget
    problems = FileProblems()
    found = []
    for number, line in enumerate(content.text.split("\n"), 1):
        if line.strip() and not problems.full:
            budget.charge("clusterings", 1, f"{name}: line {number}")
            try:
                value = parse_json_text(line, name, budget, number)
                found.append(read_clustering(value, name=f"{name}: line {number}", limits=limits, noise=noise))
            except BudgetError:
                raise
            except InputError as error:
                problems.extend(error.problems)
    problems.refuse_errors()
    return tuple(found)


def _parse_gold(source: Source, name: str | None, limits: Limits) -> tuple[str, GoldDocument, FileProblems]:
    label, value = _json_value(source, name, limits)
    problems = FileProblems()
    return label, parse_gold(value, limits, problems), problems


def _json_value(source: Source, name: str | None, limits: Limits, others: str = "") -> tuple[str, Any]:
    """Return the source's name in messages and its value. ``others`` names the function that reads other formats."""
    if isinstance(source, Mapping):
        check_value(source, name or UNNAMED, limits)
        return name or UNNAMED, source
    blob = read_blob(source, name, limits)
    content = Content(blob, Budget(limits), CLUSTERING if others else GOLD)
    reject_foreign(blob.data, blob.name, content.ours)
    if others and content.shape != "json":
        begins = f"a file that begins with {quoted(content.text[:40])}" if content.shape == "text" else ""
        found = begins or {"zip": "a ZIP", "xml": "XML", "json lines": "JSON Lines"}[content.shape]
        fix = f"Use {others} to read CSV and other formats."
        raise InputError([Problem("unknown-format", blob.name, found, "a JSON object, qc4-clustering/1", fix)])
    return blob.name, parse_json_text(content.text, blob.name, content.budget)

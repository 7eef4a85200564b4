"""Checker reports on submission files. Nothing here uses the database, so that a sandbox can run it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from common.confusables import unseen_problems
from evaluation.limits import ALGORITHM_CHARS, PARAMETER_BYTES, STORED_PROBLEMS
from qc4.io import Limits, PageLists, check_submission, read_submissions
from qc4.io.source import FileSource
from qc4.model.clustering import SubmissionDocument
from qc4.model.clustering_summary import ClusteringSummary
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem, ProblemList, SeverityMixin, repeated
from qc4.records import Record
from qc4.text import name_key
from qc4.wording import listed, quoted


@dataclass(frozen=True, slots=True)
class Report(SeverityMixin, Record):
    """The checker's report on a submission. ``document`` is None if and only if there are ``errors``.

    ``algorithms`` are the algorithm names found in the file, in file order; ``named`` is the name the clusterings are
    submitted under. ``queries`` describe how each clustering was understood; ``noise`` and ``label_separator`` are the
    options of `read_submissions`. The dict form is stored with the submission; it holds the first problems and their
    total number.
    """

    KEYS = "problems=kept_problems n_problems queries missing noise label_separator"

    problems: tuple[Problem, ...]
    document: SubmissionDocument | None = None
    queries: tuple[ClusteringSummary, ...] = ()
    missing: tuple[str, ...] = ()
    algorithms: tuple[str, ...] = ()
    named: str = ""
    names: QueryNames = field(default_factory=lambda: QueryNames({}))
    noise: Sequence[Any] | None = None
    label_separator: str = ""

    @property
    def missing_told(self) -> list[str]:
        """The queries without a clustering, by key and text."""
        return [self.names.told(key) for key in self.missing]

    @property
    def kept_problems(self) -> tuple[Problem, ...]:
        return self.problems[:STORED_PROBLEMS]

    @property
    def n_problems(self) -> int:
        """The total number of problems; the stored list may be shorter."""
        return len(self.problems)


def read_report(
    source: FileSource,
    lists: PageLists,
    algorithm: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    name: str | None = None,
    limits: Limits,
    noise: Sequence[Any] | None = None,
    label_separator: str = "",
) -> Report:
    """Read a submission in any format and check it against page lists.

    Args:
        noise, label_separator: how labels are read, as in `read_submissions`.

    Raises:
        InputError: the file cannot be read, or it holds several algorithms and none of them was named.
    """
    notes = ProblemList()
    found = read_submissions(
        source, lists, name=name, limits=limits, notes=notes, noise=noise, label_separator=label_separator
    )
    names = tuple(submission.algorithm for submission in found)
    chosen = _chosen(found, algorithm, name or "submission")
    if parameters is not None:
        chosen = replace(chosen, parameters=dict(parameters))
    report = report_on(chosen, lists)
    return replace(
        report,
        problems=(*notes, *report.problems),
        algorithms=names,
        named=chosen.algorithm,
        noise=noise,
        label_separator=label_separator,
    )


def report_on(document: SubmissionDocument, lists: PageLists) -> Report:
    """Return the report on a submission that has been read already."""
    problems = [
        *description_problems(document.algorithm, document.parameters),
        *check_submission(document, lists),
    ]
    if not document.clusterings:
        problems.append(Problem("no-clusterings", "submission", "no clusterings", "at least one"))
    if twice := repeated(answer.query for answer in document.clusterings):
        found = f"more than one clustering for {listed(twice)}"
        problems.append(Problem("duplicate-query", "submission", found, "one clustering per query"))
    if any(problem.severity == "error" for problem in problems):
        return Report(tuple(problems))
    answered, names = {answer.query for answer in document.clusterings}, QueryNames.of(lists)
    return Report(
        problems=tuple(problems),
        document=document,
        queries=tuple(
            ClusteringSummary.of(answer, len(lists[answer.query]), names.texts[answer.query])
            for answer in document.clusterings
        ),
        missing=tuple(query for query in lists if query not in answered),
        algorithms=(document.algorithm,),
        names=names,
    )


def _chosen(found: Sequence[SubmissionDocument], algorithm: str | None, where: str) -> SubmissionDocument:
    """The one submission to use, under the algorithm's name.

    Raises:
        InputError: the file does not make clear which submission to use.
    """
    names = [submission.algorithm for submission in found]
    if len(found) == 1:
        return replace(found[0], algorithm=(algorithm or names[0]).strip())
    if not found:
        return SubmissionDocument((), algorithm or "")
    if algorithm is not None:
        for submission in found:
            if name_key(submission.algorithm.strip()) == name_key(algorithm.strip()):
                return replace(submission, algorithm=algorithm.strip())
        together = tuple(answer for submission in found for answer in submission.clusterings)
        if len({answer.query for answer in together}) == len(together):
            return SubmissionDocument(together, algorithm.strip())
    fix = "Name one of them."
    what = f"{len(found)} algorithms: {listed(names)}"
    expected = "one algorithm" if algorithm is None else f"one of them called {quoted(algorithm)}"
    raise InputError([Problem("several-algorithms", where, what, expected, fix)])


def description_problems(name: str, parameters: Mapping[str, Any]) -> list[Problem]:
    """The problems of an algorithm's name and parameters."""
    return [*_name_problems(name), *_parameter_problems(parameters)]


def _name_problems(name: str) -> list[Problem]:
    if not name.strip():
        fix = "The file does not name the algorithm. Enter a name."
        return [Problem("no-algorithm", "algorithm", "no name", "the name of the algorithm", fix)]
    if len(name) > ALGORITHM_CHARS:
        found = f"a name of {len(name):,} characters"
        return [Problem("long-name", "algorithm", found, f"at most {ALGORITHM_CHARS}")]
    return unseen_problems("algorithm", name)


def _parameter_problems(parameters: Mapping[str, Any]) -> list[Problem]:
    size = len(json.dumps(parameters, ensure_ascii=False).encode())
    if size <= PARAMETER_BYTES:
        return []
    found, fix = f"{size:,} bytes", "Include only the parameters that are needed to explain the run."
    return [Problem("long-parameters", "parameters", found, f"at most {PARAMETER_BYTES:,} bytes of JSON", fix)]

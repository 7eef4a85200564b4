"""Read submissions: an algorithm's clusterings in any format, and check them against the page lists they are for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from qc4.clustering.clustering import Clustering, SubmissionDocument
from qc4.formats import carrot2
from qc4.formats.ambient import parse_relations
from qc4.formats.archives import read_folder, read_zip, without_side_files
from qc4.formats.carrot2_json import parse_json_answer
from qc4.formats.carrot2_xml import parse_xml
from qc4.formats.clustering_json import check_clusters, parse_clustering, parse_submission
from qc4.formats.collecting import FileProblems
from qc4.formats.context import Context, PageLists
from qc4.formats.detect import Detected, Kind, detect, detect_value, unrecognised
from qc4.formats.label_files import parse_label_columns, parse_label_lines
from qc4.formats.limits import DEFAULT_LIMITS, Limits
from qc4.formats.source import UNNAMED, Blob, Source, read_blob
from qc4.formats.strict_json import parse_json_text
from qc4.formats.text import lines
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.references import check_known
from qc4.problems.wording import listed, quoted

SUBMISSION_KINDS = (
    Kind.CLUSTERING,
    Kind.SUBMISSION,
    Kind.JSON_LINES,
    Kind.RELATION,
    Kind.CARROT2_XML,
    Kind.CARROT2_JSON,
    Kind.TABLE,
    Kind.LABELS,
    Kind.ZIP,
)


def read_submission(
    source: Source,
    pages: PageLists | None = None,
    *,
    query: str | None = None,
    algorithm: str | None = None,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> SubmissionDocument:
    """The one submission of a source; arguments as in `read_submissions`.

    Raises:
        InputError: as `read_submissions`, or the source holds several algorithms and ``algorithm`` does not merge them.
    """
    submissions = read_submissions(source, pages, query=query, algorithm=algorithm, name=name, limits=limits)
    if len(submissions) == 1:
        return submissions[0]
    found = f"{len(submissions)} algorithms: {listed([submission.algorithm for submission in submissions])}"
    raise InputError(
        [Problem("several-algorithms", name or UNNAMED, found, "one algorithm", "Submit them one by one.")]
    )


def read_submissions(
    source: Source,
    pages: PageLists | None = None,
    *,
    query: str | None = None,
    algorithm: str | None = None,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> list[SubmissionDocument]:
    """Every algorithm's submission in a file, a ZIP, a folder, or a parsed object.

    Args:
        pages: query id -> page ids in rank order. Formats that speak of positions need it; every clustering is checked
            against it if it is given.
        query: the query the source answers, whatever it says itself.
        algorithm: a name for what is in the source; all its clusterings then belong to one submission.
        name: what messages call the source.

    Returns:
        One submission per algorithm name, in the order they appear.

    Raises:
        InputError: all errors of all files together; nothing is half-read.
    """
    problems = FileProblems()
    context = Context(pages, query, problems)
    parts: list[SubmissionDocument] = []
    for item in _inputs(source, name, limits):
        try:
            parts.extend(_parse(item, context, limits))
        except InputError as error:
            problems.extend(error.problems)
    if problems.errors and pages is not None:
        problems.extend(_wrong_names(parts, pages))  # so that one round of repairs is enough
    problems.refuse_errors()
    if not parts:
        raise InputError([Problem("empty-submission", name or UNNAMED, "no clusterings", "at least one clustering")])
    submissions = _merged(parts, algorithm)
    for submission in submissions:
        _check_queries(submission, name or "submission", limits, problems)
        if pages is not None:
            problems.extend(check_submission(submission, pages))
    problems.refuse_errors()
    return submissions


def check_submission(submission: SubmissionDocument, pages: PageLists) -> list[Problem]:
    """Errors and warnings of a submission against the page lists of a collection.

    Errors: a query the collection does not have, pages that are not of their query. Warnings: an empty clustering (it
    scores 0), empty clusters (they are left out), queries without a clustering.
    """
    problems = FileProblems()
    for clustering in submission.clusterings:
        where = f"query {quoted(clustering.query)}"
        if clustering.query not in pages:
            expected = f"a query of the collection: {listed(list(pages))}"
            problems.error("unknown-query", where, "a clustering for a query the collection does not have", expected)
            continue
        _check_pages(clustering, frozenset(pages[clustering.query]), where, problems)
        if not any(cluster.pages for cluster in clustering.clusters):
            problems.warn("empty-clustering", where, "no clusters with pages", "at least one", "It scores 0.")
    answered = {clustering.query for clustering in submission.clusterings}
    missing = [query for query in pages if query not in answered]
    if missing:
        found = f"no clustering for {len(missing):,} of {len(pages):,} queries: {listed(missing)}"
        problems.warn("missing-query", "submission", found, "a clustering for every query")
    return list(problems)


def _wrong_names(parts: Iterable[SubmissionDocument], pages: PageLists) -> Iterator[Problem]:
    """Unknown queries and pages in what could be read of files that are refused for other reasons.

    Ids that could not be read are empty; their problems are noted already.
    """
    for part in parts:
        readable = tuple(
            replace(
                answer,
                clusters=tuple(
                    replace(cluster, pages=tuple(filter(None, cluster.pages))) for cluster in answer.clusters
                ),
            )
            for answer in part.clusterings
            if answer.query
        )
        found = check_submission(replace(part, clusterings=readable), pages)
        yield from (problem for problem in found if problem.severity == "error")


def _check_pages(clustering: Clustering, known: frozenset[str], where: str, problems: ProblemList) -> None:
    for number, cluster in enumerate(clustering.clusters):
        place = f"{where}: clusters[{number}] (id {quoted(cluster.id)})"
        check_known(cluster.pages, known, place, "pages of the query", problems)
        if not cluster.pages:
            problems.warn("empty-cluster", place, "no pages", "at least one page", "The cluster is left out.")


def _inputs(source: Source, name: str | None, limits: Limits) -> Iterable[Detected | Blob]:
    """The files of a source; an object that is already parsed counts as one."""
    if isinstance(source, Mapping):
        return [detect_value(source, name or UNNAMED, limits)]
    if isinstance(source, str | os.PathLike) and Path(source).is_dir():
        return without_side_files(read_folder(Path(source), limits))[0]
    blob = read_blob(source, name, limits)
    detected = detect(blob, limits)
    return without_side_files(read_zip(blob, limits))[0] if detected.kind is Kind.ZIP else [detected]


def _parse(item: Detected | Blob, context: Context, limits: Limits) -> list[SubmissionDocument]:
    """The submissions of one file. Its problems go to the context's list, named with the file.

    Raises:
        InputError: the file is none of the formats, or cannot be parsed at all.
    """
    detected = detect(item, limits) if isinstance(item, Blob) else item
    if detected.kind is Kind.SUBMISSION:
        problems = FileProblems()
        submission = parse_submission(detected.value, limits, problems)
        context.problems.extend(problem.within(detected.blob.name) for problem in problems)
        return [submission]
    parser = _PARSERS.get(detected.kind)
    if parser is None:
        raise InputError([unrecognised(detected, *SUBMISSION_KINDS)])
    clusterings = parser(detected, context, limits)
    for clustering in clusterings if detected.kind not in (Kind.CLUSTERING, Kind.JSON_LINES) else ():
        where = f"{detected.blob.name}: query {quoted(clustering.query)}: clusters"
        check_clusters(clustering, where, limits, context.problems)
        for cluster in clustering.clusters:
            limits.exceeded("id_chars", len(cluster.id), where, context.problems)
    unnamed = _algorithm_of(detected, context)
    return [
        SubmissionDocument((clustering,), clustering.algorithm or unnamed, clustering.parameters)
        for clustering in clusterings
    ]


def _algorithm_of(detected: Detected, context: Context) -> str:
    """Files that cannot name their algorithm are called after it, unless they are called after their query."""
    stem = detected.blob.stem
    nameless = detected.kind in (Kind.RELATION, Kind.TABLE) and detected.blob.name != UNNAMED
    return "" if not nameless or stem == context.query or stem in (context.pages or ()) else stem


def _one(detected: Detected, context: Context, limits: Limits) -> list[Clustering]:
    problems = FileProblems()
    clustering = parse_clustering(detected.value, "", limits, problems, context.query)
    context.problems.extend(problem.within(detected.blob.name) for problem in problems)
    return [clustering]


def _json_lines(detected: Detected, context: Context, limits: Limits) -> list[Clustering]:
    clusterings = []
    name = detected.blob.name
    for number, line in enumerate(lines(detected.text), start=1):
        if not line.strip():
            continue
        problems = FileProblems()
        try:
            clusterings.append(parse_clustering(parse_json_text(line, name, limits, number), "", limits, problems))
        except InputError as error:
            context.problems.extend(error.problems)
        context.problems.extend(problem.within(f"{name}: line {number}") for problem in problems)
    return clusterings


def _carrot2_xml(detected: Detected, context: Context, limits: Limits) -> list[Clustering]:
    answer = parse_xml(detected.blob, limits, context.problems)
    return carrot2.clustering(answer, detected.blob, context)


def _carrot2_json(detected: Detected, context: Context, limits: Limits) -> list[Clustering]:
    problems = FileProblems()
    answer = parse_json_answer(detected.value, limits, problems)
    if "clusters" not in detected.value:
        problems.error("missing-field", "clusters", "nothing", "the clusters of a Carrot2 answer")
    context.problems.extend(problem.within(detected.blob.name) for problem in problems)
    return [] if problems.errors else carrot2.clustering(answer, detected.blob, context)


_PARSERS: dict[Kind, Callable[[Detected, Context, Limits], list[Clustering]]] = {
    Kind.CLUSTERING: _one,
    Kind.JSON_LINES: _json_lines,
    Kind.CARROT2_XML: _carrot2_xml,
    Kind.CARROT2_JSON: _carrot2_json,
    Kind.RELATION: lambda detected, context, limits: parse_relations(detected, context.problems),
    Kind.TABLE: lambda detected, context, limits: parse_label_columns(detected, context, context.problems),
    Kind.LABELS: lambda detected, context, limits: parse_label_lines(detected, context, context.problems),
}


def _merged(parts: list[SubmissionDocument], algorithm: str | None) -> list[SubmissionDocument]:
    """One submission per algorithm name; parameters stay on the submission only where all its parts agree on them."""
    groups: dict[str, list[SubmissionDocument]] = {}
    for part in parts:
        groups.setdefault(part.algorithm if algorithm is None else algorithm, []).append(part)
    submissions = []
    for key, members in groups.items():
        same = all(member.parameters == members[0].parameters for member in members)
        submissions.append(
            SubmissionDocument(
                clusterings=tuple(clustering for member in members for clustering in member.clusterings),
                algorithm=key,
                parameters=members[0].parameters if same else {},
                extra=members[0].extra if len(members) == 1 else {},
            )
        )
    return submissions


def _check_queries(submission: SubmissionDocument, name: str, limits: Limits, problems: ProblemList) -> None:
    limits.exceeded("queries", len(submission.clusterings), name, problems)
    counts = Counter(clustering.query for clustering in submission.clusterings)
    for query, count in counts.items():
        if count > 1:
            found = f"{count} clusterings for query {quoted(query)}"
            fix = "" if not submission.algorithm else f"They all count as {quoted(submission.algorithm)}."
            problems.error("duplicate-query", name, found, "one clustering per query and algorithm", fix)

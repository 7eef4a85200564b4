"""Read submissions (an algorithm's clusterings in any format), and check them against their page lists."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from qc4.io.archives import read_folder, read_zip, without_side_files
from qc4.io.catalogue import ZIP, read_submissions_in
from qc4.io.content import Content
from qc4.io.context import Context, PageLists
from qc4.io.label_reading import LabelReading, clusters_with_noise_names, noise_name_warning, without_noise
from qc4.io.limits import DEFAULT_LIMITS, Budget, BudgetError, FileProblems, Limits, with_earlier_problems
from qc4.io.source import UNNAMED, Source, read_blob
from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.noise import NoiseLabel, noise_warnings, unmatched_warnings
from qc4.model.query_names import QueryNames
from qc4.model.spelling import respelled_warning, unusual_clustering_texts, with_known_pages
from qc4.problems import InputError, Problem, ProblemList, check_known
from qc4.text import Spellings
from qc4.wording import listed, quoted


def read_submission(
    source: Source,
    pages: PageLists | None = None,
    *,
    query: str | None = None,
    algorithm: str | None = None,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    noise: Any = None,
    label_separator: str | None = None,
) -> SubmissionDocument:
    """Return the one submission of a source; arguments as in `read_submissions`.

    Raises:
        InputError: as in `read_submissions`, or the source has several algorithms and ``algorithm`` does not merge
            them.
    """
    submissions = read_submissions(
        source,
        pages,
        query=query,
        algorithm=algorithm,
        name=name,
        limits=limits,
        noise=noise,
        label_separator=label_separator,
    )
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
    notes: ProblemList | None = None,
    noise: Any = None,
    label_separator: str | None = None,
    other_queries: bool = False,
) -> list[SubmissionDocument]:
    """Read every algorithm's submission in a file, a ZIP, a folder, or a parsed object.

    Args:
        pages: query id -> page ids in rank order. Formats that refer to positions need it. If it is given, every
            clustering is checked against it. With the queries' texts (see `page_lists`), files may also name queries by
            text.
        query: the query of the source, which overrides the source's own.
        algorithm: a name for the source's contents; all its clusterings then belong to one submission.
        name: name of the source in messages.
        notes: receives the warnings about the files, without those of `check_submission`.
        noise: the labels that mean "in no cluster", one or a list of them; None for the usual ones, ``[]`` for none. In
            formats that list clusters, clusters with these names are omitted.
        label_separator: separator between several labels of one page in a label file; None if a page has one label.
        other_queries: the source may also have clusterings of queries that ``pages`` lacks. It is then not checked
            against ``pages``.

    Returns:
        One submission per algorithm name, in the order they appear.

    Raises:
        InputError: all errors of all files together; nothing is half-read.
    """
    problems = FileProblems()
    reading = LabelReading.of(noise, label_separator)
    context = Context(pages, query, problems, reading)
    checked = pages is not None and not other_queries
    parts: list[SubmissionDocument] = []
    for content in _contents(source, name, Budget(limits)):
        if problems.full:
            break
        try:
            found = map(context.names.renamed, read_submissions_in(content, context))
            parts.extend(_with_known_spellings(part, pages, problems) for part in found)
        except BudgetError as error:
            raise with_earlier_problems(error, problems.errors) from None
        except InputError as error:
            problems.extend(error.problems)
    if problems.errors and pages is not None and checked and not problems.full:
        problems.extend(_unknown_names(parts, pages))  # so that one round of corrections is enough
    problems.refuse_errors()
    warnings = [*problems, *_reading_warnings(parts, reading, name or _name_of(source))]
    parts = [_without_noise(part, reading) for part in parts]
    if notes is not None:
        notes.extend(warnings)
    if not parts:
        raise InputError([Problem("empty-submission", name or UNNAMED, "no clusterings", "at least one clustering")])
    submissions = _merged(parts, algorithm)
    for submission in submissions:
        _check_queries(submission, name or "submission", limits, problems)
        if pages is not None and checked:
            problems.extend(check_submission(submission, pages))
    problems.refuse_errors()
    return submissions


def check_submission(submission: SubmissionDocument, pages: PageLists) -> list[Problem]:
    """Return errors and warnings of a submission against the page lists of a collection.

    Errors: queries that are not in the collection, and pages of other queries. Warnings: an empty clustering (it scores
    0), empty clusters (they are omitted), and queries without a clustering.
    """
    problems, names = FileProblems(), QueryNames.of(pages)
    for clustering in submission.clusterings:
        where = f"query {names.told(clustering.query)}"
        if clustering.query not in pages:
            found = "a clustering of a query that is not in the collection"
            names.note_unknown(clustering.query, where, found, problems)
            continue
        _check_pages(clustering, pages[clustering.query], where, problems)
        if not any(cluster.pages for cluster in clustering.clusters):
            problems.warn("empty-clustering", where, "no clusters with pages", "at least one", "It scores 0.")
    answered = {clustering.query for clustering in submission.clusterings}
    missing = [query for query in pages if query not in answered]
    if missing:
        told = names.all_told(missing)
        found = f"no clustering for {len(missing):,} of {len(pages):,} queries: {told}"
        problems.warn("missing-query", "submission", found, "a clustering for every query")
    return list(problems)


def _without_noise(part: SubmissionDocument, reading: LabelReading) -> SubmissionDocument:
    """Return the submission without the clusters that the caller declares to be noise."""
    return replace(part, clusterings=tuple(without_noise(clustering, reading) for clustering in part.clusterings))


def _reading_warnings(parts: Sequence[SubmissionDocument], reading: LabelReading, where: str) -> Iterator[Problem]:
    """Warn about labels that may have been misread: those read as noise, and clusters with noise names."""
    found: Counter[str] = Counter()
    names: list[str] = []
    for clustering in (clustering for part in parts for clustering in part.clusterings):
        for label, pages in ((each.label, each.pages) for each in clustering.noise):
            found[label] += pages
        if reading.noise.is_usual:
            names += clusters_with_noise_names(clustering)
    noise = [NoiseLabel(label, pages) for label, pages in found.items()]
    if reading.noise.is_usual:
        yield from noise_warnings(noise, where)
    elif not reading.separator:  # if cells hold several labels, noise beside a cluster is not counted
        yield from unmatched_warnings(reading.noise.unmatched(noise), where)
    if names:
        yield noise_name_warning(names, where)


def _name_of(source: Source) -> str:
    return Path(source).name if isinstance(source, str | os.PathLike) else UNNAMED


def _unknown_names(parts: Iterable[SubmissionDocument], pages: PageLists) -> Iterator[Problem]:
    """Yield unknown queries and pages in the readable part of files that are rejected for other reasons.

    Unreadable ids are empty; their problems are already reported.
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


def _with_known_spellings(
    part: SubmissionDocument, pages: PageLists | None, problems: ProblemList
) -> SubmissionDocument:
    """Return the submission with page ids spelled as in the page lists. Differences and unusual texts are reported."""
    clusterings = []
    for clustering in part.clusterings:
        where = f"query {quoted(clustering.query)}" if clustering.query else "clustering"
        problems.extend(problem.within(where) for problem in unusual_clustering_texts(clustering))
        if pages is not None and clustering.query in pages:
            clustering, changed = with_known_pages(clustering, Spellings(pages[clustering.query]))
            if changed:
                problems.extend([respelled_warning(where, changed)])
        clusterings.append(clustering)
    return replace(part, clusterings=tuple(clusterings))


def _check_pages(clustering: Clustering, page_ids: Sequence[str], where: str, problems: ProblemList) -> None:
    ids, known = frozenset(page_ids), Spellings(page_ids)
    for number, cluster in enumerate(clustering.clusters):
        if cluster.pages and ids.issuperset(cluster.pages):
            continue  # the usual case
        place = f"{where}: clusters[{number}] (id {quoted(cluster.id)})"
        check_known(cluster.pages, known, place, "pages of the query", problems)
        if not cluster.pages:
            problems.warn("empty-cluster", place, "no pages", "at least one page", "The cluster is ignored.")


def _contents(source: Source, name: str | None, budget: Budget) -> Iterable[Content]:
    """Return the files of a source. An object that is already parsed counts as one."""
    if isinstance(source, Mapping):
        return [Content.parsed(source, name or UNNAMED, budget)]
    if isinstance(source, str | os.PathLike) and Path(source).is_dir():
        blobs = read_folder(Path(source), budget)
    else:
        content = Content(read_blob(source, name, budget.limits), budget)
        if not ZIP.matches(content):
            return [content]
        blobs = read_zip(content.blob, budget)
    return (Content(blob, budget) for blob in without_side_files(blobs)[0])


def _merged(parts: list[SubmissionDocument], algorithm: str | None) -> list[SubmissionDocument]:
    """Return one submission per algorithm name. It keeps its parameters only if all its parts agree on them."""
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

"""The command ``alike``: how similar two clusterings are, neither of which is the gold standard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from qc4.cli.clusterings import clustering_of_query, common_query
from qc4.cli.commands import alike_csv, read_submissions_in, report_noise, requested_policies
from qc4.io import read_gold_document
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.gold_document import GoldDocument
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import to_json
from qc4.scoring.scoring import collect_errors
from qc4.scoring.two_clusterings import READ_POLICIES, compare_clusterings, symmetric_measures


def alike(options: argparse.Namespace) -> str:
    """Run ``alike``: return every symmetric measure of two clusterings in the requested format.

    Raises:
        InputError: everything that is wrong with the files or the options.
    """
    problems = ProblemList()
    chosen: Sequence[Measure] = ()
    known: list[GoldDocument] = []
    with collect_errors(problems):
        chosen = _measures(options)
    if options.pages is not None:
        with collect_errors(problems):
            known.append(read_gold_document(options.pages))
    read = []
    for path in (options.first, options.second):
        with collect_errors(problems):
            read.append(read_submissions_in(path, options, known[0] if known else None))
    problems.refuse_errors()
    names = [Path(options.first).name, Path(options.second).name]
    read, called = _with_common_names(read, QueryNames.of_documents(known))
    query = common_query(read[0], read[1], " and ".join(names)) if options.query is None else called(options.query)
    sides: list[Clustering] = []
    for submissions, name in zip(read, names, strict=True):
        with collect_errors(problems):
            sides.append(clustering_of_query(query, submissions, name))
    problems.refuse_errors()
    pages = known[0].page_ids if known else None
    for side, name in zip(sides, names, strict=True):
        report_noise(side, None if pages is None else len(pages), name)
    try:
        found = compare_clusterings(sides[0], sides[1], chosen, requested_policies(options, READ_POLICIES), pages)
    except InputError as error:
        raise InputError(_with_file_name(problem, names) for problem in error.problems) from None
    for warning in found.warnings:
        print(f"warning: {_with_file_name(warning, names)}", file=sys.stderr)
    if options.format == "json":
        return to_json(found.to_dict())
    return alike_csv(found) if options.format == "csv" else replace(found, warnings=()).table()


def _with_common_names(
    read: Sequence[list[SubmissionDocument]], known: QueryNames
) -> tuple[list[list[SubmissionDocument]], Callable[[str], str]]:
    """Return both files with the same names for the same queries, and a function that resolves other query names."""
    first, second = ([known.renamed(submission) for submission in submissions] for submissions in read)
    own = QueryNames.of_keys(answer.query for submission in first for answer in submission.clusterings)
    return [first, list(map(own.renamed, second))], lambda name: own.key(known.key(name))


def _measures(options: argparse.Namespace) -> tuple[Measure, ...]:
    """Return the symmetric measures that were requested, or those of a family."""
    if options.family:
        family = {measure.key for measure in REGISTRY.family(options.family)}
        found = tuple(measure for measure in symmetric_measures() if measure.key in family)
        if not found:
            what, families = (
                f"{options.family!r}, which has no symmetric measures",
                REGISTRY.by_family(symmetric_measures()),
            )
            expected = f"one of {', '.join(one.key for one, _ in families)}"
            raise InputError([Problem("not-symmetric", "--family", what, expected)])
        return found
    return symmetric_measures(None if options.measures is None else split_measures(options.measures))


def _with_file_name(problem: Problem, names: Sequence[str]) -> Problem:
    """Return a problem of the first or the second clustering, with the file's name as its place."""
    for side, name in zip(("first", "second"), names, strict=True):
        if problem.where.partition(":")[0] == side:
            return replace(problem, where=name + problem.where.removeprefix(side))
    return problem

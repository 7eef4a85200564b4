"""Commands that read files, compute, and return the results as text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from qc4.bibliography import bibtex
from qc4.cli.clusterings import clustering_of_query
from qc4.inputs.view import Depths
from qc4.io import check_submission, page_lists, read_gold, read_gold_document, read_submissions, read_vectors
from qc4.measures.catalogue import catalogue_blocks
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.clustering_summary import ClusteringSummary
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.noise import noise_option
from qc4.model.policies import CHOICES
from qc4.model.rules import CheckedDocument
from qc4.model.spelling import entity_warnings, unusual_gold_texts
from qc4.model.vectors import Vectors, text_vectors
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import record_entries, to_json
from qc4.scoring.calibration import Calibration, ChanceLevel, check_draws
from qc4.scoring.calibration import calibrate as calibrate_clustering
from qc4.scoring.results import ScoreResult
from qc4.scoring.scoring import collect_errors, select_measures
from qc4.scoring.scoring import score as score_clustering
from qc4.scoring.two_clusterings import ClusteringComparison
from qc4.tables import as_text, csv_table
from qc4.wording import printable, quoted

# Scores as CSV, one row per score. Spreadsheets can open it safely.

CHANCE_COLUMNS = tuple(entry.key for entry in record_entries(ChanceLevel) if entry.key != "sentence")
ALIKE_COLUMNS = ("measure", "value", "undefined", "flattened", "pages", "engine")
COLUMNS = ("query", "measure", "level", "depth", "value", "undefined", "flattened", "engine")


def scores_csv(result: ScoreResult) -> str:
    """Return a header, then a row per score with everything needed to reproduce it; values in full precision."""
    policies = result.policies.to_dict()
    rows = (
        [
            *(result.query, score.measure, score.level, score.depth, score.value, score.undefined),
            *("yes" if score.flattened else "", result.engine, *policies.values()),
        ]
        for score in result.scores
    )
    return csv_table([*COLUMNS, *policies], rows)


def alike_csv(found: ClusteringComparison) -> str:
    """Return a header, then a row per measure of two clusterings; values in full precision."""
    policies = found.policies.to_dict()
    rows = (
        [
            *(score.measure, score.value, score.undefined, "yes" if score.flattened else ""),
            *(found.pages, found.engine, *policies.values()),
        ]
        for score in found.scores
    )
    return csv_table([*ALIKE_COLUMNS, *policies], rows)


def chance_csv(found: Calibration) -> str:
    """Return a header, then a row per measure, level and depth with the score by chance; values in full precision."""
    policies = found.policies.to_dict()
    rows = (
        [found.query, *map(level.to_dict().get, CHANCE_COLUMNS), found.seed, found.engine, *policies.values()]
        for level in found.levels
    )
    return csv_table(["query", *CHANCE_COLUMNS, "seed", "engine", *policies], rows)


def score(options: argparse.Namespace) -> str:
    """Run ``score``: return the scores in the requested format. Omitted input is reported on standard error."""
    if options.explain and options.format == "csv":
        found = "--explain with --format csv"
        raise InputError([Problem("explain-csv", "options", found, "--format table or json, which can contain both")])
    keys, gold, clustering = read_files(options)
    vectors, levels, depths = _vectors(options, gold), requested_levels(options, gold), requested_depths(options)
    select_measures(gold, keys, levels)
    with attribute_errors_to_file(options):
        result = score_clustering(
            gold, clustering, keys, levels, requested_policies(options), options.explain, vectors, depths
        )
    warn(options, result.warnings)
    if options.format == "json":
        return to_json(result.to_dict())
    return scores_csv(result) if options.format == "csv" else replace(result, warnings=()).table()


def calibrate(options: argparse.Namespace) -> str:
    """Run ``calibrate``: compare scores with those of shuffled clusters, in the requested format."""
    keys, gold, clustering = read_files(options)
    vectors, levels, depths = _vectors(options, gold), requested_levels(options, gold), requested_depths(options)
    select_measures(gold, keys, levels)
    check_draws(options.draws, options.seed)
    with attribute_errors_to_file(options):
        found = calibrate_clustering(
            gold,
            clustering,
            keys or (),
            levels,
            requested_policies(options),
            options.draws,
            options.seed,
            vectors,
            depths,
        )
    warn(options, found.warnings)
    if options.format == "json":
        return to_json(found.to_dict())
    return chance_csv(found) if options.format == "csv" else replace(found, warnings=()).table()


def check(options: argparse.Namespace) -> str:
    """Run ``check``: summarise the gold standard and its warnings, and report how clusterings of its query were read.

    Raises:
        InputError: the gold standard breaks a rule, or a clustering cannot be read. It includes the warnings.
    """
    name = Path(options.gold).name
    document = read_gold_document(options.gold)
    texts = (*unusual_gold_texts(document), *entity_warnings([document]))
    checked = CheckedDocument(document)
    lines = []
    if options.completion == "complete":
        checked, report = checked.completed()
        lines.append(f"completed: {report}")
    problems = [problem.within(name) for problem in (*checked.problems, *texts)]
    if checked.errors:
        raise InputError(problems)
    hierarchy = checked.hierarchy
    counts = (
        f"{_counted(hierarchy.n_pages, 'page')}, {_counted(hierarchy.n_levels, 'level')}, "
        f"{_counted(hierarchy.n_topics, 'topic')}, {_counted(hierarchy.outliers.size, 'outlier')}"
    )
    lines.append(f"{name}: {counts}; no rule is broken")
    lines += [f"warning: {problem}" for problem in problems]
    refused = ProblemList()
    for path in options.clusterings:
        with collect_errors(refused):
            lines += _checked_clusterings(path, options, document)
    refused.refuse_errors()
    return "\n".join(lines) + "\n"


def _checked_clusterings(path: str, options: argparse.Namespace, document: GoldDocument) -> list[str]:
    """Return a line for each clustering in a file, and its warnings.

    Raises:
        InputError: the file cannot be read, or a clustering does not fit the page list.
    """
    name, notes, lists = Path(path).name, ProblemList(), page_lists([document])
    found = read_submissions(
        path, lists, notes=notes, noise=noise_option(options.noise), label_separator=options.label_separator
    )
    lines = []
    for submission in found:
        who = f"{printable(submission.algorithm)}: " if submission.algorithm else ""
        notes.extend(problem.within(name) for problem in check_submission(submission, lists))
        for answer in submission.clusterings:
            summary = ClusteringSummary.of(answer, len(lists[answer.query]))
            lines.append(f"{printable(name)}: {who}query {quoted(answer.query)}: {summary.sentence}")
    return lines + [f"warning: {problem.on_the_command_line()}" for problem in notes]


def list_measures(options: argparse.Namespace) -> str:
    """Run ``list``: return the catalogue."""
    measures = REGISTRY.all()
    if options.format == "bibtex":
        return bibtex(key for found in measures for key in found.works)
    return (
        as_text(catalogue_blocks(measures))
        if options.format == "table"
        else to_json([found.to_dict() for found in measures])
    )


def read_files(options: argparse.Namespace) -> tuple[list[str] | None, GoldStandard, Clustering]:
    """Return measures, gold standard and clustering. All errors in them are reported together."""
    problems = ProblemList()
    read: list[SubmissionDocument] = []
    gold = None
    with collect_errors(problems):
        keys = _measures(options)
    with collect_errors(problems):
        gold = read_gold(options.gold, options.completion)
    with collect_errors(problems):
        read = read_submissions_in(options.clustering, options, gold.document if gold else None)
    problems.refuse_errors()
    assert gold is not None  # otherwise there was a problem
    found = clustering_of_query(gold.query_id, read, Path(options.clustering).name)
    report_noise(found, gold.n_pages, Path(options.clustering).name)
    return keys, gold, found


def read_submissions_in(path: str, options: argparse.Namespace, known: GoldDocument | None) -> list[SubmissionDocument]:
    """Return the submissions in a file, read as the options say. Warnings go to standard error.

    Args:
        known: a query whose page list the file may refer to. The file may also contain other queries.
    """
    notes = ProblemList()
    found = read_submissions(
        path,
        None if known is None else page_lists([known]),
        notes=notes,
        noise=noise_option(options.noise),
        label_separator=options.label_separator,
        other_queries=True,
    )
    for note in notes:
        print(f"warning: {note.on_the_command_line()}", file=sys.stderr)
    return found


def report_noise(clustering: Clustering, n_pages: int | None, name: str) -> None:
    """Report on standard error how a clustering was read if some of its labels were read as noise."""
    if clustering.noise:
        print(f"note: {printable(name)}: {ClusteringSummary.of(clustering, n_pages).sentence}", file=sys.stderr)


@contextmanager
def attribute_errors_to_file(options: argparse.Namespace) -> Iterator[None]:
    """Prefix problems inside with the file's name. The options are valid, so the file must be at fault."""
    problems = ProblemList()
    with collect_errors(problems, Path(options.clustering).name):
        yield
    problems.refuse_errors()


def warn(options: argparse.Namespace, warnings: Iterable[Problem]) -> None:
    for warning in warnings:
        text = warning.within(Path(options.clustering).name).on_the_command_line()
        print(f"warning: {text}", file=sys.stderr)


def requested_policies(options: argparse.Namespace, names: Iterable[str] = CHOICES) -> dict[str, str]:
    return {name: getattr(options, name) for name in names}


def _measures(options: argparse.Namespace) -> list[str] | None:
    """Return the requested keys, or None for every measure that the given files allow."""
    if options.measures is not None:
        return [found.key for found in REGISTRY.select(split_measures(options.measures))]
    if options.family:
        return [found.key for found in REGISTRY.family(options.family)]
    return [found.key for found in REGISTRY.all()] if options.all else None


def _vectors(options: argparse.Namespace, gold: GoldStandard) -> Vectors | None:
    """Return vectors from the given file or from the pages' text, or None."""
    if options.vectors is not None:
        return read_vectors(options.vectors, gold.page_ids)
    if options.text_vectors:
        assert gold.document is not None  # it was read from a file
        return text_vectors(gold.document)
    return None


def requested_levels(options: argparse.Namespace, gold: GoldStandard) -> list[int | str] | None:
    """Return the requested levels. Text that is not a level is unchanged; later code rejects it."""
    if options.level is None:
        return None
    numbers: dict[str, int | str] = {str(level): level for level in gold.hierarchy.levels}
    return [numbers.get(level, level) for level in split_commas(options.level)]


def requested_depths(options: argparse.Namespace) -> Depths:
    """Return the requested depths. Text that is not a number is unchanged; later code rejects it."""
    if options.depth in {None, "finest", "level"}:
        depths: Depths = options.depth
        return depths
    typed: list[Any] = split_commas(options.depth)
    return [int(depth) if depth.isdecimal() else depth for depth in typed]


def split_commas(text: str) -> list[str]:
    """Split text at commas."""
    return [part.strip() for part in text.split(",")]


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

"""Scores as CSV, one row per score, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from qc4.formats.spreadsheets import cell, guarded
from qc4.measures.calibration import Calibration, ChanceLevel
from qc4.measures.result import ScoreResult
from qc4.measures.two_clusterings import ClusteringComparison
from qc4.records import entries

CHANCE_COLUMNS = tuple(entry.key for entry in entries(ChanceLevel) if entry.key != "sentence")
ALIKE_COLUMNS = ("measure", "value", "undefined", "flattened", "pages", "engine")
COLUMNS = ("query", "measure", "level", "depth", "value", "undefined", "flattened", "engine")


def scores_csv(result: ScoreResult) -> str:
    """A header, then a row per score with what it takes to compute it again; values in full precision."""
    policies = result.policies.to_dict()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *policies])
    for score in result.scores:
        writer.writerow(
            [
                guarded(result.query),
                score.measure,
                cell(score.level),
                cell(score.depth),
                cell(score.value),
                cell(score.undefined),
                "yes" if score.flattened else "",
                result.engine,
                *policies.values(),
            ]
        )
    return text.getvalue()


def alike_csv(found: ClusteringComparison) -> str:
    """A header, then a row per measure of two clusterings; values in full precision."""
    policies = found.policies.to_dict()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*ALIKE_COLUMNS, *policies])
    for score in found.scores:
        value, marked = cell(score.value), "yes" if score.flattened else ""
        cells = [score.measure, value, cell(score.undefined), marked, found.pages, found.engine]
        writer.writerow([*cells, *policies.values()])
    return text.getvalue()


def chance_csv(found: Calibration) -> str:
    """A header, then a row per measure, level and depth with its chance level; values in full precision."""
    policies = found.policies.to_dict()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["query", *CHANCE_COLUMNS, "seed", "engine", *policies])
    for level in found.levels:
        values = level.to_dict()
        cells = [cell(values.get(column)) for column in CHANCE_COLUMNS]
        writer.writerow([guarded(found.query), *cells, found.seed, found.engine, *policies.values()])
    return text.getvalue()

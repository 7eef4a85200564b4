"""Scores as CSV, one row per score, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from qc4.formats.spreadsheets import guarded
from qc4.measures.scoring import ScoreResult

COLUMNS = ("query", "measure", "level", "value", "undefined", "flattened", "engine")


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
                "" if score.level is None else score.level,
                "" if score.value is None else repr(score.value),
                guarded(score.undefined or ""),
                "yes" if score.flattened else "",
                result.engine,
                *policies.values(),
            ]
        )
    return text.getvalue()

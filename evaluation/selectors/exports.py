"""Every score of a collection with its provenance, as rows, JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any, Protocol

from django.db.models import QuerySet

from accounts.person import Person
from annotations.challenges.access import hidden_gold
from annotations.models import Collection
from evaluation.access import visible_submissions
from evaluation.models import Run, Score, Submission
from evaluation.selectors.latest import counting_runs, finished, last_by
from qc4.progress import watched
from qc4.tables import Table, csv_lines

FIELDS = (
    "algorithm", "submission", "counts", "query", "query_text", "measure", "level", "depth", "deepest", "value",
    "undefined", "flattened", "gold_version", "engine", "policies",
)  # fmt: skip


class Writable(Protocol):
    """An open text file, or anything that takes text like one."""

    def write(self, text: str, /) -> object: ...


def scores(collection: Collection, person: Person | None = None) -> Iterator[dict[str, Any]]:
    """One row per score of the finished runs, in a stable order; one after the other, not all in memory.

    A row holds `FIELDS`: ``submission`` its number, ``counts`` whether it counts for its algorithm on the board of that
    gold version and policies, ``query`` its key, ``query_text`` what pages call it, ``level`` a number, ``"all"`` or
    None (measures that see the whole hierarchy), ``depth`` where nested clusters are cut for it and ``deepest`` the
    depth of their finest cut (None where nothing is cut), ``value`` or else ``undefined`` (the reason why there is
    none), ``flattened`` whether a policy took overlap away, ``gold_version`` its number, ``engine`` the version that
    computed it, ``policies`` an object. Where a submission was scored repeatedly against a gold version under the same
    policies, the last run counts.

    Args:
        person: leaves out submissions this person may not see, and queries that are hidden from them; None leaves out
            none.
    """
    if person is None:
        submissions = Submission.objects.filter(collection=collection)
    else:
        submissions = visible_submissions(person, collection)
    hidden = set(hidden_gold(person).filter(collection=collection).values_list("key", flat=True))
    counting = counting_runs(submissions)
    for run in watched(_last_runs(submissions), lambda run: f"run {run.pk}"):
        yield from (row for row in _rows(run, run.pk in counting) if row["query"] not in hidden)


def write_json(rows: Iterator[dict[str, Any]], target: Writable) -> None:
    """``{"scores": [..]}``, a row per line."""
    target.write('{"scores": [')
    for number, row in enumerate(rows):
        target.write(",\n" if number else "\n")
        target.write(json.dumps(row, ensure_ascii=False, allow_nan=False))
    target.write("\n]}\n")


def write_csv(rows: Iterator[dict[str, Any]], target: Writable) -> None:
    """A header and a line per row: values in full precision, text safe to open in a spreadsheet."""
    cells = ([_plain(row[name]) for name in FIELDS] for row in rows)
    for line in csv_lines(Table(chain([FIELDS], cells))):
        target.write(line)


def _plain(value: Any) -> object:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def _last_runs(submissions: QuerySet[Submission]) -> list[Run]:
    def place(run: Run) -> tuple[int, int, tuple[tuple[str, str], ...]]:
        return run.gold_version_id or 0, run.submission_id or 0, tuple(sorted(run.policies.items()))

    return [run for _, run in sorted(last_by(finished(submissions, policies=None), place).items())]


def _rows(run: Run, counts: bool) -> Iterator[dict[str, Any]]:
    if run.submission is None or run.gold_version is None:
        raise ValueError("an evaluation run has a submission and a gold version")
    # Content shares its scores across runs, so measures and versions this run did not ask for may lie beside its own.
    found = (
        Score.objects.filter(evaluation__run_queries__run=run, measure__in=run.measures)
        .order_by("evaluation__run_queries__query__position", "measure", "level", "depth", "pk")
        .values_list(
            "evaluation__run_queries__query__key",
            "evaluation__run_queries__query__text",
            "measure",
            "measure_version",
            "level",
            "depth",
            "deepest",
            "value",
            "undefined",
            "flattened",
            "engine",
        )
    )
    for query, text, measure, version, level, depth, deepest, value, undefined, flattened, engine in found.iterator(
        chunk_size=2000
    ):
        if run.measures[measure] != version:
            continue
        yield {
            "algorithm": run.submission.algorithm.name,
            "submission": run.submission_id,
            "counts": counts,
            "query": query,
            "query_text": text or query,
            "measure": measure,
            "level": int(level) if level.isdigit() else level or None,
            "depth": depth or None,
            "deepest": deepest or None,
            "value": value,
            "undefined": undefined or None,
            "flattened": flattened,
            "gold_version": run.gold_version.number,
            "engine": engine,
            "policies": run.policies,
        }

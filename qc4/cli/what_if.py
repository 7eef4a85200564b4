"""The command ``what-if``: the scores of a clustering after changes to its clusters."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from qc4.cli.commands import attribute_errors_to_file, read_files, requested_levels, requested_policies, warn
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.records import to_json
from qc4.scoring.scoring import check_same_query, select_measures
from qc4.scoring.what_if import Changes, DropEffect, ScoreChange, WhatIf, one_at_a_time
from qc4.scoring.what_if import what_if as change_and_score
from qc4.tables import Block, Table, as_text
from qc4.wording import full_decimals, printable, signed

CHANGES = {
    "drop": "remove this cluster",
    "merge": "merge these clusters",
    "complete": "add the missing pages of the best topic to this cluster",
    "clean": "remove the pages that are not in the best topic from this cluster",
}
"""The possible changes, as options and as fields of `Changes`."""


def what_if(options: argparse.Namespace) -> str:
    """Run ``what-if``: return scores before and after the changes. Without changes, return the effect of dropping each
    cluster.

    Raises:
        InputError: everything that is wrong with the files or the options.
    """
    keys, gold, clustering = read_files(options)
    levels = requested_levels(options, gold)
    select_measures(gold, keys, levels)
    changes = Changes(**{name: tuple(getattr(options, name)) for name in CHANGES})
    with attribute_errors_to_file(options):
        check_same_query(gold, clustering)
        case = Case.build(gold, clustering)
        if not changes:
            alone = one_at_a_time(case, Policies.parse(requested_policies(options)))
            return to_json([one._asdict() for one in alone]) if options.format == "json" else _alone_table(alone)
        found = change_and_score(gold, clustering, changes, keys, levels, requested_policies(options))
    warn(options, case.warnings)
    return to_json(found.to_dict()) if options.format == "json" else _table(found)


def _table(found: WhatIf) -> str:
    rows = [["measure", "level", "before", "after", "difference"], *map(_score_row, found.scores)]
    blocks: list[Block] = [found.sentence + "\n", Table(rows, range(2, 5))]
    clusters = [
        [printable(one.id), f"{one.size_before}", f"{one.size_after}", *_sides(one.quality_before, one.quality_after)]
        for one in found.clusters
    ]
    if clusters:
        head = ["cluster", "pages", "then", "quality", "then", "difference"]
        blocks.append(Table([head, *clusters], range(1, 6)))
    topics = [[printable(one.id), *_sides(one.before, one.after)] for one in found.topics]
    if topics:
        blocks.append(Table([["topic", "coverage", "then", "difference"], *topics], range(1, 4)))
    return as_text(blocks)


def _score_row(change: ScoreChange) -> list[str]:
    return [REGISTRY.get(change.measure).title, str(change.level or ""), *_sides(change.before, change.after)]


def _sides(before: float | None, after: float | None) -> tuple[str, str, str]:
    """Return both values and the difference. A dash stands for a missing value."""
    difference = "-" if before is None or after is None else signed(after - before, 4)
    return _value(before), _value(after), difference


def _value(value: float | None) -> str:
    return "-" if value is None else full_decimals(value)


def _alone_table(alone: Iterable[DropEffect]) -> str:
    rows = [[printable(one.id), signed(one.qc4_f, 4), signed(one.quality, 4), signed(one.coverage, 4)] for one in alone]
    titles = [REGISTRY.get(key).title for key in ("qc4_f", "quality", "coverage")]
    return as_text([Table([["without", *titles], *rows], range(1, 4))])

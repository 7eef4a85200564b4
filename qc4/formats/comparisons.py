"""A comparison as files: CSV of its systems and of its pairs, a table for LaTeX, text for a terminal, JSON.

All of them show the numbers of one `Comparison`, with the same digits (`qc4.comparison.number`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields

from qc4.comparison import (
    SYSTEM,
    About,
    Bin,
    Comparison,
    PairResult,
    Robustness,
    RobustnessRow,
    SystemResult,
    WhereBetter,
    aside_sentence,
    comparison_bibtex,
    leader_sentence,
    letters,
    methods_sentence,
    number,
    p_number,
    pair_sentence,
    variance_sentence,
)
from qc4.formats.latex import escaped, latex_number, latex_table
from qc4.formats.spreadsheets import cell, guarded
from qc4.problems.alignment import aligned, printable
from qc4.records import as_json

_MOST_PAIRS = 20


def comparison_json(found: Comparison) -> str:
    """Everything, in full precision."""
    return as_json(found.to_dict())


def systems_csv(found: Comparison) -> str:
    """A row per system, the best first, then without a rank who is not compared; values in full precision."""
    group = letters(found)
    columns = [field.name for field in fields(SystemResult)]
    rows = ([*_cells(system, columns), group[system.system]] for system in found.systems)
    aside = ([one.system, "" if one.mean is None else repr(one.mean)] for one in found.set_aside or ())
    empty = len(columns) - 1
    return _csv([*columns, "group"], [*rows, *([guarded(name), mean, *[""] * empty] for name, mean in aside)])


def pairs_csv(found: Comparison) -> str:
    """A row per pair of the family."""
    columns = [field.name for field in fields(PairResult)]
    return _csv(columns, (_cells(pair, columns) for pair in found.pairs))


def robustness_csv(found: Robustness) -> str:
    """A row per table, the reference first, with the pair in the order of ``difference``."""
    columns = [field.name for field in fields(RobustnessRow)]
    rows = ([guarded(found.a), guarded(found.b), *_cells(row, columns)] for row in (found.reference, *found.rows))
    return _csv(["a", "b", *columns], rows)


def covariates_csv(found: WhereBetter) -> str:
    """A row per bin of each fact, with what is true of the whole fact repeated."""
    columns, of_fact = [field.name for field in fields(Bin)], ["tau", "tau_low", "tau_high"]
    rows = (
        [guarded(found.a), guarded(found.b), guarded(fact.name), *_cells(each, columns), *_cells(fact, of_fact)]
        for fact in found.covariates
        for each in fact.bins
    )
    return _csv(["a", "b", "covariate", *columns, *of_fact], rows)


def _cells(record: object, columns: Sequence[str]) -> list[object]:
    return [cell(getattr(record, column)) for column in columns]


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def comparison_latex(found: Comparison, about: About | None = None, called: str = SYSTEM) -> str:
    """A table for booktabs, its caption the methods sentence. All systems that share the best mean are set in bold.

    Args:
        about: what the comparison was made on, as far as it is known.
        called: what a system is called, in the singular.
    """
    group = letters(found)
    lettered = any(group.values())
    rows = []
    for system in found.systems:
        mean, low, high = (latex_number(number(value)) for value in (system.mean, system.low, system.high))
        rows.append(
            [
                escaped(system.system),
                rf"\textbf{{{mean}}}" if system.rank == 1 else mean,
                f"{low}--{high}" if system.low is not None else "--",
                _rank(system, "--"),
                *([group[system.system]] if lettered else []),
                *([] if found.baseline is None else _latex_against(found, system.system)),
            ]
        )
    interval = f"{100 * found.method.confidence:g}\\,\\% interval"
    head = [called.capitalize(), "Mean", interval, "Rank", *(["Group"] if lettered else [])]
    explained = f" {called.capitalize()}s that share a letter cannot be separated." if lettered else ""
    columns = f"lrcc{'l' if lettered else ''}"
    if found.baseline is not None:
        head += ["Difference", interval, "$p$", "W/T/L"]
        explained += f" Differences and p are against {found.baseline}."
        columns += "rcrr"
    explained += f" {aside_sentence(found)}".rstrip()
    return latex_table(head, rows, columns, f"{methods_sentence(found, about, called)}{explained}")


def _latex_against(found: Comparison, system: str) -> list[str]:
    """How much better a system is than the baseline, as `comparison_latex` says it."""
    if system == found.baseline:
        return ["--"] * 4
    pair = found.pair(system, found.baseline or "")
    sign, ends, counts = 1, (pair.low, pair.high), (pair.wins, pair.ties, pair.losses)
    if pair.a != system:
        sign, ends, counts = -1, (pair.high, pair.low), (pair.losses, pair.ties, pair.wins)
    low, high = (latex_number(number(None if end is None else sign * end)) for end in ends)
    return [
        latex_number(number(sign * pair.difference)),
        "--" if pair.low is None else f"{low}--{high}",
        latex_number(p_number(pair.p_adjusted)),
        "/".join(map(str, counts)),
    ]


def comparison_text(found: Comparison) -> str:
    """The sentence, the table of systems, and the first pairs in words."""
    group = letters(found)
    head = ["rank", "system", "mean", "interval", "rank set", "group"]
    rows = [
        [
            str(system.rank),
            printable(system.system) + (" *" if system.with_leader else ""),
            number(system.mean),
            f"{number(system.low)} to {number(system.high)}",
            _rank(system, "-"),
            group[system.system],
        ]
        for system in found.systems
    ]
    parts = [printable(leader_sentence(found)), "", aligned([head, *rows], right=(0, 2)).rstrip("\n")]
    if not found.note:
        parts.append("* cannot be told from the best mean")
    parts += ["", *(printable(pair_sentence(found, pair)) for pair in found.pairs[:_MOST_PAIRS])]
    if len(found.pairs) > _MOST_PAIRS:
        parts.append(f"… {len(found.pairs) - _MOST_PAIRS:,} more pairs: --format csv-pairs, or json")
    if found.repeats:
        parts += ["", variance_sentence(found.repeats.components)]
    if found.set_aside:
        parts.append(printable(aside_sentence(found)))
    if found.left_out:
        parts.append(f"Left out, because not all systems have them: {', '.join(map(printable, found.left_out))}")
    if found.filled:
        parts.append(f"Missing cells that count as the worst value: {found.filled:,}")
    return "\n".join([*parts, "", printable(methods_sentence(found)), ""])


def _rank(system: SystemResult, dash: str) -> str:
    if system.rank_low is None or system.rank_low == system.rank_high:
        return str(system.rank)
    return f"{system.rank_low}{dash}{system.rank_high}"


COMPARISON_FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "table": comparison_text,
    "json": comparison_json,
    "csv": systems_csv,
    "csv-pairs": pairs_csv,
    "latex": comparison_latex,
    "bibtex": comparison_bibtex,
}
"""The formats of a comparison by name, the first the default."""

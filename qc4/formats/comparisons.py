"""A comparison as files: CSV of its systems and of its pairs, a table for LaTeX, text for a terminal, JSON.

All of them show the numbers of one `Comparison`, with the same digits (`qc4.comparison.number`).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields

from qc4.comparison import (
    Comparison,
    PairResult,
    SystemResult,
    leader_sentence,
    letters,
    methods_sentence,
    number,
    pair_sentence,
)
from qc4.formats.spreadsheets import guarded
from qc4.problems.alignment import aligned, printable

_MOST_PAIRS = 20
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def comparison_json(found: Comparison) -> str:
    """Everything, in full precision."""
    return json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def systems_csv(found: Comparison) -> str:
    """A row per system, the best first; values in full precision."""
    group = letters(found)
    columns = [field.name for field in fields(SystemResult)]
    rows = ([*_cells(system, columns), group[system.system]] for system in found.systems)
    return _csv([*columns, "group"], rows)


def pairs_csv(found: Comparison) -> str:
    """A row per pair of the family."""
    columns = [field.name for field in fields(PairResult)]
    return _csv(columns, (_cells(pair, columns) for pair in found.pairs))


def _cells(record: object, columns: Sequence[str]) -> list[str]:
    values = (getattr(record, column) for column in columns)
    return [guarded(value) if isinstance(value, str) else "" if value is None else repr(value) for value in values]


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def comparison_latex(found: Comparison) -> str:
    """A table for booktabs, its caption the methods sentence. All systems that share the best mean are set in bold."""
    group = letters(found)
    lettered = any(group.values())
    rows = []
    for system in found.systems:
        mean = number(system.mean)
        bold = system.rank == 1
        cells = [
            _escaped(system.system),
            rf"\textbf{{{mean}}}" if bold else mean,
            f"{number(system.low)}--{number(system.high)}" if system.low is not None else "--",
            _rank(system, "--"),
            *([group[system.system]] if lettered else []),
        ]
        rows.append("  " + " & ".join(cells) + r" \\")
    head = [
        "System",
        "Mean",
        f"{100 * found.method.confidence:g}\\,\\% interval",
        "Rank",
        *(["Group"] if lettered else []),
    ]
    explained = " Systems that share a letter cannot be separated." if lettered else ""
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{_escaped(methods_sentence(found))}{explained}}}",
            rf"  \begin{{tabular}}{{lrcc{'l' if lettered else ''}}}",
            r"  \toprule",
            "  " + " & ".join(head) + r" \\",
            r"  \midrule",
            *rows,
            r"  \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


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
    if found.left_out:
        parts.append(f"Left out, because not all systems have them: {', '.join(map(printable, found.left_out))}")
    if found.filled:
        parts.append(f"Missing cells that count as the worst value: {found.filled:,}")
    return "\n".join([*parts, "", printable(methods_sentence(found)), ""])


def _rank(system: SystemResult, dash: str) -> str:
    if system.rank_low is None or system.rank_low == system.rank_high:
        return str(system.rank)
    return f"{system.rank_low}{dash}{system.rank_high}"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


COMPARISON_FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "table": comparison_text,
    "json": comparison_json,
    "csv": systems_csv,
    "csv-pairs": pairs_csv,
    "latex": comparison_latex,
}
"""The formats of a comparison by name, the first the default."""

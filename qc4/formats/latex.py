"""Tables for LaTeX, as the package booktabs wants them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qc4.problems.wording import MINUS, count_words, decimals

_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}", "–": "--", MINUS: "$-$", "±": r"$\pm$",
}  # fmt: skip
"""The brackets and the star would be options of the ``\\\\`` before them, at the start of a row."""


def escaped(text: str) -> str:
    """Text as LaTeX shows it, on one line. Letters beyond ASCII stay: LaTeX reads UTF-8."""
    return "".join(_SIGNS.get(sign, sign) for sign in " ".join(text.split()))


def latex_number(text: str) -> str:
    """A number as `qc4.comparison.number` and `p_number` write it, with the signs of LaTeX."""
    if text.startswith(MINUS):
        return f"$-${text.removeprefix(MINUS)}"
    return text.replace("<", "$<$").replace("–", "--")


def latex_interval(text: str) -> str:
    """An interval as `qc4.comparison.interval_words` and `behind_words` write it."""
    return "--".join(map(latex_number, text.split(" to ")))


def latex_mean(value: float | None, counted: int, total: int) -> str:
    """A mean for a cell, with its count in small letters unless it is over all queries: ".732 (28 of 44)"."""
    count = count_words(counted, total) if value is not None else ""
    shown = "--" if value is None else latex_number(decimals(value))
    return rf"{shown} {{\scriptsize ({count})}}" if count else shown


def latex_table(head: Sequence[str], rows: Iterable[Sequence[str]], columns: str, caption: str) -> str:
    """A table environment.

    Args:
        head, rows: cells that are LaTeX already (`escaped`).
        columns: one letter per column, as of ``tabular``.
        caption: plain text.
    """
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{escaped(caption)}}}",
            rf"  \begin{{tabular}}{{{columns}}}",
            r"  \toprule",
            "  " + " & ".join(head) + r" \\",
            r"  \midrule",
            *("  " + " & ".join(cells) + r" \\" for cells in rows),
            r"  \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )

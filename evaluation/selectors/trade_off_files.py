"""Quality against coverage and Fig. 1 as CSV and for LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.selectors.column_means import Mean
from evaluation.selectors.trade_off import FIGURES, Bar, TradeOff
from qc4.formats.latex import escaped, latex_mean, latex_table

MEAN = ("value", "counted")
BAR = ("value", "counted")
ALL_BARS = tuple((figure.key, bars) for figure in FIGURES for bars in figure.bars)


def lines(found: TradeOff) -> tuple[list[str], Iterator[list[object]]]:
    """Of a CSV file, its head first: a row per algorithm, best first; None where there is no value."""
    axes = (found.quality, found.coverage)
    head = [
        "algorithm", "baseline", "submission", *(f"{axis} {name}" for axis in axes for name in MEAN), "harmonic",
        *(f"{figure} {bars.key}{head}" for figure, bars in ALL_BARS for head in ("", " counted")), "queries",
    ]  # fmt: skip
    rows: Iterator[list[object]] = (
        [
            row.algorithm.name, row.algorithm.baseline, row.submission.pk,
            *(getattr(mean, name) for mean in (row.quality, row.coverage) for name in MEAN),
            row.harmonic, *(getattr(row.bar(figure, bars.key), name) for figure, bars in ALL_BARS for name in BAR),
            row.quality.total,
        ]
        for row in found.rows
    )  # fmt: skip
    return head, rows


def latex(found: TradeOff) -> str:
    """A table for booktabs: both axes, and the bars."""
    head = ["Algorithm", "Quality", "Coverage", *(f"{figure} {bars.title}" for figure, bars in ALL_BARS)]
    rows = [
        [
            escaped(row.algorithm.name), _mean(row.quality), _mean(row.coverage),
            *(_mean(row.bar(figure, bars.key)) for figure, bars in ALL_BARS),
        ]
        for row in found.rows
    ]  # fmt: skip
    captions = " ".join(f"{figure.key}: {found.caption(figure)}" for figure in FIGURES)
    columns = "l" + "r" * (len(head) - 1)
    return latex_table([escaped(name) for name in head], rows, columns, f"{found.methods} {captions}")


def _mean(of: Mean | Bar) -> str:
    return latex_mean(of.value, of.counted, of.total)

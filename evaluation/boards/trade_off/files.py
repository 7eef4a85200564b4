"""Quality against coverage and Fig. 1 as tables."""

from __future__ import annotations

from evaluation.boards.trade_off.selectors import FIGURES, Bar, TradeOff
from evaluation.ranking.means import Mean
from qc4.tables import Table, mean_cell

MEAN = ("value", "counted")
BAR = ("value", "counted")
ALL_BARS = tuple((figure.key, bars) for figure in FIGURES for bars in figure.bars)


def full_table(found: TradeOff) -> Table:
    """Return a row per algorithm, best first, in full precision; cells without a value are None."""
    axes = (found.quality, found.coverage)
    head = [
        "algorithm", "baseline", "submission", *(f"{axis} {name}" for axis in axes for name in MEAN), "harmonic",
        *(f"{figure} {bars.key}{head}" for figure, bars in ALL_BARS for head in ("", " counted")), "queries",
    ]  # fmt: skip
    rows = (
        [
            row.algorithm.name, row.algorithm.baseline, row.submission.pk,
            *(getattr(mean, name) for mean in (row.quality, row.coverage) for name in MEAN),
            row.harmonic, *(getattr(row.bar(figure, bars.key), name) for figure, bars in ALL_BARS for name in BAR),
            row.quality.total,
        ]
        for row in found.rows
    )  # fmt: skip
    return Table([head, *rows])


def paper(found: TradeOff) -> Table:
    """Return the table for papers: both axes and the bars, with the digits of the page."""
    head = ["Algorithm", "Quality", "Coverage", *(f"{figure} {bars.title}" for figure, bars in ALL_BARS)]
    rows: list[list[object]] = []
    for row in found.rows:
        bars = (row.bar(figure, bars.key) for figure, bars in ALL_BARS)
        means: tuple[Mean | Bar, ...] = (row.quality, row.coverage, *bars)
        rows.append([row.algorithm.name, *(mean_cell(one.value, one.counted, one.total) for one in means)])
    notes = [found.methods, *(f"{figure.key}: {found.caption(figure)}" for figure in FIGURES)]
    return Table([head, *rows], range(1, len(head)), f"Quality and coverage on {found.collection.name}.", notes)

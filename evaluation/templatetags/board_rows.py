"""Render the rows of a leaderboard as HTML in one pass: 200 algorithms and 40 measures make 8,000 cells.

A template loop takes longer for one cell than this takes for a row. Every user-supplied string goes through ``escape``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np
from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotations.templatetags.site import count_note, score
from evaluation.charts.marks import Mark
from evaluation.limits import MAX_TOOLTIP_SCORES
from evaluation.ranking.board import Board, BoardRow, RowGroup
from evaluation.ranking.f_of_means import OF
from evaluation.ranking.means import BaselineComparison
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.effective import LATEST
from evaluation.scoring.options import BoardOptions
from evaluation.templatetags.boards import mark, strips
from qc4.charts import Scale
from qc4.stats import MIN_COVERAGE, interval_words, p_number, row_sentence, signed_number
from qc4.stats.pictures.against import visible_ends
from qc4.wording import clipped

register = template.Library()

WIDTH = 170
"""Width of a row's interval plot, in pixels."""
ROOM = 5
"""Space left and right of its axis, for half a mark."""
HEADINGS = {
    RowGroup.PARTIAL: (
        f"Not ranked: values on fewer than {100 * MIN_COVERAGE:g} % of queries. Their means are over different queries."
    ),
    RowGroup.NOTHING: "Without a value",
}


@register.simple_tag
def board_rows(board: Board, marks: Mapping[int, Mark]) -> SafeString:
    """The table bodies: the compared algorithms, those with too few values, and those without any."""
    return mark_safe("".join(_Page(board, marks).lines()))  # noqa: S308 - every user-supplied string is escaped


@register.inclusion_tag("parts/hidden_fields.html")
def carried(choice: BoardOptions, *names: str) -> dict[str, list[tuple[str, str]]]:
    """Hidden form fields that carry the board options, except the named ones, which the form itself contains."""
    parameters = choice.parameters().items()
    return {"fields": [(name, value) for name, values in parameters if name not in names for value in values if value]}


@register.simple_tag
def query_ticks(board: Board) -> SafeString:
    """A check box for each query of the gold version; checked if only some queries are chosen and this is one."""
    chosen = set(board.choice.queries)
    boxes = (
        f'<label><input class="form-check-input" type="checkbox" name="query" value="{escape(query.key)}"'
        f"{' checked' if query.key in chosen else ''}> <bdi>{escape(clipped(query.text, 80))}</bdi></label>"
        for query in board.all_queries
    )
    return mark_safe("".join(boxes))  # noqa: S308 - as above


@register.inclusion_tag("boards/chart_axis.html")
def picture_axis(board: Board) -> dict[str, object]:
    """The head of the plots: their title, and the ends of the axis that all rows share."""
    axis = Axis.of(board)
    return {"axis": axis, "width": WIDTH, "zero": axis.x(0.0) if axis else ""}


@dataclass(frozen=True, slots=True)
class Bar:
    """The plot of an algorithm: a dot, an interval if there is one, and both as text.

    Attributes:
        solid: True if the dot is filled: the algorithm could be the best, or is significantly different from the
            baseline.
    """

    at: float
    low: float | None
    high: float | None
    solid: bool
    words: str

    @classmethod
    def of(cls, row: BoardRow) -> Bar | None:
        """The distance from the best, or the difference from the baseline; None if neither is known."""
        against, system = (row.mean.against if row.mean else None), row.system
        if against is not None:
            words = f"{_signed(against.difference)} ({interval_words(against.low, against.high)})"
            return cls(against.difference, against.low, against.high, against.verdict == "better", words)
        if system is None or system.behind_low is None:
            return None
        low = None if system.behind_high is None else system.behind_low
        return cls(system.behind, low, system.behind_high, bool(system.could_be_best), row_sentence(system))


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis that all plots of a leaderboard share: 0 is the best, or the baseline."""

    low: float
    high: float
    title: str

    @classmethod
    def of(cls, board: Board) -> Axis | None:
        """The axis from the lowest to the highest drawn value, including 0; None if nothing is drawn."""
        bars = [bar for row in board.rows if (bar := Bar.of(row)) is not None]
        if not bars:
            return None
        ends = [end for bar in bars for end in (bar.at, bar.low, bar.high) if end is not None]
        low, high = min([0.0, *ends]), max([0.0, *ends])
        title = "difference from the baseline" if board.compares else "behind the best"
        return cls(low, high if high > low else low + 1.0, title)

    @property
    def scale(self) -> Scale:
        return Scale(self.low, self.high, ROOM, WIDTH - ROOM)

    def x(self, value: float) -> str:
        return f"{self.scale(value):.1f}"


class _Page:
    """Renders one leaderboard as HTML."""

    def __init__(self, board: Board, marks: Mapping[int, Mark]) -> None:
        self.board, self.marks = board, marks
        self.axis = Axis.of(board)
        self.bars = {row.algorithm.pk: bar for row in board.rows if (bar := Bar.of(row)) is not None}
        self.best = board.best
        self.cells = [self._column(column) for column in board.columns] if board.standings else []
        if board.shows_f_of_means and self.cells:
            self.cells.insert(1 + [column.key for column in board.columns].index(OF), self._f_of_means())
        self.strips = self._strips()
        self.compares = board.compares
        # URLs are resolved once because they differ only in the number.
        self.address, self.after = reverse("submission", args=[0]).rsplit("0", 1)
        # Number of cells between the name and the end of the row, as in the table head.
        self.n_cells = len(board.columns) + board.shows_f_of_means + 2 + 3 * self.compares
        self.page, self.after_page = reverse("algorithm", args=[0]).rsplit("0", 1)

    def lines(self) -> Iterator[str]:
        group = None
        for row in self.board.rows:
            if row.group is not group:
                yield "<tbody>" if group is None else "</tbody><tbody>"
                group = row.group
                if group in HEADINGS:
                    yield (
                        f'<tr class="group"><td colspan="{self.n_cells + 4}"><span>{HEADINGS[group]}</span></td></tr>'
                    )
            yield self._row(row)
        yield "</tbody>"

    def _row(self, row: BoardRow) -> str:
        pk = row.algorithm.pk
        if row.run is None:
            rest = f'<td class="undefined" colspan="{self.n_cells}">{escape(row.waiting)}</td>'
        else:
            rest = "".join([cells[pk] for cells in self.cells]) + self._against(row) + self._queries(row)
        return f"<tr>{_tick(row)}{_rank(row)}{self._name(row)}{rest}{self._submitted(row)}</tr>\n"

    def _submitted(self, row: BoardRow) -> str:
        """The effective submission, its submitter and its date."""
        by = f"<bdi>{escape(clipped(row.submitted_by, 24))}</bdi>" if row.submitted_by else "the site"
        at = row.submitted_at
        return (
            f'<td class="submitted"><a href="{self.address}{row.submission.pk}{self.after}">#{row.submission.pk}</a> '
            f"<span>{by}</span>"
            f'<small><time datetime="{at.isoformat()}">{at:%Y-%m-%d}</time></small></td>'
        )

    def _name(self, row: BoardRow) -> str:
        algorithm = row.algorithm
        kind = ""
        if algorithm.baseline:
            word = "reference" if row.is_reference else "baseline"
            kind = f' <span class="chip">{word}</span>'
        chips = "".join(_chips(row))
        below = f'<div class="chips">{chips}</div>' if chips else ""
        return (
            f'<th scope="row" class="pin"><span class="algorithm">{mark(self.marks.get(algorithm.pk))}'
            f'<a href="{self.page}{algorithm.pk}{self.after_page}"><bdi>{escape(algorithm.name)}</bdi></a>'
            f"{kind}</span>{below}</th>"
        )

    def _column(self, column: BoardColumn) -> dict[int, str]:
        """The cells of one column, by algorithm id."""
        standing, best = self.board.standings[column.key], self.best[column.key]
        means, is_sort = standing.means, column == self.board.sort
        facts = (
            means.each(name)
            for name in ("value", "counted", "total", "flattened", "cut", "reason", "compared", "beside")
        )
        found = {}
        for pk, value, counted, total, flattened, cut, reason, is_compared, beside in zip(means, *facts, strict=True):
            if value is None:
                words = f'<span class="undefined" title="{escape(reason)}">undefined</span>'
                found[pk] = f'<td class="num{" sorted" if is_sort else ""}">{words}</td>'
                continue
            text = f"{value:.3f}".removeprefix("0") if value > 0 else score(value)  # `score`, for thousands
            shown = f'<span class="best" title="best value">{text}</span>' if pk in best else text
            if not is_compared and not beside:
                shown = f'<span title="not ranked: mean over a different set of queries">△ {shown}</span>'
            if flattened:
                shown += f'<span class="flattened" title="Flattened on {flattened} of {total} queries">*</span>'
            if cut:
                title = f"Nested clusters flattened at one depth on {cut} of {total} queries"
                shown += f'<span class="flattened" title="{title}">†</span>'
            shown += count_note(counted, total)
            if is_sort:
                found[pk] = f'<td class="num sorted"><div><span>{shown}</span>{self._plot(pk)}</div></td>'
            else:
                found[pk] = f'<td class="num">{shown}</td>'
        return found

    def _f_of_means(self) -> dict[int, str]:
        """The cells of the F of the means, by algorithm id."""
        values = self.board.f_of_rows()
        ranked = [one.value for one in values.values() if one is not None and one.low is not None]
        best = max(ranked, default=0.0) - 1e-9
        both = self.board.f_of_means
        count = count_note(both.queries, len(self.board.queries)) if both else ""
        found = {}
        for pk, one in values.items():
            if one is None:
                found[pk] = '<td class="num undefined">–</td>'
                continue
            is_best = one.low is not None and one.value >= best
            shown = f'<span class="best" title="best value">{score(one.value)}</span>' if is_best else score(one.value)
            found[pk] = f'<td class="num">{shown}{count}</td>'
        return found

    def _plot(self, pk: int) -> str:
        """The plot of an algorithm on the axis that all rows share, with its numbers as text."""
        axis, of, bar = self.axis, self.marks.get(pk), self.bars.get(pk)
        if axis is None:
            return ""
        if bar is None:
            return f'<svg class="interval" width="{WIDTH}" height="22" aria-hidden="true"></svg>'
        span, at, zero = "", axis.x(bar.at), axis.x(0.0)
        if bar.low is not None and bar.high is not None:
            start, end = visible_ends(axis.scale, bar.low, bar.high)
            span = f'<path class="span" d="M{start:.1f} 11H{end:.1f}M{start:.1f} 8v6M{end:.1f} 8v6"/>'
            at = f"{min(max(axis.scale(bar.at), start), end):.1f}"
        words, hollow = escape(bar.words), "" if bar.solid else " hollow"
        return (
            f'<svg class="interval hue-{of.hue if of else 0}" width="{WIDTH}" height="22" viewBox="0 0 {WIDTH} 22" '
            f'role="img" aria-label="{words}"><title>{words}</title><path class="zero" d="M{zero} 0v22"/>{span}'
            f'<circle class="at{hollow}" cx="{at}" cy="11" r="2.6"/></svg>'
        )

    def _against(self, row: BoardRow) -> str:
        """The difference from the baseline, its significance, and the numbers of queries won, tied and lost."""
        if not self.compares:
            return ""
        if row.algorithm.pk == self.board.choice.baseline:
            return '<td class="muted" colspan="3">the others are compared with it</td>'
        found = row.mean.against if row.mean else None
        if found is None:
            return '<td class="undefined" colspan="3">not compared</td>'
        alpha = self.board.choice.method.alpha
        return (
            f'<td class="num">{_signed(found.difference)}<small>{interval_words(found.low, found.high)}</small></td>'
            f'<td class="num">{escape(p_number(found.p_adjusted, alpha))}<small>{_verdict(found)}</small></td>'
            f'<td class="num nowrap">{found.wins} / {found.ties} / {found.losses}</td>'
        )

    def _queries(self, row: BoardRow) -> str:
        mean = row.mean
        if mean is None:
            return "<td></td><td></td>"
        lacking = f' title="{mean.missing} without a clustering"' if mean.missing else ""
        sign = "△ " if mean.scored != mean.total else ""
        counts = f'<td class="num nowrap"{lacking}>{sign}{mean.scored}/{mean.total}</td>'
        if mean.value is None:
            why = escape(mean.reason)
            return f'{counts}<td class="strip-cell"><span class="undefined one-line" title="{why}">{why}</span></td>'
        return f'{counts}<td class="strip-cell">{self.strips[row.algorithm.pk]}</td>'

    def _strips(self) -> dict[int, str]:
        """The strips of scores by query, by algorithm id, for algorithms that have a mean."""
        rows = [row for row in self.board.rows if row.mean and row.mean.value is not None]
        if not rows:
            return {}
        marks = [self.marks.get(row.algorithm.pk) for row in rows]
        # Tooltips of each query are included only if the page does not get too large.
        n_queries = len(self.board.queries)
        tell = n_queries * len(self.board.rows) <= MAX_TOOLTIP_SCORES and n_queries <= 60
        tips = [self._tips(row) for row in rows] if tell else None
        drawn = strips(np.array([row.numbers for row in rows]), marks, *self.board.value_range, tips)
        return {row.algorithm.pk: one for row, one in zip(rows, drawn, strict=True)}

    def _tips(self, row: BoardRow) -> list[str]:
        return [
            f"{clipped(query.text, 80)}: {row.gaps[place].reason if isnan(value) else score(value)}"
            for place, (query, value) in enumerate(zip(self.board.queries, row.numbers.tolist(), strict=True))
        ]


def _tick(row: BoardRow) -> str:
    name, kind = escape(row.algorithm.name), " reference" if row.is_reference else ""
    return (
        f'<td class="tick{kind}"><input class="form-check-input" type="checkbox" form="ticked" name="algorithms" '
        f'value="{row.algorithm.pk}" aria-label="Tick {name}"></td>'
    )


def _rank(row: BoardRow) -> str:
    best = ""
    if row.could_be_best:
        best = (
            ' <span class="could-be-best" title="could be the best"><span aria-hidden="true">≈</span>'
            '<span class="visually-hidden">could be the best</span></span>'
        )
    return f'<td class="num rank">{row.ranks}{best}</td>'


def _chips(row: BoardRow) -> Iterator[str]:
    if row.mean and row.mean.runs > 1:
        yield _repeats(row)
    if row.counts != LATEST.words:
        title = "The effective submission is not the latest: see its page"
        yield f'<span class="chip" title="{title}">{escape(row.counts)}</span>'
    if not row.submission.published:
        yield '<span class="chip">private</span>'
    if row.outdated_engine:
        engines = escape(", ".join(row.engines))
        yield f'<span class="chip warn" title="Scored by engine {engines}">△ older engine</span>'
    if row.older_vectors:
        title = "The vectors of a query were changed since; run it again"
        yield f'<span class="chip warn" title="{title}">△ older vectors</span>'
    if row.newer:
        address = reverse("submission", args=[row.newer.pk])
        yield f'<a class="chip warn" href="{address}">△ newer submission not scored</a>'


def _repeats(row: BoardRow) -> str:
    """The number of runs behind the row, and their spread."""
    mean, marks = row.mean, ", ".join(row.repeats)
    if mean is None or mean.runs_low is None:
        return f'<span class="chip path" title="{escape(marks)}">{len(row.repeats)} runs</span>'
    title = f"means of single runs, standard deviation {score(mean.runs_deviation)}; runs: {marks}"
    spread = f"{score(mean.runs_low)} to {score(mean.runs_high)}"
    return f'<span class="chip path" title="{escape(title)}">mean of {mean.runs} runs, {spread}</span>'


def _signed(value: float) -> str:
    text = signed_number(value)
    return text if value <= 0 else f"+{text}"


def _verdict(found: BaselineComparison) -> str:
    if found.verdict == "not separated":
        return "not significantly different"
    if found.verdict != "better":
        return found.verdict
    return "▲ better" if found.difference > 0 else "▼ worse"

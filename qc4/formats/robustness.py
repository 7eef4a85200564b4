"""Whether the winner would change, and where a system wins, as text for a terminal, JSON, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from qc4.comparison import (
    Bin,
    Robustness,
    RobustnessRow,
    WhereBetter,
    covariate_sentence,
    interval_words,
    looks_sentence,
    number,
    p_number,
    robustness_sentences,
    signed_number,
)
from qc4.formats.comparisons import covariates_csv, robustness_csv
from qc4.formats.latex import as_latex
from qc4.printing import Block, Table, as_text, paragraph
from qc4.problems.wording import percentage, printable
from qc4.records import Record, as_json

_ORDER = {True: "yes", False: "no", None: "–"}


def robustness_text(found: Robustness) -> str:
    """The sentences, and a line for each table."""
    head = ["", "", "queries", "difference", "interval", "p", "same order", "ahead in", "leader"]
    rows = [[printable(cell) for cell in _of_table(row, found.alpha)] for row in (found.reference, *found.rows)]
    notes = [f"{printable(row.name)}: {printable(row.note)}" for row in (found.reference, *found.rows) if row.note]
    sentences = [printable(sentence) for sentence in robustness_sentences(found)]
    return as_text([paragraph(sentences), Table([head, *rows], (2, 3, 7), notes=[*notes, _drawn(found)])])


def robustness_latex(found: Robustness) -> str:
    """A table of the tables."""
    head = ["Table", "", "Queries", "Difference", "Interval", "𝑝", "Same order", "Ahead in", "Best mean"]
    rows = [_of_table(row, found.alpha) for row in (found.reference, *found.rows)]
    notes = ["p of this pair alone; ahead in: share of resampled sets of queries.", _drawn(found)]
    title = f"Mean differences of {found.a} over {found.b}."
    return as_latex(Table([head, *rows], (2, 3), title, notes, keys=2), "robustness")


def where_text(found: WhereBetter) -> str:
    """A sentence and the bins of each fact."""
    blocks: list[Block] = []
    for fact in found.covariates:
        head = [f"  {printable(fact.name)}", "queries", "difference", "interval", "win/tie/loss"]
        rows = [[f"  {cell}" if place == 0 else cell for place, cell in enumerate(_of_bin(each))] for each in fact.bins]
        blocks.append(Table([head, *rows], (1, 2), printable(covariate_sentence(found, fact))))
    return as_text([*blocks, paragraph([looks_sentence(found), _drawn(found)])])


def where_latex(found: WhereBetter) -> str:
    """A table of the bins, a fact after the other."""
    head = ["Fact", "Values", "Queries", "Difference", "Interval", "Win/tie/loss"]
    rows = [
        ["" if place else fact.name, *_of_bin(each)]
        for fact in found.covariates
        for place, each in enumerate(fact.bins)
    ]
    title = f"Mean differences of {found.a} over {found.b} by facts of the queries."
    return as_latex(Table([head, *rows], (2, 3), title, [looks_sentence(found), _drawn(found)], keys=2), "covariates")


def _of_table(row: RobustnessRow, alpha: float) -> list[str]:
    return [
        row.kind,
        row.name,
        f"{row.queries:,}",
        signed_number(row.difference),
        interval_words(row.low, row.high),
        p_number(row.p, alpha),
        _ORDER[row.agrees],
        "–" if row.share is None else percentage(row.share, digits=1),
        row.leader or "–",
    ]


def _of_bin(each: Bin) -> list[str]:
    counts = f"{each.wins}/{each.ties}/{each.losses}"
    return [each.label, f"{each.queries:,}", number(each.difference), interval_words(each.low, each.high), counts]


def _drawn(found: Robustness | WhereBetter) -> str:
    source = "from the test of this pair alone" if isinstance(found, Robustness) else "by the BCa bootstrap"
    return f"{100 * (1 - found.alpha):g} % intervals {source}; {found.draws:,} draws, seed {found.seed}."


def _json(found: Record) -> str:
    return as_json(found.to_dict())


ROBUSTNESS_FORMATS: Mapping[str, Callable[[Robustness], str]] = {
    "table": robustness_text,
    "json": _json,
    "csv": robustness_csv,
    "latex": robustness_latex,
}
"""By name, the first the default."""
WHERE_FORMATS: Mapping[str, Callable[[WhereBetter], str]] = {
    "table": where_text,
    "json": _json,
    "csv": covariates_csv,
    "latex": where_latex,
}

"""Files of a comparison: CSV of its systems and of its pairs, LaTeX, text for a terminal, and JSON.

All of them show the numbers of one `Comparison`, with the same digits (`qc4.stats.number`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields

from qc4.records import Record, to_json
from qc4.stats import (
    SYSTEM,
    Bin,
    Comparison,
    ComparisonContext,
    PairResult,
    Robustness,
    RobustnessRow,
    SystemResult,
    WhereBetter,
    behind_words,
    comparison_bibtex,
    covariate_sentence,
    exploratory_note,
    incomplete_sentence,
    interval_words,
    leader_sentence,
    methods_sentence,
    number,
    p_number,
    pair_sentence,
    place_words,
    robustness_sentences,
    signed_number,
    variance_sentence,
)
from qc4.stats.wording import of_queries
from qc4.tables import Block, Cell, Table, as_latex, as_text, csv_table, interval_cell, paragraph
from qc4.wording import counted, percentage, printable

_MOST_PAIRS = 20


def comparison_json(found: Comparison) -> str:
    """Write the whole comparison in full precision."""
    return to_json(found.to_dict())


def systems_csv(found: Comparison) -> str:
    """Write a row per system, best first, followed by the systems that are not ranked; values in full precision.

    The column ``queries`` has the number of queries behind each mean.
    """
    name, mean, *others = [field.name for field in fields(SystemResult)]
    rows = [[*_cells(system, (name, mean)), found.queries, *_cells(system, others)] for system in found.systems]
    unranked = [(one.system, one.mean, one.queries) for one in found.incomplete_systems or ()]
    unranked += [(one.system, one.mean, one.queries) for one in found.references or ()]
    rows += [[*one, *[""] * len(others)] for one in unranked]
    return csv_table([name, mean, "queries", *others], rows)


def pairs_csv(found: Comparison) -> str:
    """Write a row per pair of the family."""
    columns = [field.name for field in fields(PairResult)]
    return csv_table(columns, (_cells(pair, columns) for pair in found.pairs))


def robustness_csv(found: Robustness) -> str:
    """Write a row per table, the reference first, with the pair in the order of ``difference``."""
    columns = [field.name for field in fields(RobustnessRow)]
    rows = ([found.a, found.b, *_cells(row, columns)] for row in (found.reference, *found.rows))
    return csv_table(["a", "b", *columns], rows)


def covariates_csv(found: WhereBetter) -> str:
    """Write a row per bin of each property. The property's own values are repeated in every row."""
    columns, of_fact = [field.name for field in fields(Bin)], ["tau", "tau_low", "tau_high"]
    rows = (
        [found.a, found.b, fact.name, *_cells(each, columns), *_cells(fact, of_fact)]
        for fact in found.covariates
        for each in fact.bins
    )
    return csv_table(["a", "b", "covariate", *columns, *of_fact], rows)


def _cells(record: object, columns: Sequence[str]) -> list[object]:
    return [getattr(record, column) for column in columns]


def comparison_latex(found: Comparison, about: ComparisonContext | None = None, called: str = SYSTEM) -> str:
    """Write `comparison_table` for LaTeX."""
    return as_latex(comparison_table(found, about, called), "comparison")


def comparison_table(found: Comparison, about: ComparisonContext | None = None, called: str = SYSTEM) -> Table:
    """Return the table of systems for a paper, with the methods sentence below it.

    All systems that share the best mean are bold.

    Args:
        about: measure and data of the comparison, if known.
        called: name of a system, in the singular.
    """
    ranked = any(system.rank_low is not None for system in found.systems)
    distances = any(system.behind_low is not None for system in found.systems)
    lettered = any(system.compact_letter_display for system in found.systems)
    against = found.baseline is not None and bool(found.pairs)
    head = [called.capitalize(), "Mean"]
    head += [
        title for shown, title in ((ranked, "Place"), (distances, "Behind the best"), (lettered, "Group")) if shown
    ]
    notes = [methods_sentence(found, about, called)]
    if lettered:
        notes.append(f"{called.capitalize()}s that share a letter are not significantly different.")
    right = {1}
    if against:
        right |= {len(head), len(head) + 2, len(head) + 3}
        head += ["Difference", f"{100 * found.method.confidence:g} % interval", "𝑝", "W/T/L"]
        notes.append(f"Differences and p are against {found.baseline}.")
    rows: list[list[object]] = []
    for system in found.systems:
        row: list[object] = [system.system, Cell(number(system.mean), bold=system.rank == 1)]
        row += [place_words(system)] if ranked else []
        row += [interval_cell(behind_words(system))] if distances else []
        row += [system.compact_letter_display] if lettered else []
        rows.append(row + (_against(found, system.system) if against else []))
    rows += ([one.system, number(one.mean), *["–"] * (len(head) - 2)] for one in found.references or ())
    notes += [words for words in (_references_words(found, called), incomplete_sentence(found)) if words]
    measure = f" of {about.measure}" if about and about.measure else ""
    where = f" on {about.collection}" if about and about.collection else ""
    title = f"Means{measure}{where}: {counted(len(found.systems), called)}, {of_queries(found)}."
    return Table([head, *rows], right, title, notes)


def _references_words(found: Comparison, called: str) -> str:
    """Return a note that reference systems are not ranked, with the number of queries if their means are over fewer."""
    if not found.references:
        return ""
    fewer = [f"{one.system} over {one.queries:,}" for one in found.references if one.queries != found.queries]
    names = ", ".join(one.system for one in found.references)
    means = f"; means of {', '.join(fewer)} queries" if fewer else ""
    return f"For scale, not ranked: {names}{means}."


def _against(found: Comparison, system: str) -> list[object]:
    """Return the cells of `comparison_table` that compare a system with the baseline."""
    if system == found.baseline:
        return ["–"] * 4
    pair = found.pair(system, found.baseline or "")
    sign, low, high, counts = 1, pair.low, pair.high, (pair.wins, pair.ties, pair.losses)
    if pair.a != system:
        sign, counts = -1, (pair.losses, pair.ties, pair.wins)
        low, high = (None if end is None else -end for end in (pair.high, pair.low))
    return [
        signed_number(sign * pair.difference),
        interval_cell(interval_words(low, high)),
        p_number(pair.p_adjusted, found.method.alpha),
        "/".join(map(str, counts)),
    ]


def comparison_text(found: Comparison) -> str:
    """Write the sentence, the table of systems, and the first pairs in words."""
    head = ["place", "system", "mean", "behind the best", "group"]
    rows = [
        [
            place_words(system, "-"),
            printable(system.system) + (" *" if system.could_be_best else ""),
            number(system.mean),
            behind_words(system),
            system.compact_letter_display,
        ]
        for system in found.systems
    ]
    rows += [["", printable(one.system), number(one.mean), "", ""] for one in found.references or ()]
    shown = [place for place in range(len(head)) if any(row[place].strip("–") for row in rows)]
    table = [[row[place] for place in shown] for row in (head, *rows)]
    groups: list[list[str]] = [[]]
    if any(system.could_be_best for system in found.systems):
        groups[-1].append("* could be the best")
    if any(system.behind_high is not None for system in found.systems):
        groups[-1].append("Places of different systems may overlap: a place depends on all others.")
    if found.pairs:
        groups.append([printable(pair_sentence(found, pair)) for pair in found.pairs[:_MOST_PAIRS]])
    if len(found.pairs) > _MOST_PAIRS:
        groups[-1].append(f"… {len(found.pairs) - _MOST_PAIRS:,} more pairs: --format csv-pairs, or json")
    if found.repeats:
        groups.append([variance_sentence(found.repeats.components)])
    if found.references:
        groups[-1].append(_references_words(found, SYSTEM))
    if found.incomplete_systems:
        groups[-1].append(printable(incomplete_sentence(found)))
    if found.left_out:
        groups[-1].append(f"Omitted because not all systems have them: {', '.join(map(printable, found.left_out))}")
    if found.filled:
        groups[-1].append(f"Missing cells that count as the worst value: {found.filled:,}")
    notes, *others = groups
    blocks: list[Block] = [paragraph([printable(leader_sentence(found))]), Table(table, (0, 2), notes=notes)]
    return as_text([*blocks, *map(paragraph, others), paragraph([printable(methods_sentence(found))])])


COMPARISON_FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "table": comparison_text,
    "json": comparison_json,
    "csv": systems_csv,
    "csv-pairs": pairs_csv,
    "latex": comparison_latex,
    "bibtex": comparison_bibtex,
}
"""Formats of a comparison by name. The first is the default."""


# --- Robustness of the winner, and where a system wins: text for a terminal, JSON, CSV and LaTeX ---

_ORDER = {True: "yes", False: "no", None: "–"}


def robustness_text(found: Robustness) -> str:
    """Write the sentences, and a row for each table."""
    head = ["", "", "queries", "difference", "interval", "p", "same order", "ahead in", "leader"]
    rows = [[printable(cell) for cell in _of_table(row, found.alpha)] for row in (found.reference, *found.rows)]
    notes = [f"{printable(row.name)}: {printable(row.note)}" for row in (found.reference, *found.rows) if row.note]
    sentences = [printable(sentence) for sentence in robustness_sentences(found)]
    return as_text([paragraph(sentences), Table([head, *rows], (2, 3, 7), notes=[*notes, _drawn(found)])])


def robustness_latex(found: Robustness) -> str:
    """Write a LaTeX table with a row per table of scores."""
    head = ["Table", "", "Queries", "Difference", "Interval", "𝑝", "Same order", "Ahead in", "Best mean"]
    rows = [_of_table(row, found.alpha) for row in (found.reference, *found.rows)]
    notes = ["p of this pair alone; ahead in: share of resampled sets of queries.", _drawn(found)]
    title = f"Mean differences of {found.a} over {found.b}."
    return as_latex(Table([head, *rows], (2, 3), title, notes, keys=2), "robustness")


def where_text(found: WhereBetter) -> str:
    """Write a sentence and the bins of each property."""
    blocks: list[Block] = []
    for fact in found.covariates:
        head = [f"  {printable(fact.name)}", "queries", "difference", "interval", "win/tie/loss"]
        rows = [[f"  {cell}" if place == 0 else cell for place, cell in enumerate(_of_bin(each))] for each in fact.bins]
        blocks.append(Table([head, *rows], (1, 2), printable(covariate_sentence(found, fact))))
    return as_text([*blocks, paragraph([exploratory_note(found), _drawn(found)])])


def where_latex(found: WhereBetter) -> str:
    """Write a LaTeX table of the bins of all properties."""
    head = ["Fact", "Values", "Queries", "Difference", "Interval", "Win/tie/loss"]
    rows = [
        ["" if place else fact.name, *_of_bin(each)]
        for fact in found.covariates
        for place, each in enumerate(fact.bins)
    ]
    title = f"Mean differences of {found.a} over {found.b} by facts of the queries."
    return as_latex(Table([head, *rows], (2, 3), title, [exploratory_note(found), _drawn(found)], keys=2), "covariates")


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
    return to_json(found.to_dict())


ROBUSTNESS_FORMATS: Mapping[str, Callable[[Robustness], str]] = {
    "table": robustness_text,
    "json": _json,
    "csv": robustness_csv,
    "latex": robustness_latex,
}
"""Formats by name. The first is the default."""
WHERE_FORMATS: Mapping[str, Callable[[WhereBetter], str]] = {
    "table": where_text,
    "json": _json,
    "csv": covariates_csv,
    "latex": where_latex,
}

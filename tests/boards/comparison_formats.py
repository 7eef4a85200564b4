"""Readers for the formats of a comparison (pages, API, files, command line): the numbers of each algorithm, as text.

Formats write signs differently (hyphen, minus sign, LaTeX dashes, a plus before a gain), so these are normalised. API
responses and CSV have full precision and are rounded by `qc4.stats.number` and `p_number`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise
from typing import Any

from qc4 import stats as comparison
from qc4.stats import p_number

Answer = Mapping[str, Any]
NUMBER = r"[+-]?\d*\.\d+"


@dataclass(frozen=True)
class Figures:
    """The numbers of one algorithm; None if a format does not show a number, "" if it shows that there is none.

    Attributes:
        difference: how much better the algorithm is than the baseline.
        counts: queries won, tied and lost against the baseline: "7/1/4".
    """

    mean: str | None = None
    ranks: str | None = None
    difference: str | None = None
    difference_low: str | None = None
    difference_high: str | None = None
    p: str | None = None
    counts: str | None = None


FigureTable = dict[str, Figures]


def board_page(html: str, column: int = 1) -> FigureTable:
    """Read the rows of the leaderboard page, by one of its measures, the first by default."""
    rows = {}
    for cells in _rows(html, 'class="data board"'):
        if len(cells) > column + 3 and (mean := _interval(cells[column + 2])):
            found = Figures(mean[0], ranks=_ranks(cells[1]))
            rows[cells[2]] = replace(found, **_board_difference(cells))
    return rows


def _board_difference(cells: list[str]) -> dict[str, str]:
    counts = [place for place, cell in enumerate(cells) if re.fullmatch(r"\d+ / \d+ / \d+", cell)]
    if not counts:
        return {}
    difference, low, high = _interval(cells[counts[0] - 2])
    p = _first(r"(?:< )?\.\d+|1\.0000", cells[counts[0] - 1])
    return _against(difference, low, high, p, cells[counts[0]].replace(" ", ""))


def forest(html: str) -> FigureTable:
    """Read the rows of the compare page's forest plot."""
    found = {}
    for cells in _rows(html, 'class="data forest-table"'):
        if cells[0] == "Algorithm":
            continue
        *against, mean, ranks = cells[2:]
        figures = Figures(mean, ranks=ranks)
        if len(against) == 3:
            figures = replace(figures, **_against(*_interval(against[0]), against[2], against[1]))
        found[cells[0]] = figures
    return found


def pairs_table(html: str, baseline: str) -> FigureTable:
    """Read the compare page's table of all pairs; differences are from the baseline."""
    found = {}
    for cells in _rows(html, 'aria-label="All numbers of the pairs"'):
        if cells[0] == "Better mean":
            continue
        a, b, _, difference, low, high, _, wins, ties, losses = cells[:10]
        p = cells[13]
        if b == baseline:
            found[a] = Figures(**_against(difference, low, high, p, f"{wins}/{ties}/{losses}"))
        else:
            found[b] = Figures(**_against(_minus(difference), _minus(high), _minus(low), p, f"{losses}/{ties}/{wins}"))
    return found


def board_answer(answer: Answer, measure: str) -> FigureTable:
    """Read the leaderboard as JSON."""
    found = {}
    for row in answer["rows"]:
        mean = row["scores"].get(measure)
        if mean and mean["value"] is not None:
            against, ranks = mean["against_baseline"], None
            if answer["sort"] == measure:
                ranks = _set(row["rank"], row["rank"])
            figures = Figures(_or_none(mean["value"]), ranks=ranks)
            found[row["algorithm"]] = replace(figures, **(_difference_figures(against) if against else {}))
    return found


def compare_answer(answer: Answer) -> FigureTable:
    """Read a comparison as JSON, from the site or from the command."""
    found = {
        one["system"]: Figures(number(one["mean"]), ranks=_set(one["rank"], one["rank"])) for one in answer["systems"]
    }
    baseline = answer["baseline"]
    for pair in answer["pairs"]:
        name, pair_numbers = _as_other(pair, baseline)
        found[name] = replace(found[name], **_difference_figures(pair_numbers))
    return found


def heat_map(html: str) -> FigureTable:
    """Read the means of algorithms from the table below the heat map."""
    head, means, *_ = _rows(html, 'class="data heat-table"')
    return {name: Figures(*_interval(cell)[:1]) for name, cell in zip(head[3:], means[3:], strict=True)}


def heat_answer(answer: Answer) -> FigureTable:
    """Read the means of algorithms from the heat map as JSON."""
    return {one["algorithm"]: Figures(number(one["mean"])) for one in answer["algorithms"]}


def heat_latex(text: str) -> FigureTable:
    """Read the means of algorithms from the heat map as LaTeX, including all parts of a wide one."""
    rows = _latex_rows(text)
    return {
        name: Figures(_hyphen(cell))
        for head, means in pairwise(rows)
        if means[0] == "Mean"
        for name, cell in zip(head[1:], means[1:], strict=True)
        if name != "Mean"
    }


def systems_csv(text: str) -> FigureTable:
    """Read the systems of a comparison as CSV."""
    return {
        line["system"]: Figures(number(float(line["mean"])), ranks=_set(line["rank"], line["rank"]))
        for line in csv.DictReader(io.StringIO(text))
    }


def pairs_csv(text: str, baseline: str) -> FigureTable:
    """Read the pairs of a comparison as CSV; differences are from the baseline."""
    found = {}
    for line in csv.DictReader(io.StringIO(text)):
        numbers = {key: float(line[key]) for key in ("difference", "low", "high", "p_adjusted")}
        counts = {key: int(line[key]) for key in ("wins", "ties", "losses")}
        name, pair_numbers = _as_other({"a": line["a"], "b": line["b"], **numbers, **counts}, baseline)
        found[name] = Figures(**_difference_figures(pair_numbers))
    return found


def board_csv(text: str, head: str) -> FigureTable:
    """Read the leaderboard as CSV, by the measure whose columns start with `head`."""
    found = {}
    for line in csv.DictReader(io.StringIO(text)):
        figures = Figures(_or_none(line[head]), ranks=_set(line["rank"], line["rank"]))
        if line["difference"]:
            numbers = {key: float(line[key]) for key in ("difference", "low", "high", "p_adjusted")}
            figures = replace(figures, **_difference_figures({**line, **numbers}))
        found[line["algorithm"]] = figures
    return found


def latex(text: str, mean: int) -> FigureTable:
    """Read a LaTeX table of the leaderboard or of a comparison; escaped names stay escaped.

    Args:
        mean: index of the column with the means.
    """
    head, *rows = _latex_rows(text)
    found = {}
    for cells in rows:
        of = dict(zip(head, cells, strict=True))
        places = of.get("Place")
        ranks = None if places is None else places.replace("--", "-").removeprefix("-")
        figures = Figures(_hyphen(cells[mean]), ranks=ranks)
        if of.get("W/T/L", "--") != "--":
            difference = (_hyphen(of["Difference"]), *_ends(cells[-3]))
            figures = replace(figures, **_against(*difference, of["$p$"], of["W/T/L"]))
        found[of.get("Algorithm", of.get("System", ""))] = figures
    return found


def _latex_rows(text: str) -> list[list[str]]:
    lines = [line.lstrip().removesuffix(r" \\") for line in text.splitlines() if " & " in line]
    return [[_latex_cell(cell) for cell in line.split(" & ")] for line in lines]


def _latex_cell(cell: str) -> str:
    cell = re.sub(r" \{\\scriptsize \(.*?\)\}", "", cell)
    if stacked := re.fullmatch(r"\\shortstack\[[lr]\]\{(.*)\}", cell):
        cell = stacked[1].replace(r" \\ ", " ")
    bold = re.fullmatch(r"\\textbf\{(.*)\}", cell)
    return (bold[1] if bold else cell).replace("$-$", "−").replace(r"\textless{} .", "< .")


def _ends(cell: str) -> tuple[str, str]:
    low, high = cell.split("--")  # both are "" if there is no interval, which is a single dash
    return _hyphen(low), _hyphen(high)


def number(value: float | None) -> str:
    """Format a value as all formats do, but with a hyphen as its sign."""
    return _hyphen(comparison.number(value))


def _or_none(value: float | str | None) -> str:
    """Format the value of a response or of a cell; "" if there is none."""
    return "" if value in (None, "") else number(float(value))


def _hyphen(text: str) -> str:
    return text.replace("−", "-")


def _as_other(pair: Answer, baseline: str) -> tuple[str, dict[str, Any]]:
    """Return the algorithm of a pair that is not the baseline, and the pair with this algorithm first."""
    if pair["b"] == baseline:
        return pair["a"], dict(pair)
    turned = {"difference": -pair["difference"], "low": -pair["high"], "high": -pair["low"]}
    return pair["b"], {**pair, **turned, "wins": pair["losses"], "losses": pair["wins"]}


def _difference_figures(against: Answer) -> dict[str, str]:
    """Format a difference in full precision as the fields of `Figures`."""
    ends = (number(against[name]) for name in ("difference", "low", "high"))
    counts = "/".join(str(against[name]) for name in ("wins", "ties", "losses"))
    return _against(*ends, p_number(against["p_adjusted"]), counts)


def _against(difference: str, low: str, high: str, p: str, counts: str) -> dict[str, str]:
    return {"difference": difference, "difference_low": low, "difference_high": high, "p": p, "counts": counts}


def _set(low: object, high: object) -> str:
    if low in (None, ""):
        return ""
    return str(low) if str(low) == str(high) else f"{low}-{high}"


def _minus(text: str) -> str:
    return text[1:] if text.startswith("-") else text if float(text) == 0 else f"-{text}"


def _rows(html: str, of_table: str) -> list[list[str]]:
    """Return the cells of each row of a table as text, without pictures."""
    table = re.sub(r"<svg.*?</svg>", "", html.split(of_table)[1].split("</table>")[0], flags=re.DOTALL)
    rows = (
        re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL) for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    )
    return [[_text(cell) for cell in row] for row in rows if row]


def _text(cell: str) -> str:
    """Return the name in a cell or else its text, with hyphens for minus signs and dashes, and without a plus sign."""
    if name := re.search(r"<bdi>(.*?)</bdi>", cell, re.DOTALL):
        return unescape(name[1])
    cell = re.sub(r'<small class="count".*?</small>', "", cell)
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split())
    return re.sub(r"\+(?=[\d.])", "", text.replace("−", "-").replace("–", "-"))


def _interval(cell: str) -> tuple[str, ...]:
    """Return value, low and high of ".612 .500 to .700" or ".612 (.500 to .700)"; empty if there is no value."""
    found = re.match(rf"(?:△ )?({NUMBER})(?: \*)?(?: \(?({NUMBER}) to ({NUMBER})\)?)?", cell)
    return () if found is None else tuple(group or "" for group in found.groups())


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[0] if found else ""


def _ranks(cell: str) -> str:
    return _first(r"^\d+(?:-\d+)?", cell)

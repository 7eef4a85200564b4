"""LaTeX tables, read back by a small parser: columns, braces, names, bold means and letters beyond z."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest

from qc4.io.comparisons import comparison_latex, robustness_latex, where_latex
from qc4.stats import Alternative, compare, robustness, where_better
from qc4.tables import PAGE_HEIGHT, PAGE_LINES, PAGE_WIDTH, Table, as_latex, escape_latex

HARMFUL = [
    r"a\b",
    "50 % of {x}",
    "C#_1 & $x^2$",
    "[1ex] first",
    "* starred",
    "~tilde~",
    "a|b <c>",
    "Łódź",
    "[[",
    "line\nend",
]
SIGNS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", "{[}": "[", "{]}": "]", "{*}": "*", "$-$": "-", r"$\pm$": "±",
    **{f"\\{sign}": sign for sign in "{}_&%#$"},
}  # fmt: skip
TOKEN = re.compile(
    "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True)) + r"|\\,|[^\\{}_&%#$~^]", re.DOTALL
)


def shown(cell: str) -> str:
    """Return what LaTeX prints for a cell. Special characters must be part of known commands."""
    cell = re.sub(r"^\\textbf\{([^{}]*)\}$", r"\1", cell.replace("$p$", "p"))
    if stacked := re.fullmatch(r"\\shortstack\[[lr]\]\{(.*)\}", cell):
        cell = stacked[1].replace(r" \\ ", " ")
    tokens = TOKEN.findall(cell)
    assert "".join(tokens) == cell, cell
    return "".join(SIGNS.get(token, token) for token in tokens)


@dataclass
class Part:
    """One environment: its name, caption, label, column letters, and rows including the head."""

    kind: str
    caption: str
    label: str
    columns: list[str]
    rows: list[list[str]]


def parts(text: str) -> list[Part]:
    """Read all environments as LaTeX would print them, and check their structure."""
    found = []
    for kind, body in re.findall(r"\\begin\{(table|sidewaystable|longtable)\}(.*?)\\end\{\1\}", text, re.DOTALL):
        caption, label = re.search(r"\\caption\{(.*)\}\\label\{tab:([\w-]+)\}", body).groups()
        letters = re.match(
            r"\{(.*)\}\n" if kind == "longtable" else r".*?\\begin\{tabular\}\{(.*?)\}\n", body, re.DOTALL
        )[1]
        columns = re.findall(r"[lr]|p\{[^}]*\}", letters)
        rows = re.findall(r"^  (?!\\caption)(.*) \\\\$", body, re.MULTILINE)
        if kind == "longtable":
            assert [body.count(rf"\{mark}") for mark in ("endfirsthead", "endhead", "endfoot")] == [1, 1, 1]
            assert rows.pop(1) == rows[0]  # the head on continuation pages
        assert [body.count(rf"\{rule}") for rule in ("toprule", "midrule")] == [2 if kind == "longtable" else 1] * 2
        assert body.count(r"\bottomrule") == 1
        assert not any(re.match(r"\s*[\[*]", row) for row in rows)  # would be an option of the row before
        cells = [[cell.strip() for cell in re.split(r"(?<!\\)&", row)] for row in rows]
        assert {len(row) for row in cells} == {len(columns)}
        found.append(Part(kind, shown(caption), label, columns, [list(map(shown, row)) for row in cells]))
    return found


def table(text: str) -> list[list[str]]:
    """Return the rows of a table that fits one page, with the head first."""
    (part,) = parts(text)
    return part.rows


@pytest.mark.parametrize("name", HARMFUL)
def test_any_name_is_printed_unchanged(name):
    assert shown(escape_latex(name)) == " ".join(name.split())
    found = compare([[0.5, 0.7, 0.2], [0.3, 0.1, 0.1]], [name, "other"], draws=100)
    assert table(comparison_latex(found))[1][0] == " ".join(name.split())


def test_thirty_systems_have_letters_beyond_z():
    random = np.random.default_rng(0)
    scores = np.linspace(0, 2.2, 60)[:, None] + random.normal(0, 0.1, (60, 40))
    found = compare(scores, [f"s_{number}" for number in range(60)], draws=1_000)
    groups = {each.system: each.compact_letter_display for each in found.systems}
    assert any("aa" in group.split(",") for group in groups.values())
    rows = table(comparison_latex(found))[1:]
    assert [(row[0], row[-1]) for row in rows] == [(each.system, groups[each.system]) for each in found.systems]


@pytest.mark.parametrize(("better", "best"), [("higher", ["A", "B"]), ("lower", ["C", "D"])])
def test_all_best_means_are_bold_in_both_directions(better, best):
    scores = [[0.5, 0.7], [0.7, 0.5], [-0.2, 0.1], [0.1, -0.2]]
    text = comparison_latex(compare(scores, list("ABCD"), better=better, draws=100))
    bold = [line.split(" & ")[0].strip() for line in text.splitlines() if r"\textbf" in line]
    assert bold == best
    assert "$-$.050" in text
    assert [row[0] for row in table(text)[1:]] == (list("ABCD") if better == "higher" else list("CDAB"))


def test_tables_of_robustness_and_of_query_properties():
    one = [[0.5, 0.7, 0.2, 0.9], [0.3, 0.1, 0.1, 0.8]]
    names = ["[A] 50 %", "B_1"]
    found = robustness(
        [Alternative("measure", "F_1", one, names), Alternative("draft", "*", one, names[::-1])], draws=100
    )
    rows = table(robustness_latex(found))
    assert [row[:2] for row in rows[1:]] == [["measure", "F_1"], ["draft", "*"]]
    assert [row[-1] for row in rows[1:]] == ["[A] 50 %", "B_1"]
    assert rows[2][3].startswith("-.")
    where = where_better(one, {"size & depth": [1, 2, 1, 2], "other": [1, 1, 1, 1]}, names, draws=100)
    assert [row[:3] for row in table(where_latex(where))[1:]] == [
        ["size & depth", "1", "2"], ["", "2", "2"], ["other", "1", "4"],
    ]  # fmt: skip


def numbers(columns: int, rows: int, head: str = "F", key: str = "query") -> Table:
    """Return a table of numbers, each a few letters wide."""
    names = [f"{head} {number}" for number in range(columns)]
    lines = [[f"{key} {number}", *[f".{number:03}"] * columns] for number in range(rows)]
    return Table([["Query", *names], *lines], range(1, columns + 1), "Scores.", ["How computed.", "And why."])


def test_a_small_table_is_one_float_with_a_short_caption_a_label_and_notes():
    text = as_latex(numbers(4, 5), "scores", "https://example.org/board")
    assert text.startswith("% needs \\usepackage{booktabs}\n% https://example.org/board\n")
    (part,) = parts(text)
    assert (part.kind, part.caption, part.label) == ("table", "Scores.", "scores")
    assert part.columns == ["l", "r", "r", "r", "r"]
    assert len(part.rows) == 6
    assert r"\parbox{\linewidth}{\footnotesize How computed. And why.}" in text


def test_long_heads_are_broken_before_a_table_is_split():
    text = as_latex(numbers(5, 5, "Adjusted Rand index"), "scores")
    assert r"\shortstack[r]{Adjusted \\ Rand \\ index 0}" in text
    (part,) = parts(text)
    assert (part.kind, part.rows[0][1]) == ("table", "Adjusted Rand index 0")


def test_an_arrow_stays_beside_its_word():
    text = as_latex(Table([["Query", *["Adjusted ↑"] * 6], ["q", *[".5"] * 6]], range(1, 7)), "scores")
    assert r"\shortstack" not in text
    text = as_latex(Table([["Query", *["Adjusted coverage ↑"] * 5], ["q", *[".5"] * 5]], range(1, 6)), "scores")
    assert r"\shortstack[r]{Adjusted \\ coverage $\uparrow$}" in text


def test_a_wide_table_of_few_rows_is_rotated():
    text = as_latex(numbers(13, 5), "scores")
    (part,) = parts(text)
    assert part.kind == "sidewaystable"
    assert text.startswith(r"% needs \usepackage{booktabs,rotating}")


def test_a_long_table_breaks_across_pages():
    text = as_latex(numbers(3, PAGE_LINES + 1), "scores")
    (part,) = parts(text)
    assert (part.kind, len(part.rows)) == ("longtable", PAGE_LINES + 2)
    assert text.startswith(r"% needs \usepackage{booktabs,longtable}")
    assert r"{\footnotesize\noindent How computed. And why.\par}" in text


@pytest.mark.parametrize(("columns", "rows"), [(13, 25), (60, 3), (200, 500)])
def test_a_table_too_large_to_rotate_is_split_and_each_part_names_its_rows(columns, rows):
    found = numbers(columns, rows)
    text = as_latex(found, "scores")
    split = parts(text)
    whole = [list(row) for row in found.rows]
    assert len(split) > 1
    assert [part.label for part in split] == ["scores", *(f"scores-{number}" for number in range(2, len(split) + 1))]
    assert split[1].caption == f"Scores. (part 2 of {len(split)})"
    for place, row in enumerate(whole):
        assert {part.rows[place][0] for part in split} == {row[0]}
        assert [cell for part in split for cell in part.rows[place][1:]] == row[1:]
    assert text.count("How computed.") == 1


@pytest.mark.parametrize("columns", [1, 4, 9, 13, 16, 60])
@pytest.mark.parametrize("head", ["F", "Normalised mutual information"])
@pytest.mark.parametrize("key", ["query", "a query with a text of many words that goes on and on, as some do"])
def test_parts_fit_their_page(columns, head, key):
    """This uses an independent estimate: half an em per letter at 10 points, and 12 points between columns."""
    text = as_latex(numbers(columns, 5, head, key), "scores")
    stacked = "shortstack" in text
    for part in parts(text):
        width = 0.0
        for letter, *cells in zip(part.columns, *part.rows, strict=True):
            title, *below = cells
            words = title.split() if stacked else [title]
            natural = 5 * max(max(map(len, words)), *map(len, below))
            width += 12 + (float(letter[2:-3]) if letter.startswith("p") else natural)
        assert width <= (PAGE_HEIGHT if part.kind == "sidewaystable" else PAGE_WIDTH)


def test_all_key_columns_are_repeated():
    head = ["Place", "Algorithm", *(f"F {number}" for number in range(40))]
    rows = [[str(place), f"A{place}", *[".5"] * 40] for place in range(3)]
    split = parts(as_latex(Table([head, *rows], range(2, 42), "Board.", keys=2), "board"))
    assert all(part.rows[2][:2] == ["1", "A1"] and len(part.rows[0]) > 2 for part in split)

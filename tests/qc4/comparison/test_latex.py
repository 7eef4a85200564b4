"""Tables for LaTeX, read back by a small literal reader: columns, braces, names, bold means beyond z."""

from __future__ import annotations

import re

import numpy as np
import pytest

from qc4.comparison import Alternative, compare, robustness, where_better
from qc4.formats.comparisons import comparison_latex
from qc4.formats.latex import escaped
from qc4.formats.robustness import robustness_latex, where_latex

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
    """What LaTeX prints of a cell; every sign that means something to it must be part of something known."""
    cell = re.sub(r"^\\textbf\{([^{}]*)\}$", r"\1", cell.replace("$p$", "p"))
    tokens = TOKEN.findall(cell)
    assert "".join(tokens) == cell, cell
    return "".join(SIGNS.get(token, token) for token in tokens)


def table(text: str) -> list[list[str]]:
    """The rows of a table, the head first, as LaTeX would print them."""
    lines = text.splitlines()
    assert lines[:3] == ["% needs \\usepackage{booktabs}", r"\begin{table}", r"  \centering"]
    assert lines[-2:] == [r"  \end{tabular}", r"\end{table}"]
    caption = re.fullmatch(r"  \\caption\{(.*)\}", lines[3])[1]
    shown(caption)
    columns = re.fullmatch(r"  \\begin\{tabular\}\{([lrc]+)\}", lines[4])[1]
    assert [lines[place] for place in (5, 7, -3)] == [r"  \toprule", r"  \midrule", r"  \bottomrule"]
    rows = []
    for line in (lines[6], *lines[8:-3]):
        assert line.endswith(r" \\")
        assert not re.match(r"\s*[\[*]", line)  # an option of the row before
        cells = [cell.strip() for cell in re.split(r"(?<!\\)&", line.removesuffix(r"\\"))]
        assert len(cells) == len(columns)
        rows.append([shown(cell) for cell in cells])
    return rows


@pytest.mark.parametrize("name", HARMFUL)
def test_any_name_is_shown_as_it_is(name):
    assert shown(escaped(name)) == " ".join(name.split())
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
def test_all_that_share_the_best_mean_are_bold_whichever_end_is_better(better, best):
    scores = [[0.5, 0.7], [0.7, 0.5], [-0.2, 0.1], [0.1, -0.2]]
    text = comparison_latex(compare(scores, list("ABCD"), better=better, draws=100))
    bold = [line.split(" & ")[0].strip() for line in text.splitlines() if r"\textbf" in line]
    assert bold == best
    assert "$-$.050" in text
    assert [row[0] for row in table(text)[1:]] == (list("ABCD") if better == "higher" else list("CDAB"))


def test_tables_of_robustness_and_of_facts():
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

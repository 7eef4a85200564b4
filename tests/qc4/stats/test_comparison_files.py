"""Input and output files of the command ``compare``."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qc4.cli import main
from qc4.io.comparisons import COMPARISON_FORMATS
from qc4.io.score_tables import read_score_table, write_score_table
from qc4.problems import InputError
from qc4.stats import PROCEDURES, behind_words, compare, number, p_number, read_scores, signed_number
from qc4.stats.pictures import PICTURES
from qc4.tables import escape_latex, interval_cell
from tests.paths import DOCS

TABLE = """query,STC,K-means,=A&B_1
q1,.5,.4,.2
q2,.6,.5,.3
q3,.7,.65,.1
q4,.8,.6,.1
q5,.4,.45,.2
q6,.9,.8,.5
q7,.7,.6,.4
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    return str(path)


@pytest.fixture
def run(capsys):
    def run(*arguments):
        status = main(["compare", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_every_format_shows_the_same_digits(file, run):
    table = read_score_table(file)
    found = compare(table.scores, table.systems, table.queries)
    answers = {name: run(file, "--format", name)[1] for name in COMPARISON_FORMATS}
    assert json.loads(answers["json"]) == json.loads(json.dumps(found.to_dict()))
    rows = list(csv.DictReader(io.StringIO(answers["csv"])))
    for system, row in zip(found.systems, rows, strict=True):
        assert (float(row["mean"]), float(row["behind_high"])) == (system.mean, system.behind_high)
        assert (row["rank_low"], row["could_be_best"]) == (str(system.rank_low), str(system.could_be_best).lower())
        assert behind_words(system) in answers["table"]
        assert escape_latex(interval_cell(behind_words(system))) in answers["latex"]
        for name in ("table", "latex"):
            assert number(system.mean) in answers[name]
    pairs = list(csv.DictReader(io.StringIO(answers["csv-pairs"])))
    assert [(float(row["p"]), float(row["p_adjusted"])) for row in pairs] == [
        (pair.p, pair.p_adjusted) for pair in found.pairs
    ]


def test_names_are_escaped_in_files(file, run):
    assert "\n'=A&B_1," in run(file, "--format", "csv")[1]
    assert r"=A\&B\_1" in run(file, "--format", "latex")[1]


def test_all_best_means_are_bold(tmp_path, run):
    path = tmp_path / "ties.csv"
    path.write_text("query,A,B,C\n1,.5,.5,.1\n2,.6,.6,.2\n")
    assert run(str(path), "--format", "latex")[1].count(r"\textbf{.550}") == 2


def test_examples_of_the_page_run(capsys):
    text = (DOCS / "users" / "compare-systems.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    exec(compile(code, "compare-systems.md", "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    assert f"# {first}" in code
    assert second.startswith("place 2; behind the best by .")


def test_pair_option_makes_a_family_of_one_pair(file, run):
    answer = json.loads(run(file, "--pair", "STC", "K-means", "--format", "json")[1])
    assert (answer["family"], answer["family_size"], len(answer["systems"])) == ("pair", 1, 2)


def test_a_reference_is_shown_and_not_ranked(file, run):
    answer = json.loads(run(file, "--reference", "STC", "--format", "json")[1])
    assert [one["system"] for one in answer["references"]] == ["STC"]
    assert (answer["family_size"], len(answer["systems"])) == (1, 2)


def test_baseline_option_makes_a_family_of_its_pairs(file, run):
    answer = json.loads(run(file, "--baseline", "K-means", "--format", "json")[1])
    assert (answer["family"], answer["baseline"], len(answer["pairs"])) == ("baseline", "K-means", 2)


def test_options_reach_the_comparison(file, run):
    options = (
        "--alpha .1 --seed 3 --draws 500 --lower-is-better --procedure holm --equivalence-margin .05 --missing worst"
    )
    answer = json.loads(run(file, *options.split(), "--format", "json")[1])
    names = ("alpha", "seed", "draws", "better", "procedure", "equivalence_margin", "missing")
    assert [answer[name] for name in names] == [0.1, 3, 500, "lower", "holm", 0.05, "worst"]
    assert answer["systems"][0]["system"] == "=A&B_1"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("gap", ["", "NaN", "na", "-"])
def test_missing_cells_are_read(separator, gap):
    table = read_score_table(f"query{separator}A{separator}B\nx{separator}.5{separator}{gap}\n".encode())
    assert (table.systems, table.queries) == (("A", "B"), ("x",))
    assert str(table.scores.tolist()) == "[[0.5], [nan]]"


NAME = st.text("ab\"'=+-@;,\t\n\u202e é<#", min_size=1, max_size=8).map(str.strip)
NAMES = st.lists(NAME.filter(lambda name: name and name[0] != "'"), min_size=2, max_size=4, unique=True)


@given(NAMES, NAMES, st.sampled_from(["higher", "lower"]))
@example(["a;b;c;d", "query"], ["a\tb", "x"], "higher")
@example(["a\tb;", "qu\ner"], ["-7 up", "(a)"], "lower")
def test_written_scores_are_read_back_unchanged(systems, queries, better):
    values = np.random.default_rng(len(systems)).uniform(-1, 1, (len(systems), len(queries)))
    scores = read_scores(values, systems, queries, better=better)
    table = read_score_table(write_score_table(scores).encode())
    assert (table.systems, table.queries) == (scores.systems, scores.queries)
    assert table.scores.tolist() == (scores.sign * scores.values).tolist()


def test_latex_table_shows_differences_from_the_baseline(file, run):
    lines = run(file, "--baseline", "K-means", "--format", "latex")[1].splitlines()
    found = compare(*parts(file), baseline="K-means")
    rows = {cells[0].strip(): cells[-4:] for line in lines if len(cells := line.split(" & ")) > 4}
    better, worse = found.pair("STC", "K-means"), found.pair("=A&B_1", "K-means")
    p = number(better.p_adjusted, 4)
    assert rows["STC"] == [
        signed_number(better.difference), f"{signed_number(better.low)}--{signed_number(better.high)}", p, r"6/0/1 \\",
    ]  # fmt: skip
    assert rows[r"=A\&B\_1"][:2] == [
        f"$-${number(worse.difference)}", f"$-${number(worse.high)}--$-${number(worse.low)}",
    ]  # fmt: skip
    assert rows[r"=A\&B\_1"][3] == r"0/0/7 \\"
    assert rows["K-means"] == ["--", "--", "--", r"-- \\"]


def parts(file):
    table = read_score_table(file)
    return table.scores, table.systems, table.queries


def test_tiny_p_is_shown_as_below_a_bound():
    assert [p_number(p) for p in (None, 0.00004, 0.00006, 0.25, 1.0)] == ["–", "< .0001", ".0001", ".2500", "1.0000"]
    assert [escape_latex(text) for text in ("–", "< .0001", "−.5", ".5")] == [
        "--",
        r"\textless{} .0001",
        "$-$.5",
        ".5",
    ]


def test_a_sentence_with_a_minus_sign_can_be_set_in_latex():
    assert escape_latex("A is ahead by −.012") == "A is ahead by $-$.012"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("query,A\n", ["no-scores"]),
        ("query\nx\n", ["no-scores"]),
        ("query,A,A\nx,1,2\n", ["bad-header"]),
        ("query,A\nx,1,2\n", ["bad-row"]),
        ("query,A\nx,high\nx,inf\n,1\n", ["empty-id", "duplicate-query", "bad-score", "bad-score"]),
    ],
)
def test_all_table_errors_are_reported_by_line(text, codes):
    with pytest.raises(InputError) as error:
        read_score_table(text.encode(), name="scores.csv")
    assert [problem.code for problem in error.value.problems] == codes
    assert all(problem.where.startswith("scores.csv") for problem in error.value.problems)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--baseline", "nobody"], "one of"),
        (["--family", "baseline"], "--baseline SYSTEM"),
        (["--family", "all", "--baseline", "STC"], "Remove one"),
        (["--family", "pair"], "--pair SYSTEM SYSTEM"),
        (["--baseline", "STC", "--pair", "STC", "K-means"], "Remove one"),
        (["--pair", "STC", "STC"], "the names of two systems"),
        (["--reference", "nobody"], "some of"),
        (["--alpha", "0"], "from 0.000001 to below 1"),
    ],
)
def test_option_errors_include_a_fix(file, run, options, words):
    status, out, err = run(file, *options)
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("family", [{}, {"baseline": "STC"}, {"pair": ("STC", "K-means")}, {"references": ["STC"]}])
@pytest.mark.parametrize("queries", [1, 4, 7])
def test_every_procedure_and_family_has_every_format_and_picture(file, procedure, family, queries):
    scores, systems, names = parts(file)
    found = compare(scores[:, :queries], systems, names[:queries], procedure=procedure, draws=100, **family)
    for of in COMPARISON_FORMATS.values():
        shown = of(found)
        assert "None" not in shown
        assert "nan" not in shown.lower()
    for picture in PICTURES.values():
        assert picture(found, "paper", "system").startswith("<svg")

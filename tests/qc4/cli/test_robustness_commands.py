"""`qc4 robustness` and `qc4 where`: they give the library's numbers, and errors with their fixes."""

from __future__ import annotations

import csv
import io
import json

import pytest

from qc4.cli import main
from qc4.io.score_tables import read_score_table
from qc4.stats import Alternative, number, robustness, where_better

QUALITY = "query,STC,K-means,Ward\nq1,.5,.4,.2\nq2,.6,.5,.3\nq3,.7,.65,.1\nq4,.8,.6,.1\nq5,.4,.45,.2\n"
VI = "query,K-means,STC\nq1,1.4,1.5\nq2,1.5,1.6\nq3,.6,.7\n"
FACTS = "query,topics,depth\nq5,7,1\nq1,3,1\nq2,9,\nq3,4,1\nother,1,1\nq4,11,2\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("quality.csv", QUALITY), ("vi.csv", VI), ("facts.csv", FACTS)):
        (tmp_path / name).write_text(text)


@pytest.fixture
def run(capsys, folder):
    def run(*arguments):
        status = main(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return run


def alternative(path, kind, name, better="higher"):
    table = read_score_table(path)
    return Alternative(kind, name, table.scores, table.systems, table.queries, better)


class TestRobustness:
    ASKED = ("robustness", "measure:quality=quality.csv", "vi.csv", "--lower-is-better", "vi", "--draws", "500")

    def test_every_format_has_the_numbers_of_the_library(self, run):
        tables = [alternative("quality.csv", "measure", "quality"), alternative("vi.csv", "table", "vi", "lower")]
        found = robustness(tables, draws=500)
        assert json.loads(run(*self.ASKED, "--format", "json")[1]) == json.loads(json.dumps(found.to_dict()))
        rows = list(csv.DictReader(io.StringIO(run(*self.ASKED, "--format", "csv")[1])))
        assert [float(row["difference"]) for row in rows] == [found.reference.difference, found.rows[0].difference]
        text, latex = run(*self.ASKED)[1], run(*self.ASKED, "--format", "latex")[1]
        assert text.startswith("STC is ahead of K-means by .080 on 5 queries; this pair tested alone, p = ")
        assert "K-means is ahead under vi (table)" in text
        for row in (found.reference, *found.rows):
            assert number(row.difference) in text
            assert number(row.difference).replace("−", "$-$") in latex

    @pytest.mark.parametrize(
        ("options", "pair"),
        [
            ((), ("STC", "K-means")),
            (("--system", "Ward"), ("STC", "Ward")),
            (("--pair", "Ward", "K-means"), ("K-means", "Ward")),
        ],
    )
    def test_default_pair_is_the_leader_and_the_second(self, run, options, pair):
        answer = json.loads(run("robustness", "quality.csv", "--format", "json", *options)[1])
        assert (answer["a"], answer["b"]) == pair

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (
                ("x=none.csv", "--lower-is-better", "vi"),
                ("--lower-is-better: found 'vi'; expected one of 'x'", "none.csv: found"),
            ),
            (
                ("quality.csv", "--pair", "STC", "Nobody"),
                ("systems: found 'Nobody'; expected one of 'STC', 'K-means', 'Ward'",),
            ),
            (("quality.csv", "--pair", "STC", "STC"), ("expected two systems",)),
            (("quality.csv", "table:quality=vi.csv"), ("each kind and name once",)),
            (("quality.csv", "--alpha", "2"), ("from 0.000001 to below 1",)),
        ],
    )
    def test_all_errors_are_reported_together(self, run, arguments, words):
        status, out, err = run("robustness", *arguments)
        assert (status, out) == (2, "")
        assert all(each in err for each in words)


class TestWhere:
    def test_every_format_has_the_numbers_of_the_library(self, run):
        table = read_score_table("quality.csv")
        facts = {"topics": [3, 9, 4, 11, 7], "depth": [1, float("nan"), 1, 2, 1]}
        found = where_better(table.scores[:2], facts, ["STC", "K-means"], table.queries, draws=500)
        asked = ("where", "quality.csv", "facts.csv", "--draws", "500")
        assert json.loads(run(*asked, "--format", "json")[1]) == json.loads(json.dumps(found.to_dict()))
        rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv")[1])))
        bins = [each for fact in found.covariates for each in fact.bins]
        assert [float(row["difference"]) for row in rows] == [each.difference for each in bins]
        text, latex = run(*asked)[1], run(*asked, "--format", "latex")[1]
        for each in bins:
            assert number(each.difference) in text
            assert number(each.difference).replace("−", "$-$") in latex
        assert "not adjusted for looking at several groups" in text

    def test_the_pair_and_the_direction_are_options(self, run):
        asked = ("where", "quality.csv", "facts.csv", "--format", "json", "--lower-is-better")
        assert [json.loads(run(*asked)[1])[end] for end in "ab"] == ["Ward", "K-means"]
        answer = json.loads(run(*asked, "--pair", "K-means", "STC")[1])
        assert (answer["a"], answer["covariates"][1]["bins"][1]["wins"]) == ("K-means", 1)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("quality.csv", "none.csv"), "none.csv: found"),
            (("quality.csv", "empty.csv"), "query,<fact>,<fact>"),
            (("quality.csv", "strange.csv"), "expected queries of quality.csv, such as 'q1'"),
            (("quality.csv", "facts.csv", "--system", "Nobody"), "one of 'STC'"),
        ],
    )
    def test_errors_are_reported_with_their_fix(self, run, tmp_path, arguments, words):
        (tmp_path / "empty.csv").write_text("query,topics\n")
        (tmp_path / "strange.csv").write_text("query,topics\nlion,2\n")
        status, out, err = run("where", *arguments)
        assert (status, out) == (2, "")
        assert words in err

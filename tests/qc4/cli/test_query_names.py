"""Every command finds queries by key or text in any spelling, as uploads do.

Add a new command to `EXAMPLES`, with its arguments, or to `NO_QUERIES`. The first test fails until you do.
"""

from __future__ import annotations

import json
from argparse import _SubParsersAction
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qc4 import Clustering, GoldStandard, InputError, compare_clusterings, read_gold
from qc4.cli import main
from qc4.cli.arguments import parser
from qc4.io.score_tables import ScoreTable, read_score_table
from qc4.scoring.what_if import Changes, what_if

GOLD = {
    "format": "qc4-gold/1",
    "query": {"id": "q7", "text": "Coral Sea"},
    "pages": [{"id": f"p{number}"} for number in range(1, 7)],
    "topics": [
        {"id": "reef", "name": "Reef", "pages": ["p1", "p2", "p3"]},
        {"id": "war", "name": "War", "pages": ["p4", "p5", "p6"]},
    ],
}
ANSWERS = ("gold.json", "answer.jsonl")
EXAMPLES = {
    "score": (*ANSWERS, "-m", "ari"),
    "calibrate": (*ANSWERS, "-m", "ari", "--draws", "10"),
    "what-if": ANSWERS,
    "alike": ("answer.jsonl", "other.jsonl", "--pages", "gold.json", "--query", "{name}", "-m", "ari"),
    "pac-mdl": ANSWERS,
}
TABLES = {
    "compare": ("scores.csv", "--draws", "100"),
    "f-of-means": ("scores.csv", "more.csv", "--draws", "100"),
    "robustness": ("scores.csv", "more.csv", "--draws", "100"),
    "where": ("scores.csv", "facts.csv", "--draws", "100"),
}
NO_QUERIES = {"check", "list", "stream"}
"""Commands with a single gold standard, and commands for streams."""
NAMES = ("q7", "Q7", "Coral Sea", " coral   SEA")


def answers(name: str, *halves: tuple[str, str], query: str) -> None:
    """Write two clusterings of the query and one of another query, one per line."""
    lines = [(query, halves[0]), ("lion", halves[0])]
    clusters = {
        asked: [{"id": "a", "pages": list(half[0].split())}, {"id": "b", "pages": half[1].split()}]
        for asked, half in lines
    }
    head = {"format": "qc4-clustering/1", "algorithm": "STC"}
    Path(name).write_text("\n".join(json.dumps({**head, "query": key, "clusters": of}) for key, of in clusters.items()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gold.json").write_text(json.dumps(GOLD))
    return tmp_path


def output_of(command: str, *arguments: str, capsys: Any) -> str:
    status = main([command, *arguments])
    out, err = capsys.readouterr()
    assert status == 0, err
    return out


def commands() -> set[str]:
    (choices,) = (action.choices for action in parser("qc4")._actions if isinstance(action, _SubParsersAction))
    return set(choices)


def test_every_command_is_covered() -> None:
    assert commands() == {*EXAMPLES, *TABLES, *NO_QUERIES}


@pytest.mark.parametrize("command", EXAMPLES)
def test_clusterings_are_found_by_query_key_and_text(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers("other.jsonl", ("p1 p2 p3 p4", "p5 p6"), query="q7")
    found = set()
    for name in NAMES:
        answers("answer.jsonl", ("p1 p2", "p3 p4 p5 p6"), query=name)
        arguments = [argument.format(name=name) for argument in EXAMPLES[command]]
        found.add(output_of(command, *arguments, capsys=capsys))
    assert len(found) == 1


@pytest.mark.parametrize("command", set(EXAMPLES) - {"alike"})
def test_clustering_of_another_query_is_rejected(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers("answer.jsonl", ("p1 p2", "p3 p4 p5 p6"), query="tiger")
    Path("answer.jsonl").write_text(Path("answer.jsonl").read_text().split("\n")[0])
    assert main([command, *EXAMPLES[command]]) == 2
    err = capsys.readouterr().err
    assert "'tiger'" in err
    assert "'q7' (“Coral Sea”)" in err


def test_omitted_clusterings_of_other_queries_cause_a_warning(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers("answer.jsonl", ("p1 p2", "p3 p4 p5 p6"), query="coral sea")
    assert main(["pac-mdl", *ANSWERS]) == 0
    assert capsys.readouterr().err == "warning: answer.jsonl: 1 clustering of other queries omitted: 'lion'\n"


@pytest.mark.parametrize("command", TABLES)
def test_score_tables_are_joined_by_any_spelling_of_a_query(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("scores.csv").write_text("query,STC,Lingo\nCoral Sea,.5,.4\nlion,.6,.5\ntiger,.7,.3\n")
    found = set()
    for names in (("Coral Sea", "lion", "tiger"), ("coral  sea", "LION", "Tiger")):
        Path("more.csv").write_text("query,STC,Lingo\n" + "".join(f"{name},.{n},.3\n" for n, name in enumerate(names)))
        Path("facts.csv").write_text("query,topics\n" + "".join(f"{name},{n}\n" for n, name in enumerate(names)))
        found.add(output_of(command, *TABLES[command], capsys=capsys))
    assert len(found) == 1


def test_names_that_differ_only_in_case_are_distinct() -> None:
    table = read_score_table(b"query,STC\nJava,1\njava,2\nLion,3\n", name="x.csv")
    assert table.renamed_like(["java", "JAVA", "lion"]).queries == ("Java", "java", "lion")
    assert isinstance(table, ScoreTable)


def test_library_finds_queries_in_the_same_way() -> None:
    gold = read_gold(GOLD)
    assert isinstance(gold, GoldStandard)
    sets = {"a": ["p1", "p2"], "b": ["p3", "p4", "p5", "p6"]}
    names = ("coral sea", "CORAL  SEA", "lion")
    by_text, upper, other = (replace(Clustering.from_sets(sets), query=name) for name in names)
    assert what_if(gold, by_text, Changes(drop=("a",))).query == "q7"
    with pytest.raises(InputError, match="'lion'"):
        what_if(gold, other, Changes(drop=("a",)))
    assert compare_clusterings(by_text, upper, ["ari"]).value("ari") == 1
    with pytest.raises(InputError, match="'lion'"):
        compare_clusterings(by_text, other)


@pytest.mark.parametrize("command", ["f-of-means", "where"])
def test_missing_queries_cause_a_warning(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("scores.csv").write_text("query,STC,Lingo\nlion,.5,.4\njaguar,.6,.5\npuma,.7,.3\n")
    Path("more.csv").write_text("query,STC,Lingo\nlion,.5,.4\njaguar,.6,.5\ntiger,.7,.3\n")
    assert main([command, "scores.csv", "more.csv"]) == 0
    warnings = capsys.readouterr().err
    assert "more.csv lacks 'puma': omitted" in warnings
    assert "scores.csv lacks 'tiger': omitted" in warnings

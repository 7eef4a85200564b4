"""The command line finds the clustering of the gold standard's query in any submission file."""

import json

import pytest

from qc4.cli import main
from tests.paths import ROOT

GOLD = ROOT / "demo" / "collection" / "crane.gold.json"
SUBMISSIONS = sorted((ROOT / "demo" / "submissions").iterdir())


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.name)
def test_every_submission_format_is_scored(path, capsys):
    assert main(["score", str(GOLD), str(path), "-m", "qc4_f", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["query"] == "crane"
    assert 0 < found["scores"][0]["value"] < 1


def test_file_without_the_query_lists_its_queries(tmp_path, capsys):
    lines = [json.dumps({"format": "qc4-clustering/1", "query": q, "algorithm": "A", "clusters": []}) for q in "xy"]
    (tmp_path / "other.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["score", str(GOLD), str(tmp_path / "other.jsonl")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "'x', 'y'" in told.err
    assert "'crane'" in told.err


def test_clusterings_by_several_algorithms_are_rejected(tmp_path, capsys):
    lines = [
        json.dumps({"format": "qc4-clustering/1", "query": "crane", "algorithm": name, "clusters": []})
        for name in ("First", "Second")
    ]
    (tmp_path / "two.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["score", str(GOLD), str(tmp_path / "two.jsonl")]) == 2
    assert "'First', 'Second'" in capsys.readouterr().err

"""``python -m studies behaviour`` in its formats, and the documentation that shows its table."""

import json
import re

import pytest

from studies.__main__ import main
from studies.behaviour import GROUPS, catalogue_columns, paper_columns, run_study
from studies.behaviour.command import markdown_table, notes, tables
from tests.paths import ROOT

DOCS = ROOT / "docs" / "users" / "behaviour-study.md"


@pytest.fixture
def run(capsys, monkeypatch, study):
    """The command on the study that was run once already."""
    monkeypatch.setattr("studies.behaviour.command.run_study", lambda: study)

    def run(*arguments: str) -> str:
        assert main(["behaviour", *arguments]) == 0
        return capsys.readouterr().out

    return run


class TestTable:
    def test_a_line_per_group_with_a_mark_per_column(self, run):
        lines = run().splitlines()
        for number, group in enumerate(GROUPS, 1):
            line = next(line for line in lines if line.startswith(f"{number}. {group.title}"))
            assert len(re.findall(r"[Y–?]\*?", line.removeprefix(f"{number}. {group.title}"))) == 13

    def test_joined_measures_are_stacked_as_in_the_paper(self, run):
        lines = run().splitlines()[1:5]
        assert lines[0].split() == ["QC4", "MI", "F", "AP", "AE", "WP", "WE", "AP", "WP", "AR", "WR", "AE", "WE"]
        assert [line.split() for line in lines[1:]] == [["WP", "WE", "WR", "WR"], ["AR", "AR"], ["WR", "WR"]]

    def test_it_ends_with_the_reasons(self, run):
        text = run()
        assert "103 of the 104 cells that the paper prints agree." in text
        assert "Split cluster, F: The paper prints –" in text

    def test_readings_that_come_out_the_same_share_a_row(self):
        result = run_study([column for column in catalogue_columns() if column.key.startswith("ari@")], GROUPS[4:8])
        assert [row[0] for row in tables(result)[0].rows[1:]] == ["Adjusted Rand, either level"]

    def test_readings_that_differ_do_not(self):
        rand = [column for column in catalogue_columns() if column.key.startswith("rand@")]
        titles = [row[0] for row in tables(run_study(rand, GROUPS[:2]))[0].rows[1:]]
        assert titles == ["Rand, coarsest level", "Rand, finest level"]


def test_json_from_the_command_itself(capsys, study):
    """Computed anew, and it comes out the same."""
    assert main(["behaviour", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert [column["key"] for column in found["columns"][:13]] == [column.key for column in paper_columns()]
    assert [group["key"] for group in found["groups"]] == [group.key for group in GROUPS]


def test_markdown_names_every_case_and_its_order(run):
    text = run("--format", "markdown")
    assert all(f"(`{case.key}`)" in text for group in GROUPS for case in group.cases)
    assert "Order: The four topics > Every topic twice." in text


class TestDocumentation:
    """If the study changes, print it again: python -m studies behaviour --format markdown."""

    def test_it_shows_the_table(self):
        text = DOCS.read_text(encoding="utf-8")
        result = run_study(paper_columns())
        assert markdown_table(tables(result)[0]) in text
        assert all(note in text for note in notes(result)[1:])

    def test_it_names_every_known_limit(self):
        text = DOCS.read_text(encoding="utf-8")
        limits = [case for group in GROUPS if group.origin == "limits" for case in group.cases]
        assert all(f"`{case.key}`" in text for case in limits)

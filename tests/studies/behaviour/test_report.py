"""The output of ``python -m studies behaviour``, and the documentation that shows its table."""

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
    """A function that runs the command on the shared study and returns its output."""
    monkeypatch.setattr("studies.behaviour.command.run_study", lambda: study)

    def run(*arguments: str) -> str:
        assert main(["behaviour", *arguments]) == 0
        return capsys.readouterr().out

    return run


class TestTable:
    def test_table_has_a_row_per_group_and_a_mark_per_column(self, run):
        lines = run().splitlines()
        for number, group in enumerate(GROUPS, 1):
            line = next(line for line in lines if line.startswith(f"{number}. {group.title}"))
            assert len(re.findall(r"[Y–?]\*?", line.removeprefix(f"{number}. {group.title}"))) == 13

    def test_titles_of_combined_measures_are_stacked(self, run):
        lines = run().splitlines()[1:5]
        assert lines[0].split() == ["QC4", "MI", "F", "AP", "AE", "WP", "WE", "AP", "WP", "AR", "WR", "AE", "WE"]
        assert [line.split() for line in lines[1:]] == [["WP", "WE", "WR", "WR"], ["AR", "AR"], ["WR", "WR"]]

    def test_output_ends_with_the_explanations(self, run):
        text = run()
        assert "103 of the 104 cells that the paper prints agree." in text
        assert "Split cluster, F: The paper prints –" in text

    def test_readings_with_the_same_marks_share_a_row(self):
        result = run_study([column for column in catalogue_columns() if column.key.startswith("ari@")], GROUPS[4:8])
        assert [row[0] for row in tables(result)[0].rows[1:]] == ["Adjusted Rand, either level"]

    def test_readings_with_different_marks_have_separate_rows(self):
        rand = [column for column in catalogue_columns() if column.key.startswith("rand@")]
        titles = [row[0] for row in tables(run_study(rand, GROUPS[:2]))[0].rows[1:]]
        assert titles == ["Rand, coarsest level", "Rand, finest level"]


def test_json_output_is_reproducible(capsys, study):
    assert main(["behaviour", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert [column["key"] for column in found["columns"][:13]] == [column.key for column in paper_columns()]
    assert [group["key"] for group in found["groups"]] == [group.key for group in GROUPS]


def test_markdown_lists_every_case_and_its_order(run):
    text = run("--format", "markdown")
    assert all(f"(`{case.key}`)" in text for group in GROUPS for case in group.cases)
    assert "Order: The four topics > Every topic twice." in text


class TestDocumentation:
    """If the study changes, copy the new table from ``python -m studies behaviour --format markdown``."""

    def test_documentation_shows_the_table(self):
        text = DOCS.read_text(encoding="utf-8")
        result = run_study(paper_columns())
        assert markdown_table(tables(result)[0]) in text
        assert all(note in text for note in notes(result)[1:])

    def test_documentation_names_every_known_limit(self):
        text = DOCS.read_text(encoding="utf-8")
        limits = [case for group in GROUPS if group.origin == "limits" for case in group.cases]
        assert all(f"`{case.key}`" in text for case in limits)

"""``manage.py vectors``: vectors from files or page text are stored and scored."""

from __future__ import annotations

from pathlib import Path

from annotations.models import Collection, VectorSet
from evaluation.models import Score, Submission
from tests.fixtures.commands import Manage

SATURN = "0,0\n0,1\n5,5\n5,6\n"


def test_a_folder_of_files(manage: Manage, scored: Submission, tmp_path: Path) -> None:
    (tmp_path / "saturn.csv").write_text(SATURN)
    told = manage("vectors", "space-and-cars", tmp_path)
    assert told.status == 0, told.err
    assert "1 of 2 queries have vectors." in told.out
    assert "Lingo" in told.out
    assert "2/2" in told.out, "queries, not parts of them"
    assert Score.objects.get(measure="ssq", value__isnull=False).value == 0.5


def test_from_text(manage: Manage, collection: Collection) -> None:
    told = manage("vectors", "space-and-cars", "--from-text", "--components", 2, "--seed", 4)
    assert told.status == 0, told.err
    assert set(VectorSet.objects.values_list("origin", "parameters__seed")) == {("text", 4)}


def test_invalid_files_exit_with_2_and_list_every_problem(
    manage: Manage, collection: Collection, tmp_path: Path
) -> None:
    (tmp_path / "saturn.csv").write_text(SATURN[:-4])
    (tmp_path / "mars.csv").write_text("1\n")
    told = manage("vectors", "space-and-cars", tmp_path)
    assert told.status == 2
    assert "Row 4, for page 'p4', is missing." in told.err or "3 rows" in told.err
    assert "mars.csv" in told.err
    assert not VectorSet.objects.exists()


def test_path_and_from_text_exclude_each_other(manage: Manage, collection: Collection, tmp_path: Path) -> None:
    for arguments in ([], [tmp_path, "--from-text"]):
        told = manage("vectors", "space-and-cars", *arguments)
        assert (told.status, "Give either a path or --from-text." in told.err) == (2, True)

"""The main job on the command line: import, submit, run baselines, export."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.models import User
from annotations.models import Collection, Gold
from evaluation.models import Run, Score, Submission, Upload
from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument, Topic
from tests.fixtures.commands import Manage
from tests.samples.documents import pages


@pytest.fixture
def imported(manage: Manage, gold_path: Path, owner: User) -> Collection:
    assert manage("import_collection", gold_path, "--name", "My words").status == 0
    return Collection.objects.get()


def test_import_submit_baselines_and_export(
    manage: Manage, imported: Collection, write_clustering: Callable[..., Path]
) -> None:
    answer = write_clustering({"id": "a", "pages": ["p1", "p2", "p3"]}, {"id": "b", "pages": ["p4", "p5"]})
    submitted = manage("submit", "my-words", answer, "--algorithm", "Lingo")
    assert submitted.status == 0, submitted.err
    assert "Lingo" in submitted.out
    assert "1/1" in submitted.out
    baselines = manage("run_baselines", "My words", "--seed", 3, "--draws", 1)
    assert baselines.status == 0, baselines.err
    first = baselines.out.splitlines()[1].split()
    assert first == ["Gold", "standard", "1/1", "1.0000", "1.0000", "1.0000", "1.0000"]
    exported = manage("export_scores", "my-words", "--format", "json")
    rows = json.loads(exported.out)["scores"]
    # Clusters that lie in one another have scores at each depth.
    places = {(row["algorithm"], row["measure"], row["level"]) for row in rows}
    per_algorithm = Counter(algorithm for algorithm, _, _ in places)
    assert {"Lingo", "Gold standard", "Singletons", "Random"} <= set(per_algorithm)
    assert len(set(per_algorithm.values())) == 1, "each algorithm answered the one query"
    as_csv = manage("export_scores", "my-words", "--format", "csv")
    assert len(list(csv.DictReader(io.StringIO(as_csv.out)))) == len(rows)


def test_who_may_submit_is_said_at_the_import(manage: Manage, gold_path: Path, owner: User) -> None:
    for name, options in (("Left out", ()), ("Said", ("--participation", "anybody", "--licence", "CC0-1.0"))):
        assert manage("import_collection", gold_path, "--name", name, "--public", *options).status == 0
    made = Collection.objects.order_by("pk").values_list("participation", "licence")
    assert list(made) == [("members", ""), ("anybody", "CC0-1.0")]


def test_the_only_account_becomes_the_owner(imported: Collection, owner: User) -> None:
    assert imported.memberships.get().user == owner


def test_several_accounts_leave_it_to_the_option(manage: Manage, gold_path: Path, owner: User, outsider: User) -> None:
    told = manage("import_collection", gold_path, "--name", "Nobody's")
    assert told.status == 2
    assert all(word in told.err for word in ("--user", "--public", "owner", "outsider"))
    assert not Collection.objects.exists(), "nobody could see it, and nobody could change that"
    assert manage("import_collection", gold_path, "--name", "Owned", "--user", "Outsider", "--public").status == 0
    owned = Collection.objects.get(slug="owned")
    assert (owned.memberships.get().user, owned.is_public) == (outsider, True)


def test_commands_leave_finished_runs_and_the_files_as_they_came(imported: Collection) -> None:
    run = Run.objects.get()
    assert (run.kind, run.state, run.collection) == ("import", "done", imported)
    assert Upload.objects.get().name == "mercury.gold.json"


def test_a_submission_may_stay_private_and_compute_some_measures(
    manage: Manage, imported: Collection, write_clustering: Callable[..., Path]
) -> None:
    answer = write_clustering({"id": "a", "pages": ["p1"]}, algorithm="As the file says")
    assert manage("submit", "my-words", answer, "--measures", "qc4,ari").status == 0
    submission = Submission.objects.get()
    assert (submission.published, submission.algorithm.name) == (False, "As the file says")
    assert set(Score.objects.values_list("measure", flat=True)) == {"qc4", "ari"}


def test_a_page_list_takes_clusterings_that_are_not_scored_yet(
    manage: Manage, page_list_collection: Collection, write_clustering: Callable[..., Path]
) -> None:
    told = manage(
        "submit", page_list_collection.slug, write_clustering({"id": "a", "pages": ["p1"]}), "--algorithm", "A"
    )
    assert told.status == 0
    assert "no published gold standard yet" in told.out
    told = manage("run_baselines", page_list_collection.slug)
    assert told.status == 0
    assert "no gold standard yet" in told.out


def test_an_export_can_go_to_a_file(manage: Manage, imported: Collection, tmp_path: Path) -> None:
    target = tmp_path / "scores.json"
    assert manage("export_scores", "my-words", "--format", "json", "--output", target).status == 0
    assert json.loads(target.read_text()) == {"scores": []}
    nowhere = manage("export_scores", "my-words", "--output", tmp_path / "no" / "where.csv")
    assert nowhere.status == 1
    assert "No such file" in nowhere.err


@pytest.mark.parametrize(
    "command", [("submit", "my-wrods", "x.json"), ("run_baselines", "my-wrods"), ("export_scores", "my-wrods")]
)
def test_a_misspelt_collection_is_answered_with_what_there_is(
    manage: Manage, imported: Collection, command: tuple[str, ...]
) -> None:
    told = manage(*command)
    assert told.status == 2
    assert "There is no collection 'my-wrods'. Did you mean 'my-words'?" in told.err


def test_unknown_accounts_measures_and_baselines_are_named(
    manage: Manage, imported: Collection, gold_path: Path, write_clustering: Callable[..., Path]
) -> None:
    told = manage("import_collection", gold_path, "--name", "X", "--user", "onwer")
    assert (told.status, "Did you mean 'owner'?" in told.err) == (2, True)
    told = manage("submit", "my-words", write_clustering(), "--algorithm", "A", "--measures", "qc5")
    assert (told.status, "qc4" in told.err) == (2, True)
    told = manage("run_baselines", "my-words", "--only", "kmean,stc")
    assert (told.status, "Did you mean 'kmeans'?" in told.err) == (2, True)
    assert Submission.objects.count() == 0
    assert Upload.objects.count() == 1


def test_a_failed_run_ends_with_a_status_and_a_sentence(manage: Manage, page_list_collection: Collection) -> None:
    told = manage("run_baselines", page_list_collection.slug, "--only", "gold")
    assert told.status == 2
    assert "a gold standard" in told.err


@pytest.fixture
def ambient_like(tmp_path: Path) -> Path:
    """A folder in AMBIENT layout: names with levels, one empty subtopic, page 1.4 in no topic."""
    folder = tmp_path / "layout"
    folder.mkdir()
    files = {
        "topics.txt": "ID\tdescription\n1\tjaguar\n",
        "subTopics.txt": "ID\tdescription\n1.1\tCars > XK\n1.2\tCars > XJ\n1.3\tAnimals\n1.4\tEmpty\n",
        "results.txt": "ID\turl\ttitle\tsnippet\n"
        + "".join(f"1.{n}\thttp://{n}.example\tT{n}\tS{n}\n" for n in range(1, 5)),
        "STRel.txt": "subTopicID\tresultID\n1.1\t1.1\n1.2\t1.2\n1.3\t1.3\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_names_with_levels_are_split(manage: Manage, ambient_like: Path) -> None:
    told = manage(
        "import_collection", ambient_like, "--name", "Jaguar", "--split-levels", ">", "--completion", "complete"
    )
    assert told.status == 0, told.err
    assert "1 empty subtopic" in told.out
    gold = Gold.objects.get()
    assert (gold.topics_per_level, gold.n_outliers, gold.completion) == ([2, 3], 1, "complete")


def test_many_warnings_are_counted(manage: Manage, tmp_path: Path) -> None:
    topics = tuple(Topic(f"t{number}", f"Topic {number}", pages=(f"p{number}",)) for number in range(1, 31))
    path = tmp_path / "thin.json"
    path.write_bytes(write_gold(GoldDocument("q", "q", pages(30), topics)))
    told = manage("import_collection", path, "--name", "Thin")
    assert told.status == 0
    assert told.err.count("Warning:") == 10
    assert "20 more warnings." in told.err

"""Import the collections next to the repository by command. Skipped if they do not exist."""

from __future__ import annotations

from pathlib import Path

from django.db.models import Avg, Sum

from annotations.models import Collection, Gold, Page
from evaluation.models import Run, Score
from tests.fixtures.commands import Manage
from tests.profiles import thorough


def test_ambient_is_rejected_if_pages_are_in_no_topic(manage: Manage, shared_data: Path) -> None:
    told = manage("import_collection", shared_data / "ambient", "--name", "AMBIENT")
    assert told.status == 2
    assert "44 problems" in told.err
    assert "query '44' (Zombie): level 1: found 66 pages in no topic and not outliers: '44.2', '44.3'," in told.err
    assert "'complete'" in told.err
    assert not Collection.objects.exists()
    assert not Page.objects.exists()


def test_ambient_is_imported_with_completion(manage: Manage, shared_data: Path) -> None:
    told = manage("import_collection", shared_data / "ambient", "--name", "AMBIENT", "--completion", "complete")
    assert told.status == 0, told.err
    assert "44 queries, 4,400 pages and 44 gold standards (349 topics, 2,176 outliers)" in told.out
    assert Gold.objects.aggregate(Sum("n_outliers"))["n_outliers__sum"] == 2176
    assert set(Gold.objects.values_list("completion", "n_levels")) == {("complete", 1)}
    notes = Collection.objects.get().import_notes
    assert "31 pages in several subtopics" in notes
    assert any("2,176 pages in no topic became outliers" in note for note in notes)


@thorough("real data on the site")
def test_gold_baseline_scores_one_and_singletons_little_on_ambient(manage: Manage, shared_data: Path) -> None:
    manage("import_collection", shared_data / "ambient", "--name", "AMBIENT", "--completion", "complete")
    told = manage("run_baselines", "ambient", "--only", "gold,singletons")
    assert told.status == 0, told.err
    found = Score.objects.filter(evaluation__run_queries__run__submission__algorithm__baseline="gold")
    for measure in ("aq", "wq", "ac", "wc"):
        assert set(found.filter(measure=measure).values_list("value", flat=True)) == {1.0}
    alone = Score.objects.filter(evaluation__run_queries__run__submission__algorithm__baseline="singletons")
    assert alone.filter(measure="quality").aggregate(Avg("value"))["value__avg"] < 0.25


def test_reuters_is_imported_unchanged_and_scored_on_two_levels(manage: Manage, shared_data: Path) -> None:
    assert manage("import_collection", shared_data / "reuters", "--name", "Reuters").status == 0
    assert set(Gold.objects.values_list("completion", "n_levels")) == {("strict", 2)}
    assert manage("run_baselines", "reuters", "--only", "gold", "--seed", "1").status == 0
    assert {"", "1", "2", "all"} <= set(Score.objects.values_list("level", flat=True))


def test_carrot2_file_is_a_page_list_and_a_clustering(manage: Manage, shared_data: Path) -> None:
    path = shared_data / "carrot2" / "carrot2-with-clusters.xml"
    assert manage("import_collection", path, "--name", "Carrot2").status == 0
    collection = Collection.objects.get()
    assert Page.objects.count() > 50
    assert not collection.gold_versions.exists()
    told = manage("submit", "carrot2", path, "--algorithm", "Lingo")
    assert told.status == 0, told.err
    assert not Run.objects.filter(kind=Run.Kind.EVALUATION).exists()
    assert collection.submissions.get().clusterings.get().n_clusters > 5

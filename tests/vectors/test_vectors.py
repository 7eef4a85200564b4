"""Page vectors: uploaded or made from text, stored unchanged and used by runs."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from annotations.collections import vectors as kept_vectors
from annotations.collections import vectors as store
from annotations.limits import VECTOR_NUMBERS
from annotations.models import Collection, Page, Query, VectorSet
from evaluation.deletion.services import delete_collection
from evaluation.models import Evaluation, Run, RunQuery, Score, Submission
from evaluation.runs import services as runs
from evaluation.runs.execution import run_here
from evaluation.scoring import cases, cells
from evaluation.scoring.columns import columns
from evaluation.scoring.scores import State, queries_of, scores_of
from evaluation.uploads import services as uploads
from evaluation.vectors import services as vectors
from qc4.measures.internal import graph
from qc4.measures.registry import REGISTRY
from qc4.model.bounds import DISTANCES
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError
from qc4.scoring.scoring import score
from tests.samples.documents import mercury, saturn
from tests.trigger_bypass import unguarded

INTERNAL = {measure.key for measure in REGISTRY.family("internal")}
Finish = Callable[..., None]


def points(document: GoldDocument, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(len(document.pages), 3))


def npy(rows: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, rows)
    return file.getvalue()


def packed(files: Mapping[str, bytes]) -> io.BytesIO:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    target.seek(0)
    return target


def both() -> io.BytesIO:
    csv = "id,x,y\np4,4,0\np3,3,0\np2,1,1\np1,0,1\n"
    return packed({"vectors/mercury.npy": npy(points(mercury())), "vectors/saturn.csv": csv.encode(), "README": b"hi"})


@pytest.fixture
def upload(collection: Collection, owner: User) -> Callable[..., Run]:
    """Return ``upload(file, name)``, which executes a vectors run; the evaluations it queues stay queued."""

    def call(file: io.BytesIO, name: str = "vectors.zip") -> Run:
        kept = uploads.store(file, name, owner)
        return run_here(vectors.enqueue_file(collection=collection, upload=kept, user=owner))

    return call


def cell(submission: Submission, measure: str, run: Run | None = None) -> tuple[str, float | None, str]:
    """State, value and reason of a measure on ``mercury`` in the submission's last run."""
    run = run or submission.runs.latest("pk")
    assert run.gold_version is not None
    shown = columns([measure], "", 1)
    found = scores_of([run], shown, queries_of([run.gold_version]))[run.pk].cells[shown[0]][0]
    return found.state, found.value, found.reason


def problems(run: Run) -> str:
    assert run.state == Run.State.FAILED
    assert run.error is not None
    return "\n".join(f"{item['where']}: {item['found']}; {item['fix']}" for item in run.error["problems"])


# --- Upload -----------------------------------------------------------------------------------------------------------


def test_zip_contains_a_file_per_query(upload: Callable[..., Run], collection: Collection) -> None:
    run = upload(both())
    assert (run.state, run.done, run.total) == (Run.State.DONE, 2, 2)
    row = VectorSet.objects.get(query__key="mercury")
    assert (row.origin, row.n_pages, row.n_dimensions) == ("uploaded", 8, 3)
    assert row.parameters["file"] == "vectors.zip/vectors/mercury.npy"
    assert kept_vectors.load_vectors(row).points == pytest.approx(points(mercury()), abs=0)
    assert hashlib.sha256(kept_vectors.npy_bytes(row)).hexdigest() == row.sha256
    by_id = kept_vectors.load_vectors(VectorSet.objects.get(query__key="saturn")).points
    assert by_id.tolist() == [[0, 1], [1, 1], [3, 0], [4, 0]], "in the order of the page list"


def test_a_single_file_is_named_by_its_query(upload: Callable[..., Run]) -> None:
    assert upload(io.BytesIO(npy(points(saturn()))), "saturn.npy").state == Run.State.DONE
    assert set(VectorSet.objects.values_list("query__key", flat=True)) == {"saturn"}


def test_all_problems_are_named_and_nothing_is_stored(upload: Callable[..., Run]) -> None:
    run = upload(
        packed({"mercury.npy": npy(points(mercury())[:7]), "saturn.csv": b"1,2\n3\nnan,1\n5,6\n", "mars.npy": b""})
    )
    told = problems(run)
    assert "mercury.npy" in told
    assert "Row 8, for page 'p8', is missing." in told
    assert "saturn.csv: line 2: 1 numbers" in told
    assert "saturn.csv: line 3, column 1: 'nan'" in told
    assert "mars.npy: a file name that matches no query" in told
    assert not VectorSet.objects.exists()


def test_two_files_for_a_query_are_rejected(upload: Callable[..., Run]) -> None:
    told = problems(upload(packed({"saturn.npy": npy(points(saturn())), "a/saturn.npy": npy(points(saturn()))})))
    assert "a second file for query 'saturn'" in told


def test_files_too_large_for_a_worker_are_rejected(upload: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "VECTOR_NUMBERS", replace(VECTOR_NUMBERS, most=23))
    assert "24 pages x dimensions (8 pages of 3 dimensions); Reduce them" in problems(upload(both()))


def test_vectors_from_page_text(collection: Collection, owner: User) -> None:
    run = run_here(vectors.enqueue_from_text(collection=collection, components=2, seed=5, user=owner))
    assert (run.state, run.done) == (Run.State.DONE, 2)
    row = VectorSet.objects.get(query__key="mercury")
    assert (row.origin, row.n_dimensions) == ("text", 2)
    assert (row.parameters["components"], row.parameters["seed"]) == (2, 5)
    again = runs.rerun(run, owner)
    assert run_here(again).state == Run.State.DONE
    assert VectorSet.objects.count() == 2, "the same vectors are kept once"


def test_skipped_query_without_text_is_named(collection: Collection, owner: User) -> None:
    with unguarded(Page):
        collection.queries.get(key="saturn").pages.update(title="", snippet=None)
    run = run_here(vectors.enqueue_from_text(collection=collection, user=owner))
    assert run.state == Run.State.DONE
    assert any("no page text: 'saturn'" in event.why for event in run.events.all())
    assert not VectorSet.objects.filter(query__key="saturn").exists()


def test_collection_without_text_fails_the_run(collection: Collection, owner: User) -> None:
    for query in collection.queries.all():
        with unguarded(Page):
            query.pages.update(title="", snippet="")
    assert "no word in any page" in problems(run_here(vectors.enqueue_from_text(collection=collection, user=owner)))


@pytest.mark.parametrize("wrong", [{"components": 0}, {"components": 1001}, {"seed": -1}, {"seed": 2**32}])
def test_values_out_of_range_are_rejected_immediately(
    collection: Collection, owner: User, wrong: dict[str, int]
) -> None:
    with pytest.raises(InputError, match="a whole number from"):
        vectors.enqueue_from_text(collection=collection, user=owner, **wrong)
    assert not Run.objects.filter(kind=Run.Kind.VECTORS).exists()


def test_stored_vectors_are_immutable(upload: Callable[..., Run]) -> None:
    upload(both())
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        VectorSet.objects.update(sha256="0")


# --- Scores on vectors ------------------------------------------------------------------------------------------------


def test_internal_scores_match_the_engine(upload: Callable[..., Run], scored: Submission, finish: Finish) -> None:
    upload(both())
    finish()
    row, gold = scored.clusterings.get(query__key="mercury"), scored.runs.latest("pk").gold_version
    assert gold is not None
    entry = gold.entries.select_related("gold__query").get(query__key="mercury")
    held = VectorSet.objects.get(query__key="mercury")
    expected = score(
        cases.gold_standard(entry.gold), cases.clustering(row), ["ssq", "dunn"], vectors=kept_vectors.load_vectors(held)
    )
    for measure in ("ssq", "dunn"):
        assert cell(scored, measure)[:2] == (State.VALUE, expected.value(measure))


def test_new_vectors_recompute_only_internal_measures(
    upload: Callable[..., Run], scored: Submission, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()
    compute = cells.compute

    def counted(clustering: object, gold: object, policies: object, measures: list[str], held: object) -> object:
        asked.update(measures)
        return compute(clustering, gold, policies, measures, held)

    monkeypatch.setattr(cells, "compute", counted)
    upload(both())
    finish()
    assert asked == INTERNAL
    assert cell(scored, "quality")[0] == State.VALUE, "the run shows all of them"


def test_internal_measures_are_omitted_without_vectors(scored: Submission) -> None:
    assert not INTERNAL & set(scored.runs.get().measures)


def test_requested_internal_measures_report_missing_vectors(scored: Submission, upload: Callable[..., Run]) -> None:
    version = scored.runs.get().gold_version
    assert version is not None
    run = run_here(
        runs.enqueue_evaluation(submission=scored, gold_version=version, user=None, measures=["ssq", "quality"])
    )
    state, _, reason = cell(scored, "ssq", run)
    assert (state, "vectors" in reason) == (State.UNDEFINED, True)
    upload(both())
    again = run_here(runs.rerun(run, None))
    assert cell(scored, "ssq", again)[0] == State.VALUE, "the reason of before is not in the way"


def test_new_vectors_add_scores_and_keep_the_old_ones(
    upload: Callable[..., Run], scored: Submission, finish: Finish
) -> None:
    upload(both())
    finish()
    first = scored.runs.latest("pk")
    before = cell(scored, "ssq", first)
    upload(io.BytesIO(npy(points(mercury(), seed=1))), "mercury.npy")
    finish()
    assert cell(scored, "ssq") != before
    assert cell(scored, "ssq", first) == before
    assert Score.objects.filter(measure="quality").count() == 2, "one per query: nothing was scored twice"


def test_the_same_vectors_again_queue_nothing(upload: Callable[..., Run], scored: Submission, finish: Finish) -> None:
    upload(both())
    finish()
    count = Run.objects.filter(kind=Run.Kind.EVALUATION).count()
    upload(both())
    assert Run.objects.filter(kind=Run.Kind.EVALUATION).count() == count


def test_waiting_evaluation_is_queued_only_once(
    collection: Collection, owner: User, scored: Submission, finish: Finish
) -> None:
    for query, document in ((collection.queries.get(key=one.query_id), one) for one in (mercury(), saturn())):
        _, started = vectors.put(query, npy(points(document)), f"{query.key}.npy", owner)
        assert len(started) == (1 if query.key == "mercury" else 0)
    finish()
    run = scored.runs.latest("pk")
    assert set(RunQuery.objects.filter(run=run).values_list("query__key", "evaluation__vectors_sha256")) >= {
        (held.query.key, held.sha256) for held in VectorSet.objects.select_related("query")
    }


@pytest.mark.usefixtures("computed_anew")
def test_too_many_pairs_make_a_measure_undefined_with_a_reason(
    upload: Callable[..., Run], scored: Submission, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "DISTANCES", replace(DISTANCES, most=3))
    upload(both())
    finish()
    state, _, reason = cell(scored, "dunn")
    assert state == State.UNDEFINED
    assert "pages; expected at most 3, because the distances of all pairs of pages are computed" in reason


def test_deleting_a_collection_deletes_its_scores(
    upload: Callable[..., Run], scored: Submission, finish: Finish
) -> None:
    upload(both())
    finish()
    delete_collection(scored.collection)
    assert not any(model.objects.exists() for model in (VectorSet, Evaluation, Score, Query))

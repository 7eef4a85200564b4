"""Streams and submissions to them: stored completely or not at all, measured at each time step, with baselines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from annotations.collections import streams as stored
from annotations.collections.streams import load_stream, stream_bytes
from annotations.limits import STREAM_NUMBERS
from annotations.models import Collection, Membership, Role, Stream, StreamFile
from evaluation.collections import demo as demo_stream
from evaluation.deletion.services import delete_collection, delete_stream, delete_submission
from evaluation.models import Algorithm, Run, StreamMoment, StreamResult, StreamSubmission
from evaluation.runs import services as runs
from evaluation.stream_settings import StreamSettings
from evaluation.streams import services as stream_baselines
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance
from qc4.io.streams import write_stream
from qc4.model.bounds import RUN_PLACES
from qc4.problems import InputError
from qc4.streams import cmm
from qc4.streams.stream import Decay, LastPoints
from tests.samples import streams as samples
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in
from work.leases import claim

Finish = Callable[..., None]
Push = Callable[..., tuple[StreamSubmission, Run]]


@pytest.fixture
def stream(collection: Collection, owner: User) -> Stream:
    return stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), owner)


@pytest.fixture
def push(stream: Stream, owner: User) -> Push:
    """Return ``push(snapshots, user=owner, ...)``, which submits; the run stays queued."""

    def call(
        snapshots: list[dict[str, Any]],
        user: User | None = owner,
        algorithm: str = "DenStream",
        published: bool = True,
        **more: Any,
    ) -> tuple[StreamSubmission, Run]:
        document, clustering = streams.check(
            stream, samples.clusterings(snapshots, algorithm), "clusterings.json", "", user
        )
        provenance = Provenance(user, "command", published=published)
        return streams.submit(stream, document, clustering, provenance, **more)

    return call


# --- Streams ----------------------------------------------------------------------------------------------------------


def test_stored_stream_equals_the_upload_and_has_its_counts(stream: Stream) -> None:
    assert (stream.key, stream.n_points, stream.n_dimensions, stream.n_classes, stream.n_noise) == (
        "mercury", 7, 2, 2, 1,
    )  # fmt: skip
    assert (stream.first_time, stream.last_time) == (0, 6)
    again = stored.read_stream_file(stream_bytes(stream), "again.json")
    assert again.points.tolist()[4] == [4, 5]
    assert again.class_names == ("a", "b")
    assert again.classes.tolist() == [0, 1, 0, 1, -1, 0, 1]


@given(
    st.lists(
        st.tuples(
            st.floats(-1e6, 1e6),
            st.sampled_from([None, "b", "a", "noise", "7", "é"]),
            st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_stored_stream_equals_the_document(rows: list[tuple[float, str | None, tuple[float, float]]]) -> None:
    points = [{"time": time, "class": label, "vector": list(x)} for time, label, x in sorted(rows, key=lambda r: r[0])]
    content = json.dumps({"format": "qc4-stream/1", "stream": {"id": "s", "text": "T"}, "points": points}).encode()
    document = stored.read_stream_file(content, "s.json")
    file = StreamFile(stream=Stream(key="s", text="T"), packed=zlib.compress(write_stream(document)))
    kept = load_stream(file.stream)
    assert kept.class_names == document.class_names
    for name in ("points", "classes", "times"):
        assert getattr(kept, name).tolist() == getattr(document, name).tolist()
    assert write_stream(kept) == write_stream(document)


def test_stream_name_must_be_unique(stream: Stream, collection: Collection) -> None:
    with pytest.raises(InputError, match="already exists"):
        stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), None)
    other = stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv", key=" venus "), None)
    assert (other.key, other.position) == ("venus", stream.position + 1)
    assert collection.streams.count() == 2


def test_all_problems_of_a_stream_are_reported_at_once() -> None:
    with pytest.raises(InputError) as refused:
        stored.read_stream_file(b"time,class,x1\n5,a,1\n3,a,2\n6,b,nan\n", "bad.csv")
    assert len(refused.value.problems) == 2
    assert "line 3" in str(refused.value)
    assert "line 4" in str(refused.value)


def test_streams_too_large_for_a_worker_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "STREAM_NUMBERS", replace(STREAM_NUMBERS, most=14))
    assert stored.read_stream_file(samples.STREAM, "mercury.csv").n_points == 7
    monkeypatch.setattr(stored, "STREAM_NUMBERS", replace(STREAM_NUMBERS, most=13))
    with pytest.raises(InputError, match=r"mercury.csv: found 14 points x dimensions \(7 points of 2 dimensions\)"):
        stored.read_stream_file(samples.STREAM, "mercury.csv")


# --- Settings ---------------------------------------------------------------------------------------------------------


@given(
    st.one_of(
        st.fixed_dictionaries({"last": st.integers(1, 10**7)}),
        st.fixed_dictionaries({"decay": st.floats(0, 1e6), "threshold": st.floats(1e-9, 1)}),
    ),
    st.integers(1, 100),
    st.floats(0, 1),
)
def test_stored_settings_round_trip(horizon: dict[str, Any], k: int, tau: float) -> None:
    settings = StreamSettings.of(**horizon, k=k, tau=tau)
    again = StreamSettings.parse(settings.to_dict())
    assert again == settings
    assert again.sha256 == settings.sha256
    arguments = dict(zip(settings.arguments[::2], settings.arguments[1::2], strict=True))
    assert {name.removeprefix("--"): float(value) for name, value in arguments.items()} == settings.to_dict()


@pytest.mark.parametrize(
    ("chosen", "place"),
    [
        ({"last": 5, "decay": 1.0, "threshold": 0.5}, "horizon"),
        ({"decay": 1.0}, "horizon"),
        ({"threshold": 0.5}, "horizon"),
        ({"last": 0}, "count"),
        ({"decay": 1.0, "threshold": 0.0}, "threshold"),
        ({"decay": float("nan"), "threshold": 0.5}, "decay"),
        ({"k": 0}, "k"),
        ({"k": 10**30}, "k"),
        ({"last": 10**30}, "last"),
        ({"tau": 1.5}, "tau"),
    ],
)
def test_invalid_settings_are_rejected(chosen: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as refused:
        StreamSettings.of(**chosen)
    assert [problem.where for problem in refused.value.problems] == [place]


def test_last_thousand_points_count_by_default() -> None:
    assert StreamSettings().horizon == LastPoints(1_000)
    assert StreamSettings.of(decay=0.5, threshold=0.25).horizon == Decay(0.5, 0.25)


# --- Measuring --------------------------------------------------------------------------------------------------------


def test_true_classes_score_one(push: Push, finish: Finish) -> None:
    submission, run = push(samples.GOLD)
    finish(run)
    result = submission.results.get()
    assert result.medians is not None
    assert {result.medians[part] for part in ("cmm", "missed", "misplaced", "noise", "basic")} == {1.0}
    run.refresh_from_db()
    assert (run.state, run.done, run.total) == (Run.State.DONE, 1, 1)


def test_penalty_of_missed_points_matches_the_engine(push: Push, finish: Finish) -> None:
    submission, run = push(samples.MISSING_B)
    finish(run)
    medians = submission.results.get().medians
    points = [[0, 0], [9, 9], [0, 1], [9, 8], [4, 5], [1, 0], [8, 9]]
    expected = cmm(points, [0, 1, 0, 1, -1, 0, 1], [samples.A])
    assert medians is not None
    assert medians["cmm"] == expected.cmm < 1
    assert medians["missed"] == expected.missed == expected.cmm
    assert medians["misplaced"] == 1


def test_time_steps_without_points_have_a_reason_and_no_effect_on_medians(push: Push, finish: Finish) -> None:
    submission, run = push(samples.OVER_TIME)
    finish(run)
    first, second, third = StreamMoment.objects.filter(result__submission=submission).order_by("number")
    assert (first.points, first.values) == (0, {})
    assert "no point has arrived" in first.undefined
    assert (second.points, second.values["cmm"], second.undefined) == (4, 1.0, "")
    assert third.values["cmm"] < 1
    medians = submission.results.get().medians
    assert medians is not None
    assert medians["cmm"] == (1 + third.values["cmm"]) / 2
    assert run.events.filter(why="2 time steps measured, 1 undefined.").exists()


def test_other_settings_add_a_result_and_the_same_settings_do_not(push: Push, finish: Finish, owner: User) -> None:
    submission, run = push(samples.OVER_TIME)
    again = streams.measure(submission, StreamSettings(), owner)
    other = streams.measure(submission, StreamSettings(LastPoints(2)), owner)
    finish(run, again, other)
    assert submission.results.count() == 2
    last = submission.results.get(settings__last=2).moments.get(number=2)
    assert last.points == 2
    assert StreamMoment.objects.count() == 6


def test_restarted_run_measures_only_the_remaining_steps(
    push: Push, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evaluation.streams import jobs as job

    submission, run = push(samples.OVER_TIME)
    really, measured = job.measure_stream, []

    def dying(stream: Any, snapshots: list[Any], *rest: Any) -> Any:
        measured.append(snapshots[0].time)
        if snapshots[0].time == 6 and measured.count(6) == 1:
            raise KeyboardInterrupt
        return really(stream, snapshots, *rest)

    monkeypatch.setattr(job, "measure_stream", dying)
    monkeypatch.setattr(job, "COMMIT_SECONDS", 0)
    with pytest.raises(KeyboardInterrupt):
        finish(run)
    run.refresh_from_db()
    assert run.state == Run.State.QUEUED
    assert submission.results.get().medians is None
    assert submission.results.get().moments.count() == 2
    finish(run)
    assert measured == [-1, 3, 6, 6]
    assert submission.results.get().medians is not None
    assert submission.results.get().moments.count() == 3


def test_cancelled_run_stops_writing(push: Push, owner: User, finish: Finish, monkeypatch: pytest.MonkeyPatch) -> None:
    from evaluation.streams import jobs as job

    submission, run = push(samples.OVER_TIME)
    really = job.measure_stream

    def cancelling(stream: Any, snapshots: list[Any], *rest: Any) -> Any:
        if snapshots[0].time == 3:
            assert runs.cancel(Run.objects.get(pk=run.pk), owner)
        return really(stream, snapshots, *rest)

    monkeypatch.setattr(job, "measure_stream", cancelling)
    monkeypatch.setattr(job, "COMMIT_SECONDS", 0)
    finish(run)
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED
    assert submission.results.get().medians is None
    assert submission.results.get().moments.count() == 1
    assert claim(Run, run.pk, "another") is None


def test_the_largest_settings_measure_a_small_stream(push: Push, finish: Finish, owner: User) -> None:
    submission, run = push(samples.GOLD, settings=StreamSettings(LastPoints(10**7), k=1_000, tau=0.0))
    finish(run, streams.measure(submission, StreamSettings(Decay(0.0, 1.0)), owner))
    assert [result.medians["cmm"] for result in submission.results.all() if result.medians] == [1.0, 1.0]


def test_repeated_run_finds_everything_measured(push: Push, finish: Finish, owner: User) -> None:
    submission, run = push(samples.OVER_TIME)
    finish(run)
    run.refresh_from_db()
    again = runs.rerun(run, owner)
    assert (again.stream, again.stream_submission) == (run.stream, submission)
    before = list(StreamMoment.objects.values_list("pk", flat=True))
    finish(again)
    assert list(StreamMoment.objects.values_list("pk", flat=True)) == before
    assert Run.objects.get(pk=again.pk).state == Run.State.DONE


def test_the_demo_has_a_stream_with_three_measured_submissions(
    collection: Collection, owner: User, finish: Finish
) -> None:
    demo_stream.load_stream(collection, owner)
    demo_stream.load_stream(collection, owner)
    finish()
    medians = {
        result.submission.algorithm.name: result.medians["cmm"]
        for result in StreamResult.objects.select_related("submission__algorithm")
        if result.medians
    }
    assert sorted(medians) == ["K-means per horizon", "Late Riser", "True clusters"]
    assert medians["True clusters"] == 1.0 > medians["Late Riser"]
    assert Run.objects.filter(kind=Run.Kind.STREAM_BASELINES).count() == 1


def test_too_much_work_is_rejected_before_storing_anything(push: Push, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qc4.streams.series.RUN_PLACES", replace(RUN_PLACES, most=0))
    with pytest.raises(InputError, match=r"snapshots: found \d+ points x classes x dimensions .* expected at most 0,"):
        push(samples.GOLD)
    assert not StreamSubmission.objects.exists()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (samples.clusterings([{"time": 3, "clusters": [{"id": "a", "points": [5]}]}]), "point-not-arrived"),
        (samples.clusterings(samples.GOLD, algorithm=""), "no-algorithm"),
        (samples.clusterings([]), "no-snapshots"),
        (samples.clusterings(samples.GOLD, algorithm="x" * 121), "long-name"),
        (b"time,cluster,radius,c1,c2\n6,a,-1,0,0\n", ""),
        (b"", ""),
    ],
)
def test_invalid_clusterings_are_rejected(stream: Stream, content: bytes, code: str) -> None:
    with pytest.raises(InputError) as refused:
        streams.check(stream, content, "bad.json")
    assert not code or code in {problem.code for problem in refused.value.problems}


# --- Names, baselines, deletion ---------------------------------------------------------------------------------------


def test_algorithm_names_of_others_are_rejected_on_streams(
    push: Push, submitter: User, person: Callable[[str], User], collection: Collection, finish: Finish
) -> None:
    push(samples.GOLD, submitter, "Mine")
    other = person("other")
    Membership.objects.create(user=other, collection=collection, role=Role.SUBMITTER)
    with pytest.raises(InputError, match="somebody else"):
        push(samples.GOLD, other, "mine")
    with pytest.raises(InputError, match="somebody else"):
        hand_in(collection, submission_document(GOOD_ANSWER), other, "MINE")
    push(samples.MISSING_B, submitter, "Mine")


def test_baselines_are_one_run_and_the_true_clusters_score_one(stream: Stream, owner: User, finish: Finish) -> None:
    run = stream_baselines.enqueue_baselines(stream=stream, settings=StreamSettings(LastPoints(7)), user=owner)
    finish(run)
    run.refresh_from_db()
    assert (run.state, run.done, run.total) == (Run.State.DONE, 14, 14)
    finish()
    truth = StreamSubmission.objects.get(algorithm__baseline="true_clusters")
    kmeans = StreamSubmission.objects.get(algorithm__baseline="stream_kmeans")
    assert truth.published
    assert kmeans.published
    values = [moment.values["cmm"] for moment in StreamMoment.objects.filter(result__submission=truth)]
    assert values == [1.0] * 7
    assert kmeans.results.get().medians is not None
    assert kmeans.parameters == {"baseline": "stream_kmeans", "last": 7, "k": 2, "tau": 0.5, "seed": 0}


def test_baselines_requested_twice_are_submitted_once(stream: Stream, owner: User, finish: Finish) -> None:
    for _ in range(2):
        finish(stream_baselines.enqueue_baselines(stream=stream, user=owner))
        finish()
    assert StreamSubmission.objects.count() == 2
    assert StreamResult.objects.count() == 2
    assert Run.objects.filter(kind=Run.Kind.STREAM).count() == 2


def test_unknown_baselines_are_rejected_with_a_suggestion(stream: Stream) -> None:
    with pytest.raises(InputError, match="Did you mean 'stream_kmeans'"):
        stream_baselines.enqueue_baselines(stream=stream, keys=["stream_kmean"], seed=-1)


def test_deletion_includes_objects_that_nothing_else_uses(
    stream: Stream, push: Push, owner: User, collection: Collection, submit: Callable[..., Any]
) -> None:
    run = push(samples.GOLD, algorithm="Lingo")[1]
    second, _ = push(samples.MISSING_B, algorithm="Alone")
    ordinary, _ = submit(owner, "Lingo")
    delete_submission(second)
    assert not Algorithm.objects.filter(name="Alone").exists()
    delete_stream(stream)
    assert not StreamSubmission.objects.exists()
    assert not Run.objects.filter(pk=run.pk).exists()
    ordinary.refresh_from_db()
    assert Algorithm.objects.get(name="Lingo") == ordinary.algorithm


def test_deleting_a_submission_keeps_an_algorithm_with_stream_submissions(
    push: Push, owner: User, submit: Callable[..., Any]
) -> None:
    kept, _ = push(samples.GOLD, algorithm="Lingo")
    delete_submission(submit(owner, "Lingo")[0])
    kept.refresh_from_db()
    assert kept.algorithm.name == "Lingo"


def test_deleting_a_collection_deletes_its_streams(collection: Collection, push: Push, finish: Finish) -> None:
    finish(push(samples.OVER_TIME)[1])
    push(samples.GOLD)
    delete_collection(collection)
    assert not any(model.objects.exists() for model in (Stream, StreamSubmission, StreamResult, StreamMoment))

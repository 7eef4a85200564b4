"""``manage.py import_stream``, ``submit_stream`` and ``run_stream_baselines``: import files and print medians."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotations.models import Collection, Stream
from evaluation.models import StreamResult, StreamSubmission
from tests.fixtures.commands import Manage
from tests.samples import streams as samples


@pytest.fixture
def stream(manage: Manage, collection: Collection, tmp_path: Path) -> Stream:
    path = tmp_path / "mercury.csv"
    path.write_bytes(samples.STREAM)
    told = manage("import_stream", "space-and-cars", path)
    assert told.status == 0, told.err
    assert "Stream 'mercury': 7 points of 2 dimensions, 2 classes." in told.out
    return collection.streams.get()


def test_noise_is_reported_and_can_be_chosen(manage: Manage, collection: Collection, tmp_path: Path) -> None:
    path = tmp_path / "mercury.csv"
    path.write_bytes(samples.STREAM)
    told = manage("import_stream", "space-and-cars", path)
    assert "Read as noise: the label 'noise' on 1 point." in told.out
    told = manage("import_stream", "space-and-cars", path, "--key", "all", "--noise", "[]")
    assert "3 classes" in told.out
    assert "Read as noise" not in told.out
    assert manage("import_stream", "space-and-cars", path, "--key", "none", "--noise", "[").status != 0


def test_submitting_prints_the_medians(manage: Manage, stream: Stream, tmp_path: Path) -> None:
    path = tmp_path / "den.json"
    path.write_bytes(samples.clusterings(samples.GOLD))
    told = manage("submit_stream", "space-and-cars", "mercury", path, "--last", 7)
    assert told.status == 0, told.err
    assert "1 snapshot." in told.out
    assert told.out.splitlines()[-1].split()[:2] == ["DenStream", "1.0000"]
    submission = StreamSubmission.objects.get()
    assert (submission.published, submission.filename) == (False, "den.json")
    assert StreamResult.objects.get().settings == {"last": 7, "k": 2, "tau": 0.5}


def test_baselines(manage: Manage, stream: Stream) -> None:
    told = manage("run_stream_baselines", "space-and-cars", "mercury", "--last", 7)
    assert told.status == 0, told.err
    lines = told.out.splitlines()[-2:]
    assert lines[0].startswith("True clusters")
    assert lines[0].split()[2] == "1.0000"
    assert lines[1].startswith("K-means per horizon")


def test_stream_and_collection_names_ignore_case(manage: Manage, stream: Stream, tmp_path: Path) -> None:
    path = tmp_path / "den.json"
    path.write_bytes(samples.clusterings(samples.GOLD))
    told = manage("submit_stream", "SPACE and Cars", "Mercury", path, "--algorithm", "Den")
    assert (told.status, "Did you mean" in told.err) == (0, False), told.err


def test_invalid_input_exits_with_2_and_lists_every_problem(manage: Manage, stream: Stream, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"time,class,x1\n5,a,1\n3,a,x\n")
    told = manage("import_stream", "space-and-cars", bad)
    assert told.status == 2
    assert "2 problems" in told.err
    path = tmp_path / "den.json"
    path.write_bytes(samples.clusterings(samples.GOLD))
    for arguments, words in (
        (["mercry", path], "Did you mean 'mercury'?"),
        (["mercury", path, "--decay", 1], "only one of decay and threshold"),
        (["mercury", bad], "bad.csv"),
        (["mercury", tmp_path / "absent.json"], "absent.json"),
    ):
        told = manage("submit_stream", "space-and-cars", *arguments)
        assert (told.status, words in told.err) == (2, True), told.err
    assert not StreamSubmission.objects.exists()

"""Streams in the API: upload a stream, submit clusterings, follow the run and read the series."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from accounts.models import User
from annotations.models import Stream
from evaluation.models import Run, StreamSubmission, Upload
from qc4.io.streams import read_stream
from tests.fixtures.api import Api, error
from tests.samples import streams as samples

Finish = Callable[..., None]


@pytest.fixture
def streams_address(collection_url: str, owner: User, api: Api) -> str:
    """URL of the collection's streams, after uploading the stream ``mercury``."""
    sent = api(owner).post(f"{collection_url}/streams?filename=mercury.csv", samples.STREAM, content_type="text/csv")
    assert sent.status_code == 201, sent.content
    return f"{collection_url}/streams"


def test_stream_from_upload_to_series(
    api: Api, owner: User, submitter: User, streams_address: str, finish: Finish
) -> None:
    client, place = api(submitter), f"{streams_address}/mercury"
    row = client.get(streams_address).json()["results"][0]
    assert (row["key"], row["n_points"], row["n_classes"], row["n_noise"]) == ("mercury", 7, 2, 1)
    fetched = client.get(place)
    assert hashlib.sha256(fetched.content).hexdigest() == row["sha256"]
    assert client.get(place, HTTP_IF_NONE_MATCH=fetched["ETag"]).status_code == 304
    pushed = client.post(
        f"{place}/submissions?last=7&tau=0.4", samples.clusterings(samples.OVER_TIME), content_type="application/json"
    )
    assert pushed.status_code == 201, pushed.content
    submission, run = pushed.json()["submission"], pushed.json()["run"]
    assert (submission["algorithm"], submission["published"], submission["n_snapshots"]) == ("DenStream", False, 3)
    assert submission["results"] == []
    finish()
    told = client.get(f"/api/v1/runs/{run}").json()
    assert (told["state"], told["stream"], told["stream_submission"]) == ("done", "mercury", submission["id"])
    assert [
        row["id"] for row in client.get(f"/api/v1/runs?stream_submission={submission['id']}").json()["results"]
    ] == [run]
    detail = client.get(f"/api/v1/stream-submissions/{submission['id']}").json()
    assert detail["results"][0]["settings"] == {"last": 7, "k": 2, "tau": 0.4}
    series = client.get(f"{place}/series").json()
    assert series["settings"] == {"last": 7, "k": 2, "tau": 0.4}
    found = series["series"][0]
    assert found["medians"] == detail["results"][0]["medians"]
    assert [moment["time"] for moment in found["moments"]] == [-1, 3, 6]
    assert found["moments"][0]["undefined"]
    assert found["moments"][1]["values"]["cmm"] == 1
    file = client.get(f"/api/v1/stream-submissions/{submission['id']}/clusterings")
    assert hashlib.sha256(file.content).hexdigest() == submission["sha256"]
    assert not Upload.objects.exists(), "what was taken in needs no second copy"


@pytest.mark.parametrize(("noise", "read"), [("", (2, 1)), ("[]", (3, 0)), ("b", (2, 3)), ('["a", "noise"]', (1, 4))])
def test_upload_can_name_the_noise_classes(
    api: Api, owner: User, collection_url: str, noise: str, read: tuple[int, int]
) -> None:
    options = urlencode({"filename": "mercury.csv", "noise": noise})
    sent = api(owner).post(f"{collection_url}/streams?{options}", samples.STREAM, content_type="text/csv")
    assert sent.status_code == 201, sent.content
    assert (sent.json()["n_classes"], sent.json()["n_noise"]) == read
    # Downloads use null for noise, so that they are read back as stored, whatever the classes are called.
    stored = read_stream(api(owner).get(f"{collection_url}/streams/mercury").content, noise=[])
    assert (stored.n_classes, int((stored.classes < 0).sum())) == read


def test_noise_that_is_not_a_list_is_rejected(api: Api, owner: User, collection_url: str) -> None:
    sent = api(owner).post(f"{collection_url}/streams?filename=m.csv&noise=[", samples.STREAM, content_type="text/csv")
    assert error(sent, 400)["problems"][0]["where"] == "noise"


def test_other_settings_add_another_result(api: Api, submitter: User, streams_address: str, finish: Finish) -> None:
    client = api(submitter)
    pk = client.post(
        f"{streams_address}/mercury/submissions", samples.clusterings(samples.GOLD), content_type="application/json"
    ).json()["submission"]["id"]
    again = client.post(
        f"/api/v1/stream-submissions/{pk}/measure", {"decay": 0.1, "threshold": 0.5}, content_type="application/json"
    )
    assert again.status_code == 202, again.content
    finish()
    results = client.get(f"/api/v1/stream-submissions/{pk}").json()["results"]
    assert [row["settings"].get("decay") for row in results] == [0.1, None]
    wanted = results[0]["settings_sha256"][:12]
    series = client.get(f"{streams_address}/mercury/series?settings={wanted}").json()
    assert series["settings"]["threshold"] == 0.5
    error(client.get(f"{streams_address}/mercury/series?settings=zzz"), 400)


@pytest.mark.parametrize("options", ["last=5&decay=1&threshold=0.5", "decay=1", "last=0", "tau=2", "lst=3", "k=0"])
def test_invalid_settings_are_rejected(api: Api, submitter: User, streams_address: str, options: str) -> None:
    told = error(
        api(submitter).post(
            f"{streams_address}/mercury/submissions?{options}",
            samples.clusterings(samples.GOLD),
            content_type="application/json",
        ),
        400,
    )
    assert told["problems"] or told["code"]
    assert not StreamSubmission.objects.exists()


def test_invalid_points_and_rows_are_named(api: Api, owner: User, streams_address: str) -> None:
    client = api(owner)
    late = samples.clusterings([{"time": 3, "clusters": [{"id": "a", "points": [5, 99]}]}])
    told = error(
        client.post(f"{streams_address}/mercury/submissions?filename=l.json", late, content_type="text/plain"), 400
    )
    assert all("l.json" in problem["where"] for problem in told["problems"])
    told = error(
        client.post(f"{streams_address}?filename=bad.csv", b"time,class,x1\n5,a,1\n3,a,x\n", content_type="text/csv"),
        400,
    )
    assert {problem["where"].split(",")[0] for problem in told["problems"]} == {"bad.csv: line 3"}
    told = error(client.post(f"{streams_address}?key=mercury", samples.STREAM, content_type="text/csv"), 400)
    assert told["problems"][0]["code"] == "duplicate-stream"
    assert not Upload.objects.exists()


def test_baselines_and_publishing(
    api: Api, submitter: User, reader: User, streams_address: str, finish: Finish
) -> None:
    client, place = api(submitter), f"{streams_address}/mercury"
    told = client.post(f"{place}/baselines", {"last": 7, "only": ["true_clusters"]}, content_type="application/json")
    assert told.status_code == 202, told.content
    assert told.json()["kind"] == Run.Kind.STREAM_BASELINES
    pk = client.post(f"{place}/submissions", samples.clusterings(samples.GOLD), content_type="application/json").json()[
        "submission"
    ]["id"]
    finish()
    seen = [row["algorithm"] for row in api(reader).get(f"{place}/submissions").json()["results"]]
    assert seen == ["True clusters"]
    assert client.post(f"/api/v1/stream-submissions/{pk}/publish").json()["published"] is True
    assert len(api(reader).get(f"{place}/submissions").json()["results"]) == 2
    assert client.post(f"/api/v1/stream-submissions/{pk}/unpublish").json()["published"] is False
    assert len(api(reader).get(f"{place}/submissions").json()["results"]) == 1


def test_only_owners_can_delete_a_stream(api: Api, owner: User, curator: User, streams_address: str) -> None:
    error(api(curator).delete(f"{streams_address}/mercury"), 403)
    assert Stream.objects.exists()
    assert api(owner).delete(f"{streams_address}/mercury").status_code == 204
    error(api(owner).get(f"{streams_address}/mercury"), 404)

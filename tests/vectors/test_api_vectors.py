"""Vectors in the API: upload, download, list, make from text; scores name the vectors they use."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable

import numpy as np

from accounts.models import User
from annotations.models import VectorSet
from evaluation.models import Run, Submission
from tests.fixtures.api import Api, error

CSV = b"".join(b"%d,%d\n" % (number, number % 3) for number in range(8))


def test_vectors_are_uploaded_downloaded_and_scored(
    api: Api, curator: User, scored: Submission, collection_url: str, finish: Callable[..., None]
) -> None:
    client, place = api(curator), f"{collection_url}/queries/mercury/vectors"
    pushed = client.put(place, CSV, content_type="text/csv")
    assert pushed.status_code == 200, pushed.content
    held = pushed.json()["vectors"]
    assert (held["pages"], held["dimensions"], held["origin"]) == (8, 2, "uploaded")
    assert len(pushed.json()["runs"]) == 1
    fetched = client.get(place)
    assert hashlib.sha256(fetched.content).hexdigest() == held["sha256"]
    assert np.load(io.BytesIO(fetched.content))[4].tolist() == [4, 1]
    assert client.get(place, HTTP_IF_NONE_MATCH=fetched["ETag"]).status_code == 304
    assert client.put(place, CSV, content_type="text/csv").json()["runs"] == [], "nothing changed"
    finish()
    scores = client.get(f"{collection_url}/scores?measure=ssq,quality&query=mercury").json()["results"]
    assert {row["measure"]: row["vectors"] for row in scores} == {"ssq": held["sha256"], "quality": None}
    assert client.get(f"{collection_url}/vectors").json()["results"][0]["sha256"] == held["sha256"]
    explained = client.get(f"/api/v1/submissions/{scored.pk}/queries/mercury/explain?measures=ssq").json()
    stored = client.get(f"{collection_url}/scores?measure=ssq&query=mercury").json()["results"]
    assert explained["scores"][0]["value"] == stored[0]["value"]
    assert explained["vectors"]["vectors_sha256"] == held["sha256"]


def test_invalid_rows_are_named(api: Api, curator: User, collection_url: str) -> None:
    wrong = CSV.replace(b"2,2\n", b"2\n").replace(b"5,2\n", b"inf,2\n")
    told = error(
        api(curator).put(f"{collection_url}/queries/mercury/vectors?filename=m.csv", wrong, content_type="text/csv"),
        400,
    )
    assert [problem["where"] for problem in told["problems"]] == ["m.csv: line 3", "m.csv: line 6, column 1"]
    assert not VectorSet.objects.exists()


def test_query_without_vectors_returns_404(api: Api, curator: User, collection_url: str) -> None:
    error(api(curator).get(f"{collection_url}/queries/mercury/vectors"), 404)


def test_zip_upload_queues_a_run(api: Api, curator: User, collection_url: str, finish: Callable[..., None]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mercury.csv", CSV)
    client = api(curator)
    started = client.post(f"{collection_url}/vectors", packed.getvalue(), content_type="application/zip")
    assert started.status_code == 202, started.content
    finish()
    assert client.get(started["Location"]).json()["state"] == "done"
    assert VectorSet.objects.get().query.key == "mercury"


def test_making_vectors_from_text_queues_a_run(
    api: Api, curator: User, collection_url: str, finish: Callable[..., None]
) -> None:
    client = api(curator)
    started = client.post(f"{collection_url}/vectors/from-text", {"components": 2, "seed": 3}, format="json")
    assert (started.status_code, started.json()["kind"]) == (202, "vectors")
    finish()
    rows = client.get(f"{collection_url}/vectors").json()["results"]
    assert [(row["query"], row["origin"], row["parameters"]["seed"]) for row in rows] == [
        ("mercury", "text", 3),
        ("saturn", "text", 3),
    ]
    error(client.post(f"{collection_url}/vectors/from-text", {"components": 0}, format="json"), 400)
    assert Run.objects.filter(kind=Run.Kind.VECTORS).count() == 1

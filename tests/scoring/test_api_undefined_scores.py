"""Measures that are undefined in the library are undefined in the API, with the reason, and never NaN or 0."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from qc4 import Clustering, compare_clusterings, read_gold, score
from qc4.io import read_collection, write_submission
from qc4.io.streams import read_stream, read_stream_clustering
from qc4.measures.registry import REGISTRY
from qc4.model.clustering import SubmissionDocument
from qc4.scoring.calibration import calibrate
from qc4.scoring.what_if import Changes, what_if
from qc4.streams.flat import EXTERNAL, INTERNAL
from qc4.streams.measure import PARTS
from qc4.streams.series import measure_stream
from qc4.streams.stream import LastPoints
from tests.fixtures.api import Api
from tests.profiles import thorough
from tests.samples import streams as samples

Json = dict[str, Any]
EVERY = [measure.key for measure in REGISTRY.all()]


def gold(
    query: str, pages: str, topics: dict[str, str], outliers: str = "", parents: dict[str, str] | None = None
) -> Json:
    return {
        "format": "qc4-gold/1",
        "query": {"id": query, "text": query},
        "pages": [{"id": page} for page in pages],
        "topics": [
            {"id": topic, "name": topic, "pages": list(members), "parent": (parents or {}).get(topic)}
            for topic, members in topics.items()
        ],
        "outliers": list(outliers),
    }


GOLDS = [
    gold("one page", "a", {"t": "a"}),
    gold("one topic", "abcd", {"t": "abcd"}),
    gold("outliers only", "abcd", {}, "abcd"),
    gold("topic and outliers", "abcd", {"t": "ab"}, "cd"),
    gold("pages alone", "abcd", {"s": "a", "t": "b", "u": "c", "v": "d"}),
    gold("overlapping", "abcd", {"s": "abc", "t": "bcd"}),
    gold("nested", "abcdef", {"s": "abcd", "t": "ef", "s1": "ab", "s2": "cd"}, parents={"s1": "s", "s2": "s"}),
]
SHAPES: dict[str, Callable[[str], list[str]]] = {
    "nothing": lambda pages: [],
    "all in one": lambda pages: [pages],
    "each alone": list,
    "first page": lambda pages: [pages[0]],
    "twice the same": lambda pages: [pages, pages],
    "two halves": lambda pages: [part for part in (pages[: len(pages) // 2], pages[len(pages) // 2 :]) if part],
}


@pytest.fixture
def edges(db: None, owner: User) -> Collection:
    documents = tuple(document for value in GOLDS for document in read_collection(value).documents)
    return import_documents(documents=documents, user=owner, name="Edges", public=True)


@pytest.fixture
def pushed(edges: Collection, api: Api, owner: User, finish: Callable[..., None]) -> dict[str, int]:
    """Algorithm -> its submission, scored by every measure."""
    client, found = api(owner), {}
    for name, shape in SHAPES.items():
        answers = tuple(clustering_of(value, shape) for value in GOLDS)
        answer = client.post(
            f"/api/v1/collections/{edges.slug}/submissions?published=true",
            write_submission(SubmissionDocument(answers, name)),
            content_type="application/json",
        )
        assert answer.status_code == 201, answer.content
        found[name] = answer.json()["submission"]["id"]
    finish()
    answer = client.post(f"/api/v1/collections/{edges.slug}/evaluations", {"measures": EVERY}, format="json")
    assert answer.status_code in (200, 202), answer.content
    finish()
    return found


def clustering_of(value: Json, shape: Callable[[str], list[str]]) -> Clustering:
    pages = [page["id"] for page in value["pages"]]
    sets = {f"c{number}": list(members) for number, members in enumerate(shape("".join(pages)))}
    found = Clustering.from_sets(sets)
    return Clustering(value["query"]["id"], found.clusters)


def get(client: APIClient, address: str, **options: Any) -> Any:
    """Return the JSON at a URL; it may contain no NaN or infinity, and each missing value has a reason."""
    answer = client.get(address, options)
    assert answer.status_code == 200, (address, options, answer.content[:300])
    found = json.loads(answer.content, parse_constant=lambda name: pytest.fail(f"{name} in {address}"))
    for each in objects(found):
        check_reason(each, address)
    return found


def objects(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def check_reason(found: Json, address: str) -> None:
    """Check that exactly one of value and reason is set, in every object with both fields."""
    for value, reason in (("value", "undefined"), ("before", "undefined_before"), ("after", "undefined_after")):
        if value in found and reason in found:
            assert (found[value] is None) == bool(found[reason]), (address, found)


def test_scores_equal_those_of_the_library(api: Api, owner: User, edges: Collection, pushed: dict[str, int]) -> None:
    for name, pk in pushed.items():
        rows: list[Json] = []
        address: str | None = f"/api/v1/collections/{edges.slug}/scores?submission={pk}"
        while address:
            answer = get(api(owner), address)
            rows += answer["results"]
            address = answer["next"]
        ours = {
            (row["query"], row["measure"], row["level"], row["depth"]): (row["value"], row["undefined"]) for row in rows
        }
        assert {row["measure"] for row in rows} <= set(EVERY)
        for value in GOLDS:
            standard = read_gold(value)
            clustering = clustering_of(value, SHAPES[name])
            for key in {row["measure"] for row in rows}:
                for one in score(standard, clustering, [key], levels=None, depths=None).scores:
                    place = (value["query"]["id"], key, one.level, one.depth)
                    if place in ours:
                        assert ours[place] == (one.value, one.undefined), (name, place)


@thorough("every degenerate clustering explained over the API")
def test_explanations_equal_those_of_the_library(api: Api, owner: User, pushed: dict[str, int]) -> None:
    client = api(owner)
    for value, (name, pk) in product(GOLDS, pushed.items()):
        key, standard = value["query"]["id"], read_gold(value)
        address, clustering = f"/api/v1/submissions/{pk}/queries/{key}", clustering_of(value, SHAPES[name])
        explained = get(client, f"{address}/explain", measures=",".join(EVERY))
        ours = score(standard, clustering, EVERY, explain=True).to_dict()
        assert_same(explained["scores"], ours["scores"], f"{address}/explain")
        changed = (
            get(client, f"{address}/what-if", measures="ari,qc4_f,cluster_size", drop="c0", level="1")
            if clustering.clusters
            else None
        )
        if changed is not None:
            theirs = what_if(standard, clustering, Changes(drop=("c0",)), ["ari", "qc4_f", "cluster_size"], 1).to_dict()
            assert_same(changed["scores"], theirs["scores"], f"{address}/what-if")
        shuffled = get(client, f"{address}/chance", measures="ari,nmi_max,silhouette,edge_f1", draws=100, level="1")
        chosen = ["ari", "nmi_max", "silhouette", "edge_f1"]
        theirs = calibrate(standard, clustering, chosen, levels=[1], draws=100).to_dict()
        assert_same(shuffled["levels"], theirs["levels"], f"{address}/chance")
        get(client, f"{address}/matrix")
        for other, against in pushed.items():
            alike = get(client, f"{address}/alike", against=against)
            second = clustering_of(value, SHAPES[other])
            pages = [page["id"] for page in value["pages"]]
            both = compare_clusterings(clustering, second, pages=pages).to_dict()
            assert_same(alike["scores"], both["scores"], f"{address}/alike?{other}")


def assert_same(theirs: Any, ours: Any, where: str) -> None:
    """Check equality up to the last digits of numbers, with the same missing values."""
    ours = json.loads(json.dumps(ours))
    if isinstance(ours, float) and isinstance(theirs, float):
        assert math.isclose(theirs, ours, rel_tol=1e-9, abs_tol=1e-12), where
    elif isinstance(ours, dict):
        assert theirs.keys() == ours.keys(), where
        for key, value in ours.items():
            assert_same(theirs[key], value, f"{where}: {key}")
    elif isinstance(ours, list):
        assert len(theirs) == len(ours), where
        for one, other in zip(theirs, ours, strict=True):
            assert_same(one, other, where)
    else:
        assert theirs == ours, where


BOARDS = ("leaderboard", "compare", "heat-map", "trade-off", "topics", "robustness", "measures")


def test_means_of_undefined_scores_are_undefined(
    api: Api, owner: User, edges: Collection, pushed: dict[str, int]
) -> None:
    for place in BOARDS:
        address = f"/api/v1/collections/{edges.slug}/{place}"
        if place in ("trade-off", "topics", "robustness"):
            get(api(owner), address)
            continue
        for key in ("ari", "label_fit", "silhouette", "s_recall_5", "edge_f1", "van_dongen"):
            for each in objects(get(api(owner), address, measures=key)):
                if "counted" in each and "value" in each:
                    assert (each["value"] is None) == (each["counted"] == 0), (place, key, each)


def test_model_selection_has_no_nan(api: Api, owner: User, edges: Collection, pushed: dict[str, int]) -> None:
    for value in GOLDS:
        query = value["query"]["id"]
        answer = api(owner).get(f"/api/v1/collections/{edges.slug}/model-selection", {"query": query})
        assert answer.status_code in (200, 202, 400), answer.content
        json.loads(answer.content, parse_constant=lambda name: pytest.fail(name))


def test_stream_measures_without_a_value_have_a_reason(
    api: Api, submitter: User, owner: User, collection_url: str, finish: Callable[..., None]
) -> None:
    api(owner).post(f"{collection_url}/streams?filename=mercury.csv", samples.STREAM, content_type="text/csv")
    place = f"{collection_url}/streams/mercury"
    value = {
        "format": "qc4-stream-clustering/1",
        "stream": "mercury",
        "algorithm": "DenStream",
        "snapshots": [
            {"time": 3, "clusters": []},
            {"time": 4, "clusters": [{"id": "c", "points": [0, 1]}]},
        ],
    }
    pushed = api(submitter).post(f"{place}/submissions", json.dumps(value).encode(), content_type="application/json")
    assert pushed.status_code == 201, pushed.content
    finish()
    moments = get(api(submitter), f"{place}/series")["series"][0]["moments"]
    stream = read_stream(samples.STREAM, name="mercury.csv")
    ours = measure_stream(stream.stream, read_stream_clustering(value, stream).snapshots, LastPoints(1000))
    for moment, own in zip(moments, ours.moments, strict=True):
        assert (moment["values"].keys(), moment["reasons"]) == (own.values.keys(), own.reasons)
        assert not moment["values"].keys() & moment["reasons"].keys()
        assert {*moment["values"], *moment["reasons"]} == {*PARTS, *EXTERNAL, *INTERNAL}
    assert moments[0]["reasons"]["silhouette"] == "no point is in a cluster"
    assert moments[1]["reasons"].keys() == {"silhouette", "c_index"}

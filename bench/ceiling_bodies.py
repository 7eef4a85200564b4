"""The requests with large bodies, with the data of `bench.ceiling_data`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from uuid import uuid4

Sent = tuple[str, Callable[[Any], Any]]
"""The name of a request, and a function that sends it with a client."""


def bodies(made: dict[str, Any]) -> Iterator[Sent]:
    """Yield all requests."""
    from annotations.limits import LIMITS
    from bench.ceiling_data import many_topics, without_texts
    from qc4.formats import write_gold

    yield from _submissions(made["slug"])
    gold = many_topics("wide", seed=4, topics=LIMITS.topics, memberships=LIMITS.memberships)
    yield from _golds(made["slug"], write_gold(gold))
    yield from _new_drafts(made, write_gold(without_texts(gold)))
    yield from _work_on_drafts(made)


def _submissions(slug: str) -> Iterator[Sent]:
    from annotations.limits import LIMITS, QUICK
    from bench.ceiling_data import answer
    from qc4.clustering.clustering import SubmissionDocument
    from qc4.formats import write_submission

    sizes = {"largest": (LIMITS.clusters, LIMITS.memberships), "largest read at once": (2_000, 40_000)}
    api = f"/api/v1/collections/{slug}/submissions"
    for words, size in sizes.items():
        content = write_submission(SubmissionDocument((answer("wide", *size, seed=3),), "Largest"))
        if words == "largest" or len(content) <= QUICK.file_bytes:
            yield f"api:submission-check {words}", partial(_file, f"{api}/check", content)
            yield f"api:submissions {words}", partial(_file, api, content, algorithm="Largest")
            yield f"submit {words}", partial(_file, f"/c/{slug}/submit/", content, algorithm="Mine")


def _golds(slug: str, gold: bytes) -> Iterator[Sent]:
    as_form = partial(_file, called="files", completion="strict")
    yield "api:collections", partial(_file, "/api/v1/collections", gold, name="Another")
    yield "import", partial(as_form, "/new/", gold, name="Another")
    yield "api:gold-versions", partial(_file, f"/api/v1/collections/{slug}/gold-versions", gold)
    yield "gold-publish", partial(as_form, f"/c/{slug}/gold/", gold)


def _new_drafts(made: dict[str, Any], gold: bytes) -> Iterator[Sent]:
    address = f"/api/v1/collections/{made['slug']}/queries/wide/drafts"
    starts = {
        "": {"from": "document", "document": json.loads(gold)},
        ", from a draft": {"from": "draft", "draft": made["draft"]},
        ", from gold": {"from": "gold", "version": 2},
    }
    for words, start in starts.items():
        yield f"api:drafts{words}", partial(_json, address, {"kind": "shared", "start": start})
    of_clusters = {"kind": "shared", "submission": made["submissions"][0]}
    for key in ("wide", "long"):
        there = f"/api/v1/collections/{made['slug']}/queries/{key}/drafts/from-clustering"
        yield f"api:drafts-from-clustering {key}", partial(_json, there, of_clusters)


def _work_on_drafts(made: dict[str, Any]) -> Iterator[Sent]:
    from annotations.limits import BATCH_OPERATIONS, BATCH_PAGES, LIMITS

    address, filling = (f"/api/v1/drafts/{made[which]}" for which in ("draft", "filling"))
    waiting = [f"p{n}" for n in range(1, LIMITS.pages, 2)]
    into = [f"t{n}" for n in range(BATCH_PAGES // len(waiting))]
    place = {"id": str(uuid4()), "base": 0, "operations": [{"kind": "assign", "pages": waiting, "topics": into}]}
    yield "api:draft-operations, many pages", partial(_json, f"{filling}/operations", place)
    batches = {
        "many operations": [
            {"kind": "rename", "topic": f"t{n}", "name": f"Named {n}"} for n in range(BATCH_OPERATIONS)
        ],
        "topics and pages in turn": [
            operation
            for n in range(1, BATCH_OPERATIONS // 2 + 1)
            for operation in (
                {"kind": "move", "topic": f"t{n}", "parent": "t0", "at": 0},
                {"kind": "outlier", "pages": [f"p{n}"]},
            )
        ],
    }
    for words, operations in batches.items():
        batch = {"id": str(uuid4()), "base": 0, "operations": operations}
        yield f"api:draft-operations, {words}", partial(_json, f"{address}/operations", batch)
    yield "api:draft-submit", partial(_json, f"{address}/submit", {})
    yield "api:draft-publish", partial(_json, f"{address}/publish", {"revision": 0})
    yield "api:draft-suggestions", partial(_json, f"{filling}/suggestions", {})


def _file(address: str, content: bytes, client: Any, called: str = "file", **more: Any) -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return client.post(address, {called: SimpleUploadedFile("sent.json", content), **more})


def _json(address: str, content: dict[str, Any], client: Any) -> Any:
    return client.post(address, content, content_type="application/json")

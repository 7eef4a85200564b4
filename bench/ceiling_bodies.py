"""What is sent with large bodies, about the data of `bench.ceiling_data`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4


def bodies(made: dict[str, Any]) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Each request by its name."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from annotations.limits import BATCH_OPERATIONS, BATCH_PAGES, LIMITS, QUICK
    from bench.ceiling_data import answer, many_topics
    from qc4.clustering.clustering import SubmissionDocument
    from qc4.formats import write_gold, write_submission

    slug = made["slug"]
    of_collection, of_draft = f"/api/v1/collections/{slug}", f"/api/v1/drafts/{made['draft']}"

    def file(content: bytes, **more: Any) -> dict[str, Any]:
        return {"file": SimpleUploadedFile("sent.json", content), **more}

    largest = answer("wide", LIMITS.clusters, LIMITS.memberships, seed=3)
    content = write_submission(SubmissionDocument((largest,), "Largest"))
    quick = write_submission(SubmissionDocument((answer("wide", 2_000, 40_000, seed=3),), "Quick"))
    for words, sent in (("largest", content), ("largest read at once", quick)):
        if words == "largest" or len(sent) <= QUICK.file_bytes:
            yield (
                f"api:submission-check {words}",
                lambda c, sent=sent: c.post(f"{of_collection}/submissions/check", file(sent)),
            )
            yield (
                f"api:submissions {words}",
                lambda c, sent=sent: c.post(f"{of_collection}/submissions", file(sent, algorithm="Largest")),
            )
            yield (
                f"submit {words}",
                lambda c, sent=sent: c.post(f"/c/{slug}/submit/", file(sent, algorithm="Mine")),
            )
    gold = many_topics("wide", seed=4, topics=LIMITS.topics, memberships=LIMITS.memberships)

    def form(**more: Any) -> dict[str, Any]:
        return {"files": file(write_gold(gold))["file"], "completion": "strict", **more}

    yield "api:collections", lambda c: c.post("/api/v1/collections", file(write_gold(gold), name="Another"))
    yield "import", lambda c: c.post("/new/", form(name="Another"))
    yield "api:gold-versions", lambda c: c.post(f"{of_collection}/gold-versions", file(write_gold(gold)))
    yield "gold-publish", lambda c: c.post(f"/c/{slug}/gold/", form())
    document = json.loads(write_gold(gold))
    begun = {"kind": "shared", "start": {"from": "document", "document": document}}
    drafts = f"{of_collection}/queries/wide/drafts"
    yield "api:drafts", lambda c: c.post(drafts, begun, content_type="application/json")
    copied = {"kind": "shared", "start": {"from": "draft", "draft": made["draft"]}}
    yield "api:drafts, from a draft", lambda c: c.post(drafts, copied, content_type="application/json")
    of_gold = {"kind": "shared", "start": {"from": "gold", "version": 2}}
    yield "api:drafts, from gold", lambda c: c.post(drafts, of_gold, content_type="application/json")
    of_clusters = {"kind": "shared", "submission": made["submissions"][0]}
    yield (
        "api:drafts-from-clustering",
        lambda c: c.post(f"{drafts}/from-clustering", of_clusters, content_type="application/json"),
    )
    pages = [f"p{n}" for n in range(LIMITS.pages)]
    into = [f"t{n}" for n in range(BATCH_PAGES // LIMITS.pages)]
    place = [{"kind": "assign", "pages": pages, "topics": into}]
    rename = [{"kind": "rename", "topic": f"t{n}", "name": f"Named {n}"} for n in range(BATCH_OPERATIONS)]
    for words, operations in (("many pages", place), ("many operations", rename)):
        batch = {"id": str(uuid4()), "base": 0, "operations": operations}
        yield (
            f"api:draft-operations, {words}",
            lambda c, batch=batch: c.post(f"{of_draft}/operations", batch, content_type="application/json"),
        )
    yield "api:draft-submit", lambda c: c.post(f"{of_draft}/submit", content_type="application/json")
    yield (
        "api:draft-publish",
        lambda c: c.post(f"{of_draft}/publish", {"revision": 0}, content_type="application/json"),
    )
    yield (
        "api:draft-suggestions",
        lambda c: c.post(f"/api/v1/drafts/{made['filling']}/suggestions", content_type="application/json"),
    )

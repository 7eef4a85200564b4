"""The GET requests to every URL of the site, with the data of `bench.ceiling_data`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from uuid import uuid4

WITHOUT_LARGE_DATA = {
    "comes with the site": (
        *("measures", "measure", "measures-bibtex", "citation", "study", "study-csv", "study-json", "study-group"),
        *("study-case", "docs", "docs-search", "docs-example", "document", "api:root", "api:schema", "api:docs"),
        *("api:measures", "api:measure", "api:study", "api:unknown"),
    ),
    "about the account of one person": (
        *("sign-in", "sign-up", "sign-up-by-link", "password-forgotten", "password-set", "password-change"),
        *("account", "account-log", "email-confirm", "api:account-log", "api:tokens", "api:token", "api:notices"),
        *("api:own-offers", "api:own-requests", "api:own-request", "account-delete", "sign-in-code", "provider"),
        *("provider-return", "provider-name", "provider-tie", "provider-untie", "second-factor", "second-factor-codes"),
        *("second-factor-off", "email-change", "email-confirmation", "token-revoke"),
    ),
    "forms that show their current values": (
        *("import", "invitation", "guidelines-edit", "collection-settings", "challenge-settings", "algorithm-edit"),
    ),
    "paginated lists of people and requests": (
        *("people", "people-log", "take-part", "api:requests", "api:offers", "api:offer", "api:invitations"),
        *("api:invitation", "api:collection-log", "api:assignments", "api:draft-people", "api:thread-people"),
    ),
}
"""Reason -> names of the URLs that are excluded."""
COMPARED = {"wide": "pair", "middle": "compared", "small": "group"}
"""Query -> drafts to compare: two that are too large, two of the maximum size, or the maximum number."""
TWO = 2
IN_PAGES_OF_ROWS = "admin:"
"""The admin site shows a hundred rows of a list at a time, without their content."""
KEYS = ("long", "wide", "middle", "small")


def addresses(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and URL of each request, with its options, except those in `WITHOUT_LARGE_DATA`."""
    left_out = {name for names in WITHOUT_LARGE_DATA.values() for name in names}
    for name in dict.fromkeys(names()):
        if name not in left_out and not name.startswith(IN_PAGES_OF_ROWS):
            yield from _of(name, made)


def names(patterns: Any = None, namespace: str = "") -> Iterator[str]:
    """Yield the name of every URL pattern."""
    from django.urls import get_resolver

    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if hasattr(pattern, "url_patterns"):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from names(pattern.url_patterns, inner)
        else:
            yield f"{namespace}{pattern.name}"


def _of(name: str, made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    from django.urls import reverse

    wanted = _arguments(name)
    bare = name.removeprefix("api:")
    keys = [made["stream"]] if bare.startswith("stream") else KEYS if "key" in wanted else [""]
    for key in keys:
        known = {"slug": made["slug"], "key": key, "number": 2, "pk": _number(bare, made)}
        address = reverse(name, kwargs={each: known[each] for each in wanted})
        for words, query in _options(name, key, made):
            yield f"{name}{f' {key}' if key else ''}{words}", f"{address}{query}"


def _arguments(name: str) -> list[str]:
    """Return the names of the arguments of a URL."""
    from django.urls import get_resolver

    *namespaces, bare = name.split(":")
    resolver = get_resolver()
    for namespace in namespaces:
        resolver = resolver.namespace_dict[namespace][1]
    return list(resolver.reverse_dict.getlist(bare)[0][0][0][1])


def _number(bare: str, made: dict[str, Any]) -> int:
    if bare in {"adjudicate", "draft-adjudication"} or bare.startswith("draft-decisions"):
        number = made["adjudication"]
    elif bare in {"draft-predictions", "draft-groups", "draft-suggestions"}:
        number = made["filling"]
    elif bare.startswith("draft"):
        number = made["draft"]
    elif bare.startswith("thread"):
        number = made["thread"]
    elif bare.startswith("stream-submission"):
        number = made["stream_submission"]
    elif bare.startswith(("run", "algorithm")):
        number = 1
    elif bare.startswith("submission-scores"):
        number = made["scored"][0]
    else:
        number = made["submissions"][0]
    return int(number)


def _options(name: str, key: str, made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the options of a URL: a description and a query string."""
    bare, wait = name.removeprefix("api:"), "" if name.startswith("api:") else "&wait=1"
    _, other = made["submissions"]
    if bare.startswith("agreement"):
        drafts = made[COMPARED[key]] if key in COMPARED else ()
        if bare == "agreement-all" and drafts:
            yield "", "?drafts=" + ",".join(map(str, drafts))
        elif len(drafts) == TWO:
            yield " of two", f"?first={drafts[0]}&second={drafts[1]}{wait}"
        elif drafts and wait:
            yield " of all", "?" + "&".join(f"draft={draft}" for draft in drafts) + wait
        return
    if bare == "alike":
        yield "", f"?against={other}"
        return
    if bare == "draft-page":
        yield "", "?key=p1"
        return
    if bare == "draft-changes":
        yield "", "?since=0"
        return
    yield "", ""
    if name == "query":
        yield ", last page", "?page=100"
    if bare == "why":
        yield ", compared with another", f"?against={other}"
        yield ", a change", "?drop=c1"
        yield ", foreign pages", "?foreign=1&cluster=c1"
    if bare == "what-if":
        yield ", a change", "?drop=c1"
    if bare == "chance":
        yield ", maximum number of draws", "?draws=1000"
    if bare == "draft-pages":
        yield ", search", "?search=kind"


# The requests with large bodies, with the data of `bench.ceiling_data`.

Sent = tuple[str, Callable[[Any], Any]]
"""The name of a request, and a function that sends it with a client."""


def bodies(made: dict[str, Any]) -> Iterator[Sent]:
    """Yield all requests."""
    from annotations.limits import LIMITS
    from bench.ceiling_data import many_topics, without_texts
    from qc4.io import write_gold

    yield from _submissions(made["slug"])
    gold = many_topics("wide", seed=4, topics=LIMITS.topics, memberships=LIMITS.memberships)
    yield from _golds(made["slug"], write_gold(gold))
    yield from _new_drafts(made, write_gold(without_texts(gold)))
    yield from _work_on_drafts(made)


def _submissions(slug: str) -> Iterator[Sent]:
    from annotations.limits import LIMITS, QUICK
    from bench.ceiling_data import answer
    from qc4.io import write_submission
    from qc4.model.clustering import SubmissionDocument

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

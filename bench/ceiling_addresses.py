"""The GET requests to every URL of the site, with the data of `bench.ceiling_data`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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

"""`bench.ceiling` requests every URL of the site, or says why it does not."""

from __future__ import annotations

from bench.ceiling_addresses import IN_PAGES_OF_ROWS, WITHOUT_LARGE_DATA, addresses, names

MADE = {
    "slug": "large",
    "submissions": [1, 2],
    "draft": 3,
    "filling": 4,
    "pair": [5, 6],
    "compared": [7, 8],
    "group": [7, 8, 12],
    "scored": [13, 14],
    "adjudication": 9,
    "thread": 10,
    "stream": "flow",
    "stream_submission": 11,
}


def test_every_url_is_requested_or_excluded_for_a_reason() -> None:
    left_out = [name for reason in WITHOUT_LARGE_DATA.values() for name in reason]
    known = set(names())
    assert set(left_out) <= known, "a URL that no longer exists"
    assert len(left_out) == len(set(left_out))
    asked = {asked.split()[0].rstrip(",") for asked, _ in addresses(MADE)}
    by_its_own_rule = {name for name in known if name.startswith(IN_PAGES_OF_ROWS)}
    assert asked | set(left_out) | by_its_own_rule == known


def test_urls_contain_the_ids_of_the_objects_made() -> None:
    found = dict(addresses(MADE))
    assert found["draft"] == "/drafts/3/"
    assert found["adjudicate"] == "/drafts/9/adjudicate/"
    assert found["why long"] == "/submissions/1/why/long/"
    assert found["agreement wide of two"] == "/c/large/q/wide/agreement/?first=5&second=6&wait=1"

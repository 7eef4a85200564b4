"""A simulated curator who knows where pages belong: the plan of a gold standard, and the keys for its pages.

Nothing here drives a browser. The curator looks up only pages that were read, and whether a suggestion is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument

PAGES = 100
MIN_TOPIC_PAGES = 4
"""Minimum number of pages of a topic. Pages of smaller topics go to the rest of the topic above."""
MIN_READ_PAGES = 3
"""Number of pages to read before assuming that one topic always implies another."""


@dataclass(frozen=True)
class Plan:
    """The topics of each page.

    Attributes:
        pages: page ids in the order of the list.
        tree: topic of level 1 -> its subtopics, possibly none.
        members: topic -> its pages, including those of its subtopics.
        document: the pages without topics.
    """

    pages: list[str]
    tree: dict[str, list[str]]
    members: dict[str, set[str]]
    document: GoldDocument | None = None

    @classmethod
    def of(cls, file: Path) -> Plan:
        """Build a plan from the first pages of a gold standard, with the topics that have enough of these pages."""
        whole = read_gold_document(file)
        document = replace(whole, pages=whole.pages[:PAGES], topics=(), outliers=())
        pages = [page.id for page in document.pages]
        held = {topic.id: set(topic.pages).intersection(pages) for topic in whole.topics}
        below: dict[str, list[str]] = {topic.id: [] for topic in whole.topics if topic.parent is None}
        for topic in whole.topics:
            if topic.parent is not None:
                below[topic.parent].append(topic.id)
        for root, subtopics in below.items():
            held[root] = held[root].union(*(held[each] for each in subtopics))
        roots = [root for root in below if len(held[root]) >= MIN_TOPIC_PAGES]
        tree = {
            root: [each for each in below[root] if MIN_TOPIC_PAGES <= len(held[each]) < len(held[root])]
            for root in roots
        }
        return cls(pages, tree, held, document)

    def names(self) -> list[str]:
        return [name for root, below in self.tree.items() for name in (root, *below)]

    def roots(self, page: str) -> list[str]:
        return [root for root in self.tree if page in self.members[root]]

    def subtopics(self, page: str, root: str) -> list[str]:
        return [each for each in self.tree[root] if page in self.members[each]]

    @property
    def rests(self) -> int:
        """Number of topics that have subtopics and also pages in none of them."""
        return sum(
            bool(below) and bool(self.members[root].difference(*(self.members[each] for each in below)))
            for root, below in self.tree.items()
        )

    def finest(self, page: str) -> list[str]:
        return [each for root in self.roots(page) for each in (self.subtopics(page, root) or [root])]


@dataclass(frozen=True)
class Suggestions:
    """The suggestions that the workspace shows for the page under the cursor.

    Attributes:
        probably: the predicted topic; empty if there is none.
        same: the finest topics of the most similar page.
    """

    probably: str = ""
    same: frozenset[str] = field(default_factory=frozenset)


def keys_for_topics(digits: Sequence[str]) -> list[str]:
    """Return the keys that put the page into the topics with these digits and go to the next page.

    The first of two digits is pressed with Shift, which stays on the page. For three or more digits, auto-advance is
    turned off and on again.
    """
    match digits:
        case [one, other]:
            return [f"Shift+Digit{one}", other]
        case [_, _, *_]:
            return ["p", *digits, "p", "n"]
        case _:
            return list(digits)


def implied_topics(plan: Plan, read: Sequence[str]) -> dict[str, str]:
    """Return topic -> another topic that has contained all its pages so far, and that is therefore placed later."""
    found = {}
    for root, below in plan.tree.items():
        held = [page for page in read if root in plan.roots(page)]
        common = set(plan.tree).intersection(*(plan.roots(page) for page in held)) - {root}
        if below and len(held) >= MIN_READ_PAGES and common:
            found[root] = min(common, key=list(plan.tree).index)
    return found


def keys_for_page(plan: Plan, page: str, offered: Suggestions, later: Mapping[str, str]) -> list[str]:
    """Return the keys for a page on level 1.

    They accept a correct suggestion. Otherwise they choose the page's topics, except those in ``later``, or make the
    page an outlier.
    """
    wanted, roots = plan.finest(page), plan.roots(page)
    if not wanted:
        return ["o"]
    if wanted == [offered.probably]:
        return ["a"]
    now = [root for root in roots if root not in {later.get(each) for each in roots}]
    if len(now) > 1 and _are_right(plan, page, offered.same):
        return ["="]
    if offered.same == set(wanted):
        return ["="]
    numbers = {root: str(number) for number, root in enumerate(plan.tree, 1)}
    return keys_for_topics([numbers[root] for root in now])


def _are_right(plan: Plan, page: str, topics: Set[str]) -> bool:
    """Return True if these are all the page's topics of level 1, each alone or with all its subtopics."""
    roots = plan.roots(page)
    chosen = {root: [each for each in plan.tree[root] if each in topics] for root in roots}
    known = set(roots).union(*chosen.values())
    reached = {root for root in roots if root in topics or chosen[root]}
    whole = all(not some or some == plan.subtopics(page, root) for root, some in chosen.items())
    return whole and topics <= known and reached == set(roots)


def keys_for_subtopics(plan: Plan, page: str, root: str) -> list[str]:
    """Return the keys that put a page into its subtopics, or go to the next page if it belongs to none."""
    return keys_for_topics([str(plan.tree[root].index(each) + 1) for each in plan.subtopics(page, root)]) or ["j"]


def keys_for_group(plan: Plan, pages: Sequence[str], root: str) -> list[str]:
    """Return the keys that place the pages waiting below a topic together, if all with a subtopic have the same one.

    They select all pages except those without a subtopic. Return nothing if page by page is as fast.
    """
    places = [plan.subtopics(page, root) for page in pages]
    chosen = {tuple(place) for place in places if place}
    if len(chosen) != 1 or len(only := next(iter(chosen))) != 1:
        return []
    keys, at = ["Shift+X"], 0
    for number, place in enumerate(places):
        if not place:
            keys += ["j"] * (number - at) + ["x"]
            at = number
    keys.append(str(plan.tree[root].index(only[0]) + 1))
    return keys if len(keys) < len(pages) else []

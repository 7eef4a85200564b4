"""The topics of a document as a hierarchy, and what must hold before they are one: ids, references, R5."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from qc4.gold.document import GoldDocument, Topic
from qc4.gold.hierarchy import Hierarchy
from qc4.problems import Problem, ProblemList
from qc4.problems.wording import listed, quoted

_FOREST_CODES = {
    "duplicate-topic",
    "unknown-parent",
    "parent-cycle",
    "bad-level",
    "root-level",
    "sibling-levels",
    "limit-levels",
}
MAX_LEVELS = 100


def topic_name(topic_id: str) -> str:
    return f"topic {quoted(topic_id)}"


def place(document: GoldDocument, number: int) -> str:
    """Where a topic stands in its document, for ``Problem.where``."""
    topic = document.topics[number]
    return f"topics[{number}] ({topic_name(topic.id)}, {quoted(topic.name)})"


def hierarchy_of(document: GoldDocument) -> Hierarchy:
    """The topics of a document as arrays. Unknown pages and parents are left out, so that drafts can be looked at.

    Build it only where `is_forest` says so: deep chains take quadratic room.

    Raises:
        ValueError: the parents hold a cycle.
    """
    page_index = {page.id: number for number, page in enumerate(document.pages)}
    topic_index = {topic.id: number for number, topic in enumerate(document.topics)}
    rows: list[int] = []
    columns: list[int] = []
    for number, topic in enumerate(document.topics):
        members = {page_index[page] for page in topic.pages if page in page_index}
        rows.extend([number] * len(members))
        columns.extend(members)
    ones = np.ones(len(rows), dtype=np.int32)
    places = (np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64))
    direct = sp.csr_array((ones, places), shape=(len(document.topics), len(document.pages)))
    return Hierarchy.build(
        direct,
        [-1 if topic.parent is None else topic_index.get(topic.parent, -1) for topic in document.topics],
        [topic.level for topic in document.topics],
        sorted({page_index[page] for page in document.outliers if page in page_index}),
    )


def check_structure(document: GoldDocument) -> list[Problem]:
    """Errors of ids, references, parents and levels."""
    problems = ProblemList()
    problems.extend(check_page_list(document))
    _check_repeated("topics", "topic", (topic.id for topic in document.topics), problems)
    _check_memberships(document, problems)
    if _check_parents(document, problems):
        _check_levels(document, problems)
    return list(problems)


def is_forest(structure: Iterable[Problem]) -> bool:
    """Whether, after `check_structure`, the topics form a hierarchy in which "the topics of a level" has a meaning."""
    return not any(problem.code in _FOREST_CODES for problem in structure)


def check_page_list(document: GoldDocument) -> list[Problem]:
    """Page ids that appear more than once."""
    problems = ProblemList()
    _check_repeated("pages", "page", (page.id for page in document.pages), problems)
    return list(problems)


def _check_repeated(path: str, what: str, ids: Iterable[str], problems: ProblemList) -> None:
    first: dict[str, int] = {}
    for number, item_id in enumerate(ids):
        earlier = first.setdefault(item_id, number)
        if earlier != number:
            found = f"the id {quoted(item_id)} again (first at {path}[{earlier}])"
            problems.error(f"duplicate-{what}", f"{path}[{number}].id", found, f"each {what} id once")


def _check_memberships(document: GoldDocument, problems: ProblemList) -> None:
    known = {page.id for page in document.pages}
    groups = [(place(document, number), topic.pages) for number, topic in enumerate(document.topics)]
    for where, pages in [*groups, ("outliers", document.outliers)]:
        unknown = [page for page in pages if page not in known]
        if unknown:
            found = f"pages that are not in the page list: {listed(unknown)}"
            problems.error("unknown-page", where, found, "ids of the page list", "Remove them or correct their ids.")
        if len(set(pages)) < len(pages):
            twice = [page for page, count in Counter(pages).items() if count > 1]
            found = f"pages listed twice: {listed(twice)}"
            problems.error("page-twice", where, found, "each page once", "Remove the repetition.")


def _check_parents(document: GoldDocument, problems: ProblemList) -> bool:
    """Unknown parents and cycles (R5); whether there were none."""
    parent = {topic.id: topic.parent for topic in document.topics}
    sound = len(parent) == len(document.topics)
    for number, topic in enumerate(document.topics):
        if topic.parent is not None and topic.parent not in parent:
            found = f"the parent {quoted(topic.parent)}"
            problems.error("unknown-parent", place(document, number), found, "the id of a topic, or null (rule R5)")
            sound = False
    for cycle in _cycles(parent):
        problems.error(
            "parent-cycle",
            "topics",
            f"a cycle of parents: {' > '.join(map(quoted, cycle))}",
            "parents that form a forest (rule R5)",
            "Make one of them a root.",
        )
        sound = False
    return sound


def _cycles(parent: dict[str, str | None]) -> list[list[str]]:
    """Every cycle once, as the path of topic ids that returns to its start."""
    cycles = []
    settled: set[str] = set()
    for start in parent:
        trail: dict[str, None] = {}
        step: str | None = start
        while step is not None and step in parent and step not in settled and step not in trail:
            trail[step] = None
            step = parent[step]
        if step is not None and step in trail:
            path = list(trail)
            cycles.append([*path[path.index(step) :], step])
        settled.update(trail)
    return cycles


def _check_levels(document: GoldDocument, problems: ProblemList) -> None:
    """Roots on level 1, children below their parent and all on one level (R5). The parents must be a forest."""
    first = first_levels(document)
    deepest = max(first.values(), default=1)
    if deepest > MAX_LEVELS:
        problems.error("limit-levels", "topics", f"{deepest:,} levels", f"at most {MAX_LEVELS} (limit 'levels')")
    children: dict[str, list[int]] = defaultdict(list)
    for number, topic in enumerate(document.topics):
        if topic.parent is None:
            if first[topic.id] != 1:
                found = f"a root on level {first[topic.id]}"
                problems.error("root-level", place(document, number), found, "roots on level 1 (rule R5)")
            continue
        children[topic.parent].append(number)
        if first[topic.id] <= first[topic.parent]:
            problems.error(
                "bad-level",
                place(document, number),
                f"level {first[topic.id]} under the parent {quoted(topic.parent)} on level {first[topic.parent]}",
                f"a level of {first[topic.parent] + 1} or more (rule R5)",
            )
    for parent, numbers in children.items():
        levels = {document.topics[number].id: first[document.topics[number].id] for number in numbers}
        if len(set(levels.values())) > 1:
            shown = ", ".join(f"{quoted(topic_id)} on {level}" for topic_id, level in list(levels.items())[:20])
            problems.error(
                "sibling-levels",
                f"the children of {topic_name(parent)}",
                f"different levels: {shown}",
                "the children of one topic all on one level (rule R5)",
            )


def first_levels(document: GoldDocument) -> dict[str, int]:
    """The level each topic starts on: as given, else one below its parent's. The parents must be a forest.

    In one pass, so that a chain of 100,000 topics is refused before anything of that depth is built.
    """
    topics = {topic.id: topic for topic in document.topics}
    first: dict[str, int] = {}
    for start in document.topics:
        trail: list[Topic] = []
        step = start
        while step.id not in first and step.level is None and step.parent is not None:
            trail.append(step)
            step = topics[step.parent]
        level = first.setdefault(step.id, step.level if step.level is not None else 1)
        for topic in reversed(trail):
            level += 1
            first[topic.id] = level
    return first

"""The topics of a document as a hierarchy, and the conditions for it: unique ids, valid references, R5."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.gold_document import GoldDocument, Topic
from qc4.model.hierarchy import Breach, Hierarchy, first_levels, level_breaches
from qc4.model.ids import IdPositions
from qc4.problems import (
    InputError,
    Problem,
    ProblemList,
    check_cycles,
    check_ids,
    check_known,
    check_no_repeats,
    check_parent,
    parents_first,
)
from qc4.text import Spellings, name_key
from qc4.wording import counted, listed, quoted

# --- The rules of a gold standard in words, and messages about breaches ---

# Each text follows "expected" in a message.
RULES: dict[str, str] = {
    "R1": "every page, on every level, in a topic or in the outlier topic",
    "R2": "outliers in no other topic",
    "R3": "children that together contain all pages of their topic",
    "R4": "no empty topic",
    "R5": "parents that form a forest; roots start on level 1; the children of a topic are all on one level, below it",
    "R6": "unique names among siblings",
}
NAMED_PAGES = 1_000
"""Messages list every page without a topic, so that all can be assigned at once, up to this number."""


def topic_name(topic_id: str) -> str:
    return f"topic {quoted(topic_id)}"


@dataclass(frozen=True, slots=True)
class MessageNames:
    """The names of the topics and pages of a hierarchy in messages.

    Attributes:
        place: a function from a topic's index to its position, for ``Problem.where``.
    """

    topic_ids: Sequence[str]
    page_ids: Sequence[str]
    place: Callable[[int], str]

    def problem(self, breach: Breach) -> Problem:
        """Return the message about a breach."""
        if breach.rule == "R5":
            return self._level_problem(breach)
        expected = f"{RULES[breach.rule]} (rule {breach.rule})"
        pages = [self.page_ids[page] for page in breach.pages.tolist()]
        if breach.rule == "R4":
            fix = "Add a page to the topic or remove it."
            return Problem(breach.code, self.place(breach.topic), "no pages", expected, fix)
        if breach.rule == "R2":
            fix = "Remove each page from the topic or from the outliers."
            found = f"pages that are also outliers: {listed(pages)}"
            return Problem(breach.code, self.place(breach.topic), found, expected, fix)
        where, lack, put = f"level {breach.level}", "in no topic and not outliers", "a topic or the outliers"
        if breach.topic >= 0:
            where, put = f"{where}, {self.place(breach.topic)}", "a subtopic"
            lack = "of the topic that are in none of its subtopics"
        found = f"{counted(len(pages), 'page')} {lack}: {listed(pages, NAMED_PAGES)}"
        fix = f"Put each page into {put}, or import with the completion rule 'complete'."
        return Problem(breach.code, where, found, expected, fix)

    def _level_problem(self, breach: Breach) -> Problem:
        where = self.place(breach.topic)
        if breach.code == "root-level":
            found, expected = f"a root on level {breach.level}", "roots on level 1"
        elif breach.code == "bad-level":
            [(parent, above)] = breach.others
            found = f"level {breach.level} under the parent {quoted(self.topic_ids[parent])} on level {above}"
            expected = f"a level of {above + 1} or more"
        else:
            where = f"the children of {topic_name(self.topic_ids[breach.topic])}"
            shown = (f"{quoted(self.topic_ids[topic])} on {level}" for topic, level in breach.others[:20])
            found = f"different levels: {', '.join(shown)}"
            expected = "all children of a topic on the same level"
        return Problem(breach.code, where, found, f"{expected} (rule R5)")


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


class Structure:
    """The topics of a document as arrays, and their structural problems. Each is computed on first access.

    Unknown pages and parents are not in the arrays, so that drafts can be checked.
    """

    def __init__(self, document: GoldDocument) -> None:
        self.document = document

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Errors in ids, references, parents and levels."""
        problems = ProblemList()
        if not self._places.all_differ:
            problems.extend(check_page_list(self.document))
        self._check_topic_ids(problems)
        self._check_memberships(problems)
        self._check_parents(problems)
        if _is_forest(problems):
            self._check_levels(problems)
        return tuple(problems)

    @property
    def is_forest(self) -> bool:
        """True if the topics form a hierarchy with well-defined levels."""
        return _is_forest(self.problems)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy as arrays. Use it only if `is_forest` is true: deep chains need quadratic memory.

        Raises:
            ValueError: the parents form a cycle.
        """
        levels = [topic.level for topic in self.document.topics]
        return Hierarchy.build(self.direct, self.parents, levels, self.outliers)

    @cached_property
    def direct(self) -> sp.csr_array:
        """(topics, pages) 0/1 incidence of direct memberships."""
        topics = self.document.topics
        columns, _ = self._listed
        rows = np.repeat(np.arange(len(topics)), [len(topic.pages) for topic in topics])[columns >= 0]
        columns = columns[columns >= 0]
        ones = np.ones(columns.size, dtype=np.int32)
        incidence = sp.csr_array((ones, (rows, columns)), shape=(len(topics), len(self.names.page_ids)))
        incidence.data[:] = 1  # a page listed twice was counted twice
        return incidence

    @cached_property
    def _places(self) -> IdPositions:
        return IdPositions(self.document.page_ids)

    @cached_property
    def _listed(self) -> tuple[IntArray, IntArray]:
        """The positions of the pages in each topic in turn, and of the outliers; -1 for unknown pages."""
        listed = [*chain.from_iterable(topic.pages for topic in self.document.topics), *self.document.outliers]
        found = self._places.of(listed)
        of_topics = len(listed) - len(self.document.outliers)
        return found[:of_topics], found[of_topics:]

    @cached_property
    def outliers(self) -> IntArray:
        """Sorted indexes of the outliers."""
        _, found = self._listed
        return np.unique(found[found >= 0])

    @cached_property
    def parents(self) -> IntArray:
        """(topics,) the index of each topic's parent, -1 for a root."""
        index = self._topic_index
        parents = [-1 if topic.parent is None else index.get(topic.parent, -1) for topic in self.document.topics]
        return np.array(parents, dtype=np.int64)

    @cached_property
    def names(self) -> MessageNames:
        """The names of topics and pages in messages."""
        return MessageNames(tuple(topic.id for topic in self.document.topics), self.document.page_ids, self.place)

    def place(self, number: int) -> str:
        """Return the position of a topic in the document, for ``Problem.where``."""
        topic = self.document.topics[number]
        return f"topics[{number}] ({topic_name(topic.id)}, {quoted(topic.name)})"

    @cached_property
    def _topic_index(self) -> dict[str, int]:
        return {topic.id: number for number, topic in enumerate(self.document.topics)}

    def _check_topic_ids(self, problems: ProblemList) -> None:
        ids, expected = self.names.topic_ids, "unique topic ids"
        check_ids("duplicate-topic", ids, lambda n: (f"topics[{n}].id", f"at topics[{n}]"), expected, problems)

    def _check_memberships(self, problems: ProblemList) -> None:
        """Report pages that are not in the page list, and pages listed twice."""
        topics, outliers = self.document.topics, self.document.outliers
        found = np.diff(self.direct.indptr).tolist()
        groups = [
            (self.place(number), topic.pages) for number, topic in enumerate(topics) if found[number] < len(topic.pages)
        ]
        if self.outliers.size < len(outliers):
            groups.append(("outliers", outliers))
        known = Spellings(self.names.page_ids if groups else ())
        for where, pages in groups:
            check_known(pages, known, where, "ids of the page list", problems)
            check_no_repeats(pages, where, "each page once", problems)

    def _check_parents(self, problems: ProblemList) -> None:
        """Report unknown parents and cycles (R5)."""
        for number, topic in enumerate(self.document.topics):
            expected = "the id of a topic, or null (rule R5)"
            check_parent(topic.parent, self._topic_index, self.place(number), expected, problems)
        _, cycles = parents_first(self.parents.tolist())
        expected, fix = "parents that form a forest (rule R5)", "Make one of them a root."
        check_cycles(cycles, self.names.topic_ids, "topics", expected, problems, fix)

    def _check_levels(self, problems: ProblemList) -> None:
        """Report breaches of R5: roots on level 1, children below their parent on one level. Needs a forest."""
        first = first_levels(self.parents, [topic.level for topic in self.document.topics])
        deepest = int(first.max(initial=1))
        if deepest > MAX_LEVELS:
            problems.error("limit-levels", "topics", f"{deepest:,} levels", f"at most {MAX_LEVELS} (limit 'levels')")
        problems.extend(self.names.problem(breach) for breach in level_breaches(self.parents, first))


def _is_forest(problems: ProblemList | tuple[Problem, ...]) -> bool:
    return not any(problem.code in _FOREST_CODES for problem in problems)


def check_page_list(document: GoldDocument) -> list[Problem]:
    """Return problems about page ids that occur more than once."""
    problems = ProblemList()
    ids, expected = document.page_ids, "each page id once"
    check_ids("duplicate-page", ids, lambda n: (f"pages[{n}].id", f"at pages[{n}]"), expected, problems)
    return list(problems)


# --- The completion rule ``complete``, for pages without a topic ---
# Completion is chosen by name and recorded. Source: the project's interpretation of QC4, "The gold standard".


@dataclass(frozen=True, slots=True)
class CompletionReport:
    """The changes that the rule ``complete`` made to a document."""

    outliers: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    placed: int = 0

    @property
    def changed(self) -> bool:
        return bool(self.outliers or self.placed)

    def __str__(self) -> str:
        return (
            f"{counted(len(self.outliers), 'page')} became outliers; {counted(self.placed, 'page')} went to "
            f"{counted(len(self.topics), 'added topic')}{': ' + listed(list(self.topics)) if self.topics else ''}"
        )


def complete(document: GoldDocument, structure: Structure | None = None) -> tuple[GoldDocument, CompletionReport]:
    """Apply the completion rule ``complete`` and record it in the document's ``completion`` field.

    A page in no topic on level 1 becomes an outlier. A page of a topic that is in none of the topic's children is
    assigned to an added child named "<name> (other)" with the id "<id>/other". A complete document is unchanged.

    Args:
        structure: the structure of the document, if it is already known.

    Raises:
        InputError: the topics have no valid structure (unknown ids, cycles).
    """
    structure = structure or Structure(document)
    if structure.problems:
        raise InputError(structure.problems)
    if not document.has_gold:
        return document, CompletionReport()
    hierarchy, page_ids = structure.hierarchy, structure.names.page_ids
    new_outliers = tuple(page_ids[page] for page in hierarchy.unplaced(1).tolist())
    others = _OtherTopics(document)
    placed = 0
    for parent, left_over in hierarchy.left_over.items():
        level = int(hierarchy.last[parent]) + 1
        others.take(document.topics[parent], tuple(page_ids[page] for page in left_over.tolist()), level)
        placed += left_over.size
    report = CompletionReport(new_outliers, tuple(others.taken), placed)
    if not report.changed:
        return document, report
    completed = replace(document, topics=tuple(others.topics), outliers=document.outliers + new_outliers)
    return replace(completed, extra={**document.extra, "completion": _completion_record(document, report)}), report


def _completion_record(document: GoldDocument, report: CompletionReport) -> dict[str, object]:
    """Return the record of this completion, combined with that of an earlier completion of the document."""
    outliers, topics = len(report.outliers), list(report.topics)
    match document.extra.get("completion"):
        case {"rule": "complete", "outliers": int(before), "topics": list(ids)}:
            outliers += before
            topics = list(dict.fromkeys([*filter(lambda item: isinstance(item, str), ids), *topics]))
    return {"rule": "complete", "outliers": outliers, "topics": topics}


class _OtherTopics:
    """The topics of a document, to which children named "<name> (other)" can be added."""

    def __init__(self, document: GoldDocument) -> None:
        self.topics = list(document.topics)
        self.taken: list[str] = []
        self._numbers = {topic.id: number for number, topic in enumerate(self.topics)}
        self._child_names: dict[str | None, set[str]] = defaultdict(set)
        for topic in self.topics:
            self._child_names[topic.parent].add(name_key(topic.name))

    def take(self, parent: Topic, pages: tuple[str, ...], level: int) -> None:
        """Assign pages to the parent's "(other)" child: one from an earlier completion, or a new one."""
        other_id = f"{parent.id}/other"
        number = self._numbers.get(other_id)
        if number is not None and self.topics[number].parent == parent.id and other_id not in self._child_names:
            other = self.topics[number]
            self.topics[number] = replace(other, pages=other.pages + pages)
        else:
            other_id = _unused_name(other_id, lambda wanted: wanted in self._numbers)
            names = self._child_names[parent.id]
            name = _unused_name(f"{parent.name} (other)", lambda wanted: name_key(wanted) in names)
            names.add(name_key(name))
            self._numbers[other_id] = len(self.topics)
            self.topics.append(Topic(other_id, name, parent.id, level, pages))
        self.taken.append(other_id)


def _unused_name(wanted: str, taken: Callable[[str], bool]) -> str:
    name, number = wanted, 2
    while taken(name):
        name, number = f"{wanted} {number}", number + 1
    return name

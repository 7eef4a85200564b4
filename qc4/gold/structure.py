"""The topics of a document as a hierarchy, and what must hold before they are one: ids, references, R5."""

from __future__ import annotations

from functools import cached_property
from itertools import chain

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.gold.breaches import level_breaches
from qc4.gold.document import GoldDocument
from qc4.gold.hierarchy import Hierarchy, first_levels
from qc4.gold.wording import Names, topic_name
from qc4.places import Places
from qc4.problems import Problem, ProblemList
from qc4.problems.references import check_cycles, check_ids, check_known, check_once, check_parent, parents_first
from qc4.problems.wording import quoted
from qc4.text import Spellings

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
    """The topics of a document as arrays, and what is wrong with them as such; each found when it is first asked for.

    Unknown pages and parents are left out of the arrays, so that drafts can be looked at.
    """

    def __init__(self, document: GoldDocument) -> None:
        self.document = document

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Errors of ids, references, parents and levels."""
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
        """Whether the topics form a hierarchy in which "the topics of a level" has a meaning."""
        return _is_forest(self.problems)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """All of it as arrays. Build it only where `is_forest` says so: deep chains take quadratic room.

        Raises:
            ValueError: the parents hold a cycle.
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
        incidence.data[:] = 1  # a page that a topic lists twice was added up
        return incidence

    @cached_property
    def _places(self) -> Places:
        return Places(self.document.page_ids)

    @cached_property
    def _listed(self) -> tuple[IntArray, IntArray]:
        """Places of the pages that topics list, one topic after the other, and of the outliers; -1 for unknown ones."""
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
        """(topics,) index of each topic's parent, -1 for a root."""
        index = self._topic_index
        parents = [-1 if topic.parent is None else index.get(topic.parent, -1) for topic in self.document.topics]
        return np.array(parents, dtype=np.int64)

    @cached_property
    def names(self) -> Names:
        """How messages call the topics and pages."""
        return Names(tuple(topic.id for topic in self.document.topics), self.document.page_ids, self.place)

    def place(self, number: int) -> str:
        """Where a topic stands in the document, for ``Problem.where``."""
        topic = self.document.topics[number]
        return f"topics[{number}] ({topic_name(topic.id)}, {quoted(topic.name)})"

    @cached_property
    def _topic_index(self) -> dict[str, int]:
        return {topic.id: number for number, topic in enumerate(self.document.topics)}

    def _check_topic_ids(self, problems: ProblemList) -> None:
        ids, expected = self.names.topic_ids, "each topic id once"
        check_ids("duplicate-topic", ids, lambda n: (f"topics[{n}].id", f"at topics[{n}]"), expected, problems)

    def _check_memberships(self, problems: ProblemList) -> None:
        """Pages that are not in the page list, and pages listed twice: then fewer were found than are listed."""
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
            check_once(pages, where, "each page once", problems)

    def _check_parents(self, problems: ProblemList) -> None:
        """Unknown parents and cycles (R5)."""
        for number, topic in enumerate(self.document.topics):
            expected = "the id of a topic, or null (rule R5)"
            check_parent(topic.parent, self._topic_index, self.place(number), expected, problems)
        _, cycles = parents_first(self.parents.tolist())
        expected, fix = "parents that form a forest (rule R5)", "Make one of them a root."
        check_cycles(cycles, self.names.topic_ids, "topics", expected, problems, fix)

    def _check_levels(self, problems: ProblemList) -> None:
        """Roots on level 1, children below their parent and all on one level (R5). The parents must be a forest."""
        first = first_levels(self.parents, [topic.level for topic in self.document.topics])
        deepest = int(first.max(initial=1))
        if deepest > MAX_LEVELS:
            problems.error("limit-levels", "topics", f"{deepest:,} levels", f"at most {MAX_LEVELS} (limit 'levels')")
        problems.extend(self.names.problem(breach) for breach in level_breaches(self.parents, first))


def _is_forest(problems: ProblemList | tuple[Problem, ...]) -> bool:
    return not any(problem.code in _FOREST_CODES for problem in problems)


def check_page_list(document: GoldDocument) -> list[Problem]:
    """Page ids that appear more than once."""
    problems = ProblemList()
    ids, expected = document.page_ids, "each page id once"
    check_ids("duplicate-page", ids, lambda n: (f"pages[{n}].id", f"at pages[{n}]"), expected, problems)
    return list(problems)

"""The checked, prepared gold standard of one query: what every external measure compares a clustering with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from qc4.arrays import IntArray
from qc4.gold.document import GoldDocument
from qc4.gold.hierarchy import Hierarchy
from qc4.problems import InputError, Problem


class Numbers(Sequence[str]):
    """The names "0", "1", .. of things that have none; each is made when asked for, as there may be millions."""

    def __init__(self, size: int) -> None:
        self._range = range(size)

    def __len__(self) -> int:
        return len(self._range)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._range)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return tuple(map(str, self._range[index])) if isinstance(index, slice) else str(self._range[index])


@dataclass(frozen=True, eq=False)
class GoldStandard:
    """A hierarchy that breaks no rule, with the names of its pages and topics.

    Build it with `qc4.read_gold` (files, dicts) or `from_hierarchy` (arrays). Prepare it once and
    score many clusterings with it: what measures derive from the gold standard alone is kept with it.
    """

    hierarchy: Hierarchy
    page_ids: Sequence[str]
    topic_ids: Sequence[str]
    topic_names: Sequence[str]
    document: GoldDocument | None = None

    def __post_init__(self) -> None:
        problems = [*self._forest_problems(), *self._membership_problems()]
        if problems:
            raise InputError(problems)

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> GoldStandard:
        """A gold standard from arrays alone; pages and topics are named by their index.

        Raises:
            InputError: the hierarchy breaks one of the rules R1-R5.
        """
        topics = Numbers(hierarchy.n_topics)
        return cls(hierarchy, Numbers(hierarchy.n_pages), topics, topics)

    @property
    def query_id(self) -> str:
        return self.document.query_id if self.document else ""

    @property
    def n_pages(self) -> int:
        return self.hierarchy.n_pages

    @cached_property
    def page_index(self) -> dict[str, int]:
        """Page id -> row in every page-wise array."""
        return {page_id: index for index, page_id in enumerate(self.page_ids)}

    @cached_property
    def is_outlier(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(pages,) whether the page is in the outlier topic."""
        flags = np.zeros(self.n_pages, dtype=bool)
        flags[self.hierarchy.outliers] = True
        return flags

    def _forest_problems(self) -> list[Problem]:
        """R5: roots on level 1, children below their parent and together on one level; R4: no empty topic."""
        hierarchy, problems = self.hierarchy, []
        is_child = hierarchy.parent >= 0
        begin = hierarchy.first[hierarchy.parent] * is_child
        wrong = hierarchy.first <= begin
        wrong |= ~is_child & (hierarchy.first != 1)
        wrong |= is_child & (hierarchy.first != hierarchy.last[hierarchy.parent] + 1)
        for topic in np.flatnonzero(wrong).tolist():
            found, expected = f"level {hierarchy.first[topic]}", "roots on level 1, siblings together on a later level"
            problems.append(Problem("bad-level", self._place(topic), found, f"{expected} (rule R5)"))
        problems.extend(
            Problem("empty-topic", self._place(topic), "no pages", "at least one page (rule R4)")
            for topic in np.flatnonzero(hierarchy.sizes == 0).tolist()
        )
        return problems

    def _membership_problems(self) -> list[Problem]:
        """R1, R2 and R3. A page that is placed on level 1 and, by R3, in the children is placed on every level."""
        hierarchy = self.hierarchy
        problems = [
            self._page_problem("page-without-topic", "level 1", unplaced, "in a topic or an outlier", "R1")
            for unplaced in [hierarchy.unplaced(1)]
            if unplaced.size
        ]
        in_topic = np.zeros(self.n_pages, dtype=bool)
        in_topic[hierarchy.pages.indices] = True
        both = hierarchy.outliers[in_topic[hierarchy.outliers]]
        if both.size:
            problems.append(self._page_problem("outlier-in-topic", "the outliers", both, "in no other topic", "R2"))
        for parent, left_over in hierarchy.left_over().items():
            where, expected = self._place(parent), "in one of the topic's children"
            problems.append(self._page_problem("page-without-subtopic", where, left_over, expected, "R3"))
        return problems

    def _place(self, topic: int) -> str:
        return f"topic {self.topic_ids[topic]!r}"

    def _page_problem(self, code: str, where: str, pages: IntArray, expected: str, rule: str) -> Problem:
        found = f"{pages.size} pages that are not, first {self.page_ids[int(pages[0])]!r}"
        return Problem(code, where, found, f"every page {expected} (rule {rule})")

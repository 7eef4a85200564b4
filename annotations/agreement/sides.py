"""The hierarchies an agreement is about, over one page list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.model.structure import Structure
from qc4.problems import ProblemList
from qc4.wording import counted, listed

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Side:
    """One person's hierarchy.

    Attributes:
        name: whose it is, as words and tables call it.
        document: as given, its pages in the order of the first side.
        hierarchy: its topics as arrays, memberships closed upwards; drafts may break R1, R3, R4 and R6.
    """

    name: str
    document: GoldDocument
    hierarchy: Hierarchy

    @cached_property
    def topic_ids(self) -> tuple[str, ...]:
        return tuple(topic.id for topic in self.document.topics)

    @cached_property
    def topic_names(self) -> tuple[str, ...]:
        return tuple(topic.name for topic in self.document.topics)

    @cached_property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """(topics,) the names from the root to each topic."""
        return tuple(tuple(self.topic_names[step] for step in self.trail(topic)) for topic in range(self.n_topics))

    @property
    def n_topics(self) -> int:
        return self.hierarchy.n_topics

    @cached_property
    def is_outlier(self) -> Flags:
        """(pages,) whether the page is in the outlier topic."""
        flags = np.zeros(self.hierarchy.n_pages, dtype=bool)
        flags[self.hierarchy.outliers] = True
        return flags

    @cached_property
    def is_placed(self) -> Flags:
        """(pages,) whether the page is in a topic or an outlier."""
        flags = self.is_outlier.copy()
        flags[self.hierarchy.pages.indices] = True
        return flags

    @cached_property
    def direct(self) -> tuple[tuple[int, ...], ...]:
        """(pages,) the topics that hold the page without one of their subtopics holding it, in topic order."""
        found: list[list[int]] = [[] for _ in range(self.hierarchy.n_pages)]
        left_over = self.hierarchy.left_over
        none = np.empty(0, dtype=np.int64)
        for topic in range(self.n_topics):
            own = left_over.get(topic, none) if topic in self.hierarchy.children else self.members(topic)
            for page in own.tolist():
                found[page].append(topic)
        return tuple(tuple(topics) for topics in found)

    def members(self, topic: int) -> IntArray:
        """The pages of a topic, its subtopics' included."""
        pages = self.hierarchy.pages
        return np.asarray(pages.indices[pages.indptr[topic] : pages.indptr[topic + 1]], dtype=np.int64)

    def trail(self, topic: int) -> list[int]:
        """The topic's ancestors and itself, root first."""
        steps = [topic]
        while (parent := int(self.hierarchy.parent[steps[-1]])) >= 0:
            steps.append(parent)
        return steps[::-1]

    def sets_on(self, level: int, pages: IntArray) -> sp.csr_array:
        """(sets, pages) the topics on a level and, last, the outlier topic, on these pages; below the last level, the
        topics of the last."""
        topics = self.hierarchy.topics_on(min(level, self.hierarchy.n_levels))
        outliers = sp.csr_array(self.is_outlier[np.newaxis, :].astype(np.int32))
        return sp.csr_array(sp.csr_array(sp.vstack([self.hierarchy.pages[topics], outliers], format="csr"))[:, pages])

    def placed_on(self, level: int) -> Flags:
        """(pages,) whether the page is in a topic on that level or an outlier."""
        flags = np.ones(self.hierarchy.n_pages, dtype=bool)
        flags[self.hierarchy.unplaced(min(level, self.hierarchy.n_levels))] = False
        return flags

    def on(self, pages: IntArray) -> Hierarchy:
        """The hierarchy with only these pages and without the topics that hold none of them."""
        table = sp.csr_array(self.hierarchy.pages[:, pages])
        kept = np.flatnonzero(np.diff(table.indptr) > 0)
        # A topic that holds a page has ancestors that hold it, so no kept topic loses its parent.
        number = np.full(self.n_topics + 1, -1, dtype=np.int64)
        number[kept] = np.arange(kept.size)
        return Hierarchy.build(
            sp.csr_array(table[kept]),
            number[self.hierarchy.parent[kept]],
            self.hierarchy.first[kept].tolist(),
            np.flatnonzero(self.is_outlier[pages]),
        )

    def standard(self, pages: IntArray) -> GoldStandard:
        """The same as a gold standard; InputError where it is incomplete (`incomplete` says it in words)."""
        return GoldStandard.from_hierarchy(self.on(pages))

    @cached_property
    def incomplete(self) -> str:
        """Why nothing can be measured against this side, or ""."""
        hierarchy = self.on(np.arange(self.hierarchy.n_pages))
        nowhere = hierarchy.unplaced(1).size
        left_over = np.unique(np.concatenate([np.empty(0, np.int64), *hierarchy.left_over.values()])).size
        found = []
        if nowhere:
            found.append(f"{counted(nowhere, 'page')} in no topic and not among the outliers")
        if left_over:
            found.append(f"{counted(left_over, 'page')} in a topic but in none of its subtopics")
        if not found:
            return ""
        expected = "only a hierarchy that places every page on every level can be measured against"
        return f"{self.name} leaves {' and '.join(found)}; {expected}"


def sides(documents: Sequence[GoldDocument], names: Sequence[str] = ("first", "second")) -> tuple[Side, ...]:
    """Every side over the pages of the first.

    Raises:
        InputError: the structure of one is broken (unknown pages, cycles, R5), they hold different pages, or none.
    """
    problems = ProblemList()
    structures = [Structure(document) for document in documents]
    for name, structure in zip(names, structures, strict=True):
        problems.extend(problem.within(name) for problem in structure.problems)
    _check_pages(documents, names, problems)
    problems.refuse_errors()
    pages = documents[0].pages
    same = [structures[0], *(Structure(replace(document, pages=pages)) for document in documents[1:])]
    return tuple(Side(name, own.document, own.hierarchy) for name, own in zip(names, same, strict=True))


def _check_pages(documents: Sequence[GoldDocument], names: Sequence[str], problems: ProblemList) -> None:
    held = [{page.id for page in document.pages} for document in documents]
    if not held[0]:
        problems.error("no-pages", names[0], "an empty page list", "at least one page")
    for name, own in zip(names[1:], held[1:], strict=True):
        for where, missing in ((names[0], sorted(own - held[0])), (name, sorted(held[0] - own))):
            if missing:
                found = f"no {'page' if len(missing) == 1 else 'pages'} {listed(missing)}"
                problems.error("other-pages", where, found, "the same pages on all sides")

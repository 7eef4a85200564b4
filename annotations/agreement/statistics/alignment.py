"""The hierarchies to compare, and the alignment of their topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from qc4.arrays import FloatArray, IntArray
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.model.structure import Structure
from qc4.problems import ProblemList
from qc4.text import name_key
from qc4.wording import counted, listed

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ComparedHierarchy:
    """One of the compared hierarchies.

    Attributes:
        name: name of the draft, used in texts and tables.
        document: the document as given, with its pages in the order of the first hierarchy.
        hierarchy: its topics as arrays, where each topic also holds its subtopics' pages; drafts may break R1, R3, R4
            and R6.
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
        """(topics,) names from the root to each topic."""
        return tuple(tuple(self.topic_names[step] for step in self.trail(topic)) for topic in range(self.n_topics))

    @property
    def n_topics(self) -> int:
        return self.hierarchy.n_topics

    @cached_property
    def is_outlier(self) -> Flags:
        """(pages,) True if the page is in the outlier topic."""
        flags = np.zeros(self.hierarchy.n_pages, dtype=bool)
        flags[self.hierarchy.outliers] = True
        return flags

    @cached_property
    def is_placed(self) -> Flags:
        """(pages,) True if the page is in a topic or an outlier."""
        flags = self.is_outlier.copy()
        flags[self.hierarchy.pages.indices] = True
        return flags

    @cached_property
    def direct(self) -> tuple[tuple[int, ...], ...]:
        """(pages,) the finest topics of the page: those that hold it and whose subtopics do not, in topic order."""
        found: list[list[int]] = [[] for _ in range(self.hierarchy.n_pages)]
        left_over = self.hierarchy.left_over
        none = np.empty(0, dtype=np.int64)
        for topic in range(self.n_topics):
            own = left_over.get(topic, none) if topic in self.hierarchy.children else self.members(topic)
            for page in own.tolist():
                found[page].append(topic)
        return tuple(tuple(topics) for topics in found)

    def members(self, topic: int) -> IntArray:
        """Return the pages of a topic, including those of its subtopics."""
        pages = self.hierarchy.pages
        return np.asarray(pages.indices[pages.indptr[topic] : pages.indptr[topic + 1]], dtype=np.int64)

    def trail(self, topic: int) -> list[int]:
        """Return the topic's ancestors and the topic itself, root first."""
        steps = [topic]
        while (parent := int(self.hierarchy.parent[steps[-1]])) >= 0:
            steps.append(parent)
        return steps[::-1]

    def sets_on(self, level: int, pages: IntArray) -> sp.csr_array:
        """Return (sets, pages): the topics on a level and, last, the outlier topic, restricted to these pages.

        Below the last level, the topics of the last level are used.
        """
        topics = self.hierarchy.topics_on(min(level, self.hierarchy.n_levels))
        outliers = sp.csr_array(self.is_outlier[np.newaxis, :].astype(np.int32))
        return sp.csr_array(sp.csr_array(sp.vstack([self.hierarchy.pages[topics], outliers], format="csr"))[:, pages])

    def placed_on(self, level: int) -> Flags:
        """Return (pages,): True if the page is an outlier or in a topic on that level."""
        flags = np.ones(self.hierarchy.n_pages, dtype=bool)
        flags[self.hierarchy.unplaced(min(level, self.hierarchy.n_levels))] = False
        return flags

    def on(self, pages: IntArray) -> Hierarchy:
        """Return the hierarchy with only these pages, and without the topics that hold none of them."""
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
        """Return the hierarchy as a gold standard; InputError if it is incomplete (`incomplete` has the reasons)."""
        return GoldStandard.from_hierarchy(self.on(pages))

    @cached_property
    def incomplete(self) -> str:
        """The reason why nothing can be measured against this hierarchy, or ""."""
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
        expected = "a reference hierarchy must assign every page on every level"
        return f"{self.name} leaves {' and '.join(found)}; {expected}"


def compared_hierarchies(
    documents: Sequence[GoldDocument], names: Sequence[str] = ("first", "second")
) -> tuple[ComparedHierarchy, ...]:
    """Return every hierarchy over the pages of the first.

    Raises:
        InputError: if a structure is invalid (unknown pages, cycles, R5), the page lists differ, or there are no pages.
    """
    problems = ProblemList()
    structures = [Structure(document) for document in documents]
    for name, structure in zip(names, structures, strict=True):
        problems.extend(problem.within(name) for problem in structure.problems)
    _check_pages(documents, names, problems)
    problems.refuse_errors()
    pages = documents[0].pages
    same = [structures[0], *(Structure(replace(document, pages=pages)) for document in documents[1:])]
    return tuple(ComparedHierarchy(name, own.document, own.hierarchy) for name, own in zip(names, same, strict=True))


def _check_pages(documents: Sequence[GoldDocument], names: Sequence[str], problems: ProblemList) -> None:
    held = [{page.id for page in document.pages} for document in documents]
    if not held[0]:
        problems.error("no-pages", names[0], "an empty page list", "at least one page")
    for name, own in zip(names[1:], held[1:], strict=True):
        for where, missing in ((names[0], sorted(own - held[0])), (name, sorted(held[0] - own))):
            if missing:
                found = f"no {'page' if len(missing) == 1 else 'pages'} {listed(missing)}"
                problems.error("other-pages", where, found, "the same pages in all drafts")


# --- Two hierarchies --------------------------------------------------------------------------------------------------
# Topics are aligned by the assignment with the largest sum of Jaccard coefficients. Topics of all levels are aligned
# together, because one person's main topic is often another person's subtopic. If the coefficients are equal (a topic
# and its only subtopic hold the same pages), the name decides, and then the level. Source: Kuhn, The Hungarian method
# for the assignment problem, Naval Research Logistics 2, 1955; Jaccard, 1901.

MINIMUM = 0.5
"""The smallest Jaccard coefficient at which topics with different names are aligned. From 0.5 on, at least as many
pages are in both topics as in only one of them. A small part of a broad topic is therefore not aligned with it."""
_PREFERENCE = 1e-6
"""Bonus for an equal level, and half the bonus for an equal name: too small to outweigh pages, but it breaks ties."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two aligned topics (indexes), the number of pages they share, and their Jaccard coefficient."""

    first: int
    second: int
    shared: int
    jaccard: float


@dataclass(frozen=True, eq=False)
class Alignment:
    """The topics of two hierarchies, aligned one to one.

    Attributes:
        shared: (first's topics, second's topics) number of shared pages.
        jaccard: the same divided by the number of pages in either topic; 0 if neither topic has a page.
        pairs: the aligned topics, in the order of the first hierarchy.
    """

    shared: IntArray
    jaccard: FloatArray
    pairs: tuple[Pair, ...]

    @cached_property
    def second_of(self) -> dict[int, int]:
        return {pair.first: pair.second for pair in self.pairs}

    @cached_property
    def first_of(self) -> dict[int, int]:
        return {pair.second: pair.first for pair in self.pairs}

    @property
    def only_first(self) -> list[int]:
        """Topics of the first hierarchy without a partner."""
        return [topic for topic in range(self.shared.shape[0]) if topic not in self.second_of]

    @property
    def only_second(self) -> list[int]:
        return [topic for topic in range(self.shared.shape[1]) if topic not in self.first_of]


def align(first: ComparedHierarchy, second: ComparedHierarchy, minimum: float = MINIMUM) -> Alignment:
    """Align the topics of two hierarchies.

    Args:
        minimum: the smallest Jaccard coefficient, in (0, 1], at which topics with different names are aligned.
    """
    shared, jaccard = overlap(first, second)
    pairs = tuple(
        Pair(row, column, int(shared[row, column]), float(jaccard[row, column]))
        for row, column in optimal_assignment(jaccard, preferences(first, second), minimum)
    )
    return Alignment(shared, jaccard, pairs)


@dataclass(frozen=True, eq=False)
class Preferences:
    """(first's topics, second's topics) True for equal names, and for equal first levels."""

    same_name: Flags
    same_level: Flags


def preferences(first: ComparedHierarchy, second: ComparedHierarchy) -> Preferences:
    """Return what breaks ties between topics that share equally much."""
    same_level = first.hierarchy.first[:, np.newaxis] == second.hierarchy.first[np.newaxis, :]
    return Preferences(_same_names(first, second), np.asarray(same_level, dtype=bool))


def optimal_assignment(jaccard: FloatArray, preferred: Preferences, minimum: float) -> list[tuple[int, int]]:
    """Return the pairs of rows and columns in the assignment with the largest sum, restricted to allowed pairs."""
    allowed = (jaccard >= minimum) | ((jaccard > 0) & preferred.same_name)
    liking = 2 * preferred.same_name + preferred.same_level
    rows, columns = linear_sum_assignment(np.where(allowed, jaccard + _PREFERENCE * liking, 0.0), maximize=True)
    found = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(row, column) for row, column in found if allowed[row, column]]


def overlap(first: ComparedHierarchy, second: ComparedHierarchy) -> tuple[IntArray, FloatArray]:
    """Return (first's topics, second's topics): shared pages, and Jaccard coefficients."""
    table = first.hierarchy.pages.astype(np.int64) @ second.hierarchy.pages.T.astype(np.int64)
    shared = np.asarray(table.toarray(), dtype=np.int64)
    either = first.hierarchy.sizes[:, np.newaxis] + second.hierarchy.sizes[np.newaxis, :] - shared
    return shared, shared / np.maximum(either, 1)


def _same_names(first: ComparedHierarchy, second: ComparedHierarchy) -> Flags:
    one, other = (np.array([name_key(name) for name in side.topic_names], dtype=object) for side in (first, second))
    return np.asarray(one[:, np.newaxis] == other[np.newaxis, :], dtype=bool)


# --- Several hierarchies ----------------------------------------------------------------------------------------------
# The hierarchies have an order. The topics of the first one become concepts. Each topic of a further hierarchy joins
# the concept with which it shares most (the mean Jaccard coefficient with the concept's topics so far), one to one. The
# other topics become new concepts. For two hierarchies this equals `align`. The order of the drafts can matter if the
# hierarchies differ much.

SideName: TypeAlias = Literal["first", "second", "third", "fourth", "fifth", "sixth"]
SIDES: tuple[SideName, ...] = ("first", "second", "third", "fourth", "fifth", "sixth")
"""Names of the hierarchies in URLs, responses and files, in their order."""


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A topic of the comparison. Aligned topics are represented by the topic of the first hierarchy that has it."""

    side: SideName
    topic: int


@dataclass(frozen=True, slots=True)
class Concept:
    """Topics that are aligned: name of the hierarchy -> its topic, in the order of the hierarchies."""

    topics: Mapping[SideName, int]

    @property
    def symbol(self) -> Symbol:
        return Symbol(*next(iter(self.topics.items())))

    def joined(self, other: Concept) -> Concept:
        """Return both concepts as one."""
        both = {**self.topics, **other.topics}
        return Concept({side: both[side] for side in SIDES if side in both})


def concepts(sides: Sequence[ComparedHierarchy], minimum: float = MINIMUM) -> tuple[Concept, ...]:
    """Return the concepts of several hierarchies, those of earlier ones first; ``minimum`` as for `align`."""
    found: list[dict[SideName, int]] = []
    for name, side in zip(SIDES, sides, strict=False):
        pairs = dict(_joining(found, sides, side, minimum)) if found else {}
        for concept, topic in pairs.items():
            found[concept][name] = topic
        taken = set(pairs.values())
        found += [{name: topic} for topic in range(side.n_topics) if topic not in taken]
    return tuple(map(Concept, found))


def concepts_of_alignment(alignment: Alignment) -> tuple[Concept, ...]:
    """Return the concepts of two aligned hierarchies."""
    n_first, n_second = alignment.shared.shape
    found: list[dict[SideName, int]] = [{"first": topic} for topic in range(n_first)]
    for pair in alignment.pairs:
        found[pair.first]["second"] = pair.second
    found += [{"second": topic} for topic in range(n_second) if topic not in alignment.first_of]
    return tuple(map(Concept, found))


def _joining(
    found: Sequence[Mapping[SideName, int]], sides: Sequence[ComparedHierarchy], side: ComparedHierarchy, minimum: float
) -> list[tuple[int, int]]:
    """Return pairs of a concept (index) and the topic of a further hierarchy that joins it."""
    shape = len(found), side.n_topics
    jaccard, members = np.zeros(shape), np.zeros((shape[0], 1))
    same_name, same_level = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    for name, earlier in zip(SIDES, sides, strict=False):
        rows = [row for row, topics in enumerate(found) if name in topics]
        own = [found[row][name] for row in rows]
        if not rows:
            continue
        liked = preferences(earlier, side)
        jaccard[rows] += overlap(earlier, side)[1][own]
        same_name[rows] |= liked.same_name[own]
        same_level[rows] |= liked.same_level[own]
        members[rows] += 1
    return optimal_assignment(jaccard / np.maximum(members, 1), Preferences(same_name, same_level), minimum)

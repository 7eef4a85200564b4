"""The checked gold standard of one query, with which external measures compare clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from qc4.model.gold_document import Completion, GoldDocument, Page, Topic
from qc4.model.hierarchy import Hierarchy
from qc4.model.ids import (
    NumberedIds,
    check_index,
    check_order,
    is_id,
    named_sets,
    page_ids,
    page_list,
    readable_name,
)
from qc4.model.labels import Labelling, different_texts
from qc4.model.spelling import with_known_spellings
from qc4.model.structure import MessageNames, Structure, complete, topic_name
from qc4.problems import InputError, Problem, ProblemList, check_no_repeats
from qc4.text import Spellings, unify_spellings
from qc4.wording import counted, listed, quoted, type_with_article

# --- Gold standards built in Python: from labels, labels on several levels, or sets of pages ---


def labelled_levels(levels: Any, noise: Any) -> list[Labelling]:
    """Return labellings of the same pages with the same noise rule, each finer than the one before.

    Raises:
        InputError: there are no levels; invalid labels; different numbers of labels; levels that are not nested.
    """
    if isinstance(levels, str | bytes | Mapping | Set) or not isinstance(levels, Iterable):
        expected = "a list of labels for each level, the coarsest first"
        raise InputError([Problem("no-levels", "levels", type_with_article(levels), expected)])
    levels = list(levels)
    for number, labels in enumerate(levels[1:], start=1):
        check_index(levels[0], labels, "levels[0]", f"levels[{number}]")
    found_levels = [Labelling.of(labels, noise, f"levels[{number}]") for number, labels in enumerate(levels)]
    if not found_levels:
        raise InputError([Problem("no-levels", "levels", "no level", "at least one list of labels")])
    problems = ProblemList()
    for number, level in enumerate(found_levels[1:], start=1):
        _check_nested(found_levels[number - 1], level, f"levels[{number}]", problems)
    problems.refuse_errors()
    return found_levels


def hierarchy_of_levels(levels: Sequence[Labelling]) -> tuple[Hierarchy, tuple[str, ...], tuple[str, ...]]:
    """Return the topics of all levels as a hierarchy, with their ids and names.

    The id of a topic is its path of labels, such as "animals/cats". Its name is the last label of the path, or empty if
    labels are numbers.
    """
    parents: list[int] = []
    ids: list[str] = []
    rows, start = [], 0
    for number, level in enumerate(levels):
        above = levels[number - 1].codes if number else np.empty(0, dtype=np.int64)
        incidence = level.incidence()
        for name, page in zip(level.names, incidence.indices[incidence.indptr[:-1]].tolist(), strict=True):
            parent = start + int(above[page]) if number else -1
            parents.append(parent)
            ids.append(f"{ids[parent]}/{name}" if number else name)
        rows.append(incidence)
        start += len(levels[number - 1].names) if number else 0
    hierarchy = Hierarchy.build(
        sp.csr_array(sp.vstack(rows, format="csr")), parents, outliers=np.flatnonzero(levels[0].codes < 0)
    )
    return (
        hierarchy,
        different_texts(ids),
        tuple(name if level.are_words else "" for level in levels for name in level.names),
    )


def document_of_sets(sets: Any, pages: Any, outliers: Any, parents: Mapping[Any, Any] | None) -> GoldDocument:
    """Return the document of topics that are given as sets of pages, as it would be in a file.

    Raises:
        InputError: invalid sets, pages or outliers; a parent of a topic that does not exist.
    """
    members = named_sets(sets, "sets")
    problems = ProblemList()
    outside = page_ids(outliers, "outliers", problems)
    check_no_repeats(outside, "outliers", "each outlier once", problems)
    listed_pages = None if pages is None else page_ids(pages, "pages", problems)
    known = Spellings(members)
    above = {known.of(str(child)): known.of(str(parent)) for child, parent in (parents or {}).items()}
    if unknown := [child for child in above if child not in members]:
        problems.error("unknown-topic", "parents", listed(unknown), f"names of topics: {listed(list(members))}")
    problems.refuse_errors()
    names = map(readable_name, sets) if isinstance(sets, Mapping) else [""] * len(members)
    topics = tuple(
        Topic(id, name, above.get(id), pages=ids) for (id, ids), name in zip(members.items(), names, strict=True)
    )
    if listed_pages is None:
        listed_pages = _pages_of_groups([*members.values(), outside], numbered=_are_numbers(sets, outliers))
    return with_known_spellings(GoldDocument("", "", tuple(map(Page, listed_pages)), topics, outside))


def _pages_of_groups(groups: Iterable[Sequence[str]], numbered: bool) -> tuple[str, ...]:
    """Return the pages of all groups, each once: in order of appearance, or in numeric order."""
    met = dict.fromkeys(unify_spellings([page for group in groups for page in group]))
    return tuple(sorted(met, key=int) if numbered else met)


def _are_numbers(sets: Any, outliers: Any) -> bool:
    """Return True if every page was given as an integer."""
    groups = [*(sets.values() if isinstance(sets, Mapping) else sets), outliers]
    return all(is_id(page) and not isinstance(page, str) for group in groups for page in group)


def _check_nested(coarse: Labelling, fine: Labelling, where: str, problems: ProblemList) -> None:
    """Report fine labels that do not lie within one coarse label."""
    if fine.n_pages != coarse.n_pages:
        problems.error("wrong-length", where, f"{fine.n_pages:,} labels", f"{coarse.n_pages:,}, as on the level before")
        return
    apart = np.flatnonzero((coarse.codes < 0) != (fine.codes < 0))
    if apart.size:
        what = "noise on this level only" if fine.codes[apart[0]] < 0 else "noise on the previous level only"
        problems.error("noise-on-one-level", f"{where}[{apart[0]}]", what, "outliers on either all levels or none")
        return
    if (split := _first_split(coarse, fine)) is None:
        return
    name, *parents = split
    if _first_split(fine, coarse) is None:
        fix = "The levels are in order from fine to coarse. Reverse them."
    else:
        fix = "Give it a different name in each, such as f'{coarse}/{fine}'."
    found = f"the label {quoted(name)} in both {quoted(parents[0])} and {quoted(parents[1])} of the previous level"
    problems.error("levels-not-nested", where, found, "every label within one label of the previous level", fix)


def _first_split(coarse: Labelling, fine: Labelling) -> tuple[str, str, str] | None:
    """Return the first fine label whose pages have several coarse labels, and two of these coarse labels."""
    for name, members in zip(fine.names, fine.members(), strict=True):
        above = coarse.codes[members]
        other = np.flatnonzero(above != above[0])
        if other.size:
            return name, coarse.names[above[0]], coarse.names[above[other[0]]]
    return None


@dataclass(frozen=True, eq=False)
class GoldStandard:
    """A topic hierarchy that follows all rules, with the names of its pages and topics.

    Build it with `qc4.read_gold` (files, dicts), `from_labels`, `from_levels`, `from_sets` or `from_hierarchy`
    (arrays). Build it once and score many clusterings with it: values that measures derive from the gold standard alone
    are cached in it.

    Attributes:
        hierarchy: the topics as arrays.
        page_ids: (pages,) the page list; labels of the same pages are in this order.
        topic_ids: (topics,) the ids of the topics.
        topic_names: (topics,) the names of the topics; empty for topics that only have a number.
        document: the document it was built from, if there is one.

    Source: QC4 paper, section 3.1.
    """

    hierarchy: Hierarchy
    page_ids: Sequence[str]
    topic_ids: Sequence[str]
    topic_names: Sequence[str]
    document: GoldDocument | None = None

    def __post_init__(self) -> None:
        if self.hierarchy.breaches:
            names = MessageNames(self.topic_ids, self.page_ids, lambda topic: topic_name(self.topic_ids[topic]))
            raise InputError(names.problem(breach) for breach in self.hierarchy.breaches)

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> GoldStandard:
        """Return a gold standard built from arrays. Ids of pages and topics are their indexes; topics have no names.

        Raises:
            InputError: the hierarchy breaks one of the rules R1-R5.

        >>> import scipy.sparse as sp
        >>> topics = sp.csr_array([[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0]])
        >>> GoldStandard.from_hierarchy(Hierarchy.build(topics, parent=[-1, 0, 0], outliers=[3]))
        <GoldStandard: 4 pages, 3 topics on 2 levels, 1 outlier>
        """
        return cls(
            hierarchy, NumberedIds(hierarchy.n_pages), NumberedIds(hierarchy.n_topics), ("",) * hierarchy.n_topics
        )

    @classmethod
    def from_labels(cls, labels: Any, *, noise: Any = None, pages: Any = None) -> GoldStandard:
        """Return a gold standard with one level. Each label is a topic; a text label is also the topic's name.

        Args:
            labels: (pages,) a list, an array or a column of a table, of anything hashable, matched to pages by
                position. If both labels and pages are columns, they must have the same index.
            noise: one label, or a list of labels, of outliers; None for the usual ones (-1 in any spelling, NaN, None
                and the usual words for noise, see `qc4.model.noise`), ``[]`` if every label is a topic.
            pages: (pages,) ids of the pages; by default "0", "1", ..

        Raises:
            InputError: an input that is not a row of labels; a wrong number of ids; repeated ids.

        >>> GoldStandard.from_labels(["cat", "cat", "dog", -1])
        <GoldStandard: 4 pages, 2 topics on 1 level, 1 outlier>
        """
        check_index(labels, pages, "labels", "pages")
        found = Labelling.of(labels, noise)
        ids = page_list(pages, found.n_pages)
        check_order(labels, ids, "labels")
        return cls.of_labelling(found, ids)

    @classmethod
    def from_levels(cls, levels: Any, *, noise: Any = None, pages: Any = None) -> GoldStandard:
        """Return a gold standard with several levels, each given as labels of all pages.

        Args:
            levels: (levels, pages) labels, the coarsest level first. Each label lies within one label of the level
                before.
            noise: the labels of outliers on every level, as in `from_labels`.
            pages: (pages,) ids of the pages; by default "0", "1", ..

        Raises:
            InputError: as `from_labels`; levels of different length; levels that are not nested.

        >>> GoldStandard.from_levels([["cat", "cat", "cat", "dog"], ["lion", "lion", "puma", "wolf"]]).topic_ids
        ('cat', 'dog', 'cat/lion', 'cat/puma', 'dog/wolf')
        """
        hierarchy, ids, names = hierarchy_of_levels(labelled_levels(levels, noise))
        return cls(hierarchy, page_list(pages, hierarchy.n_pages), ids, names)

    @classmethod
    def from_sets(
        cls,
        sets: Any,
        *,
        outliers: Any = (),
        parents: Mapping[Any, Any] | None = None,
        pages: Any = None,
        completion: Completion = "strict",
    ) -> GoldStandard:
        """Return a gold standard of topics that may overlap, each given as its pages.

        Args:
            sets: name -> pages, or a list of topics, which are then named "0", "1", ..; pages are texts or integers. A
                key that is a text is also the name of the topic; a number is not.
            outliers: pages that are in no topic.
            parents: subtopic -> topic; a page of a subtopic is a page of its topic.
            pages: the page list; by default the pages of topics and outliers in order of appearance, integers in
                numeric order.
            completion: how to treat pages in no topic: ``strict`` rejects them, ``complete`` assigns them.

        Raises:
            InputError: an input that is not sets of pages; a broken rule of gold standards (every breach is reported).

        >>> GoldStandard.from_sets({"cats": ["a", "b", "c"], "pets": ["b", "d"]}, outliers=["e"])
        <GoldStandard: 5 pages, 2 topics on 1 level, 1 outlier>
        """
        if completion not in ("strict", "complete"):
            raise ValueError(f"completion must be 'strict' or 'complete', not {completion!r}")
        document = document_of_sets(sets, pages, outliers, parents)
        if completion == "complete":
            document, _ = complete(document)
        structure = Structure(document)
        if structure.problems:
            raise InputError(structure.problems)
        names = structure.names
        titles = tuple(topic.name for topic in document.topics)
        return cls(structure.hierarchy, names.page_ids, names.topic_ids, titles, document)

    @classmethod
    def of_labelling(cls, found: Labelling, page_ids: Sequence[str]) -> GoldStandard:
        """Return the gold standard of a labelling and page ids that are already checked (`from_labels` checks both)."""
        hierarchy = Hierarchy.of_partition(found.incidence(), np.flatnonzero(found.codes < 0))
        return cls(hierarchy, page_ids, found.names, found.names if found.are_words else ("",) * len(found.names))

    def __repr__(self) -> str:
        shape = self.hierarchy
        parts = [
            f"query {self.query_id!r}" if self.query_id else "",
            counted(self.n_pages, "page"),
            f"{counted(shape.n_topics, 'topic')} on {counted(shape.n_levels, 'level')}",
            counted(int(shape.outliers.size), "outlier") if shape.outliers.size else "",
        ]
        return f"<GoldStandard: {', '.join(filter(None, parts))}>"

    @property
    def query_id(self) -> str:
        return self.document.query_id if self.document else ""

    @property
    def n_pages(self) -> int:
        return self.hierarchy.n_pages

    @cached_property
    def page_index(self) -> dict[str, int]:
        """Page id -> row in every array with one row per page."""
        return {page_id: index for index, page_id in enumerate(self.page_ids)}

    @cached_property
    def is_outlier(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(pages,) True for pages in the outlier topic."""
        flags = np.zeros(self.n_pages, dtype=bool)
        flags[self.hierarchy.outliers] = True
        return flags

"""The checked, prepared gold standard of one query: what every external measure compares a clustering with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qc4.gold.assembly import document_of_sets, labelled_levels, stacked
from qc4.gold.completion import complete
from qc4.gold.document import Completion, GoldDocument
from qc4.gold.hierarchy import Hierarchy
from qc4.gold.structure import Structure
from qc4.gold.wording import Names, topic_name
from qc4.ids import Numbers, page_list
from qc4.indexes import check_index, check_order
from qc4.labels import Labelling
from qc4.problems import InputError
from qc4.problems.wording import counted


@dataclass(frozen=True, eq=False)
class GoldStandard:
    """A hierarchy that breaks no rule, with the names of its pages and topics.

    Build it with `qc4.read_gold` (files, dicts), `from_labels`, `from_levels`, `from_sets` or `from_hierarchy`
    (arrays). Prepare it once and score many clusterings with it: what measures derive from the gold standard alone is
    kept with it.

    Attributes:
        hierarchy: the topics as arrays.
        page_ids: (pages,) the page list; labels of the same pages are in this order.
        topic_ids: (topics,) of the topics.
        topic_names: (topics,) what the topics are called; empty where they are known by number alone.
        document: what was read or given, where it was one.

    Source: QC4 paper, section 3.1.
    """

    hierarchy: Hierarchy
    page_ids: Sequence[str]
    topic_ids: Sequence[str]
    topic_names: Sequence[str]
    document: GoldDocument | None = None

    def __post_init__(self) -> None:
        if self.hierarchy.breaches:
            names = Names(self.topic_ids, self.page_ids, lambda topic: topic_name(self.topic_ids[topic]))
            raise InputError(names.problem(breach) for breach in self.hierarchy.breaches)

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> GoldStandard:
        """A gold standard from arrays alone; the ids of pages and topics are their index, topics have no names.

        Raises:
            InputError: the hierarchy breaks one of the rules R1-R5.

        >>> import scipy.sparse as sp
        >>> topics = sp.csr_array([[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0]])
        >>> GoldStandard.from_hierarchy(Hierarchy.build(topics, parent=[-1, 0, 0], outliers=[3]))
        <GoldStandard: 4 pages, 3 topics on 2 levels, 1 outlier>
        """
        return cls(hierarchy, Numbers(hierarchy.n_pages), Numbers(hierarchy.n_topics), ("",) * hierarchy.n_topics)

    @classmethod
    def from_labels(cls, labels: Any, *, noise: Any = None, pages: Any = None) -> GoldStandard:
        """A gold standard of one level: each label is a topic, called so where labels are texts.

        Args:
            labels: (pages,) a list, an array or a column of a table, of anything hashable; by position. Columns of
                labels and of pages must have the same index.
            noise: the labels of outliers, one or a list of them; None for the usual ones (-1 in any spelling, NaN,
                None and the usual words for noise, see `qc4.noise`), ``[]`` if every label is a topic.
            pages: (pages,) ids of the pages; "0", "1", .. without.

        Raises:
            InputError: an input that is not a row of labels; ids of another number, or that repeat.

        >>> GoldStandard.from_labels(["cat", "cat", "dog", -1])
        <GoldStandard: 4 pages, 2 topics on 1 level, 1 outlier>
        """
        check_index(labels, pages, "labels", "pages")
        found = Labelling.of(labels, noise)
        ids = page_list(pages, found.n_pages)
        check_order(labels, ids, "labels")
        return cls.of_labellings([found], ids)

    @classmethod
    def from_levels(cls, levels: Any, *, noise: Any = None, pages: Any = None) -> GoldStandard:
        """A gold standard of several levels, each given as labels of all pages.

        Args:
            levels: (levels, pages) labels, the coarsest level first. Each label lies within one label of the level
                before.
            noise: the labels of outliers on every level, as of `from_labels`.
            pages: (pages,) ids of the pages; "0", "1", .. without.

        Raises:
            InputError: as `from_labels`; levels of different length; levels that are not nested.

        >>> GoldStandard.from_levels([["cat", "cat", "cat", "dog"], ["lion", "lion", "puma", "wolf"]]).topic_ids
        ('cat', 'dog', 'cat/lion', 'cat/puma', 'dog/wolf')
        """
        return cls.of_labellings(labelled_levels(levels, noise), pages)

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
        """A gold standard of topics that may overlap, each given as its pages.

        Args:
            sets: name -> pages, or a list of the topics, which are then known as "0", "1", ..; pages are texts or
                integers. A name that is a text is what the topic is called, too; numbers say nothing.
            outliers: pages that are in no topic.
            parents: subtopic -> topic; a page of a subtopic is a page of its topic.
            pages: the page list; without it the pages of topics and outliers in the order in which they are met,
                integers by number.
            completion: what happens to pages in no topic: ``strict`` refuses them, ``complete`` places them.

        Raises:
            InputError: what is no set of pages; every rule of a gold standard that is broken.

        >>> GoldStandard.from_sets({"cats": ["a", "b", "c"], "pets": ["b", "d"]}, outliers=["e"])
        <GoldStandard: 5 pages, 2 topics on 1 level, 1 outlier>
        """
        if completion not in ("strict", "complete"):
            raise ValueError(f"completion is 'strict' or 'complete', not {completion!r}")
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
    def of_labellings(cls, levels: Sequence[Labelling], pages: Any = None) -> GoldStandard:
        """A gold standard of labels that were looked at: `from_levels` and `from_labels` do so."""
        hierarchy, ids, names = stacked(levels)
        return cls(hierarchy, page_list(pages, hierarchy.n_pages), ids, names)

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
        """Page id -> row in every page-wise array."""
        return {page_id: index for index, page_id in enumerate(self.page_ids)}

    @cached_property
    def is_outlier(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(pages,) whether the page is in the outlier topic."""
        flags = np.zeros(self.n_pages, dtype=bool)
        flags[self.hierarchy.outliers] = True
        return flags

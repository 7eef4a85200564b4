"""The checked, prepared gold standard of one query: what every external measure compares a clustering with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from qc4.gold.document import GoldDocument
from qc4.gold.hierarchy import Hierarchy
from qc4.gold.wording import Names, topic_name
from qc4.problems import InputError


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
        if self.hierarchy.breaches:
            names = Names(self.topic_ids, self.page_ids, lambda topic: topic_name(self.topic_ids[topic]))
            raise InputError(names.problem(breach) for breach in self.hierarchy.breaches)

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

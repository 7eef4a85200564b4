"""The checked, prepared gold standard of one query: what every external measure compares a clustering with."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from measures.gold import GoldDocument
from measures.hierarchy import Hierarchy
from measures.problems import InputError, Problem


@dataclass(frozen=True, eq=False)
class GoldStandard:
    """A hierarchy that breaks no rule, with the names of its pages and topics.

    Build it with `measures.read_gold` (files, dicts) or `from_hierarchy` (arrays). Prepare it once and
    score many clusterings with it: everything a measure derives from the gold alone is cached on it,
    in ``prepared``, which the functions that own such a value fill.
    """

    hierarchy: Hierarchy
    page_ids: tuple[str, ...]
    topic_ids: tuple[str, ...]
    topic_names: tuple[str, ...]
    document: GoldDocument | None = None
    prepared: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        problems = [
            Problem(
                "page-without-topic",
                f"level {level}",
                f"{unplaced.size} pages in no topic and not outliers, first {self.page_ids[int(unplaced[0])]!r}",
                "every page in at least one topic or the outlier topic on every level (rule R1)",
            )
            for level in self.hierarchy.levels
            if (unplaced := self.hierarchy.unplaced(level)).size
        ]
        if problems:
            raise InputError(problems)

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> GoldStandard:
        """A gold standard from arrays alone; pages and topics are named by their index.

        Raises:
            InputError: a page is in no topic on some level (rule R1).
        """
        topics = tuple(map(str, range(hierarchy.n_topics)))
        return cls(hierarchy, tuple(map(str, range(hierarchy.n_pages))), topics, topics)

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

"""The submitted drafts of a collection whose agreement is looked at, and every two of them."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from annotations.models import Collection, Draft
from annotations.selectors.curation.grid import Flags, Numbers
from annotations.selectors.dependence import dependent_in


@dataclass(frozen=True)
class Sides:
    """The latest draft that each curator has submitted of each query, and its pairs.

    Attributes:
        table: query, curator, draft and revision, by their ids, in the order of queries and curators. Of two curators,
            the one with the older account is the first.
        dependent: the drafts that are no independent answers.
    """

    table: Numbers
    dependent: Set[int]

    @property
    def content(self) -> str:
        """The SHA-256 of all of it."""
        found = sha256(self.table.astype("<i8").tobytes())
        found.update(np.array(sorted(self.dependent), "<i8").tobytes())
        return found.hexdigest()

    @cached_property
    def groups(self) -> list[Numbers]:
        """The rows of each query that has two drafts or more."""
        _, starts = np.unique(self.table[:, 0], return_index=True)
        return [rows for rows in np.split(np.arange(len(self.table)), starts[1:]) if len(rows) > 1]

    @cached_property
    def pairs(self) -> Numbers:
        """(pairs, 2) the rows of every two drafts of a query, query by query in the order of `combinations`."""
        found = [rows[np.column_stack(np.triu_indices(len(rows), 1))] for rows in self.groups]
        return np.concatenate(found) if found else np.empty((0, 2), dtype=np.int64)

    @cached_property
    def is_dependent(self) -> Flags:
        """(pairs,) whether one of the two is no independent answer."""
        dependent = np.isin(self.table[:, 2], list(self.dependent))
        return np.asarray(dependent[self.pairs].any(axis=1), dtype=bool)


def sides_of(collection: Collection, without: Some[int]) -> Sides:
    """Of the queries of a collection but those without; four queries to the database."""
    own = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN, archived_at=None)
    rows = own.filter(status=Draft.Status.SUBMITTED).exclude(query__in=without).order_by("query", "curator", "pk")
    latest = {row[:2]: row for row in rows.values_list("query_id", "curator_id", "pk", "revision")}
    table = np.array(list(latest.values()), dtype=np.int64).reshape(-1, 4)
    return Sides(table, dependent_in(collection) & set(table[:, 2].tolist()))

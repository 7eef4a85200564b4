"""One algorithm's answer to one query (``qc4-clustering/1``) and a submission of many of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from qc4.gold.document import Extra


@dataclass(frozen=True, slots=True)
class Cluster:
    """A set of pages, in the order given.

    A cluster with a parent lies in it: readers of files give a parent the pages of its children (`nesting`). Measures
    see sets of pages; ``parent`` itself is for display.
    """

    id: str
    pages: tuple[str, ...]
    label: str = ""
    parent: str | None = None
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Clustering:
    """Clusters of one query's pages; they may overlap, nest, repeat and leave pages out."""

    query: str
    clusters: tuple[Cluster, ...]
    algorithm: str = ""
    parameters: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SubmissionDocument:
    """One algorithm's clusterings of one or many queries (``qc4-submission/1`` and every other submission format)."""

    clusterings: tuple[Clustering, ...]
    algorithm: str = ""
    parameters: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)

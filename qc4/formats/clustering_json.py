"""``qc4-clustering/1`` (one algorithm's answer to one query) and ``qc4-submission/1`` (many of them)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from qc4.clustering.clustering import Cluster, Clustering, SubmissionDocument
from qc4.formats.fields import Record, described
from qc4.formats.limits import Limits
from qc4.formats.strict_json import canonical_json, sorted_keys, with_extra
from qc4.problems import ProblemList
from qc4.problems.wording import listed, quoted

CLUSTERING_FORMAT = "qc4-clustering/1"
SUBMISSION_FORMAT = "qc4-submission/1"


def parse_clustering(
    value: Any, path: str, limits: Limits, problems: ProblemList, query: str | None = None
) -> Clustering:
    """A clustering from parsed JSON; problems are noted, with paths that start at ``path``.

    Args:
        query: the query it answers, whatever the object says.
    """
    record = Record(value, path, problems, limits)
    if record.raw("format") != CLUSTERING_FORMAT and not (path and "format" not in record):
        problems.error(
            "unknown-format", record.at("format"), described(record.raw("format")), f"the text {CLUSTERING_FORMAT!r}"
        )
        return Clustering("", ())
    clusters = tuple(_cluster(cluster) for cluster in record.records("clusters"))
    clustering = Clustering(
        query=record.id("query") if query is None else query,
        clusters=clusters,
        algorithm=record.optional_text("algorithm") or "",
        parameters=record.mapping("parameters"),
        extra=record.unknown("format", "query", "algorithm", "parameters", "clusters"),
    )
    check_clusters(clustering, record.at("clusters"), limits, problems)
    return clustering


def _cluster(record: Record) -> Cluster:
    return Cluster(
        id=record.id(),
        label=record.optional_text("label") or "",
        parent=record.optional_id("parent"),
        pages=record.ids("pages", required=True),
        extra=record.unknown("id", "label", "parent", "pages"),
    )


def check_clusters(clustering: Clustering, path: str, limits: Limits, problems: ProblemList) -> None:
    """Note what no clustering may have, whatever page list it belongs to: limits, ids, parents, pages listed twice."""
    clusters = clustering.clusters
    limits.exceeded("clusters", len(clusters), path, problems)
    limits.exceeded("memberships", sum(len(cluster.pages) for cluster in clusters), path, problems)
    numbers: dict[str, int] = {}
    for number, cluster in enumerate(clusters):
        if numbers.setdefault(cluster.id, number) != number and cluster.id:
            first = f"{path}[{numbers[cluster.id]}]"
            found = f"the id {quoted(cluster.id)} again (first at {first})"
            problems.error("duplicate-cluster", f"{path}[{number}].id", found, "each cluster id once per clustering")
    for number, cluster in enumerate(clusters):
        where = f"{path}[{number}] (id {quoted(cluster.id)})"
        if cluster.parent is not None and cluster.parent not in numbers:
            found = f"the parent {quoted(cluster.parent)}"
            problems.error("unknown-parent", where, found, "the id of a cluster of this clustering, or null")
        if len(set(cluster.pages)) < len(cluster.pages):
            twice = [page for page, count in Counter(cluster.pages).items() if count > 1]
            found = f"pages listed twice: {listed(twice)}"
            problems.error("page-twice", where, found, "each page once per cluster", "Remove the repetition.")
    _check_parent_cycles(clusters, numbers, path, problems)


def _check_parent_cycles(
    clusters: tuple[Cluster, ...], numbers: dict[str, int], path: str, problems: ProblemList
) -> None:
    settled: set[str] = set()
    for cluster in clusters:
        trail: dict[str, None] = {}
        step: str | None = cluster.id
        while step is not None and step in numbers and step not in settled and step not in trail:
            trail[step] = None
            step = clusters[numbers[step]].parent
        if step is not None and step in trail:
            names = list(trail)
            cycle = " > ".join([*names[names.index(step) :], step])
            problems.error(
                "parent-cycle", path, f"a cycle of parents: {cycle}", "parents that end at a cluster without one"
            )
        settled.update(trail)


def parse_submission(value: Any, limits: Limits, problems: ProblemList) -> SubmissionDocument:
    """A ``qc4-submission/1`` object; its clusterings may leave out ``format`` and ``algorithm``."""
    record = Record(value, "", problems, limits)
    raw = record.raw("clusterings")
    if not isinstance(raw, list | tuple):
        problems.error("missing-field", "clusterings", "no list", "a list of clusterings")
        raw = []
    limits.exceeded("queries", len(raw), "clusterings", problems)
    return SubmissionDocument(
        clusterings=tuple(
            parse_clustering(item, f"clusterings[{number}]", limits, problems) for number, item in enumerate(raw)
        ),
        algorithm=record.optional_text("algorithm") or "",
        parameters=record.mapping("parameters"),
        extra=record.unknown("format", "algorithm", "parameters", "clusterings"),
    )


def write_clustering(clustering: Clustering) -> bytes:
    """The canonical file of a clustering: the same clustering always gives the same bytes."""
    return canonical_json(clustering_to_dict(clustering))


def write_submission(submission: SubmissionDocument) -> bytes:
    """The canonical ``qc4-submission/1`` file of a submission."""
    known = {
        "format": SUBMISSION_FORMAT,
        "algorithm": submission.algorithm,
        "parameters": sorted_keys(submission.parameters),
        "clusterings": [clustering_to_dict(clustering) for clustering in submission.clusterings],
    }
    return canonical_json(with_extra(known, submission.extra))


def clustering_to_dict(clustering: Clustering) -> dict[str, Any]:
    """The object `write_clustering` writes: clusters and page ids in the order of the clustering."""
    known = {
        "format": CLUSTERING_FORMAT,
        "query": clustering.query,
        "algorithm": clustering.algorithm,
        "parameters": sorted_keys(clustering.parameters),
        "clusters": [_cluster_to_dict(cluster) for cluster in clustering.clusters],
    }
    return with_extra(known, clustering.extra)


def _cluster_to_dict(cluster: Cluster) -> dict[str, Any]:
    known = {"id": cluster.id, "label": cluster.label, "parent": cluster.parent, "pages": list(cluster.pages)}
    return with_extra(known, cluster.extra)

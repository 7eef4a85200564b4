"""The project's own JSON formats: ``qc4-gold/1``, ``qc4-clustering/1`` and ``qc4-submission/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from qc4.io.content import Content
from qc4.io.context import Context
from qc4.io.json_fields import Record, describe_clusters, describe_format
from qc4.io.kinds import CLUSTERINGS, GOLDS
from qc4.io.limits import Budget, BudgetError, Limits, problems_within
from qc4.io.source import lines
from qc4.io.strict_json import canonical_json, parse_json_text, sorted_keys, with_extra
from qc4.model.clustering import Cluster, ClusterColumns, Clustering, SubmissionDocument
from qc4.model.gold_document import PAGE_FIELDS, PAGE_TEXTS, GoldDocument, Page, PageColumns, Topic
from qc4.model.nesting import with_children
from qc4.model.spelling import with_known_parents, with_known_spellings
from qc4.model.structure import check_page_list
from qc4.problems import (
    InputError,
    ProblemList,
    are_all_different,
    check_cycles,
    check_ids,
    check_no_repeats,
    check_parent,
    parents_first,
)
from qc4.text import are_ascii
from qc4.wording import quoted

FORMAT = "qc4-gold/1"
_PAGE_FIELDS = ("id", *PAGE_FIELDS)
_FIRST_PAGE_FIELDS = ("id", "rank", "url", "title", "snippet", "text")
"""The fields of the format's first version."""
_TOPIC_FIELDS = ("id", "name", "parent", "level", "pages")


def is_gold(content: Content) -> bool:
    return content.declares(FORMAT)


def read_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """Read the page list in a ``qc4-gold/1`` object, with its gold standard if it has one."""
    with problems_within(problems, content.name) as own:
        document = parse_gold(content.value, content.limits, own)
        own.extend(check_page_list(document))
        return [document]


def parse_gold(value: Any, limits: Limits, problems: ProblemList) -> GoldDocument:
    """Return a document from parsed JSON. Invalid fields are reported in ``problems``.

    The rules R1-R6 are not checked: see `qc4.model.rules`.
    """
    record = Record(value, "", problems, limits)
    if record.raw("format") != FORMAT:
        found, expected = describe_format(value), f"the text {FORMAT!r}"
        problems.error("unknown-format", record.at("format"), found, expected, GOLDS.shown)
        return GoldDocument("", "", ())
    query = Record(record.raw("query"), "query", problems, limits)
    document = GoldDocument(
        query_id=query.id(),
        query_text=query.optional_text("text") or "",
        pages=_pages(record),
        topics=tuple(_topic(topic) for topic in record.records("topics", required=False)),
        outliers=record.ids("outliers"),
        extra=record.unknown("format", "query", "pages", "topics", "outliers"),
        query_extra=query.unknown("id", "text"),
    )
    limits.exceeded("pages", len(document.pages), "pages", problems)
    limits.exceeded("topics", len(document.topics), "topics", problems)
    memberships = len(document.outliers) + sum(len(topic.pages) for topic in document.topics)
    limits.exceeded("memberships", memberships, "topics", problems)
    return with_known_spellings(document)


def _pages(record: Record) -> Sequence[Page]:
    columns = record.columns("pages", _PAGE_FIELDS, _page)
    if columns is None:
        return tuple(_page(page) for page in record.records("pages"))
    fields = columns.fields
    return PageColumns(tuple(fields.pop("id")), fields, columns.others)


def _page(record: Record) -> Page:
    return Page(
        id=record.id(),
        rank=record.optional_integer("rank"),
        extra=record.unknown(*_PAGE_FIELDS),
        **{name: record.optional_text(name) for name in PAGE_TEXTS},
    )


def _topic(record: Record) -> Topic:
    return Topic(
        id=record.id(),
        name=record.text("name"),
        parent=record.optional_id("parent"),
        level=record.optional_integer("level", 1, record.limits.levels),
        pages=record.ids("pages"),
        extra=record.unknown(*_TOPIC_FIELDS),
    )


def write_gold(document: GoldDocument) -> bytes:
    """Return the canonical file of a document: the same document always gives the same bytes.

    Every field of the format's first version is written, including null ones, in the order of the format. Later fields
    are
    written only if they are given, so that the bytes of older files do not change. Extra fields follow, sorted. Pages,
    topics and page ids keep the order of the document. Its SHA-256 is the version hash.
    """
    return canonical_json(gold_to_dict(document))


def gold_to_dict(document: GoldDocument) -> dict[str, Any]:
    """Return the object that `write_gold` writes."""
    known = {
        "format": FORMAT,
        "query": with_extra({"id": document.query_id, "text": document.query_text}, document.query_extra),
        "pages": [_item(page, (*_FIRST_PAGE_FIELDS, *_later_fields(page))) for page in document.pages],
        "topics": [_item(topic, _TOPIC_FIELDS) for topic in document.topics],
        "outliers": list(document.outliers),
    }
    return with_extra(known, document.extra)


def _later_fields(page: Page) -> list[str]:
    return [name for name in _PAGE_FIELDS if name not in _FIRST_PAGE_FIELDS and getattr(page, name) is not None]


def _item(item: Page | Topic, fields: tuple[str, ...]) -> dict[str, Any]:
    return with_extra({name: getattr(item, name) for name in fields}, item.extra)


# --- ``qc4-clustering/1`` (one algorithm's clustering of one query) and ``qc4-submission/1`` (many clusterings) ---

CLUSTERING_FORMAT = "qc4-clustering/1"
SUBMISSION_FORMAT = "qc4-submission/1"
_CLUSTER_FIELDS = ("id", "label", "parent", "pages")


def is_clustering(content: Content) -> bool:
    return content.declares(CLUSTERING_FORMAT)


def is_submission(content: Content) -> bool:
    """Return True if the file declares this format, or declares no format and has a list of clusterings."""
    return content.declares(SUBMISSION_FORMAT) or content.holds("clusterings")


def read_one(content: Content, context: Context) -> list[Clustering]:
    """Read the clustering in a ``qc4-clustering/1`` object."""
    with problems_within(context.problems, content.name) as problems:
        return [parse_clustering(content.value, "", content.limits, problems, context.query)]


def read_lines(content: Content, context: Context) -> list[Clustering]:
    """Read the clusterings of a file with one ``qc4-clustering/1`` object on each line."""
    clusterings = []
    for number, line in enumerate(lines(content.text), start=1):
        if not line.strip():
            continue
        if context.problems.full:
            break
        content.budget.charge("clusterings", 1, f"{content.name}: line {number}")
        with problems_within(context.problems, f"{content.name}: line {number}") as problems:
            try:
                value = parse_json_text(line, content.name, content.budget, number)
            except BudgetError:
                raise
            except InputError as error:
                context.problems.extend(error.problems)
            else:
                clusterings.append(parse_clustering(value, "", content.limits, problems))
    return clusterings


def read_many(content: Content, context: Context) -> list[SubmissionDocument]:
    """Read the submission in a ``qc4-submission/1`` object."""
    with problems_within(context.problems, content.name) as problems:
        return [parse_submission(content.value, content.budget, problems, content.name)]


def parse_clustering(
    value: Any, path: str, limits: Limits, problems: ProblemList, query: str | None = None
) -> Clustering:
    """Return a clustering from parsed JSON. Parents contain the pages of their children.

    Problems are reported with paths that start at ``path``.

    Args:
        query: the query of the clustering, which overrides the object's own.
    """
    record = Record(value, path, problems, limits)
    if record.raw("format") != CLUSTERING_FORMAT and not (path and "format" not in record):
        found, expected = describe_format(value), f"the text {CLUSTERING_FORMAT!r}"
        fix = (describe_clusters(value) or ("", CLUSTERINGS.shown))[1]
        problems.error("unknown-format", record.at("format"), found, expected, fix)
        return Clustering("", ())
    clusters = with_known_parents(_clusters(record))
    clustering = Clustering(
        query=record.id("query") if query is None else query,
        clusters=clusters,
        algorithm=record.optional_text("algorithm") or "",
        parameters=record.mapping("parameters"),
        extra=record.unknown("format", "query", "algorithm", "parameters", "clusters"),
    )
    return completed(clustering, record.at("clusters"), limits, problems)


def completed(clustering: Clustering, path: str, limits: Limits, problems: ProblemList) -> Clustering:
    """Add the pages of children to their parents, as for every format.

    Errors in the clusters, or too many memberships, are reported as problems. Then nothing is added.
    """
    before = len(problems)
    _check_clusters(clustering, path, limits, problems)
    if len(problems) > before:
        return clustering
    clusters = with_children(clustering.clusters, limits.memberships)
    if clusters is None:
        limits.exceeded("memberships", limits.memberships + 1, path, problems, at_least=True)
        return clustering
    return clustering if clusters is clustering.clusters else replace(clustering, clusters=clusters)


def _clusters(record: Record) -> Sequence[Cluster]:
    given = record.raw("clusters")
    if not (isinstance(given, list) and any(isinstance(each, Mapping) for each in given)) and (
        shape := describe_clusters(given)
    ):
        what, fix = shape
        record.problems.error("wrong-type", record.at("clusters"), what, "a list of objects, one for each cluster", fix)
        return ()
    columns = record.columns("clusters", _CLUSTER_FIELDS, _cluster)
    if columns is None:
        return tuple(_cluster(cluster) for cluster in record.records("clusters"))
    fields, others = columns
    # Tuples, not lists: the garbage collector skips tuples that contain only strings.
    ids, pages = tuple(fields["id"]), tuple(map(tuple, fields["pages"]))
    labels = tuple(label or "" for label in fields["label"]) if "label" in fields else None
    parents = tuple(fields["parent"]) if "parent" in fields else None
    return ClusterColumns(ids, pages, labels, parents, others)


def _cluster(record: Record) -> Cluster:
    return Cluster(
        id=record.id(),
        label=record.optional_text("label") or "",
        parent=record.optional_id("parent"),
        pages=record.ids("pages", required=True),
        extra=record.unknown(*_CLUSTER_FIELDS),
    )


def _check_clusters(clustering: Clustering, path: str, limits: Limits, problems: ProblemList) -> None:
    """Report errors that do not depend on the page list: limits, ids, parents, and pages listed twice."""
    columns = ClusterColumns.of(clustering.clusters)
    ids, pages, parents = columns.ids, columns.pages, columns.parents or [None] * len(columns)
    memberships = sum(map(len, pages))
    limits.exceeded("clusters", len(ids), path, problems)
    limits.exceeded("memberships", memberships, path, problems)
    expected = "each cluster id once per clustering"
    read = [cluster_id or None for cluster_id in ids]
    check_ids("duplicate-cluster", read, lambda n: (f"{path}[{n}].id", f"at {path}[{n}]"), expected, problems)
    once = sum(map(len, map(set, pages))) == memberships
    if columns.are_flat and once and (are_ascii(chain.from_iterable(pages)) or all(map(are_all_different, pages))):
        return  # the usual case
    numbers = {cluster_id: number for number, cluster_id in enumerate(ids)}
    for number, (cluster_id, parent, listed) in enumerate(zip(ids, parents, pages, strict=True)):
        if (parent is None or parent in numbers) and are_all_different(listed):
            continue
        where = f"{path}[{number}] (id {quoted(cluster_id)})"
        check_parent(parent, numbers, where, "the id of a cluster of this clustering, or null", problems)
        check_no_repeats(listed, where, "each page once per cluster", problems)
    if columns.are_flat:
        return
    above = [-1 if parent is None else numbers.get(parent, -1) for parent in parents]
    check_cycles(parents_first(above)[1], ids, path, "parents that end at a cluster without one", problems)


def parse_submission(value: Any, budget: Budget, problems: ProblemList, name: str) -> SubmissionDocument:
    """Read a ``qc4-submission/1`` object. Its clusterings may omit ``format`` and ``algorithm``."""
    limits = budget.limits
    record = Record(value, "", problems, limits)
    raw = record.raw("clusterings")
    if not isinstance(raw, list | tuple):
        problems.error("missing-field", "clusterings", "no list", "a list of clusterings")
        raw = []
    budget.charge("clusterings", len(raw), name)
    if limits.exceeded("queries", len(raw), "clusterings", problems):
        raw = []
    return SubmissionDocument(
        clusterings=tuple(
            parse_clustering(item, f"clusterings[{number}]", limits, problems) for number, item in enumerate(raw)
        ),
        algorithm=record.optional_text("algorithm") or "",
        parameters=record.mapping("parameters"),
        extra=record.unknown("format", "algorithm", "parameters", "clusterings"),
    )


def write_clustering(clustering: Clustering) -> bytes:
    """Return the canonical file of a clustering: the same clustering always gives the same bytes."""
    return canonical_json(clustering_to_dict(clustering))


def write_submission(submission: SubmissionDocument) -> bytes:
    """Return the canonical ``qc4-submission/1`` file of a submission."""
    known = {
        "format": SUBMISSION_FORMAT,
        "algorithm": submission.algorithm,
        "parameters": sorted_keys(submission.parameters),
        "clusterings": [clustering_to_dict(clustering) for clustering in submission.clusterings],
    }
    return canonical_json(with_extra(known, submission.extra))


def clustering_to_dict(clustering: Clustering) -> dict[str, Any]:
    """Return the object that `write_clustering` writes, with clusters and page ids in the clustering's order."""
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

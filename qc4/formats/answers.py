"""From the clusterings of a file to submissions, one each."""

from __future__ import annotations

from collections.abc import Callable

from qc4.clustering.clustering import Clustering, SubmissionDocument
from qc4.formats.clustering_json import completed
from qc4.formats.content import Content
from qc4.formats.context import Context
from qc4.formats.source import UNNAMED
from qc4.problems.wording import quoted

Reader = Callable[[Content, Context], list[Clustering]]


def each(
    read: Reader, *, checked: bool = False, called_as_file: bool = False
) -> Callable[[Content, Context], list[SubmissionDocument]]:
    """A reader of submissions from a reader of clusterings.

    Args:
        checked: the reader has checked and completed clusterings itself, since it can say better where faults are.
        called_as_file: the format cannot name an algorithm: it is called after the file, unless that is called after
            its query.
    """

    def submissions(content: Content, context: Context) -> list[SubmissionDocument]:
        clusterings = read(content, context)
        if not checked:
            clusterings = [_checked(clustering, content, context) for clustering in clusterings]
        unnamed = _name_of(content, context) if called_as_file else ""
        return [SubmissionDocument((each,), each.algorithm or unnamed, each.parameters) for each in clusterings]

    return submissions


def _checked(clustering: Clustering, content: Content, context: Context) -> Clustering:
    where = f"{content.name}: query {quoted(clustering.query)}: clusters"
    for cluster in clustering.clusters:
        content.limits.exceeded("id_chars", len(cluster.id), where, context.problems)
    return completed(clustering, where, content.limits, context.problems)


def _name_of(content: Content, context: Context) -> str:
    stem = content.blob.stem
    is_query = stem == context.query or bool(context.names.keys(stem))
    return "" if content.name == UNNAMED or is_query else stem

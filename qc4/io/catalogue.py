"""The file formats with clusterings or page lists: how each is recognised, and which function reads it.

To add a format, write a file with its readers and add an entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from qc4.io import (
    ambient,
    label_files,
)
from qc4.io import (
    carrot2 as carrot2_json,
)
from qc4.io import (
    carrot2 as carrot2_xml,
)
from qc4.io import (
    csv_files as tables,
)
from qc4.io import (
    qc4_json as clustering_json,
)
from qc4.io import (
    qc4_json as gold_json,
)
from qc4.io.content import Content
from qc4.io.context import Context
from qc4.io.json_fields import describe_clusters
from qc4.io.kinds import CLUSTERINGS
from qc4.io.qc4_json import completed
from qc4.io.source import UNNAMED
from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError, Problem, ProblemList
from qc4.wording import quoted

# A reader of clusterings becomes a reader of submissions with one clustering each.

ClusteringReader = Callable[[Content, Context], list[Clustering]]


def one_submission_each(
    read: ClusteringReader, *, checked: bool = False, named_after_file: bool = False
) -> Callable[[Content, Context], list[SubmissionDocument]]:
    """Make a reader of submissions from a reader of clusterings.

    Args:
        checked: the reader checks and completes clusterings itself, because it can name the places of problems better.
        named_after_file: the format cannot name an algorithm. The file's name is used, unless it is the query's name.
    """

    def submissions(content: Content, context: Context) -> list[SubmissionDocument]:
        clusterings = read(content, context)
        if not checked:
            clusterings = [_checked(clustering, content, context) for clustering in clusterings]
        unnamed = _name_of(content, context) if named_after_file else ""
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


Reader = TypeVar("Reader")


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Attributes:
        name: name of the format in messages.
        matches: returns True if a file has this format; the first match in `FORMATS` reads the file.
        submissions: reads the file's submissions; problems go to the context, with the file's name. None if it has
            none.
        page_lists: reads the file's page lists and gold standards in the same way.
    """

    name: str
    matches: Callable[[Content], bool]
    submissions: Callable[[Content, Context], list[SubmissionDocument]] | None = None
    page_lists: Callable[[Content, ProblemList], list[GoldDocument]] | None = None


ZIP = Format("ZIP", lambda content: content.shape == "zip")

FORMATS = (
    Format("qc4-gold/1", gold_json.is_gold, page_lists=gold_json.read_page_lists),
    Format(
        "qc4-clustering/1",
        clustering_json.is_clustering,
        one_submission_each(clustering_json.read_one, checked=True),
    ),
    Format("qc4-submission/1", clustering_json.is_submission, clustering_json.read_many),
    Format(
        "JSON Lines of qc4-clustering/1",
        lambda content: content.shape == "json lines",
        one_submission_each(clustering_json.read_lines, checked=True),
    ),
    Format(
        "AMBIENT's subTopicID<TAB>resultID",
        ambient.is_relations_file,
        one_submission_each(ambient.read_relations, named_after_file=True),
    ),
    Format(
        "Carrot2 3.x XML",
        lambda content: content.shape == "xml",
        one_submission_each(carrot2_xml.read_xml_clusterings),
        carrot2_xml.read_xml_page_lists,
    ),
    Format(
        "Carrot2 JSON",
        carrot2_json.is_carrot2_json,
        one_submission_each(carrot2_json.read_json_clusterings),
        carrot2_json.read_json_page_lists,
    ),
    Format("one label per line", label_files.is_label_lines, one_submission_each(label_files.read_lines)),
    Format(
        "CSV or TSV with a header line",
        tables.is_table,
        one_submission_each(label_files.read_columns, named_after_file=True),
        tables.read_page_lists,
    ),
    ZIP,
)


def read_submissions_in(content: Content, context: Context) -> list[SubmissionDocument]:
    """Return the submissions of one file. Its problems go to the context's list, with the file's name.

    Raises:
        InputError: the format is unknown or has no clusterings, or the file cannot be parsed at all.
    """
    return _reader(content, lambda form: form.submissions)(content, context)


def read_page_lists_in(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """Return the page lists of one file. Problems and errors are as in `read_submissions_in`."""
    return _reader(content, lambda form: form.page_lists)(content, problems)


def submission_formats() -> str:
    """Return the names of the formats that hold clusterings."""
    return _names(lambda form: form.submissions)


def _names(of: Callable[[Format], object]) -> str:
    return "; ".join(form.name for form in FORMATS if form is ZIP or of(form) is not None)


def _reader(content: Content, of: Callable[[Format], Reader | None]) -> Reader:
    found = next((form for form in FORMATS if form.matches(content)), None)
    read = None if found is None else of(found)
    if read is None:
        what, fix = _describe_file(content, found)
        raise InputError([Problem("unknown-format", content.name, what, f"one of: {_names(of)}", fix)])
    return read


def _describe_file(content: Content, form: Format | None) -> tuple[str, str]:
    """Describe a file, and return how to convert it or an example of a valid file."""
    example = f"{content.ours.shown}, or a table with the header {content.ours.header}."
    if form is not None:
        return f"{form.name}, which cannot be used here", example
    if isinstance(content.value, Mapping) and (declared := content.value.get("format")) is not None:
        return f"the format {quoted(str(declared))}", example
    if (shape := describe_clusters(content.value)) is not None:
        return shape if content.ours is CLUSTERINGS else (shape[0], example)
    if isinstance(content.value, Mapping):
        return "a JSON object without a 'format'", example
    begins = f"a file that begins with {quoted(content.text[:40])}"
    if any(mark in content.text.partition("\n")[0] for mark in "|^~"):
        return begins, f"Columns are separated by commas, semicolons or tabs. {example}"
    return begins, example

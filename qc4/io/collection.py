"""Read collections: queries with their page lists, with or without gold standards, in any format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from qc4.io.ambient import find_layout, parse_layout
from qc4.io.archives import read_folder, read_zip, without_side_files
from qc4.io.catalogue import ZIP, read_page_lists_in
from qc4.io.content import Content
from qc4.io.kinds import GOLDS
from qc4.io.limits import DEFAULT_LIMITS, Budget, BudgetError, FileProblems, Limits, with_earlier_problems
from qc4.io.source import UNNAMED, Blob, Source, read_blob
from qc4.model.gold_document import GoldDocument
from qc4.model.spelling import entity_warnings, spelling_warnings, with_entities_decoded
from qc4.problems import InputError, Problem, ProblemList, repeated_positions
from qc4.text import HTML_ENTITIES, HtmlEntities, difference
from qc4.wording import quoted


@dataclass(frozen=True, slots=True)
class CollectionDocument:
    """Queries of one collection, not yet checked against the rules R1-R6.

    Attributes:
        name: a name taken from the file or folder.
        documents: one per query; those without topics and outliers are plain page lists.
        notes: sentences on omitted or surprising data.
        warnings: suspicious texts: HTML entities, and queries whose names differ only in Unicode form.
    """

    name: str
    documents: tuple[GoldDocument, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()


def read_collection(
    source: Source,
    split_levels: str | None = None,
    *,
    html_entities: HtmlEntities = "auto",
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> CollectionDocument:
    """Read a collection from a file, a ZIP, a folder, or a parsed object.

    The file may be a ``qc4-gold/1`` file, the AMBIENT layout, Carrot2 XML or JSON, or a CSV or TSV page list. A ZIP or
    folder may hold any of these.

    Args:
        split_levels: a separator such as ``>`` that splits subtopic names of the AMBIENT layout into levels.
        html_entities: what to do with HTML entities in names, titles, URLs and texts. "auto" decodes them once if the
            format is known to be escaped (the AMBIENT layout); otherwise it keeps them and warns. "keep", "once" and
            "twice" apply to any format.
        name: name of the source in messages.

    Raises:
        InputError: all errors of all files together; nothing is half-read.
    """
    problems, budget = FileProblems(), Budget(limits)
    if html_entities not in HTML_ENTITIES:
        expected = f"one of {', '.join(HTML_ENTITIES)}"
        raise InputError([Problem("unknown-choice", "html_entities", repr(html_entities), expected)])
    how = _How(split_levels, html_entities)
    if isinstance(source, Mapping):
        content = Content.parsed(source, name or UNNAMED, budget, GOLDS)
        collection = _from_files(content.name, [content], how, problems)
    elif isinstance(source, str | os.PathLike) and Path(source).is_dir():
        folder = Path(source)
        collection = _from_folder(folder.resolve().name, read_folder(folder, budget), how, budget, problems)
    else:
        content = Content(read_blob(source, name, limits), budget, GOLDS)
        if ZIP.matches(content):
            blobs = read_zip(content.blob, budget)
            collection = _from_folder(content.blob.stem, blobs, how, budget, problems)
        else:
            collection = _from_files(content.blob.stem, [content], how, problems)
    _check_documents(collection, limits, problems)
    problems.refuse_errors()
    documents = collection.documents
    names = [document.query_text or document.query_id for document in documents]
    entities = () if html_entities == "keep" else entity_warnings(documents)
    return replace(collection, warnings=(*spelling_warnings("query names", names), *entities))


class _How(NamedTuple):
    """How texts are read: see `read_collection`."""

    split_levels: str | None
    html_entities: HtmlEntities


def _from_folder(
    name: str, blobs: Sequence[Blob], how: _How, budget: Budget, problems: FileProblems
) -> CollectionDocument:
    layout = find_layout(blobs, problems)
    problems.refuse_errors()
    if layout is not None:
        documents, notes = parse_layout(layout, how.split_levels, budget, problems, how.html_entities)
        return CollectionDocument(name, tuple(documents), tuple(notes))
    wanted, side_files = without_side_files(blobs)
    if not wanted:
        found = f"{len(blobs):,} files without a page list"
        raise InputError([Problem("empty-collection", name, found, "at least one file with a page list")])
    collection = _from_files(name, (Content(blob, budget, GOLDS) for blob in wanted), how, problems)
    return replace(collection, notes=tuple(f"{blob.name} skipped" for blob in side_files))


def _from_files(name: str, files: Iterable[Content], how: _How, problems: FileProblems) -> CollectionDocument:
    documents: list[GoldDocument] = []
    for content in files:
        if problems.full:
            break
        try:
            documents.extend(read_page_lists_in(content, problems))
        except BudgetError as error:
            raise with_earlier_problems(error, problems.errors) from None
        except InputError as error:
            problems.extend(error.problems)
    if how.html_entities in ("once", "twice"):
        documents = [with_entities_decoded(document, how.html_entities) for document in documents]
    return CollectionDocument(name, tuple(documents))


def _check_documents(collection: CollectionDocument, limits: Limits, problems: ProblemList) -> None:
    limits.exceeded("queries", len(collection.documents), collection.name, problems)
    queries = [document.query_id for document in collection.documents]
    for number, first in repeated_positions(queries):
        how = f" ({said})" if (said := difference(queries[first], queries[number])) else ""
        found = f"the query {quoted(queries[number])} again{how}"
        problems.error("duplicate-query", collection.name, found, "each query id once per collection")
    for document in collection.documents:
        where = f"query {quoted(document.query_id)}"
        ids = chain([document.query_id], document.page_ids, (topic.id for topic in document.topics))
        limits.exceeded("id_chars", max(map(len, ids)), where, problems)

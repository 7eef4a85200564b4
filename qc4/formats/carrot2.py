"""Carrot2: 3.x XML, 3.x JSON and 4.x JSON, as page lists and as clusterings.

3.x names documents by their id, 4.x by their 0-based position in the request. Documents without ids get their position.
The group with the attribute ``other-topics`` is what no cluster took: it is kept aside, not a cluster. A group holds
the documents of the groups in it, as Carrot2 itself counts them and as every nested clustering is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from qc4.clustering.clustering import Cluster, Clustering
from qc4.formats.context import Context
from qc4.formats.source import Blob
from qc4.gold.document import GoldDocument, Page
from qc4.problems import ProblemList
from qc4.problems.references import check_known, check_once
from qc4.problems.wording import quoted
from qc4.text import Spellings


@dataclass(frozen=True, slots=True)
class Group:
    """A group of documents; ``documents`` are ids (3.x) or positions (4.x), as written."""

    id: str
    label: str
    documents: tuple[str, ...]
    groups: tuple[Group, ...] = ()
    other_topics: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a Carrot2 file says: a query, documents, groups of them.

    ``positions`` is whether groups name documents by position.
    """

    query: str | None
    pages: tuple[Page, ...]
    groups: tuple[Group, ...]
    positions: bool


def page_list(answer: Answer, blob: Blob, problems: ProblemList) -> GoldDocument:
    """The documents of an answer as a page list; its query is known by its text, or by the file's name."""
    if not answer.pages:
        problems.error("no-pages", blob.name, "no documents", "the documents that were clustered")
    query = answer.query or blob.stem
    return GoldDocument(query, query, answer.pages)


def clustering(answer: Answer, blob: Blob, context: Context) -> list[Clustering]:
    """The groups of an answer as a clustering, if it is clear which query it is about."""
    query = context.query_of(blob, answer.query)
    if query is None:
        return []
    names = _page_names(answer, blob, query, context)
    if names is None:
        return []
    known = Spellings(names)
    clusters: list[Cluster] = []
    aside: list[str] = []
    for group, parent, path in _walk(answer.groups):
        pages = _members(group, names, known, f"{blob.name}: {path}", context.problems)
        if group.other_topics:
            aside.extend(pages)
        else:
            clusters.append(Cluster(group.id, pages, group.label, parent, group.extra))
    return [Clustering(query, tuple(clusters), extra={"other_topics": aside} if aside else {})]


def _page_names(answer: Answer, blob: Blob, query: str, context: Context) -> Mapping[str, str] | None:
    """Reference as written -> page id; an empty mapping where references are the ids and any may occur."""
    if not answer.positions:
        return {page.id: page.id for page in answer.pages}
    if answer.pages:
        return {str(position): page.id for position, page in enumerate(answer.pages)}
    pages = context.pages_of(blob, query)
    return None if pages is None else {str(position): page for position, page in enumerate(pages)}


def _members(
    group: Group, names: Mapping[str, str], known: Spellings, where: str, problems: ProblemList
) -> tuple[str, ...]:
    """The page ids of a group itself, each once."""
    if names:
        check_known(group.documents, known, where, "documents of the page list", problems, "documents")
    check_once(group.documents, where, "each page once per cluster", problems, "documents")
    return tuple(dict.fromkeys(names.get(reference, reference) for reference in known.of_all(group.documents)))


def _walk(
    groups: tuple[Group, ...], parent: str | None = None, path: str = ""
) -> Iterator[tuple[Group, str | None, str]]:
    """Every group, parents first: (group, its parent's id, where it stands)."""
    for number, group in enumerate(groups):
        place = f"{path}group {number + 1} {quoted(group.label)}"
        yield group, parent, place
        yield from _walk(group.groups, group.id, f"{place} > ")

"""Carrot2: 3.x XML, 3.x JSON and 4.x JSON, as page lists and as clusterings.

3.x refers to documents by id, 4.x by 0-based position in the request. Documents without ids get their position as id.
The group with the attribute ``other-topics`` holds the pages in no cluster: it is stored separately, not as a cluster.
A group contains the documents of its subgroups, as Carrot2 itself counts them and as every nested clustering is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qc4.io.content import Content
from qc4.io.context import Context
from qc4.io.json_fields import Record, describe
from qc4.io.limits import Budget, Limits, problems_within
from qc4.io.source import Blob
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import PAGE_TEXTS, GoldDocument, Page
from qc4.problems import (
    InputError,
    Problem,
    ProblemList,
    check_ids,
    check_known,
    check_no_repeats,
    require_package,
)
from qc4.text import Spellings
from qc4.wording import quoted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element, TreeBuilder


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
    """The contents of a Carrot2 file: a query, documents, and groups of them.

    ``positions`` is True if groups refer to documents by position.
    """

    query: str | None
    pages: tuple[Page, ...]
    groups: tuple[Group, ...]
    positions: bool


def page_list(answer: Answer, blob: Blob, problems: ProblemList) -> GoldDocument:
    """Return the documents of a response as a page list. The query's id is its text, or the file's name."""
    if not answer.pages:
        problems.error("no-pages", blob.name, "no documents", "the documents that were clustered")
    query = answer.query or blob.stem
    return GoldDocument(query, query, answer.pages)


def clustering(answer: Answer, blob: Blob, context: Context) -> list[Clustering]:
    """Return the groups of a response as a clustering, if its query is known."""
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
    """Map each reference to its page id. The mapping is empty if the references are ids and any id may occur."""
    if not answer.positions:
        return {page.id: page.id for page in answer.pages}
    if answer.pages:
        return {str(position): page.id for position, page in enumerate(answer.pages)}
    pages = context.pages_of(blob, query)
    return None if pages is None else {str(position): page for position, page in enumerate(pages)}


def _members(
    group: Group, names: Mapping[str, str], known: Spellings, where: str, problems: ProblemList
) -> tuple[str, ...]:
    """Return the page ids of a group without its subgroups, without repetitions."""
    if names:
        check_known(group.documents, known, where, "documents of the page list", problems, "documents")
    check_no_repeats(group.documents, where, "each page once per cluster", problems, "documents")
    return tuple(dict.fromkeys(names.get(reference, reference) for reference in known.of_all(group.documents)))


def _walk(
    groups: tuple[Group, ...], parent: str | None = None, path: str = ""
) -> Iterator[tuple[Group, str | None, str]]:
    """Yield every group, parents first: (group, its parent's id, its place)."""
    for number, group in enumerate(groups):
        place = f"{path}group {number + 1} {quoted(group.label)}"
        yield group, parent, place
        yield from _walk(group.groups, group.id, f"{place} > ")


# --- Carrot2 JSON: 3.x responses (``phrases``, documents by id), 4.x requests and responses (``labels``, by position)
# ---


def is_carrot2_json(content: Content) -> bool:
    return content.holds("documents", "clusters") and not content.holds("clusterings")


def read_json_clusterings(content: Content, context: Context) -> list[Clustering]:
    """Read the clusters of a response."""
    with problems_within(context.problems, content.name) as problems:
        answer = parse_json_answer(content.value, content.limits, problems)
        if "clusters" not in content.value:
            problems.error("missing-field", "clusters", "nothing", "the clusters of a Carrot2 response")
    return [] if problems.errors else clustering(answer, content.blob, context)


def read_json_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """Read the documents of a response or request."""
    with problems_within(problems, content.name) as own:
        answer = parse_json_answer(content.value, content.limits, own)
    return [page_list(answer, content.blob, problems)]


def parse_json_answer(value: Any, limits: Limits, problems: ProblemList) -> Answer:
    """Read a response or request from parsed JSON. Invalid fields are reported by path."""
    record = Record(value, "", problems, limits)
    documents = list(record.records("documents", required=False))
    groups = list(record.records("clusters", required=False))
    limits.exceeded("pages", len(documents), "documents", problems)
    with_ids = any("id" in document for document in documents)
    pages = []
    for rank, document in enumerate(documents, start=1):
        page_id = _reference(document, "id") if with_ids else str(rank - 1)
        pages.append(_json_page(document, page_id, rank))
    places = [(document.at("id"), f"at {document.path}") for document in documents]
    check_ids("duplicate-page", [page.id for page in pages], places.__getitem__, "each id once", problems)
    return Answer(
        query=_query(record),
        pages=tuple(pages),
        groups=tuple(_group(group, str(number)) for number, group in enumerate(groups)),
        positions=not _names_ids(groups),
    )


def _names_ids(groups: list[Record]) -> bool:
    """Return True if groups refer to documents by id. This is 3.x, which writes ``phrases`` instead of 4.x's
    ``labels``.
    """
    return any("phrases" in group for group in groups)


def _query(record: Record) -> str | None:
    """Return the query of a 3.x response, or the hint that a 4.x request gives its algorithm."""
    if text := (record.optional_text("query") or "").strip():
        return text
    hint = record.mapping("parameters").get("queryHint")
    return hint.strip() or None if isinstance(hint, str) else None


def _json_page(record: Record, page_id: str, rank: int) -> Page:
    texts = {name: _joined(record, name) for name in PAGE_TEXTS}
    return Page(id=page_id, rank=rank, extra=record.unknown("id", *PAGE_TEXTS), **texts)


def _joined(record: Record, name: str) -> str | None:
    """Return a text field; 4.x allows a list of texts."""
    if isinstance(record.raw(name), list):
        return " ".join(record.ids(name)) or None
    return record.optional_text(name)


def _group(record: Record, path: str) -> Group:
    attributes = record.mapping("attributes")
    labels = record.ids("labels") or record.ids("phrases")
    score = record.raw("score")
    return Group(
        id=path,
        label=", ".join(labels),
        documents=_references(record),
        groups=tuple(
            _group(child, f"{path}/{number}") for number, child in enumerate(record.records("clusters", required=False))
        ),
        other_topics=bool(attributes.get("other-topics")),
        extra={"score": score} if score is not None else {},
    )


def _references(record: Record) -> tuple[str, ...]:
    """Return the documents of a group, which may be numbers or texts."""
    values = record.raw("documents")
    if values is None:
        return ()
    if not isinstance(values, list | tuple):
        record.problems.error("wrong-type", record.at("documents"), describe(values), "a list")
        return ()
    for index, value in enumerate(values):
        if record.problems.full:
            break
        if isinstance(value, bool) or not isinstance(value, int | str):
            where = f"{record.at('documents')}[{index}]"
            record.problems.error("wrong-type", where, describe(value), "a document's number or id")
    return tuple(str(value) for value in values if isinstance(value, int | str))


def _reference(record: Record, key: str) -> str:
    value = record.raw(key)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else record.id(key)


# --- Carrot2 3.x XML: ``<searchresult>`` with ``<query>``, ``<document>`` and nested ``<group>`` ---

_NAMESPACE_CHARS = 255


def read_xml_clusterings(content: Content, context: Context) -> list[Clustering]:
    """Read the groups of a response."""
    return clustering(parse_xml(content.blob, content.budget, context.problems), content.blob, context)


def read_xml_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """Read the documents of a response."""
    return [page_list(parse_xml(content.blob, content.budget, problems), content.blob, problems)]


def parse_xml(blob: Blob, budget: Budget, problems: ProblemList) -> Answer:
    """Parse a Carrot2 XML file. Document types and entities are rejected because Carrot2 never writes them.

    Raises:
        InputError: not well-formed XML (with line and column), not Carrot2's XML, or defusedxml is not installed.
    """
    limits = budget.limits
    root = _root(blob, budget)
    if root.tag != "searchresult":
        found = f"an XML file with the root <{root.tag[:60]}>"
        raise InputError([Problem("unknown-format", blob.name, found, "Carrot2 XML with the root <searchresult>")])
    documents = root.findall("document")
    limits.exceeded("pages", len(documents), blob.name, problems)
    ids = _document_ids(blob, documents, problems)
    return Answer(
        query=_text(root, "query"),
        pages=tuple(
            _xml_page(page_id, rank, element)
            for rank, (page_id, element) in enumerate(zip(ids, documents, strict=True), 1)
        ),
        groups=_groups(root, "", blob, limits, problems, 1),
        positions=False,
    )


def _root(blob: Blob, budget: Budget) -> Element:
    require_package("defusedxml", blob.name)
    budget.charge("xml_nodes", blob.data.count(b"<") + blob.data.count(b"="), blob.name)
    # Imported here because few files are XML: the engine loads faster, and works without an XML reader.
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    parser = DefusedXMLParser(target=_tree(blob), forbid_dtd=True)
    try:
        parser.feed(blob.data)
        root: Element = parser.close()
    except ParseError as error:
        line, column = error.position
        where = f"{blob.name}: line {line}, column {column + 1}"
        raise InputError([Problem("not-xml", where, quoted(str(error)), "well-formed XML")]) from None
    except DefusedXmlException:
        found = "a document type or entity declaration"
        raise InputError([Problem("unsafe-xml", blob.name, found, "XML without <!DOCTYPE>", "Remove it.")]) from None
    except InputError:
        raise
    except (ValueError, LookupError) as error:
        raise InputError([Problem("not-xml", blob.name, quoted(str(error)), "XML in UTF-8")]) from None
    if len(blob.data) > budget.limits.value_chars:
        for element in root.iter():
            for text in (element.text or "", *element.attrib.values()):
                budget.check_text_length(text, f"{blob.name}: <{element.tag[:60]}>")
    return root


def _tree(blob: Blob) -> TreeBuilder:
    """Return a tree builder that rejects long namespace URIs, because the URI is repeated in every name of its
    namespace.
    """
    from xml.etree.ElementTree import TreeBuilder

    class Tree(TreeBuilder):
        def start_ns(self, prefix: str, uri: str) -> None:
            if len(uri) > _NAMESPACE_CHARS:
                found, fix = f"a namespace of {len(uri):,} characters", "Remove it: Carrot2 writes none."
                expected = f"at most {_NAMESPACE_CHARS}"
                raise InputError([Problem("unsafe-xml", blob.name, found, expected, fix)])

    return Tree()


def _document_ids(blob: Blob, documents: list[Element], problems: ProblemList) -> list[str]:
    """Return the id attributes, or positions if no document has one."""
    given = [element.get("id") for element in documents]
    if not any(given):
        return [str(position) for position in range(len(documents))]
    ids = [page_id or None for page_id in given]
    places = [(f"{blob.name}: document {number}", f"on document {number}") for number in range(1, len(ids) + 1)]
    for page_id, (where, _) in zip(ids, places, strict=True):
        if problems.full:
            break
        if not page_id:
            problems.error("missing-field", where, "no id", "an id on every document, or on none")
    check_ids("duplicate-page", ids, places.__getitem__, "each id once", problems)
    return [page_id or "" for page_id in ids]


def _xml_page(page_id: str, rank: int, element: Element) -> Page:
    sources = [source.text.strip() for source in element.iterfind("sources/source") if source.text]
    extra: dict[str, object] = {"sources": sources} if sources else {}
    if language := element.get("language"):
        extra["language"] = language
    return Page(page_id, rank, _text(element, "url"), _text(element, "title"), _text(element, "snippet"), extra=extra)


def _groups(
    element: Element, path: str, blob: Blob, limits: Limits, problems: ProblemList, depth: int
) -> tuple[Group, ...]:
    if depth > limits.json_depth:
        limits.exceeded("json_depth", depth, blob.name, problems)
        return ()
    groups = []
    for number, child in enumerate(element.findall("group")):
        # In some versions ids are unique only among siblings; the path from the root always is.
        group_id = f"{path}{child.get('id') or number}"
        references = [document.get("refid") for document in child.findall("document")]
        if None in references:
            where = f"{blob.name}: group {quoted(group_id)}"
            problems.error("missing-field", where, "a document without 'refid'", "<document refid=…/>")
        score = child.get("score")
        groups.append(
            Group(
                id=group_id,
                label=", ".join(filter(None, (phrase.text for phrase in child.iterfind("title/phrase")))),
                documents=tuple(reference for reference in references if reference is not None),
                groups=_groups(child, f"{group_id}/", blob, limits, problems, depth + 1),
                other_topics=_is_other_topics(child),
                extra={"score": score} if score is not None else {},
            )
        )
    return tuple(groups)


def _is_other_topics(group: Element) -> bool:
    for attribute in group.findall("attribute"):
        if attribute.get("key") == "other-topics":
            value = attribute.find("value")
            return (value.get("value", "true") if value is not None else "true").casefold() != "false"
    return False


def _text(element: Element, tag: str) -> str | None:
    """Return the text of a child without surrounding white space, or None if there is none."""
    text = (element.findtext(tag) or "").strip()
    return text or None

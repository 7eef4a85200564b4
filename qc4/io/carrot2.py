"""Carrot2: 3.x XML, 3.x JSON and 4.x JSON, as page lists and as clusterings.

3.x names documents by their id, 4.x by their 0-based position in the request. Documents without ids get their position.
The group with the attribute ``other-topics`` is what no cluster took: it is kept aside, not a cluster. A group holds
the documents of the groups in it, as Carrot2 itself counts them and as every nested clustering is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qc4.io.content import Content
from qc4.io.context import Context
from qc4.io.json_fields import Record, described
from qc4.io.limits import Budget, Limits, named
from qc4.io.source import Blob
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import PAGE_TEXTS, GoldDocument, Page
from qc4.problems import InputError, Problem, ProblemList, check_ids, check_known, check_once, require_package
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


# Carrot2 JSON: 3.x answers (``phrases``, documents by id), 4.x requests and answers (``labels``, by position).


def takes_json(content: Content) -> bool:
    return content.holds("documents", "clusters") and not content.holds("clusterings")


def read_json_clusterings(content: Content, context: Context) -> list[Clustering]:
    """The clusters of an answer."""
    with named(context.problems, content.name) as problems:
        answer = parse_json_answer(content.value, content.limits, problems)
        if "clusters" not in content.value:
            problems.error("missing-field", "clusters", "nothing", "the clusters of a Carrot2 answer")
    return [] if problems.errors else clustering(answer, content.blob, context)


def read_json_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """The documents of an answer or request."""
    with named(problems, content.name) as own:
        answer = parse_json_answer(content.value, content.limits, own)
    return [page_list(answer, content.blob, problems)]


def parse_json_answer(value: Any, limits: Limits, problems: ProblemList) -> Answer:
    """An answer or request from parsed JSON; what does not fit is noted by path."""
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
    """Whether groups name documents by id: 3.x, which says ``phrases`` where 4.x says ``labels``."""
    return any("phrases" in group for group in groups)


def _query(record: Record) -> str | None:
    """The query of a 3.x answer, or the hint a 4.x request gives its algorithm."""
    if text := (record.optional_text("query") or "").strip():
        return text
    hint = record.mapping("parameters").get("queryHint")
    return hint.strip() or None if isinstance(hint, str) else None


def _json_page(record: Record, page_id: str, rank: int) -> Page:
    texts = {name: _joined(record, name) for name in PAGE_TEXTS}
    return Page(id=page_id, rank=rank, extra=record.unknown("id", *PAGE_TEXTS), **texts)


def _joined(record: Record, name: str) -> str | None:
    """A text field; 4.x allows a list of texts."""
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
    """Documents of a group: numbers or texts."""
    values = record.raw("documents")
    if values is None:
        return ()
    if not isinstance(values, list | tuple):
        record.problems.error("wrong-type", record.at("documents"), described(values), "a list")
        return ()
    for index, value in enumerate(values):
        if record.problems.full:
            break
        if isinstance(value, bool) or not isinstance(value, int | str):
            where = f"{record.at('documents')}[{index}]"
            record.problems.error("wrong-type", where, described(value), "a document's number or id")
    return tuple(str(value) for value in values if isinstance(value, int | str))


def _reference(record: Record, key: str) -> str:
    value = record.raw(key)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else record.id(key)


# Carrot2 3.x XML: ``<searchresult>`` with ``<query>``, ``<document>`` and nested ``<group>``.

_NAMESPACE_CHARS = 255


def read_xml_clusterings(content: Content, context: Context) -> list[Clustering]:
    """The groups of an answer."""
    return clustering(parse_xml(content.blob, content.budget, context.problems), content.blob, context)


def read_xml_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """The documents of an answer."""
    return [page_list(parse_xml(content.blob, content.budget, problems), content.blob, problems)]


def parse_xml(blob: Blob, budget: Budget, problems: ProblemList) -> Answer:
    """Parse a Carrot2 XML file. Document types and entities are refused: no honest file needs them.

    Raises:
        InputError: not well-formed XML (with line and column), or not Carrot2's; defusedxml is not installed.
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
    # Imported here because few files are XML: the engine is loaded faster, and installed, without any reader of XML.
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
                budget.refuse_long(text, f"{blob.name}: <{element.tag[:60]}>")
    return root


def _tree(blob: Blob) -> TreeBuilder:
    """What makes the tree. The address of a namespace is written before every name in it: a long one is refused."""
    from xml.etree.ElementTree import TreeBuilder

    class Tree(TreeBuilder):
        def start_ns(self, prefix: str, uri: str) -> None:
            if len(uri) > _NAMESPACE_CHARS:
                found, fix = f"a namespace of {len(uri):,} characters", "Remove it: Carrot2 writes none."
                expected = f"at most {_NAMESPACE_CHARS}"
                raise InputError([Problem("unsafe-xml", blob.name, found, expected, fix)])

    return Tree()


def _document_ids(blob: Blob, documents: list[Element], problems: ProblemList) -> list[str]:
    """The id attributes, or positions if no document has one."""
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
        # Ids are unique only among siblings in some versions; the path from the root always is.
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
    """The text of a child, without surrounding blanks; None if there is none."""
    text = (element.findtext(tag) or "").strip()
    return text or None

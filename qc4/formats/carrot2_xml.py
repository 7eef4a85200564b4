"""Carrot2 3.x XML: ``<searchresult>`` with ``<query>``, ``<document>`` and nested ``<group>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qc4.clustering.clustering import Clustering
from qc4.formats import carrot2
from qc4.formats.budget import Budget
from qc4.formats.carrot2 import Answer, Group
from qc4.formats.content import Content
from qc4.formats.context import Context
from qc4.formats.limits import Limits
from qc4.formats.source import Blob
from qc4.gold.document import GoldDocument, Page
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.packages import require
from qc4.problems.references import check_ids
from qc4.problems.wording import quoted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element, TreeBuilder

_NAMESPACE_CHARS = 255


def read_clusterings(content: Content, context: Context) -> list[Clustering]:
    """The groups of an answer."""
    return carrot2.clustering(parse_xml(content.blob, content.budget, context.problems), content.blob, context)


def read_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """The documents of an answer."""
    return [carrot2.page_list(parse_xml(content.blob, content.budget, problems), content.blob, problems)]


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
            _page(page_id, rank, element) for rank, (page_id, element) in enumerate(zip(ids, documents, strict=True), 1)
        ),
        groups=_groups(root, "", blob, limits, problems, 1),
        positions=False,
    )


def _root(blob: Blob, budget: Budget) -> Element:
    require("defusedxml", blob.name)
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


def _page(page_id: str, rank: int, element: Element) -> Page:
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

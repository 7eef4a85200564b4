"""``qc4-gold/1``: a query, its page list and its gold standard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qc4.formats.collecting import named
from qc4.formats.content import Content
from qc4.formats.fields import Record
from qc4.formats.json_shapes import without_format
from qc4.formats.kinds import GOLDS
from qc4.formats.limits import Limits
from qc4.formats.strict_json import canonical_json, with_extra
from qc4.gold.document import PAGE_FIELDS, PAGE_TEXTS, GoldDocument, Page, PageColumns, Topic
from qc4.gold.spelling import with_known_spellings
from qc4.gold.structure import check_page_list
from qc4.problems import ProblemList

FORMAT = "qc4-gold/1"
_PAGE_FIELDS = ("id", *PAGE_FIELDS)
_FIRST_PAGE_FIELDS = ("id", "rank", "url", "title", "snippet", "text")
"""Those the format began with."""
_TOPIC_FIELDS = ("id", "name", "parent", "level", "pages")


def takes(content: Content) -> bool:
    return content.declares(FORMAT)


def read_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """The page list in a ``qc4-gold/1`` object, with its gold standard if it has one."""
    with named(problems, content.name) as own:
        document = parse_gold(content.value, content.limits, own)
        own.extend(check_page_list(document))
        return [document]


def parse_gold(value: Any, limits: Limits, problems: ProblemList) -> GoldDocument:
    """A document from parsed JSON; whatever does not fit its shape is noted in ``problems``.

    The rules R1-R6 are not looked at: see `qc4.gold.rules`.
    """
    record = Record(value, "", problems, limits)
    if record.raw("format") != FORMAT:
        found, expected = without_format(value), f"the text {FORMAT!r}"
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
    """The canonical file of a document: the same document always gives the same bytes.

    Every field the format began with is written, also those that are null, in the order of the format; later ones only
    where they are given, so that older files keep their bytes; then the extra fields, sorted. Pages, topics and page
    ids keep the order of the document. Its SHA-256 is the version hash.
    """
    return canonical_json(gold_to_dict(document))


def gold_to_dict(document: GoldDocument) -> dict[str, Any]:
    """The object `write_gold` writes."""
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

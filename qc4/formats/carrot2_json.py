"""Carrot2 JSON: 3.x answers (``phrases``, documents by id), 4.x requests and answers (``labels``, by position)."""

from __future__ import annotations

from typing import Any

from qc4.clustering.clustering import Clustering
from qc4.formats import carrot2
from qc4.formats.carrot2 import Answer, Group
from qc4.formats.collecting import named
from qc4.formats.content import Content
from qc4.formats.context import Context
from qc4.formats.fields import Record, described
from qc4.formats.limits import Limits
from qc4.gold.document import PAGE_TEXTS, GoldDocument, Page
from qc4.problems import ProblemList
from qc4.problems.references import check_ids


def takes(content: Content) -> bool:
    return content.holds("documents", "clusters") and not content.holds("clusterings")


def read_clusterings(content: Content, context: Context) -> list[Clustering]:
    """The clusters of an answer."""
    with named(context.problems, content.name) as problems:
        answer = parse_json_answer(content.value, content.limits, problems)
        if "clusters" not in content.value:
            problems.error("missing-field", "clusters", "nothing", "the clusters of a Carrot2 answer")
    return [] if problems.errors else carrot2.clustering(answer, content.blob, context)


def read_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """The documents of an answer or request."""
    with named(problems, content.name) as own:
        answer = parse_json_answer(content.value, content.limits, own)
    return [carrot2.page_list(answer, content.blob, problems)]


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
        pages.append(_page(document, page_id, rank))
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


def _page(record: Record, page_id: str, rank: int) -> Page:
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

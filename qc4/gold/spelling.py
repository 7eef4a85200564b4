"""Unicode forms and HTML entities in a document: references in another form, and what a person should look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from qc4.gold.document import PAGE_TEXTS, GoldDocument, Page, Topic, page_texts
from qc4.problems import Problem
from qc4.problems.spelling import entity_warning, spelling_warnings
from qc4.text import HtmlEntities, Spellings, are_ascii, decode_entities, has_entities


def with_known_spellings(document: GoldDocument) -> GoldDocument:
    """Return the document with every reference to a page or topic spelled as that page or topic is.

    Ids are the same if their `qc4.text.comparison_key` is. References to what does not exist stay as they are.
    """
    topics = document.topics
    ids = [document.page_ids, document.outliers, *(topic.pages for topic in topics), map(_own_ids, topics)]
    if are_ascii(chain.from_iterable(ids)):
        return document
    pages, parents = Spellings(document.page_ids), Spellings([topic.id for topic in topics])
    return replace(
        document,
        outliers=pages.of_all(document.outliers),
        topics=tuple(
            replace(
                topic,
                pages=pages.of_all(topic.pages),
                parent=None if topic.parent is None else parents.of(topic.parent),
            )
            for topic in topics
        ),
    )


def _own_ids(topic: Topic) -> str:
    return topic.id + (topic.parent or "")


def unusual_texts(document: GoldDocument) -> Iterator[Problem]:
    """Yield warnings about ids and names that look like others, or that hold invisible characters.

    `qc4.gold.rules.check` leaves them to those who read files: they are about how a file was written.
    """
    yield from spelling_warnings("page ids", document.page_ids)
    yield from spelling_warnings("topic ids", [topic.id for topic in document.topics])
    yield from spelling_warnings("topic names", [topic.name for topic in document.topics])


def entity_warnings(documents: Sequence[GoldDocument]) -> Iterator[Problem]:
    """Yield a warning about each kind of text that holds HTML entities."""
    found: dict[str, list[str]] = {what: [] for what in ("query names", "topic names", "titles", "URLs", "snippets")}
    for document in documents:
        found["query names"] += filter(has_entities, (document.query_id, document.query_text))
        found["topic names"] += (topic.name for topic in document.topics if has_entities(topic.name))
        for field, what in (("title", "titles"), ("url", "URLs"), ("snippet", "snippets")):
            found[what] += (text for text in page_texts(document.pages, field) if text and has_entities(text))
    for what, texts in found.items():
        if texts:
            yield entity_warning(what, texts)


def with_entities_decoded(document: GoldDocument, how: HtmlEntities) -> GoldDocument:
    """Return the document with the HTML entities in its texts decoded; ids stay as they are."""

    def plain(page: Page) -> Page:
        texts: dict[str, Any] = {name: text for name in PAGE_TEXTS if (text := getattr(page, name))}
        for name, text in texts.items():
            texts[name] = decode_entities(text, how)
        return replace(page, **texts)

    return replace(
        document,
        query_text=decode_entities(document.query_text, how),
        pages=tuple(map(plain, document.pages)),
        topics=tuple(replace(topic, name=decode_entities(topic.name, how)) for topic in document.topics),
    )

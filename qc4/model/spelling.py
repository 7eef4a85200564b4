"""Warnings about invisible characters, Unicode forms and HTML entities in the texts of an input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from qc4.model.clustering import Cluster, ClusterColumns, Clustering
from qc4.model.gold_document import PAGE_TEXTS, GoldDocument, Page, Topic, page_texts
from qc4.problems import Problem
from qc4.text import (
    IGNORED_CHARACTERS,
    JOINERS,
    HtmlEntities,
    Spellings,
    are_ascii,
    code_points,
    comparison_key,
    decode_entities,
    difference,
    first_entity,
    has_entities,
    invisible_in,
)
from qc4.wording import counted, quoted

_SHOWN = 3


def spelling_warnings(what: str, texts: Sequence[str]) -> Iterator[Problem]:
    """Yield warnings about texts that differ only in Unicode form, and about invisible characters.

    Args:
        what: the kind of texts, in the plural, which is also the place in the warning: "topic names".
    """
    if are_ascii(texts):
        return
    different = dict.fromkeys(texts)
    yield from form_warnings(what, different)
    yield from _invisible(what, [text for text in different if set(IGNORED_CHARACTERS) & set(text)], IGNORED_CHARACTERS)
    yield from _invisible(what, [text for text in different if set(JOINERS) & set(text)], JOINERS)


def form_warnings(what: str, texts: Iterable[str]) -> Iterator[Problem]:
    """Yield warnings about texts that differ only in Unicode form.

    Args:
        texts: different texts.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(comparison_key(text), []).append(text)
    for group in [group for group in groups.values() if len(group) > 1][:_SHOWN]:
        found = f"{quoted(group[0])} in {len(group)} Unicode forms: {difference(group[0], group[1])}"
        fix = f"{_SAME} If they mean different things, change one of them."
        yield Problem("unicode-form", what, found, "one form for each name", fix, "warning")


def entity_warning(what: str, texts: Sequence[str]) -> Problem:
    """Return the warning about texts that contain HTML entities; there is at least one text."""
    entity = quoted(first_entity(texts[0]))
    found = f"HTML entities in {len(texts):,} of the {what}, such as {entity} in {quoted(texts[0])}"
    fix = "If they are unintended, choose how to decode HTML entities (keep, once or twice) when you import the file."
    return Problem("html-entities", what, found, "plain text", fix, "warning")


def respelled_warning(where: str, pairs: Sequence[tuple[str, str]]) -> Problem:
    """Return the warning about page ids that a clustering writes in another Unicode form than the page list.

    Args:
        pairs: the id in the clustering and the id in the page list; at least one pair.
    """
    written, known = pairs[0]
    found = f"{counted(len(pairs), 'page id')} in another Unicode form than in the page list, such as {quoted(written)}"
    return Problem(
        "unicode-form",
        where,
        f"{found}: {difference(known, written)}",
        "ids as spelled in the page list",
        _SAME,
        "warning",
    )


_SAME = "They count as the same."


def _invisible(what: str, texts: Sequence[str], characters: str) -> Iterator[Problem]:
    if not texts:
        return
    named = code_points("".join(each for each in invisible_in("".join(texts)) if each in characters))
    found = f"invisible characters ({named}) in {len(texts):,} of the {what}, such as {quoted(texts[0])}"
    meaning = (
        "They have a meaning in some scripts and in emoji, so they are significant"
        if characters == JOINERS
        else "They are ignored"
    )
    fix = f"{meaning} when names are compared. Remove them if they are unintended."
    yield Problem("invisible-character", what, found, "visible characters", fix, "warning")


# --- Unicode forms and HTML entities in a document ---


def with_known_spellings(document: GoldDocument) -> GoldDocument:
    """Return the document with every reference spelled like the page or topic that it refers to.

    Ids are equal if their `qc4.text.comparison_key` is. References to unknown ids are unchanged.
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


def unusual_gold_texts(document: GoldDocument) -> Iterator[Problem]:
    """Yield warnings about ids and names that look like others, or that contain invisible characters.

    `qc4.model.rules.check` does not include them, because they concern the file and not the gold standard.
    """
    yield from spelling_warnings("page ids", document.page_ids)
    yield from spelling_warnings("topic ids", [topic.id for topic in document.topics])
    yield from spelling_warnings("topic names", [topic.name for topic in document.topics])


def entity_warnings(documents: Sequence[GoldDocument]) -> Iterator[Problem]:
    """Yield a warning for each kind of text with HTML entities."""
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
    """Return the document with the HTML entities in its texts decoded; ids are unchanged."""

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


# --- Clusterings with page ids in another Unicode form than the page list ---


def with_known_pages(clustering: Clustering, known: Spellings) -> tuple[Clustering, list[tuple[str, str]]]:
    """Return the clustering with its page ids spelled as in the page list, and the pairs of ids that were changed.

    Args:
        known: the ids of the page list. Unknown ids are unchanged.
    """
    clusters = ClusterColumns.of(clustering.clusters)
    spelled = [known.of_all(pages) for pages in clusters.pages]
    changed = dict.fromkeys(
        pair
        for before, after in zip(clusters.pages, spelled, strict=True)
        if before != after
        for pair in zip(before, after, strict=True)
        if pair[0] != pair[1]
    )
    if not changed:
        return clustering, []
    columns = ClusterColumns(clusters.ids, spelled, clusters.labels, clusters.parents, clusters.extras)
    return replace(clustering, clusters=columns), list(changed)


def with_known_parents(clusters: Sequence[Cluster]) -> Sequence[Cluster]:
    """Return the clusters with every parent spelled like the id of the parent cluster."""
    columns = ClusterColumns.of(clusters)
    if columns.parents is None or are_ascii(chain(columns.ids, filter(None, columns.parents))):
        return clusters
    known = Spellings(columns.ids)
    parents = [None if parent is None else known.of(parent) for parent in columns.parents]
    return ClusterColumns(columns.ids, columns.pages, columns.labels, parents, columns.extras)


def unusual_clustering_texts(clustering: Clustering) -> Iterator[Problem]:
    """Yield warnings about labels and ids that look like others, or that contain invisible characters."""
    clusters = ClusterColumns.of(clustering.clusters)
    texts = {
        "cluster ids": clusters.ids,
        "cluster labels": [label for label in clusters.labels or () if label],
        "page ids": list(chain.from_iterable(clusters.pages)),
    }
    if clusters.labels == clusters.ids:
        del texts["cluster ids"]
    for what, those in texts.items():
        yield from spelling_warnings(what, those)

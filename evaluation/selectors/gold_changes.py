"""What a gold version changed, query by query, against the version before it."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.person import Person
from annotations.challenges.access import visible_entries
from annotations.drafts.state_machine.difference import Difference, difference
from annotations.gold.selectors import read
from annotations.limits import TOLD_TOPICS
from annotations.models import DraftPublication, Gold, GoldVersion, Query
from qc4.problems import InputError


@dataclass(frozen=True, slots=True)
class ChangedGold:
    """A query whose gold standard is another than in the version before.

    Attributes:
        difference: None where the query had no gold standard before, or where the two cannot be compared.
        too_large: whether they have too many topics for that.
        had_one: whether it had one before.
        publication: the draft it came from, None where it came from a file.
        titles: page id -> title.
    """

    query: Query
    gold: Gold
    had_one: bool
    difference: Difference | None
    publication: DraftPublication | None
    titles: dict[str, str]
    too_large: bool = False


def changed_golds(version: GoldVersion, person: Person | None = None) -> list[ChangedGold]:
    """The queries a version changed, in the order of the collection; six database queries however many they are.

    Args:
        person: leaves out queries that are hidden from this person; None leaves out none.
    """
    before = _golds(version.collection.gold_versions.filter(number=version.number - 1).first(), person)
    publications = {row.gold_id: row for row in version.publications.select_related("draft", "published_by")}
    return [
        _changed(query, gold, before.get(query), publications.get(gold.pk))
        for query, gold in _golds(version, person).items()
        if query not in before or before[query].pk != gold.pk
    ]


def _golds(version: GoldVersion | None, person: Person | None) -> dict[Query, Gold]:
    if version is None:
        return {}
    entries = (
        visible_entries(person, version).select_related("query", "gold__file").order_by("query__position", "query_id")
    )
    return {entry.query: entry.gold for entry in entries}


def _changed(query: Query, gold: Gold, old: Gold | None, publication: DraftPublication | None) -> ChangedGold:
    if old is not None and max(old.n_topics, gold.n_topics) > TOLD_TOPICS:
        return ChangedGold(query, gold, True, None, publication, {}, too_large=True)
    document = read(gold)
    try:
        found = None if old is None else difference(read(old), document)
    except InputError:
        # A gold standard from before the rules of drafts: it can be read and scored, not compared topic by topic.
        found = None
    titles = {page.id: page.title or page.id for page in document.pages}
    return ChangedGold(query, gold, old is not None, found, publication, titles)

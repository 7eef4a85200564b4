"""Whether drafts are independent annotations of a query. Agreement is meaningful only between independent drafts.

An own draft is dependent if it was started from another curator's draft, or if it was started or changed after its
curator had seen others' work on the query (`annotations.models.OthersSeen`). Seeing others' work after the last change
does not make a draft dependent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from accounts.person import Person
from annotations.models import Collection, Draft, OthersSeen, Query
from qc4.records import Record

What = OthersSeen.What


@dataclass(frozen=True, slots=True)
class Dependence(Record):
    """The reason why a draft is not an independent annotation.

    Attributes:
        sentence: the reason, for people. It does not state the consequence.
    """

    TITLE = "DraftDependence"
    KEYS = "draft=draft.pk curator=draft.curator?.username sentence"

    draft: Draft
    sentence: str


_MADE: dict[str, str] = {
    Draft.Kind.ADJUDICATION: "is an adjudication, made from others’ drafts",
    Draft.Kind.SHARED: "is shared by all curators",
}
NOT_INDEPENDENT = "This agreement is not independent."


def dependence_of(drafts: Sequence[Draft]) -> dict[int, Dependence]:
    """Return a mapping from draft id to the reason why it is dependent; two queries to the database.

    Independent drafts are not in the mapping.

    Args:
        drafts: the drafts, with their curators loaded.
    """
    own = [draft for draft in drafts if draft.kind == Draft.Kind.OWN]
    seen, sources = _seen(own), _sources(own)
    words = {draft.pk: _words(draft, seen.get(_key(draft)), sources) for draft in drafts}
    return {draft.pk: Dependence(draft, words[draft.pk]) for draft in drafts if words[draft.pk]}


def dependent_drafts_in(collection: Collection) -> set[int]:
    """Return the ids of a collection's own drafts that `dependence_of` reports as dependent.

    Takes three queries to the database, however many drafts there are.
    """
    after = {"query__drafts__curator": F("user"), "query__drafts__changed_at__gte": F("seen_at")}
    seen = OthersSeen.objects.filter(query__collection=collection, query__drafts__kind=Draft.Kind.OWN, **after)
    own = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN).order_by()
    marked = own.filter(Q(is_dependent=True) | Q(started_from__has_key="draft"))
    rows = list(marked.values_list("pk", "is_dependent", "curator", "started_from__draft"))
    sources = Draft.objects.only("kind", "curator").in_bulk({source for *_, source in rows if source})
    return {
        *seen.order_by().values_list("query__drafts", flat=True),
        *(pk for pk, is_known, who, at in rows if is_known or (at in sources and _is_of_another(sources[at], who))),
    }


@dataclass(frozen=True, slots=True)
class IndependenceStatus:
    """How seeing others' work on a query affects the independence of a person's drafts.

    Attributes:
        seen: what they have seen already, in words; "" for nothing.
        has_submitted: True if they have submitted a draft, which can no longer lose its independence.
    """

    seen: str
    has_submitted: bool

    @property
    def is_at_stake(self) -> bool:
        return not self.seen and not self.has_submitted

    @property
    def is_lost(self) -> bool:
        return bool(self.seen) and not self.has_submitted


def independence_status(person: Person, query: Query) -> IndependenceStatus:
    """Return how independent a person's draft of the query would still be; two queries to the database."""
    sight = OthersSeen.objects.filter(user=person.pk, query=query).select_related("draft__curator").first()
    own = query.drafts.filter(curator=person.pk, kind=Draft.Kind.OWN, status=Draft.Status.SUBMITTED, archived_at=None)
    return IndependenceStatus(exposure_words(sight) if sight else "", own.exists())


def dependence_message(found: Sequence[Dependence]) -> str:
    """Return the reasons and their consequence as one text; "" if there are no reasons."""
    return " ".join([*(each.sentence for each in found), NOT_INDEPENDENT]) if found else ""


def exposure_words(sight: OthersSeen) -> str:
    """Return what a person saw, in words: “ana’s draft”."""
    match sight.what:
        case What.GOLD:
            return "the published gold standard, which was made from drafts"
        case What.AGREEMENT:
            return f"an agreement with {_whose(sight.draft)}"
        case _:
            return _whose(sight.draft)


def _words(draft: Draft, sight: OthersSeen | None, sources: Mapping[int, Draft]) -> str:
    """Return why a draft is dependent, as a sentence; "" if it is independent."""
    if draft.kind != Draft.Kind.OWN:
        return f"“{draft.name}” {_MADE[draft.kind]}."
    who = draft.curator.get_username() if draft.curator else "its curator"
    source = sources.get(draft.started_from.get("draft", 0))
    if source and _is_of_another(source, draft.curator_id):
        return f"{who} started “{draft.name}” from {_whose(source)}."
    if draft.is_dependent:
        return f"{who} had seen others’ work before finishing “{draft.name}”."
    if sight is None:
        return ""
    if draft.created_at >= sight.seen_at:
        return f"{who} had seen {exposure_words(sight)} before starting “{draft.name}”."
    if draft.changed_at >= sight.seen_at:
        return f"{who} had seen {exposure_words(sight)} before the last change of “{draft.name}”."
    return ""


def _is_of_another(source: Draft, curator: int | None) -> bool:
    """True if a draft that starts from ``source`` starts from another curator's work.

    A shared draft may contain only this curator's work. If it contains others' work, the exposure was recorded when
    they opened it.
    """
    return source.kind != Draft.Kind.SHARED and source.curator_id != curator


def _whose(draft: Draft) -> str:
    if draft.kind == Draft.Kind.OWN and draft.curator is not None:
        return f"{draft.curator.get_username()}’s draft"
    return f"the {'shared draft' if draft.kind == Draft.Kind.SHARED else 'adjudication'} “{draft.name}”"


def _key(draft: Draft) -> tuple[int, int | None]:
    return draft.query_id, draft.curator_id


def _seen(own: Sequence[Draft]) -> dict[tuple[int, int | None], OthersSeen]:
    """Return a mapping from (query, curator) to the first exposure to others' work."""
    queries, people = zip(*map(_key, own), strict=True) if own else ((), ())
    rows = OthersSeen.objects.filter(query__in=set(queries), user__in=set(people)).select_related("draft__curator")
    return {(row.query_id, row.user_id): row for row in rows}


def _sources(drafts: Sequence[Draft]) -> dict[int, Draft]:
    """Return the drafts that some of these started from."""
    numbers = {draft.started_from["draft"] for draft in drafts if draft.started_from.get("from") == "draft"}
    return Draft.objects.select_related("curator").in_bulk(numbers)

"""Whether drafts are independent of what others say of the same query: what makes their agreement mean something.

An own draft is dependent where it was begun or changed after its curator had seen others' work on the query
(`annotations.models.OthersSeen`), or started from another's draft. What one looks at afterwards changes nothing.
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
    """Why a draft is no independent answer.

    Attributes:
        sentence: for people, without what follows from it.
    """

    TITLE = "DraftDependence"
    KEYS = "draft=draft.pk curator=draft.curator?.username sentence"

    draft: Draft
    sentence: str


_MADE: dict[str, str] = {
    Draft.Kind.ADJUDICATION: "is an adjudication, made from others’ drafts",
    Draft.Kind.SHARED: "is shared by everybody who curates",
}
NOT_INDEPENDENT = "This is no independent agreement."


def dependence_of(drafts: Sequence[Draft]) -> dict[int, Dependence]:
    """Draft id -> why it is dependent; independent ones are not there. Two queries to the database.

    Args:
        drafts: with their curators.
    """
    own = [draft for draft in drafts if draft.kind == Draft.Kind.OWN]
    seen, sources = _seen(own), _sources(own)
    words = {draft.pk: _words(draft, seen.get(_key(draft)), sources) for draft in drafts}
    return {draft.pk: Dependence(draft, words[draft.pk]) for draft in drafts if words[draft.pk]}


def dependent_in(collection: Collection) -> set[int]:
    """The own drafts of a collection of which `dependence_of` says why they are dependent, by number, however many
    there are; three queries to the database."""
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
class Standing:
    """What somebody has to lose by looking at others' work on a query.

    Attributes:
        seen: what they have seen already, in words; "" for nothing.
        has_submitted: whether a draft of theirs is finished: a look does nothing to that any more.
    """

    seen: str
    has_submitted: bool

    @property
    def is_at_stake(self) -> bool:
        return not self.seen and not self.has_submitted

    @property
    def is_lost(self) -> bool:
        return bool(self.seen) and not self.has_submitted


def standing_of(person: Person, query: Query) -> Standing:
    """Whether a draft of theirs would still be independent; two queries to the database."""
    sight = OthersSeen.objects.filter(user=person.pk, query=query).select_related("draft__curator").first()
    own = query.drafts.filter(curator=person.pk, kind=Draft.Kind.OWN, status=Draft.Status.SUBMITTED, archived_at=None)
    return Standing(seen_words(sight) if sight else "", own.exists())


def told(found: Sequence[Dependence]) -> str:
    """All of it in words, and what follows; "" for nothing."""
    return " ".join([*(each.sentence for each in found), NOT_INDEPENDENT]) if found else ""


def seen_words(sight: OthersSeen) -> str:
    """What somebody saw: “ana’s draft”."""
    match sight.what:
        case What.GOLD:
            return "the published gold standard, which was made from drafts"
        case What.AGREEMENT:
            return f"an agreement with {_whose(sight.draft)}"
        case _:
            return _whose(sight.draft)


def _words(draft: Draft, sight: OthersSeen | None, sources: Mapping[int, Draft]) -> str:
    """Why a draft is dependent, in a sentence; "" where it is not."""
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
        return f"{who} had seen {seen_words(sight)} before beginning “{draft.name}”."
    if draft.changed_at >= sight.seen_at:
        return f"{who} had seen {seen_words(sight)} before the last change of “{draft.name}”."
    return ""


def _is_of_another(source: Draft, curator: int | None) -> bool:
    """Whether starting from a draft is starting from somebody else's. Of a shared one they may be the only author;
    where they are not, they had seen others' work by opening it."""
    return source.kind != Draft.Kind.SHARED and source.curator_id != curator


def _whose(draft: Draft) -> str:
    if draft.kind == Draft.Kind.OWN and draft.curator is not None:
        return f"{draft.curator.get_username()}’s draft"
    return f"the {'shared draft' if draft.kind == Draft.Kind.SHARED else 'adjudication'} “{draft.name}”"


def _key(draft: Draft) -> tuple[int, int | None]:
    return draft.query_id, draft.curator_id


def _seen(own: Sequence[Draft]) -> dict[tuple[int, int | None], OthersSeen]:
    """(query, curator) -> what they saw first."""
    queries, people = zip(*map(_key, own), strict=True) if own else ((), ())
    rows = OthersSeen.objects.filter(query__in=set(queries), user__in=set(people)).select_related("draft__curator")
    return {(row.query_id, row.user_id): row for row in rows}


def _sources(drafts: Sequence[Draft]) -> dict[int, Draft]:
    """The drafts that some of these started from."""
    numbers = {draft.started_from["draft"] for draft in drafts if draft.started_from.get("from") == "draft"}
    return Draft.objects.select_related("curator").in_bulk(numbers)

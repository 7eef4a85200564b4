"""The submissions somebody may delete: their own everywhere, and all of a collection they own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import CharField, Q, QuerySet, Value
from django.http import QueryDict

from accounts.models import User
from annotations.access import May, collections_where
from annotations.models import Collection
from common.numbers import parse_number
from evaluation.limits import DELETED_AT_ONCE
from evaluation.models import StreamSubmission, Submission

PER_PAGE = 50

STREAM = "s"
"""Before the number of a stream's submission, where both kinds are listed together."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is listed, as addresses have it.

    Attributes:
        text: words in names of algorithms; empty means all.
        collection: a slug; empty means all.
    """

    text: str = ""
    collection: str = ""


ALL = Wanted()


class Found(NamedTuple):
    """A page of the list with its rows, and the collections one may choose."""

    page: Page[tuple[datetime, int, str]]
    rows: Sequence[Submission | StreamSubmission]
    collections: Sequence[Collection]


def deletable(person: User, wanted: Wanted = ALL) -> tuple[QuerySet[Submission], QuerySet[StreamSubmission]]:
    """Of each kind what this person may delete: their own where they may submit, everybody's where they own.

    Those that sweeps made are left out.
    """
    owned, submits = collections_where(person, May.MANAGE), collections_where(person, May.SUBMIT)
    found = []
    for rows, collection in (
        (Submission.objects.filter(sweep=None), "collection"),
        (StreamSubmission.objects.all(), "stream__collection"),
    ):
        own = Q(created_by=person.pk) & Q(**{f"{collection}__in": submits})
        mine = rows.filter(own | Q(**{f"{collection}__in": owned})) if wanted.collection else rows.filter(own)
        if wanted.collection:
            mine = mine.filter(**{f"{collection}__slug": wanted.collection})
        if wanted.text:
            mine = mine.filter(algorithm__name__icontains=wanted.text)
        found.append(mine)
    answers, of_streams = found
    return answers, of_streams  # type: ignore[return-value]  # in the order of KINDS


def listed_page(person: User, wanted: Wanted, given: QueryDict) -> Found:
    """A page of both kinds together, the latest first; a constant number of database queries."""
    answers, of_streams = deletable(person, wanted)
    listed = _named(answers, "").union(_named(of_streams, STREAM), all=True).order_by("-created_at", "-pk", "kind")
    page = Paginator(listed, PER_PAGE).get_page(given.get("page"))
    names = [f"{kind}{pk}" for _, pk, kind in page]
    rows = sorted(chosen(person, names, wanted), key=lambda row: names.index(name_of(row)))
    mine = Collection.objects.filter(
        Q(pk__in=collections_where(person, May.SUBMIT)) | Q(pk__in=collections_where(person, May.MANAGE))
    )
    return Found(page, rows, list(mine.order_by("name")))


def chosen(person: User, names: Iterable[str], wanted: Wanted = ALL) -> list[Submission | StreamSubmission]:
    """Those of the named ones ("12", of streams "s12") that this person may delete; others are left out silently, as
    they may be gone. At most so many as are deleted at once."""
    ids: dict[str, list[int]] = {"": [], STREAM: []}
    for name in list(names)[:DELETED_AT_ONCE]:
        if (number := parse_number(name.removeprefix(STREAM))) is not None:
            ids[STREAM if name.startswith(STREAM) else ""].append(number)
    answers, of_streams = deletable(person, wanted)
    return [
        *answers.filter(pk__in=ids[""]).select_related("algorithm", "collection", "created_by").order_by("-pk"),
        *of_streams.filter(pk__in=ids[STREAM])
        .select_related("algorithm", "stream__collection", "created_by")
        .order_by("-pk"),
    ]


def everything(person: User, wanted: Wanted) -> list[Submission | StreamSubmission]:
    """All that is listed, the latest first; at most so many as are deleted at once."""
    answers, of_streams = deletable(person, wanted)
    some = answers.select_related("algorithm", "collection", "created_by").order_by("-pk")[:DELETED_AT_ONCE]
    left = DELETED_AT_ONCE - len(some)
    return [*some, *of_streams.select_related("algorithm", "stream__collection", "created_by").order_by("-pk")[:left]]


def _named(rows: QuerySet[Any], kind: str) -> QuerySet[Any, tuple[datetime, int, str]]:
    """Return when each row was made, its number, and of which kind it is: numbers of the two kinds may be equal."""
    named = rows.order_by().annotate(kind=Value(kind, CharField()))
    found: QuerySet[Any, tuple[datetime, int, str]] = named.values_list("created_at", "pk", "kind")
    return found


def _kind(row: Submission | StreamSubmission) -> str:
    return STREAM if isinstance(row, StreamSubmission) else ""


def name_of(row: Submission | StreamSubmission) -> str:
    """As `chosen` reads it."""
    return f"{_kind(row)}{row.pk}"

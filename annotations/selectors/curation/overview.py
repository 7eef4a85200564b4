"""Queries x curators, as one person sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count, F
from django.utils import timezone

from accounts.models import User
from accounts.paging import ListPage, page_of_known
from annotations.access import May, capabilities
from annotations.draft_access import hides_progress, is_blind, works_alone
from annotations.models import Collection, DraftPublication, GoldVersionEntry, Query
from annotations.selectors.curation.choice import HOLDS, Choice, Show, narrowed, ordered
from annotations.selectors.curation.outlines import Given, Outline, outlines
from annotations.selectors.curation.steps import Next, next_step
from annotations.selectors.curation.totals import Total, Wait, totals, waits
from annotations.selectors.curation.works import Work, drafts_of
from annotations.selectors.gold import latest_version
from annotations.selectors.people import curators


@dataclass(frozen=True, slots=True)
class Cell:
    """A curator and a query: the assignment and the draft, if there are such."""

    curator: User
    assignment: Given | None
    work: Work | None
    is_overdue: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A query."""

    query: Query
    n_pages: int
    cells: Sequence[Cell]
    """Whoever is assigned or has a draft; whoever looks comes first."""
    others: Sequence[Work]
    """Shared drafts and adjudications; second own drafts of the same curator."""
    published_at: datetime | None
    next: Next
    is_mine: bool
    """Assigned to whoever looks, or begun by them."""

    @property
    def works(self) -> list[Work]:
        return [*(cell.work for cell in self.cells if cell.work), *self.others]

    @property
    def n_submitted(self) -> int:
        return sum(cell.work is not None and cell.work.is_submitted for cell in self.cells)

    @property
    def n_open(self) -> int:
        return sum(cell.work is not None and not cell.work.is_submitted for cell in self.cells)

    @property
    def n_overdue(self) -> int:
        return sum(cell.is_overdue for cell in self.cells)


class Overview:
    """The curation of a collection as one person sees it. However long it is, it takes the same few database queries:
    all queries as outlines, and for those that are shown, their drafts."""

    def __init__(self, collection: Collection, person: User) -> None:
        self.collection = collection
        self.person = person
        self.may = capabilities(person, collection)
        self.curators = curators(collection)
        self.alone = frozenset(works_alone(person).filter(collection=collection).values_list("pk", flat=True))
        today = timezone.localdate()
        self.outlines = outlines(collection, person.pk, today, _published(collection), self.alone)

    @cached_property
    def people(self) -> dict[int, User]:
        """Whoever may curate, has a query or a draft: whoever looks, then by name."""
        known = {user.pk: user for user in self.curators}
        missing = {who for one in self.outlines for who in (*one.given, *one.own)} - known.keys()
        known |= {user.pk: user for user in User.objects.filter(pk__in=missing)} if missing else {}
        return dict(sorted(known.items(), key=lambda pair: (pair[1] != self.person, pair[1].get_username())))

    def found(self, choice: Choice) -> list[Outline]:
        """The queries of a list, in its order."""
        who = self._number(choice.curator)
        shown = [query for query in narrowed(self.outlines, choice) if HOLDS[choice.show](query, who)]
        return ordered(shown, choice, who)

    def page(self, choice: Choice) -> Callable[[str, int], ListPage[Row]]:
        """A list page by page, as `accounts.paging` asks for them."""

        def shown(cursor: str, size: int) -> ListPage[Row]:
            found = page_of_known(cursor, size, self.found(choice), lambda one: one.query.key)
            return ListPage(self.rows_of(found.rows), found.previous, found.next)

        return shown

    def counts(self, choice: Choice) -> dict[Show, int]:
        """How many queries the same choice finds in each state."""
        who, among = self._number(choice.curator), narrowed(self.outlines, choice)
        return {show: sum(HOLDS[show](query, who) for query in among) for show in Show}

    def rows_of(self, shown: Sequence[Outline]) -> list[Row]:
        """These queries with their drafts: two queries to the database."""
        queries = [one.query for one in shown]
        works: dict[int, list[Work]] = {query.pk: [] for query in queries}
        for draft in drafts_of(self.collection).filter(query__in=queries):
            alone = draft.query_id in self.alone
            seen, hidden = not is_blind(self.person, draft, alone), hides_progress(self.person, draft, alone)
            leads = May.PUBLISH in self.may and not alone
            works[draft.query_id].append(Work(draft, seen, hidden, leads))
        pages = self.collection.queries.filter(pk__in=works).annotate(n=Count("pages")).values_list("pk", "n")
        n_pages = dict(pages.order_by())
        return [self._row(one, works[one.query.pk], n_pages[one.query.pk]) for one in shown]

    @property
    def rows(self) -> list[Row]:
        """Every query: those of whoever looks first, then in the order of the collection."""
        return self.rows_of(self.found(Choice()))

    @cached_property
    def totals(self) -> list[Total]:
        return totals(self.collection, self.person, self.people, self.outlines)

    @cached_property
    def waits(self) -> list[Wait]:
        return waits(self.people, self.outlines)

    def _number(self, name: str) -> int | None:
        """Of a curator by user name; 0 of an unknown one, None of all."""
        return next((pk for pk, user in self.people.items() if user.get_username() == name), 0) if name else None

    def _row(self, outline: Outline, works: Sequence[Work], n_pages: int) -> Row:
        by_pk = {work.draft.pk: work for work in works}
        # A draft may have come or gone since the outlines were read.
        own = {who: work for who, draft in outline.own.items() if (work := by_pk.get(draft.pk))}
        first = {work.draft.pk for work in own.values()}
        return Row(
            query=outline.query,
            n_pages=n_pages,
            cells=[
                Cell(user, assignment, own.get(who), assignment is not None and outline.is_overdue(who, assignment))
                for who, user in self.people.items()
                if (assignment := outline.given.get(who)) or who in own
            ],
            others=[work for work in works if work.draft.pk not in first],
            published_at=outline.published_at,
            next=next_step(works, self._users(outline.given), outline.published_at, self.person, self.may),
            is_mine=outline.is_mine,
        )

    def _users(self, numbers: Iterable[int]) -> list[User]:
        return [self.people[who] for who in numbers]


def _published(collection: Collection) -> Mapping[int, datetime]:
    """Query -> when its gold standard in the latest version was published, from whatever source."""
    entries = GoldVersionEntry.objects.filter(version=latest_version(collection))
    times = dict(entries.values_list("query_id", F("gold__created_at")))
    # The same content may be published again: then its gold is older than what it was made from.
    drafts = DraftPublication.objects.filter(draft__query__collection=collection).order_by("published_at")
    return times | {query: at for query, at in drafts.values_list("draft__query_id", "published_at") if query in times}

"""The rows of the overview of curation in the words its page shows.

A page has hundreds of cells. What each says is put together here, so that the template has little to ask of it;
in dictionaries, in which a template finds a name at the first try.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict
from urllib.parse import quote

from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from annotations.team.selectors.next_steps import Step, Work
from annotations.team.selectors.overview import Cell, Row
from common.shortening import shorten
from qc4.wording import counted


class WorkLine(TypedDict):
    """A draft.

    Attributes:
        name: what tells it apart; "" where its curator does.
        address: where it opens; "" where whoever looks may not open it.
        called: what its link calls it.
        revision: "r" and its number; "" where that is hidden.
        threads_address: of the open threads.
        changed, day: when, for programs and for people; "" where that is hidden.
    """

    name: str
    is_submitted: bool
    address: str
    called: str
    revision: str
    levels: Sequence[str]
    issues: str
    threads: str
    threads_address: str
    changed: str
    day: str


class CellLine(TypedDict):
    """A curator.

    Attributes:
        called: the curator and the query, for who hears a link alone.
        due: until when, in words; "" where there is nothing to say.
        change: what the page is asked for to change that; "" for who may not.
    """

    who: str
    is_you: bool
    called: str
    work: WorkLine | None
    is_overdue: bool
    due: str
    change: str
    note: str


class NextLine(TypedDict):
    """What whoever looks can do next.

    Attributes:
        is_start: whether that is to start a draft, which is no link.
        address: of a link; "" where there is none.
        words: what it is called, or what is waited for; "" for nothing.
    """

    is_start: bool
    address: str
    words: str


class RowLine(TypedDict):
    """A query.

    Attributes:
        title, short: its text, and what links call it.
        address, drafts: of its page, and of that of its drafts.
        published, day: when, for programs and for people; "" for never.
    """

    row: Row
    title: str
    short: str
    address: str
    drafts: str
    next: NextLine
    cells: Sequence[CellLine]
    others: Sequence[WorkLine]
    published: str
    day: str


def lines_of(
    rows: Sequence[Row], collection: Collection, person: User, here: str, *, may_assign: bool
) -> list[RowLine]:
    """The rows of a page, whose address chooses ``here``."""
    found = []
    for row in rows:
        key, at = row.query.key, row.published_at
        line = RowLine(
            row=row,
            title=shorten(row.query.text or key, 80),
            short=shorten(row.query.text, 60),
            address=reverse("query", args=[collection.slug, key]),
            drafts=reverse("drafts", args=[collection.slug, key]),
            next=_next(row, collection),
            cells=_cells(row, person, f"{here}&tick={quote(key, safe='')}", may_assign),
            others=[_work(work, work.name) for work in row.others],
            published=at.isoformat() if at else "",
            day=at.date().isoformat() if at else "",
        )
        found.append(line)
    return found


def _next(row: Row, collection: Collection) -> NextLine:
    step, address, words = row.next.step, "", ""
    match step:
        case Step.CONTINUE:
            address = reverse("draft", args=[row.next.drafts[0].pk])
        case Step.COMPARE:
            address = f"{reverse('agreement', args=[collection.slug, row.query.key])}?{row.next.compared}"
        case Step.ADJUDICATE:
            address = reverse("adjudicate", args=[row.next.drafts[0].pk])
        case Step.REPAIR:
            address, words = f"{reverse('draft', args=[row.next.drafts[0].pk])}?sheet=issues", f" {row.next.words}"
        case Step.PUBLISH:
            address = reverse("draft-publish", args=[row.next.drafts[0].pk])
        case Step.WAIT:
            return NextLine(is_start=False, address="", words=row.next.words)
    return NextLine(is_start=step == Step.START, address=address, words=f"{step.value}{words}")


def _cells(row: Row, person: User, ticked: str, may_assign: bool) -> list[CellLine]:
    short = shorten(row.query.text, 60)
    return [_cell(cell, person, short, ticked, may_assign) for cell in row.cells]


def _cell(cell: Cell, person: User, query: str, ticked: str, may_assign: bool) -> CellLine:
    name, given = cell.curator.get_username(), cell.assignment
    none = "no date" if may_assign and given else ""
    return CellLine(
        who=shorten(name, 24),
        is_you=cell.curator == person,
        called=f"{shorten(name, 60)}, {query}",
        work=_work(cell.work, "") if cell.work else None,
        is_overdue=cell.is_overdue,
        due=f"due {given.due.isoformat()}" if given and given.due else none,
        change=f"{ticked}&for={quote(name, safe='')}" if may_assign and given else "",
        note=shorten(given.note, 60) if given else "",
    )


def _work(work: Work, name: str) -> WorkLine:
    address = reverse("draft", args=[work.draft.pk]) if work.seen else ""
    n_issues, n_threads, changed, levels = work.n_issues, work.open_threads, work.changed, work.levels
    return WorkLine(
        name=shorten(name, 40),
        is_submitted=work.is_submitted,
        address=address,
        called=shorten(work.name, 60),
        revision="" if work.revision is None else f"r{work.revision}",
        levels=[f"L{level['level']} {level['placed']}/{level['total']}" for level in levels],
        issues=counted(n_issues, "issue") if n_issues else "",
        threads=counted(n_threads, "open thread") if n_threads else "",
        threads_address=(address or reverse("comments")) if n_threads else "",
        changed=changed.isoformat() if changed else "",
        day=changed.date().isoformat() if changed else "",
    )

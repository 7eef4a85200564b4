"""The texts of the rows of the curation overview.

A page has hundreds of cells, so rendering must be fast. The texts are prepared here, in dicts, because Django templates
look names up in dicts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict
from urllib.parse import quote

from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from annotations.team.selectors.next_steps import OverviewDraft, Step
from annotations.team.selectors.overview import OverviewCell, OverviewRow
from common.shortening import shorten
from qc4.wording import counted


class DraftTexts(TypedDict):
    """The texts of a draft.

    Attributes:
        name: the draft's name; "" if its curator identifies it.
        address: the URL of the draft; "" if the viewer may not open it.
        called: the draft's description in link texts.
        revision: "r" and the revision; "" if hidden.
        threads_address: the URL of the open threads.
        changed, day: the time of the last change for programs and for people; "" if hidden.
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


class CellTexts(TypedDict):
    """The texts of a curator's cell.

    Attributes:
        called: the curator and the query, for screen readers.
        due: the due date; "" for nothing to show.
        change: the query string for changing the due date; "" if the viewer may not change it.
    """

    who: str
    is_you: bool
    called: str
    work: DraftTexts | None
    is_overdue: bool
    due: str
    change: str
    note: str


class NextStepTexts(TypedDict):
    """The texts of the viewer's next step.

    Attributes:
        is_start: whether the step is to start a draft, which needs a form instead of a link.
        address: the URL of a link; "" for no link.
        words: the label of the step, or what the viewer waits for; "" for nothing.
    """

    is_start: bool
    address: str
    words: str


class RowTexts(TypedDict):
    """The texts of a query's row.

    Attributes:
        title, short: the query's text, and its shortened text in links.
        address, drafts: the URLs of the query's page and of its drafts page.
        published, day: the publication time for programs and for people; "" if not published.
    """

    row: OverviewRow
    title: str
    short: str
    address: str
    drafts: str
    next: NextStepTexts
    cells: Sequence[CellTexts]
    others: Sequence[DraftTexts]
    published: str
    day: str


def texts_of_rows(
    rows: Sequence[OverviewRow], collection: Collection, person: User, here: str, *, may_assign: bool
) -> list[RowTexts]:
    """Return the rows of a page. ``here`` is the page's query string."""
    found = []
    for row in rows:
        key, at = row.query.key, row.published_at
        line = RowTexts(
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


def _next(row: OverviewRow, collection: Collection) -> NextStepTexts:
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
            return NextStepTexts(is_start=False, address="", words=row.next.words)
    return NextStepTexts(is_start=step == Step.START, address=address, words=f"{step.value}{words}")


def _cells(row: OverviewRow, person: User, ticked: str, may_assign: bool) -> list[CellTexts]:
    short = shorten(row.query.text, 60)
    return [_cell(cell, person, short, ticked, may_assign) for cell in row.cells]


def _cell(cell: OverviewCell, person: User, query: str, ticked: str, may_assign: bool) -> CellTexts:
    name, given = cell.curator.get_username(), cell.assignment
    none = "no date" if may_assign and given else ""
    return CellTexts(
        who=shorten(name, 24),
        is_you=cell.curator == person,
        called=f"{shorten(name, 60)}, {query}",
        work=_work(cell.work, "") if cell.work else None,
        is_overdue=cell.is_overdue,
        due=f"due {given.due.isoformat()}" if given and given.due else none,
        change=f"{ticked}&for={quote(name, safe='')}" if may_assign and given else "",
        note=shorten(given.note, 60) if given else "",
    )


def _work(work: OverviewDraft, name: str) -> DraftTexts:
    address = reverse("draft", args=[work.draft.pk]) if work.seen else ""
    n_issues, n_threads, changed, levels = work.n_issues, work.open_threads, work.changed, work.levels
    return DraftTexts(
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

"""Who works on a query, how far they are and how well they agree, as HTML in one pass: ten curators of twenty queries
are 200 cells, and every two of them have seven figures.

A loop of templates takes longer for a cell than this for a row. Every string of people goes through ``escape``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotations.selectors.curation.pairs import Mean
from annotations.templatetags.site import score
from annotations.views.curation_lines import CellLine, WorkLine

register = template.Library()


@register.simple_tag
def curators_of(cells: Sequence[CellLine]) -> SafeString:
    """The items of a list, one for each curator."""
    return mark_safe("".join(f"<li>{' '.join(_cell(cell))}</li>" for cell in cells))  # noqa: S308 - all is escaped


@register.simple_tag
def work_of(work: WorkLine) -> SafeString:
    """A draft as it stands in a cell."""
    return mark_safe(f'<span class="work">{" ".join(_work(work))}</span>')  # noqa: S308 - all is escaped


@register.simple_tag
def means_of(means: Sequence[Mean], queries: int) -> SafeString:
    """The cells of a pair of curators, one for each figure; ``queries`` are those that both have submitted."""
    return mark_safe("".join(f'<td class="num">{_mean(mean, queries)}</td>' for mean in means))  # noqa: S308 - as above


def _mean(mean: Mean, queries: int) -> str:
    reasons = escape(mean.reasons)
    if mean.value is None:
        return f'<abbr class="muted" title="{reasons}">undefined</abbr>'
    some = f'<div class="small muted" title="{reasons}">on {mean.n}</div>' if mean.n != queries else ""
    return f"{score(mean.value)}{some}"


def _cell(cell: CellLine) -> Iterator[str]:
    yield "<strong>you</strong>" if cell["is_you"] else f"<bdi>{escape(cell['who'])}</bdi>"
    yield work_of(cell["work"]) if cell["work"] else '<span class="chip">assigned</span>'
    if cell["is_overdue"]:
        yield '<span class="chip bad">overdue</span>'
    if cell["change"]:
        yield _link(f"?{cell['change']}#assign-title", cell["due"], f": change for {cell['called']}")
    elif cell["due"]:
        yield _small(cell["due"])
    if cell["note"]:
        yield f'<span class="small muted anywhere"><bdi>{escape(cell["note"])}</bdi></span>'


def _work(work: WorkLine) -> Iterator[str]:
    address, called = work["address"], work["called"]
    if work["name"]:
        yield f"<bdi>{escape(work['name'])}</bdi>"
    chip = ("good", "submitted") if work["is_submitted"] else ("busy", "open")
    yield '<span class="chip {}">{}</span>'.format(*chip)
    if address:
        yield _link(address, work["revision"], f": open the draft {called}")
    yield from map(_small, work["levels"])
    if work["issues"] and address:
        yield _link(f"{address}?sheet=issues", work["issues"], f" of the draft {called}")
    elif work["issues"]:
        yield _small(work["issues"])
    if work["threads"]:
        yield _link(work["threads_address"], work["threads"])
    if work["changed"]:
        before = f"{escape(work['revision'])}, " if work["revision"] and not address else ""
        time = f'<time datetime="{escape(work["changed"])}">{escape(work["day"])}</time>'
        yield f'<span class="small muted nowrap">{before}{time}</span>'


def _link(address: str, words: str, heard: str = "") -> str:
    """Args: heard: what a link alone says besides, to who does not see where it stands."""
    more = f'<span class="visually-hidden">{escape(heard)}</span>' if heard else ""
    return f'<a class="small nowrap" href="{escape(address)}">{escape(words)}{more}</a>'


def _small(words: str) -> str:
    return f'<span class="small nowrap">{escape(words)}</span>'

"""Search and filters for the pages of a draft, including their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.drafts.selectors.states import CachedDraft, last_placers
from annotations.drafts.state_machine.issues import AcceptedTopics
from annotations.drafts.state_machine.state import NO_PAGES
from annotations.limits import SEARCH_EXCERPTS
from annotations.models import Draft, Page, Query
from annotations.words.search_query import SearchTerm, fold_text, matching_fields, parse_search
from common.web_urls import host_of
from qc4.records import Record

KEPT_QUERIES = 4
KEPT_CHARS = 12_000_000
"""Maximum characters of one query's folded texts cached in memory. Longer ones are read for each search: 1 to 2
seconds."""
BEFORE, AFTER = 30, 160
"""Characters of a text shown before and after a match: few before it, so that it is visible in a narrow row."""
Folded = tuple[tuple[str, Mapping[str, str]], ...]
"""Page id and its folded fields by name."""


class FoundPage(NamedTuple):
    """A page; ``found_in`` lists the fields with matches: id, rank, title, address, snippet, text. ``excerpt`` is the
    text around the first match that is in the text alone."""

    page: str
    found_in: list[str]
    excerpt: str


@dataclass(frozen=True, slots=True)
class FoundPages(Record):
    """The pages found, in the order of the page list, at a revision of the draft."""

    revision: int
    count: int
    results: list[FoundPage]


def find_pages(draft: Draft, search: str = "", **filters: Any) -> FoundPages:
    """Return the pages of a draft (access already checked) with these words that pass all filters in ``_FILTERS``."""
    known = states.current(draft)
    tests = [_FILTERS[name](draft, known, value) for name, value in filters.items() if value not in (None, "")]
    results = [page for page in search_query_pages(draft.query, search) if all(test(page.page) for test in tests)]
    return FoundPages(known.revision, len(results), results)


def search_query_pages(query: Query, search: str) -> list[FoundPage]:
    """Return the pages of a query with these words; all pages if there are no words."""
    terms = parse_search(search)
    if not terms:
        return [FoundPage(key, [], "") for key in query.pages.order_by("position").values_list("key", flat=True)]
    found: list[tuple[str, list[str]]] = []
    alone: dict[str, SearchTerm] = {}
    for key, fields in _fields(query):
        places = matching_fields(terms, fields)
        if places is None:
            continue
        found.append((key, places))
        if len(alone) < SEARCH_EXCERPTS and (term := _only_in_text(terms, fields)) is not None:
            alone[key] = term
    excerpts = _excerpts(query, alone)
    return [FoundPage(key, places, excerpts.get(key, "")) for key, places in found]


# --- Texts ------------------------------------------------------------------------------------------------------------


def _fields(query: Query) -> Iterable[tuple[str, Mapping[str, str]]]:
    kept = _kept(query.pk, query.collection.created_at)
    return _read(query.pk) if kept is None else kept


@lru_cache(KEPT_QUERIES)
def _kept(query: int, _created_at: object) -> Folded | None:
    """Return the folded texts of a query's pages, which never change; None if they are too long to be cached."""
    found, chars = [], 0
    for key, fields in _read(query):
        chars += sum(map(len, fields.values()))
        if chars > KEPT_CHARS:
            return None
        found.append((key, fields))
    return tuple(found)


def _read(query: int) -> Iterable[tuple[str, Mapping[str, str]]]:
    rows = Page.objects.filter(query=query).order_by("position")
    for key, rank, *texts in rows.values_list("key", "rank", "title", "url", "snippet", "text").iterator(500):
        title, address, snippet, text = (fold_text(each or "") for each in texts)
        numbers = {"id": fold_text(key), "rank": "" if rank is None else str(rank)}
        yield key, numbers | {"title": title, "address": address, "snippet": snippet, "text": text}


def _only_in_text(terms: Sequence[SearchTerm], fields: Mapping[str, str]) -> SearchTerm | None:
    """Return the first word that is in the text and in no other field, so that only an excerpt can show the match."""
    for term in terms:
        places = [name for name, text in fields.items() if term.is_in(name, text)]
        if places == ["text"]:
            return term
    return None


def _excerpts(query: Query, wanted: Mapping[str, SearchTerm]) -> dict[str, str]:
    """Return the excerpt around each word in the text of its page."""
    texts = query.pages.filter(key__in=wanted).values_list("key", "text") if wanted else ()
    return {key: _excerpt(text or "", wanted[key]) for key, text in texts}


def _excerpt(text: str, term: SearchTerm) -> str:
    plain = fold_text(text)
    begin, end = next(term.places(plain), (0, 0))
    first, last = (_unfolded(text, plain, at) for at in (begin, end))
    start, stop = max(0, first - BEFORE), min(len(text), last + AFTER)
    if start:
        # Start at the beginning of a word, if there is one.
        gap = text.find(" ", start, first)
        start = gap + 1 if gap >= 0 else start
    inside = " ".join(text[start:stop].split())
    return f"{'…' if start else ''}{inside}{'…' if stop < len(text) else ''}"


def _unfolded(text: str, plain: str, at: int) -> int:
    """Return the index in a text that corresponds to an index in its folded form, by binary search over prefixes."""
    if len(plain) == len(text):
        return at
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if len(fold_text(text[:middle])) < at:
            low = middle + 1
        else:
            high = middle
    return low


# --- Filters ----------------------------------------------------------------------------------------------------------

Test = Callable[[str], bool]


def _in_topic(_draft: Draft, known: CachedDraft, topic: str) -> Test:
    return (known.state.pages_in(topic) if topic in known.state.topics else NO_PAGES).__contains__


def _at_host(draft: Draft, _known: CachedDraft, host: str) -> Test:
    hosts = {key: host_of(url or "") for key, url in draft.query.pages.values_list("key", "url")}
    return lambda page: hosts[page] == host.lower()


def _placed_by(_draft: Draft, known: CachedDraft, name: str) -> Test:
    user = User.objects.filter(username=name).values_list("pk", flat=True).first()
    found = last_placers(known.state, known.authors)
    return lambda page: user is not None and found.get(page) == user


def _flagged(_draft: Draft, known: CachedDraft, wanted: bool) -> Test:
    return lambda page: (page in known.state.flags) == wanted


def _noted(_draft: Draft, known: CachedDraft, wanted: bool) -> Test:
    return lambda page: (page in known.state.notes) == wanted


def _unplaced(_draft: Draft, known: CachedDraft, level: int) -> Test:
    placed = AcceptedTopics(known.state).placed
    held = placed[level - 1] if level <= len(placed) else known.state.outliers
    return lambda page: page not in held


_FILTERS: Mapping[str, Callable[[Draft, CachedDraft, Any], Test]] = {
    "topic": _in_topic,
    "host": _at_host,
    "by": _placed_by,
    "flagged": _flagged,
    "note": _noted,
    "unplaced": _unplaced,
}

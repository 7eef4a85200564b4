"""Reads for agreement: drafts of a query compared, and what of it pages and files show."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Any, Protocol

from django.utils.http import urlencode

from annotations.agreement import MINIMUM, Agreement, PageComparison, compare, tables
from annotations.agreement.several import GroupAgreement, compare_all
from annotations.agreement.tables import own_paths, worded
from annotations.limits import (
    COMPARED_DRAFTS,
    COMPARED_PAGES_OF_PAIRS,
    COMPARED_PLACEMENTS,
    COMPARED_TOPICS,
    NAME_CHARS,
)
from annotations.models import Draft
from annotations.selectors.dependence import Dependence, dependence_of, told
from annotations.selectors.drafts.documents import documents_of
from qc4.formats.spreadsheets import guarded
from qc4.gold.document import GoldDocument, Page
from qc4.problems import InputError, Problem
from qc4.problems.wording import clipped


class Writable(Protocol):
    """Anything that takes text like a file."""

    def write(self, text: str, /) -> object: ...


class _Comparison:
    """What is told alike of two drafts and of several."""

    __slots__ = ()

    agreement: Agreement | GroupAgreement
    dependence: Sequence[Dependence]

    @property
    def dependence_words(self) -> str:
        """Why this is no independent agreement; "" where it is one."""
        return told(self.dependence)

    def to_dict(self) -> dict[str, Any]:
        """For files and the API."""
        dependence = [each.to_dict() for each in self.dependence]
        return self.agreement.to_dict() | {"independent": not dependence, "dependence": dependence}


@dataclass(frozen=True, slots=True)
class Compared(_Comparison):
    """Two drafts of a query and their agreement."""

    first: Draft
    second: Draft
    agreement: Agreement
    dependence: Sequence[Dependence] = ()

    @property
    def address(self) -> str:
        """The pair as the query string of an address."""
        return urlencode({"first": self.first.pk, "second": self.second.pk})

    @property
    def drafts(self) -> tuple[Draft, Draft]:
        return self.first, self.second

    @property
    def is_submitted(self) -> bool:
        return all(draft.status == Draft.Status.SUBMITTED for draft in self.drafts)

    @property
    def qc4_f(self) -> list[float | None]:
        """QC4's harmonic mean of quality and coverage, the topics of either as clusters."""
        return [self.agreement.figure("qc4_f", clusters).value for clusters in ("first", "second")]

    @property
    def kappa(self) -> float | None:
        return self.agreement.figure("outlier_kappa").value

    @property
    def n_agreed(self) -> int:
        return len(self.agreement.pages) - len(self.agreement.differing)


@dataclass(frozen=True, slots=True)
class AllCompared(_Comparison):
    """Several drafts of a query and how far all of them agree."""

    drafts: tuple[Draft, ...]
    agreement: GroupAgreement
    dependence: Sequence[Dependence] = ()

    @property
    def is_submitted(self) -> bool:
        return all(draft.status == Draft.Status.SUBMITTED for draft in self.drafts)

    @property
    def address(self) -> str:
        """The drafts as the query string of an address."""
        return urlencode({"draft": [draft.pk for draft in self.drafts]}, doseq=True)


@dataclass(frozen=True, slots=True)
class TopicRow:
    """An aligned pair of topics, or one that only one side has: paths, pages, pages in common, Jaccard."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    first_pages: int | None
    second_pages: int | None
    shared: int | None = None
    jaccard: float | None = None


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page and where both put it, in their own words."""

    page: Page
    agree: bool
    how: str
    first: list[str]
    second: list[str]


@dataclass(frozen=True, slots=True)
class DisputedRow:
    """A page not all place alike: of how many pairs the placements differ, where each side puts it in its own words,
    and where more than half do, in the words of the first who do; nothing where no half does."""

    page: Page
    pairs_apart: int
    places: list[list[str]]
    majority: list[str]


def compared(first: Draft, second: Draft, minimum: float = MINIMUM) -> Compared:
    """Two drafts of one query as they are now.

    Raises:
        InputError: one of them is too large to be compared while somebody waits.
    """
    one, other = documents_within([first, second])
    return _compared((first, second), (one, other), minimum, dependence_of([first, second]))


def pairs(drafts: Sequence[Draft], minimum: float = MINIMUM) -> list[Compared]:
    """Every two of the latest drafts, without intervals; refuses as `compared`."""
    latest = drafts[-COMPARED_DRAFTS:]
    two_by_two = zip(combinations(latest, 2), combinations(documents_within(latest), 2), strict=True)
    dependence = dependence_of(latest)
    return [_compared(two, documents, minimum, dependence, groups=0) for two, documents in two_by_two]


def of_all(drafts: Sequence[Draft], minimum: float = MINIMUM) -> AllCompared:
    """Several drafts of one query as they are now, all together; refuses as `compared`."""
    found = compare_all(documents_within(drafts), names_of(drafts), minimum)
    return AllCompared(tuple(drafts), found, list(dependence_of(drafts).values()))


_COUNTS = ("topics", "placements", "pages")
"""What the summaries of drafts say of how large they are."""


def documents_within(drafts: Sequence[Draft]) -> list[GoldDocument]:
    """What drafts hold, if they may be compared.

    Raises:
        InputError: together they have more topics or pages in them than are compared while somebody waits.
    """
    if problems := too_large(drafts):
        raise InputError(problems)
    return documents_of(drafts)


def too_large(drafts: Sequence[Draft]) -> list[Problem]:
    """Return what makes the drafts too large to be compared; their summaries say it, before they are read."""
    topics, placements, pages = ([draft.summary.get(name, 0) for draft in drafts] for name in _COUNTS)
    pairs_of_topics = sum(one * other for one, other in combinations(topics, 2))
    weights = [held * max(1, held / max(of, 1)) for held, of in zip(placements, pages, strict=True)]
    n_pairs = len(drafts) * (len(drafts) - 1) // 2
    given = f"{len(drafts)} drafts with {sum(topics):,} topics and {sum(placements):,} pages in them"
    found = (
        COMPARED_TOPICS.problem(pairs_of_topics, "drafts", given),
        COMPARED_PLACEMENTS.problem(ceil((len(drafts) - 1) * sum(weights)), "drafts", given),
        COMPARED_PAGES_OF_PAIRS.problem(n_pairs * max(pages, default=0), "drafts", given),
    )
    return [problem for problem in found if problem]


def names_of(drafts: Sequence[Draft]) -> list[str]:
    """What a comparison calls drafts: their names, with their numbers where two have the same."""
    names = [draft.name for draft in drafts]
    return [
        f"{clipped(draft.name, NAME_CHARS - 20)} ({draft.pk})" if names.count(draft.name) > 1 else draft.name
        for draft in drafts
    ]


def _compared(
    drafts: tuple[Draft, Draft],
    documents: tuple[GoldDocument, GoldDocument],
    minimum: float,
    dependence: Mapping[int, Dependence],
    **options: Any,
) -> Compared:
    """``options`` as of `annotations.agreement.compare`."""
    first, second = drafts
    own = [dependence[draft.pk] for draft in drafts if draft.pk in dependence]
    return Compared(first, second, compare(*documents, names_of(drafts), minimum, **options), own)


def topic_rows(found: Agreement) -> Iterator[TopicRow]:
    """The aligned topics, then those only the first has, then those only the second has."""
    first, second = found.first, found.second
    sizes, others = first.hierarchy.sizes.tolist(), second.hierarchy.sizes.tolist()
    for pair in found.alignment.pairs:
        paths = first.paths[pair.first], second.paths[pair.second]
        yield TopicRow(*paths, sizes[pair.first], others[pair.second], pair.shared, pair.jaccard)
    for topic in found.alignment.only_first:
        yield TopicRow(first.paths[topic], (), sizes[topic], None)
    for topic in found.alignment.only_second:
        yield TopicRow((), second.paths[topic], None, others[topic])


def page_rows(found: Agreement, *, differing: bool) -> Iterator[PageRow]:
    """Every page, or those the two differ about."""
    for page in found.differing if differing else found.pages:
        yield PageRow(
            found.first.document.pages[page.page],
            page.agree,
            worded(page.kind, found.first, found.second),
            own_paths(found.first, page.page),
            own_paths(found.second, page.page),
        )


def disputed_rows(found: GroupAgreement) -> Iterator[DisputedRow]:
    """The pages not all place alike, the most disputed first."""
    return (_disputed(found, page) for page in found.disputed)


def _disputed(found: GroupAgreement, page: PageComparison) -> DisputedRow:
    majority = found.symbols.majority(page.placements)
    return DisputedRow(
        found.sides[0].document.pages[page.page],
        page.pairs_apart,
        [own_paths(side, page.page) for side in found.sides],
        tables.paths(majority, found.symbols) if majority.is_placed else [],
    )


def write_csv_of_all(compared: AllCompared, target: Writable) -> None:
    """A line per page, in page-list order: text safe to open in a spreadsheet. Each says why the agreement is no
    independent one, so that no part of the file is read without it."""
    writer, found = csv.writer(target, lineterminator="\n"), compared.agreement
    names, said = [guarded(side.name) for side in found.sides], guarded(compared.dependence_words)
    writer.writerow(["page", "title", "agree", "pairs apart", "pairs", *names, "majority", "dependence"])
    for page in found.pages:
        row = _disputed(found, page)
        places = [" | ".join(paths) for paths in (*row.places, row.majority)]
        words = [guarded(word) for word in (row.page.id, row.page.title or "")]
        numbers = ["yes" if page.agree else "no", row.pairs_apart, found.n_pairs]
        writer.writerow([*words, *numbers, *map(guarded, places), said])


def write_csv(compared: Compared, target: Writable) -> None:
    """As `write_csv_of_all`, of two."""
    writer, found = csv.writer(target, lineterminator="\n"), compared.agreement
    names, said = [guarded(side.name) for side in (found.first, found.second)], guarded(compared.dependence_words)
    writer.writerow(["page", "title", "agree", "how", *names, "dependence"])
    for row in page_rows(found, differing=False):
        words = [row.page.id, row.page.title or "", "yes" if row.agree else "no", row.how]
        places = [" | ".join(row.first), " | ".join(row.second)]
        writer.writerow([*map(guarded, (*words, *places)), said])


def level_of(found: Agreement, wanted: str) -> int | None:
    """The level a matrix shows: 1 unless another one is asked for, None for "all"."""
    if wanted == "all":
        return None
    return int(wanted) if wanted.isdecimal() and int(wanted) in levels_of(found) else 1


def levels_of(found: Agreement) -> range:
    return range(1, max(found.first.hierarchy.n_levels, found.second.hierarchy.n_levels) + 1)


def figures(found: Agreement) -> dict[str, tables.FigureTable]:
    """The tables of figures by name."""
    return {
        "qc4": tables.qc4_table(found),
        "per_level": tables.level_table(found),
        "outliers": tables.outlier_table(found),
    }

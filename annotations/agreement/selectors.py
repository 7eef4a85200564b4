"""Agreement between drafts of a query, for the page and its files. The results are stored answers, keyed by revision.

A draft is compared under its name, which appears in the results. Whether drafts are independent is read at each
request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import ceil, comb
from typing import Any

from django.utils.http import urlencode

from annotations.agreement.statistics import MINIMUM, Agreement, PageComparison, compare, tables
from annotations.agreement.statistics.group import GroupAgreement, compare_all
from annotations.agreement.statistics.tables import FigureTable, Matrix, difference_words, own_paths
from annotations.drafts.selectors.dependence import Dependence, dependence_message, dependence_of
from annotations.drafts.selectors.documents import documents_of
from annotations.limits import (
    COMPARED_PAGES_OF_PAIRS,
    COMPARED_PLACEMENTS,
    COMPARED_TOPICS,
    DIFFERING_PAGES,
    NAME_CHARS,
)
from annotations.models import Draft
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError, Problem
from qc4.tables import Table
from qc4.wording import clipped
from work.answers import Answer, InputsDeleted, Pending

CHEAP = 2_000
"""Cost of a comparison that takes a tenth of a second, counted in pages. The numbers below have the same unit."""
INTERVALS, PAIR = 1_600, 150
"""Cost of the intervals of two drafts, and of comparing any two, in addition to their pages."""
ROWS = 1_000
"""Number of pages that are stored, and read, together."""


# --- Requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftAsked:
    """A draft at a revision, and its name in the comparison."""

    id: int
    revision: int
    name: str


@dataclass(frozen=True, slots=True)
class AgreementAsked:
    """A request to compare drafts of one query.

    Attributes:
        minimum: as for `annotations.agreement.statistics.align`.
        size: number of pages of the query, or of the placements of the largest draft if that is more.
    """

    collection: int
    drafts: tuple[DraftAsked, ...]
    minimum: float
    size: int

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(f"draft {draft.id}" for draft in self.drafts)

    @property
    def names(self) -> list[str]:
        return [draft.name for draft in self.drafts]


# --- Results ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopicRow:
    """An aligned pair of topics, or a topic of only one draft: paths, numbers of pages, shared pages, Jaccard
    coefficient."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    first_pages: int | None
    second_pages: int | None
    shared: int | None = None
    jaccard: float | None = None


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page and its paths in both drafts, each in that draft's own topics."""

    page: str
    title: str
    agree: bool
    how: str
    first: list[str]
    second: list[str]


@dataclass(frozen=True, slots=True)
class DisputedRow:
    """A page that the drafts place differently.

    Attributes:
        pairs_apart: number of pairs of drafts that differ.
        places: its paths in each draft, in that draft's own topics.
        majority: its paths in more than half of the drafts, in the topics of the first draft that has them; may be
            empty.
    """

    page: str
    title: str
    pairs_apart: int
    places: list[list[str]]
    majority: list[str]


@dataclass(frozen=True, slots=True)
class PairReport:
    """The contents of the page and files about two drafts.

    Attributes:
        n_only: number of topics that only one of the two has.
        matrices: a matrix for each level, and last one for all topics.
        differing: the first pages that the two drafts place differently.
        content: the JSON without its pages.
        pages: the pages of the JSON.
        lines: rows of the files, without the reasons why the agreement is not independent.
    """

    names: tuple[str, str]
    n_pages: int
    n_differing: int
    n_aligned: int
    n_only: tuple[int, int]
    qc4: FigureTable
    per_level: FigureTable
    outliers: FigureTable
    topics: tuple[TopicRow, ...]
    kinds: tuple[tuple[str, int], ...]
    differing: tuple[PageRow, ...]
    n_levels: int
    matrices: list[Matrix]
    content: dict[str, Any]
    pages: list[Any]
    lines: list[Any]

    @property
    def n_agreed(self) -> int:
        return self.n_pages - self.n_differing


@dataclass(frozen=True, slots=True)
class PairSummary:
    """The agreement between two of several drafts, given by their indexes.

    Attributes:
        qc4_f: QC4's harmonic mean of quality and coverage, with the topics of either draft as clusters.
        kappa: Cohen's kappa of the outliers.
    """

    first: int
    second: int
    n_agreed: int
    n_aligned: int
    qc4_f: tuple[float | None, float | None]
    kappa: float | None


@dataclass(frozen=True, slots=True)
class GroupReport:
    """The contents of the page and files about several drafts; attributes as for `PairReport` and `GroupAgreement`.

    Attributes:
        disputed: the first pages that the drafts place differently, most disputed first.
        placements: the pages of the JSON.
    """

    names: tuple[str, ...]
    n_pages: int
    n_agreed: int
    n_pairs: int
    n_everywhere: int
    n_partial: int
    n_disputed: int
    table: FigureTable
    outliers: FigureTable
    disputed: tuple[DisputedRow, ...]
    pairs: tuple[PairSummary, ...]
    content: dict[str, Any]
    placements: list[Any]
    lines: list[Any]


def _documents(asked: AgreementAsked) -> list[GoldDocument]:
    """Return the contents of the drafts.

    Raises:
        Gone: if somebody has changed a draft meanwhile, so that the waiting page needs another answer.
    """
    known = Draft.objects.select_related("query", "curator").in_bulk([draft.id for draft in asked.drafts])
    if any(one.id not in known or known[one.id].revision != one.revision for one in asked.drafts):
        raise InputsDeleted
    return documents_of([known[one.id] for one in asked.drafts])


def _of_two(asked: AgreementAsked) -> PairReport:
    first, second = _documents(asked)
    found = compare(first, second, asked.names, asked.minimum)
    rows = list(_page_rows(found))
    content = found.to_dict()
    pages = content.pop("pages")
    n_levels = max(side.hierarchy.n_levels for side in (found.first, found.second))
    return PairReport(
        names=(found.first.name, found.second.name),
        n_pages=len(found.pages),
        n_differing=len(found.differing),
        n_aligned=len(found.alignment.pairs),
        n_only=(len(found.alignment.only_first), len(found.alignment.only_second)),
        qc4=tables.qc4_table(found),
        per_level=tables.level_table(found),
        outliers=tables.outlier_table(found),
        topics=tuple(_topic_rows(found)),
        kinds=tuple(tables.difference_counts(found)),
        differing=tuple(islice((row for row in rows if not row.agree), DIFFERING_PAGES)),
        n_levels=n_levels,
        matrices=[tables.matrix(found, level) for level in (*range(1, n_levels + 1), None)],
        content=content,
        pages=pages,
        lines=[_line(row) for row in rows],
    )


def _of_several(asked: AgreementAsked) -> GroupReport:
    documents = _documents(asked)
    found = compare_all(documents, asked.names, asked.minimum)
    content = found.to_dict()
    placements = content.pop("placements")
    return GroupReport(
        names=tuple(side.name for side in found.sides),
        n_pages=len(found.pages),
        n_agreed=found.n_agreed,
        n_pairs=found.n_pairs,
        n_everywhere=found.n_everywhere,
        n_partial=found.n_partial,
        n_disputed=len(found.disputed),
        table=found.table,
        outliers=found.outliers,
        disputed=tuple(_disputed(found, page) for page in found.disputed[:DIFFERING_PAGES]),
        pairs=tuple(_summaries(documents, asked)),
        content=content,
        placements=placements,
        lines=[_line_of_all(found, page) for page in found.pages],
    )


def _summaries(documents: Sequence[GoldDocument], asked: AgreementAsked) -> Iterator[PairSummary]:
    """Yield a summary for each pair of drafts, without intervals."""
    for first, second in combinations(range(len(documents)), 2):
        names = asked.names[first], asked.names[second]
        found = compare(documents[first], documents[second], names, asked.minimum, groups=0)
        one, other = (found.figure("qc4_f", clusters).value for clusters in ("first", "second"))
        n_agreed = len(found.pages) - len(found.differing)
        kappa = found.figure("outlier_kappa").value
        yield PairSummary(first, second, n_agreed, len(found.alignment.pairs), (one, other), kappa)


OF_TWO = Answer(
    "agreement-of-two",
    AgreementAsked,
    PairReport,
    _of_two,
    cost=lambda asked: INTERVALS + PAIR + asked.size,
    cheap=CHEAP,
    parts={"matrices": 1, "pages": ROWS, "lines": ROWS},
)
OF_SEVERAL = Answer(
    "agreement-of-several",
    AgreementAsked,
    GroupReport,
    _of_several,
    cost=lambda asked: comb(len(asked.drafts), 2) * (PAIR + 2 * asked.size),
    cheap=CHEAP,
    parts={"placements": ROWS, "lines": ROWS},
)


# --- What is shown to a person ----------------------------------------------------------------------------------------


class _Shown:
    """Properties that comparisons of two and of several drafts have in common."""

    __slots__ = ()

    asked: AgreementAsked
    drafts: tuple[Draft, ...]
    dependence: Sequence[Dependence]

    @property
    def dependence_words(self) -> str:
        """The reasons why this agreement is not independent; "" if it is."""
        return dependence_message(self.dependence)

    @property
    def numbers(self) -> str:
        """The ids of the drafts, for the names of files: "3-7"."""
        return "-".join(str(draft.pk) for draft in self.drafts)

    @property
    def is_submitted(self) -> bool:
        return all(draft.status == Draft.Status.SUBMITTED for draft in self.drafts)

    @property
    def _independence(self) -> dict[str, Any]:
        dependence = [each.to_dict() for each in self.dependence]
        return {"independent": not dependence, "dependence": dependence}


@dataclass(frozen=True, slots=True)
class PairComparison(_Shown):
    """Two drafts of a query and their agreement."""

    asked: AgreementAsked
    drafts: tuple[Draft, ...]
    report: PairReport
    dependence: Sequence[Dependence] = ()

    @property
    def address(self) -> str:
        """The pair as a query string."""
        return urlencode({"first": self.drafts[0].pk, "second": self.drafts[1].pk})

    def matrix(self, level: int | None) -> Any:
        """Return the overlap of topics on a level, or of all topics."""
        place = self.report.n_levels if level is None else level - 1
        return _rows(OF_TWO, self.asked, "matrices", self.report.matrices, place, place + 1)[0]

    @property
    def lines(self) -> list[Any]:
        return _rows(OF_TWO, self.asked, "lines", self.report.lines, 0, self.report.n_pages)

    def to_dict(self) -> dict[str, Any]:
        """Return the content for files and the API."""
        pages = _rows(OF_TWO, self.asked, "pages", self.report.pages, 0, self.report.n_pages)
        return self.report.content | {"pages": pages} | self._independence


@dataclass(frozen=True, slots=True)
class GroupComparison(_Shown):
    """Several drafts of a query and their agreement."""

    asked: AgreementAsked
    drafts: tuple[Draft, ...]
    report: GroupReport
    dependence: Sequence[Dependence] = ()

    @property
    def address(self) -> str:
        """The drafts as a query string."""
        return urlencode({"draft": [draft.pk for draft in self.drafts]}, doseq=True)

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """Each pair of drafts: summary, names, query string, and True if one of the two is dependent."""
        dependent, names = {each.draft.pk for each in self.dependence}, self.report.names
        found = []
        for pair in self.report.pairs:
            ids = [self.drafts[place].pk for place in (pair.first, pair.second)]
            address = urlencode(dict(zip(("first", "second"), ids, strict=True)))
            own = {"names": (names[pair.first], names[pair.second]), "dependent": bool(dependent & set(ids))}
            found.append({"found": pair, "address": address, **own})
        return found

    @property
    def lines(self) -> list[Any]:
        return _rows(OF_SEVERAL, self.asked, "lines", self.report.lines, 0, self.report.n_pages)

    def to_dict(self) -> dict[str, Any]:
        """Return the content for files and the API."""
        placements = _rows(OF_SEVERAL, self.asked, "placements", self.report.placements, 0, self.report.n_pages)
        return self.report.content | {"placements": placements} | self._independence


def compare_pair(first: Draft, second: Draft, minimum: float = MINIMUM) -> PairComparison:
    """Return the comparison of two drafts of one query as they are now.

    Raises:
        InputError: if a draft is too large to be compared.
        Pending: if the comparison is being computed.
    """
    asked = _asked((first, second), minimum)
    found = OF_TWO.get(asked)
    return PairComparison(asked, (first, second), found, list(dependence_of([first, second]).values()))


def compare_group(drafts: Sequence[Draft], minimum: float = MINIMUM) -> GroupComparison:
    """Return the comparison of several drafts of one query as they are now, with all pairs; raises like `compared`."""
    asked = _asked(drafts, minimum)
    found = OF_SEVERAL.get(asked)
    return GroupComparison(asked, tuple(drafts), found, list(dependence_of(drafts).values()))


def _asked(drafts: Sequence[Draft], minimum: float) -> AgreementAsked:
    if problems := size_problems(drafts):
        raise InputError(problems)
    named = zip(drafts, names_in_comparison(drafts), strict=True)
    size = max(draft.summary.get(name, 0) for draft in drafts for name in ("pages", "placements"))
    some = tuple(DraftAsked(draft.pk, draft.revision, name) for draft, name in named)
    return AgreementAsked(drafts[0].query.collection_id, some, minimum, size)


def _rows(
    answer: Answer[AgreementAsked, Any], asked: AgreementAsked, field: str, there: list[Any], start: int, stop: int
) -> list[Any]:
    """Return rows of a long list, either just computed (``there``) or stored.

    Raises:
        Pending: if the answer has been deleted since it was read.
    """
    found = there[start:stop] if there else answer.rows(asked, field, start, stop)
    if not found:
        raise Pending
    return found


_COUNTS = ("topics", "placements", "pages")
"""Keys of the sizes in the summaries of drafts."""


def documents_within(drafts: Sequence[Draft]) -> list[GoldDocument]:
    """Return the contents of drafts, if they are small enough to be compared in a request.

    Raises:
        InputError: if they have too many topics or placements together.
    """
    if problems := size_problems(drafts):
        raise InputError(problems)
    return documents_of(drafts)


def size_problems(drafts: Sequence[Draft]) -> list[Problem]:
    """Return the reasons why the drafts are too large to be compared, computed from their summaries alone."""
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


def names_in_comparison(drafts: Sequence[Draft]) -> list[str]:
    """Return the names of drafts in a comparison, with their ids if two drafts have the same name."""
    names = [draft.name for draft in drafts]
    return [
        f"{clipped(draft.name, NAME_CHARS - 20)} ({draft.pk})" if names.count(draft.name) > 1 else draft.name
        for draft in drafts
    ]


def _topic_rows(found: Agreement) -> Iterator[TopicRow]:
    """Yield the aligned topics, then those of only the first draft, then those of only the second."""
    first, second = found.first, found.second
    sizes, others = first.hierarchy.sizes.tolist(), second.hierarchy.sizes.tolist()
    for pair in found.alignment.pairs:
        paths = first.paths[pair.first], second.paths[pair.second]
        yield TopicRow(*paths, sizes[pair.first], others[pair.second], pair.shared, pair.jaccard)
    for topic in found.alignment.only_first:
        yield TopicRow(first.paths[topic], (), sizes[topic], None)
    for topic in found.alignment.only_second:
        yield TopicRow((), second.paths[topic], None, others[topic])


def _page_rows(found: Agreement) -> Iterator[PageRow]:
    """Yield a row for every page."""
    for page in found.pages:
        about = found.first.document.pages[page.page]
        how = difference_words(page.kind, found.first, found.second)
        places = (own_paths(side, page.page) for side in (found.first, found.second))
        yield PageRow(about.id, about.title or "", page.agree, how, *places)


def _line(row: PageRow) -> list[str]:
    words = [row.page, row.title, "yes" if row.agree else "no", row.how]
    return [*words, " | ".join(row.first), " | ".join(row.second)]


def _disputed(found: GroupAgreement, page: PageComparison) -> DisputedRow:
    majority = found.symbols.majority(page.placements)
    about = found.sides[0].document.pages[page.page]
    return DisputedRow(
        about.id,
        about.title or "",
        page.pairs_apart,
        [own_paths(side, page.page) for side in found.sides],
        tables.paths(majority, found.symbols) if majority.is_placed else [],
    )


def _line_of_all(found: GroupAgreement, page: PageComparison) -> list[str | int]:
    row = _disputed(found, page)
    places = [" | ".join(paths) for paths in (*row.places, row.majority)]
    agree = "yes" if page.agree else "no"
    return [row.page, row.title, agree, row.pairs_apart, found.n_pairs, *places]


def page_table(found: PairComparison | GroupComparison) -> Table:
    """Return a row per page, in the order of the page list.

    Each row says why the agreement is not independent, so that nobody reads a part of the file without this remark.
    """
    names = found.report.names
    if isinstance(found, GroupComparison):
        head = ["page", "title", "agree", "pairs apart", "pairs", *names, "majority"]
    else:
        head = ["page", "title", "agree", "how", *names]
    said = found.dependence_words
    return Table([[*head, "dependence"], *([*line, said] for line in found.lines)])

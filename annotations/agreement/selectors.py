"""How far drafts of a query agree: answers, worked out from the drafts as they are at a revision, for page and files.

A draft is compared under its name, which is in what is said of it. Whether drafts are independent is read at each look.
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
from annotations.agreement.statistics.tables import FigureTable, Matrix, own_paths, worded
from annotations.drafts.selectors.dependence import Dependence, dependence_of, told
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
"""Pages that are looked at in a tenth of a second; the numbers below are in the same unit."""
INTERVALS, PAIR = 1_600, 150
"""What the intervals of two drafts cost, and what comparing any two costs, beside their pages."""
ROWS = 1_000
"""Pages that are stored, and read, together."""


# --- What is asked ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftAsked:
    """A draft at a revision, and what the comparison calls it."""

    id: int
    revision: int
    name: str


@dataclass(frozen=True, slots=True)
class AgreementAsked:
    """Drafts of one query.

    Attributes:
        minimum: as of `annotations.agreement.statistics.align`.
        size: pages of the query, or the most that the topics of a draft hold.
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


# --- What is found out ------------------------------------------------------------------------------------------------


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

    page: str
    title: str
    agree: bool
    how: str
    first: list[str]
    second: list[str]


@dataclass(frozen=True, slots=True)
class DisputedRow:
    """A page not all place alike: of how many pairs the placements differ, where each side puts it in its own words,
    and where more than half do, in the words of the first who do; nothing where no half does."""

    page: str
    title: str
    pairs_apart: int
    places: list[list[str]]
    majority: list[str]


@dataclass(frozen=True, slots=True)
class PairReport:
    """All that page and files say of two drafts.

    Attributes:
        n_only: topics that only one of the two has.
        matrices: of each level, and last of all topics.
        differing: the first pages the two differ about.
        content: for JSON, without its pages.
        pages: those.
        lines: of the files, without why the agreement is no independent one.
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
    """Two of several drafts, by their places among these.

    Attributes:
        qc4_f: QC4's harmonic mean of quality and coverage, the topics of either as clusters.
        kappa: of the outliers.
    """

    first: int
    second: int
    n_agreed: int
    n_aligned: int
    qc4_f: tuple[float | None, float | None]
    kappa: float | None


@dataclass(frozen=True, slots=True)
class GroupReport:
    """All that page and files say of several drafts; attributes as of `PairReport` and `GroupAgreement`.

    Attributes:
        disputed: the first of the pages that not all place alike, most disputed first.
        placements: the pages for JSON.
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
    """What the drafts hold.

    Raises:
        Gone: somebody has changed one meanwhile, so the page that waits has another question now.
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
        kinds=tuple(tables.kinds(found)),
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
    """Every two, without intervals."""
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


# --- What is shown ----------------------------------------------------------------------------------------------------


class _Shown:
    """What is told alike of two drafts and of several."""

    __slots__ = ()

    asked: AgreementAsked
    drafts: tuple[Draft, ...]
    dependence: Sequence[Dependence]

    @property
    def dependence_words(self) -> str:
        """Why this is no independent agreement; "" where it is one."""
        return told(self.dependence)

    @property
    def numbers(self) -> str:
        """The numbers of the drafts, for the names of files: "3-7"."""
        return "-".join(str(draft.pk) for draft in self.drafts)

    @property
    def is_submitted(self) -> bool:
        return all(draft.status == Draft.Status.SUBMITTED for draft in self.drafts)

    @property
    def _independence(self) -> dict[str, Any]:
        dependence = [each.to_dict() for each in self.dependence]
        return {"independent": not dependence, "dependence": dependence}


@dataclass(frozen=True, slots=True)
class Compared(_Shown):
    """Two drafts of a query and their agreement."""

    asked: AgreementAsked
    drafts: tuple[Draft, ...]
    report: PairReport
    dependence: Sequence[Dependence] = ()

    @property
    def address(self) -> str:
        """The pair as the query string of an address."""
        return urlencode({"first": self.drafts[0].pk, "second": self.drafts[1].pk})

    def matrix(self, level: int | None) -> Any:
        """The overlap of topics on a level, or of all topics."""
        place = self.report.n_levels if level is None else level - 1
        return _rows(OF_TWO, self.asked, "matrices", self.report.matrices, place, place + 1)[0]

    @property
    def lines(self) -> list[Any]:
        return _rows(OF_TWO, self.asked, "lines", self.report.lines, 0, self.report.n_pages)

    def to_dict(self) -> dict[str, Any]:
        """For files and the API."""
        pages = _rows(OF_TWO, self.asked, "pages", self.report.pages, 0, self.report.n_pages)
        return self.report.content | {"pages": pages} | self._independence


@dataclass(frozen=True, slots=True)
class AllCompared(_Shown):
    """Several drafts of a query and how far all of them agree."""

    asked: AgreementAsked
    drafts: tuple[Draft, ...]
    report: GroupReport
    dependence: Sequence[Dependence] = ()

    @property
    def address(self) -> str:
        """The drafts as the query string of an address."""
        return urlencode({"draft": [draft.pk for draft in self.drafts]}, doseq=True)

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """Every two: what is found, their names, their address, and whether one is dependent."""
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
        """For files and the API."""
        placements = _rows(OF_SEVERAL, self.asked, "placements", self.report.placements, 0, self.report.n_pages)
        return self.report.content | {"placements": placements} | self._independence


def compared(first: Draft, second: Draft, minimum: float = MINIMUM) -> Compared:
    """Two drafts of one query as they are now.

    Raises:
        InputError: one of them is too large to be compared.
        Pending: they are being compared.
    """
    asked = _asked((first, second), minimum)
    found = OF_TWO.get(asked)
    return Compared(asked, (first, second), found, list(dependence_of([first, second]).values()))


def of_all(drafts: Sequence[Draft], minimum: float = MINIMUM) -> AllCompared:
    """Several drafts of one query as they are now, all together and every two; raises as `compared`."""
    asked = _asked(drafts, minimum)
    found = OF_SEVERAL.get(asked)
    return AllCompared(asked, tuple(drafts), found, list(dependence_of(drafts).values()))


def _asked(drafts: Sequence[Draft], minimum: float) -> AgreementAsked:
    if problems := too_large(drafts):
        raise InputError(problems)
    named = zip(drafts, names_of(drafts), strict=True)
    size = max(draft.summary.get(name, 0) for draft in drafts for name in ("pages", "placements"))
    some = tuple(DraftAsked(draft.pk, draft.revision, name) for draft, name in named)
    return AgreementAsked(drafts[0].query.collection_id, some, minimum, size)


def _rows(
    answer: Answer[AgreementAsked, Any], asked: AgreementAsked, field: str, there: list[Any], start: int, stop: int
) -> list[Any]:
    """Rows of a long list: of what was just worked out, or as they are stored.

    Raises:
        Pending: the answer has been deleted since it was read.
    """
    found = there[start:stop] if there else answer.rows(asked, field, start, stop)
    if not found:
        raise Pending
    return found


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


def _topic_rows(found: Agreement) -> Iterator[TopicRow]:
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


def _page_rows(found: Agreement) -> Iterator[PageRow]:
    """Every page."""
    for page in found.pages:
        about = found.first.document.pages[page.page]
        how = worded(page.kind, found.first, found.second)
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


def page_table(found: Compared | AllCompared) -> Table:
    """A row per page, in the order of the page list.

    Each says why the agreement is no independent one, so that no part of the file is read without it.
    """
    names = found.report.names
    if isinstance(found, AllCompared):
        head = ["page", "title", "agree", "pairs apart", "pairs", *names, "majority"]
    else:
        head = ["page", "title", "agree", "how", *names]
    said = found.dependence_words
    return Table([[*head, "dependence"], *([*line, said] for line in found.lines)])

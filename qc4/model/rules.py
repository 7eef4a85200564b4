"""The rules R1-R6 of a publishable gold standard, the warnings, and the conversion of a document to a gold standard.

Source: the project's interpretation of QC4, "The gold standard". Every problem names the rule, the topic, the pages and
the level, and says how to repair it. R1-R5 are in `qc4.model.hierarchy`; `qc4.model.structure` has the checks that come
before the rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from qc4.model.gold_document import Completion, GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Breach, Hierarchy, outlier_breaches
from qc4.model.structure import RULES, CompletionReport, Structure, complete, topic_name
from qc4.problems import InputError, Problem, ProblemList, SeverityMixin
from qc4.text import difference, name_key
from qc4.wording import listed, quoted

__all__ = [
    "RULES",
    "CheckedDocument",
    "CompletionReport",
    "check",
    "complete",
    "prepare",
    "prepare_all",
    "query_name",
]

COMPLETED = frozenset({"page-without-topic", "page-without-subtopic"})
"""The codes of problems that `complete` repairs; messages do not ask to repair them by hand."""


class CheckedDocument(SeverityMixin):
    """A document and its problems. Each check runs once, when its result is first accessed."""

    def __init__(self, document: GoldDocument) -> None:
        self.document = document
        self._structure = Structure(document)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The errors that prevent publication of the document, followed by the warnings.

        Rules that need a valid hierarchy are checked only if the topics form one.
        """
        return tuple(sorted(_problems(self._structure), key=lambda problem: problem.severity))

    @property
    def hierarchy(self) -> Hierarchy:
        """The topics as arrays. Valid only if they form a forest."""
        return self._structure.hierarchy

    @property
    def completable(self) -> bool:
        return not self._structure.problems

    def completed(self) -> tuple[CheckedDocument, CompletionReport]:
        """Return the document after `complete`, and a report of what changed.

        Raises:
            InputError: the topics have no valid structure.
        """
        document, report = complete(self.document, self._structure)
        return (CheckedDocument(document) if report.changed else self), report

    def standard(self) -> GoldStandard:
        """Return the gold standard of the document, ready for measures.

        Raises:
            InputError: the document breaks a rule; the error reports every breach.
        """
        if self.errors:
            raise InputError(self.errors)
        names = self._structure.names
        titles = tuple(topic.name for topic in self.document.topics)
        return GoldStandard(self.hierarchy, names.page_ids, names.topic_ids, titles, self.document)


def check(document: GoldDocument) -> list[Problem]:
    """Return the errors that prevent publication of a document, and the warnings."""
    return list(CheckedDocument(document).problems)


def prepare(document: GoldDocument, completion: Completion = "strict") -> GoldStandard:
    """Return the gold standard of a document, ready for measures.

    Args:
        completion: ``strict`` rejects pages without a topic; ``complete`` assigns them as the function `complete` does.

    Raises:
        InputError: the document breaks a rule; the error reports every breach.
    """
    if completion not in ("strict", "complete"):
        raise ValueError(f"completion must be 'strict' or 'complete', not {completion!r}")
    checked = CheckedDocument(document)
    if completion == "strict":
        return checked.standard()
    if checked.completable:
        return checked.completed()[0].standard()
    raise InputError(problem for problem in checked.errors if problem.code not in COMPLETED)


def prepare_all(documents: Sequence[GoldDocument], completion: Completion = "strict") -> list[GoldStandard]:
    """Apply `prepare` to the queries of a collection. Problems of all queries are raised together, with their query.

    Raises:
        InputError: a document breaks a rule; the error reports every breach.
    """
    prepared: list[GoldStandard] = []
    problems: list[Problem] = []
    for document in documents:
        try:
            prepared.append(prepare(document, completion))
        except InputError as error:
            problems.extend(problem.within(query_name(document)) for problem in error.problems)
    if problems:
        raise InputError(problems)
    return prepared


def query_name(document: GoldDocument) -> str:
    """Return a query's name for messages."""
    text = f" ({document.query_text})" if document.query_text not in ("", document.query_id) else ""
    return f"query {quoted(document.query_id)}{text}"


def _problems(structure: Structure) -> ProblemList:
    document, problems = structure.document, ProblemList()
    problems.extend(structure.problems)
    problems.extend(map(structure.names.problem, outlier_breaches(structure.direct, structure.outliers)))
    _check_sibling_names(document, problems)
    if not document.pages:
        problems.error("no-pages", "pages", "an empty page list", "at least one page")
    elif not document.has_gold:
        problems.error("no-gold", "topics", "a page list without a gold standard", "topics, outliers or both")
    elif structure.is_forest:
        breaches = [breach for breach in structure.hierarchy.breaches if breach.rule != "R2"]
        problems.extend(map(structure.names.problem, _without_copies(breaches, document.page_ids)))
        _add_warnings(structure, problems)
    return problems


def _without_copies(breaches: Iterable[Breach], page_ids: Sequence[str]) -> Iterator[Breach]:
    """Yield breaches without duplicate ids of the page list, which are already reported. Assigning a page covers all of
    its duplicates."""
    breaches = list(breaches)
    if not breaches:  # the usual case
        return
    copies = [place for place, times in zip(range(len(page_ids)), _occurrences(page_ids), strict=True) if times > 1]
    for breach in breaches:
        if not copies or not breach.pages.size:
            yield breach
            continue
        pages = np.setdiff1d(breach.pages, copies)
        if pages.size:
            yield replace(breach, pages=pages)


def _occurrences(ids: Sequence[str]) -> list[int]:
    """Return how often each id occurs in the list."""
    if len(set(ids)) == len(ids):
        return [1] * len(ids)
    counts = Counter(ids)
    return [counts[one] for one in ids]


def _check_sibling_names(document: GoldDocument, problems: ProblemList) -> None:
    siblings: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for number, topic in enumerate(document.topics):
        siblings[topic.parent, name_key(topic.name)].append(number)
    for (parent, _), numbers in siblings.items():
        if len(numbers) > 1:
            names = [document.topics[number].name for number in numbers]
            how = next(filter(None, (difference(names[0], name) for name in names[1:])), "")
            problems.error(
                "duplicate-name",
                f"the children of {topic_name(parent)}" if parent is not None else "level 1",
                f"{len(numbers)} topics named {quoted(names[0])}: "
                f"{listed([document.topics[number].id for number in numbers])}{f' ({how})' if how else ''}",
                f"{RULES['R6']} (rule R6; case is ignored)",
                "Rename or merge them.",
            )


def _add_warnings(structure: Structure, problems: ProblemList) -> None:
    hierarchy, pages = structure.hierarchy, structure.hierarchy.pages
    same: dict[bytes, list[int]] = defaultdict(list)
    for number, size in enumerate(hierarchy.sizes.tolist()):
        if size == hierarchy.n_pages:
            problems.warn(
                "topic-holds-all",
                structure.place(number),
                "every page",
                "topics that divide the pages",
                "With one topic no clustering can score better than chance, and an ideal one does not score 1.",
            )
        if size == 1:
            problems.warn("topic-of-one-page", structure.place(number), "one page", "two pages or more")
        if size:
            same[pages.indices[pages.indptr[number] : pages.indptr[number + 1]].tobytes()].append(number)
    for numbers in same.values():
        _warn_same_pages(structure, numbers, problems)


def _warn_same_pages(structure: Structure, numbers: list[int], problems: ProblemList) -> None:
    """Add one warning per topic that has the same pages as an earlier topic on a common level."""
    hierarchy, topic_ids = structure.hierarchy, structure.names.topic_ids
    earlier_on: dict[int, int] = {}
    for number in numbers:
        span = range(int(hierarchy.first[number]), int(hierarchy.last[number]) + 1)
        level = next((level for level in span if level in earlier_on), None)
        if level is not None:
            found = f"the same pages as {topic_name(topic_ids[earlier_on[level]])} on level {level}"
            problems.warn("same-pages", structure.place(number), found, "topics with different pages on each level")
        for level in span:
            earlier_on.setdefault(level, number)

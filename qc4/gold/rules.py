"""The rules R1-R6 of a publishable gold standard, the warnings, and how a document becomes a gold standard.

Source: the project's QC4 reading, "The gold standard". Every problem names the rule, the topic, the pages and the
level, and says how to repair it. `qc4.gold.structure` holds the checks that come before the rules can be looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from qc4.arrays import IntArray
from qc4.gold.completion import CompletionReport, complete, uncovered
from qc4.gold.document import Completion, GoldDocument
from qc4.gold.hierarchy import Hierarchy
from qc4.gold.standard import GoldStandard
from qc4.gold.structure import check_structure, hierarchy_of, is_forest, place, topic_name
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import counted, listed, quoted

__all__ = [
    "RULES",
    "CompletionReport",
    "check",
    "complete",
    "prepare",
    "prepare_all",
    "query_name",
]

# Worded to follow "expected" in a message.
RULES: dict[str, str] = {
    "R1": "every page, on every level, in a topic or in the outlier topic",
    "R2": "outliers in no other topic",
    "R3": "children that together hold all pages of their topic",
    "R4": "no empty topic",
    "R5": "parents that form a forest; roots start on level 1, the children of a topic all on one level below it",
    "R6": "unique names among siblings",
}
NAMED_PAGES = 1_000
"""Pages without a topic are all named, so that they can be placed in one go; a message has an end all the same."""


# What `complete` would repair, so that no one is told to repair it by hand.
_COMPLETED = {"page-without-topic", "page-without-subtopic"}


def check(document: GoldDocument) -> list[Problem]:
    """Everything that keeps a document from being published (errors), and the warnings.

    Rules that need a sound hierarchy are looked at when the topics form one.
    """
    problems = ProblemList()
    structure = check_structure(document)
    problems.extend(structure)
    _check_outliers(document, problems)
    _check_sibling_names(document, problems)
    if not document.pages:
        problems.error("no-pages", "pages", "an empty page list", "at least one page")
    elif not document.has_gold:
        problems.error("no-gold", "topics", "a page list without a gold standard", "topics, outliers or both")
    elif is_forest(structure):
        hierarchy = hierarchy_of(document)
        _check_empty(document, hierarchy, problems)
        _check_placed(document, hierarchy, problems)
        _warn(document, hierarchy, problems)
    return sorted(problems, key=lambda problem: problem.severity)


def prepare(document: GoldDocument, completion: Completion = "strict") -> GoldStandard:
    """The gold standard of a document, ready for measures.

    Args:
        completion: ``strict`` refuses pages without a topic; ``complete`` places them as `complete` says.

    Raises:
        InputError: every rule the document breaks.
    """
    if completion not in ("strict", "complete"):
        raise ValueError(f"completion is 'strict' or 'complete', not {completion!r}")
    completable = completion == "complete" and not check_structure(document)
    if completable:
        document = complete(document)[0]
    errors = [problem for problem in check(document) if problem.severity == "error"]
    if completion == "complete" and not completable:
        errors = [problem for problem in errors if problem.code not in _COMPLETED]
    if errors:
        raise InputError(errors)
    return GoldStandard(
        hierarchy_of(document),
        tuple(page.id for page in document.pages),
        tuple(topic.id for topic in document.topics),
        tuple(topic.name for topic in document.topics),
        document,
    )


def prepare_all(documents: Sequence[GoldDocument], completion: Completion = "strict") -> list[GoldStandard]:
    """`prepare` for the queries of a collection; the problems of all of them together, each named with its query.

    Raises:
        InputError: every rule any document breaks.
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
    """How messages name a query."""
    text = f" ({document.query_text})" if document.query_text not in ("", document.query_id) else ""
    return f"query {quoted(document.query_id)}{text}"


def _check_placed(document: GoldDocument, hierarchy: Hierarchy, problems: ProblemList) -> None:
    """R1 and R3. Below level 1 each is reported at the topic whose children miss the page, where it is repaired."""
    page_ids = np.array([page.id for page in document.pages], dtype=object)
    missing = hierarchy.unplaced(1)
    if missing.size:
        problems.error(
            "page-without-topic",
            "level 1",
            f"{counted(missing.size, 'page')} in no topic and not outliers: "
            f"{listed(page_ids[missing].tolist(), NAMED_PAGES)}",
            f"{RULES['R1']} (rule R1)",
            "Put each page into a topic or the outliers, or import with the completion rule 'complete'.",
        )
    unplaced: dict[int, IntArray] = {}
    for topic, left_over, level in uncovered(hierarchy):
        if level not in unplaced:
            unplaced[level] = hierarchy.unplaced(level)
        nowhere = np.isin(left_over, unplaced[level])
        name = place(document, topic)
        for rule, code, pages in (
            ("R1", "page-without-topic", left_over[nowhere]),
            ("R3", "page-without-subtopic", left_over[~nowhere]),
        ):
            if pages.size:
                shown = listed(page_ids[pages].tolist(), NAMED_PAGES)
                problems.error(
                    code,
                    f"level {level}, {name}",
                    f"{counted(pages.size, 'page')} of the topic in none of its subtopics: {shown}",
                    f"{RULES[rule]} (rule {rule})",
                    "Put each page into a subtopic, or import with the completion rule 'complete'.",
                )


def _check_outliers(document: GoldDocument, problems: ProblemList) -> None:
    outliers = set(document.outliers)
    for number, topic in enumerate(document.topics):
        both = [page for page in topic.pages if page in outliers]
        if both:
            problems.error(
                "outlier-in-topic",
                place(document, number),
                f"pages that are also outliers: {listed(both)}",
                f"{RULES['R2']} (rule R2)",
                "Remove each page from the topic or from the outliers.",
            )


def _check_empty(document: GoldDocument, hierarchy: Hierarchy, problems: ProblemList) -> None:
    for number in np.flatnonzero(hierarchy.sizes == 0).tolist():
        problems.error(
            "empty-topic",
            place(document, number),
            "no pages",
            f"{RULES['R4']} (rule R4)",
            "Add a page to the topic or remove it.",
        )


def _check_sibling_names(document: GoldDocument, problems: ProblemList) -> None:
    siblings: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for number, topic in enumerate(document.topics):
        siblings[topic.parent, topic.name.casefold()].append(number)
    for (parent, _), numbers in siblings.items():
        if len(numbers) > 1:
            problems.error(
                "duplicate-name",
                f"the children of {topic_name(parent)}" if parent is not None else "level 1",
                f"{len(numbers)} topics named {quoted(document.topics[numbers[0]].name)}: "
                f"{listed([document.topics[number].id for number in numbers])}",
                f"{RULES['R6']} (rule R6; upper and lower case are the same)",
                "Rename or merge them.",
            )


def _warn(document: GoldDocument, hierarchy: Hierarchy, problems: ProblemList) -> None:
    pages = hierarchy.pages
    same: dict[bytes, list[int]] = defaultdict(list)
    for number, size in enumerate(hierarchy.sizes.tolist()):
        if size == hierarchy.n_pages:
            problems.warn(
                "topic-holds-all",
                place(document, number),
                "every page",
                "topics that divide the pages",
                "No cluster can do better than chance on it; an ideal clustering does not score 1.",
            )
        if size == 1:
            problems.warn("topic-of-one-page", place(document, number), "one page", "two pages or more")
        if size:
            same[pages.indices[pages.indptr[number] : pages.indptr[number + 1]].tobytes()].append(number)
    for numbers in same.values():
        _warn_same_pages(document, hierarchy, numbers, problems)


def _warn_same_pages(document: GoldDocument, hierarchy: Hierarchy, numbers: list[int], problems: ProblemList) -> None:
    """One warning per topic that has the pages of an earlier topic on a level both are on."""
    earlier_on: dict[int, int] = {}
    for number in numbers:
        span = range(int(hierarchy.first[number]), int(hierarchy.last[number]) + 1)
        level = next((level for level in span if level in earlier_on), None)
        if level is not None:
            found = f"the same pages as {topic_name(document.topics[earlier_on[level]].id)} on level {level}"
            problems.warn("same-pages", place(document, number), found, "topics of one level that differ")
        for level in span:
            earlier_on.setdefault(level, number)

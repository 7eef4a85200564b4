"""A gold standard and a clustering out of what a person gives for them: these themselves, or labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from qc4.clustering.clustering import Clustering, SubmissionDocument
from qc4.gold.document import GoldDocument
from qc4.gold.standard import GoldStandard
from qc4.ids import Numbers, page_list
from qc4.indexes import check_index, check_order
from qc4.labels import Labelling, label_row
from qc4.noise import NoiseLabel, NoiseRule, reading_as_clusters, unmatched_warnings, words_for
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.spelling import spelling_warnings
from qc4.problems.wording import counted, quoted

GivenLabels = Sequence[Any] | npt.NDArray[Any]
"""Labels, one for each page: also a column of a table, which has no type of its own here."""
GivenGold = GoldStandard | GivenLabels
GivenClustering = Clustering | GivenLabels


def paired(gold: Any, clustering: Any, noise: Any = None) -> tuple[GoldStandard, Clustering, tuple[Problem, ...]]:
    """Return a gold standard and a clustering of its pages, and warnings about the labels they were made of.

    Args:
        gold: a gold standard, or a label for each page.
        clustering: a clustering, or a label for each page of the gold standard, in the order of its page list.
        noise: the labels that mean "in no cluster", as of `Clustering.from_labels`.

    Raises:
        InputError: something else, or the two in each other's place; labels of other pages; ``noise`` without labels.
    """
    _refuse_others(gold, clustering)
    rule = _rule(noise, isinstance(gold, GoldStandard) and isinstance(clustering, Clustering))
    if not isinstance(gold, GoldStandard) and not isinstance(clustering, Clustering):
        check_index(gold, clustering, "gold", "clustering")
    notes: list[Problem] = []
    outside: list[NoiseLabel] = []
    if not isinstance(gold, GoldStandard):
        labelling = Labelling.of(gold, rule, "gold")
        notes += noise_notes(labelling.noise, rule, "gold", "outliers") + _one_label_notes(labelling)
        notes += _spelling_notes(labelling, gold, "gold")
        outside += labelling.noise
        pages = clustering.pages if isinstance(clustering, Clustering) else None
        if pages is not None and len(pages) != labelling.n_pages:
            refuse_length("gold", labelling.n_pages, len(pages), "clustered page")
        if pages is not None:
            check_order(gold, pages, "gold")
        gold = GoldStandard.of_labellings([labelling], pages)
    if not isinstance(clustering, Clustering):
        labelling = Labelling.of(clustering, rule, "clustering")
        notes += noise_notes(labelling.noise, rule, "clustering", "in no cluster")
        notes += _spelling_notes(labelling, clustering, "clustering")
        outside += labelling.noise
        if labelling.n_pages != gold.n_pages:
            refuse_length("clustering", labelling.n_pages, gold.n_pages, "page of the gold standard")
        check_order(clustering, gold.page_ids, "clustering")
        clustering = Clustering.of_labelling(labelling, gold.page_ids)
    return gold, clustering, (*notes, *unmatched_warnings(rule.unmatched(outside), "noise"))


def clusterings(
    first: Any, second: Any, pages: Sequence[str] | None = None, noise: Any = None
) -> tuple[Clustering, Clustering, tuple[Problem, ...]]:
    """Return two clusterings of the same pages, and warnings about the labels they were made of.

    Args:
        first, second: clusterings, or a label for each page.
        pages: the pages of labels, where they are known; without them those of the other clustering.
        noise: the labels that mean "in no cluster", as of `Clustering.from_labels`.

    Raises:
        InputError: something else; labels of other pages; ``noise`` without labels.
    """
    given = {"first": first, "second": second}
    problems = ProblemList()
    for where, each in given.items():
        if isinstance(each, GoldStandard):
            fix = "Score a clustering against a gold standard with qc4.score(gold, clustering)."
            problems.error("no-clustering", where, "a gold standard", "a clustering, or a label for each page", fix)
        elif found := _file(each):
            problems.error("no-clustering", where, *found)
    problems.refuse_errors()
    if not any(isinstance(each, Clustering) for each in given.values()):
        check_index(first, second, "first", "second")
    rule = _rule(noise, all(isinstance(each, Clustering) for each in given.values()))
    notes: list[Problem] = []
    made: list[Clustering] = []
    outside: list[NoiseLabel] = []
    for where, each in given.items():
        other = second if where == "first" else first
        if not isinstance(each, Clustering):
            labelling = Labelling.of(each, rule, where)
            notes += noise_notes(labelling.noise, rule, where, "in no cluster")
            notes += _spelling_notes(labelling, each, where)
            outside += labelling.noise
            those = pages if pages is not None or not isinstance(other, Clustering) else other.pages
            if those is not None and len(those) != labelling.n_pages:
                refuse_length(where, labelling.n_pages, len(those), "page")
            if those is not None:
                check_order(each, those, where)
            each = Clustering.of_labelling(labelling, page_list(those, labelling.n_pages))
        made.append(each)
    one, two = made
    if isinstance(one.pages, Numbers) and isinstance(two.pages, Numbers) and len(one.pages) != len(two.pages):
        refuse_length("second", len(two.pages), len(one.pages), "page of the first")
    return one, two, (*notes, *unmatched_warnings(rule.unmatched(outside), "noise"))


def refuse_length(where: str, found: int, expected: int, what: str) -> None:
    """Refuse labels that are too many or too few."""
    each = f"{expected:,}, one for each {what}"
    raise InputError([Problem("wrong-length", where, counted(found, "label"), each)])


def noise_notes(noise: Sequence[NoiseLabel], rule: NoiseRule, where: str, becomes: str) -> list[Problem]:
    """Return a warning that says which labels were read as noise, without the caller having named them."""
    if not noise or not rule.is_usual:
        return []
    expected, choice = f"noise: pages that are {becomes}", reading_as_clusters(noise)
    fix = "" if choice else "If one of them is an ordinary label, name the labels of noise: noise=[...]."
    return [Problem("noise", where, words_for(noise), expected, fix, "warning", choice=choice)]


def _rule(noise: Any, are_made: bool) -> NoiseRule:
    """Return the rule for labels.

    Raises:
        InputError: ``noise`` is given although there are no labels to read.
    """
    if noise is not None and are_made:
        fix = "Give noise= to from_labels, or to the function that reads the file."
        raise InputError([Problem("unused-noise", "noise", "no labels to read", "labels in place of one of them", fix)])
    return NoiseRule.of(noise)


def _spelling_notes(labelling: Labelling, given: Any, where: str) -> list[Problem]:
    """Warnings about labels that differ only in Unicode form, which count as one, and about invisible characters."""
    if not labelling.are_words:
        return []
    texts = dict.fromkeys(label for label in label_row(given) if isinstance(label, str))
    return [problem.within(where) for problem in spelling_warnings("labels", list(texts))]


def _one_label_notes(labelling: Labelling) -> list[Problem]:
    """A warning where all pages are of one topic: nothing can be told about clusters then."""
    if len(labelling.names) != 1 or labelling.noise or labelling.n_pages < 2:
        return []
    found = f"the label {quoted(labelling.names[0])} on every page"
    fix = "No cluster can do better than chance on it."
    return [Problem("topic-holds-all", "gold", found, "topics that divide the pages", fix, "warning")]


def _refuse_others(gold: Any, clustering: Any) -> None:
    """Say what is to be given where it is neither labels nor what it should be."""
    problems = ProblemList()
    expected_gold, expected = "a gold standard, or a label for each page", "a clustering, or a label for each page"
    if isinstance(gold, Clustering) and isinstance(clustering, GoldStandard):
        found, order = "the clustering first, then the gold standard", "the gold standard first, then the clustering"
        problems.error("swapped", "gold, clustering", found, order, "Swap the two.")
    elif isinstance(gold, Clustering):
        fix = "Two clusterings are compared with qc4.compare_clusterings(a, b)."
        problems.error("no-gold", "gold", "a clustering", expected_gold, fix)
    elif isinstance(clustering, GoldStandard):
        problems.error("no-clustering", "clustering", "a gold standard", expected)
    if found_gold := _file(gold):
        problems.error("no-gold", "gold", *found_gold)
    if found_clustering := _file(clustering):
        problems.error("no-clustering", "clustering", *found_clustering)
    problems.refuse_errors()


def _file(given: Any) -> tuple[str, str, str] | None:
    """What was found, expected and what mends it, where somebody gave a file or what is in one."""
    expected = "what was read of it"
    if isinstance(given, GoldDocument):
        return "a document whose rules were not checked", "a gold standard", "Use qc4.read_gold."
    if isinstance(given, SubmissionDocument):
        return "a submission of many clusterings", "one of them", "Take one of its .clusterings."
    if isinstance(given, Mapping) and "format" in given:
        reader = "read_gold" if str(given["format"]).startswith("qc4-gold") else "read_clustering"
        return f"the object of a file of the format {given['format']}", expected, f"Use qc4.{reader}(...)."
    if hasattr(given, "__fspath__"):
        return "a path", expected, "Use qc4.read_gold(path) or qc4.read_clustering(path)."
    return None

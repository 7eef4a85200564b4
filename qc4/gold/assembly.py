"""What a gold standard is made of where it is given in Python: labels, labels on several levels, or sets of pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import scipy.sparse as sp

from qc4.gold.document import GoldDocument, Page, Topic
from qc4.gold.hierarchy import Hierarchy
from qc4.gold.spelling import with_known_spellings
from qc4.ids import in_words, is_id, named_sets, page_ids
from qc4.indexes import check_index
from qc4.labels import Labelling, different_texts
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.references import check_once
from qc4.problems.wording import kind_of, listed, quoted
from qc4.text import Spellings, unified


def labelled_levels(levels: Any, noise: Any) -> list[Labelling]:
    """Labellings of the same pages, each finer than the one before, with the same noise.

    Raises:
        InputError: there is none; labels that are refused; other numbers of labels; levels that are not nested.
    """
    if isinstance(levels, str | bytes | Mapping | Set) or not isinstance(levels, Iterable):
        expected = "a list of labels for each level, the coarse first"
        raise InputError([Problem("no-levels", "levels", kind_of(levels), expected)])
    levels = list(levels)
    for number, labels in enumerate(levels[1:], start=1):
        check_index(levels[0], labels, "levels[0]", f"levels[{number}]")
    found_levels = [Labelling.of(labels, noise, f"levels[{number}]") for number, labels in enumerate(levels)]
    if not found_levels:
        raise InputError([Problem("no-levels", "levels", "no level", "at least one list of labels")])
    problems = ProblemList()
    for number, level in enumerate(found_levels[1:], start=1):
        _check_nested(found_levels[number - 1], level, f"levels[{number}]", problems)
    problems.refuse_errors()
    return found_levels


def stacked(levels: Sequence[Labelling]) -> tuple[Hierarchy, tuple[str, ...], tuple[str, ...]]:
    """The topics of all levels as a hierarchy, with their ids and names.

    The id of a topic is the path of labels that leads to it, "animals/cats"; its name is the last of them, and nothing
    where labels are numbers, which say nothing.
    """
    parents: list[int] = []
    ids: list[str] = []
    rows, start = [], 0
    for number, level in enumerate(levels):
        above = levels[number - 1].codes if number else np.empty(0, dtype=np.int64)
        incidence = level.incidence()
        for name, page in zip(level.names, incidence.indices[incidence.indptr[:-1]].tolist(), strict=True):
            parent = start + int(above[page]) if number else -1
            parents.append(parent)
            ids.append(f"{ids[parent]}/{name}" if number else name)
        rows.append(incidence)
        start += len(levels[number - 1].names) if number else 0
    hierarchy = Hierarchy.build(
        sp.csr_array(sp.vstack(rows, format="csr")), parents, outliers=np.flatnonzero(levels[0].codes < 0)
    )
    return (
        hierarchy,
        different_texts(ids),
        tuple(name if level.are_words else "" for level in levels for name in level.names),
    )


def document_of_sets(sets: Any, pages: Any, outliers: Any, parents: Mapping[Any, Any] | None) -> GoldDocument:
    """Topics as sets of pages, as the document a file would hold.

    Raises:
        InputError: sets, pages or outliers that are none; a parent of no set.
    """
    members = named_sets(sets, "sets")
    problems = ProblemList()
    outside = page_ids(outliers, "outliers", problems)
    check_once(outside, "outliers", "each outlier once", problems)
    listed_pages = None if pages is None else page_ids(pages, "pages", problems)
    known = Spellings(members)
    above = {known.of(str(child)): known.of(str(parent)) for child, parent in (parents or {}).items()}
    if unknown := [child for child in above if child not in members]:
        problems.error("unknown-topic", "parents", listed(unknown), f"names among {listed(list(members))}")
    problems.refuse_errors()
    names = map(in_words, sets) if isinstance(sets, Mapping) else [""] * len(members)
    topics = tuple(
        Topic(id, name, above.get(id), pages=ids) for (id, ids), name in zip(members.items(), names, strict=True)
    )
    if listed_pages is None:
        listed_pages = _pages_met([*members.values(), outside], numbered=_are_numbers(sets, outliers))
    return with_known_spellings(GoldDocument("", "", tuple(map(Page, listed_pages)), topics, outside))


def _pages_met(groups: Iterable[Sequence[str]], numbered: bool) -> tuple[str, ...]:
    """The pages of all groups, each once: as they are met, or by number."""
    met = dict.fromkeys(unified([page for group in groups for page in group]))
    return tuple(sorted(met, key=int) if numbered else met)


def _are_numbers(sets: Any, outliers: Any) -> bool:
    """Whether every page was given as an integer."""
    groups = [*(sets.values() if isinstance(sets, Mapping) else sets), outliers]
    return all(is_id(page) and not isinstance(page, str) for group in groups for page in group)


def _check_nested(coarse: Labelling, fine: Labelling, where: str, problems: ProblemList) -> None:
    """Note where the fine labels are no labels of parts of the coarse ones."""
    if fine.n_pages != coarse.n_pages:
        problems.error("wrong-length", where, f"{fine.n_pages:,} labels", f"{coarse.n_pages:,}, as on the level before")
        return
    apart = np.flatnonzero((coarse.codes < 0) != (fine.codes < 0))
    if apart.size:
        what = "noise here only" if fine.codes[apart[0]] < 0 else "noise on the level before only"
        problems.error("noise-on-one-level", f"{where}[{apart[0]}]", what, "outliers on all levels, or on none")
        return
    if (split := _first_split(coarse, fine)) is None:
        return
    name, *parents = split
    if _first_split(fine, coarse) is None:
        fix = "The levels go from fine to coarse: turn them round."
    else:
        fix = "Give it a name of its own in each, such as f'{coarse}/{fine}'."
    found = f"the label {quoted(name)} in both {quoted(parents[0])} and {quoted(parents[1])} of the level before"
    problems.error("levels-not-nested", where, found, "every label within one label of the level before", fix)


def _first_split(coarse: Labelling, fine: Labelling) -> tuple[str, str, str] | None:
    """The first fine label whose pages have several coarse labels, and two of these."""
    for name, members in zip(fine.names, fine.members(), strict=True):
        above = coarse.codes[members]
        other = np.flatnonzero(above != above[0])
        if other.size:
            return name, coarse.names[above[0]], coarse.names[above[other[0]]]
    return None

"""From labels of pages to clusters: how every reader of label files groups pages, and what it reports about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qc4.model.clustering import Cluster, ClusterColumns, Clustering
from qc4.model.noise import (
    MINUS_SIGN,
    NOISE_STARTS,
    USUAL_NOISE,
    NoiseLabel,
    NoiseRule,
    is_usual_noise,
    label_key,
    noise_text,
)
from qc4.problems import InputError, Problem, ProblemList, ReadingChoice
from qc4.text import comparison_key
from qc4.wording import counted, listed, quoted

SEPARATORS = ("#", ";", "|", ",", "/", "+", "&")
"""Separators that labelling tools put between several labels of one page."""
LABEL_SEPARATOR_CHARS = 5
_PARTS = 20
"""Maximum number of parts. A label with more is a sentence, not a list of labels."""
_SHOWN = 5
_STARTS = NOISE_STARTS | {MINUS_SIGN, " "}
_OTHER_TOPICS = "other topics"
"""Carrot2's name for the pages in no cluster, in files that do not mark this group."""


@dataclass(frozen=True, slots=True)
class LabelReading:
    """How labels of pages are read.

    Attributes:
        noise: which labels mean "in no cluster".
        separator: separator between several labels of one page; "" if a page has one label.
    """

    noise: NoiseRule = USUAL_NOISE
    separator: str = ""

    @classmethod
    def of(cls, noise: Any = None, separator: str | None = None) -> LabelReading:
        """Return the reading for a caller's options.

        Raises:
            InputError: noise is not a label or a list of labels, or the separator is blank or has more than
                `LABEL_SEPARATOR_CHARS` characters.
        """
        problems = ProblemList()
        rule = USUAL_NOISE
        try:
            rule = NoiseRule.of(noise)
        except InputError as error:
            problems.extend(error.problems)
        if separator and not (separator.strip() and len(separator) <= LABEL_SEPARATOR_CHARS):
            expected = f"up to {LABEL_SEPARATOR_CHARS} characters, such as '#'"
            problems.error("bad-separator", "label_separator", quoted(separator), expected)
        problems.refuse_errors()
        return cls(rule, (separator or "").strip())

    def labels_in(self, cell: str) -> list[str]:
        """Return the labels in a cell, without repetitions.

        A cell that as a whole means noise, such as "N/A" with the separator "/", is one label.
        """
        if not self.separator or self.separator not in cell:
            return [cell]
        parts = list(dict.fromkeys(part for part in map(str.strip, cell.split(self.separator)) if part))
        # Only BERTopic names can mean noise as a whole and still be several labels: "-1_the_and;0_apple".
        is_list = not parts or parts[0].startswith("-1_")
        return parts if is_list or not self.noise.holds(label_key(cell)) else [cell]


@dataclass(frozen=True, slots=True)
class LabelledPages:
    """Pages by label.

    Attributes:
        members: name of each cluster -> its pages, in the order of the rows; a page may be repeated by mistake.
        noise: the labels read as noise, with the number of pages that are in no cluster because of them.
    """

    members: Mapping[str, Sequence[str]]
    noise: tuple[NoiseLabel, ...]

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """One cluster per label, in order of first occurrence."""
        return tuple(Cluster(name, tuple(dict.fromkeys(pages)), name) for name, pages in self.members.items())

    @property
    def has_repeats(self) -> bool:
        return any(len(set(pages)) < len(pages) for pages in self.members.values())


def group_by_label(cells: Sequence[str], pages: Sequence[str], reading: LabelReading) -> LabelledPages:
    """Group pages by their labels.

    Args:
        cells: (rows,) the label or labels of a page, as written.
        pages: (rows,) the pages; a page may have several rows.
    """
    names = names_by_cell(cells, reading)
    members: dict[str, list[str]] = defaultdict(list)
    outside: dict[str, dict[str, None]] = defaultdict(dict)
    for cell, page in zip(cells, pages, strict=True):
        for name in names[cell]:
            members[name].append(page)
        if not names[cell]:
            outside[cell.strip()][page] = None
    if outside and len(set(pages)) < len(pages):
        inside = {page for those in members.values() for page in those}
        outside = {label: {page: None for page in those if page not in inside} for label, those in outside.items()}
    noise = tuple(NoiseLabel(label, len(those)) for label, those in outside.items() if those)
    return LabelledPages(members, noise)


def names_by_cell(cells: Sequence[str], reading: LabelReading) -> dict[str, list[str]]:
    """Return the clusters that each cell names, spelled as in their first occurrence; none for noise."""
    names: dict[str, list[str]] = {}
    spelled: dict[str, str] = {}
    for cell in dict.fromkeys(cells):
        keys = map(label_key, reading.labels_in(cell.strip()))
        found = [str(key) for key in keys if not reading.noise.holds(key)]
        names[cell] = list(dict.fromkeys(spelled.setdefault(comparison_key(name), name) for name in found))
    return names


def label_warnings(cells: Sequence[str], column: str, where: str, reading: LabelReading) -> Iterator[Problem]:
    """Warn about labels of a column that can be read in two ways.

    Args:
        cells: (rows,) the labels as written.
    """
    counts: Counter[str] = Counter()
    for cell, number in Counter(cells).items():
        counts[cell.strip()] += number
    if not reading.separator:
        yield from _combined(counts, column, where, reading.noise)
    yield from _spelled_alike(counts, column, where, reading)


def _combined(counts: Mapping[str, int], column: str, where: str, noise: NoiseRule) -> Iterator[Problem]:
    """Warn about labels that consist of other labels of the column, possibly with noise."""
    keys = {label: label_key(label) for label in counts}
    clusters = {label: str(key) for label, key in keys.items() if not noise.holds(key)}
    known = set(map(comparison_key, clusters.values()))
    found = {mark: [label for label in clusters if _consists_of(label, mark, known, noise)] for mark in SEPARATORS}
    mark = max(found, key=lambda each: len(found[each]))
    labels = found[mark]
    if not labels:
        return
    choice = ReadingChoice("label_separator", mark, "Read such labels as several")
    pages = counted(sum(counts[label] for label in labels), "page")
    what = f"the label {listed(labels)}" if len(labels) == 1 else f"the labels {listed(labels, _SHOWN)}"
    verb = "consists" if len(labels) == 1 else "consist"
    read = "It was read as one." if len(labels) == 1 else "Each was read as one."
    text = f"{what} on {pages}, which {verb} of other labels of the column {quoted(column)}"
    yield Problem("combined-label", where, text, "one label", read, "warning", choice=choice)


def _consists_of(label: str, mark: str, known: Collection[str], noise: NoiseRule) -> bool:
    """Return True if every part of a label is a known label or noise, and at least one is a known label.

    Args:
        known: the comparison keys of the labels that are clusters.
    """
    if mark not in label:
        return False
    parts = [part.strip() for part in label.split(mark)]
    if not 1 < len(parts) <= _PARTS or "" in parts:
        return False
    keys = list(map(label_key, parts))
    are_known = [comparison_key(str(key)) in known for key in keys]
    return any(are_known) and all(is_one or noise.holds(key) for is_one, key in zip(are_known, keys, strict=True))


def _spelled_alike(counts: Mapping[str, int], column: str, where: str, reading: LabelReading) -> Iterator[Problem]:
    """Warn about different spellings of one number, which are one label."""
    spellings: dict[str, list[str]] = defaultdict(list)
    for label in counts:
        key = label_key(label)
        if key is not None and key != label and not reading.noise.holds(key):
            spellings[str(key)].append(label)
    for name, labels in spellings.items():
        alike = [label for label in (name, *labels) if label in counts]
        if len(alike) > 1:
            text = f"the labels {listed(alike, _SHOWN)} in the column {quoted(column)}"
            yield Problem("same-number", where, text, "one spelling", "They were read as one label.", "warning")


def without_noise(clustering: Clustering, reading: LabelReading) -> Clustering:
    """Return the clustering without the clusters that the caller declares to be noise.

    In formats that list clusters, a cluster with a noise name is still a cluster unless the caller says otherwise.
    """
    if reading.noise.is_usual:
        return clustering
    columns = ClusterColumns.of(clustering.clusters)
    labels = columns.labels or [""] * len(columns)
    parents = set(columns.parents or ())
    dropped = [
        place
        for place, (id, label) in enumerate(zip(columns.ids, labels, strict=True))
        if id not in parents and any(reading.noise.holds(label_key(name)) for name in (id, label) if name.strip())
    ]
    if not dropped:
        return clustering
    places = set(dropped)
    kept = tuple(cluster for place, cluster in enumerate(clustering.clusters) if place not in places)
    inside = {page for cluster in kept for page in cluster.pages}
    noise = [
        NoiseLabel(labels[place] or columns.ids[place], sum(page not in inside for page in columns.pages[place]))
        for place in dropped
    ]
    return replace(clustering, clusters=kept, noise=(*clustering.noise, *noise))


def clusters_with_noise_names(clustering: Clustering) -> list[str]:
    """Return the ids of non-empty clusters whose names usually mean noise or are Carrot2's "other topics"."""
    columns = ClusterColumns.of(clustering.clusters)
    labels = columns.labels or columns.ids
    return [
        id
        for id, label, pages in zip(columns.ids, labels, columns.pages, strict=True)
        if pages
        and (id[:1] in _STARTS or label[:1] in _STARTS)
        and any(
            is_usual_noise(label_key(name)) or name.strip().casefold() == _OTHER_TOPICS
            for name in (id, label)
            if name.strip()
        )
    ]


def noise_name_warning(names: Sequence[str], where: str) -> Problem:
    """Warn about clusters with noise names, and offer to exclude their pages from every cluster."""
    names = list(dict.fromkeys(names))
    what = "the cluster" if len(names) == 1 else "the clusters"
    choice = ReadingChoice("noise", noise_text(names), "Leave their pages in no cluster")
    found = f"{what} {listed(names, _SHOWN)}, with a name that often means noise"
    return Problem(
        "cluster-called-noise", where, found, "a cluster", "It was read as a cluster.", "warning", choice=choice
    )

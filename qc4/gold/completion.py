"""The completion rule ``complete``: what becomes of pages that a gold standard leaves without a topic.

Source: the project's QC4 reading, "The gold standard". Completion is chosen by name and recorded, never silent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

from qc4.gold.document import GoldDocument, Topic
from qc4.gold.structure import Structure
from qc4.problems import InputError
from qc4.problems.wording import counted, listed
from qc4.text import name_key


@dataclass(frozen=True, slots=True)
class CompletionReport:
    """What the rule ``complete`` did to a document."""

    outliers: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    placed: int = 0

    @property
    def changed(self) -> bool:
        return bool(self.outliers or self.placed)

    def __str__(self) -> str:
        return (
            f"{counted(len(self.outliers), 'page')} became outliers; {counted(self.placed, 'page')} went to "
            f"{counted(len(self.topics), 'added topic')}{': ' + listed(list(self.topics)) if self.topics else ''}"
        )


def complete(document: GoldDocument, structure: Structure | None = None) -> tuple[GoldDocument, CompletionReport]:
    """Apply the completion rule ``complete`` and record it in the document's ``completion`` field.

    A page in no topic on level 1 becomes an outlier. A page of a topic that is in none of the topic's children goes to
    an added child named "<name> (other)" with the id "<id>/other". A document that lacks nothing stays as it is.

    Args:
        structure: the document's, where it is there already.

    Raises:
        InputError: the topics have no sound structure (unknown ids, cycles), so nothing can be completed.
    """
    structure = structure or Structure(document)
    if structure.problems:
        raise InputError(structure.problems)
    if not document.has_gold:
        return document, CompletionReport()
    hierarchy, page_ids = structure.hierarchy, structure.names.page_ids
    new_outliers = tuple(page_ids[page] for page in hierarchy.unplaced(1).tolist())
    others = _Others(document)
    placed = 0
    for parent, left_over in hierarchy.left_over.items():
        level = int(hierarchy.last[parent]) + 1
        others.take(document.topics[parent], tuple(page_ids[page] for page in left_over.tolist()), level)
        placed += left_over.size
    report = CompletionReport(new_outliers, tuple(others.taken), placed)
    if not report.changed:
        return document, report
    completed = replace(document, topics=tuple(others.topics), outliers=document.outliers + new_outliers)
    return replace(completed, extra={**document.extra, "completion": _record(document, report)}), report


def _record(document: GoldDocument, report: CompletionReport) -> dict[str, object]:
    """What was completed, together with what an earlier completion of the same document did."""
    outliers, topics = len(report.outliers), list(report.topics)
    match document.extra.get("completion"):
        case {"rule": "complete", "outliers": int(before), "topics": list(ids)}:
            outliers += before
            topics = list(dict.fromkeys([*filter(lambda item: isinstance(item, str), ids), *topics]))
    return {"rule": "complete", "outliers": outliers, "topics": topics}


class _Others:
    """The topics of a document while children named "<name> (other)" are added to them."""

    def __init__(self, document: GoldDocument) -> None:
        self.topics = list(document.topics)
        self.taken: list[str] = []
        self._numbers = {topic.id: number for number, topic in enumerate(self.topics)}
        self._child_names: dict[str | None, set[str]] = defaultdict(set)
        for topic in self.topics:
            self._child_names[topic.parent].add(name_key(topic.name))

    def take(self, parent: Topic, pages: tuple[str, ...], level: int) -> None:
        """Put pages into the parent's child for the rest: the one an earlier completion left, or a new one."""
        other_id = f"{parent.id}/other"
        number = self._numbers.get(other_id)
        if number is not None and self.topics[number].parent == parent.id and other_id not in self._child_names:
            other = self.topics[number]
            self.topics[number] = replace(other, pages=other.pages + pages)
        else:
            other_id = _free(other_id, lambda wanted: wanted in self._numbers)
            names = self._child_names[parent.id]
            name = _free(f"{parent.name} (other)", lambda wanted: name_key(wanted) in names)
            names.add(name_key(name))
            self._numbers[other_id] = len(self.topics)
            self.topics.append(Topic(other_id, name, parent.id, level, pages))
        self.taken.append(other_id)


def _free(wanted: str, taken: Callable[[str], bool]) -> str:
    name, number = wanted, 2
    while taken(name):
        name, number = f"{wanted} {number}", number + 1
    return name

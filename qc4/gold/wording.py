"""The rules of a gold standard in words, and what messages say where one is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qc4.gold.breaches import Breach
from qc4.problems import Problem
from qc4.problems.wording import counted, listed, quoted

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


def topic_name(topic_id: str) -> str:
    return f"topic {quoted(topic_id)}"


@dataclass(frozen=True, slots=True)
class Names:
    """What messages call the topics and pages of a hierarchy.

    Attributes:
        place: where a topic stands, by its index, for ``Problem.where``.
    """

    topic_ids: Sequence[str]
    page_ids: Sequence[str]
    place: Callable[[int], str]

    def problem(self, breach: Breach) -> Problem:
        """A breach in words."""
        if breach.rule == "R5":
            return self._level_problem(breach)
        expected = f"{RULES[breach.rule]} (rule {breach.rule})"
        pages = [self.page_ids[page] for page in breach.pages.tolist()]
        if breach.rule == "R4":
            fix = "Add a page to the topic or remove it."
            return Problem(breach.code, self.place(breach.topic), "no pages", expected, fix)
        if breach.rule == "R2":
            fix = "Remove each page from the topic or from the outliers."
            found = f"pages that are also outliers: {listed(pages)}"
            return Problem(breach.code, self.place(breach.topic), found, expected, fix)
        where, lack, put = f"level {breach.level}", "in no topic and not outliers", "a topic or the outliers"
        if breach.topic >= 0:
            where, put = f"{where}, {self.place(breach.topic)}", "a subtopic"
            lack = "of the topic in none of its subtopics"
        found = f"{counted(len(pages), 'page')} {lack}: {listed(pages, NAMED_PAGES)}"
        fix = f"Put each page into {put}, or import with the completion rule 'complete'."
        return Problem(breach.code, where, found, expected, fix)

    def _level_problem(self, breach: Breach) -> Problem:
        where = self.place(breach.topic)
        if breach.code == "root-level":
            found, expected = f"a root on level {breach.level}", "roots on level 1"
        elif breach.code == "bad-level":
            [(parent, above)] = breach.others
            found = f"level {breach.level} under the parent {quoted(self.topic_ids[parent])} on level {above}"
            expected = f"a level of {above + 1} or more"
        else:
            where = f"the children of {topic_name(self.topic_ids[breach.topic])}"
            shown = (f"{quoted(self.topic_ids[topic])} on {level}" for topic, level in breach.others[:20])
            found = f"different levels: {', '.join(shown)}"
            expected = "the children of one topic all on one level"
        return Problem(breach.code, where, found, f"{expected} (rule R5)")

"""Whether a hierarchy is more than one query may hold on the site, wherever it was made."""

from __future__ import annotations

from common.limits import LIMITS
from qc4.model.gold_document import GoldDocument
from qc4.problems import Problem, ProblemList


def size_problems(document: GoldDocument) -> list[Problem]:
    """What is too much in a document, by the limits that readers hold files to: in drafts topics and pages add up."""
    problems = ProblemList()
    LIMITS.exceeded("topics", len(document.topics), "topics", problems)
    memberships = len(document.outliers) + sum(len(topic.pages) for topic in document.topics)
    LIMITS.exceeded("memberships", memberships, "topics", problems)
    return list(problems)

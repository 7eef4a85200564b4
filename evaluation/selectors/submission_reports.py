"""What the checker said of a submission, as far as a person may see its answers."""

from __future__ import annotations

from typing import Any

from accounts.person import Person
from evaluation.access import hidden_answers
from evaluation.models import Submission


def visible_report(person: Person, submission: Submission) -> dict[str, Any]:
    """The report of a submission (already checked); of answers that are hidden it says nothing.

    Problems are left out with them: they name clusters, which in baselines are topics.
    """
    content: dict[str, Any] = submission.report.content
    in_collection = hidden_answers(person, submission).filter(collection=submission.collection_id)
    hidden = set(in_collection.values_list("key", flat=True))
    if not hidden:
        return content
    queries = [one for one in content["queries"] if one["query"] not in hidden]
    return content | {"queries": queries, "problems": [], "n_problems": 0}

"""Which rules an answer would break, said before it is given."""

from __future__ import annotations

from annotations.agreement.desk.answers import carried_out, operations
from annotations.agreement.desk.desk import Desk
from annotations.agreement.desk.questions import Decision
from annotations.drafting import DraftState, OperationError
from annotations.drafting.issues import Issue, issues
from qc4.wording import counted, quoted


def breaks(desk: Desk, decision: Decision) -> list[str]:
    """What an answer would break that is whole now, in words with the rule; or why it cannot be carried out."""
    try:
        after = carried_out(desk.state, operations(desk, decision))
    except OperationError as error:
        return [f"cannot be done: {error.message}"]
    if after is desk.state:
        return []
    before = {(issue.code, issue.topic, issue.level): frozenset(issue.pages) for issue in _errors(desk.state)}
    found = []
    for issue in _errors(after):
        known = before.get((issue.code, issue.topic, issue.level))
        pages = [page for page in issue.pages if known is None or page not in known]
        if known is None or pages:
            found.append(_words(desk, after, issue, pages))
    return [words for words in found if words]


def _errors(state: DraftState) -> list[Issue]:
    return [issue for issue in issues(state) if issue.severity == "error"]


def _words(desk: Desk, after: DraftState, issue: Issue, pages: list[str]) -> str:
    name = quoted(after.topics[issue.topic].name) if issue.topic in after.topics else ""
    if issue.code == "empty-topic":
        # A topic that is taken is empty until its pages are decided: that is what is asked next.
        return f"leaves {name} with no page: {issue.rule}" if issue.topic in desk.state.topics else ""
    if issue.code == "duplicate-name":
        return f"two topics beside each other would be named {name}: {issue.rule}"
    if issue.code in ("page-without-topic", "page-without-subtopic"):
        where = f"in {name} but in none of its subtopics" if name else "in no topic and no outlier"
        return f"{_named(desk, pages)} would be {where}: {issue.rule}"
    return issue.message


def _named(desk: Desk, pages: list[str]) -> str:
    if len(pages) > 1:
        return counted(len(pages), "page")
    page = desk.first.document.pages[desk.page_numbers[pages[0]]]
    return quoted(page.title or page.id)

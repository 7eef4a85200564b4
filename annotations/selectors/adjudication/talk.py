"""What was said about the page or topic a question is about: in the drafts compared, and in the outcome."""

from __future__ import annotations

from typing import Any

from annotations.agreement.desk.questions import Question
from annotations.answers import About
from annotations.draft_access import DraftAccess
from annotations.models import CommentThread
from annotations.selectors.adjudication.cards import Card
from annotations.selectors.adjudication.reading import Reading
from annotations.selectors.comments import addresses, nameable, threads_about
from qc4.records import plain


def talk(access: DraftAccess, reading: Reading, card: Card | None) -> dict[str, Any] | None:
    """The threads, and what scripts need to add one to the outcome, as JSON; None where no question is asked."""
    if card is None:
        return None
    draft, question = access.draft, card.question
    is_page = question.subject.about == About.PAGE
    about = CommentThread.About.PAGE if is_page else CommentThread.About.TOPIC
    # A topic nobody took is not in the outcome: nothing can be said about it there.
    there = not draft.is_archived and (is_page or _key(reading, question) in reading.desk.state.topics)
    names = {draft.pk: "In the outcome"} | {source.draft_id: source.name for source in reading.compared}
    urls = addresses(draft if there else None)
    return {
        "me": access.person.get_username(),
        "draft": draft.pk,
        "urls": urls,
        "threads": plain(threads_about(access.person, list(names), about, _keys(reading, question))),
        "names": {str(pk): name for pk, name in names.items()},
        "at": draft.talk,
        "people": plain(nameable(draft, access.person)),
        "subject": {"about": about, "key": _key(reading, question), "words": f"Comment on this {about}"},
    }


def _key(reading: Reading, question: Question) -> str:
    """The id in the outcome."""
    return reading.desk.topic_id(question.symbol) if question.symbol else question.subject.key


def _keys(reading: Reading, question: Question) -> set[str]:
    """The ids in the outcome and in the drafts compared: of an aligned topic each has its own."""
    keys = {question.subject.key, _key(reading, question)}
    if question.symbol is not None:
        concept = reading.desk.concepts.get(question.symbol)
        sides = concept.topics.items() if concept else ()
        keys |= {reading.desk.side(side).topic_ids[topic] for side, topic in sides}
    return keys

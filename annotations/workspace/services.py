"""Suggest topics for the pages of a draft that are in no topic, as one entry of its log."""

from __future__ import annotations

import secrets
import string
import uuid

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.drafts.services.performing import Outcome, perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Draft
from annotations.words.selectors import page_texts, page_words
from annotations.words.suggestions import suggest_topics

SOURCE = "the words of the pages"
_ID_CHARACTERS = string.ascii_lowercase + string.digits


def suggest(draft: Draft, user: User, topics: int | None = None) -> Outcome:
    """Suggest topics for pages that are not placed, not outliers, and without suggestions.

    Raises:
        InputError: if too few of these pages have words.
        DraftError: as `perform`.
    """
    known = states.current(draft)
    state = known.state
    decided = state.placed().union(state.outliers, *state.hints.values())
    among = [page for page in state.pages if page not in decided]
    suggested = suggest_topics(page_words(draft.query), page_texts(draft.query), among, topics)
    found = [(new_topic_id(), topic) for topic in suggested]
    operation = {
        "kind": "suggest",
        "source": SOURCE,
        "topics": [{"topic": pk, "name": topic.name, "parent": None} for pk, topic in found],
        "hints": [[pk, list(topic.pages)] for pk, topic in found],
    }
    return perform(draft, user, DraftRequest(uuid.uuid4(), known.revision, [operation]))


def new_topic_id() -> str:
    """Return an id in the form that browsers use: ``t-`` and 8 characters."""
    return "t-" + "".join(secrets.choice(_ID_CHARACTERS) for _ in range(8))

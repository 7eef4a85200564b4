"""Predicted topics for the pages of a draft, based on its placed pages, and the pages most useful to place next.

The predictions depend only on the draft itself and the texts. They use no other draft, and are not stored or counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from annotations.drafts.selectors import states
from annotations.drafts.state_machine import DraftState
from annotations.limits import INFORMATIVE_PAGES, PREDICTED_PAIRS
from annotations.models import Draft
from annotations.words.predictions import (
    MIN_MARGIN,
    Classification,
    PredictedClass,
    most_informative,
    predict_classes,
)
from annotations.words.selectors import distinctive_words, page_texts, page_words
from annotations.words.suggestions import suggest_topics
from annotations.words.tfidf import PageWords
from qc4.problems import InputError, Problem
from qc4.records import Record

OUTLIERS = ""
"""Represents the outliers among the topics of level 1; no topic has this id."""


class Prediction(NamedTuple):
    """The predicted place of a page: a topic, or the outliers (``topic`` null).

    ``margin`` is the difference in votes between the best and the second-best place. ``like`` lists the most similar
    pages in the predicted place.
    """

    page: str
    topic: str | None
    margin: float
    like: tuple[str, ...]


class Teaching(NamedTuple):
    """The pages most useful to place next, best first: below ``topic``, or on level 1 (null)."""

    topic: str | None
    pages: list[str]


@dataclass(frozen=True, slots=True)
class DraftPredictions(Record):
    """Predictions for pages without a place, at one revision. They do not affect the draft.

    Attributes:
        limit: the smallest margin at which a page is predicted.
    """

    revision: int
    limit: float
    predictions: list[Prediction]
    teaching: list[Teaching]


def predictions(draft: Draft) -> DraftPredictions:
    """Return the predictions that the placed pages of a draft give for the other pages."""
    known = states.current(draft)
    words = distinctive_words(draft.query)
    found: dict[str, Prediction] = {}
    taught: list[Teaching] = []
    left = PREDICTED_PAIRS
    for topic, whole in _choices(known.state):
        choice, compared = _bounded(known.state, whole, left)
        left -= compared
        if choice.waiting:
            taught.append(Teaching(topic, most_informative(words, choice, INFORMATIVE_PAGES)))
        predicted = {page for page, guess in found.items() if topic is not None and guess.topic == topic}
        for guess in predict_classes(words, Classification({*choice.waiting, *predicted}, choice.examples)):
            if guess.margin >= MIN_MARGIN:
                found[guess.page] = _prediction(guess)
    ordered = [found[page] for page in known.state.ordered(found)]
    return DraftPredictions(known.revision, MIN_MARGIN, ordered, taught)


def _bounded(state: DraftState, choice: Classification, most: int) -> tuple[Classification, int]:
    """Limit a choice to as many of its first waiting pages as may be compared with examples; also return the number of
    pairs."""
    examples = len(frozenset().union(*choice.examples.values()))
    if len(choice.waiting) * examples <= most:
        return choice, len(choice.waiting) * examples
    waiting = state.ordered(choice.waiting)[: most // examples]
    return Classification(waiting, choice.examples), len(waiting) * examples


def _prediction(guess: PredictedClass) -> Prediction:
    return Prediction(guess.page, guess.choice or None, guess.margin, guess.like)


def _choices(state: DraftState) -> Iterator[tuple[str | None, Classification]]:
    """Yield the choices to be made, parents first: on level 1, and below each topic that has subtopics."""
    held = {topic: pages for topic, pages in state.all_pages_in().items() if not state.topics[topic].suggested}

    def examples(parent: str | None) -> dict[str, Collection[str]]:
        return {topic: held[topic] for topic in state.children_of(parent) if held.get(topic)}

    first = examples(None) | ({OUTLIERS: state.outliers} if state.outliers else {})
    somewhere = state.outliers | state.placed()
    yield None, Classification([page for page in state.pages if page not in somewhere], first)
    for topic, pages in held.items():
        if any(child in held for child in state.children_of(topic)):
            below = examples(topic)
            yield topic, Classification(pages.difference(*below.values()), below)


# --- Groups of similar pages ------------------------------------------------------------------------------------------


class PageGroup(NamedTuple):
    """A named group of similar pages, the most typical first."""

    name: str
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageGroups(Record):
    """Groups of similar pages, largest first. Pages that are similar to no others come last, in a group without a
    name."""

    revision: int
    groups: list[PageGroup]


def page_groups(draft: Draft, topic: str | None) -> PageGroups:
    """Group the pages of a topic that are in none of its subtopics; without a topic, the pages that are in no topic.

    Raises:
        InputError: if the draft has no such topic.
    """
    known = states.current(draft)
    state = known.state
    if topic is not None and topic not in state.topics:
        raise InputError([Problem("unknown-topic", "topic", topic, "a topic of this draft")])
    held = frozenset(state.pages) - state.outliers if topic is None else state.pages_in(topic)
    counting = (child for child in state.children_of(topic) if not state.topics[child].suggested)
    waiting = held.difference(*(state.pages_in(child) for child in counting))
    found = _groups(page_words(draft.query), page_texts(draft.query), waiting)
    rest = state.ordered(waiting.difference(*(group.pages for group in found)))
    return PageGroups(known.revision, [*found, *([PageGroup("", tuple(rest))] if rest else [])])


def _groups(words: PageWords, texts: dict[str, str], waiting: Collection[str]) -> list[PageGroup]:
    try:
        found = suggest_topics(words, texts, waiting)
    except InputError:  # fewer than two pages have words
        return []
    return [PageGroup(topic.name, topic.pages) for topic in found]

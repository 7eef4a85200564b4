"""Whether changes of the past still fit a state that has moved on: undo, redo, restoring when others worked in between.

What others did meanwhile is never overwritten. What is as wanted already, or what somebody has since decided otherwise
about, is passed over with its reason (`Left`), and the rest is made: taking pages out of two topics of which one is
gone takes them out of the other. Only what would leave a page without the place it has is not made. Where a topic that
was merged away comes back, the pages that people meant for it in the meantime come back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotations.drafts.state_machine.changes import Change
from annotations.drafts.state_machine.editing import Edit, OperationError
from annotations.drafts.state_machine.operations import refuse_too_deep
from annotations.drafts.state_machine.state import NO_PAGES, DraftState, Pages, Topic
from qc4.wording import counted, quoted

_BOOKS = frozenset({"altered", "seen", "meant+", "meant-"})


@dataclass(frozen=True, slots=True)
class Left:
    """What was not made of changes, and why.

    Attributes:
        why: ``gone``: the topic is not there; ``back``: it is there again; ``used``: it holds something; ``same``: it
            is as wanted already; ``moved``, ``cycle``, ``outliers``, ``placed``, ``others``, ``below``,
            ``left``, ``stay_out``, ``remark``, ``deep``; or a field.
        topic: the topic it is about.
        name: the topic's, where it is known.
        pages: the pages it is about.
    """

    why: str
    topic: str | None = None
    name: str = ""
    pages: Pages = NO_PAGES

    def sentence(self, name: str = "") -> str:
        """In words; ``name``: what the topic was called, where it is gone."""
        named = quoted(self.name or name) if self.name or name else "A topic"
        words = {"topic": named, "why": self.why, "pages": counted(len(self.pages), "page")}
        words |= _ONE if len(self.pages) == 1 else _MANY
        return _SENTENCES.get(self.why, "The {why} of {topic} has been changed since.").format(**words)


_ONE = {"stay": "stays", "outliers": "an outlier", "them": "it", "have": "it has"}
_MANY = {"stay": "stay", "outliers": "outliers", "them": "them", "have": "they have"}
_SENTENCES = {
    "gone": "{topic} is not there any more.",
    "back": "{topic} is there again.",
    "used": "{topic} stays: it holds pages or subtopics by now.",
    "changed": "{topic} stays: it has been changed since.",
    "moved": "{topic} has been moved since.",
    "cycle": "What was above {topic} lies below it by now.",
    "outliers": "{pages} of {topic} became {outliers} since, and {stay} so.",
    "others": "{pages} {stay} in {topic}: somebody has put {them} there meanwhile.",
    "below": "{pages} {stay} in {topic}: {have} been put into a subtopic of it since.",
    "left": "{pages} left {topic} since.",
    "placed": "{pages} got a topic since, and {stay} there.",
    "stay_out": "{pages} {stay} {outliers}: somebody has made {them} so meanwhile.",
    "remark": "The note on the page has been changed since.",
    "deep": "The hierarchy would have too many levels by now.",
    "same": "Everything is like that already.",
}


class Fit(NamedTuple):
    """The changes still to be made, and what of the given ones is not."""

    changes: list[Change]
    left: list[Left]


def fitted(
    state: DraftState, changes: Iterable[Mapping[str, Any]], placed: Collection[tuple[str | None, str]] = ()
) -> Fit:
    """The part of changes still to be made on a state, exact for that state; to undo an entry, those of `invert`.

    Args:
        placed: (topic, or None for the outliers, page) that stay, because somebody else has put the page there and it
            was not known.

    If nothing came between, they are the given changes and nothing is left. Where none are to be made, what is left
    says why.
    """
    given = list(changes)
    held: Pages = NO_PAGES
    while True:
        fitting = _Fitting(state, held, placed)
        fitting.make(given)
        homeless = fitting.homeless() - held
        if not homeless:
            return fitting.result()
        held |= homeless


class _MisfitError(Exception):
    """A change that cannot be made."""

    def __init__(self, why: str, topic: str | None = None, name: str = "") -> None:
        super().__init__(why)
        self.left = Left(why, topic, name)


class _Fitting:
    """Changes being fitted to a state; ``held`` are pages that stay where they are."""

    def __init__(self, state: DraftState, held: Pages, placed: Collection[tuple[str | None, str]]) -> None:
        self.edit = Edit(state)
        self.left: list[Left] = []
        self.same: list[Left] = []
        self.start, self._held = state, held
        self.placed = placed
        self._not_back: set[str] = set()

    @property
    def state(self) -> DraftState:
        return self.edit.state

    def make(self, changes: Iterable[Mapping[str, Any]]) -> None:
        for change in changes:
            try:
                _FIT[change["c"]](self, change)
            except _MisfitError as misfit:
                self.left.append(misfit.left)
                if change["c"] in {"in+", "out+"}:
                    self._not_back.update(change["pages"])
        self._bring_back()

    def _bring_back(self) -> None:
        """Put pages that were meant for a topic that had been merged away into it, as it is there again."""
        for topic in [topic for topic in self.state.topics if topic not in self.start.topics]:
            meant = self.state.meant.get(topic, {}).items()
            for into, held in dict.fromkeys(where for _, where in meant):
                pages = frozenset(page for page, where in meant if where == (into, held)) - self._held
                self._bring(topic, pages, into, held)

    def _bring(self, topic: str, pages: Pages, into: str, held: bool) -> None:
        edit, path, state = self.edit, self.state.path(topic), self.state
        present = pages & (state.pages_in(into) if into in state.topics else state.placed())
        if not held and into in state.topics and into not in path:
            edit.take(into, present, keep=path)
        edit.put(topic, present)
        edit.forget_meant(topic, state.topics[topic].name, into, held, pages)

    def homeless(self) -> Pages:
        """Pages that would lose the place they have, because the one they came from does not take them back.

        What is above the place they have, and keeps them, does not make up for it.
        """
        had = self._not_back & (self.start.placed() | self.start.outliers) - self.state.outliers
        return frozenset(page for page in had if self._lost_its_place(page))

    def _lost_its_place(self, page: str) -> bool:
        above = {step for place in self.start.finest_topics(page) for step in self.start.path(place)[:-1]}
        return above.issuperset(self.state.finest_topics(page))

    def result(self) -> Fit:
        left, changes = self.left, self.edit.changes
        try:
            refuse_too_deep(self.state, changes)
        except OperationError:
            return Fit([], [Left("deep")])
        if left and all(change["c"] in _BOOKS for change in changes):
            changes = []
        return Fit(changes, list(dict.fromkeys(left if left or changes else self.same or [Left("same")])))

    def topic(self, topic_id: str, name: str = "") -> Topic:
        topic = self.state.topics.get(topic_id)
        if topic is None:
            raise _MisfitError("gone", topic_id, name)
        return topic

    def wanted(self, change: Mapping[str, Any], unless: Pages = NO_PAGES) -> Pages:
        """The pages of a change that may be moved; those that are so already are noted."""
        pages = frozenset(change["pages"]) - self._held
        if unless & pages or not pages:
            self.same.append(Left("same", change.get("topic"), pages=pages))
        return pages - unless

    def holds_only_held(self, topic: str) -> bool:
        """Whether a topic is in use only because its pages cannot go back to where they came from."""
        return not self.state.children_of(topic) and self.state.members_of(topic) <= self._held

    def pass_over(self, why: str, topic: Topic | None, pages: Pages) -> None:
        if pages:
            self.left.append(Left(why, topic.id if topic else None, topic.name if topic else "", pages))


# --- One function per kind of change ----------------------------------------------------------------------------------


def _add_topic(fit: _Fitting, change: Mapping[str, Any]) -> None:
    topic = Topic(**change["topic"])
    if topic.id in fit.state.topics:
        raise _MisfitError("back", topic.id, topic.name)
    if topic.parent is not None:
        fit.topic(topic.parent)
    fit.edit.add_topic(topic, change["at"])


def _remove_topic(fit: _Fitting, change: Mapping[str, Any]) -> None:
    then = Topic(**change["topic"])
    now, state = fit.topic(then.id, then.name), fit.state
    if state.children_of(now.id) or state.members_of(now.id) or state.hints_of(now.id):
        if not fit.holds_only_held(now.id):
            raise _MisfitError("used", now.id, now.name)
    elif now != then:
        raise _MisfitError("changed", now.id, now.name)
    else:
        fit.edit.remove_topic(now.id)


def _set(fit: _Fitting, change: Mapping[str, Any]) -> None:
    topic, field = fit.topic(change["topic"]), change["field"]
    if field == "suggested":
        _set_suggested(fit.edit, topic, change["new"])
    elif getattr(topic, field) == change["old"]:
        fit.edit.set(topic.id, field, change["new"])
    elif getattr(topic, field) == change["new"]:
        fit.same.append(Left("same", topic.id, topic.name))
    else:
        raise _MisfitError(field, topic.id, topic.name)


def _set_suggested(edit: Edit, topic: Topic, suggested: bool) -> None:
    """Accept with what is above; make it a suggestion again only where nobody uses it as a topic by now."""
    if not suggested:
        edit.accept_path(topic.id)
    elif not edit.state.members_of(topic.id) and all(
        edit.state.topics[child].suggested for child in edit.state.children_of(topic.id)
    ):
        edit.set(topic.id, "suggested", True)


def _place(fit: _Fitting, change: Mapping[str, Any]) -> None:
    topic = fit.topic(change["topic"])
    parent, at = change["new"]
    if topic.parent != change["old"][0]:
        raise _MisfitError("moved", topic.id, topic.name)
    if parent is not None:
        fit.topic(parent)
        if topic.id in fit.state.path(parent):
            raise _MisfitError("cycle", parent, topic.name)
    fit.edit.place(topic.id, parent, at)


def _altered(fit: _Fitting, change: Mapping[str, Any]) -> None:
    if change["topic"] in fit.state.topics:
        fit.edit.altered(change["topic"])


def _note(fit: _Fitting, change: Mapping[str, Any]) -> None:
    now, page = fit.state.notes.get(change["page"], ""), frozenset({change["page"]})
    if now == change["old"]:
        fit.edit.note(change["page"], change["new"])
    elif now == change["new"]:
        fit.same.append(Left("same", pages=page))
    else:
        fit.left.append(Left("remark", pages=page))


def _put(fit: _Fitting, change: Mapping[str, Any]) -> None:
    """Back into the topic, except pages somebody has made outliers, or has taken out of the topic that kept them.

    Pages that have another place by now may have left that topic with one that was moved.
    """
    topic = fit.topic(change["topic"])
    wanted = fit.wanted(change, fit.state.pages_in(topic.id))
    fit.pass_over("outliers", topic, wanted & fit.state.outliers)
    wanted -= fit.state.outliers
    above = change.get("above")
    if above in fit.state.path(topic.id)[:-1]:
        left = wanted - fit.state.placed()
        fit.pass_over("left", fit.state.topics[above], left)
        wanted -= left
    fit.edit.put(topic.id, wanted)


def _take(fit: _Fitting, change: Mapping[str, Any]) -> None:
    """Out of the topic and of those above it up to the one that held the pages before."""
    topic, above = fit.topic(change["topic"]), change.get("above")
    given, stored = frozenset(change["pages"]), fit.state.members_of(topic.id)
    fit.pass_over("below", topic, (given & fit.state.pages_in(topic.id)) - stored)
    wanted = fit.wanted(change, given - stored)
    others = frozenset(page for page in wanted if (topic.id, page) in fit.placed)
    fit.pass_over("others", topic, others)
    wanted -= others
    if above is None or not wanted:
        fit.edit.take(topic.id, wanted)
    else:
        fit.topic(above)
        is_above = above in fit.state.path(topic.id)
        fit.edit.take(topic.id, wanted, keep=fit.state.path(above) if is_above else ())
        fit.edit.put(above, wanted)


def _rest(fit: _Fitting, change: Mapping[str, Any]) -> None:
    """The topic keeps pages that it would lose, as one that held them has left it."""
    topic = fit.topic(change["topic"])
    fit.edit.rest(topic.id, fit.start.pages_in(topic.id).intersection(change["pages"]) - fit.state.outliers)


def _mean(fit: _Fitting, change: Mapping[str, Any]) -> None:
    topic, name, into, held = (change[field] for field in ("topic", "name", "into", "held"))
    meant = fit.state.meant.get(topic, {})
    if change["c"] == "meant-":
        fit.edit.forget_meant(topic, name, into, held, [p for p in change["pages"] if meant.get(p) == (into, held)])
    else:
        fit.edit.mean(topic, name, into, held, [page for page in change["pages"] if page not in meant])


def _make_outliers(fit: _Fitting, change: Mapping[str, Any]) -> None:
    """Outliers again, except pages somebody has placed."""
    wanted = fit.wanted(change, fit.state.outliers)
    placed = fit.state.placed()
    fit.pass_over("placed", None, wanted & placed)
    fit.edit.make_outliers(wanted - placed)


def _clear_outliers(fit: _Fitting, change: Mapping[str, Any]) -> None:
    wanted = fit.wanted(change, frozenset(change["pages"]) - fit.state.outliers)
    others = frozenset(page for page in wanted if (None, page) in fit.placed)
    fit.pass_over("stay_out", None, others)
    fit.edit.clear_outliers(wanted - others)


_FIT: dict[str, Callable[[_Fitting, Mapping[str, Any]], None]] = {
    "topic+": _add_topic,
    "topic-": _remove_topic,
    "set": _set,
    "place": _place,
    "altered": _altered,
    "in+": _put,
    "in-": _take,
    "rest+": _rest,
    "rest-": lambda fit, change: None,  # placing the topic sees to it
    "meant+": _mean,
    "meant-": _mean,
    "hint+": lambda fit, change: fit.edit.hint(fit.topic(change["topic"]).id, change["pages"]),
    "hint-": lambda fit, change: fit.edit.take_hints(fit.topic(change["topic"]).id, change["pages"]),
    "out+": _make_outliers,
    "out-": _clear_outliers,
    "flag+": lambda fit, change: fit.edit.flag(fit.wanted(change, fit.state.flags)),
    "flag-": lambda fit, change: fit.edit.unflag(fit.wanted(change, frozenset(change["pages"]) - fit.state.flags)),
    "note": _note,
    "seen": lambda fit, change: fit.edit.seen(change["pages"]),
}

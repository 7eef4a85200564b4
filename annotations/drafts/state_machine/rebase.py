"""Rebase changes of the past onto a newer state, for undo, redo and restore after others have edited the draft.

Work that others did meanwhile is never overwritten. Parts that are already done, or that somebody has since decided
otherwise, are skipped with a reason (`Left`). The other parts are applied: taking pages out of two topics, one of which
is gone, takes them out of the other. Parts that would leave a page without its place are not applied. If a topic that
was merged away is restored, pages intended for it in the meantime are put into it.
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
class SkippedPart:
    """A part of the changes that was skipped, and why.

    Attributes:
        why: ``gone``: the topic no longer exists; ``back``: it exists again; ``used``: it holds something; ``same``: it
            is already as intended; ``moved``, ``cycle``, ``outliers``, ``placed``, ``others``, ``below``, ``left``,
            ``stay_out``, ``remark``, ``deep``; or a field.
        topic: the topic concerned.
        name: the topic's name, if it is known.
        pages: the pages concerned.
    """

    why: str
    topic: str | None = None
    name: str = ""
    pages: Pages = NO_PAGES

    def sentence(self, name: str = "") -> str:
        """Return the reason in words; ``name`` is the former name of a topic that no longer exists."""
        named = quoted(self.name or name) if self.name or name else "A topic"
        words = {"topic": named, "why": self.why, "pages": counted(len(self.pages), "page")}
        words |= _ONE if len(self.pages) == 1 else _MANY
        return _SENTENCES.get(self.why, "The {why} of {topic} has been changed since.").format(**words)


_ONE = {"stay": "stays", "outliers": "an outlier", "them": "it", "have": "it has"}
_MANY = {"stay": "stay", "outliers": "outliers", "them": "them", "have": "they have"}
_SENTENCES = {
    "gone": "{topic} no longer exists.",
    "back": "{topic} exists again.",
    "used": "{topic} stays because it now holds pages or subtopics.",
    "changed": "{topic} stays because it has been changed since.",
    "moved": "{topic} has been moved since.",
    "cycle": "The former parent of {topic} is now below it.",
    "outliers": "{pages} of {topic} became {outliers} since, and {stay} so.",
    "others": "{pages} {stay} in {topic} because somebody has put {them} there meanwhile.",
    "below": "{pages} {stay} in {topic} because {have} been put into a subtopic of it since.",
    "left": "{pages} left {topic} since.",
    "placed": "{pages} got a topic since, and {stay} there.",
    "stay_out": "{pages} {stay} {outliers} because somebody has decided so meanwhile.",
    "remark": "The note on the page has been changed since.",
    "deep": "The hierarchy would now have too many levels.",
    "same": "This is already the case.",
}


class RebaseResult(NamedTuple):
    """The changes that remain to be made, and the skipped parts of the given ones."""

    changes: list[Change]
    left: list[SkippedPart]


def rebase_changes(
    state: DraftState, changes: Iterable[Mapping[str, Any]], placed: Collection[tuple[str | None, str]] = ()
) -> RebaseResult:
    """Return the changes that remain to be made on a state, exact for that state. To undo an entry, pass its `invert`.

    Args:
        placed: pairs of topic (None for the outliers) and page that stay, because somebody else has put the page there
            unseen.

    If there were no changes in between, the result is the given changes and nothing is skipped. If no changes remain,
    the skipped parts say why.
    """
    given = list(changes)
    held: Pages = NO_PAGES
    while True:
        fitting = _Rebase(state, held, placed)
        fitting.make(given)
        homeless = fitting.homeless() - held
        if not homeless:
            return fitting.result()
        held |= homeless


class _MisfitError(Exception):
    """A change that cannot be applied."""

    def __init__(self, why: str, topic: str | None = None, name: str = "") -> None:
        super().__init__(why)
        self.left = SkippedPart(why, topic, name)


class _Rebase:
    """Changes being rebased onto a state; ``held`` are pages that stay where they are."""

    def __init__(self, state: DraftState, held: Pages, placed: Collection[tuple[str | None, str]]) -> None:
        self.edit = Edit(state)
        self.left: list[SkippedPart] = []
        self.same: list[SkippedPart] = []
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
        """Put pages that were intended for a merged-away topic into it, now that it exists again."""
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
        """Return pages that would lose their place because the place they came from does not take them back.

        Staying only in an ancestor of the place counts as losing it.
        """
        had = self._not_back & (self.start.placed() | self.start.outliers) - self.state.outliers
        return frozenset(page for page in had if self._lost_its_place(page))

    def _lost_its_place(self, page: str) -> bool:
        above = {step for place in self.start.finest_topics(page) for step in self.start.path(place)[:-1]}
        return above.issuperset(self.state.finest_topics(page))

    def result(self) -> RebaseResult:
        left, changes = self.left, self.edit.changes
        try:
            refuse_too_deep(self.state, changes)
        except OperationError:
            return RebaseResult([], [SkippedPart("deep")])
        if left and all(change["c"] in _BOOKS for change in changes):
            changes = []
        return RebaseResult(
            changes, list(dict.fromkeys(left if left or changes else self.same or [SkippedPart("same")]))
        )

    def topic(self, topic_id: str, name: str = "") -> Topic:
        topic = self.state.topics.get(topic_id)
        if topic is None:
            raise _MisfitError("gone", topic_id, name)
        return topic

    def wanted(self, change: Mapping[str, Any], unless: Pages = NO_PAGES) -> Pages:
        """Return the pages of a change that may be moved; record those that are already as intended."""
        pages = frozenset(change["pages"]) - self._held
        if unless & pages or not pages:
            self.same.append(SkippedPart("same", change.get("topic"), pages=pages))
        return pages - unless

    def holds_only_held(self, topic: str) -> bool:
        """True if a topic is in use only because its pages cannot go back to where they came from."""
        return not self.state.children_of(topic) and self.state.members_of(topic) <= self._held

    def pass_over(self, why: str, topic: Topic | None, pages: Pages) -> None:
        if pages:
            self.left.append(SkippedPart(why, topic.id if topic else None, topic.name if topic else "", pages))


# --- One function per kind of change ----------------------------------------------------------------------------------


def _add_topic(fit: _Rebase, change: Mapping[str, Any]) -> None:
    topic = Topic(**change["topic"])
    if topic.id in fit.state.topics:
        raise _MisfitError("back", topic.id, topic.name)
    if topic.parent is not None:
        fit.topic(topic.parent)
    fit.edit.add_topic(topic, change["at"])


def _remove_topic(fit: _Rebase, change: Mapping[str, Any]) -> None:
    then = Topic(**change["topic"])
    now, state = fit.topic(then.id, then.name), fit.state
    if state.children_of(now.id) or state.members_of(now.id) or state.hints_of(now.id):
        if not fit.holds_only_held(now.id):
            raise _MisfitError("used", now.id, now.name)
    elif now != then:
        raise _MisfitError("changed", now.id, now.name)
    else:
        fit.edit.remove_topic(now.id)


def _set(fit: _Rebase, change: Mapping[str, Any]) -> None:
    topic, field = fit.topic(change["topic"]), change["field"]
    if field == "suggested":
        _set_suggested(fit.edit, topic, change["new"])
    elif getattr(topic, field) == change["old"]:
        fit.edit.set(topic.id, field, change["new"])
    elif getattr(topic, field) == change["new"]:
        fit.same.append(SkippedPart("same", topic.id, topic.name))
    else:
        raise _MisfitError(field, topic.id, topic.name)


def _set_suggested(edit: Edit, topic: Topic, suggested: bool) -> None:
    """Accept a topic and its ancestors; make it a suggestion again only if nobody uses it as a topic by now."""
    if not suggested:
        edit.accept_path(topic.id)
    elif not edit.state.members_of(topic.id) and all(
        edit.state.topics[child].suggested for child in edit.state.children_of(topic.id)
    ):
        edit.set(topic.id, "suggested", True)


def _place(fit: _Rebase, change: Mapping[str, Any]) -> None:
    topic = fit.topic(change["topic"])
    parent, at = change["new"]
    if topic.parent != change["old"][0]:
        raise _MisfitError("moved", topic.id, topic.name)
    if parent is not None:
        fit.topic(parent)
        if topic.id in fit.state.path(parent):
            raise _MisfitError("cycle", parent, topic.name)
    fit.edit.place(topic.id, parent, at)


def _altered(fit: _Rebase, change: Mapping[str, Any]) -> None:
    if change["topic"] in fit.state.topics:
        fit.edit.altered(change["topic"])


def _note(fit: _Rebase, change: Mapping[str, Any]) -> None:
    now, page = fit.state.notes.get(change["page"], ""), frozenset({change["page"]})
    if now == change["old"]:
        fit.edit.note(change["page"], change["new"])
    elif now == change["new"]:
        fit.same.append(SkippedPart("same", pages=page))
    else:
        fit.left.append(SkippedPart("remark", pages=page))


def _put(fit: _Rebase, change: Mapping[str, Any]) -> None:
    """Put pages back into the topic, except pages that somebody has made outliers or taken out of the topic that kept
    them.

    Pages with a new place are put back: they may have left the topic that kept them when a subtopic was moved.
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


def _take(fit: _Rebase, change: Mapping[str, Any]) -> None:
    """Take pages out of the topic and of its ancestors, up to the one that held the pages before."""
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


def _rest(fit: _Rebase, change: Mapping[str, Any]) -> None:
    """Store pages at the topic that it would otherwise lose, because a descendant that held them has moved away."""
    topic = fit.topic(change["topic"])
    fit.edit.rest(topic.id, fit.start.pages_in(topic.id).intersection(change["pages"]) - fit.state.outliers)


def _mean(fit: _Rebase, change: Mapping[str, Any]) -> None:
    topic, name, into, held = (change[field] for field in ("topic", "name", "into", "held"))
    meant = fit.state.meant.get(topic, {})
    if change["c"] == "meant-":
        fit.edit.forget_meant(topic, name, into, held, [p for p in change["pages"] if meant.get(p) == (into, held)])
    else:
        fit.edit.mean(topic, name, into, held, [page for page in change["pages"] if page not in meant])


def _make_outliers(fit: _Rebase, change: Mapping[str, Any]) -> None:
    """Make pages outliers again, except pages that somebody has placed."""
    wanted = fit.wanted(change, fit.state.outliers)
    placed = fit.state.placed()
    fit.pass_over("placed", None, wanted & placed)
    fit.edit.make_outliers(wanted - placed)


def _clear_outliers(fit: _Rebase, change: Mapping[str, Any]) -> None:
    wanted = fit.wanted(change, frozenset(change["pages"]) - fit.state.outliers)
    others = frozenset(page for page in wanted if (None, page) in fit.placed)
    fit.pass_over("stay_out", None, others)
    fit.edit.clear_outliers(wanted - others)


_FIT: dict[str, Callable[[_Rebase, Mapping[str, Any]], None]] = {
    "topic+": _add_topic,
    "topic-": _remove_topic,
    "set": _set,
    "place": _place,
    "altered": _altered,
    "in+": _put,
    "in-": _take,
    "rest+": _rest,
    "rest-": lambda fit, change: None,  # `place` does this
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

"""What questions and answers of an adjudication are called, in names people know."""

from __future__ import annotations

from collections.abc import Sequence

from annotations.agreement import About, Choice, Side, Subject
from annotations.agreement.placements import Kind, PageComparison, SideName
from annotations.agreement.tables import worded
from annotations.models import AdjudicationDecision
from annotations.selectors.adjudication.decisions import decision_of
from annotations.selectors.adjudication.reading import Reading

_LEAVE_OUT: dict[SideName, Choice] = {"first": Choice.SECOND, "second": Choice.FIRST}
_NOWHERE = "no other topic"
_PLAIN = {
    None: "",
    Choice.BOTH: "in the topics of both",
    Choice.OUTLIER: "an outlier",
    Choice.SKIP: "skipped",
    Choice.REOPEN: "opened again",
}


def joined(path: Sequence[str]) -> str:
    """A path of names as people read it."""
    return " › ".join(path)


def title(reading: Reading, subject: Subject) -> str:
    """What a question is about, by its name: a page's title, a topic's path."""
    if subject.about == About.PAGE:
        return reading.page_titles[subject.key]
    side = reading.side(subject.side)
    return joined(side.paths[side.topic_ids.index(subject.key)])


def told(reading: Reading, row: AdjudicationDecision) -> str:
    """What a decision did, in words."""
    decision = decision_of(row.undoes or row)
    done = answered(reading, decision.subject, decision.choice, decision.other)
    sentence = f"{title(reading, decision.subject)}: {done}."
    return f"Taken back: {sentence}" if row.undoes else sentence


def answered(reading: Reading, subject: Subject, choice: Choice | None, other: str = "") -> str:
    """An answer in words; "" for none."""
    if choice == Choice.SAME:
        return f"the same as {title(reading, Subject(About.TOPIC, other))}" if other else "the same as another"
    if choice not in (Choice.FIRST, Choice.SECOND):
        return _PLAIN[choice]
    name: SideName = "first" if choice == Choice.FIRST else "second"
    source = f"as {reading.side(name).name}"
    if subject.about == About.TOPIC:
        return f"{'taken' if name == subject.side else 'left out'} ({source})"
    if subject.about == About.PAGE:
        return source
    topic = reading.desk.first.topic_ids.index(subject.key)
    verb = "called" if subject.about == About.NAME else "in"
    return f"{verb} {values(reading, subject.about, topic)[name == 'second']} ({source})"


def values(reading: Reading, about: About, topic: int) -> tuple[str, str]:
    """What either side says about an aligned topic of the first: its name, or what it lies in."""
    first, second = reading.desk.first, reading.desk.second
    other = reading.desk.alignment.second_of[topic]
    if about == About.NAME:
        return first.topic_names[topic], second.topic_names[other]
    above = joined(first.paths[topic][:-1]), joined(second.paths[other][:-1])
    return above[0] or _NOWHERE, above[1] or _NOWHERE


def how(reading: Reading, page: PageComparison) -> str:
    """How the two differ about a page, in topics of the draft."""
    first, second = reading.desk.first, reading.desk.second
    said = worded(page.kind, first, second)
    lacking: dict[Kind, tuple[Side, SideName]] = {
        Kind.ONLY_FIRST: (first, "second"),
        Kind.ONLY_SECOND: (second, "first"),
    }
    if page.kind not in lacking:
        return said
    side, name = lacking[page.kind]
    found = absent(reading, name, page.page)
    if not found:
        return said
    return f"only {side.name} has it in a topic of the draft; {reading.side(name).name} has it in {found}"


def absent(reading: Reading, name: SideName, page: int) -> str:
    """The topics one side has a page in that are not in the draft, and why; "" for none."""
    symbols, side = reading.desk.symbols, reading.side(name)
    topics = [topic for topic in side.direct[page] if symbols.of(name, topic) in symbols.skipped]
    return ", and ".join(f"“{joined(side.paths[topic])}”, which {_fate(reading, name, topic)}" for topic in topics)


def _fate(reading: Reading, name: SideName, topic: int) -> str:
    """Why a topic of one side is not in the draft."""
    found = reading.last.get(Subject(About.TOPIC, reading.side(name).topic_ids[topic], name))
    if found is None or found.choice == Choice.SKIP:
        return "is not decided yet"
    return "was left out" if found.choice == _LEAVE_OUT[name] else "is not in the draft"


def draft_path(reading: Reading, topic_id: str) -> str:
    """Where a topic is in the draft."""
    state = reading.desk.state
    return joined([state.topics[step].name for step in state.path(topic_id)])


def places(reading: Reading, page: str) -> tuple[str, ...]:
    """Where a page is in the draft."""
    topics, outlier = reading.desk.placed(page)
    return ("outlier",) if outlier else tuple(sorted(draft_path(reading, topic) for topic in topics))

"""What questions and answers of an adjudication are called, in names people know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotations.adjudication.selectors.reading import Reading, decision_of
from annotations.adjudication.session import Subject
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics import SIDES, SideName, Symbol
from annotations.agreement.statistics.placements import Kind, PageComparison
from annotations.agreement.statistics.tables import worded
from annotations.models import AdjudicationDecision, AdjudicationStep
from qc4.wording import counted

_NOWHERE = "no other topic"
_PLAIN = {
    None: "",
    Choice.MAJORITY: "where the majority has it",
    Choice.OUTLIER: "an outlier",
    Choice.SKIP: "skipped",
    Choice.REOPEN: "opened again",
}
_TWO = 2


def joined(path: Sequence[str]) -> str:
    """A path of names as people read it."""
    return " › ".join(path)


def called(reading: Reading, names: Iterable[SideName]) -> str:
    """Some sides by their names."""
    return ", ".join(reading.side(name).name for name in names)


def title(reading: Reading, subject: Subject) -> str:
    """What a question is about, by its name: a page's title, a topic's path."""
    if subject.about == About.PAGE:
        return reading.page_titles[subject.key]
    return path_of(reading, reading.desk.symbol_of(subject))


def path_of(reading: Reading, symbol: Symbol) -> str:
    """A topic's path where its side has it."""
    return joined(reading.side(symbol.side).paths[symbol.topic])


def told(reading: Reading, step: AdjudicationStep) -> str:
    """What a step did, in words."""
    back = "Taken back: " if step.undoes_id else "Done again: " if step.redoes_id else ""
    first = step.undoes or step
    if step.undoes_id and (kept := _not_taken_back(reading, step)):
        return kept
    rows = reading.rows_of(first)
    if len(rows) > 1:
        return f"{back}{counted(len(rows), 'question')} answered at once."
    decision = decision_of(rows[0])
    done = answered(reading, decision.subject, decision.choice, decision.other)
    return f"{back}{title(reading, decision.subject)}: {done}."


def _not_taken_back(reading: Reading, step: AdjudicationStep) -> str:
    """Which questions of a step somebody else has answered since, so that taking it back leaves them; "" for none."""
    back = {decision_of(row).subject for row in reading.rows_of(step)}
    rows = reading.rows_of(step.undoes) if step.undoes else []
    left = [subject for row in rows if (subject := decision_of(row).subject) not in back]
    if not left:
        return ""
    counts = reading.last.get(left[0])
    name = f"“{title(reading, left[0])}”" + (f" and {counted(len(left) - 1, 'other question')}" if left[1:] else "")
    by = f" by {counts.by}" if counts else ""
    taken = f"Taken back: {counted(len(back), 'answer')}. " if back else ""
    return f"{taken}Your answer about {name} was not taken back: it has been answered since{by}."


def label_of(row: AdjudicationDecision, reading: Reading) -> str:
    """A decision that counts, in words."""
    decision = decision_of(row)
    return answered(reading, decision.subject, decision.choice, decision.other)


def answered(reading: Reading, subject: Subject, choice: Choice | None, other: str = "") -> str:
    """An answer in words; "" for none."""
    if choice == Choice.SAME:
        symbol = reading.desk.symbol_called(other) if other else None
        return f"the same as {path_of(reading, symbol)}" if symbol else "the same as another"
    if choice == Choice.TYPED:
        return f"called {other}" if other else "given another name"
    if choice == Choice.ALL:
        return f"in the topics of {'both' if len(reading.compared) == _TWO else 'all'}"
    name = next((side for side in SIDES if choice and side == choice.value), None)
    if name is None:
        return _PLAIN[choice]
    source = f"as {reading.side(name).name}"
    if subject.about == About.PAGE:
        return source
    symbol = reading.desk.symbol_of(subject)
    if subject.about == About.TOPIC:
        has_it = name in reading.desk.aligned_as[symbol].topics
        return f"{'taken' if has_it else 'left out'} ({source})"
    verb = "called" if subject.about == About.NAME else "in"
    return f"{verb} {value(reading, subject.about, symbol, name)} ({source})"


def value(reading: Reading, about: About, symbol: Symbol, name: SideName) -> str:
    """What a side says about a topic it has: its name, or what it lies in."""
    side, topic = reading.side(name), reading.desk.aligned_as[symbol].topics[name]
    if about == About.NAME:
        return side.topic_names[topic]
    return joined(side.paths[topic][:-1]) or _NOWHERE


def how(reading: Reading, page: PageComparison) -> str:
    """How the sides differ about a page, in topics of the draft."""
    if len(reading.compared) > _TWO:
        return str(page.kind)
    first, second = reading.desk.sides
    said = worded(page.kind, first, second)
    if page.kind not in (Kind.ONLY_FIRST, Kind.ONLY_SECOND):
        return said
    name: SideName = "second" if page.kind == Kind.ONLY_FIRST else "first"
    side = second if name == "first" else first
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
    aligned = reading.desk.aligned_as
    symbol = next(own for own, concept in aligned.items() if concept.topics.get(name) == topic)
    found = reading.last.get(reading.desk.subject(About.TOPIC, symbol))
    if found is None or found.choice == Choice.SKIP:
        return "is not decided yet"
    was_left = found.choice in set(SIDES) and found.choice not in aligned[symbol].topics
    return "was left out" if was_left else "is not in the draft"


def draft_path(reading: Reading, topic_id: str) -> str:
    """Where a topic is in the draft."""
    state = reading.desk.state
    return joined([state.topics[step].name for step in state.path(topic_id)])


def places(reading: Reading, page: str) -> tuple[str, ...]:
    """Where a page is in the draft."""
    topics, outlier = reading.desk.placed(page)
    return ("outlier",) if outlier else tuple(sorted(draft_path(reading, topic) for topic in topics))

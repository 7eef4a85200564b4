"""Questions and answers of an adjudication in words, with the names that people know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotations.adjudication.selectors.reading import Reading, decision_of
from annotations.adjudication.session import Subject
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics import SIDES, SideName, Symbol
from annotations.agreement.statistics.placements import Kind, PageComparison
from annotations.agreement.statistics.tables import difference_words
from annotations.models import AdjudicationDecision, AdjudicationStep
from qc4.wording import counted

_NOWHERE = "no other topic"
_PLAIN = {
    None: "",
    Choice.MAJORITY: "as the majority",
    Choice.OUTLIER: "an outlier",
    Choice.SKIP: "skipped",
    Choice.REOPEN: "reopened",
}
_TWO = 2


def joined(path: Sequence[str]) -> str:
    """Return a path of names as text."""
    return " › ".join(path)


def draft_names(reading: Reading, names: Iterable[SideName]) -> str:
    """Return the names of some drafts as text."""
    return ", ".join(reading.side(name).name for name in names)


def title(reading: Reading, subject: Subject) -> str:
    """Return the title of a question's page, or the path of its topic."""
    if subject.about == About.PAGE:
        return reading.page_titles[subject.key]
    return path_of(reading, reading.session.symbol_of(subject))


def path_of(reading: Reading, symbol: Symbol) -> str:
    """Return a topic's path in its draft."""
    return joined(reading.side(symbol.side).paths[symbol.topic])


def step_words(reading: Reading, step: AdjudicationStep) -> str:
    """Return what a step did, in words."""
    back = "Undone: " if step.undoes_id else "Redone: " if step.redoes_id else ""
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
    """Return which answers of a step remain after an undo, because somebody else has answered since; "" for none."""
    back = {decision_of(row).subject for row in reading.rows_of(step)}
    rows = reading.rows_of(step.undoes) if step.undoes else []
    left = [subject for row in rows if (subject := decision_of(row).subject) not in back]
    if not left:
        return ""
    counts = reading.last.get(left[0])
    name = f"“{title(reading, left[0])}”" + (f" and {counted(len(left) - 1, 'other question')}" if left[1:] else "")
    by = f" by {counts.by}" if counts else ""
    taken = f"Undone: {counted(len(back), 'answer')}. " if back else ""
    return f"{taken}Your answer about {name} was not undone because the question has been answered since{by}."


def label_of(row: AdjudicationDecision, reading: Reading) -> str:
    """Return a decision in effect, in words."""
    decision = decision_of(row)
    return answered(reading, decision.subject, decision.choice, decision.other)


def answered(reading: Reading, subject: Subject, choice: Choice | None, other: str = "") -> str:
    """Return an answer in words; "" for none."""
    if choice == Choice.SAME:
        symbol = reading.session.symbol_called(other) if other else None
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
    symbol = reading.session.symbol_of(subject)
    if subject.about == About.TOPIC:
        has_it = name in reading.session.aligned_as[symbol].topics
        return f"{'taken' if has_it else 'excluded'} ({source})"
    verb = "called" if subject.about == About.NAME else "in"
    return f"{verb} {draft_value(reading, subject.about, symbol, name)} ({source})"


def draft_value(reading: Reading, about: About, symbol: Symbol, name: SideName) -> str:
    """Return what a draft says about one of its topics: its name, or the path of its parent."""
    side, topic = reading.side(name), reading.session.aligned_as[symbol].topics[name]
    if about == About.NAME:
        return side.topic_names[topic]
    return joined(side.paths[topic][:-1]) or _NOWHERE


def how(reading: Reading, page: PageComparison) -> str:
    """Return how the drafts differ about a page, in topics of the outcome."""
    if len(reading.compared) > _TWO:
        return str(page.kind)
    first, second = reading.session.sides
    said = difference_words(page.kind, first, second)
    if page.kind not in (Kind.ONLY_FIRST, Kind.ONLY_SECOND):
        return said
    name: SideName = "second" if page.kind == Kind.ONLY_FIRST else "first"
    side = second if name == "first" else first
    found = absent(reading, name, page.page)
    if not found:
        return said
    return f"only {side.name} has it in a topic of the outcome; {reading.side(name).name} has it in {found}"


def absent(reading: Reading, name: SideName, page: int) -> str:
    """Return the page's topics in one draft that are not in the outcome, and why; "" for none."""
    symbols, side = reading.session.symbols, reading.side(name)
    topics = [topic for topic in side.direct[page] if symbols.of(name, topic) in symbols.skipped]
    return ", and ".join(f"“{joined(side.paths[topic])}”, which {_fate(reading, name, topic)}" for topic in topics)


def _fate(reading: Reading, name: SideName, topic: int) -> str:
    """Return why a topic of one draft is not in the outcome."""
    aligned = reading.session.aligned_as
    symbol = next(own for own, concept in aligned.items() if concept.topics.get(name) == topic)
    found = reading.last.get(reading.session.subject(About.TOPIC, symbol))
    if found is None or found.choice == Choice.SKIP:
        return "is not decided yet"
    was_left = found.choice in set(SIDES) and found.choice not in aligned[symbol].topics
    return "was excluded" if was_left else "is not in the outcome"


def draft_path(reading: Reading, topic_id: str) -> str:
    """Return the path of a topic in the outcome."""
    state = reading.session.state
    return joined([state.topics[step].name for step in state.path(topic_id)])


def places(reading: Reading, page: str) -> tuple[str, ...]:
    """Return the paths of a page in the outcome."""
    topics, outlier = reading.session.placed(page)
    return ("outlier",) if outlier else tuple(sorted(draft_path(reading, topic) for topic in topics))

"""Questions of an adjudication session, and the effect of answers on the draft."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotations.adjudication.operations import broken_rules, combined_operations, proposals
from annotations.adjudication.operations import chosen_placement as wanted_by
from annotations.adjudication.operations import operations as operations_of
from annotations.adjudication.session import AdjudicationSession, Decision, Question, Subject, initial_draft
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics import SIDES, Symbol, compared_hierarchies, concepts
from annotations.drafts.state_machine import DraftState, OperationError, apply, compile_batch
from qc4.model.gold_document import GoldDocument
from tests.agreement.hierarchies import drafts, hierarchy

PAGES = "abcdefghijk"
FIRST = hierarchy(PAGES, {"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "efgj"}, "h")
SECOND = hierarchy(PAGES, {"Autos": "aibcdj", "Autos/Classic": "k", "Animals": "efh", "Animals/Birds": "g"})


def desk(first: GoldDocument = FIRST, second: GoldDocument = SECOND) -> AdjudicationSession:
    return desk_of(first, second)


def desk_of(*documents: GoldDocument) -> AdjudicationSession:
    compared = compared_hierarchies(documents, SIDES[: len(documents)])
    aligned = concepts(compared)
    return AdjudicationSession(compared, aligned, initial_draft(compared, aligned))


def decide(on: AdjudicationSession, *decisions: Decision) -> AdjudicationSession:
    """Return the session after these answers, each applied as one batch."""
    for decision in decisions:
        operations = operations_of(on, decision)
        state = on.state
        if operations:
            state = apply(state, compile_batch(state, operations), len(on.decisions) + 1)
        on = on.after([decision], state)
    return on


def topic(key: str, choice: Choice, side: str = "first", other: str = "") -> Decision:
    return Decision(Subject(About.TOPIC, key, side), choice, other)


def page(key: str, choice: Choice) -> Decision:
    return Decision(Subject(About.PAGE, key), choice)


def tree(state: DraftState) -> list[tuple[str, str]]:
    """Return every topic as its path of names, with its direct pages."""
    found = []
    for topic_id in state.tree():
        names = [state.topics[step].name for step in state.path(topic_id)]
        found.append(("/".join(names), "".join(sorted(state.members_of(topic_id)))))
    return found


def asked(on: AdjudicationSession, about: About = About.PAGE) -> dict[str, Choice | None]:
    return {question.subject.key: question.decided for question in on.questions if question.subject.about == about}


def test_outcome_starts_with_agreed_topics_and_pages() -> None:
    begin = desk()
    assert tree(begin.state) == [("Cars", "ai"), ("Animals", "ef")]
    assert begin.state.outliers == set()
    assert asked(begin) == dict.fromkeys("hjk")
    assert asked(begin, About.TOPIC) == {"dealers": None, "classic": None, "birds": None}
    assert asked(begin, About.NAME) == {"cars": None}


def test_pages_wait_for_decisions_about_their_topics() -> None:
    """Only the first has Dealers (b, c, d). If it is excluded, both have these pages in Cars; if taken, they differ."""
    left_out = decide(desk(), topic("dealers", Choice.SECOND))
    assert tree(left_out.state) == [("Cars", "abcdi"), ("Animals", "ef")]
    assert asked(left_out) == dict.fromkeys("hjk")
    taken = decide(desk(), topic("dealers", Choice.FIRST))
    assert ("Cars/Dealers", "") in tree(taken.state)
    assert asked(taken) == dict.fromkeys("bcdhjk")


@pytest.mark.parametrize(
    ("choice", "direct", "is_outlier"),
    [
        (Choice.FIRST, {"animals"}, False),
        (Choice.SECOND, {"cars"}, False),
        (Choice.ALL, {"animals", "cars"}, False),
        (Choice.OUTLIER, set(), True),
        (Choice.SKIP, set(), False),
    ],
)
def test_answer_places_the_page(choice: Choice, direct: set[str], is_outlier: bool) -> None:
    after = decide(desk(), page("j", choice))
    assert after.placed("j") == (direct, is_outlier)
    assert asked(after)["j"] == choice


def test_skipped_topic_keeps_its_pages_waiting() -> None:
    later = decide(desk(), topic("birds", Choice.SKIP, "second"))
    assert {PAGES[number] for number in later.waiting} == set("bcdgk")
    assert later.placed("g") == (frozenset(), False)
    decided = decide(later, topic("birds", Choice.FIRST, "second"))
    assert {PAGES[number] for number in decided.waiting} == set("bcdk")
    assert decided.placed("g") == ({"animals"}, False)


def test_later_answers_keep_pages_moved_in_workspace() -> None:
    begin = desk()
    moved = [{"kind": "only", "pages": ["a"], "topic": "animals"}]
    state = apply(begin.state, compile_batch(begin.state, moved), 1)
    after = decide(AdjudicationSession(begin.sides, begin.aligned, state), topic("dealers", Choice.SECOND))
    assert after.placed("a") == ({"animals"}, False)
    assert after.placed("b") == ({"cars"}, False)


def test_answer_replaces_earlier_answer() -> None:
    after = decide(desk(), page("j", Choice.ALL), page("j", Choice.OUTLIER), page("j", Choice.SECOND))
    assert after.placed("j") == ({"cars"}, False)
    assert asked(after)["j"] == Choice.SECOND


def test_both_is_offered_only_if_both_drafts_have_topics() -> None:
    offered = {question.subject.key: Choice.ALL in question.choices for question in desk().questions if question.page}
    assert offered == {"h": False, "j": True, "k": False}


def test_taking_topic_reopens_questions_about_its_pages() -> None:
    after = decide(desk(), topic("birds", Choice.FIRST, "second"), page("h", Choice.FIRST))
    assert asked(after)["h"] == Choice.FIRST
    assert after.placed("g") == ({"animals"}, False)
    after = decide(after, topic("birds", Choice.SECOND, "second"))
    assert asked(after)["g"] is None
    assert ("Animals/Birds", "") in tree(after.state)
    after = decide(after, page("g", Choice.SECOND))
    assert after.placed("g") == ({"birds"}, False)
    left_out = decide(after, topic("birds", Choice.FIRST, "second"))
    assert left_out.placed("g") == ({"animals"}, False)
    assert asked(left_out)["g"] is not None


def test_excluding_taken_topic_keeps_its_pages_in_parent() -> None:
    after = decide(desk(), topic("dealers", Choice.FIRST), *(page(key, Choice.FIRST) for key in "bcd"))
    assert ("Cars/Dealers", "bcd") in tree(after.state)
    again = decide(after, topic("dealers", Choice.SECOND))
    assert tree(again.state) == [("Cars", "abcdi"), ("Animals", "ef")]


def test_topics_can_be_declared_the_same() -> None:
    first = hierarchy(PAGES, {"Cars": "abcdefg", "Boats": "hi"})
    second = hierarchy(PAGES, {"Cars": "abcdefg", "Ships": "jk"})
    after = decide(desk(first, second), topic("ships", Choice.SAME, "second", "boats"))
    assert tree(after.state) == [("Cars", "abcdefg"), ("Boats", "")]
    assert asked(after, About.TOPIC) == {"boats": Choice.SAME, "ships": Choice.SAME}
    after = decide(after, page("h", Choice.FIRST), page("j", Choice.SECOND))
    assert tree(after.state) == [("Cars", "abcdefg"), ("Boats", "hj")]


def test_declaring_a_taken_topic_the_same_merges_them() -> None:
    first = hierarchy(PAGES, {"Cars": "abcdefg", "Boats": "hi"})
    second = hierarchy(PAGES, {"Cars": "abcdefg", "Ships": "jk"})
    after = decide(desk(first, second), topic("ships", Choice.SECOND, "second"), page("j", Choice.SECOND))
    after = decide(after, topic("ships", Choice.SAME, "second", "boats"))
    assert tree(after.state) == [("Cars", "abcdefg"), ("Boats", "j")]


def test_topic_taken_between_two_others_takes_its_subtopics() -> None:
    first = hierarchy("abcdef", {"Cars": "abc", "Boats": "def"})
    second = hierarchy("abcdef", {"Vehicles": "", "Vehicles/Cars": "abc", "Boats": "def"})
    begin = desk(first, second)
    assert asked(begin, About.TOPIC) == {"vehicles": None}
    after = decide(begin, topic("vehicles", Choice.SECOND, "second"))
    assert tree(after.state) == [("Boats", "def"), ("Vehicles", ""), ("Vehicles/Cars", "abc")]


def test_names_and_parents_are_asked_and_applied() -> None:
    first = hierarchy("abcdef", {"Cars": "ab", "Sport": "cdef", "Sport/Racing": "ef"})
    second = hierarchy("abcdef", {"Autos": "ab", "Autos/Racing": "ef", "Sport": "cd"})
    begin = desk(first, second)
    assert (asked(begin, About.NAME), asked(begin, About.PARENT)) == ({"cars": None}, {"racing": None})
    after = decide(
        begin,
        Decision(Subject(About.NAME, "cars"), Choice.SECOND),
        Decision(Subject(About.PARENT, "racing"), Choice.SECOND),
    )
    assert tree(after.state) == [("Autos", "ab"), ("Autos/Racing", "ef"), ("Sport", "cd")]
    back = decide(
        after,
        Decision(Subject(About.NAME, "cars"), Choice.FIRST),
        Decision(Subject(About.PARENT, "racing"), Choice.FIRST),
    )
    assert tree(back.state) == [("Cars", "ab"), ("Sport", "cd"), ("Sport/Racing", "ef")]


def test_equal_ids_of_different_topics_stay_distinct() -> None:
    first = hierarchy("abcdef", {"T": "abc"})
    second = hierarchy("abcdef", {"T": "def"})
    both = decide(desk(first, second), topic("t", Choice.FIRST), topic("t", Choice.SECOND, "second"))
    assert sorted(both.state.topics) == ["t", "t~2"]


def test_topic_deleted_in_workspace_is_excluded() -> None:
    begin = desk()
    operations = [{"kind": "delete_topic", "topic": "animals", "children": "lift", "pages": "unplace"}]
    state = apply(begin.state, compile_batch(begin.state, operations), 1)
    after = decide(AdjudicationSession(begin.sides, begin.aligned, state), page("j", Choice.FIRST))
    assert after.placed("j") == (frozenset(), False)


CHOICES = st.sampled_from([Choice.FIRST, Choice.SECOND, Choice.ALL, Choice.OUTLIER, Choice.SAME, Choice.SKIP])


@given(drafts(), drafts(), st.lists(st.tuples(st.integers(0, 40), CHOICES, st.integers(0, 5)), max_size=12))
def test_any_answers_in_any_order_leave_valid_draft(
    first: GoldDocument, second: GoldDocument, answers: Sequence[tuple[int, Choice, int]]
) -> None:
    on = desk(first, second)
    for number, choice, which in answers:
        questions = on.questions
        if not questions:
            break
        question = questions[number % len(questions)]
        others = [on.topic_id(symbol) for symbol in on.free_for_same(question.symbol)] if question.symbol else []
        if choice not in question.choices or (choice == Choice.SAME and not others):
            continue
        other = others[which % len(others)] if choice == Choice.SAME else ""
        decision = Decision(question.subject, choice, other)
        try:
            on = decide(on, decision)
        except OperationError as error:
            assert error.code in {"into-itself", "below-itself", "cycle", "no-effect"}, error.code  # noqa: PT017  # or no error
            continue
        if question.page is not None and choice != Choice.SKIP:
            wanted = wanted_by(on, decision)
            assert on.placed(question.subject.key) == ({on.topic_id(one) for one in wanted.topics}, wanted.outlier)
        in_topics = {key for pages in on.state.members.values() for key in pages}
        assert not in_topics & on.state.outliers


# --- Three and more ---------------------------------------------------------------------------------------------------

ANA = hierarchy("abcdefg", {"Cars": "abc", "Boats": "de", "Boats/Yachts": "d"}, "g")
BEN = hierarchy("abcdefg", {"Autos": "abc", "Ships": "de", "Ships/Yachts": "de"}, "f")
CEM = hierarchy("abcdefg", {"Cars": "ab", "Boats": "cdef"}, "g")


def three() -> AdjudicationSession:
    return desk_of(ANA, BEN, CEM)


def question(on: AdjudicationSession, about: About, key: str) -> Question:
    return next(each for each in on.questions if (each.subject.about, each.subject.key) == (about, key))


def test_outcome_of_three_starts_with_unanimous_topics_and_pages() -> None:
    begin = three()
    assert tree(begin.state) == [("Cars", "ab"), ("Boats", "")]
    assert asked(begin) == dict.fromkeys("cfg")
    assert asked(begin, About.TOPIC) == {"yachts": None}


def test_equal_answers_of_drafts_are_combined() -> None:
    name = question(three(), About.NAME, "cars")
    assert name.choices == (Choice.FIRST, Choice.SECOND, Choice.TYPED, Choice.SKIP)
    assert name.votes == {"first": ("first", "third"), "second": ("second",)}
    topic_of_two = question(three(), About.TOPIC, "yachts")
    assert topic_of_two.votes == {"first": ("first", "second"), "third": ("third",)}


def test_majority_is_a_proposal_and_not_an_answer() -> None:
    begin = three()
    proposed = {each.subject.key: each.proposal for each in begin.questions}
    expected = {"cars": Choice.FIRST, "boats": Choice.FIRST, "yachts": Choice.FIRST}
    assert proposed == expected | {"c": Choice.FIRST, "f": None, "g": Choice.FIRST}
    assert all(each.is_open for each in begin.questions)


def test_two_drafts_have_no_majority() -> None:
    assert {each.proposal for each in desk().questions} == {None}


def test_accepting_majority_decides_topics_before_pages() -> None:
    begin = three()
    found, operations = proposals(begin)
    told, after = combined_operations(begin, found)
    assert told == operations
    assert [decision.subject.about for decision in found[:3]] == [About.TOPIC, About.NAME, About.NAME]
    assert tree(after.state) == [("Cars", "abc"), ("Boats", "e"), ("Boats/Yachts", "d")]
    assert after.state.outliers == {"g"}
    assert {each.subject.key for each in after.questions if each.is_open} == {"f"}
    assert apply(begin.state, compile_batch(begin.state, operations), 1) == after.state


def test_majority_of_overlapping_placements_is_found_per_topic() -> None:
    """All three put the page into A, but no two into the same set of topics."""
    same = {"A": "ap", "B": "bc", "C": "de"}
    on = desk_of(
        hierarchy("abcdep", {**same, "A": "ap"}),
        hierarchy("abcdep", {**same, "B": "bcp", "A": "ap"}),
        hierarchy("abcdep", {**same, "C": "dep", "A": "ap"}),
    )
    about = question(on, About.PAGE, "p")
    assert about.proposal == Choice.FIRST
    split = desk_of(
        hierarchy("abcdep", {"A": "ap", "B": "bcp", "C": "de"}),
        hierarchy("abcdep", {"A": "ap", "B": "bc", "C": "dep"}),
        hierarchy("abcdep", {"A": "a", "B": "bcp", "C": "dep"}),
    )
    assert question(split, About.PAGE, "p").proposal == Choice.MAJORITY
    assert decide(split, page("p", Choice.MAJORITY)).placed("p") == ({"a", "b", "c"}, False)


def test_typed_name_is_applied() -> None:
    after = decide(three(), Decision(Subject(About.NAME, "cars"), Choice.TYPED, "Vehicles"))
    assert after.state.topics["cars"].name == "Vehicles"
    assert question(after, About.NAME, "cars").decided == Choice.TYPED


def test_topic_of_two_drafts_can_be_declared_the_same_as_one_of_third() -> None:
    first = hierarchy("abcdef", {"Cars": "abc", "Boats": "d"})
    others = hierarchy("abcdef", {"Cars": "abc", "Ships": "ef"})
    begin = desk_of(first, others, others)
    assert [begin.topic_id(symbol) for symbol in begin.free_for_same(Symbol("second", 1))] == ["boats"]
    after = decide(begin, topic("ships", Choice.SAME, "second", "boats"))
    assert asked(after, About.TOPIC) == {"boats": Choice.SAME, "ships": Choice.SAME}
    assert asked(after, About.NAME) == {}
    assert decide(after, page("e", Choice.SECOND)).placed("e") == ({"boats"}, False)


def test_topics_of_different_drafts_with_equal_ids_stay_distinct() -> None:
    one = hierarchy("abcdef", {"Cars": "ab"})
    begin = desk_of(one, hierarchy("abcdef", {"T": "cd"}), hierarchy("abcdef", {"T": "ef"}))
    after = decide(begin, topic("t", Choice.SECOND, "second"), topic("t", Choice.THIRD, "third"))
    assert tree(after.state) == [("T", ""), ("T", "")]
    assert set(after.state.topics) == {"t", "t~2"}


@given(drafts(), drafts(), drafts())
def test_accepting_majority_leaves_valid_draft_without_open_proposals(
    first: GoldDocument, second: GoldDocument, third: GoldDocument
) -> None:
    begin = desk_of(first, second, third)
    _, after = combined_operations(begin, proposals(begin)[0])
    assert not [each for each in after.questions if each.page is not None and each.is_open and each.proposal]
    assert not after.state.outliers & {page for pages in after.state.members.values() for page in pages}


# --- Rules an answer would break --------------------------------------------------------------------------------------


def told(on: AdjudicationSession, decision: Decision) -> list[str]:
    return broken_rules(on, decision)


def test_warning_before_answer_breaks_rule() -> None:
    begin = desk()
    taken = decide(begin, topic("dealers", Choice.FIRST))
    assert told(begin, topic("dealers", Choice.FIRST)) == [
        "2 pages would be in 'Cars' but in none of its subtopics: R1"
    ]
    assert told(taken, page("j", Choice.SECOND)) == ["'j' would be in 'Cars' but in none of its subtopics: R1"]
    assert told(begin, page("j", Choice.SECOND)) == []


def test_warning_before_topic_loses_all_pages() -> None:
    first = hierarchy("abc", {"Cars": "a", "Boats": "bc"})
    second = hierarchy("abc", {"Cars": "ab", "Boats": "bc"})
    on = decide(desk(first, second), page("b", Choice.SECOND))
    alone = decide(desk(hierarchy("ab", {"A": "a", "B": "b"}), hierarchy("ab", {"A": "ab", "B": "b"})))
    assert told(alone, page("b", Choice.FIRST)) == []
    held = decide(alone, page("b", Choice.FIRST))
    assert told(held, page("b", Choice.OUTLIER)) == ["leaves 'B' with no page: R4"]
    assert told(on, page("b", Choice.OUTLIER)) == []


def test_warning_before_name_duplicates_sibling() -> None:
    first = hierarchy("abcd", {"Cars": "ab", "Autos": "cd"})
    second = hierarchy("abcd", {"Autos": "ab", "Other": "cd"})
    on = desk_of(first, second)
    names = Decision(Subject(About.NAME, "cars"), Choice.SECOND)
    assert told(on, names) == ["two sibling topics would be named 'Autos': R6"]
    circle = [Decision(Subject(About.NAME, "cars"), Choice.TYPED, "Autos")]
    assert told(on, circle[0]) == ["two sibling topics would be named 'Autos': R6"]

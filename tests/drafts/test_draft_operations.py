"""The effect of each operation on a small draft, worked out by hand, and the messages of rejected operations."""

from __future__ import annotations

from typing import Any

import pytest

from annotations.drafts.state_machine import (
    DraftState,
    OperationError,
    apply,
    compile,
    compile_batch,
    from_document,
    label_of,
)
from annotations.drafts.state_machine.operations import KINDS
from common.limits import KEY_CHARS
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.problems import InputError
from tests.drafts import strategies
from tests.drafts.strategies import PAGES, furnished
from tests.paths import DOCS


def do(*operations: dict[str, Any]) -> DraftState:
    """Return the furnished draft after one batch. `test_initial_draft_of_these_tests` shows its contents."""
    return apply(furnished(), compile_batch(furnished(), operations), 1)


def direct(state: DraftState) -> dict[str, str]:
    """Return topic -> the pages whose finest topic it is."""
    return {topic: "".join(sorted(pages)) for topic, pages in state.members.items()}


def hinted(state: DraftState) -> dict[str, str]:
    return {topic: "".join(sorted(pages)) for topic, pages in state.hints.items()}


def outline(state: DraftState) -> str:
    """Return topics in tree order, with children in brackets."""

    def below(parent: str | None) -> str:
        return " ".join(
            topic + (f"({below(topic)})" if state.children_of(topic) else "") for topic in state.children_of(parent)
        )

    return below(None)


def test_every_kind_of_operation_is_simulated_and_documented() -> None:
    assert set(strategies.KINDS) == set(KINDS)
    described = (DOCS / "users" / "api.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f"`{kind}`" not in described] == []


START = {"cars": "1", "dealers": "23", "racing": "3", "animals": "45"}


def test_initial_draft_of_these_tests():
    assert outline(furnished()) == "cars(dealers racing) animals(zoo(cage))"
    assert direct(furnished()) == START
    assert hinted(furnished()) == {"zoo": "46", "cage": "6", "racing": "17"}


# --- Topics -----------------------------------------------------------------------------------------------------------


def test_add_topic_with_pages_at_index():
    added = {"kind": "add_topic", "topic": "new", "name": "  New one ", "parent": None, "at": 1, "pages": ["8", "2"]}
    state = do(added)
    assert outline(state) == "cars(dealers racing) new animals(zoo(cage))"
    assert state.topics["new"].name == "New one"
    assert direct(state) == {**START, "new": "28"}
    assert state.outliers == set()


def test_adding_below_suggestion_accepts_its_ancestors():
    state = do({"kind": "add_topic", "topic": "new", "name": "New", "parent": "cage"})
    assert [topic for topic in state.tree() if state.topics[topic].suggested] == []


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ({"kind": "move", "topic": "dealers", "parent": None}, "cars(racing) animals(zoo(cage)) dealers"),
        ({"kind": "move", "topic": "animals", "parent": "cars", "at": 1}, "cars(dealers animals(zoo(cage)) racing)"),
        ({"kind": "move", "topic": "cars", "parent": None, "at": 9}, "animals(zoo(cage)) cars(dealers racing)"),
        ({"kind": "promote", "topic": "dealers"}, "cars(racing) dealers animals(zoo(cage))"),
        ({"kind": "demote", "topic": "animals"}, "cars(dealers racing animals(zoo(cage)))"),
        ({"kind": "reorder", "topic": "dealers", "at": 1}, "cars(racing dealers) animals(zoo(cage))"),
    ],
)
def test_moved_topics_keep_their_contents(operation, expected):
    state = do(operation)
    assert outline(state) == expected
    assert direct(state) == START


def test_merge_combines_members_hints_and_children():
    state = do({"kind": "merge", "topics": ["animals", "racing"], "into": "dealers"})
    assert outline(state) == "cars(dealers(zoo(cage)))"
    assert direct(state) == {"cars": "1", "dealers": "2345"}
    assert hinted(state) == {"zoo": "46", "cage": "6", "dealers": "17"}
    assert state.topics["dealers"].name == "Dealers"


def test_split_into_subtopics_keeps_pages_in_topic():
    parts = [{"topic": "x", "name": "X", "pages": ["2", "3"]}, {"topic": "y", "name": "Y", "pages": ["3"]}]
    state = do({"kind": "split", "topic": "dealers", "into": parts, "where": "children"})
    assert outline(state) == "cars(dealers(x y) racing) animals(zoo(cage))"
    assert direct(state) == {"cars": "1", "racing": "3", "animals": "45", "x": "23", "y": "3"}
    assert state.pages_in("dealers") == {"2", "3"}


def test_split_into_siblings_moves_pages_out_of_topic_and_subtopics():
    parts = [{"topic": "x", "name": "X", "pages": ["1", "3"]}, {"topic": "y", "name": "Y", "pages": []}]
    state = do({"kind": "split", "topic": "cars", "into": parts, "where": "siblings"})
    assert outline(state) == "cars(dealers racing) x y animals(zoo(cage))"
    assert direct(state) == {"dealers": "2", "animals": "45", "x": "13"}


@pytest.mark.parametrize(
    ("topic", "children", "pages", "tree", "members", "outliers"),
    [
        ("dealers", "lift", "parent", "cars(racing) animals(zoo(cage))", {"cars": "12", "racing": "3"}, "8"),
        ("dealers", "lift", "unplace", "cars(racing) animals(zoo(cage))", {"cars": "1", "racing": "3"}, "8"),
        ("dealers", "lift", "outliers", "cars(racing) animals(zoo(cage))", {"cars": "1", "racing": "3"}, "28"),
        ("cars", "lift", "unplace", "dealers racing animals(zoo(cage))", {"dealers": "23", "racing": "3"}, "8"),
        ("cars", "delete", "outliers", "animals(zoo(cage))", {}, "1238"),
        ("cars", "delete", {"topic": "animals"}, "animals(zoo(cage))", {"animals": "12345"}, "8"),
    ],
)
def test_delete_topic_moves_children_and_pages_as_requested(topic, children, pages, tree, members, outliers):
    state = do({"kind": "delete_topic", "topic": topic, "children": children, "pages": pages})
    assert outline(state) == tree
    assert direct(state) == {"animals": "45", **members}
    assert state.outliers == set(outliers)


def kind(name: str, pages: str, **more: Any) -> dict[str, Any]:
    return {"kind": name, "pages": list(pages), **more}


# --- Pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "members", "outliers"),
    [
        (
            {"kind": "assign", "pages": ["1", "8"], "topics": ["dealers", "animals"]},
            {"cars": "", "dealers": "1238", "animals": "1458"},
            "",
        ),
        (
            {"kind": "unassign", "pages": ["1", "3"], "topics": ["cars"]},
            {"cars": "", "dealers": "2", "racing": ""},
            "8",
        ),
        (
            {"kind": "only", "pages": ["3", "4"], "topic": "racing"},
            {"dealers": "2", "racing": "34", "animals": "5"},
            "8",
        ),
        (kind("unassign", "23", topics=["dealers"]), {"cars": "12", "dealers": ""}, "8"),
        (kind("only", "34", topic="cars"), {"cars": "14", "animals": "5"}, "8"),
        (kind("outlier", "37"), {"dealers": "2", "racing": ""}, "378"),
        (kind("clear_outlier", "8"), {}, ""),
        ({"kind": "fill_other", "topic": "cars"}, {"cars": "", "cars/other": "1"}, "8"),
        ({"kind": "rest_outliers"}, {}, "678"),
    ],
)
def test_operations_on_pages_give_expected_placements(operation, members, outliers):
    state = do(operation)
    assert direct(state) == {topic: pages for topic, pages in (START | members).items() if pages}
    assert state.outliers == set(outliers)


def test_outlier_loses_its_suggestions():
    assert hinted(do({"kind": "outlier", "pages": ["6", "7"]})) == {"zoo": "4", "racing": "1"}


def test_fill_other_reuses_its_subtopic_and_avoids_taken_names():
    fill = {"kind": "fill_other", "topic": "cars"}
    state = do(fill, {"kind": "assign", "pages": ["6"], "topics": ["cars"]}, fill)
    assert direct(state)["cars/other"] == "16"
    assert state.topics["cars/other"].name == "Cars (other)"
    taken = do({"kind": "rename", "topic": "racing", "name": "cars (OTHER)"}, fill)
    assert taken.topics["cars/other"].name == "Cars (other) 2"


def test_id_of_other_topic_respects_length_limit():
    longest = "x" * KEY_CHARS
    batch = [
        {"kind": "add_topic", "topic": longest, "name": "Longest", "parent": None},
        {"kind": "add_topic", "topic": "below", "name": "Below", "parent": longest},
        {"kind": "assign", "pages": ["1"], "topics": [longest]},
        {"kind": "fill_other", "topic": longest},
    ]
    (rest,) = set(do(*batch).children_of(longest)) - {"below"}
    assert rest.endswith("x/other")
    assert len(rest) <= KEY_CHARS


# --- Suggestions ------------------------------------------------------------------------------------------------------


def test_accepting_hint_accepts_its_topic_and_ancestors():
    state = do({"kind": "accept", "hints": [["cage", ["6", "7"]]]})
    assert not state.topics["zoo"].suggested
    assert direct(state) == {**START, "cage": "6"}
    assert hinted(state) == {"zoo": "4", "racing": "17"}


def test_accepting_topic_accepts_its_hints():
    state = do({"kind": "accept", "topics": ["zoo"]})
    assert direct(state) == {**START, "animals": "5", "zoo": "46"}
    assert state.topics["cage"].suggested


def test_rejecting_topic_removes_its_descendants():
    state = do({"kind": "reject", "topics": ["zoo"], "hints": [["racing", ["7"]]]})
    assert outline(state) == "cars(dealers racing) animals"
    assert hinted(state) == {"racing": "1"}


def test_accept_all_and_reject_all():
    assert direct(do({"kind": "accept_all"})) == {
        "dealers": "23",
        "animals": "5",
        "zoo": "4",
        "cage": "6",
        "racing": "137",
    }
    rejected = do({"kind": "reject_all"})
    assert (outline(rejected), hinted(rejected)) == ("cars(dealers racing) animals", {})


# --- Errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "operation"),
    [
        ("unknown-operation", {"kind": "explode"}),
        ("unknown-operation", {}),
        ("unknown-operation", "rename"),
        ("unknown-operation", {"kind": ["rename"]}),
        ("unknown-field", {"kind": "flag", "page": "1"}),
        ("unknown-topic", {"kind": "rename", "topic": "nobody", "name": "X"}),
        ("unknown-topic", {"kind": "assign", "pages": ["1"], "topics": ["cars", None]}),
        ("unknown-topic", {"kind": "suggest", "source": "s", "hints": [[["cars"], ["1"]]]}),
        ("unknown-page", {"kind": "flag", "pages": ["1", "99"]}),
        ("unknown-page", {"kind": "flag", "pages": [["1"]]}),
        ("unknown-page", {"kind": "note", "text": "odd"}),
        ("no-pages", {"kind": "assign", "pages": [], "topics": ["cars"]}),
        ("no-topics", {"kind": "assign", "pages": ["1"], "topics": []}),
        ("no-topics", {"kind": "accept"}),
        ("no-topics", {"kind": "merge", "topics": ["cars"], "into": "cars"}),
        ("no-topics", {"kind": "split", "topic": "cars", "into": [], "where": "children"}),
        ("no-effect", {"kind": "assign", "pages": ["1"], "topics": ["cars"]}),
        ("no-effect", {"kind": "rename", "topic": "cars", "name": " Cars "}),
        ("no-effect", {"kind": "accept", "hints": [["cars", ["1"]]]}),
        ("no-effect", {"kind": "move", "topic": "cars", "parent": None, "at": 0}),
        ("bad-operation", {"kind": "flag", "pages": "1"}),
        ("bad-operation", {"kind": "rename", "topic": "cars", "name": 3}),
        ("bad-operation", {"kind": "accept", "hints": [["cars"]]}),
        ("bad-operation", {"kind": "split", "topic": "cars", "into": ["x"], "where": "children"}),
        ("bad-name", {"kind": "rename", "topic": "cars", "name": " \u2003 "}),
        ("bad-name", {"kind": "rename", "topic": "cars", "name": "two\nlines"}),
        ("bad-name", {"kind": "rename", "topic": "cars", "name": "x" * 201}),
        ("bad-name", {"kind": "rename", "topic": "cars", "name": "\ud800"}),
        ("bad-text", {"kind": "note", "page": "1", "text": "nul \x00"}),
        ("bad-text", {"kind": "describe", "topic": "cars", "text": "x" * 10_001}),
        ("bad-id", {"kind": "add_topic", "topic": " ", "name": "X", "parent": None}),
        ("bad-id", {"kind": "add_topic", "topic": "x" * 201, "name": "X", "parent": None}),
        ("topic-exists", {"kind": "add_topic", "topic": "cars", "name": "X", "parent": None}),
        ("bad-number", {"kind": "reorder", "topic": "cars", "at": -1}),
        ("bad-number", {"kind": "reorder", "topic": "cars"}),
        ("bad-number", {"kind": "step", "topic": "cars", "step": True}),
        ("bad-number", {"kind": "step", "topic": "cars", "step": 100}),
        ("bad-choice", {"kind": "delete_topic", "topic": "cars", "children": "keep", "pages": "unplace"}),
        ("bad-choice", {"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "burn"}),
        ("no-parent", {"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "parent"}),
        (
            "target-deleted",
            {"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": {"topic": "racing"}},
        ),
        ("at-top", {"kind": "promote", "topic": "cars"}),
        ("no-sibling-above", {"kind": "demote", "topic": "dealers"}),
        ("cycle", {"kind": "move", "topic": "cars", "parent": "dealers"}),
        ("cycle", {"kind": "move", "topic": "cars", "parent": "cars"}),
        ("cycle", {"kind": "merge", "topics": ["cars"], "into": "racing"}),
        (
            "not-in-topic",
            {
                "kind": "split",
                "topic": "dealers",
                "into": [{"topic": "x", "name": "X", "pages": ["4"]}],
                "where": "children",
            },
        ),
        ("no-children", {"kind": "fill_other", "topic": "dealers"}),
    ],
)
def test_invalid_operation_has_code_and_message(code, operation):
    with pytest.raises(OperationError) as refused:
        compile(furnished(), operation)
    assert refused.value.code == code
    assert refused.value.message
    assert refused.value.fix or code == "no-effect"


def test_batch_reports_failing_operation_and_skips_those_without_effect():
    flag, again = {"kind": "flag", "pages": ["1"]}, {"kind": "flag", "pages": ["1"]}
    assert len(compile_batch(furnished(), [flag, again])) == 1
    with pytest.raises(OperationError) as refused:
        compile_batch(furnished(), [flag, again, {"kind": "promote", "topic": "cars"}])
    assert (refused.value.code, refused.value.index) == ("at-top", 2)


def test_level_limit_equals_that_of_files():
    deep = [{"kind": "step", "topic": "cars", "step": 99}]
    with pytest.raises(OperationError) as refused:
        compile_batch(do(*deep), [{"kind": "add_topic", "topic": "x", "name": "X", "parent": "dealers"}])
    assert refused.value.code == "too-deep"


# --- Labels -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "operation"),
    [
        ("Merge Dealers into Cars", {"kind": "merge", "topics": ["dealers"], "into": "cars"}),
        ("Add Zebras to Animals", {"kind": "add_topic", "topic": "z", "name": "Zebras", "parent": "animals"}),
        ("Rename Cars to Autos", {"kind": "rename", "topic": "cars", "name": "Autos"}),
        ("Move Racing to level 1", {"kind": "move", "topic": "racing", "parent": None}),
        (
            "Delete Cars and its subtopics",
            {"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": "unplace"},
        ),
        ("Put 2 pages into Cars and Racing", {"kind": "assign", "pages": ["5", "6"], "topics": ["cars", "racing"]}),
        ("Make 1 page an outlier", {"kind": "outlier", "pages": ["1"]}),
        ("Accept 2 suggestions for Racing", {"kind": "accept", "hints": [["racing", ["1", "7"]]]}),
    ],
)
def test_labels_describe_operations(label, operation):
    assert label_of(furnished(), [operation]) == label


def test_batch_label_names_first_operations_and_count():
    out, back = {"kind": "unassign", "pages": ["2"], "topics": ["dealers"]}, {"kind": "flag", "pages": ["1"]}
    put = {"kind": "assign", "pages": ["2"], "topics": ["racing"]}
    assert label_of(furnished(), [out, put]) == "Take 1 page out of Dealers, then put 1 page into Racing"
    assert label_of(furnished(), [out, put, back, back, back]) == (
        "Take 1 page out of Dealers, then put 1 page into Racing, then flag 1 page and 2 more changes"
    )


# --- Documents --------------------------------------------------------------------------------------------------------


def document(*topics: Topic, outliers: tuple[str, ...] = ()) -> GoldDocument:
    return GoldDocument("q", "q", tuple(Page(page) for page in PAGES), topics, outliers)


def test_page_listed_in_ancestor_is_stored_only_at_finest_topic():
    state = from_document(
        document(Topic("a", "A", None, None, ("1", "2", "3")), Topic("b", "B", "a", None, ("2", "3")))
    )
    assert direct(state) == {"a": "1", "b": "23"}


def test_levels_become_steps_and_texts_become_fields():
    extra = {"description": "About a", "note": "", "colour": "red"}
    state = from_document(document(Topic("a", "A", None, 1, ("1",), extra), Topic("b", "B", "a", 4, ("2",))))
    assert (state.topics["a"].step, state.topics["b"].step) == (3, 1)
    assert state.topics["a"].description == "About a"
    assert state.topics["a"].extra == {"note": "", "colour": "red"}


@pytest.mark.parametrize(
    ("code", "broken"),
    [
        ("bad-level", document(Topic("a", "A", None, 1, ("1",)), Topic("b", "B", "a", 1, ("1",)))),
        ("parent-cycle", document(Topic("a", "A", "b"), Topic("b", "B", "a"))),
        ("unknown-page", document(Topic("a", "A", None, 1, ("99",)))),
        ("outlier-in-topic", document(Topic("a", "A", None, 1, ("1",)), outliers=("1",))),
        ("no-pages", GoldDocument("q", "q", ())),
    ],
)
def test_invalid_document_cannot_become_draft(code, broken):
    with pytest.raises(InputError) as refused:
        from_document(broken)
    assert code in [problem.code for problem in refused.value.problems]


def test_page_list_alone_gives_empty_draft():
    assert from_document(document()) == DraftState(PAGES)

"""The state machine of the workspace in Chromium does what the one on the server does: same states, same errors."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from annotations.drafting import (
    DraftState,
    OperationError,
    apply,
    compile_batch,
    fitted,
    from_json,
    invert,
    label_of,
    progress,
    to_json,
)
from tests.annotations.drafting.strategies import KINDS, PAGES, STARTS, Step, furnished, operation
from tests.browser.curation import empty_page

pytestmark = pytest.mark.browser

ROOT = "http://scripts.test"


@pytest.fixture(scope="module")
def scripts(chromium: Browser) -> Iterator[Page]:
    """A page that can import the modules; it fails the test that made a script throw outside of it."""
    from django.contrib.staticfiles import finders

    def static(route: Any) -> None:
        path = finders.find(route.request.url.removeprefix(f"{ROOT}/static/"))
        route.fulfill(path=path, content_type="text/javascript") if path else route.fulfill(status=404)

    context = chromium.new_context()
    page = context.new_page()
    page.route(f"{ROOT}/static/js/**", static)
    yield empty_page(page, ROOT)
    context.close()


def drawn(rng: random.Random) -> list[Step]:
    """A batch of one operation, sometimes of two or three, of any kind."""
    return [
        Step(
            rng.choice(KINDS),
            rng.randrange(30),
            rng.randrange(30),
            rng.randrange(5),
            tuple(rng.sample(PAGES, rng.randint(1, 6))),
        )
        for _ in range(rng.choice((1, 1, 1, 2, 3)))
    ]


def refusal(error: OperationError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "fix": error.fix, "index": error.index}


def one_step(state: DraftState, revision: int, operations: list[dict[str, Any]]) -> tuple[DraftState, dict[str, Any]]:
    """What the server does with a batch, as JSON."""
    try:
        changes = compile_batch(state, operations)
    except OperationError as error:
        return state, {"operations": operations, "error": refusal(error)}
    after = apply(state, changes, revision)
    told = {
        "label": label_of(state, operations),
        "changes": changes,
        "state": to_json(after),
        "progress": progress(after).to_dict(),
    }
    return after, {"operations": operations, **told}


def undoing(state: DraftState, changes: list[dict[str, Any]]) -> dict[str, Any]:
    """What is left to undo of an old entry, or why it cannot be."""
    try:
        return {"changes": fitted(state, invert(changes))}
    except OperationError as error:
        return {"error": {"code": error.code, "message": error.message, "fix": error.fix}}


def played(seed: int, length: int) -> dict[str, Any]:
    """A random session on the server's state machine: every batch with its outcome, and every undo at the end."""
    rng = random.Random(seed)
    state = start = rng.choice(STARTS)
    steps = []
    for revision in range(1, length + 1):
        batch = [operation(state, step, f"t{revision}-{number}") for number, step in enumerate(drawn(rng))]
        state, step = one_step(state, revision, batch)
        steps.append(step)
    log = [step["changes"] for step in steps if "changes" in step]
    undos = [{"of": changes, **undoing(state, changes)} for changes in log]
    return {"seed": seed, "start": to_json(start), "steps": steps, "undos": undos}


COMPARE = """
async (given) => {
  const {pages, sessions} = JSON.parse(given);
  const {DraftState, canonical} = await import("/static/js/curate/state.js");
  const {apply, invert} = await import("/static/js/curate/changes.js");
  const {carryOut, compileBatch, labelOf} = await import("/static/js/curate/operations.js");
  const {fitted} = await import("/static/js/curate/fitting.js");
  const differences = [];
  const same = (where, found, expected) => {
    if (canonical(found) !== canonical(expected)) differences.push({where, found, expected});
  };
  const leftOver = (state) => state.preOrder()
    .filter((id) => !state.isSuggested(id) && state.leftOver(id).length)
    .map((id) => [id, state.leftOver(id).length]);
  const progress = (state) => ({
    levels: state.coverage(),
    topics: [...state.topics.values()].filter((topic) => !topic.suggested).length,
    outliers: state.outliers.size,
    left_over: Object.fromEntries(leftOver(state)),
    suggested: new Set([...state.hints.values()].flatMap((held) => [...held])).size,
    suggested_topics: [...state.topics.values()].filter((topic) => topic.suggested).length,
    flagged: state.flags.size,
    stale: state.staleness().length,
    issues: state.issues(),
  });
  const refused = (act, fields) => {
    try {
      return {done: act()};
    } catch (error) {
      return {error: Object.fromEntries(fields.map((field) => [field, error[field]]))};
    }
  };
  const words = ["code", "message", "fix", "index"];
  const topicsOf = (state) => pages.map((page) => [page, state.directTopics(page), state.hintedTopics(page)]);
  const pagesOf = (state) => state.preOrder().map((id) => [id, state.inOrder(state.pagesIn(id))]);
  for (const {seed, start, steps, undos} of sessions) {
    const state = DraftState.fromJSON(pages, start);
    steps.forEach((step, at) => {
      const where = `session ${seed}, step ${at + 1}: ${JSON.stringify(step.operations)}`;
      const before = state.clone();
      const pure = refused(() => compileBatch(state, step.operations), words);
      same(`${where}: compiling changes nothing`, state.toJSON(), before.toJSON());
      const {done, error} = refused(() => carryOut(state, step.operations, at + 1), words);
      same(`${where}: the pure one`, pure, done ? {done} : {error});
      same(where, error ?? done, step.error ?? step.changes);
      if (!done) return same(`${where}: refusing changes nothing`, state.toJSON(), before.toJSON());
      same(`${where}: label`, labelOf(before, step.operations), step.label);
      same(`${where}: state`, state.toJSON(), step.state);
      same(`${where}: progress`, progress(state), step.progress);
      // What was kept in step with the changes is what is worked out afresh.
      const fresh = DraftState.fromJSON(pages, state.toJSON());
      same(`${where}: derived`, progress(state), progress(fresh));
      same(`${where}: topics of pages`, topicsOf(state), topicsOf(fresh));
      same(`${where}: pages of topics`, pagesOf(state), pagesOf(fresh));
      const back = state.clone();
      apply(back, invert(done), 0);
      if (!back.equals(before)) same(`${where}: undone`, back.toJSON(), before.toJSON());
    });
    for (const undo of undos) {
      const {done, error} = refused(() => fitted(state, invert(undo.of)), ["code", "message", "fix"]);
      same(`session ${seed}: undo ${JSON.stringify(undo.of)}`, error ?? done, undo.error ?? undo.changes);
    }
  }
  return {count: differences.length, first: differences.slice(0, 3)};
}
"""


def compare(scripts: Page, sessions: list[dict[str, Any]]) -> None:
    found = scripts.evaluate(COMPARE, json.dumps({"pages": PAGES, "sessions": sessions}))
    assert found["count"] == 0, json.dumps(found, indent=1, ensure_ascii=False)


def test_random_sessions_end_alike_in_the_browser_and_on_the_server(scripts: Page) -> None:
    sessions = [played(seed, 12) for seed in range(300)]
    kinds = {
        each["kind"]
        for session in sessions
        for step in session["steps"]
        if "label" in step
        for each in step["operations"]
    }
    assert kinds == set(KINDS), "every kind of operation has to be carried out somewhere"
    assert sum("error" in undo for session in sessions for undo in session["undos"]) > 50
    compare(scripts, sessions)


WRONG: list[Any] = [
    [],
    [7],
    [{"kind": "fly"}],
    [{"kind": "assign", "pages": ["1"], "topics": ["cars"], "speed": 3}],
    [{"kind": "assign", "pages": [], "topics": ["cars"]}],
    [{"kind": "assign", "pages": ["1", "99", "98"], "topics": ["cars"]}],
    [{"kind": "assign", "pages": "1", "topics": ["cars"]}],
    [{"kind": "assign", "pages": ["1"], "topics": []}],
    [{"kind": "assign", "pages": ["1"], "topics": ["ca'rs"]}],
    [{"kind": "assign", "pages": ["1"], "topics": ["cars"]}],
    [{"kind": "flag", "pages": ["1"]}, {"kind": "rename", "topic": "nobody", "name": "x"}],
    [{"kind": "add_topic", "topic": "cars", "name": "Again"}],
    [{"kind": "add_topic", "topic": " ", "name": "Blank"}],
    [{"kind": "add_topic", "topic": "x" * 201, "name": "Long"}],
    [{"kind": "add_topic", "topic": "😀" * 200, "name": "🚗" * 200, "at": 0}],
    [{"kind": "add_topic", "topic": "new", "name": "N", "at": -1}],
    [{"kind": "add_topic", "topic": "new", "name": "N", "at": True}],
    [{"kind": "add_topic", "topic": "new", "name": "N", "parent": "new"}],
    [{"kind": "add_topic", "topic": "__proto__", "name": "constructor"}],
    [{"kind": "rename", "topic": "cars", "name": "\u2003 \ufeffCars\u00a0"}],
    [{"kind": "rename", "topic": "cars", "name": "\u200bCars\u0085"}],
    [{"kind": "rename", "topic": "cars", "name": "two\nlines"}],
    [{"kind": "rename", "topic": "cars", "name": '\u202e<b>"it\'s"'}],
    [{"kind": "rename", "topic": "cars", "name": ""}],
    [{"kind": "rename", "topic": "cars", "name": "n" * 201}],
    [{"kind": "describe", "topic": "cars", "text": "a\x00b"}],
    [{"kind": "describe", "topic": "cars", "text": "  two\nlines "}],
    [{"kind": "topic_note", "topic": "cars", "text": "x" * 10_001}],
    [{"kind": "step", "topic": "cars", "step": 0}],
    [{"kind": "step", "topic": "cars", "step": 99}],
    [{"kind": "step", "topic": "cars", "step": 99}, {"kind": "step", "topic": "dealers", "step": 2}],
    [{"kind": "step", "topic": "cars", "step": 99}, {"kind": "move", "topic": "zoo", "parent": "dealers"}],
    [{"kind": "move", "topic": "cars", "parent": "dealers"}],
    [{"kind": "merge", "topics": ["cars"], "into": "cars"}],
    [{"kind": "merge", "topics": ["cars"], "into": "racing"}],
    [{"kind": "split", "topic": "cars", "into": [], "where": "children"}],
    [{"kind": "split", "topic": "cars", "into": [{"topic": "a", "name": "A", "pages": ["2"]}], "where": "beside"}],
    [{"kind": "split", "topic": "dealers", "into": [{"topic": "a", "name": "A", "pages": ["4"]}], "where": "children"}],
    [{"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "parent"}],
    [{"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": {"topic": "racing"}}],
    [{"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": "nowhere"}],
    [{"kind": "accept"}],
    [{"kind": "accept", "hints": [["racing"]]}],
    [{"kind": "suggest", "source": "", "topics": []}],
    [{"kind": "fill_other", "topic": "dealers"}],
    [{"kind": "note", "page": "9", "text": "x"}],
    [{"kind": "flag", "pages": ["1"]}] * 1_001,
]


def test_what_is_refused_is_refused_with_the_same_words(scripts: Page) -> None:
    sessions = []
    for number, operations in enumerate(WRONG):
        _, step = one_step(furnished(), 1, operations)
        sessions.append({"seed": number, "start": to_json(furnished()), "steps": [step], "undos": []})
    compare(scripts, sessions)


IMPACT = """
async ({pages, start, operations}) => {
  const {DraftState} = await import("/static/js/curate/state.js");
  const {impact} = await import("/static/js/curate/impact.js");
  return operations.map((each) => impact(DraftState.fromJSON(pages, start), each));
}
"""


def test_impact_says_what_operations_would_do(scripts: Page) -> None:
    """`furnished`: Cars {1, Dealers {2, 3}, Racing {3}}, Animals {4, 5}; 8 is an outlier; 6 and 7 are nowhere."""
    operations = [
        [{"kind": "rename", "topic": "cars", "name": "Vehicles"}],
        [{"kind": "move", "topic": "dealers", "parent": "animals"}],
        [{"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": "outliers"}],
        [{"kind": "delete_topic", "topic": "dealers", "children": "lift", "pages": "unplace"}],
        [{"kind": "outlier", "pages": ["4"]}],
        [{"kind": "add_topic", "topic": "new", "name": "New", "parent": "animals", "pages": ["4"]}],
    ]
    found = scripts.evaluate(IMPACT, {"pages": list(PAGES), "start": to_json(furnished()), "operations": operations})
    assert [each["sentence"] for each in found] == [
        "Moves no pages.",
        # Page 3 stays in Racing and so in Cars; below Animals, 4 and 5 lack what Dealers has.
        "Moves 2 pages, 2 will lack a level-2 topic.",
        "Removes 3 topics, moves 3 pages, 3 will become outliers.",
        "Removes 1 topic, moves 2 pages, 1 will be in no topic.",
        "Moves 1 page, 1 will become an outlier.",
        "Adds 1 topic, moves 1 page, 1 will lack a level-2 topic.",
    ]
    assert found[1]["pages"] == ["2", "3"]
    assert found[2]["outliers"] == ["1", "2", "3"]


QUEUES = """
async ({pages, start, disagree}) => {
  const {DraftState} = await import("/static/js/curate/state.js");
  const {queueGroups, queueNames, queuePages, queueTitle} = await import("/static/js/curate/queues.js");
  const state = DraftState.fromJSON(pages, start);
  const options = {disagree, topic: "cars"};
  return Object.fromEntries([...queueNames(state, options), "topic"].map((name) => [name, {
    title: queueTitle(name),
    pages: queuePages(state, name, options),
    groups: queueGroups(state, name, options).map(({topic, pages}) => [topic, pages]),
  }]));
}
"""


def test_queues_hold_the_pages_they_name(scripts: Page) -> None:
    start = to_json(furnished()) | {"flags": ["5", "2"]}
    found = scripts.evaluate(QUEUES, {"pages": list(PAGES), "start": start, "disagree": ["3", "1", "gone"]})
    pages = {name: queue["pages"] for name, queue in found.items()}
    assert pages == {
        "level-1": ["6", "7"],
        "level-2": ["6", "7"],
        "level-3": ["1", "6", "7"],
        "between": ["1"],
        "suggested": ["1", "4", "6", "7"],
        "disagree": ["1", "3"],
        "stale": [],
        "flagged": ["2", "5"],
        "outliers": ["8"],
        "all": list(PAGES),
        "topic": ["1", "2", "3"],
    }
    assert found["level-3"]["title"] == "Unplaced on level 3"
    assert found["level-3"]["groups"] == [[None, ["6", "7"]], ["cars", ["1"]]]
    assert found["between"]["groups"] == [["cars", ["1"]]]
    assert found["suggested"]["groups"] == [["racing", ["1", "7"]], ["zoo", ["4", "6"]], ["cage", ["6"]]]
    assert found["stale"]["groups"] == []


def test_a_state_survives_json(scripts: Page) -> None:
    state = furnished()
    given = {"pages": list(PAGES), "start": to_json(state)}
    script = """async ({pages, start}) => {
      const {DraftState} = await import("/static/js/curate/state.js");
      const state = DraftState.fromJSON(pages, start);
      const paths = [state.path("dealers"), state.pathIds("dealers")];
      return [state.toJSON(), state.equals(state.clone()), ...paths, state.last("cars")];
    }"""
    found, equal, path, ids, last = scripts.evaluate(script, given)
    assert from_json(found, PAGES) == state
    assert equal
    assert (path, ids, last) == (["Cars", "Dealers"], ["cars", "dealers"], 2)


REBASE = """
async ({pages, start, cases}) => {
  const {DraftState} = await import("/static/js/curate/state.js");
  const {carryOut, labelOf} = await import("/static/js/curate/operations.js");
  const {rebased} = await import("/static/js/curate/rebase.js");
  return cases.map(([theirs, ours]) => {
    const state = DraftState.fromJSON(pages, start);
    const entry = {by: "bob", label: labelOf(state, [theirs]), operations: [theirs]};
    entry.changes = carryOut(state, [theirs], 1);
    const {operations, clash} = rebased(state, [ours], [entry]);
    return clash || operations[0];
  });
}
"""

MERGED = {"kind": "merge", "topics": ["dealers"], "into": "racing"}
RENAMED = {"kind": "rename", "topic": "dealers", "name": "Shops"}
ADDED = {"kind": "add_topic", "topic": "vans", "name": "Vans", "parent": "dealers"}
DELETED = {"kind": "delete_topic", "topic": "dealers", "children": "lift", "pages": "unplace"}
ALONE = {"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "unplace"}
REBASES: list[tuple[dict[str, Any], dict[str, Any], Any]] = [
    # Where pages were to go, the topic that took the other one in stands for it.
    (MERGED, {"kind": "assign", "pages": ["1"], "topics": ["dealers", "racing"]}, {"topics": ["racing"]}),
    (MERGED, {"kind": "only", "pages": ["1"], "topic": "dealers"}, {"topic": "racing"}),
    (MERGED, {"kind": "move", "topic": "animals", "parent": "dealers"}, {"parent": "racing"}),
    (
        MERGED,
        {"kind": "delete_topic", "topic": "animals", "children": "lift", "pages": {"topic": "dealers"}},
        {"pages": {"topic": "racing"}},
    ),
    (MERGED, {"kind": "merge", "topics": ["animals"], "into": "dealers"}, {"into": "racing"}),
    # What was meant for the vanished topic itself, nobody decides for people.
    (MERGED, {"kind": "rename", "topic": "dealers", "name": "X"}, "Meanwhile bob: Merge Dealers into Racing"),
    (MERGED, {"kind": "unassign", "pages": ["2"], "topics": ["dealers"]}, "Meanwhile bob: Merge Dealers into Racing"),
    (MERGED, DELETED, "Meanwhile bob: Merge Dealers into Racing"),
    (MERGED, {"kind": "merge", "topics": ["dealers"], "into": "animals"}, "Meanwhile bob: Merge Dealers into Racing"),
    (DELETED, {"kind": "assign", "pages": ["1"], "topics": ["dealers"]}, "Meanwhile bob: Delete Dealers"),
    # The same field clashes, another one does not.
    (RENAMED, {"kind": "rename", "topic": "dealers", "name": "X"}, "Meanwhile bob: Rename Dealers to Shops"),
    (RENAMED, {"kind": "describe", "topic": "dealers", "text": "X"}, {}),
    (RENAMED, {"kind": "move", "topic": "dealers", "parent": "animals"}, {}),
    (RENAMED, {"kind": "assign", "pages": ["1"], "topics": ["dealers"]}, {}),
    # Nobody deletes what somebody else has just worked on.
    (RENAMED, DELETED, "Meanwhile bob: Rename Dealers to Shops"),
    (RENAMED, ALONE, {}),
    (RENAMED, {**ALONE, "children": "delete"}, "Meanwhile bob: Rename Dealers to Shops"),
    (ADDED, {**ALONE, "children": "delete"}, "Meanwhile bob: Add Vans to Dealers"),
    (ADDED, {"kind": "demote", "topic": "racing"}, "Meanwhile bob: Add Vans to Dealers"),
]


def test_what_waits_is_carried_over_or_shown(scripts: Page) -> None:
    cases = [(theirs, ours) for theirs, ours, _ in REBASES]
    given = {"pages": list(PAGES), "start": to_json(furnished()), "cases": cases}
    expected = [ours | found if isinstance(found, dict) else found for _, ours, found in REBASES]
    assert scripts.evaluate(REBASE, given) == expected

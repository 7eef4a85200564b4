import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, invert } from "../../static/js/drafts/changes.js";
import { topicMark } from "../../static/js/drafts/marks.js";
import { carryOut } from "../../static/js/drafts/operations.js";
import { DraftState } from "../../static/js/drafts/state.js";
import { furnished, PAGES } from "./samples.js";

/** @param {DraftState} state @param {string[]} names */
const grown = (state, names) =>
  carryOut(
    state,
    names.map((name) => ({ kind: "add_topic", topic: name, name })),
    1,
  );

test("a mark is that of the level-1 topic, whatever the topic is called", () => {
  const state = furnished();
  assert.equal(topicMark(state, "cars"), "dot hue-0 shape-0");
  assert.equal(topicMark(state, "dealers"), topicMark(state, "cars"));
  assert.equal(topicMark(state, "animals"), "dot hue-1 shape-0");
  carryOut(state, [{ kind: "rename", topic: "animals", name: "Beasts" }], 1);
  assert.equal(topicMark(state, "animals"), "dot hue-1 shape-0");
});

test("no two of 32 topics look alike", () => {
  const state = new DraftState(PAGES);
  const names = Array.from({ length: 32 }, (_, at) => `t${at}`);
  grown(state, names);
  assert.equal(new Set(names.map((name) => topicMark(state, name))).size, 32);
  grown(state, ["one more"]);
  assert.equal(topicMark(state, "one more"), topicMark(state, "t0"));
});

test("a topic that is deleted and comes back looks as it did", () => {
  const state = furnished();
  const done = carryOut(state, [{ kind: "delete_topic", topic: "cars", children: "delete", pages: "unplace" }], 1);
  grown(state, ["boats"]);
  assert.equal(topicMark(state, "boats"), "dot hue-2 shape-0");
  apply(state, invert(done), 2);
  assert.equal(topicMark(state, "cars"), "dot hue-0 shape-0");
});

test("a state stored without marks has them in the order of the topics", () => {
  const state = furnished();
  const { marks, ...rest } = state.toJSON();
  assert.deepEqual(marks, { cars: 0, animals: 1 });
  assert.deepEqual(DraftState.fromJSON(PAGES, rest).toJSON().marks, marks);
});

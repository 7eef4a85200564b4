import assert from "node:assert/strict";
import { test } from "node:test";
import { isSeen, missingLevels, waitingFor, withoutSubtopic } from "../../static/js/drafts/placement.js";
import { canonical, DraftState } from "../../static/js/drafts/state.js";
import { content, furnished, PAGES } from "./samples.js";

test("a state survives JSON", () => {
  const state = furnished();
  const again = DraftState.fromJSON(PAGES, JSON.parse(JSON.stringify(state.toJSON())));
  assert.equal(canonical(again.toJSON()), canonical(state.toJSON()));
  assert.equal(content(again), content(state));
  assert.equal(content(state), content(state.clone()));
  assert.deepEqual(again.path("dealers"), ["Cars", "Dealers"]);
  assert.deepEqual(again.pathIds("dealers"), ["cars", "dealers"]);
  assert.equal(again.last("cars"), 2);
});

test("a clone does not change with its original", () => {
  const state = furnished();
  const copy = state.clone();
  copy._include("members", "animals", ["6"]);
  assert.ok(copy.isIn("6", "animals"));
  assert.ok(!state.isIn("6", "animals"));
});

test("a topic that has to be there is an error where it is not", () => {
  assert.equal(furnished().topicOf("zoo").name, "Zoo");
  assert.throws(() => furnished().topicOf("nobody"), /no topic nobody/);
});

test("where a page is and what it lacks", () => {
  const state = furnished();
  assert.deepEqual(state.finestTopics("3"), ["dealers", "racing"]);
  assert.deepEqual(withoutSubtopic(state, "1"), ["cars"]);
  assert.deepEqual(missingLevels(state, "1"), [3]);
  assert.deepEqual(missingLevels(state, "8"), []);
  assert.equal(waitingFor(state, "animals"), 1); // 6; 4 is in it already
  assert.ok(isSeen(state, "8"));
  assert.ok(!isSeen(state, "6"));
});

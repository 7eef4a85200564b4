import assert from "node:assert/strict";
import { test } from "node:test";
import { impact, previewOf } from "../../static/js/drafts/impact.js";
import { content, furnished } from "./samples.js";

const said = (...operations) => impact(furnished(), operations);

test("impact says what operations would do", () => {
  assert.equal(said({ kind: "rename", topic: "cars", name: "Vehicles" }).sentence, "Moves no pages.");
  // Page 3 stays in Racing and so in Cars; below Animals, 4 and 5 lack what Dealers has.
  const moved = said({ kind: "move", topic: "dealers", parent: "animals" });
  assert.equal(moved.sentence, "Moves 2 pages, 2 will lack a level-2 topic.");
  assert.deepEqual(moved.pages, ["2", "3"]);
  const deleted = said({ kind: "delete_topic", topic: "cars", children: "delete", pages: "outliers" });
  assert.equal(deleted.sentence, "Removes 3 topics, moves 3 pages, 3 will become outliers.");
  assert.deepEqual(deleted.outliers, ["1", "2", "3"]);
  assert.equal(
    said({ kind: "delete_topic", topic: "dealers", children: "lift", pages: "unplace" }).sentence,
    "Removes 1 topic, moves 2 pages, 1 will be in no topic.",
  );
  assert.equal(said({ kind: "outlier", pages: ["4"] }).sentence, "Moves 1 page, 1 will become an outlier.");
  assert.equal(
    said({ kind: "add_topic", topic: "new", name: "New", parent: "animals", pages: ["4"] }).sentence,
    "Adds 1 topic, moves 1 page, 1 will lack a level-2 topic.",
  );
});

test("a judgement warns where pages lack a topic, and says why something cannot be done", () => {
  const state = furnished();
  const before = state.clone();
  assert.deepEqual(previewOf(state, [{ kind: "move", topic: "dealers", parent: "animals" }]), {
    words: "Moves 2 pages, 2 will lack a level-2 topic.",
    warns: true,
  });
  assert.deepEqual(previewOf(state, [{ kind: "flag", pages: ["2"] }]), {
    words: "changes nothing",
    warns: false,
    error: false,
  });
  const refused = previewOf(state, [{ kind: "merge", topics: ["cars"], into: "racing" }]);
  assert.equal(refused.error, true);
  assert.equal(refused.words, "'Racing' lies inside 'Cars'. Merge 'Racing' into 'Cars' instead.");
  assert.equal(content(state), content(before));
});

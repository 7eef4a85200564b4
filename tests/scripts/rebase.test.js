import assert from "node:assert/strict";
import { test } from "node:test";
import { carryOut, labelOf } from "../../static/js/curate/operations.js";
import { rebased } from "../../static/js/curate/rebase.js";
import { furnished } from "./samples.js";

const MERGED = { kind: "merge", topics: ["dealers"], into: "racing" };
const RENAMED = { kind: "rename", topic: "dealers", name: "Shops" };
const ADDED = { kind: "add_topic", topic: "vans", name: "Vans", parent: "dealers" };
const DELETED = { kind: "delete_topic", topic: "dealers", children: "lift", pages: "unplace" };
const ALONE = { kind: "delete_topic", topic: "cars", children: "lift", pages: "unplace" };

/** What becomes of ours after theirs: the operation, or the words of the clash. */
function after(theirs, ours) {
  const state = furnished();
  const label = labelOf(state, [theirs]);
  const changes = carryOut(state, [theirs], 1);
  const entry = { id: "e", revision: 1, by: "bob", label, operations: [theirs], changes };
  const { operations, clash } = rebased(state, [ours], [entry]);
  return clash || operations[0];
}

function carriedOver(theirs, ours, changed = {}) {
  assert.deepEqual(after(theirs, ours), { ...ours, ...changed });
}

function clashes(theirs, ours, words) {
  assert.equal(after(theirs, ours), `Meanwhile bob: ${words}`);
}

test("where pages were to go, the topic that took the other one in stands for it", () => {
  carriedOver(
    MERGED,
    { kind: "assign", pages: ["1"], topics: ["dealers", "racing"] },
    { topics: ["racing"] },
  );
  carriedOver(MERGED, { kind: "only", pages: ["1"], topic: "dealers" }, { topic: "racing" });
  carriedOver(MERGED, { kind: "move", topic: "animals", parent: "dealers" }, { parent: "racing" });
  carriedOver(
    MERGED,
    { kind: "delete_topic", topic: "animals", children: "lift", pages: { topic: "dealers" } },
    { pages: { topic: "racing" } },
  );
  carriedOver(MERGED, { kind: "merge", topics: ["animals"], into: "dealers" }, { into: "racing" });
});

test("what was meant for the vanished topic itself, nobody decides for people", () => {
  const words = "Merge Dealers into Racing";
  clashes(MERGED, { kind: "rename", topic: "dealers", name: "X" }, words);
  clashes(MERGED, { kind: "unassign", pages: ["2"], topics: ["dealers"] }, words);
  clashes(MERGED, DELETED, words);
  clashes(MERGED, { kind: "merge", topics: ["dealers"], into: "animals" }, words);
  clashes(DELETED, { kind: "assign", pages: ["1"], topics: ["dealers"] }, "Delete Dealers");
});

test("the same field clashes, another one does not", () => {
  clashes(RENAMED, { kind: "rename", topic: "dealers", name: "X" }, "Rename Dealers to Shops");
  carriedOver(RENAMED, { kind: "describe", topic: "dealers", text: "X" });
  carriedOver(RENAMED, { kind: "move", topic: "dealers", parent: "animals" });
  carriedOver(RENAMED, { kind: "assign", pages: ["1"], topics: ["dealers"] });
});

test("nobody deletes what somebody else has just worked on", () => {
  clashes(RENAMED, DELETED, "Rename Dealers to Shops");
  carriedOver(RENAMED, ALONE);
  clashes(RENAMED, { ...ALONE, children: "delete" }, "Rename Dealers to Shops");
  clashes(ADDED, { ...ALONE, children: "delete" }, "Add Vans to Dealers");
  clashes(ADDED, { kind: "demote", topic: "racing" }, "Add Vans to Dealers");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { News } from "../../static/js/curate/news.js";
import { carryOut, labelOf } from "../../static/js/curate/operations.js";
import { UndoStack } from "../../static/js/curate/undo-stack.js";
import { furnished } from "./samples.js";

/** What is told of entries, each a person and operations. */
function told(...entries) {
  const state = furnished();
  const news = new News((page) => `Page ${page}`);
  for (const [by, operations, more = {}] of entries) {
    const label = labelOf(state, operations);
    const before = state.clone();
    const changes = carryOut(state, operations, 1);
    news.hear({ id: "x", revision: 1, by, label, operations, changes, ...more }, before);
  }
  return news.tell();
}

test("what others did is said with their names, in the past tense", () => {
  const rename = [{ kind: "rename", topic: "cars", name: "Vehicles" }];
  assert.equal(told(["ben", rename]), "ben renamed Cars to Vehicles.");
  const undone = { operations: null, undoes: 7, label: "Undo: Rename Cars to Vehicles" };
  assert.equal(told(["ben", rename, undone]), "ben undid “Rename Cars to Vehicles”.");
  assert.equal(told(["ben", rename, { changes: [] }]), "", "nothing has changed");
  const suggest = [{ kind: "suggest", source: "clusters" }];
  assert.equal(told(["ben", rename, { operations: suggest, label: "Suggestions" }]), "ben did “Suggestions”.");
});

test("page after page into a topic is one sentence, and of much only the beginning is told", () => {
  const put = (page) => ["ben", [{ kind: "assign", pages: [page], topics: ["animals"] }]];
  assert.equal(told(put("1"), put("2"), put("6")), "ben put 3 pages into Animals.");
  const flag = (page) => ["eve", [{ kind: "flag", pages: [page] }]];
  assert.equal(
    told(put("1"), flag("1"), flag("3"), flag("4")),
    "ben put “Page 1” into Animals. eve flagged “Page 1”. 2 more changes: see the history.",
  );
});

test("what could not be undone is stepped over and is not to be done again", () => {
  const entries = [
    { revision: 1, label: "A", changes: [{}] },
    { revision: 2, label: "B", changes: [{}] },
    { revision: 3, label: "Could not undo: B", undoes: 2, changes: [] },
  ];
  const stack = new UndoStack(entries, { revision: 1, label: "A" }, null);
  assert.deepEqual([stack.undo.label, stack.redo], ["A", null]);
});

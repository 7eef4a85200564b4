import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "../../static/js/drafts/changes.js";
import { labelOf } from "../../static/js/drafts/labels.js";
import { carryOut } from "../../static/js/drafts/operations.js";
import { UndoStack } from "../../static/js/drafts/undo-stack.js";
import { RemoteChanges } from "../../static/js/workspace/remote-changes.js";
import { furnished } from "./samples.js";

/** What is told of entries, each a person and operations. */
function told(...entries) {
  const state = furnished();
  const news = new RemoteChanges((page) => `Page ${page}`);
  for (const [by, operations, more = {}] of entries) {
    const label = labelOf(state, operations);
    const before = state.clone();
    const changes = carryOut(state, operations, 1);
    news.add({ id: "x", revision: 1, by, label, operations, changes, ...more }, before);
  }
  return news.takeSentences();
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

/** What is told where somebody put pages, one by one, into Dealers, which is merged into Racing. */
function toldOfMerged(pages, more = []) {
  const state = furnished();
  carryOut(state, [{ kind: "merge", topics: ["dealers"], into: "racing" }], 1);
  const news = new RemoteChanges((page) => `Page ${page}`);
  for (const page of pages) {
    const operations = [{ kind: "assign", pages: [page], topics: ["dealers"] }];
    const held = state.isIn(page, "racing");
    const meant = { c: "meant+", topic: "dealers", name: "Dealers", into: "racing", held, pages: [page] };
    const changes = [...(held ? [] : [{ c: "in+", topic: "racing", pages: [page], above: "cars" }]), meant];
    news.add({ id: page, revision: 2, by: "ben", label: "Put 1 page into Racing", operations, changes }, state);
    apply(state, changes, 2);
  }
  for (const entry of more) news.add(entry, state);
  return news.takeSentences();
}

test("pages that were put into a topic that is merged away by now are told with their number", () => {
  const meant = "meant for Dealers, which had been merged into it.";
  assert.equal(toldOfMerged(["4", "5", "3"]), `ben put 3 pages into Cars › Racing: they were ${meant}`);
  assert.equal(toldOfMerged(["4"]), `ben put “Page 4” into Cars › Racing: it was ${meant}`);
  const undone = {
    ...{ by: "ben", operations: null, undoes: 1, label: "Undo: Merge Dealers into Racing" },
    changes: [
      { c: "topic+", topic: { id: "dealers", name: "Dealers" }, at: 0 },
      { c: "meant-", topic: "dealers", name: "Dealers", into: "racing", held: false, pages: ["4", "5"] },
    ],
  };
  assert.equal(
    toldOfMerged([], [undone]),
    "ben undid “Merge Dealers into Racing”; 2 pages that were meant for Dealers are in it again.",
  );
});

test("the pages told of are those that moved, not those that were asked for", () => {
  const state = furnished();
  const news = new RemoteChanges((page) => `Page ${page}`);
  const put = { kind: "assign", pages: ["2", "4", "6"], topics: ["dealers"] };
  const changes = [{ c: "in+", topic: "dealers", pages: ["4"] }];
  news.add({ by: "ben", label: "", operations: [put], changes }, state);
  const out = { kind: "unassign", pages: ["2", "3", "4"], topics: ["cars"] };
  news.add({ by: "eve", label: "", operations: [out], changes: [{ c: "in-", topic: "dealers", pages: ["2"] }] }, state);
  assert.equal(news.takeSentences(), "ben put “Page 4” into Cars › Dealers. eve took “Page 2” out of Cars › Dealers.");
});

test("a topic that is not there, or not yet, does not keep anything from being told", () => {
  const state = furnished();
  for (const operation of [
    { kind: "assign", pages: ["2"], topics: ["nobody"] },
    { kind: "only", pages: ["2"], topic: "nobody" },
    { kind: "unassign", pages: ["2"], topics: ["nobody"] },
    { kind: "rename", topic: "nobody", name: "X" },
    { kind: "demote", topic: "nobody" },
    { kind: "fill_other", topic: "nobody" },
    { kind: "delete_topic", topic: "nobody", children: "lift", pages: "unplace" },
  ]) {
    const news = new RemoteChanges((page) => `Page ${page}`);
    for (let time = 0; time < 2; time += 1)
      news.add({ by: "ben", label: "It", operations: [operation], changes: [{ c: "seen", pages: ["2"] }] }, state);
    assert.match(news.takeSentences(), /^ben /, operation.kind);
  }
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

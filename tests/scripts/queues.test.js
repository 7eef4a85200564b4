import assert from "node:assert/strict";
import { test } from "node:test";
import { queueGroups, queueNames, queuePages, queueTitle } from "../../static/js/drafts/queues.js";
import { furnished, PAGES } from "./samples.js";

test("queues hold the pages they name", () => {
  const state = furnished();
  const commented = new Map([
    ["7", 1],
    ["gone", 2],
    ["2", 1],
  ]);
  const options = { disagree: ["3", "1", "gone"], topic: "cars", commented };
  const names = [...queueNames(state, options), "topic"];
  assert.deepEqual(Object.fromEntries(names.map((name) => [name, queuePages(state, name, options)])), {
    "level-1": ["6", "7"],
    "level-2": ["6", "7"],
    "level-3": ["1", "6", "7"],
    between: ["1"],
    suggested: ["1", "4", "6", "7"],
    disagree: ["1", "3"],
    stale: [],
    flagged: ["2", "5"],
    commented: ["2", "7"],
    outliers: ["8"],
    all: PAGES,
    topic: ["1", "2", "3"],
  });
  assert.equal(queueTitle("level-3"), "Unplaced on level 3");
  const groups = (name) => queueGroups(state, name, options).map(({ topic, pages }) => [topic, pages]);
  assert.deepEqual(groups("level-3"), [
    [null, ["6", "7"]],
    ["cars", ["1"]],
  ]);
  assert.deepEqual(groups("between"), [["cars", ["1"]]]);
  assert.deepEqual(groups("suggested"), [
    ["racing", ["1", "7"]],
    ["zoo", ["4", "6"]],
    ["cage", ["6"]],
  ]);
  assert.deepEqual(groups("stale"), []);
});

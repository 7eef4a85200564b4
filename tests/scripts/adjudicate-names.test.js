import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongNames } from "../../static/js/adjudication/names.js";

const BESIDE = { "": { cars: "Cars", boats: "Boats" }, cars: { dealers: "Dealers" } };

/** @param {Record<string, [string, string]>} names topic -> parent and name */
function wrong(names) {
  const chosen = new Map(Object.entries(names).map(([topic, [parent, name]]) => [topic, { parent, name }]));
  return Object.fromEntries(wrongNames(chosen, BESIDE));
}

test("a name of a topic beside it is taken, however it is written", () => {
  assert.deepEqual(wrong({ cars: ["", " boats "] }), { cars: "Another topic beside it is named boats." });
  assert.deepEqual(wrong({ dealers: ["cars", "Boats"] }), {});
});

test("two names that change together are compared as they will be", () => {
  assert.deepEqual(wrong({ cars: ["", "Boats"], boats: ["", "Cars"] }), {});
  assert.deepEqual(Object.keys(wrong({ cars: ["", "Same"], boats: ["", "same"] })), ["cars", "boats"]);
});

test("a name has 1 to 200 characters", () => {
  assert.deepEqual(wrong({ cars: ["", "  "] }), { cars: "A name has at least one character." });
  assert.deepEqual(wrong({ cars: ["", "x".repeat(201)] }), { cars: "A name has at most 200 characters." });
  assert.deepEqual(wrong({ cars: ["", "🚗".repeat(200)] }), {});
});

import assert from "node:assert/strict";
import { test } from "node:test";

// @ts-expect-error: the script looks for tables as soon as it is loaded
globalThis.document = { querySelectorAll: () => [], addEventListener: () => {} };
const { numberOf } = await import("../../static/js/common/sort.js");

test("percentages next to none and all sort between their neighbours", () => {
  const shown = ["0 %", "<1 %", "1 %", "99 %", ">99 %", "100 %"];
  const sorted = [...shown].reverse().sort((one, other) => numberOf(one) - numberOf(other));
  assert.deepEqual(sorted, shown);
});

test("signs and spaces of numbers are read, and words are no numbers", () => {
  assert.equal(numberOf("−.042"), -0.042);
  assert.equal(numberOf("1 024"), 1024);
  assert.ok(Number.isNaN(numberOf("")));
  assert.ok(Number.isNaN(numberOf("–")));
});

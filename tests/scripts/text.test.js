import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonKey, nameKey } from "../../static/js/common/text.js";

test("names in another Unicode form or case are the same", () => {
  assert.equal(nameKey("Straße"), nameKey("STRASSE"));
  assert.equal(nameKey("CAFE\u0301\u200b"), nameKey("caf\u00e9"));
  assert.equal(comparisonKey("p1\ufeff"), "p1");
});

test("joiners and the dotless i of Turkish make a difference", () => {
  assert.notEqual(nameKey("\u0645\u06cc\u200c\u0631"), nameKey("\u0645\u06cc\u0631"));
  assert.notEqual(nameKey("\u0131s\u0131"), nameKey("isi"));
});

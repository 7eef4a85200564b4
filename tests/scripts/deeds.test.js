import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOperations } from "../../static/js/drafts/describe-operations.js";
import { furnished } from "./samples.js";

const said = (...operations) => describeOperations(furnished(), operations, (page) => `Page ${page}`);

test("every change of an act is named, not only the first one", () => {
  const out = { kind: "unassign", pages: ["3"], topics: ["dealers"] };
  const other = { kind: "unassign", pages: ["3"], topics: ["racing"] };
  const put = { kind: "assign", pages: ["3"], topics: ["animals"] };
  assert.equal(said(out, put), "Took “Page 3” out of Cars › Dealers, then put “Page 3” into Animals.");
  assert.match(
    said(out, other, put),
    /^Took “Page 3” out of .*Dealers and .*Racing, then put “Page 3” into Animals\.$/,
  );
});

test("of many changes the first three are named, and where the others are", () => {
  const flags = [1, 3, 4, 6, 7].map((page) => ({ kind: "flag", pages: [String(page)] }));
  assert.equal(
    said(...flags),
    "Flagged “Page 1”, then flagged “Page 3”, then flagged “Page 4” and 2 more changes, which the history lists.",
  );
});

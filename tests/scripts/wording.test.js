import assert from "node:assert/strict";
import { test } from "node:test";
import { webAddress } from "../../static/js/common/elements.js";
import { counted, listed, quoted } from "../../static/js/common/wording.js";
import { describeOperations, takesPagesOut } from "../../static/js/drafts/describe-operations.js";
import { alike, endsAlike, rankOf } from "../../static/js/workspace/topic-search.js";
import { furnished } from "./samples.js";

test("values are quoted, shortened and made visible", () => {
  assert.equal(quoted("it's"), `"it's"`);
  assert.equal(quoted(`it's "so"`), `'it\\'s "so"'`);
  assert.equal(quoted("\u202e\n"), "'\\u202e\\n'");
  assert.equal(quoted("x".repeat(70)), `'${"x".repeat(59)}…'`);
  assert.equal(listed(["a", "b", "c"], 2), "'a', 'b' and 1 more");
  assert.equal(counted(1234, "page"), "1,234 pages");
});

test("a deed says in the past tense what was done", () => {
  const said = (...operations) => describeOperations(furnished(), operations, (page) => `Page ${page}`);
  assert.equal(said({ kind: "assign", pages: ["6"], topics: ["cars"] }), "Put “Page 6” into Cars.");
  assert.equal(
    said({ kind: "assign", pages: ["8"], topics: ["animals"] }),
    "Put “Page 8” into Animals; it was an outlier.",
  );
  assert.equal(
    said({ kind: "move", topic: "dealers", parent: "animals" }),
    "Moved Dealers into Animals: 2 pages moved, 2 now lack a level-2 topic.",
  );
  assert.equal(said({ kind: "rename", topic: "zoo", name: " Parks " }), "Renamed Zoo to Parks.");
});

test("what takes pages out is known", () => {
  assert.ok(takesPagesOut([{ kind: "flag" }, { kind: "only" }]));
  assert.ok(!takesPagesOut([{ kind: "assign" }]));
});

test("topics by typing: the name first, then its beginning, a word of it, within it, the path", () => {
  const ranked = (typed, ...paths) =>
    paths
      .map((path) => [path.at(-1), rankOf(path, typed.split(" "))])
      .filter(([, rank]) => rank !== null)
      .sort((one, other) => one[1] - other[1])
      .map(([name]) => name);
  const paths = [["Car", "Dealers"], ["Scar"], ["Old car"], ["Cars"], ["Car"], ["Boats"]];
  assert.deepEqual(ranked("car", ...paths), ["Car", "Cars", "Old car", "Scar", "Dealers"]);
  assert.deepEqual(ranked("car deal", ...paths), ["Dealers"]);
  assert.equal(rankOf(["Boats"], []), 0);
});

test("a typed path names a topic whatever the case", () => {
  assert.ok(alike("CARS", "cars"));
  assert.ok(endsAlike(["Vehicles", "Cars", "Dealers"], ["cars", "dealers"]));
  assert.ok(!endsAlike(["Cars"], ["vehicles", "cars"]));
});

test("only addresses of the web are links", () => {
  assert.equal(webAddress("https://example.org/a"), "https://example.org/a");
  assert.equal(webAddress("javascript:alert(1)"), null);
  assert.equal(webAddress("no address"), null);
});

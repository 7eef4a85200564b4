import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { beginning, mentionedIn, piecesOf } from "../../static/js/discussion/mentions.js";

// The same cases as in tests/discussion/test_mentions.py: the server decides, the field says it before.
const CASES = JSON.parse(readFileSync(new URL("mentions.json", import.meta.url), "utf8"));

test("a text names those whom the server finds in it", () => {
  for (const [text, names, expected] of CASES) assert.deepEqual(mentionedIn(text, names), expected, text);
});

test("pieces add up to the text", () => {
  for (const [text, names] of CASES)
    assert.equal(
      piecesOf(text, names)
        .map((piece) => piece.text)
        .join(""),
      text,
    );
});

test("names and addresses are pieces of their own", () => {
  const pieces = piecesOf("See https://a.example/x(y), @ann (http://b.example/).\nftp://no javascript:alert(1)", [
    "ann",
  ]);
  assert.deepEqual(pieces, [
    { kind: "text", text: "See " },
    { kind: "link", text: "https://a.example/x(y)" },
    { kind: "text", text: ", " },
    { kind: "name", text: "@ann" },
    { kind: "text", text: " (" },
    { kind: "link", text: "http://b.example/" },
    { kind: "text", text: ").\nftp://no javascript:alert(1)" },
  ]);
});

test("an address with a name in it stays an address", () => {
  assert.deepEqual(piecesOf("https://a.example/@ann", ["ann"]), [{ kind: "link", text: "https://a.example/@ann" }]);
});

test("the name that is being typed", () => {
  const typed = { "ask @an": "an", "@": "", "ask @an ": null, "a@b": null, plain: null };
  for (const [text, begun] of Object.entries(typed)) assert.equal(beginning(text), begun, text);
});

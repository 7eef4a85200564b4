import assert from "node:assert/strict";
import { test } from "node:test";
import { folded as fold } from "../../static/js/words/search.js";
import { hits } from "../../static/js/workspace/marked-text.js";

/** What is marked, as it stands in the text. @param {string} text @param {any[]} terms */
const found = (text, ...terms) => hits(text, terms).map(({ from, to }) => text.slice(from, to));

test("case and accents do not count, and marks are of the text as it is", () => {
  assert.deepEqual(found("Über die STRASSE und die Straße", "strasse", "uber"), ["Über", "STRASSE", "Straße"]);
  assert.deepEqual(found("İstanbul, ISTANBUL, ıstanbul", "istanbul"), ["İstanbul", "ISTANBUL", "ıstanbul"]);
  assert.deepEqual(found("cafe\u0301 noir, café", "café"), ["cafe\u0301", "café"]);
  assert.equal(fold("Ærøskøbing ŁÓDŹ"), "aeroskobing lodz");
});

test("astral characters and ligatures keep the places right", () => {
  assert.deepEqual(found("🚗🚗 eﬃcient 🚗 car", "efficient", "car"), ["eﬃcient", "car"]);
  assert.deepEqual(found("Maß", "s"), ["ß"]);
  assert.deepEqual(found("日本語のページ", "日本語"), ["日本語"]);
});

test("a whole word is no part of a longer one, a word searched for may be", () => {
  assert.deepEqual(found("car cars carpet car.", { words: "car", whole: true }), ["car", "car"]);
  assert.deepEqual(found("car cars carpet", "car"), ["car", "car", "car"]);
  assert.deepEqual(found("élan vital", { words: "lan", whole: true }), []);
});

test("phrases go over line breaks, and of two that meet the earlier and longer one counts", () => {
  assert.deepEqual(found("big\ndata base", "big data", "data base"), ["big\ndata"]);
  assert.deepEqual(found("databases", "data", "database"), ["database"]);
});

test("nothing is marked for nothing", () => {
  assert.deepEqual(found("text", "", "  ", "\u0301"), []);
  assert.deepEqual(found("", "x"), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { folded, foundIn, hitsIn, parse } from "../../static/js/words/search.js";

test("capitals, accents, sharp s and the dotless i make no difference", () => {
  const alike = [
    ["Straße", "STRASSE", "strasse"],
    ["İZMİR", "ızmir", "Izmir", "izmir"],
    ["Crème brûlée", "CREME BRULEE"],
    ["Ångström", "a\u030angstro\u0308m", "angstrom"],
    ["ﬁne", "fine"],
    ["ΟΔΟΣ", "οδος"],
  ];
  for (const [first, ...others] of alike) for (const other of others) assert.equal(folded(other), folded(first));
  assert.notEqual(folded("कि"), folded("क"));
});

test("words, phrases, and what must not be there", () => {
  assert.deepEqual(parse('jaguar -CAR "New  York" -“e-mail list” - "Räi'), [
    { words: ["jaguar"], phrase: false, minus: false, open: false },
    { words: ["car"], phrase: false, minus: true, open: false },
    { words: ["new", "york"], phrase: true, minus: false, open: false },
    { words: ["e-mail", "list"], phrase: true, minus: true, open: false },
    { words: ["rai"], phrase: true, minus: false, open: true },
  ]);
  assert.deepEqual(parse(' "" - '), []);
  const fields = { rank: "10", title: "jaguars of new york", text: "the zoo; no cars here (c++)" };
  const places = (typed) => foundIn(parse(typed), fields);
  assert.deepEqual(places("jaguar"), ["title"]);
  assert.deepEqual(places("jaguar zoo"), ["title", "text"]);
  assert.deepEqual(places("10"), ["rank"]);
  assert.equal(places("1"), null);
  assert.equal(places('"jaguar"'), null);
  assert.deepEqual(places('"jaguar'), ["title"]);
  assert.deepEqual(places('"new york" -lion'), ["title"]);
  assert.equal(places("jaguar -car"), null);
  assert.deepEqual(places('jaguar -"car"'), ["title"]);
  assert.deepEqual(places('"C++"'), ["text"]);
  assert.equal(places('"york new"'), null);
});

test("hits stand where they are read, whatever folding did to their length", () => {
  const marked = (text, typed) => hitsIn(text, parse(typed)).map(([begin, end]) => text.slice(begin, end));
  assert.deepEqual(marked("Die Straße, die STRASSE", "strasse"), ["Straße", "STRASSE"]);
  assert.deepEqual(marked("İstanbul 😀 ıstanbul", "istan"), ["İstan", "ıstan"]);
  assert.deepEqual(marked("cafe\u0301s and cafés", "cafe -and"), ["cafe\u0301", "café"]);
  assert.deepEqual(marked("Jaguar cats, jaguar", 'jaguar "jaguar cats"'), ["Jaguar cats", "jaguar"]);
  assert.deepEqual(marked("a-b (c++)", "c++ a-b"), ["a-b", "c++"]);
  assert.deepEqual(marked("nothing", ""), []);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ACTIONS } from "../../static/js/workspace/key-table.js";
import { Keys, readable, strokeOf } from "../../static/js/workspace/keys.js";
import { MemoryStorage } from "./samples.js";

const pressed = (key, more = {}) => strokeOf({ key, ...more });

test("a stroke is named by its modifiers and its key", () => {
  assert.equal(pressed("j", { code: "KeyJ" }), "j");
  assert.equal(pressed("J", { code: "KeyJ", shiftKey: true }), "Shift+j");
  assert.equal(pressed("z", { code: "KeyZ", ctrlKey: true }), "Ctrl+z");
  assert.equal(pressed("?", { code: "Minus", shiftKey: true }), "?");
  assert.equal(pressed(" ", { code: "Space" }), "Space");
  assert.equal(pressed("Shift", { shiftKey: true }), null);
});

test("digits and boards without Latin letters go by the place of the key", () => {
  assert.equal(pressed("!", { code: "Digit1", shiftKey: true }), "Shift+1");
  assert.equal(pressed("&", { code: "Digit1" }), "1");
  assert.equal(pressed("ο", { code: "KeyJ" }), "j");
  const third = {
    code: "Digit2",
    getModifierState: (name) => name === "AltGraph",
    ctrlKey: true,
    altKey: true,
  };
  assert.equal(pressed("@", third), "@");
});

test("no two actions have the same key where both work", () => {
  const keys = new Keys(new MemoryStorage());
  for (const { id } of ACTIONS)
    for (const key of keys.keysOf(id)) assert.equal(keys.collision(id, key), null, `${id}: ${key}`);
});

test("every key of the table has its work in the workspace, and all work has its line in the table", () => {
  const work = readFileSync(new URL("../../static/js/workspace/key-handlers.js", import.meta.url), "utf8");
  const [, handlers] = work.match(/const handlers = \{\n(.*?)\n {2}\};/s);
  const working = [...handlers.matchAll(/^ {4}(?:"([\w-]+)"|(\w+)):/gm)].map(([, quoted, bare]) => quoted ?? bare);
  const listed = ACTIONS.filter(({ fixed }) => !fixed).map(({ id }) => id);
  assert.deepEqual(working.sort(), listed.sort());
});

test("a key means what the region says", () => {
  const keys = new Keys(new MemoryStorage());
  assert.equal(keys.find("n", "list").action.id, "unfinished");
  assert.equal(keys.find("n", "tree").action.id, "add-sibling");
  assert.equal(keys.find("F24", "list"), null);
});

test("the first key of two is awaited, and told", () => {
  const keys = new Keys(new MemoryStorage());
  const told = [];
  keys.onpending = (stroke) => told.push(stroke);
  assert.equal(keys.find("g", "list").action, null);
  assert.equal(keys.find("1", "list").action.id, "queue-1");
  assert.deepEqual(told, ["g", ""]);
  assert.ok(keys.following("g").some(({ key, words }) => key === "a" && words === "All pages"));
});

test("a changed key is kept by the browser, and one that is taken is told", () => {
  const storage = new MemoryStorage();
  const keys = new Keys(storage);
  assert.equal(keys.collision("flag", "o").id, "outlier");
  assert.equal(keys.collision("flag", "g").where, "any"); // the first key of two
  keys.remap("flag", "Shift+f");
  const again = new Keys(storage);
  assert.equal(again.hint("flag"), "Shift+f");
  assert.equal(again.find("f", "list"), null);
  again.reset("flag");
  assert.equal(new Keys(storage).hint("flag"), "f");
});

test("single keys can be turned off; those of the elements' roles stay", () => {
  const keys = new Keys(new MemoryStorage());
  keys.turn(false);
  assert.equal(keys.find("o", "list"), null);
  assert.equal(keys.find("ArrowDown", "list").action.id, "next-row");
  assert.equal(keys.hint("outlier"), "");
});

test("what the storage holds otherwise is left aside", () => {
  const storage = new MemoryStorage();
  storage.setItem("qc4-curate-keys", '{"keys": {"nobody": ["x"], "flag": "f"}}');
  assert.deepEqual(new Keys(storage).changed, {});
  storage.setItem("qc4-curate-keys", "no JSON");
  assert.deepEqual(new Keys(storage).changed, {});
});

test("strokes are shown as people read them", () => {
  assert.equal(readable("g 1"), "g then 1");
  assert.equal(readable("Alt+ArrowUp"), "Alt+↑");
});

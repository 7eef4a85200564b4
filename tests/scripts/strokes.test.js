// What key presses of many keyboards mean in the workspace and in adjudication.

import assert from "node:assert/strict";
import { test } from "node:test";
import { strokeOf as anyStrokeOf } from "../../static/js/common/keystrokes.js";
import { Keys, strokeOf } from "../../static/js/workspace/keys.js";
import { MemoryStorage } from "./samples.js";

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => `Digit${digit}`);

/**
 * The events of a layout: what the keys of the digits type, alone and with Shift, and other keys by what they type.
 * @param {string} plain
 * @param {string} shifted
 * @param {Record<string, [string, boolean]>} [others] character -> code of its key, and whether Shift is held
 */
function layout(plain, shifted, others = {}) {
  const events = [];
  for (const [at, code] of DIGITS.entries()) {
    events.push({ key: [...plain][at], code, shiftKey: false });
    events.push({ key: [...shifted][at], code, shiftKey: true });
  }
  for (const [key, [code, shiftKey]] of Object.entries(others)) events.push({ key, code, shiftKey });
  return {
    /** The press that types a character. */
    types: (key) => events.find((event) => event.key === key),
    /** The press of a digit's key. */
    at: (digit, shiftKey) => events.find((event) => event.code === `Digit${digit}` && event.shiftKey === shiftKey),
  };
}

const US = layout("1234567890", "!@#$%^&*()", { "/": ["Slash", false], "=": ["Equal", false], "+": ["Equal", true] });
const GERMAN = layout("1234567890", '!"§$%&/()=', { "?": ["Minus", true], "+": ["BracketRight", false] });
const NORDIC = layout("1234567890", '!"#¤%&/()=', { "?": ["Minus", true], "+": ["Minus", false] });
const SWISS = layout("1234567890", '+"*ç%&/()=', { "?": ["Minus", true] });
const SPANISH = layout("1234567890", '!"·$%&/()=', { "?": ["Minus", true], "+": ["BracketRight", false] });
const ITALIAN = layout("1234567890", '!"£$%&/()=', { "?": ["Minus", true], "+": ["BracketRight", false] });
const PORTUGUESE = layout("1234567890", '!"#$%&/()=', { "?": ["Minus", true], "+": ["BracketLeft", false] });
const FRENCH = layout("&é\"'(-è_çà", "1234567890", {
  "/": ["Period", true],
  "?": ["KeyM", true],
  "=": ["Equal", false],
  "+": ["Equal", true],
  ".": ["Comma", true],
});
const CZECH = layout("+ěščřžýáíé", "1234567890", { "/": ["BracketLeft", true], "=": ["Minus", false] });
const DVORAK = layout("1234567890", "!@#$%^&*()", { "/": ["BracketLeft", false], "=": ["BracketRight", false] });
const PROGRAMMER = layout("&[{}(=*)+]", "7531902468");
const RUSSIAN = layout("1234567890", '!"№;%:?*()', { "/": ["Backslash", true], "=": ["Equal", false] });
const ALL = {
  ...{ US, GERMAN, NORDIC, SWISS, SPANISH, ITALIAN, PORTUGUESE, FRENCH, CZECH, DVORAK, PROGRAMMER, RUSSIAN },
};
const ROW_TYPES_DIGITS = { US, GERMAN, NORDIC, SWISS, SPANISH, ITALIAN, PORTUGUESE, DVORAK, RUSSIAN };

/** What a press does, with the pages in focus. */
function does(event, keys = new Keys(new MemoryStorage())) {
  const stroke = strokeOf(event);
  return stroke === null ? null : (keys.find(stroke, "list")?.action?.id ?? null);
}

for (const [name, board] of Object.entries(ALL)) {
  test(`${name}: a character that has work does it, whichever key types it`, () => {
    const work = { "/": "search", "=": "same", "+": "new-part", "?": "sheet", ".": "repeat", 0: "more-topics" };
    for (const [character, id] of Object.entries(work)) {
      const event = board.types(character);
      if (event) assert.equal(does(event), id, character);
    }
  });

  test(`${name}: a digit that is typed is that topic, added to the others`, () => {
    for (let digit = 1; digit <= 9; digit += 1) assert.equal(does(board.types(String(digit))), `digit-${digit}`);
  });

  test(`${name}: every topic can be made the only one by typing`, () => {
    const keys = new Keys(new MemoryStorage());
    for (let digit = 1; digit <= 9; digit += 1) {
      assert.equal(does({ key: "i", code: "KeyI" }, keys), null);
      assert.equal(does(board.types(String(digit)), keys), `only-${digit}`);
    }
  });
}

for (const [name, board] of Object.entries(ROW_TYPES_DIGITS)) {
  test(`${name}: Shift and a digit is the only topic, unless that types a character that has work`, () => {
    const found = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => does(board.at(digit, true)));
    const expected = found.map((_, at) => {
      const taken = { "/": "search", "+": "new-part", "?": "sheet" };
      return taken[board.at(at + 1, true).key] ?? `only-${at + 1}`;
    });
    assert.deepEqual(found, expected);
  });
}

test("`/` on a German keyboard searches and files no page", () => {
  assert.equal(does({ key: "/", code: "Digit7", shiftKey: true }), "search");
  assert.equal(does({ key: "=", code: "Digit0", shiftKey: true }), "same");
  assert.equal(does({ key: "%", code: "Digit5", shiftKey: true }), "only-5");
});

test("on a French keyboard both ways to press a digit's key are the digit", () => {
  assert.equal(does({ key: "1", code: "Digit1", shiftKey: true }), "digit-1");
  assert.equal(does({ key: "&", code: "Digit1", shiftKey: false }), "digit-1");
  assert.equal(does({ key: "-", code: "Digit6", shiftKey: false }), "digit-6");
});

test("Caps Lock changes no key, and shifts digits only where the system does so", () => {
  assert.equal(strokeOf({ key: "J", code: "KeyJ", shiftKey: false }), "j");
  assert.equal(strokeOf({ key: "j", code: "KeyJ", shiftKey: true }), "Shift+j");
  // French on Windows: Caps Lock types digits, Shift the symbols.
  assert.equal(does({ key: "1", code: "Digit1", shiftKey: false }), "digit-1");
  assert.equal(does({ key: "&", code: "Digit1", shiftKey: true }), "only-1");
});

const withAltGr = (key, code, more = {}) => ({
  ...{ key, code, ctrlKey: true, altKey: true, getModifierState: (name) => name === "AltGraph" },
  ...more,
});

test("AltGr types characters: those that have work do it, a letter is no command", () => {
  assert.equal(does(withAltGr("[", "Digit8")), "region-previous");
  assert.equal(does(withAltGr("]", "Digit9")), "region-next");
  assert.equal(does(withAltGr("@", "KeyQ")), null);
  assert.equal(does(withAltGr("€", "KeyE")), null);
  assert.equal(does(withAltGr("n", "KeyN")), null);
  assert.equal(does(withAltGr("1", "Digit1")), "digit-1"); // Lithuanian
});

test("Option types characters on Apple's keyboards", () => {
  const symbols = new Set(["[", "/"]);
  const event = { key: "[", code: "Digit5", altKey: true };
  assert.equal(anyStrokeOf(event, { symbols, isApple: true }), "[");
  assert.equal(anyStrokeOf(event, { symbols, isApple: false }), "Alt+[");
  const arrow = { key: "ArrowUp", code: "ArrowUp", altKey: true };
  assert.equal(anyStrokeOf(arrow, { symbols, isApple: true }), "Alt+ArrowUp");
});

test("dead keys, input methods and modifiers are no keys", () => {
  for (const key of ["Dead", "Process", "Unidentified", "Shift", "AltGraph", "CapsLock"])
    assert.equal(strokeOf({ key, code: "KeyT" }), null, key);
  assert.equal(strokeOf({ key: "t", code: "KeyT", isComposing: true }), null);
  assert.equal(strokeOf({ key: "t", code: "KeyT", keyCode: 229 }), null);
});

test("letters of the Latin script count by what they are, others by their position", () => {
  for (const [key, code] of [
    ["é", "KeyW"], // bépo
    ["è", "KeyT"], // bépo
    ["’", "KeyN"], // bépo
    ["é", "KeyE"], // after a dead key
    ["ı", "KeyI"], // Turkish
  ])
    assert.equal(does({ key, code }), null, key);
  assert.equal(does({ key: "т", code: "KeyN" }), "unfinished"); // Russian
  assert.equal(strokeOf({ key: "Я", code: "KeyZ", ctrlKey: true, shiftKey: true }), "Ctrl+Shift+z");
  assert.equal(does({ key: "τ", code: "KeyT" }), "picker"); // Greek
  assert.equal(does({ key: "ㅓ", code: "KeyJ" }), "next"); // Korean
});

test("the numeric keypad types digits and symbols", () => {
  assert.equal(does({ key: "7", code: "Numpad7" }), "digit-7");
  assert.equal(does({ key: "/", code: "NumpadDivide" }), "search");
  assert.equal(does({ key: "+", code: "NumpadAdd" }), "new-part");
});

test("digits of other scripts count by their position", () => {
  assert.equal(does({ key: "٣", code: "Digit3" }), "digit-3");
});

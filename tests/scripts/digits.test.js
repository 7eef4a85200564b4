import assert from "node:assert/strict";
import { test } from "node:test";
import { carryOut } from "../../static/js/drafts/operations.js";
import { Digits } from "../../static/js/workspace/digits.js";
import { furnished, MemoryStorage } from "./samples.js";

test("topics keep their digits when others come, go and move", () => {
  const state = furnished();
  const digits = new Digits(1, "ana", new MemoryStorage());
  assert.deepEqual(
    [...digits.of(state, null)],
    [
      ["cars", 1],
      ["animals", 2],
    ],
  );
  carryOut(state, [{ kind: "add_topic", topic: "boats", name: "Boats", at: 0 }], 1);
  assert.deepEqual(
    [...digits.of(state, null)],
    [
      ["cars", 1],
      ["animals", 2],
      ["boats", 3],
    ],
  );
  carryOut(state, [{ kind: "delete_topic", topic: "cars", children: "delete", pages: "unplace" }], 2);
  carryOut(state, [{ kind: "add_topic", topic: "planes", name: "Planes" }], 3);
  assert.deepEqual(
    [...digits.of(state, null)],
    [
      ["planes", 1],
      ["animals", 2],
      ["boats", 3],
    ],
  );
});

test("a digit chosen by hand is exchanged, and the browser keeps it", () => {
  const state = furnished();
  const storage = new MemoryStorage();
  const digits = new Digits(1, "ana", storage);
  digits.choose(state, "animals", 1);
  assert.deepEqual(
    [...digits.of(state, null)],
    [
      ["animals", 1],
      ["cars", 2],
    ],
  );
  assert.deepEqual(
    [...new Digits(1, "ana", storage).of(state, null)],
    [
      ["animals", 1],
      ["cars", 2],
    ],
  );
  assert.deepEqual(
    [...new Digits(1, "bob", storage).of(state, null)],
    [
      ["cars", 1],
      ["animals", 2],
    ],
  );
});

// Drafts to begin with.

import { Edit } from "../../static/js/drafts/editing.js";
import { carryOut } from "../../static/js/drafts/operations.js";
import { canonical, completed, DraftState } from "../../static/js/drafts/state.js";

export const PAGES = [..."12345678"];

/**
 * Cars {1, Dealers {2, 3}, Racing {3}}, Animals {4, 5}; Zoo and its Cages are suggested below Animals; 8 is an outlier; 6 and
 * 7 are nowhere. The same as `furnished` of tests/drafts/strategies.py.
 */
export function furnished() {
  const state = new DraftState(PAGES);
  carryOut(
    state,
    [
      { kind: "add_topic", topic: "cars", name: "Cars", parent: null, pages: ["1"] },
      { kind: "add_topic", topic: "dealers", name: "Dealers", parent: "cars", pages: ["2", "3"] },
      { kind: "add_topic", topic: "racing", name: "Racing", parent: "cars", pages: ["3"] },
      { kind: "add_topic", topic: "animals", name: "Animals", parent: null, pages: ["4", "5"] },
      { kind: "step", topic: "cars", step: 2 },
      { kind: "outlier", pages: ["8"] },
      { kind: "flag", pages: ["2", "5"] },
    ],
    0,
  );
  // As a program suggests them.
  const edit = new Edit(state);
  edit.addTopic(completed({ id: "zoo", name: "Zoo", parent: "animals", suggested: true }));
  edit.addTopic(completed({ id: "cage", name: "Cages", parent: "zoo", suggested: true }));
  edit.hint("zoo", ["4", "6"]);
  edit.hint("cage", ["6"]);
  edit.hint("racing", ["1", "7"]);
  return state;
}

/** What a state holds, as text; the books about stale pages and marks left out. @param {DraftState} state */
export function content(state) {
  return canonical([state.pages, { ...state.toJSON(), touched: {}, changed: {}, marks: {} }]);
}

/** A browser's storage. */
export class MemoryStorage {
  #items = new Map();
  get length() {
    return this.#items.size;
  }
  /** The ids of what waits here. */
  ids() {
    return new Set([...this.#items.keys()].map((key) => key.split(":").at(-1)));
  }
  key(at) {
    return [...this.#items.keys()][at] ?? null;
  }
  getItem(key) {
    return this.#items.get(key) ?? null;
  }
  setItem(key, value) {
    this.#items.set(key, String(value));
  }
  removeItem(key) {
    this.#items.delete(key);
  }
}

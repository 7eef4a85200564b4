// The digit of each topic, or the second key after `0` for topics beyond the ninth. A topic keeps its digit: people
// learn it by hand, and a new topic of somebody else must not move it.

import { StoredValue } from "../common/stored-value.js";

const STORED = "qc4-curate-digits";
/** The keys after `0`, for topics beyond the ninth. */
export const SECOND = "123456789abcdefghijklmnopqrstuvwxyz";
const HIGHEST = 9 + SECOND.length;

/** The keys for a number: "7", or "0c" for the twelfth beyond the ninth. @param {number} number */
export function digitKey(number) {
  return number <= 9 ? String(number) : `0${SECOND[number - 10]}`;
}

/**
 * Digits are stored in this browser per draft and person. Each topic's subtopics have digits of their own. A deleted
 * topic frees its digit. It has it again when it is restored before another topic takes it.
 */
export class Digits extends StoredValue {
  /** @param {string|number} draft @param {string} me @param {Storage} [storage] */
  constructor(draft, me, storage) {
    super(STORED, draft, me, storage);
  }

  /** @param {Json} found */
  restore(found) {
    /** @type {Map<string, Map<string, number>>} parent ("" on level 1) -> topic -> digit */
    this.given = new Map();
    for (const [parent, digits] of Object.entries(found ?? {}))
      this.given.set(parent, new Map(Object.entries(digits ?? {}).filter(([, digit]) => isDigit(digit))));
  }

  #write() {
    this.store(Object.fromEntries([...this.given].map(([parent, digits]) => [parent, Object.fromEntries(digits)])));
  }

  /**
   * The digits of the topics below a parent. Topics without a digit take the free ones, in tree order. Suggested topics
   * are given digits only while none of them is accepted, and keep them afterwards.
   * @param {import("../drafts/state.js").DraftState} state
   * @param {string|null} parent
   * @returns {Map<string, number>} topic -> digit, in the order of the digits
   */
  of(state, parent) {
    /** @type {Map<string, number>} */
    const before = this.given.get(parent ?? "") ?? new Map();
    const topics = state.childrenOf(parent);
    /** @type {Map<string, number>} */
    const found = new Map([...before].filter(([id]) => topics.includes(id)));
    for (const id of offered(state, parent)) {
      const digit = found.has(id) ? null : free(found);
      if (digit !== null) found.set(id, digit);
    }
    this.#keep(parent ?? "", before, found);
    return new Map([...found].sort((one, other) => one[1] - other[1]));
  }

  /**
   * Store new digits. Missing topics keep theirs until another topic takes them.
   * @param {string} parent
   * @param {Map<string, number>} before
   * @param {Map<string, number>} found
   */
  #keep(parent, before, found) {
    if ([...found].every(([id, digit]) => before.get(id) === digit)) return;
    const taken = new Set(found.values());
    this.given.set(
      parent,
      new Map([...[...before].filter(([id, digit]) => !found.has(id) && !taken.has(digit)), ...found]),
    );
    this.#write();
  }

  /**
   * Set the digit of a topic. A topic that has the digit gets the other's in exchange.
   * @param {import("../drafts/state.js").DraftState} state
   * @param {string} topic
   * @param {number} digit
   */
  choose(state, topic, digit) {
    const { parent } = state.topicOf(topic);
    const found = new Map(this.of(state, parent));
    const other = [...found.keys()].find((id) => found.get(id) === digit);
    const own = found.get(topic);
    if (other === topic) return;
    if (other !== undefined && own !== undefined) found.set(other, own);
    else if (other !== undefined) found.delete(other);
    found.set(topic, digit);
    this.given.set(parent ?? "", found);
    this.#write();
  }
}

/**
 * The topics below a parent that get keys, in tree order: the accepted ones, or the suggested ones if none is accepted.
 * @param {import("../drafts/state.js").DraftState} state
 * @param {string|null} parent
 */
export function offered(state, parent) {
  const topics = state.childrenOf(parent);
  const accepted = topics.filter((id) => !state.isSuggested(id));
  return accepted.length ? accepted : topics;
}

/** @param {Json} found */
function free(found) {
  const taken = new Set(found.values());
  for (let digit = 1; digit <= HIGHEST; digit += 1) if (!taken.has(digit)) return digit;
  return null;
}

/** @param {Json} value */
function isDigit(value) {
  return Number.isInteger(value) && value >= 1 && value <= HIGHEST;
}

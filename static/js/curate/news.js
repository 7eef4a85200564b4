// What others did, in words: "ben renamed Oat to Oats", "ben put 12 pages into Oat".

import { deedOf, hasDeed } from "./deeds.js";
import { lowered } from "./wording.js";

const TOLD = 2;

/**
 * @typedef {object} Item one or several entries of one person
 * @property {string} by
 * @property {import("./types.js").Operation[]} operations
 * @property {string} words
 */

/** Gathers what others did until it is told. */
export class News {
  /** @param {(page: string) => string} titleOf */
  constructor(titleOf) {
    this.titleOf = titleOf;
    /** @type {Item[]} */
    this.items = [];
  }

  /**
   * @param {import("./types.js").Entry} entry
   * @param {import("./state.js").DraftState} state the one before it
   */
  hear(entry, state) {
    const { by, changes } = entry;
    const operations = entry.operations ?? [];
    if (!changes.length) return;
    const last = this.items.at(-1);
    if (last?.by === by && isPlacing(last.operations) && isPlacing(operations)) {
      // Page after page into topics is one sentence.
      last.operations = [...last.operations, ...operations];
      last.words = deedOf(state, last.operations, this.titleOf);
    } else this.items.push({ by, operations, words: this.#words(entry, state) });
  }

  /** All that was heard since, as sentences; empty if there was nothing. */
  tell() {
    const { items } = this;
    this.items = [];
    const told = items.slice(0, TOLD).map(({ by, words }) => `${by} ${lowered(words)}`);
    const more = items.length - told.length;
    if (more) told.push(`${more} more ${more === 1 ? "change" : "changes"}: see the history.`);
    return told.join(" ");
  }

  /** @param {import("./types.js").Entry} entry @param {import("./state.js").DraftState} state */
  #words({ operations, label, undoes, redoes, restores }, state) {
    const bare = label.replace(/^(?:(?:Undo|Redo|Restore): )+/, "");
    if (undoes) return `Undid “${bare}”.`;
    if (redoes) return `Did “${bare}” again.`;
    if (restores) return `Brought back what “${bare}” took away.`;
    try {
      if (operations?.every((operation) => hasDeed(operation.kind))) return deedOf(state, operations, this.titleOf);
    } catch {
      // What it was on is not as it was asked for: a merge was followed.
    }
    return `Did “${bare}”.`;
  }
}

/** @param {import("./types.js").Operation[]} operations */
function isPlacing(operations) {
  const [first] = operations;
  return (
    operations.length > 0 &&
    operations.every(({ kind, topics }) => kind === "assign" && `${topics}` === `${first.topics}`)
  );
}

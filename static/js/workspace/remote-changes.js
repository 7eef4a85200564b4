// Sentences about what others did: "ben renamed Oat to Oats", "ben put 12 pages into Oat".

import { count } from "../common/elements.js";
import { lowered } from "../common/wording.js";
import { canDescribe, describeOperations, namesInWords, pagesInWords } from "../drafts/describe-operations.js";

const SHOWN = 2;

/**
 * @typedef {object} Item one or several entries of one person
 * @property {string} by
 * @property {Placed|null} placed the pages, if the entries only put pages into topics
 * @property {string} words
 *
 * @typedef {object} Placed
 * @property {string[]} topics the paths of the topics
 * @property {string} meant the name of the topic that the pages were meant for, if it had been merged; otherwise ""
 * @property {Set<string>} pages the pages that were added to topics
 */

/** Collects what others did until it is reported. */
export class RemoteChanges {
  /** @param {(page: string) => string} titleOf */
  constructor(titleOf) {
    this.titleOf = titleOf;
    /** @type {Item[]} */
    this.items = [];
  }

  /**
   * @param {import("../drafts/types.js").Entry} entry
   * @param {import("../drafts/state.js").DraftState} state the state before the entry
   */
  add(entry, state) {
    const { by, changes } = entry;
    if (!changes.length) return;
    const placed = placedBy(entry, state);
    const last = this.items.at(-1);
    if (placed && last?.placed && last.by === by && isAlike(last.placed, placed)) {
      // Several pages put into topics one by one make one sentence.
      for (const page of placed.pages) last.placed.pages.add(page);
      last.words = this.#placedWords(last.placed);
    } else this.items.push({ by, placed, words: placed ? this.#placedWords(placed) : this.#words(entry, state) });
  }

  /** Return sentences for everything since the last call; "" if there was nothing. */
  takeSentences() {
    const { items } = this;
    this.items = [];
    const told = items.slice(0, SHOWN).map(({ by, words }) => `${by} ${lowered(words)}`);
    const more = items.length - told.length;
    if (more) told.push(`${more} more ${more === 1 ? "change" : "changes"}: see the history.`);
    return told.join(" ");
  }

  /** @param {Placed} placed */
  #placedWords({ topics, meant, pages }) {
    const what = pagesInWords(pages, this.titleOf);
    const words = `Put ${what} into ${namesInWords(topics)}`;
    if (!meant) return `${words}.`;
    return `${words}: ${pages.size === 1 ? "it was" : "they were"} meant for ${meant}, which had been merged into it.`;
  }

  /** @param {import("../drafts/types.js").Entry} entry @param {import("../drafts/state.js").DraftState} state */
  #words({ operations, label, undoes, redoes, restores, changes }, state) {
    const bare = label.replace(/^(?:(?:Undo|Redo|Restore): )+/, "");
    const back = returnedInWords(changes);
    if (undoes) return `Undid “${bare}”${back}.`;
    if (redoes) return `Did “${bare}” again.`;
    if (restores) return `Brought back what “${bare}” took away${back}.`;
    try {
      if (operations?.every((operation) => canDescribe(operation.kind)))
        return describeOperations(state, carriedOut(operations, changes), this.titleOf);
    } catch {
      // The state does not match the request, because a merge was followed.
    }
    return `Did “${bare}”.`;
  }
}

/**
 * Return operations with the pages that they really moved: some may have stayed where others had put them.
 * @param {import("../drafts/types.js").Operation[]} operations
 * @param {import("../drafts/types.js").Change[]} changes
 */
function carriedOut(operations, changes) {
  const moved = new Set(changes.flatMap(({ pages }) => pages ?? []));
  const done = operations.map((operation) =>
    Array.isArray(operation.pages)
      ? { ...operation, pages: operation.pages.filter((/** @type {string} */ page) => moved.has(page)) }
      : operation,
  );
  const real = done.filter(({ kind, pages }) => kind === "add_topic" || !Array.isArray(pages) || pages.length);
  return real.length ? real : operations;
}

/**
 * "; 3 pages that were meant for Shops are in it again"; empty if there were none.
 * @param {import("../drafts/types.js").Change[]} changes
 */
export function returnedInWords(changes) {
  const came = new Set(changes.filter(({ c }) => c === "topic+").map(({ topic }) => topic.id));
  const meant = changes.filter(({ c, topic }) => c === "meant-" && came.has(topic));
  const pages = new Set(meant.flatMap((change) => change.pages));
  if (!pages.size) return "";
  const names = namesInWords([...new Set(meant.map(({ name }) => name))]);
  return `; ${count(pages.size, "page")} that ${pages.size === 1 ? "was" : "were"} meant for ${names} ${pages.size === 1 ? "is" : "are"} in it again`;
}

/**
 * What an entry that only puts pages into topics really did, which may be less than requested; null for other entries.
 * @param {import("../drafts/types.js").Entry} entry
 * @param {import("../drafts/state.js").DraftState} state the state before the entry
 * @returns {Placed|null}
 */
function placedBy({ operations, changes }, state) {
  if (!operations?.length || operations.some(({ kind }) => kind !== "assign")) return null;
  const into = changes.filter(({ c }) => c === "in+" || c === "meant+");
  const topics = into.map((change) => change.into ?? change.topic);
  if (!into.length || topics.some((topic) => !state.topic(topic)) || changes.some(({ c }) => c === "out-")) return null;
  return {
    topics: [...new Set(topics)].map((topic) => state.path(topic).join(" › ")),
    meant: into.find(({ c }) => c === "meant+")?.name ?? "",
    pages: new Set(into.flatMap(({ pages }) => pages)),
  };
}

/** @param {Placed} one @param {Placed} other */
function isAlike(one, other) {
  return one.meant === other.meant && `${one.topics}` === `${other.topics}`;
}

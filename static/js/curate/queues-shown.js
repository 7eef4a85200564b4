// The queues as the list shows them: searched, with their words, sizes and keys.

import { levelOf, queueGroups, queueNames, queuePages, queueTitle } from "./queues.js";

/**
 * @param {import("./view.js").View} view
 * @returns {import("./queues.js").Group[]}
 */
export function queueNow(view) {
  const groups = groupsOf(view);
  const words = view.search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return groups;
  /** @param {string} page */
  const hit = (page) => words.every((word) => view.textOf(page).includes(word));
  return groups.map((group) => ({ ...group, pages: group.pages.filter(hit) })).filter((group) => group.pages.length);
}

/** @param {import("./view.js").View} view */
function groupsOf(view) {
  const { state, queue, topic, probably, splitting } = view;
  if (queue === "teaching") return probably?.taught() ?? [];
  if (queue === "probably") return probably?.groups() ?? [];
  if (queue === "split") return splitting?.groups() ?? [];
  // A suggested topic holds nothing yet; what it would hold is what one wants to see.
  if (queue === "topic" && topic !== null && state.topic(topic)?.suggested)
    return [{ key: "", topic: null, pages: state.inOrder(state.hintsOf(topic)) }];
  return queueGroups(state, queue, { topic, disagree: view.disagree });
}

/**
 * The order of pages in queues that have one of their own, also of those that are done; null for the page list's.
 * @param {import("./view.js").View} view
 * @returns {Map<string, number>|null}
 */
export function ownOrder({ queue, probably, splitting }) {
  if (queue === "teaching") return probably?.order() ?? null;
  return queue === "split" ? (splitting?.order() ?? null) : null;
}

/**
 * Every queue of the draft: key, words, how many pages, its action in the key table, and what is said once it is empty.
 * @param {import("./view.js").View} view
 */
export function queuesNow(view) {
  const { state, disagree } = view;
  const names = queueNames(state, { disagree });
  if (view.probably) names.splice(names.indexOf("suggested"), 0, "teaching", "probably");
  if (!names.includes("level-1")) names.unshift("level-1");
  return names.map((key) => ({
    key,
    words: queueTitle(key),
    pages: sizeOf(view, key) ?? queuePages(state, key, { disagree }).length,
    action: actionOf(key),
    done: key === "teaching" && state.unplaced(1).length ? COMPARING : (DONE[key] ?? doneOn(key)),
  }));
}

/** Of the queues that are not the draft's own. @param {import("./view.js").View} view @param {string} key */
function sizeOf({ probably }, key) {
  if (key === "probably") return probably?.pages().length;
  if (key === "teaching") return probably?.taught().reduce((sum, group) => sum + group.pages.length, 0);
  return undefined;
}

/** @param {string} key */
function actionOf(key) {
  const level = levelOf(key);
  if (!level) return `queue-${key}`;
  return level <= 3 ? `queue-${level}` : null;
}

/** @param {string} key */
function doneOn(key) {
  return `Every page is placed on level ${levelOf(key)}.`;
}

const COMPARING = "The site compares the pages; without a connection it cannot.";

/** @type {Record<string, string>} */
const DONE = {
  between: "Every topic’s pages are in its subtopics.",
  teaching: "Every page is placed: there is nothing more to learn.",
  probably: "No page is clear enough: predictions come with the pages you place.",
  suggested: "No suggestion waits for an answer.",
  split: "Every page has its part.",
  disagree: "Nothing is disagreed on.",
  stale: "No page was placed before its topic changed.",
  flagged: "No page is flagged.",
  outliers: "There are no outliers.",
  all: "The query has no pages.",
};

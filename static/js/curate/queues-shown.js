// The queues as the list shows them: searched and filtered, with their words, sizes and keys.

import { passing } from "./filters.js";
import { levelOf, queueGroups, queueNames, queuePages, queueTitle } from "./queues.js";

/**
 * @param {import("./view.js").View} view
 * @returns {import("./queues.js").Group[]}
 */
export function queueNow(view) {
  const groups = groupsOf(view);
  const shows = shown(view);
  if (!shows) return groups;
  return groups.map((group) => ({ ...group, pages: group.pages.filter(shows) })).filter((group) => group.pages.length);
}

/**
 * What search and filters let through; null where there are neither.
 * @param {import("./view.js").View} view
 * @param {import("./filters.js").Filters} [filters]
 * @returns {((page: string) => boolean)|null}
 */
export function shown(view, filters = view.filters) {
  const { hit } = view.finder;
  const pass = passing(filters, view.store);
  return hit && pass ? (page) => pass(page) && hit(page) : (hit ?? pass);
}

/** The pages of the queue at hand, whatever is searched for and filtered. @param {import("./view.js").View} view @returns {string[]} */
export function wholeQueue(view) {
  return [...new Set(groupsOf(view).flatMap((group) => group.pages))];
}

/** @param {import("./view.js").View} view */
function groupsOf(view) {
  const { state, queue, topic } = view;
  // A suggested topic holds nothing yet; what it would hold is what one wants to see.
  if (queue === "topic" && topic !== null && state.topic(topic)?.suggested)
    return [{ key: "", topic: null, pages: state.inOrder(state.hintsOf(topic)) }];
  return queueGroups(state, queue, { topic, disagree: view.disagree });
}

/**
 * Every queue of the draft: key, words, how many pages, how many of them search and filters show, its action in the key table, and what is said once it is empty.
 * @param {import("./view.js").View} view
 */
export function queuesNow(view) {
  const { state, disagree } = view;
  const names = queueNames(state, { disagree });
  if (!names.includes("level-1")) names.unshift("level-1");
  const shows = shown(view);
  return names.map((key) => {
    const pages = queuePages(state, key, { disagree });
    return {
      key,
      words: queueTitle(key),
      pages: pages.length,
      shown: shows ? pages.filter(shows).length : pages.length,
      action: actionOf(key),
      done: DONE[key] ?? doneOn(key),
    };
  });
}

/** Whether the draft has such a queue; of level 1 also while it is empty. @param {import("./view.js").View} view @param {string} key */
export function hasQueue({ state, disagree }, key) {
  return key === "level-1" || queueNames(state, { disagree }).includes(key);
}

/** @param {string} key */
function actionOf(key) {
  const level = levelOf(key);
  if (!level) return `queue-${key}`;
  return level <= 3 ? `queue-${level}` : null;
}

/** @param {string} key */
function doneOn(key) {
  return `No page is without a place on level ${levelOf(key)}.`;
}

/** @type {Record<string, string>} */
const DONE = {
  between: "Every topic’s pages are in its subtopics.",
  suggested: "No suggestion waits for an answer.",
  disagree: "Nothing is disagreed on.",
  stale: "No page was placed before its topic changed.",
  flagged: "No page is flagged.",
  outliers: "There are no outliers.",
  all: "The query has no pages.",
};

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
  const { state, queue, topic } = view;
  // A suggested topic holds nothing yet; what it would hold is what one wants to see.
  if (queue === "topic" && topic !== null && state.topic(topic)?.suggested)
    return [{ key: "", topic: null, pages: state.inOrder(state.hintsOf(topic)) }];
  return queueGroups(state, queue, { topic, disagree: view.disagree, commented: view.talk.pages });
}

/**
 * Every queue of the draft: key, words, how many pages, its action in the key table, and what is said once it is empty.
 * @param {import("./view.js").View} view
 */
export function queuesNow(view) {
  const { state, disagree } = view;
  const options = { disagree, commented: view.talk.pages };
  const names = queueNames(state, options);
  if (!names.includes("level-1")) names.unshift("level-1");
  return names.map((key) => ({
    key,
    words: queueTitle(key),
    pages: queuePages(state, key, options).length,
    action: actionOf(key),
    done: DONE[key] ?? doneOn(key),
  }));
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

/** @type {Record<string, string>} */
const DONE = {
  between: "Every topic’s pages are in its subtopics.",
  suggested: "No suggestion waits for an answer.",
  disagree: "Nothing is disagreed on.",
  stale: "No page was placed before its topic changed.",
  flagged: "No page is flagged.",
  commented: "No page has open comments.",
  outliers: "There are no outliers.",
  all: "The query has no pages.",
};

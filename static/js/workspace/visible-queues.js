// The queues as the list shows them: after search and filters, with their words, sizes and keys.

import { levelOf, queueGroups, queueNames, queuePages, queueTitle } from "../drafts/queues.js";
import { passing } from "./filters.js";

/**
 * What the queues need of the view.
 * @typedef {object} QueueView
 * @property {import("../drafts/store.js").DraftStore} store
 * @property {import("../drafts/state.js").DraftState} state
 * @property {string} queue
 * @property {string|null} topic
 * @property {import("./filters.js").Filters} filters
 * @property {{hit: ((page: string) => boolean)|null}} finder
 * @property {string[]|null} disagree
 * @property {{pages: Map<string, number>}} talk
 * @property {import("./predictions.js").Predictions} predictions
 * @property {import("./split.js").Split} split
 */

/**
 * @param {QueueView} view
 * @returns {import("../drafts/queues.js").Group[]}
 */
export function visibleGroups(view) {
  const groups = groupsOf(view);
  const shows = shown(view);
  if (!shows) return groups;
  return groups.map((group) => ({ ...group, pages: group.pages.filter(shows) })).filter((group) => group.pages.length);
}

/**
 * Return a function that is true for pages that pass search and filters; null if there are neither.
 * @param {QueueView} view
 * @param {import("./filters.js").Filters} [filters]
 * @returns {((page: string) => boolean)|null}
 */
export function shown(view, filters = view.filters) {
  const { hit } = view.finder;
  const pass = passing(filters, view.store);
  return hit && pass ? (page) => pass(page) && hit(page) : (hit ?? pass);
}

/**
 * The pages of the current queue, ignoring search and filters.
 * @param {QueueView} view
 * @returns {string[]}
 */
export function wholeQueue(view) {
  return [...new Set(groupsOf(view).flatMap((group) => group.pages))];
}

/** @param {QueueView} view */
function groupsOf(view) {
  const { state, queue, topic, predictions, split } = view;
  if (queue === "teaching") return predictions.taught();
  if (queue === "probably") return predictions.groups();
  if (queue === "split") return split.groups();
  // A suggested topic holds nothing yet, so show the pages it would hold.
  if (queue === "topic" && topic !== null && state.topic(topic)?.suggested)
    return [{ key: "", topic: null, pages: state.inOrder(state.hintsOf(topic)) }];
  return queueGroups(state, queue, { topic, disagree: view.disagree, commented: view.talk.pages });
}

/**
 * The order of pages, including finished ones, in queues that have their own; null for the order of the page list.
 * @param {QueueView} view
 * @returns {Map<string, number>|null}
 */
export function ownOrder({ queue, predictions, split }) {
  if (queue === "teaching") return predictions.order();
  return queue === "split" ? split.order() : null;
}

/**
 * All queues of the draft: key, words, number of pages, how many of them pass search and filters, their action in the
 * key table, and the message once they are empty.
 * @param {QueueView} view
 */
export function visibleQueues(view) {
  const { state, disagree } = view;
  const options = { disagree, commented: view.talk.pages };
  const shows = shown(view);
  return namesOf(view).map((key) => {
    const pages = pagesOf(view, key) ?? queuePages(state, key, options);
    return {
      key,
      words: queueTitle(key),
      pages: pages.length,
      shown: shows ? pages.filter(shows).length : pages.length,
      action: actionOf(key),
      done: key === "teaching" && state.unplaced(1).length ? COMPARING : (DONE[key] ?? doneOn(key)),
    };
  });
}

/** @param {QueueView} view */
function namesOf(view) {
  const names = queueNames(view.state, { disagree: view.disagree, commented: view.talk.pages });
  names.splice(names.indexOf("suggested"), 0, "teaching", "probably");
  if (!names.includes("level-1")) names.unshift("level-1");
  return names;
}

/** The pages of queues that do not follow from the draft alone. @param {QueueView} view @param {string} key */
function pagesOf({ predictions }, key) {
  if (key === "probably") return predictions.pages();
  if (key === "teaching") return predictions.taught().flatMap((group) => group.pages);
  return undefined;
}

/**
 * True if the draft has this queue; always true for level 1.
 * @param {QueueView} view
 * @param {string} key
 */
export function hasQueue(view, key) {
  return namesOf(view).includes(key);
}

/** @param {string} key */
function actionOf(key) {
  const level = levelOf(key);
  if (!level) return `queue-${key}`;
  return level <= 3 ? `queue-${level}` : null;
}

/** @param {string} key */
function doneOn(key) {
  return `No page is without a topic on level ${levelOf(key)}.`;
}

const COMPARING = "The site compares the pages. It needs a connection for that.";

/** @type {Record<string, string>} */
const DONE = {
  between: "Every topic’s pages are in its subtopics.",
  teaching: "Every page is placed: there is nothing more to learn.",
  probably: "There are no confident predictions yet. Place more pages to get some.",
  suggested: "There are no open suggestions.",
  split: "Every page is in a part.",
  disagree: "There are no disagreements.",
  stale: "No page was placed before its topic changed.",
  flagged: "No page is flagged.",
  commented: "No page has open comments.",
  outliers: "There are no outliers.",
  all: "The query has no pages.",
};

// What is left to do in a draft, and where.

import { counted } from "../common/wording.js";
import { issues, numbersOf } from "../drafts/issues.js";
import { visibleQueues, wholeQueue } from "./visible-queues.js";

// Pages that teach most and pages with predictions are unplaced, so the queues of levels already count them.
const NOTHING_TO_DO = ["all", "outliers", "teaching", "probably"];

/**
 * @typedef {object} RemainingWork
 * @property {number} here the number of pages in the current queue that search and filters hide
 * @property {{key: string, words: string, pages: number}[]} queues the other queues that still hold pages
 * @property {number} errors the number of issues, which keep the draft from being published
 * @property {number} warnings
 */

/** @param {import("./view.js").View} view @returns {RemainingWork} */
export function remainingWork(view) {
  const open = visibleQueues(view).filter(({ key, pages }) => pages > 0 && !NOTHING_TO_DO.includes(key));
  const hidden = view.isNarrowed ? wholeQueue(view).filter((page) => !view.matching.has(page)).length : 0;
  return {
    here: hidden,
    queues: open.filter(({ key }) => key !== view.queue).map(({ key, words, pages }) => ({ key, words, pages })),
    ...numbersOf(issues(view.state)),
  };
}

/** "Left: 94 more pages in this queue, 12 unplaced on level 2, 3 issues." @param {RemainingWork} left */
export function remainingWords({ here, queues, errors, warnings }) {
  const parts = [
    here > 0 && `${counted(here, "page")} that search and filters hide`,
    ...queues.map(({ words, pages }) => `${pages} ${words[0].toLowerCase()}${words.slice(1)}`),
    errors > 0 && counted(errors, "issue"),
  ].filter(Boolean);
  if (parts.length) return `Left: ${parts.join(", ")}.`;
  return warnings
    ? `Nothing is left elsewhere; ${counted(warnings, "warning")} may be worth a look.`
    : "Nothing is left elsewhere, and nothing keeps this draft from being published.";
}

/** The message when the visible part of a queue has nothing left to do. @param {import("./view.js").View} view */
export function doneMessage(view) {
  return `Nothing left here. ${remainingWords(remainingWork(view))}`;
}

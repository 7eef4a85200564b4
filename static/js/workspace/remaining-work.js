// What is left to do in a draft, and where. Pure but for reading the view.

import { counted } from "../common/wording.js";
import { issues, numbersOf } from "../drafts/issues.js";
import { queuesNow, wholeQueue } from "./visible-queues.js";

// What teaches and what is probable are unplaced pages, which their levels count.
const NOTHING_TO_DO = ["all", "outliers", "teaching", "probably"];

/**
 * @typedef {object} RemainingWork
 * @property {number} here pages of the queue at hand that search and filters hide
 * @property {{key: string, words: string, pages: number}[]} queues the others that hold pages still
 * @property {number} errors issues: what keeps the draft from being published
 * @property {number} warnings
 */

/** @param {import("./view.js").View} view @returns {RemainingWork} */
export function remainingWork(view) {
  const open = queuesNow(view).filter(({ key, pages }) => pages > 0 && !NOTHING_TO_DO.includes(key));
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

/** What is said where a queue, as it is shown, has nothing to do any more. @param {import("./view.js").View} view */
export function doneMessage(view) {
  return `Nothing left here. ${remainingWords(remainingWork(view))}`;
}

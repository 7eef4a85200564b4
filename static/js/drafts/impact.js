// What operations would do to the pages of a draft, before they are carried out.

import { counted } from "../common/wording.js";
import { both, without } from "./editing.js";
import { OperationError } from "./fields.js";
import { carryOut } from "./operations.js";

/**
 * @typedef {object} Impact
 * @property {string[]} pages the pages that would be in other topics than now, counting ancestors
 * @property {{level: number, count: number}[]} lacking how many pages would lose their place, by the highest such level
 * @property {string[]} outliers the pages that would become outliers
 * @property {string} sentence "Moves 14 pages, 3 will lack a level-2 topic."
 */

/**
 * @param {import("./state.js").DraftState} state is not changed
 * @param {import("./types.js").Operation[]} operations
 * @returns {Impact}
 * @throws {import("./fields.js").OperationError} if the operations would be rejected
 */
export function impact(state, operations) {
  const after = state.clone();
  carryOut(after, operations, 0);
  const pages = state.pages.filter((page) => isElsewhere(state, after, page));
  const outliers = without(after.inOrder(after.outliers), state.outliers);
  const lacking = newlyLacking(state, after);
  return { pages, lacking, outliers, sentence: sentenceOf(state, after, { pages, lacking, outliers }) };
}

/**
 * @param {import("./state.js").DraftState} before
 * @param {import("./state.js").DraftState} after
 * @param {string} page
 */
function isElsewhere(before, after, page) {
  if (before.outliers.has(page) !== after.outliers.has(page)) return true;
  const [one, other] = [before.allTopics(page), after.allTopics(page)];
  return one.size !== other.size || both(one, other).length !== one.size;
}

/** @param {import("./state.js").DraftState} before @param {import("./state.js").DraftState} after */
function newlyLacking(before, after) {
  const found = [];
  const said = new Set();
  for (let level = 1; level <= after.levels; level += 1) {
    // Below its last level, the topics of a draft count on every deeper level.
    const already = new Set(before.unplaced(Math.min(level, before.levels)));
    const pages = without(without(after.unplaced(level), already), said);
    if (pages.length) found.push({ level, count: pages.length });
    for (const page of pages) said.add(page);
  }
  return found;
}

/** @param {import("./state.js").DraftState} before @param {import("./state.js").DraftState} after */
/**
 * @param {import("./state.js").DraftState} before
 * @param {import("./state.js").DraftState} after
 * @param {Omit<Impact, "sentence">} what
 */
function sentenceOf(before, after, { pages, lacking, outliers }) {
  const removed = without(before.preOrder(), new Set(after.topics.keys())).length;
  const added = without(after.preOrder(), new Set(before.topics.keys())).length;
  const parts = [];
  if (added) parts.push(`adds ${counted(added, "topic")}`);
  if (removed) parts.push(`removes ${counted(removed, "topic")}`);
  parts.push(pages.length ? `moves ${counted(pages.length, "page")}` : "moves no pages");
  if (outliers.length)
    parts.push(`${outliers.length} will become ${outliers.length === 1 ? "an outlier" : "outliers"}`);
  for (const { level, count } of lacking) {
    parts.push(level === 1 ? `${count} will be in no topic` : `${count} will lack a level-${level} topic`);
  }
  const sentence = parts.join(", ");
  return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
}

/**
 * What operations would do, for the person who is about to do them.
 * @typedef {object} Preview
 * @property {string} words
 * @property {boolean} [warns] true if pages would lack a topic
 * @property {boolean} [error] true if the operations are rejected
 */

/**
 * @param {import("./state.js").DraftState} state is not changed
 * @param {import("./types.js").Operation[]} operations
 * @returns {Preview}
 */
export function previewOf(state, operations) {
  try {
    const { sentence, lacking } = impact(state, operations);
    return { words: sentence, warns: lacking.length > 0 };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.code === "no-effect") return { words: "changes nothing", warns: false, error: false };
    return { words: [error.message, error.fix].filter(Boolean).join(" "), warns: true, error: true };
  }
}

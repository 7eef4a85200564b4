// Undo and redo before the server has answered: shown where the exact inverse of an entry applies, as it always does
// where nobody else was at work since. Where it does not, the server fits it to what others did
// (annotations/drafting/fitting.py).

import { Edit } from "./editing.js";
import { canonical, completed } from "./state.js";

/** @typedef {import("./state.js").DraftState} DraftState */

/**
 * Makes all of the changes to the state, or none.
 * @param {DraftState} state
 * @param {import("./types.js").Change[]} changes of `invert`
 * @param {number} revision
 * @returns {import("./types.js").Change[]} what was changed
 */
export function takeBack(state, changes, revision) {
  const edit = new Edit(state, revision);
  for (const change of changes) {
    if (!applies(state, change)) {
      edit.takeBack();
      break;
    }
    edit.record(change);
  }
  return edit.changes;
}

/**
 * Whether a change finds everything as it was.
 * @param {DraftState} state
 * @param {import("./types.js").Change} change
 */
function applies(state, change) {
  const topic = change.topic?.id ?? change.topic;
  if (topic !== undefined && state.topics.has(topic) === (change.c === "topic+")) return false;
  const finds = FINDS[change.c];
  return finds ? finds(state, change) : (change.pages ?? []).every(PAGE[change.c]?.(state, topic) ?? Boolean);
}

/**
 * Whether a topic may hang there.
 * @param {DraftState} state
 * @param {any} topic its id, and whether it is suggested
 * @param {any} place
 */
function isFree(state, { id, suggested }, [parent, at]) {
  if (at > state.childrenOf(parent).filter((child) => child !== id).length) return false;
  return parent === null || (state.topics.has(parent) && (suggested || !state.isSuggested(parent)));
}

/** @param {DraftState} state @param {string} topic */
function isUsed(state, topic) {
  return state.membersOf(topic).size > 0 || state.childrenOf(topic).some((child) => !state.isSuggested(child));
}

/** @type {Record<string, (state: DraftState, change: import("./types.js").Change) => boolean>} */
const FINDS = {
  "topic+": (state, { topic, at }) => isFree(state, topic, [topic.parent, at]),
  "topic-": (state, { topic, at }) =>
    canonical([state.topic(topic.id), state.indexOf(topic.id)]) === canonical([completed(topic), at]) &&
    !state.membersOf(topic.id).size &&
    !state.hintsOf(topic.id).size &&
    !state.childrenOf(topic.id).length,
  set: (state, { topic, field, ...change }) => {
    const now = /** @type {any} */ (state.topicOf(topic));
    if (field !== "suggested") return now[field] === change.old;
    return (
      now.suggested === change.old &&
      (change.new ? !isUsed(state, topic) : isFree(state, { id: topic, suggested: false }, [now.parent, 0]))
    );
  },
  place: (state, { topic, ...change }) => {
    const now = state.topicOf(topic);
    return (
      canonical([now.parent, state.indexOf(topic)]) === canonical(change.old) &&
      isFree(state, now, change.new) &&
      !(change.new[0] !== null && state.isWithin(change.new[0], topic))
    );
  },
  note: (state, { page, old }) => (state.notes.get(page) ?? "") === old,
};

/** @param {DraftState} state @param {string} topic */
const isOpen = (state, topic) => (/** @type {string} */ page) =>
  !state.outliers.has(page) && !state.membersOf(topic).has(page) && !state.hintsOf(topic).has(page);

/** @type {Record<string, (state: DraftState, topic: string) => (page: string) => boolean>} */
const PAGE = {
  "in+": (state, topic) => (state.isSuggested(topic) ? () => false : isOpen(state, topic)),
  "in-": (state, topic) => (page) => state.membersOf(topic).has(page),
  "hint+": isOpen,
  "hint-": (state, topic) => (page) => state.hintsOf(topic).has(page),
  "out+": (state) => (page) => !state.outliers.has(page) && !state.isPlaced(page) && !state.hintedTopics(page).length,
  "out-": (state) => (page) => state.outliers.has(page),
  "flag+": (state) => (page) => !state.flags.has(page),
  "flag-": (state) => (page) => state.flags.has(page),
};

// Undo and redo before the server has responded. They are shown if the exact inverse of an entry applies, which is
// always so if nobody else has worked since. Otherwise the server adjusts it to the work of others
// (annotations/drafts/state_machine/rebase.py).

import { both, Edit, without } from "./editing.js";
import { canonical, completed } from "./state.js";

/** @typedef {import("./state.js").DraftState} DraftState */

/**
 * Apply all of the changes to the state, or none.
 * @param {DraftState} state
 * @param {import("./types.js").Change[]} changes the result of `invert`
 * @param {number} revision
 * @returns {import("./types.js").Change[]} the changes that were made
 */
export function takeBack(state, changes, revision) {
  const edit = new Edit(state, revision);
  const before = heldBefore(state, changes);
  /** @type {string[]} pages that a topic no longer stores, because a topic that is placed next brings them along */
  let brought = [];
  for (const change of changes) {
    const arrives = change.c !== "place" || without(brought, state.pagesIn(change.topic)).length === 0;
    if (!arrives || !applies(state, change, before)) {
      edit.takeBack();
      break;
    }
    edit.record(change);
    if (change.c === "rest-") brought = [...brought, ...change.pages];
    if (change.c === "place") brought = [];
  }
  // The server also restores pages that were put into a topic after it had been merged.
  if (edit.changes.some(({ c, topic }) => c === "topic+" && state.meant.has(topic.id))) edit.takeBack();
  return edit.changes;
}

/**
 * What topics held before topics were moved out of them: this is all that they may keep.
 * @param {DraftState} state
 * @param {import("./types.js").Change[]} changes
 */
function heldBefore(state, changes) {
  const topics = changes.filter(({ c }) => c === "rest+").map(({ topic }) => topic);
  return new Map(
    topics.filter((topic) => state.topics.has(topic)).map((topic) => [topic, new Set(state.pagesIn(topic))]),
  );
}

/**
 * True if a change finds everything as it was.
 * @param {DraftState} state
 * @param {import("./types.js").Change} change
 * @param {Map<string, Set<string>>} before what topics held before anything was undone
 */
function applies(state, change, before) {
  if (change.c === "meant+" || change.c === "meant-") return isMeant(state, change);
  const topic = change.topic?.id ?? change.topic;
  if (topic !== undefined && state.topics.has(topic) === (change.c === "topic+")) return false;
  const finds = FINDS[change.c];
  return finds ? finds(state, change, before) : (change.pages ?? []).every(PAGE[change.c]?.(state, topic) ?? Boolean);
}

/** @param {DraftState} state @param {import("./types.js").Change} change */
function isMeant(state, { c, topic, into, held, pages }) {
  const meant = state.meant.get(topic);
  if (c === "meant+") return !pages.some((/** @type {string} */ page) => meant?.has(page));
  return pages.every((/** @type {string} */ page) => canonical(meant?.get(page)) === canonical([into, held]));
}

/**
 * True if a topic can be placed there.
 * @param {DraftState} state
 * @param {{id: string, suggested: boolean}} topic its id, and whether it is suggested
 * @param {[parent: string|null, at: number]} place
 */
function isFree(state, { id, suggested }, [parent, at]) {
  if (at > state.childrenOf(parent).filter((child) => child !== id).length) return false;
  return parent === null || (state.topics.has(parent) && (suggested || !state.isSuggested(parent)));
}

/** @param {DraftState} state @param {string} topic */
function isUsed(state, topic) {
  return state.membersOf(topic).size > 0 || state.childrenOf(topic).some((child) => !state.isSuggested(child));
}

/**
 * True if the new ancestors of a moved topic store none of the pages and suggestions that it brings along.
 * @param {DraftState} state
 * @param {string} topic
 * @param {string|null} parent
 */
function hasRoom(state, topic, parent) {
  const held = state.pagesIn(topic);
  if (parent === null || !held.size) return true;
  return state
    .pathIds(parent)
    .every((above) => !both(held, state.membersOf(above)).length && !both(held, state.hintsOf(above)).length);
}

/**
 * True if pages enter or leave a topic exactly as the change says: up to the ancestor that holds them.
 * @param {DraftState} state
 * @param {import("./types.js").Change} change
 */
function meets(state, { topic, pages, above = null }) {
  const holders = state.holdersAbove(
    topic,
    pages,
    above === null || !state.isWithin(topic, above) ? [] : state.pathIds(above),
  );
  return [...holders.keys()].every((holder) => holder === above);
}

/** @type {Record<string, (state: DraftState, change: import("./types.js").Change, before: Map<string, Set<string>>) => boolean>} */
const FINDS = {
  "in+": (state, change) => {
    const { topic, pages, above = null } = change;
    const path = state.pathIds(topic);
    const within = state.pagesIn(topic);
    const joined = path.slice(path.indexOf(above ?? "") + 1);
    return (
      !state.isSuggested(topic) &&
      pages.every(
        (/** @type {string} */ page) =>
          !state.outliers.has(page) && !within.has(page) && !joined.some((step) => state.hintsOf(step).has(page)),
      ) &&
      [...state.holdersAbove(topic, pages).keys()].every((holder) => holder === above)
    );
  },
  "in-": (state, change) =>
    change.pages.every((/** @type {string} */ page) => state.membersOf(change.topic).has(page)) && meets(state, change),
  "rest+": (state, { topic, pages }, before) =>
    pages.every(
      (/** @type {string} */ page) =>
        before.get(topic)?.has(page) && !state.outliers.has(page) && !state.pagesIn(topic).has(page),
    ),
  "rest-": (state, { topic, pages }) => pages.every((/** @type {string} */ page) => state.membersOf(topic).has(page)),

  "topic+": (state, { topic, at }) => isFree(state, topic, [topic.parent, at]),
  "topic-": (state, { topic, at }) =>
    canonical([state.topic(topic.id), state.indexOf(topic.id)]) === canonical([completed(topic), at]) &&
    !state.membersOf(topic.id).size &&
    !state.hintsOf(topic.id).size &&
    !state.childrenOf(topic.id).length,
  set: (state, { topic, field, ...change }) => {
    const now = /** @type {import("./types.js").Topic & Record<string, Json>} */ (state.topicOf(topic));
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
      hasRoom(state, topic, change.new[0]) &&
      !(change.new[0] !== null && state.isWithin(change.new[0], topic))
    );
  },
  note: (state, { page, old }) => (state.notes.get(page) ?? "") === old,
};

/** @param {DraftState} state @param {string} topic */
const isOpen = (state, topic) => (/** @type {string} */ page) =>
  !state.outliers.has(page) && !state.pagesIn(topic).has(page) && !state.hintsOf(topic).has(page);

/** @type {Record<string, (state: DraftState, topic: string) => (page: string) => boolean>} */
const PAGE = {
  "hint+": isOpen,
  "hint-": (state, topic) => (page) => state.hintsOf(topic).has(page),
  "out+": (state) => (page) => !state.outliers.has(page) && !state.isPlaced(page) && !state.hintedTopics(page).length,
  "out-": (state) => (page) => state.outliers.has(page),
  "flag+": (state) => (page) => !state.flags.has(page),
  "flag-": (state) => (page) => state.flags.has(page),
};

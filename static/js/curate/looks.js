// What a row of the list shows of a page. Pure.

import { finestTopics, isSeen, missingLevels, withoutSubtopic } from "./places.js";

/**
 * @typedef {[id: string, name: string, path: string]} NamedTopic
 *
 * @typedef {object} Look
 * @property {NamedTopic[]} topics
 * @property {NamedTopic[]} hints suggestions worth showing
 * @property {string[]} lacks names of topics that hold the page though none of their subtopics does
 * @property {boolean} seen
 * @property {boolean} outlier
 * @property {boolean} flag
 * @property {boolean} note
 * @property {number} comments open threads
 * @property {string[]} here names of the others who look at it
 */

/**
 * @param {import("./store.js").DraftStore} store
 * @param {import("./view.js").View} view
 * @param {string} page
 * @returns {Look}
 */
export function lookOf({ state, me, people }, view, page) {
  /** @param {string} id @returns {NamedTopic} */
  const named = (id) => [id, state.topicOf(id).name, state.path(id).join(" › ")];
  return {
    topics: finestTopics(state, page).map(named),
    hints: hintsToShow(state, view, page).map(named),
    lacks: /^(level-|between)/.test(view.queue) ? [] : withoutSubtopic(state, page).map((id) => state.topicOf(id).name),
    seen: isSeen(state, page),
    outlier: state.outliers.has(page),
    flag: state.flags.has(page),
    note: state.notes.has(page),
    comments: view.talk.pages.get(page) ?? 0,
    here: people.filter((person) => person.page === page && person.name !== me).map((person) => person.name),
  };
}

/**
 * A page that has its places needs no suggestion, but where suggestions are what one looks at.
 * @param {import("./state.js").DraftState} state
 * @param {import("./view.js").View} view
 * @param {string} page
 */
function hintsToShow(state, { queue, topic }, page) {
  const hints = state.hintedTopics(page);
  if (!hints.length || queue === "suggested") return hints;
  const lacks = missingLevels(state, page).length > 0;
  if (queue === "topic") return hints.filter((id) => (topic !== null && state.isWithin(id, topic)) || lacks);
  return lacks ? hints : [];
}

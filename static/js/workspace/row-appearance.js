// What a row of the list shows about a page.

import { nameKey } from "../common/text.js";
import { isSeen, missingLevels, withoutSubtopic } from "../drafts/placement.js";

/**
 * @typedef {[id: string, name: string, path: string, above: string]} NamedTopic `above`: the part of its path that
 *   distinguishes it from topics with the same name; "" if its name is unique
 *
 * @typedef {object} Appearance
 * @property {NamedTopic[]} topics
 * @property {NamedTopic[]} hints the suggestions to show
 * @property {[id: string|null, name: string, why: string]|null} prediction where the page probably belongs; an id of
 *   null stands for the outliers
 * @property {string[]} lacks names of topics that hold the page although none of their subtopics does
 * @property {boolean} seen
 * @property {boolean} outlier
 * @property {boolean} flag
 * @property {boolean} note
 * @property {number} comments the number of open threads
 * @property {string[]} here the names of others who are looking at it
 */

/**
 * @param {import("../drafts/store.js").DraftStore} store
 * @param {import("./view.js").View} view
 * @param {string} page
 * @returns {Appearance}
 */
export function appearanceOf({ state, me, people }, view, page) {
  /** @param {string} id @returns {NamedTopic} */
  const named = (id) => [id, state.topicOf(id).name, state.path(id).join(" › "), aboveOf(state, id)];
  return {
    topics: state.finestTopics(page).map(named),
    hints: hintsToShow(state, view, page).map(named),
    prediction: predictionOf(state, view, page),
    lacks: /^(level-|between|split|probably)/.test(view.queue)
      ? []
      : withoutSubtopic(state, page).map((id) => state.topicOf(id).name),
    seen: isSeen(state, page),
    outlier: state.outliers.has(page),
    flag: state.flags.has(page),
    note: state.notes.has(page),
    comments: view.talk.pages.get(page) ?? 0,
    here: people.filter((person) => person.page === page && person.name !== me).map((person) => person.name),
  };
}

/**
 * @param {import("../drafts/state.js").DraftState} state
 * @param {import("./view.js").View} view
 * @param {string} page
 * @returns {Appearance["prediction"]}
 */
function predictionOf(state, { predictions }, page) {
  const found = predictions.of(page);
  if (!found) return null;
  const path = found.topic === null ? "outlier" : state.path(found.topic).join(" › ");
  return [found.topic, found.topic === null ? "outlier" : state.topicOf(found.topic).name, path];
}

/**
 * A page that is fully placed shows no suggestions, except in lists of suggestions.
 * @param {import("../drafts/state.js").DraftState} state
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

/**
 * The part of the path above a topic that distinguishes it from topics with the same name: mostly nothing, or its
 * parent.
 * @param {import("../drafts/state.js").DraftState} state
 * @param {string} id
 */
export function aboveOf(state, id) {
  const twins = state.namesakes(id);
  if (!twins.length) return "";
  const path = state.path(id);
  const paths = twins.map((twin) => state.path(twin).map(nameKey));
  let steps = 1;
  const alike = () => {
    const own = path.slice(-1 - steps).map(nameKey);
    return paths.some((other) => own.every((name, at) => other.at(at - own.length) === name));
  };
  while (steps < path.length - 1 && alike()) steps += 1;
  return path.slice(-1 - steps, -1).join(" › ");
}

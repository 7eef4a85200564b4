// The placement of a page: its finest topics, and the levels on which it has none.

/**
 * True if there is something to confirm: the page is in a topic or is an outlier.
 * @param {import("./state.js").DraftState} state
 * @param {string} page
 */
export function hasPlace(state, page) {
  return state.isPlaced(page) || state.outliers.has(page);
}

/**
 * Topics that hold the page although none of their subtopics does, in tree order.
 * @param {import("./state.js").DraftState} state
 * @param {string} page
 * @returns {string[]}
 */
export function withoutSubtopic(state, page) {
  return state.finestTopics(page).filter((id) => state.leftOver(id).includes(page));
}

/**
 * Levels on which the page has no topic.
 * @param {import("./state.js").DraftState} state
 * @param {string} page
 * @returns {number[]}
 */
export function missingLevels(state, page) {
  return Array.from({ length: state.levels }, (_, at) => at + 1).filter((level) => !state.isPlacedOn(level, page));
}

/**
 * The number of pages that are suggested for the topic or a topic below it, and not in it yet.
 * @param {import("./state.js").DraftState} state
 * @param {string} topic
 * @returns {number}
 */
export function waitingFor(state, topic) {
  if (!state.hints.size) return 0;
  const within = state.pagesIn(topic);
  const waiting = new Set(state.subtree(topic).flatMap((id) => [...state.hintsOf(id)]));
  return [...waiting].filter((page) => !within.has(page)).length;
}

/**
 * True if somebody has placed or confirmed the page in this draft since its topics last changed.
 * @param {import("./state.js").DraftState} state
 * @param {string} page
 */
export function isSeen(state, page) {
  if (!hasPlace(state, page)) return false;
  const seen = state.touched.get(page);
  return seen !== undefined && !state.finestTopics(page).some((id) => (state.changed.get(id) ?? 0) > seen);
}

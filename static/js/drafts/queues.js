// Which pages each queue holds, and how they are grouped by topic. Nothing here is shown or stored.

/**
 * Names of queues: "level-1", "level-2", … (not placed on that level), "between" (in a topic but in none of its
 * subtopics), "suggested", "disagree", "stale", "flagged", "commented" (with open comments), "outliers", "all", "topic"
 * (the pages of one topic). "teaching" (teaches most), "probably" and "split" do not follow from the draft alone: see
 * `visible-queues.js`.
 *
 * @typedef {import("./state.js").DraftState} DraftState
 * @typedef {{topic?: string|null, disagree?: string[]|null, commented?: Map<string, number>|null}} Options `disagree`:
 *   pages on which two drafts disagree; `commented`: pages with open comments
 * @typedef {{key: string, topic: string|null, pages: string[], name?: string}} Group a page may be in several groups;
 *   `name`: the heading if there is no topic
 */

/** The queues of a draft, in the order of the menu. @param {DraftState} state @param {Options} [options] */
export function queueNames(state, { disagree = null, commented = null } = {}) {
  const levels = Array.from({ length: state.levels }, (_, at) => `level-${at + 1}`);
  const marked = ["suggested", ...(disagree ? ["disagree"] : []), "stale", "flagged"];
  if (commented) marked.push("commented");
  marked.push("outliers");
  return [...levels, "between", ...marked, "all"];
}

/** The title of a queue. @param {string} queue */
export function queueTitle(queue) {
  const level = levelOf(queue);
  return level ? `Unplaced on level ${level}` : (TITLES[queue] ?? "All pages");
}

/** The level of a level queue; otherwise null. @param {string} queue */
export function levelOf(queue) {
  const found = /^level-([1-9]\d*)$/.exec(queue);
  return found ? Number(found[1]) : null;
}

/**
 * The pages of a queue in page-list order; an unknown queue holds all pages.
 * @param {DraftState} state
 * @param {string} queue
 * @param {Options} [options]
 */
export function queuePages(state, queue, options = {}) {
  const level = levelOf(queue);
  if (level) return state.unplaced(level);
  return (PAGES[queue] ?? PAGES.all)(state, options);
}

/**
 * The pages of a queue in groups, in tree order. Below level 1 they are grouped by the topic in which they lack a
 * subtopic, suggestions by the suggested topic. Any other queue is one group without a topic.
 * @param {DraftState} state
 * @param {string} queue
 * @param {Options} [options]
 * @returns {Group[]} no empty groups
 */
export function queueGroups(state, queue, options = {}) {
  const pages = queuePages(state, queue, options);
  const level = levelOf(queue);
  if (queue === "suggested") return grouped(state, pages, (/** @type {string} */ topic) => state.hintsOf(topic));
  if (queue === "between")
    return grouped(state, pages, (/** @type {string} */ topic) => new Set(state.leftOver(topic)));
  if (level && level > 1) {
    return grouped(state, pages, (/** @type {string} */ topic) =>
      state.last(topic) < level ? new Set(state.leftOver(topic)) : NONE,
    );
  }
  return pages.length ? [{ key: "", topic: null, pages }] : [];
}

const NONE = new Set();

/** @type {Record<string, string>} */
const TITLES = {
  between: "In a topic but in none of its subtopics",
  suggested: "Suggested",
  teaching: "Teaches most",
  probably: "Probably",
  split: "Split",
  disagree: "Disagree",
  stale: "Stale",
  flagged: "Flagged",
  commented: "With open comments",
  outliers: "Outliers",
  topic: "Pages of a topic",
};

/** @type {Record<string, (state: DraftState, options: Options) => string[]>} */
const PAGES = {
  all: (state) => [...state.pages],
  between: (state) =>
    state.inOrder(
      union(state, (/** @type {string} */ topic) => (state.isSuggested(topic) ? [] : state.leftOver(topic))),
    ),
  suggested: (state) => state.inOrder(union(state, (/** @type {string} */ topic) => state.hintsOf(topic))),
  disagree: (state, { disagree }) => state.inOrder(new Set((disagree ?? []).filter((page) => state.hasPage(page)))),
  stale: (state) => state.staleness(),
  flagged: (state) => state.inOrder(state.flags),
  commented: (state, { commented }) =>
    state.inOrder(new Set([...(commented ?? new Map()).keys()].filter((page) => state.hasPage(page)))),
  outliers: (state) => state.inOrder(state.outliers),
  topic: (state, { topic }) => (topic && state.topics.has(topic) ? state.inOrder(state.pagesIn(topic)) : []),
};

/** @param {import("./state.js").DraftState} state @param {(topic: string) => Iterable<string>} pagesOf */
function union(state, pagesOf) {
  return new Set(state.preOrder().flatMap((topic) => [...pagesOf(topic)]));
}

/**
 * Group pages by topic, in tree order. Pages that are in no topic come first.
 * @param {import("./state.js").DraftState} state
 * @param {string[]} pages
 * @param {(topic: string) => ReadonlySet<string>} heldBy
 */
function grouped(state, pages, heldBy) {
  const rest = new Set(pages);
  const groups = [];
  for (const topic of state.preOrder()) {
    const held = heldBy(topic);
    const found = held.size ? pages.filter((page) => held.has(page)) : [];
    for (const page of found) rest.delete(page);
    if (found.length) groups.push({ key: topic, topic, pages: found });
  }
  return rest.size ? [{ key: "", topic: null, pages: [...rest] }, ...groups] : groups;
}

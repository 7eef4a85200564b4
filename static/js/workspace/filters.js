// Filters of the list (topic, host, person, …), combined with any queue and search: their words, the pages that pass
// them, and their form in the URL.

import { hasPlace } from "../drafts/placement.js";

/**
 * @typedef {"in"|"host"|"by"|"flag"|"note"|"unplaced"} Kind the names in the URL
 * @typedef {Partial<Record<Kind, string>>} Filters one value for each kind: id of a topic, host, user name, yes or no,
 *   level
 * @typedef {{kind: Kind, value: string, words: string, pages: number}} Option
 */

/** @type {Kind[]} */
export const KINDS = ["in", "host", "by", "flag", "note", "unplaced"];

/** The headings of the kinds. @type {Record<Kind, string>} */
export const TITLES = {
  unplaced: "Unplaced",
  flag: "Flag",
  note: "Note",
  by: "Placed by",
  in: "Topic",
  host: "Host",
};

/** @param {URLSearchParams} given @returns {Filters} */
export function readFilters(given) {
  return Object.fromEntries(KINDS.flatMap((kind) => (given.get(kind) ? [[kind, given.get(kind)]] : [])));
}

/** @param {Filters} filters @param {URLSearchParams} wanted */
export function writeFilters(filters, wanted) {
  for (const kind of KINDS) if (filters[kind]) wanted.set(kind, filters[kind]);
}

/**
 * The filters that make sense in this draft: topics may be deleted, and URLs mistyped.
 * @param {Filters} filters
 * @param {import("../drafts/state.js").DraftState} state
 */
export function known(filters, state) {
  const kept = { ...filters };
  if (kept.in && !state.topic(kept.in)) delete kept.in;
  if (kept.unplaced && !/^[1-9]\d?$/.test(kept.unplaced)) delete kept.unplaced;
  for (const kind of /** @type {Kind[]} */ (["flag", "note"]))
    if (kept[kind] && !["yes", "no"].includes(kept[kind])) delete kept[kind];
  return kept;
}

/** The number of filters. @param {Filters} filters */
export const size = (filters) => Object.keys(filters).length;

/**
 * Return a function that is true for pages that pass all filters; null if there are no filters.
 * @param {Filters} filters
 * @param {import("../drafts/store.js").DraftStore} store
 * @returns {((page: string) => boolean)|null}
 */
export function passing(filters, store) {
  const tests = KINDS.flatMap((kind) => (filters[kind] ? [TESTS[kind](store, filters[kind])] : []));
  return tests.length ? (page) => tests.every((test) => test(page)) : null;
}

/** @type {Record<Kind, (store: import("../drafts/store.js").DraftStore, value: string) => (page: string) => boolean>} */
const TESTS = {
  in: ({ state }, topic) => {
    const within = state.topic(topic) ? state.pagesIn(topic) : new Set();
    return (page) => within.has(page);
  },
  host: (store, host) => (page) => store.pageOf(page).host === host,
  by: (store, name) => (page) => placerOf(store, page) === name,
  flag:
    ({ state }, value) =>
    (page) =>
      state.flags.has(page) === (value === "yes"),
  note:
    ({ state }, value) =>
    (page) =>
      state.notes.has(page) === (value === "yes"),
  unplaced: ({ state }, level) => {
    const pages = new Set(state.unplaced(Number(level)));
    return (page) => pages.has(page);
  },
};

/**
 * The person who last placed or confirmed a page in this draft; null if it has no place, or has had it from the start.
 * @param {import("../drafts/store.js").DraftStore} store
 * @param {string} page
 */
export function placerOf(store, page) {
  const revision = store.state.touched.get(page);
  if (revision === undefined || !hasPlace(store.state, page)) return null;
  return revision > store.revision ? store.me : store.authors.of(revision);
}

/**
 * The words of a filter.
 * @param {Kind} kind
 * @param {string} value
 * @param {import("../drafts/store.js").DraftStore} store
 */
export function wordsOf(kind, value, store) {
  if (kind === "in") return store.state.topic(value) ? store.state.path(value).join(" › ") : value;
  if (kind === "by") return `${TITLES.by} ${value}${value === store.me ? " (you)" : ""}`;
  if (kind === "flag") return value === "yes" ? "Flagged" : "Not flagged";
  if (kind === "note") return value === "yes" ? "With a note" : "Without a note";
  if (kind === "unplaced") return `Unplaced on level ${value}`;
  return value;
}

/**
 * The filters of a kind that leave some of these pages, with how many.
 * @param {Kind} kind
 * @param {string[]} pages
 * @param {import("../drafts/store.js").DraftStore} store
 * @returns {Option[]}
 */
export function options(kind, pages, store) {
  return countsOf(kind, pages, store)
    .filter(([, number]) => number > 0)
    .map(([value, number]) => ({ kind, value, words: wordsOf(kind, value, store), pages: number }));
}

/**
 * @param {Kind} kind
 * @param {string[]} pages
 * @param {import("../drafts/store.js").DraftStore} store
 * @returns {[string, number][]}
 */
function countsOf(kind, pages, store) {
  if (kind === "by") return tally(pages, (page) => placerOf(store, page));
  if (kind === "host") return tally(pages, (page) => store.pageOf(page).host);
  return valuesOf(kind, store.state).map((value) => [value, pages.filter(TESTS[kind](store, value)).length]);
}

/** @param {Kind} kind @param {import("../drafts/state.js").DraftState} state */
function valuesOf(kind, state) {
  if (kind === "in") return state.preOrder().filter((id) => !state.isSuggested(id));
  if (kind === "unplaced") return Array.from({ length: state.levels }, (_, at) => String(at + 1));
  return ["yes", "no"];
}

/**
 * Count each value, the most frequent first.
 * @param {string[]} pages
 * @param {(page: string) => string|null} valueAt
 * @returns {[string, number][]}
 */
function tally(pages, valueAt) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const page of pages) {
    const value = valueAt(page);
    if (value) found.set(value, (found.get(value) ?? 0) + 1);
  }
  return [...found].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
}

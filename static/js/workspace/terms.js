// The words that distinguish the pages of a topic. They are marked in texts.

import { topicHue } from "../drafts/marks.js";
import { missingLevels } from "../drafts/placement.js";
import { folded } from "../words/search.js";

const LEAST_CHARS = 3;
const LEAST_PAGES = 2;
const LEAST_SHARE = 0.2;
const TIMES = 3;
const MOST_ELSEWHERE = 0.1;
const MOST = 8;
const AT_ONCE = 250;
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\p{N}+$/u;

/**
 * The words that distinguish topics, from titles and snippets, which the browser has. A word distinguishes a topic if
 * - at least a fifth of its pages, and at least two, have the word,
 * - the word is at least three times as frequent among them as among the other pages, and
 * - at most a tenth of the other pages (or one) have it.
 *
 * The eight words whose shares differ most are used. Words of the topic's name always count. Words of the query and
 * function words ("the", "and") never do.
 */
export class TopicTerms {
  /**
   * @param {import("../drafts/store.js").DraftStore} store
   * @param {{text: string, function_words?: string[]}} query
   * @param {() => void} [onread] called when all pages have been read: until then, only words of names are known
   * @param {(read: () => void) => unknown} [later] calls a function when there is time to read pages; nobody waits for
   *   it
   */
  constructor(store, query, onread = () => {}, later = (read) => read()) {
    this.store = store;
    this.common = new Set([...wordsIn(query.text), ...(query.function_words ?? []).map(folded)]);
    /** @type {Map<string, number>} word -> the number of pages that have it */
    this.pagesWith = new Map();
    /** @type {Map<string, Map<string, number>>} topic -> word -> its weight, until the draft changes */
    this.known = new Map();
    store.addEventListener("change", () => this.known.clear());
    /** @type {Map<string, string[]>} page -> its distinct words */
    this.words = new Map();
    const pages = [...store.pages.values()];
    const read = () => {
      for (const page of pages.splice(0, AT_ONCE)) this.#index(page);
      if (pages.length) return later(read);
      this.isRead = true;
      this.known.clear();
      return onread();
    };
    this.isRead = false;
    later(read);
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  #index({ id, title, snippet }) {
    const words = [...new Set(wordsIn(`${title ?? ""} ${snippet ?? ""}`))].filter((word) => !this.common.has(word));
    this.words.set(id, words);
    for (const word of words) this.pagesWith.set(word, (this.pagesWith.get(word) ?? 0) + 1);
  }

  /** The words of a topic with their weights. @param {string} id @returns {Map<string, number>} */
  of(id) {
    const known = this.known.get(id);
    if (known) return known;
    const { state } = this.store;
    const pages = state.pagesIn(id);
    const found = new Map(this.#apart(pages));
    for (const word of wordsIn(state.topicOf(id).name)) if (!this.common.has(word)) found.set(word, 1);
    this.known.set(id, found);
    return found;
  }

  /** @param {ReadonlySet<string>} pages @returns {[string, number][]} */
  #apart(pages) {
    const { words } = this;
    if (!this.isRead) return [];
    /** @type {Map<string, number>} */
    const within = new Map();
    for (const page of pages) for (const word of words.get(page) ?? []) within.set(word, (within.get(word) ?? 0) + 1);
    const others = words.size - pages.size;
    /** @type {[string, number][]} */
    const found = [];
    for (const [word, count] of within) {
      const inside = count / pages.size;
      const elsewhere = (this.pagesWith.get(word) ?? count) - count;
      const outside = others ? elsewhere / others : 0;
      const rare = elsewhere <= Math.max(1, MOST_ELSEWHERE * others);
      const tells = rare && inside >= LEAST_SHARE && inside >= TIMES * outside;
      if (count >= LEAST_PAGES && others && tells) found.push([word, inside - outside]);
    }
    return found.sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).slice(0, MOST);
  }

  /**
   * The words to mark in the text of a page: those of its topics, and of topics that a digit can still put it into. A
   * word of several topics is marked for the topic in which it has the greatest weight.
   * @param {string} page
   * @param {string[]} offered topics of the digits
   * @returns {import("./marked-text.js").Term[]}
   */
  for(page, offered) {
    const { state } = this.store;
    const open = !state.outliers.has(page) && missingLevels(state, page).length > 0;
    const topics = new Set([...state.finestTopics(page), ...(open ? offered : [])]);
    /** @type {Map<string, {id: string, says: number}>} */
    const best = new Map();
    for (const id of topics)
      for (const [word, says] of this.of(id)) {
        const known = best.get(word);
        if (!known || says > known.says) best.set(word, { id, says });
      }
    return [...best].map(([words, { id }]) => ({
      words,
      whole: true,
      look: `of-topic ${topicHue(state, id)}`,
      title: `${state.path(id).join(" › ")}: sets its pages apart`,
    }));
  }
}

/** Folded words, with repetitions. @param {string} text */
function wordsIn(text) {
  return (folded(text).match(WORD) ?? []).filter((word) => [...word].length >= LEAST_CHARS && !NUMBER.test(word));
}

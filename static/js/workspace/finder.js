// Finds pages by words. Titles, URLs and snippets are here and are searched at once. The texts of pages are not, so the
// site is asked shortly after the last key press. Its responses are cached.

import { wordsOf } from "../common/announce.js";
import { ask } from "../common/http.js";
import { folded, foundIn, parse } from "../words/search.js";

const WAITS = 180;
const TRIES_AGAIN = 3000;
const KEPT = 60;

/**
 * @typedef {{found_in: string[], excerpt: string}} Found
 * @typedef {"none"|"waiting"|"whole"|"here"} Reach nothing is searched for; the site is being asked; everything has
 *   been searched; only titles, URLs and snippets have been searched, because the site cannot be reached
 */

export class Finder {
  /**
   * @param {object} needs
   * @param {Map<string, import("../drafts/types.js").PageInfo>} needs.pages
   * @param {string} needs.address the URL for searching texts
   * @param {() => void} needs.onanswer called when the pages that are found have changed
   * @param {typeof ask} [needs.asking]
   */
  constructor({ pages, address, onanswer, asking = ask }) {
    this.pages = pages;
    this.address = address;
    this.onanswer = onanswer;
    this.asking = asking;
    /** @type {Map<string, Map<string, Found>>} typed text -> page -> where the words are */
    this.answers = new Map();
    /** @type {Map<string, import("../words/search.js").Fields>} */
    this.fields = new Map();
    /** why the site could not be asked */
    this.failure = "";
    this.search = "";
    /** @type {import("../words/search.js").Term[]} */
    this.terms = [];
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** @type {(() => void)[]} called once the search is complete */
    this.waiting = [];
  }

  /** Search for something else. @param {string} search */
  lookFor(search) {
    const wanted = search.trim();
    if (wanted === this.search && !this.failure) return;
    this.search = wanted;
    this.terms = parse(wanted);
    this.failure = "";
    clearTimeout(this.timer);
    if (this.terms.length && !this.answers.has(wanted)) this.timer = setTimeout(() => this.#ask(wanted), WAITS);
  }

  /** The site can be reached again. */
  askAgain() {
    if (this.failure) this.#ask(this.search);
  }

  /** @returns {Reach} */
  get reach() {
    if (!this.terms.length) return "none";
    if (this.answers.has(this.search)) return "whole";
    return this.failure ? "here" : "waiting";
  }

  /**
   * True if a page contains the words, as far as that is known; null if nothing is searched for.
   * @returns {((page: string) => boolean)|null}
   */
  get hit() {
    if (!this.terms.length) return null;
    const known = this.answers.get(this.search);
    if (known) return (page) => known.has(page);
    return (page) => foundIn(this.terms, this.#fieldsOf(page)) !== null;
  }

  /** The text around a word that occurs only in the text of the page. @param {string} page */
  excerptOf(page) {
    return this.answers.get(this.search)?.get(page)?.excerpt ?? "";
  }

  /** How many of these pages are found only by their texts. @param {Iterable<string>} pages */
  byTextAlone(pages) {
    if (this.reach !== "whole") return 0;
    return [...pages].filter((page) => foundIn(this.terms, this.#fieldsOf(page)) === null).length;
  }

  /** Resolve once everything that can be searched has been searched. @returns {Promise<void>} */
  settled() {
    return this.reach === "waiting" ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  /** @param {string} search */
  async #ask(search) {
    clearTimeout(this.timer);
    try {
      const address = new URL(this.address, window.location.href);
      address.searchParams.set("search", search);
      const { results } = await this.asking(address.href);
      this.#keep(
        search,
        new Map(results.map((/** @type {Found & {page: string}} */ { page, ...found }) => [page, found])),
      );
      if (search === this.search) this.failure = "";
    } catch (error) {
      if (search !== this.search) return;
      this.failure = wordsOf(error);
      this.timer = setTimeout(() => this.askAgain(), TRIES_AGAIN);
    }
    if (search !== this.search) return;
    this.onanswer();
    for (const told of this.waiting.splice(0)) told();
  }

  /** @param {string} search @param {Map<string, Found>} found */
  #keep(search, found) {
    this.answers.set(search, found);
    const [oldest] = this.answers.keys();
    if (this.answers.size > KEPT) this.answers.delete(oldest);
  }

  /** @param {string} page */
  #fieldsOf(page) {
    let known = this.fields.get(page);
    if (!known) {
      const { id, rank, title, url, snippet } = this.pages.get(page) ?? {
        id: page,
        rank: null,
        title: "",
        url: "",
        snippet: "",
      };
      known = {
        id: folded(id),
        rank: rank === null ? "" : String(rank),
        title: folded(title),
        address: folded(url),
        snippet: folded(snippet),
      };
      this.fields.set(page, known);
    }
    return known;
  }
}

// Where pages probably belong, and which pages teach most: predictions by the site from the current draft. They are not
// part of the draft. They are shown with a mark and count for nothing until a person accepts them, which places the
// pages.

import { ask, HttpError } from "../common/http.js";
import { withoutSubtopic } from "../drafts/placement.js";

/**
 * @typedef {{page: string, topic: string|null, margin: number, like: string[]}} Prediction a `topic` of null stands for
 *   the outliers
 * @typedef {{topic: string|null, pages: string[]}} Teaching below a topic, or on level 1
 */

/** The site is asked again this many milliseconds after the last change. */
const WAIT = 400;

export class Predictions extends EventTarget {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {() => string|null} needs.cursor returns the page under the cursor
   * @param {string} needs.address
   * @param {typeof ask} [needs.fetch]
   * @param {number} [needs.wait]
   */
  constructor({ store, cursor, address, fetch = ask, wait = WAIT }) {
    super();
    this.store = store;
    this.cursor = cursor;
    this.address = address;
    this.fetch = fetch;
    this.wait = wait;
    /** @type {Map<string, Prediction>} page -> where it probably belongs */
    this.found = new Map();
    /** @type {Teaching[]} */
    this.teaching = [];
    /** @type {Set<string>} predictions that the person has rejected, as long as this page is open */
    this.dismissed = new Set();
    /** the revision of the latest request; -1 before the first response */
    this.revision = -1;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.asking = false;
  }

  start() {
    this.store.addEventListener("change", () => this.#later());
    this.store.addEventListener("save", () => this.#later());
    this.#later();
  }

  /** Wait until everything is saved, because the site predicts from the saved state. */
  #later() {
    if (!this.#isDue()) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(), this.wait);
  }

  #isDue() {
    const { store } = this;
    return !this.asking && !store.readOnly && store.save.kind === "saved" && store.revision !== this.revision;
  }

  async #ask() {
    if (!this.#isDue()) return;
    this.asking = true;
    try {
      const answer = await this.fetch(this.address);
      this.revision = answer.revision;
      this.found = new Map(answer.predictions.map((/** @type {Prediction} */ one) => [one.page, one]));
      this.teaching = answer.teaching.map((/** @type {Teaching} */ one) => this.#steady(one));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Without a network there are no new predictions, and no error message: the next saved change asks again.
      this.revision = this.store.revision;
    } finally {
      this.asking = false;
    }
    this.dispatchEvent(new Event("found"));
    this.#later();
  }

  /**
   * Nothing moves: the order up to the cursor stays. Below it are the pages that teach most now.
   * @param {Teaching} now
   */
  #steady(now) {
    const before = this.teaching.find((one) => one.topic === now.topic)?.pages ?? [];
    const at = before.indexOf(this.cursor() ?? "");
    const first = new Set(before.slice(0, at + 1));
    return { topic: now.topic, pages: [...first, ...now.pages.filter((page) => !first.has(page))] };
  }

  /**
   * The positions in the queue of pages that teach most, including pages that are placed by now.
   * @returns {Map<string, number>}
   */
  order() {
    return new Map(this.teaching.flatMap(({ pages }) => pages).map((page, at) => [page, at]));
  }

  /**
   * Where the page probably belongs, unless it is already there or the person has rejected it.
   * @param {string} page
   * @returns {Prediction|null}
   */
  of(page) {
    const one = this.found.get(page);
    if (!one || this.dismissed.has(keyOf(one)) || this.store.readOnly) return null;
    const { state } = this.store;
    if (state.outliers.has(page) || state.hintedTopics(page).length) return null;
    if (one.topic === null) return state.isPlaced(page) ? null : one;
    const topic = state.topic(one.topic);
    if (!topic || topic.suggested || state.isIn(page, one.topic)) return null;
    // If the page is placed by now, only a topic below its topic is still worth showing.
    const within = withoutSubtopic(state, page);
    if (state.isPlaced(page) && !within.some((id) => id !== one.topic && state.isWithin(one.topic ?? "", id)))
      return null;
    return one;
  }

  /** Pages with a prediction, in the order of the list. @returns {string[]} */
  pages() {
    return this.store.state.inOrder([...this.found.keys()].filter((page) => this.of(page)));
  }

  /**
   * Pages with a prediction, grouped by topic in tree order, then outliers.
   * @returns {import("../drafts/queues.js").Group[]}
   */
  groups() {
    const { state } = this.store;
    /** @type {Map<string|null, string[]>} */
    const held = new Map();
    for (const page of this.pages()) {
      const topic = this.of(page)?.topic ?? null;
      held.set(topic, [...(held.get(topic) ?? []), page]);
    }
    const outliers = { key: "probably outliers", topic: null, name: "Probably outliers", pages: held.get(null) ?? [] };
    const found = state.preOrder().map((topic) => ({ key: topic, topic, pages: held.get(topic) ?? [] }));
    return [...found, outliers].filter((group) => group.pages.length);
  }

  /**
   * The pages that teach most and still wait: first those without a topic, then those that lack a subtopic.
   * @returns {import("../drafts/queues.js").Group[]}
   */
  taught() {
    const { state } = this.store;
    return this.teaching.flatMap(({ topic, pages }) => {
      if (topic !== null && !state.topic(topic)) return [];
      const open = new Set(topic === null ? state.unplaced(1) : state.leftOver(topic));
      const waiting = pages.filter((page) => open.has(page));
      return waiting.length ? [{ key: topic ?? "", topic, pages: waiting }] : [];
    });
  }

  /** @param {string[]} pages @returns {number} how many predictions were removed */
  dismiss(pages) {
    const gone = pages.flatMap((page) => this.of(page) ?? []);
    for (const one of gone) this.dismissed.add(keyOf(one));
    if (gone.length) this.dispatchEvent(new Event("found"));
    return gone.length;
  }

  /** The operations that accept the predictions for the pages. @param {string[]} pages */
  operations(pages) {
    /** @type {Map<string|null, string[]>} */
    const held = new Map();
    for (const page of pages) {
      const one = this.of(page);
      if (one) held.set(one.topic, [...(held.get(one.topic) ?? []), page]);
    }
    return [...held].map(([topic, some]) =>
      topic === null ? { kind: "outlier", pages: some } : { kind: "assign", pages: some, topics: [topic] },
    );
  }
}

/** @param {Prediction} one */
function keyOf({ page, topic }) {
  return JSON.stringify([page, topic]);
}

// Going places: to a queue, a topic, a page, an issue; from region to region.

import { announce, say } from "../common/announce.js";
import { byId, count, setAttribute } from "../common/elements.js";
import { doneMessage } from "./remaining-work.js";
import { queuesNow } from "./visible-queues.js";

/** @typedef {"topics"|"pages"|"page"} Region @typedef {{focus: () => unknown}} Focusable */

/** @type {Region[]} */
const REGIONS = ["topics", "pages", "page"];

export class Navigation {
  /** @param {{store: import("../drafts/store.js").DraftStore, view: import("./view.js").View}} needs */
  constructor({ store, view }) {
    this.store = store;
    this.view = view;
    /** @type {Region} where the focus is, or was last */
    this.region = "pages";
    /** Told which region comes into sight. @type {(name: Region) => void} */
    this.onshow = () => undefined;
  }

  /**
   * The regions to go to, once they are there.
   * @param {object} regions
   * @param {Focusable & {reveal: (id: string, focus?: boolean) => void}} regions.tree
   * @param {Focusable} regions.pages the list, or what lies over it
   * @param {Focusable & {opened: () => void}} regions.panel
   * @param {import("./unread.js").Unread} regions.unread
   */
  attach({ tree, pages, panel, unread }) {
    this.tree = tree;
    this.unread = unread;
    this.parts = { topics: tree, pages, page: panel };
  }

  // What is listed

  /**
   * Search and filters go along to another queue, as chips show, unless all of it is wanted.
   * @param {string} key
   * @param {{whole?: boolean}} [how]
   */
  queue(key, { whole = false } = {}) {
    const queue = queuesNow(this.view).find((one) => one.key === key);
    if (!queue) return say("There is no such queue in this draft.");
    if (whole) this.#showAll(key);
    else this.view.show(key);
    this.focus("pages");
    const narrowed = this.view.isNarrowed ? `, of ${queue.pages} without search and filters` : "";
    announce(`${queue.words}: ${count(this.view.matching.size, "page")}${narrowed}`);
    return true;
  }

  /**
   * A queue or a topic with all its pages.
   * @param {string} queue
   * @param {{topic?: string|null, page?: string|null}} [at]
   */
  #showAll(queue, at = {}) {
    byId("page-search").value = "";
    this.view.show(queue, { ...at, search: "", filters: {} });
  }

  /** @param {string} id */
  topic(id) {
    this.#showAll("topic", { topic: id });
    this.show("pages");
    announce(`Pages in ${this.store.state.topicOf(id).name}: ${count(this.view.matching.size, "page")}`);
  }

  /** @param {string} page */
  page(page) {
    if (!this.view.places.has(page)) {
      this.#showAll("all", { page });
    }
    this.view.goTo(page);
    this.focus("pages");
  }

  /** @param {import("../drafts/issues.js").Issue} issue */
  issue({ code, level, topic, pages }) {
    const first = pages.at(0);
    if (code === "page-without-subtopic") this.queue("between", { whole: true });
    else if (level && ((code === "page-without-topic" && level > 1) || (first && !topic)))
      this.queue(`level-${level}`, { whole: true });
    const inSight = first !== undefined && this.view.places.has(first);
    if (inSight) return this.page(first);
    if (!topic || !this.store.state.topic(topic)) return this.focus("pages");
    this.reveal(topic);
    return this.focus("topics");
  }

  next() {
    const row = this.view.nextUnfinished();
    if (row !== null) return this.view.goTo(row.page, { group: row.group });
    this.view.sweep();
    return say(doneMessage(this.view));
  }

  nextUnread() {
    const page = this.unread?.next(this.view.pages, this.view.cursor) ?? null;
    if (page !== null) return this.view.goTo(page);
    return say("You have read every page that is listed here.");
  }

  /** All of the queue, but for filters. */
  endSearch() {
    byId("page-search").value = "";
    this.view.find("");
  }

  /** All of the queue. */
  widen() {
    byId("page-search").value = "";
    this.view.widen();
  }

  /** What has opened above the regions and belongs to the address. @param {string|null} name */
  opened(name) {
    this.view.setSheet(name);
  }

  // Regions

  /** On a phone only one is in sight. @param {Region} name */
  show(name) {
    byId("curate").dataset.region = name;
    for (const tab of byId("region-tabs").children) {
      if (/** @type {HTMLElement} */ (tab).dataset.go === name) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    this.region = name;
    if (name === "page") this.parts?.page.opened();
    this.onshow(name);
  }

  /** @param {Region} name */
  focus(name) {
    this.show(name);
    this.parts?.[name].focus();
  }

  focusAgain() {
    this.focus(this.region);
  }

  /** The list gets the focus; on a phone what is in sight stays. */
  focusList() {
    this.parts?.pages.focus();
  }

  /** @param {number} by */
  turn(by) {
    this.focus(REGIONS[(REGIONS.indexOf(this.region) + by + REGIONS.length) % REGIONS.length]);
  }

  /**
   * The focus has gone somewhere; the style sheet is told, too: what it would have to look for is looked for at each
   * change.
   * @param {Element} element
   */
  hear(element) {
    const name = REGIONS.find((one) => byId(`region-${one}`).contains(element));
    if (name) this.region = name;
    setAttribute(byId("curate"), "data-focus", name ?? null);
  }

  showPageOnPhone() {
    if (getComputedStyle(byId("region-tabs")).display !== "none") this.show("page");
  }

  /** Opens what hides a topic among the topics. @param {string} id @param {boolean} [focus] */
  reveal(id, focus = false) {
    this.tree?.reveal(id, focus);
  }
}

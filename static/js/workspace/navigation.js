// Navigation: to a queue, a topic, a page or an issue, and between regions.

import { announce, say } from "../common/announce.js";
import { byId, count, setAttribute } from "../common/elements.js";
import { doneMessage } from "./remaining-work.js";
import { visibleQueues } from "./visible-queues.js";

/** @typedef {"topics"|"pages"|"page"} Region @typedef {{focus: () => unknown}} Focusable */

/** @type {Region[]} */
const REGIONS = ["topics", "pages", "page"];

export class Navigation {
  /** @param {{store: import("../drafts/store.js").DraftStore, view: import("./view.js").View}} needs */
  constructor({ store, view }) {
    this.store = store;
    this.view = view;
    /** @type {Region} the region that has, or last had, the focus */
    this.region = "pages";
    /** Called with the region that comes into sight. @type {(name: Region) => void} */
    this.onshow = () => undefined;
  }

  /**
   * Set the regions, once they exist.
   * @param {object} regions
   * @param {Focusable & {reveal: (id: string, focus?: boolean) => void}} regions.tree
   * @param {Focusable} regions.pages the list, or what covers it
   * @param {Focusable & {opened: () => void}} regions.panel
   * @param {import("./unread.js").Unread} regions.unread
   */
  attach({ tree, pages, panel, unread }) {
    this.tree = tree;
    this.unread = unread;
    this.parts = { topics: tree, pages, page: panel };
  }

  // The list

  /**
   * Show another queue. Search and filters stay, as the chips show, unless `whole` is true.
   * @param {string} key
   * @param {{whole?: boolean}} [how]
   */
  queue(key, { whole = false } = {}) {
    const queue = visibleQueues(this.view).find((one) => one.key === key);
    if (!queue) return say("This draft has no such queue.");
    if (whole) this.#showAll(key);
    else this.view.show(key);
    this.focus("pages");
    const narrowed = this.view.isNarrowed ? `, of ${queue.pages} without search and filters` : "";
    announce(`${queue.words}: ${count(this.view.matching.size, "page")}${narrowed}`);
    return true;
  }

  /**
   * Show a queue or a topic with all its pages.
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
    this.view.removeFinished();
    return say(doneMessage(this.view));
  }

  nextUnread() {
    const page = this.unread?.next(this.view.pages, this.view.cursor) ?? null;
    if (page !== null) return this.view.goTo(page);
    return say("You have read every page that is listed here.");
  }

  /** End the search; filters stay. */
  endSearch() {
    byId("page-search").value = "";
    this.view.find("");
  }

  /** Show the whole queue. */
  widen() {
    byId("page-search").value = "";
    this.view.widen();
  }

  /** Set what is open above the regions and appears in the URL. @param {string|null} name */
  opened(name) {
    this.view.setSheet(name);
  }

  // Regions

  /** Show a region. On a phone only one is in sight. @param {Region} name */
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

  /** Focus the list. On a phone, the same region stays in sight. */
  focusList() {
    this.parts?.pages.focus();
  }

  /** @param {number} by */
  turn(by) {
    this.focus(REGIONS[(REGIONS.indexOf(this.region) + by + REGIONS.length) % REGIONS.length]);
  }

  /**
   * The focus has moved. The style sheet gets the region as an attribute, because it would otherwise search for the
   * focus after each change.
   * @param {Element} element
   */
  focusMoved(element) {
    const name = REGIONS.find((one) => byId(`region-${one}`).contains(element));
    if (name) this.region = name;
    setAttribute(byId("curate"), "data-focus", name ?? null);
  }

  showPageOnPhone() {
    if (getComputedStyle(byId("region-tabs")).display !== "none") this.show("page");
  }

  /** Open the topics that hide a topic. @param {string} id @param {boolean} [focus] */
  reveal(id, focus = false) {
    this.tree?.reveal(id, focus);
  }
}

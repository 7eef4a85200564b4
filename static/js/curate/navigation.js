// Going places: to a queue, a topic, a page, an issue; from region to region.

import { announce, say } from "./announce.js";
import { byId, count } from "./elements.js";
import { queuesNow } from "./queues-shown.js";

/** @typedef {"topics"|"pages"|"page"} Region */

/** @type {Region[]} */
const REGIONS = ["topics", "pages", "page"];

export class Navigation {
  /** @param {{store: import("./store.js").DraftStore, view: import("./view.js").View}} needs */
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
   * @param {{tree: import("./tree.js").Tree, list: import("./pagelist.js").PageList, panel: import("./pagepanel.js").PagePanel}} regions
   */
  attach({ tree, list, panel }) {
    this.tree = tree;
    this.parts = { topics: tree, pages: list, page: panel };
  }

  // What is listed

  /** @param {string} key */
  queue(key) {
    const queue = queuesNow(this.view).find((one) => one.key === key);
    if (!queue) return say("There is no such queue in this draft.");
    this.endSearch();
    this.view.show(key, { search: "" });
    this.focus("pages");
    announce(`${queue.words}: ${count(queue.pages, "page")}`);
    return true;
  }

  /** @param {string} id */
  topic(id) {
    this.endSearch();
    this.view.show("topic", { topic: id, search: "" });
    this.show("pages");
    announce(`Pages in ${this.store.state.topicOf(id).name}: ${count(this.view.matching.size, "page")}`);
  }

  /** @param {string} page */
  page(page) {
    if (!this.view.places.has(page)) {
      this.endSearch();
      this.view.show("all", { search: "", page });
    }
    this.view.goTo(page);
    this.focus("pages");
  }

  /** @param {import("./issues.js").Issue} issue */
  issue({ code, level, topic, pages }) {
    const first = pages.at(0);
    if (code === "page-without-subtopic") this.queue("between");
    else if (level && ((code === "page-without-topic" && level > 1) || (first && !topic))) this.queue(`level-${level}`);
    const inSight = first !== undefined && this.view.places.has(first);
    if (inSight) return this.page(first);
    if (!topic || !this.store.state.topic(topic)) return this.focus("pages");
    this.reveal(topic);
    return this.focus("topics");
  }

  next() {
    const page = this.view.nextUnfinished();
    if (page !== null) return this.view.goTo(page);
    this.view.sweep();
    return say("Nothing is unfinished here.");
  }

  /** The field is emptied; what is listed has to be told. */
  endSearch() {
    /** @type {HTMLInputElement} */ (byId("page-search")).value = "";
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

  /** The focus has gone somewhere. @param {Element} element */
  hear(element) {
    const name = REGIONS.find((one) => byId(`region-${one}`).contains(element));
    if (name) this.region = name;
  }

  showPageOnPhone() {
    if (getComputedStyle(byId("region-tabs")).display !== "none") this.show("page");
  }

  /** Opens what hides a topic among the topics. @param {string} id @param {boolean} [focus] */
  reveal(id, focus = false) {
    this.tree?.reveal(id, focus);
  }
}

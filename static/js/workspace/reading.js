// The text of a page, large over the list. Keys still work: digits place the page, and the next page is shown.

import { announce } from "../common/announce.js";
import { addressLine, button, byId, fill, make } from "../common/elements.js";
import { marked } from "./marked-text.js";

export class Reading {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./page-panel.js").PagePanel} needs.panel provides the texts
   * @param {(page: string) => readonly (string|import("./marked-text.js").Term)[]} needs.terms the words to mark
   * @param {{next: () => unknown, previous: () => unknown, unread: () => unknown}} needs.turn moves to another page
   */
  constructor({ store, view, keys, go, panel, terms, turn }) {
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.go = go;
    this.panel = panel;
    this.terms = terms;
    this.root = byId("reading");
    /** @type {string|null} */
    this.page = null;
    this.shown = "";
    this.where = make("span", { class: "reading-where" });
    /** @param {string} words @param {string} action @param {() => unknown} run */
    const tool = (words, action, run, more = {}) => {
      const made = button(words, run, { key: " ", kind: "tool small", ...more });
      made.dataset.action = action;
      return made;
    };
    this.text = make("div", {
      class: "scroller reading-text",
      tabindex: "0",
      role: "group",
      "aria-labelledby": "reading-title",
    });
    fill(
      this.root,
      make(
        "header",
        {},
        this.where,
        tool("Previous", "previous", turn.previous),
        tool("Next", "next", turn.next),
        tool("Unread", "unread", turn.unread),
        tool("Close", "read", () => this.close(), { id: "reading-close", title: "Back to the list" }),
      ),
      this.text,
    );
  }

  get isOpen() {
    return !this.root.hidden;
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  open() {
    if (!this.view.page) return announce("There is no page to read.");
    this.root.hidden = false;
    byId("list-scroller").inert = true;
    this.page = null;
    this.render();
    this.go.focus("pages");
  }

  close() {
    if (!this.isOpen) return;
    this.#hide();
    this.go.focus("pages");
  }

  #hide() {
    this.root.hidden = true;
    byId("list-scroller").inert = false;
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  render() {
    if (!this.isOpen) return;
    const { page } = this.view;
    if (!page) {
      // Somebody who types a search that finds nothing can go on typing.
      const had = this.root.contains(document.activeElement);
      this.#hide();
      if (had) this.go.focus("pages");
      return;
    }
    const { known, missing } = this.panel.textOf(page);
    const terms = this.terms(page.id);
    for (const made of this.root.querySelectorAll("[data-action]")) {
      const { action } = /** @type {HTMLElement} */ (made).dataset;
      fill(made.querySelector("kbd"), this.keys.hint(action ?? ""));
    }
    const at = this.view.position;
    fill(
      this.where,
      `Page ${page.rank ?? page.id}`,
      make("span", { class: "muted" }, ` ${at} of ${this.view.pages.length}`),
    );
    const signature = JSON.stringify([page, known, missing, terms]);
    if (signature === this.shown) return;
    this.shown = signature;
    const snippet = known?.snippet || page.snippet;
    fill(
      this.text,
      make(
        "article",
        {},
        make("h2", { id: "reading-title" }, make("bdi", {}, marked(page.title || page.id, terms))),
        addressLine(page),
        snippet && make("p", { class: "reading-snippet" }, make("bdi", {}, marked(snippet, terms))),
        known?.text
          ? make("div", { class: "reading-body" }, make("bdi", {}, marked(known.text, terms)))
          : make("p", { class: "muted" }, missing),
      ),
    );
    if (this.page !== page.id) this.text.scrollTop = 0;
    this.page = page.id;
  }
}

// The guidelines in the side panel: what the curators agreed on, with headings to search, and what is new.

import { toast } from "../common/announce.js";
import { add, bdi, button, byId, fill, make } from "../common/elements.js";
import { ask, HttpError } from "../common/http.js";

/**
 * @typedef {{kind: "same"|"added"|"removed", text: string}} Part
 * @typedef {{number: number, read: number, since: number, html: string, lines: {parts: Part[]}[]}} News see `GuidelinesNews`
 */

export class Guidelines {
  /**
   * @param {object} needs
   * @param {import("../drafts/types.js").Workspace} needs.workspace
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./side-panel.js").SidePanel} needs.side
   */
  constructor({ workspace, store, side }) {
    this.store = store;
    this.side = side;
    this.address = workspace.urls.guidelines;
    this.me = workspace.me;
    this.newsAddress = workspace.urls.guidelines_news;
    /** the current version, and the one that this person read last */
    this.number = workspace.guidelines.number;
    this.read = workspace.guidelines.read;
    /** @type {News|null} the guidelines on the screen */
    this.news = null;
    this.holder = byId("side-guidelines");
    this.link = byId("guidelines-link");
    this.link.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      side.toggle("guidelines");
    });
    store.addEventListener("guidelines", () => this.#hear(store.guidelines));
    side.add("guidelines", { open: () => this.#open(), focus: () => this.#focus() });
    this.#mark();
  }

  /** Somebody has saved another version. @param {number} number */
  #hear(number) {
    if (number <= this.number) return;
    this.number = number;
    this.#mark();
    if (this.side.shown === "guidelines") this.#open();
    else
      toast(`The guidelines changed: version ${number}.`, {
        action: "What changed",
        onaction: () => this.side.open("guidelines"),
      });
  }

  /** Mark the button if something is new. */
  #mark() {
    const isNew = this.number > this.read;
    const words = isNew ? (this.read ? `v${this.number}, changed since you read it` : "not read yet") : "";
    fill(this.link, "Guidelines", words && make("span", { class: "chip warn" }, words));
  }

  async #open() {
    if (this.news?.number === this.number) return;
    try {
      this.news = await ask(this.newsAddress);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (!this.news) this.#failed(error.message);
      return;
    }
    const waits = document.activeElement === byId("side-close");
    this.#render(/** @type {News} */ (this.news));
    if (waits) this.#focus();
    this.#remember(/** @type {News} */ (this.news));
  }

  /** The guidelines are open, so they count as read. @param {News} news */
  async #remember({ number }) {
    if (!number || number <= this.read) return;
    try {
      await ask(this.newsAddress, { me: this.me, method: "POST", body: { version: number } });
      this.read = number;
      this.#mark();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // it counts as new again the next time
    }
  }

  /** @param {string} words */
  #failed(words) {
    fill(
      this.holder,
      make("p", { class: "muted" }, `They could not be loaded. ${words}`),
      button("Try again", () => this.#open(), { kind: "tool small" }),
    );
  }

  /** @param {News} news */
  #render({ number, since, html, lines }) {
    if (!number) {
      fill(this.holder, make("p", { class: "muted" }, "There are no guidelines yet."), this.#page("Open their page"));
      return;
    }
    const text = make("div", { class: "prose", dir: "auto", tabindex: "0", role: "group", "aria-label": "Guidelines" });
    // The site makes and sanitises this HTML (annotations/guidelines/selectors.py), as it does for its own page.
    text.append(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    fill(
      this.holder,
      make("p", { class: "muted small" }, `Version ${number}. `, this.#page("Their page, with every version")),
      lines.length > 0 && this.#changes(since, lines),
      this.#search(text),
      text,
    );
  }

  /** @param {string} words */
  #page(words) {
    return make("a", { href: this.address, target: "_blank", rel: "noopener" }, words);
  }

  /** @param {number} since @param {News["lines"]} lines */
  #changes(since, lines) {
    return make(
      "details",
      { class: "news", open: true },
      make("summary", {}, `What changed since version ${since}, which you read`),
      make(
        "ol",
        { class: "changes" },
        lines.map(({ parts }) => (parts.length ? lineOf(parts) : make("li", { class: "gap" }, "⋯"))),
      ),
    );
  }

  /** Show the headings that contain the words, with the text below them. @param {HTMLElement} text */
  #search(text) {
    const headings = [...text.querySelectorAll("h3, h4, h5, h6")];
    if (!headings.length) return null;
    const found = make("p", { class: "visually-hidden", role: "status" });
    const field = make("input", {
      type: "search",
      class: "find",
      placeholder: "Search the guidelines",
      "aria-label": "Search the guidelines",
      autocomplete: "off",
    });
    field.addEventListener("input", () => {
      const parts = sections(text);
      const words = field.value.trim().toLowerCase();
      let shown = 0;
      for (const part of parts) {
        const hit = part
          .map((one) => one.textContent)
          .join(" ")
          .toLowerCase()
          .includes(words);
        for (const element of part) /** @type {HTMLElement} */ (element).hidden = !hit;
        shown += Number(hit);
      }
      found.textContent = words ? `Found in ${shown} of ${parts.length} parts.` : "";
    });
    return make("div", { class: "guidelines-search" }, field, found);
  }

  #focus() {
    /** @type {HTMLElement} */ (this.holder.querySelector("input, .prose") ?? byId("side-close")).focus();
  }
}

/** @param {Part[]} parts */
function lineOf(parts) {
  const kinds = new Set(parts.map((part) => part.kind));
  const kind = kinds.size > 1 ? "reworded" : parts[0].kind;
  const words = { same: "", added: "added: ", removed: "removed: ", reworded: "reworded: " }[kind];
  return add(
    make("li", { class: kind, dir: "auto" }, make("span", { class: "visually-hidden" }, words)),
    parts.map(({ kind: of, text }) => {
      if (of === "same") return bdi(text);
      return make(of === "added" ? "ins" : "del", {}, bdi(text || " "));
    }),
  );
}

/** The elements of a text, from each heading to the next. @param {HTMLElement} text @returns {Element[][]} */
function sections(text) {
  /** @type {Element[][]} */
  const found = [];
  for (const element of text.children) {
    if (/^H[3-6]$/.test(element.tagName) || !found.length) found.push([]);
    found.at(-1)?.push(element);
  }
  return found;
}

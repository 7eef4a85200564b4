// The panel of the page under the cursor: its text, topics, similar pages, note and history.

import { wordsOf } from "../common/announce.js";
import { add, addressLine, bdi, button, byId, count, fill, make } from "../common/elements.js";
import { ask } from "../common/http.js";
import { isComposing } from "../common/keystrokes.js";
import { TEXT_CHARS } from "../common/limits.js";
import { isSeen } from "../drafts/placement.js";
import { marked } from "./marked-text.js";
import { PagePlaces } from "./page-placement.js";
import { SimilarPages } from "./similar-pages.js";

const WAIT = 120;
const SAVED_BY_THEN = 1000;

export class PagePanel {
  /** @type {HTMLElement} */ head;
  /** @type {HTMLElement} */ snippet;
  /** @type {HTMLElement} */ text;
  /** @type {HTMLElement} */ places;
  /** @type {HTMLElement} */ do;
  /** @type {HTMLElement} */ similar;
  /** @type {HTMLElement} */ note;
  /** @type {HTMLElement} */ history;
  /** @type {HTMLElement} */ empty;
  /** @type {HTMLElement} */ body;
  /** @type {HTMLTextAreaElement} */ noteField;

  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {string} needs.address the URL for the details of a page, with `{key}` for its id
   * @param {import("./marked-words.js").MarkedWords} needs.words the words that are marked in its texts
   * @param {() => void} needs.read opens its text over the list
   * @param {(page: string) => void} needs.onopened called when its text has come into sight, or that it has none
   * @param {() => void} needs.onknown called when the site has sent the details of a page
   */
  constructor({ store, view, keys, actions, go, address, words, read, onopened, onknown }) {
    this.words = words;
    this.read = read;
    this.onopened = onopened;
    this.onknown = onknown;
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
    this.address = address;
    this.root = byId("panel");
    this.page = undefined;
    /** Opens comments on the page; set by the comments. @type {() => unknown} */
    this.comment = () => undefined;
    /**
     * @type {Map<string, import("../drafts/types.js").PageDetails & {old?: boolean}>} page -> its details from the
     *   site: text, similar pages, history
     */
    this.known = new Map();
    /** @type {Map<string, string>} page -> the error, if its details could not be fetched */
    this.failed = new Map();
    /** what the text shows */
    this.shown = "";
    /** @type {number|undefined} */
    this.timer = undefined;
    this.#build();
    this.whereabouts = new PagePlaces({ root: this.places, store, view, actions, go });
    this.alike = new SimilarPages({ root: this.similar, store, keys, actions, go });
  }

  #build() {
    /**
     * @param {"head"|"snippet"|"text"|"places"|"do"|"similar"|"note"|"history"} name
     * @param {...import("../common/elements.js").Child} rest
     */
    const section = (name, ...rest) => {
      this[name] = make("section", { class: `p-${name}` }, ...rest);
      return this[name];
    };
    this.empty = make("div", { class: "panel-empty" }, make("p", {}, "The page under the cursor appears here."));
    this.noteField = make("textarea", {
      class: "form-control",
      rows: "2",
      "aria-label": "Note on this page",
      placeholder: "Note on this page",
      maxlength: TEXT_CHARS,
    });
    this.noteField.addEventListener("change", () => this.#saveNote());
    this.noteField.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || isComposing(event)) return;
      this.#saveNote();
      this.go.focus("pages");
      event.preventDefault();
      event.stopPropagation();
    });
    this.body = make("div", { class: "panel-body" });
    add(
      this.body,
      section("head"),
      section("snippet"),
      section("text"),
      section("places"),
      section("do"),
      section("similar"),
      section("note", make("h3", {}, "Note"), this.noteField),
      section("history"),
    );
    fill(this.root, this.empty, this.body);
    this.head.append(make("h2", { id: "page-title" }, "Page"));
  }

  render() {
    const { page } = this.view;
    this.body.hidden = page === null;
    this.empty.hidden = page !== null;
    if (page === null) {
      this.page = null;
      return;
    }
    if (page.id !== this.page) this.#turnTo(page);
    keepingFocus(this.root, () => {
      this.#renderText(page);
      this.whereabouts.render(page);
      this.#renderDo(page);
      this.alike.render(page, this.known.get(page.id), this.failed.get(page.id));
    });
    this.noteField.disabled = this.store.readOnly;
    const note = this.store.state.notes.get(page.id) ?? "";
    if (document.activeElement !== this.noteField && this.noteField.value !== note) this.noteField.value = note;
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  #turnTo(page) {
    if (this.page) this.#saveNote();
    this.page = page.id;
    this.noteField.value = this.store.state.notes.get(page.id) ?? "";
    this.root.scrollTop = 0;
    fill(
      this.head,
      make(
        "p",
        { class: "kicker" },
        make("span", {}, page.rank ? `Page ${page.rank}` : "Page"),
        this.view.selection.size > 1 && make("span", {}, "under the cursor"),
      ),
      make("h2", { id: "page-title" }, make("bdi", {})),
      addressLine(page, "visit"),
    );
    fill(this.history);
    this.#renderText(page);
    clearTimeout(this.timer);
    const known = this.known.get(page.id);
    if (known) this.#renderKnown(page);
    if (known) this.opened();
    if (!known || known.old) this.timer = setTimeout(() => this.#fetch(page.id), WAIT);
  }

  /** @param {string} id */
  async #fetch(id) {
    try {
      const found = await ask(this.address.replace("{key}", encodeURIComponent(id)));
      this.known.set(id, found);
      this.failed.delete(id);
    } catch (error) {
      // Nothing is lost: title and snippet are here, and the next visit tries again.
      if (!this.known.has(id)) this.failed.set(id, wordsOf(error));
    }
    if (this.page !== id) return;
    keepingFocus(this.root, () => this.#renderKnown(this.store.pageOf(id)));
    this.opened();
    this.onknown();
  }

  /** The text, or the note that there is none, is now in sight. */
  opened() {
    const { page } = this;
    if (page && (this.known.has(page) || this.failed.has(page)) && this.root.checkVisibility()) this.onopened(page);
  }

  /** The text of a page, or why it is missing here. @param {import("../drafts/types.js").PageInfo} page */
  textOf(page) {
    return { known: this.known.get(page.id), missing: this.#missing(page) };
  }

  /** The site can be reached again: fetch what failed. */
  askAgain() {
    if (this.page && this.failed.has(this.page)) this.#fetch(this.page);
  }

  /** After a change, the history of its pages is different. @param {Set<string>|null} pages */
  forget(pages) {
    for (const page of pages ?? this.known.keys()) {
      const known = this.known.get(page);
      if (known) known.old = true;
      if (!known || page !== this.page) continue;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#fetch(page), SAVED_BY_THEN);
    }
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  #renderKnown(page) {
    this.#renderText(page);
    this.alike.render(page, this.known.get(page.id), this.failed.get(page.id));
    if (this.known.has(page.id)) this.#renderHistory(page);
  }

  /**
   * The full snippet of the search engine, and below it the text of the page.
   * @param {import("../drafts/types.js").PageInfo} page
   */
  #renderText(page) {
    const known = this.known.get(page.id);
    const snippet = known?.snippet || page.snippet;
    const terms = this.words.of(page.id);
    const { on } = this.words;
    const signature = JSON.stringify([page.id, snippet, known?.text, this.#missing(page), terms, on]);
    if (this.shown === signature) return;
    this.shown = signature;
    fill(this.head.querySelector("#page-title bdi"), marked(page.title || page.id, terms));
    fill(
      this.snippet,
      make("h3", {}, "Snippet"),
      make(
        "p",
        { class: "snippet", tabindex: "-1", "data-focus": "snippet" },
        snippet
          ? make("bdi", {}, marked(snippet, terms))
          : make("span", { class: "muted" }, "The search result has no snippet."),
      ),
    );
    this.#fillText(page, known?.text, terms);
  }

  /**
   * The box exists before its text arrives, so that nothing below it moves. It stays, with its scroll position, while
   * its page does.
   * @param {import("../drafts/types.js").PageInfo} page
   * @param {string|undefined} text
   * @param {readonly (string|import("./marked-text.js").Term)[]} terms
   */
  #fillText(page, text, terms) {
    const before = this.text.querySelector(".page-text");
    const kept = before instanceof HTMLElement && before.dataset.page === page.id ? before : null;
    const box =
      kept ??
      make("div", {
        class: "page-text",
        tabindex: "0",
        role: "group",
        "aria-label": "Text of the page",
        data: { focus: "text", page: page.id },
      });
    const { scrollTop } = box;
    fill(box, text ? make("bdi", {}, marked(text, terms)) : make("span", { class: "muted" }, this.#missing(page)));
    if (kept) box.scrollTop = scrollTop;
    const hint = (/** @type {string} */ action) => this.keys.hint(action);
    fill(
      this.text.querySelector(".text-head") ?? this.text.appendChild(make("div", { class: "text-head" })),
      make("h3", {}, "Text of the page"),
      button("Read", this.read, {
        kind: "tool small",
        key: hint("read"),
        title: "Its text large, over the list",
        "data-focus": "read",
      }),
      button("Marks", () => this.words.toggle(), {
        kind: "tool small",
        key: hint("mark-words"),
        title: "Words that distinguish topics, in the colours of their topics",
        "aria-pressed": String(this.words.on),
        "data-focus": "marks",
      }),
    );
    if (!kept) {
      before?.remove();
      this.text.append(box);
    }
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  #missing(page) {
    if (this.known.has(page.id))
      return `The collection has no text for this page.${page.url ? " Open its URL to read it." : ""}`;
    return this.failed.has(page.id) ? `It could not be loaded. ${this.failed.get(page.id)}` : "Loading …";
  }

  // Actions

  /** @param {import("../drafts/types.js").PageInfo} page */
  #renderDo(page) {
    const { state } = this.store;
    const targets = this.view.targets();
    // Keys act on the selected pages, these buttons on this page. A key is shown only if both are the same.
    const alone = targets.length === 1 && targets[0] === page.id;
    /** @param {string} id */
    const hint = (id) => (alone ? this.keys.hint(id) : "");
    this.do.hidden = this.store.readOnly;
    if (this.store.readOnly) return fill(this.do);
    /** @param {string} kind */
    const run = (kind) => this.actions.run([{ kind, pages: [page.id] }], [page.id]);
    const outlier = state.outliers.has(page.id);
    const flagged = state.flags.has(page.id);
    const seen = isSeen(state, page.id);
    fill(
      this.do,
      button("Topic…", () => this.actions.pick([page.id]), {
        picture: "topic",
        key: hint("picker"),
        "data-focus": "topic",
      }),
      button(outlier ? "No outlier" : "Outlier", () => run(outlier ? "clear_outlier" : "outlier"), {
        picture: "outlier",
        key: hint("outlier"),
        "data-focus": "outlier",
        "aria-pressed": String(outlier),
      }),
      button(flagged ? "Unflag" : "Flag", () => run(flagged ? "unflag" : "flag"), {
        picture: "flag",
        key: hint("flag"),
        "data-focus": "flag",
        "aria-pressed": String(flagged),
      }),
      button(seen ? "Confirmed" : "Confirm", () => this.actions.confirm([page.id]), {
        picture: "check",
        key: hint("confirm"),
        "data-focus": "confirm",
        "aria-pressed": String(seen),
        title: seen
          ? "Somebody has placed or confirmed it in this draft, and its topics have not changed since then"
          : "Its place is still right after its topics changed",
      }),
      button("Comment", () => this.comment(), {
        picture: "comment",
        key: hint("comment"),
        "data-focus": "comment",
      }),
      !alone &&
        make(
          "p",
          { class: "do-note muted small" },
          `For this page only; keys act on the ${count(targets.length, "selected page")}.`,
        ),
    );
  }

  /** @param {string|null} page */
  mostSimilar(page) {
    const { store } = this;
    const found = (this.known.get(page ?? "")?.similar ?? []).find(
      (one) =>
        store.pages.has(one.page) && (store.state.outliers.has(one.page) || store.state.finestTopics(one.page).length),
    );
    return found?.page ?? null;
  }

  // Note and history

  #saveNote() {
    const id = this.page;
    if (!id || this.store.readOnly) return;
    const text = this.noteField.value.trim();
    if (text !== (this.store.state.notes.get(id) ?? "")) this.actions.run([{ kind: "note", page: id, text }], []);
  }

  focusNote() {
    this.go.show("page");
    this.noteField.focus();
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  #renderHistory(page) {
    const entries = this.known.get(page.id)?.history ?? [];
    /** @param {import("../drafts/types.js").HistoryRow} entry */
    const line = (entry) =>
      make(
        "li",
        {},
        make("time", { datetime: entry.at, title: new Date(entry.at).toLocaleString() }, `r${entry.revision}`),
        bdi(entry.label),
        bdi(entry.by, { class: "muted" }),
      );
    const list = entries.length
      ? make("ol", { class: "page-history" }, entries.map(line))
      : make("p", { class: "muted small" }, "Nobody has changed anything about it yet.");
    const open = this.history.dataset.page === page.id && this.history.querySelector("details")?.open;
    this.history.dataset.page = page.id;
    fill(
      this.history,
      make(
        "details",
        { open },
        make("summary", { "data-focus": "history" }, `History (${count(entries.length, "change")})`),
        list,
      ),
    );
  }

  visit() {
    document.getElementById("visit")?.click();
  }

  focus() {
    (this.text.querySelector(".page-text") ?? this.root).focus();
  }
}

/**
 * Replace the content. If a button had the focus and is gone, the focus moves to the same button, or to the next group.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
function keepingFocus(root, draw) {
  const had = root.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const key = had?.dataset.focus;
  const at = key ? [...root.querySelectorAll(`[data-focus="${key}"]`)].indexOf(had) : -1;
  draw();
  if (!had || had.isConnected) return;
  const alike = key ? [...root.querySelectorAll(`[data-focus="${key}"]:not(:disabled)`)] : [];
  (alike[Math.min(at, alike.length - 1)] ?? root.querySelector('[data-focus="topic"]:not(:disabled)') ?? root).focus();
}

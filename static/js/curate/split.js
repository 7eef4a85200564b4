// Splitting a topic: names for the parts, and each of its pages to one of them, by digit or by click.

import { ImpactLine, openDialog, radios } from "./dialogs.js";
import { add, bdi, button, count, fill, make, setAttribute } from "./elements.js";
import { newTopicId } from "./ids.js";
import { judged } from "./judging.js";
import { NAME_CHARS } from "./limits.js";

const MOST = 9;

/**
 * @typedef {object} SplitNeeds
 * @property {import("./store.js").DraftStore} store
 * @property {import("./view.js").View} view
 * @property {import("./actions.js").Actions} actions
 * @property {import("./navigation.js").Navigation} go
 */

/**
 * @param {SplitNeeds} needs
 * @param {string} id the topic
 */
export function openSplit(needs, id) {
  return new Split(needs, id);
}

class Split {
  /**
   * @param {SplitNeeds} needs
   * @param {string} id
   */
  constructor({ store, view, actions, go }, id) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.go = go;
    this.id = id;
    const { state } = this.store;
    this.pages = state.inOrder(state.pagesIn(id));
    this.where = state.first(id) === 1 ? "children" : "siblings";
    /** @type {HTMLInputElement[]} names of the parts */
    this.parts = [];
    /** @type {string[]} ids of the topics they become */
    this.ids = [];
    /** @type {Map<string, number>} page -> part, from 0 */
    this.chosen = new Map();
    this.names = make("div", { class: "split-names" });
    this.list = make("div", { class: "split-list", role: "group", "aria-label": "Pages of the topic" });
    this.impact = new ImpactLine((list) => judged(this.store.state, list));
    const selected = this.view.selection;
    for (const page of this.pages) if (selected.has(page)) this.chosen.set(page, 0);
    this.#addPart();
    if (!this.chosen.size) this.#addPart();
    openDialog({
      title: `Split “${state.topicOf(id).name}”`,
      kind: "wide",
      content: [
        radios(
          "The parts become",
          [
            { value: "children", words: ["subtopics of ", bdi(state.topicOf(id).name)] },
            { value: "siblings", words: "topics beside it; their pages leave it" },
          ],
          this.where,
          (value) => {
            this.where = value;
            this.#show();
          },
        ),
        this.names,
        button("Another part", () => this.#addPart(true), { picture: "plus", id: "split-more" }),
        make(
          "p",
          { class: "muted small split-help" },
          `${count(this.pages.length, "page")}: put each into a part with its digit, or by a click; 0 leaves it where it is.`,
        ),
        this.list,
        this.impact.element,
      ],
      choices: [
        { words: "Cancel" },
        { words: "Split", kind: "btn btn-primary", primary: true, run: () => this.#split() },
      ],
    });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("click", (event) => this.#click(event));
    this.#drawPages();
    this.#show();
    this.parts[0].focus();
  }

  #addPart(focus = false) {
    if (this.parts.length >= MOST) return;
    const number = this.parts.length + 1;
    const name = make("input", {
      class: "form-control",
      maxlength: NAME_CHARS,
      "aria-label": `Name of part ${number}`,
      placeholder: `Name of part ${number}`,
      autocomplete: "off",
      oninput: () => this.#show(),
    });
    this.parts.push(name);
    add(this.names, make("label", {}, make("kbd", {}, String(number)), name, make("span", { class: "number" }, "0")));
    if (this.list.childElementCount) this.#drawPages();
    if (focus) name.focus();
  }

  #drawPages() {
    const had = this.list.contains(document.activeElement)
      ? document.activeElement?.closest(".split-row").dataset.page
      : null;
    fill(
      this.list,
      this.pages.map((page, at) => this.#row(page, at)),
    );
    if (had) this.list.querySelector(`[data-page="${CSS.escape(had)}"]`)?.focus();
  }

  /** @param {string} page @param {number} at */
  #row(page, at) {
    const { title, host } = this.store.pageOf(page);
    const row = make("div", {
      class: "split-row",
      role: "group",
      tabindex: at === 0 ? "0" : "-1",
      data: { page },
    });
    const marks = this.parts.map((_, part) =>
      make(
        "button",
        { type: "button", tabindex: "-1", class: "part", data: { part }, "aria-label": `Part ${part + 1}` },
        String(part + 1),
      ),
    );
    add(
      row,
      make("span", { class: "what" }, bdi(title || page, { class: "title" }), " ", bdi(host || "", { class: "host" })),
      make("span", { class: "parts" }, marks),
    );
    this.#mark(row);
    return row;
  }

  /** @param {any} row */
  #mark(row) {
    const part = this.chosen.get(row.dataset.page);
    for (const mark of row.querySelectorAll(".part"))
      setAttribute(mark, "aria-pressed", String(Number(mark.dataset.part) === part));
    const { title } = this.store.pageOf(row.dataset.page);
    setAttribute(
      row,
      "aria-label",
      `${title || row.dataset.page}: ${part === undefined ? "stays" : `part ${part + 1}`}`,
    );
  }

  /** @param {any} row @param {any} part */
  #put(row, part) {
    const { page } = row.dataset;
    if (part === null || this.chosen.get(page) === part) this.chosen.delete(page);
    else this.chosen.set(page, part);
    this.#mark(row);
    this.#show();
  }

  /** @param {any} event */
  #key(event) {
    const row = event.target.closest(".split-row");
    if (!row || event.isComposing) return;
    const rows = [...this.list.querySelectorAll(".split-row")];
    /** @param {number} by */
    const go = (by) => rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))].focus();
    if (event.key === "ArrowDown" || event.key === "j") go(1);
    else if (event.key === "ArrowUp" || event.key === "k") go(-1);
    else if (/^[0-9]$/.test(event.key) && Number(event.key) <= this.parts.length) {
      this.#put(row, event.key === "0" ? null : Number(event.key) - 1);
      go(1);
    } else return;
    event.preventDefault();
    for (const one of rows) setAttribute(one, "tabindex", one === document.activeElement ? "0" : "-1");
  }

  /** @param {any} event */
  #click(event) {
    const mark = event.target.closest(".part");
    if (mark) this.#put(mark.closest(".split-row"), Number(mark.dataset.part));
  }

  #operation() {
    const into = this.parts
      .map((name, part) => ({
        name: name.value.trim().replace(/\s+/g, " "),
        pages: this.pages.filter((page) => this.chosen.get(page) === part),
      }))
      .filter((part) => part.name || part.pages.length);
    return {
      kind: "split",
      topic: this.id,
      into: into.map((part, at) => ({ topic: this.#newId(at), ...part })),
      where: this.where,
    };
  }

  /** The id of the topic a part becomes, the same as long as the dialog is open. @param {number} at */
  #newId(at) {
    this.ids[at] ??= newTopicId();
    return this.ids[at];
  }

  #show() {
    this.parts.forEach((name, part) => {
      const size = [...this.chosen.values()].filter((one) => one === part).length;
      const shown = name.parentElement?.lastElementChild;
      if (shown) shown.textContent = String(size);
    });
    const operation = this.#operation();
    const unnamed = operation.into.some((part) => !part.name);
    if (!operation.into.length || unnamed) this.impact.show(null);
    else this.impact.show([operation]);
  }

  #split() {
    const operation = this.#operation();
    const nameless =
      this.parts.find((name, part) => !name.value.trim() && [...this.chosen.values()].includes(part)) ??
      (operation.into.length ? null : this.parts[0]);
    if (nameless) {
      this.impact.element.textContent = "Give the part a name.";
      this.impact.element.className = "impact wrong";
      nameless.focus();
      return false;
    }
    const done = this.actions.run([operation], [], { notice: true });
    if (done && this.where === "children") this.go.reveal(operation.into[0].topic);
    return done;
  }
}

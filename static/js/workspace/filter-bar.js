// The current search and filters: chips that can be removed, how far texts have been searched, and the menu in which
// filters are chosen by typing, arrows or mouse.

import {
  bdi,
  button,
  byId,
  count,
  figure,
  fill,
  icon,
  make,
  setAttribute,
  setText,
  targetOf,
} from "../common/elements.js";
import { isComposing } from "../common/keystrokes.js";
import { folded } from "../words/search.js";
import { openDialog } from "./dialogs.js";
import { KINDS, options, TITLES, wordsOf } from "./filters.js";
import { shown, wholeQueue } from "./visible-queues.js";

const SHOWN = 80;
/** For each kind, while nothing is typed. */
const SHOWN_OF_KIND = 8;

export class FilterBar {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./navigation.js").Navigation} needs.go
   */
  constructor({ store, view, keys, go }) {
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.go = go;
    this.root = byId("narrowed");
    this.chips = make("span", { class: "filter-chips" });
    this.status = make("span", { class: "filter-status", role: "status" });
    this.all = button("Clear all", () => this.#clear(), { kind: "link-button", id: "clear-filters" });
    fill(this.root, this.chips, this.status, this.all);
    /** what the chips show */
    this.signature = "";
    byId("filter").addEventListener("click", () => this.open());
  }

  render() {
    const { view } = this;
    this.root.hidden = !view.isNarrowed;
    setText(byId("filter").querySelector("kbd"), this.keys.hint("filter-pages"));
    setAttribute(byId("filter"), "aria-pressed", String(Object.keys(view.filters).length > 0));
    setText(this.status, view.isNarrowed ? this.#statusWords() : "");
    const words = view.finder.terms.length ? view.search.trim() : "";
    const wanted = KINDS.flatMap((kind) => {
      const value = view.filters[kind];
      return value ? [{ kind, words: wordsOf(kind, value, this.store) }] : [];
    });
    const signature = JSON.stringify([words, wanted]);
    if (signature === this.signature) return;
    this.signature = signature;
    const had = this.root.contains(document.activeElement);
    fill(
      this.chips,
      words && this.#chip("search", `“${words}”`, () => this.go.endSearch()),
      wanted.map((one) => this.#chip(one.kind, one.words, () => this.#remove(one.kind))),
    );
    if (!had) return;
    const next = /** @type {HTMLElement|null} */ (this.chips.querySelector("button"));
    if (next) next.focus();
    else this.go.focusList();
  }

  #statusWords() {
    const { view } = this;
    const found = count(view.matching.size, "page");
    const { reach } = view.finder;
    if (reach === "waiting") return `${found} so far; searching texts …`;
    if (reach === "here") return `${found}, in titles, URLs and snippets only. Texts could not be searched.`;
    const alone = view.finder.byTextAlone(view.matching);
    return alone ? `${found}, ${figure(alone)} by ${alone === 1 ? "its text" : "their texts"} alone` : found;
  }

  /** @param {string} kind @param {string} words @param {() => void} remove */
  #chip(kind, words, remove) {
    const title = kind === "search" ? "Search" : TITLES[/** @type {import("./filters.js").Kind} */ (kind)];
    const plain = ["in", "host"].includes(kind);
    return make(
      "span",
      { class: "filter-chip", data: { kind } },
      plain && make("span", { class: "muted" }, `${title} `),
      bdi(words),
      make(
        "button",
        {
          type: "button",
          class: "x",
          "aria-label": `Remove: ${plain ? `${title} ` : ""}${words}`,
          title: "Remove",
          onclick: remove,
        },
        icon("close"),
      ),
    );
  }

  /** @param {import("./filters.js").Kind} kind */
  #remove(kind) {
    const { [kind]: _gone, ...filters } = this.view.filters;
    this.view.narrow({ filters });
  }

  #clear() {
    this.go.widen();
    this.go.focusList();
  }

  /** Open the menu of filters. */
  open() {
    return new FilterMenu(this.store, this.view);
  }
}

class FilterMenu {
  /** @param {import("../drafts/store.js").DraftStore} store @param {import("./view.js").View} view */
  constructor(store, view) {
    this.store = store;
    this.view = view;
    this.at = 0;
    this.field = make("input", {
      type: "text",
      class: "pick-field",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "filter-list",
      "aria-autocomplete": "list",
      "aria-label": "Filter pages",
      placeholder: "Topic, host, person, flag, note, level …",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.list = make("div", { class: "pick-list", id: "filter-list", role: "listbox", "aria-label": "Filters" });
    this.options = this.#options();
    /** @type {import("./filters.js").Option[]} */
    this.choices = [];
    const keys = make(
      "p",
      { class: "pick-keys" },
      make("span", {}, make("kbd", {}, "Enter"), " choose, or no longer"),
      make("span", {}, make("kbd", {}, "Esc"), " close"),
    );
    this.dialog = openDialog({ title: "Filter pages", kind: "pick", content: [this.field, this.list, keys] });
    this.field.addEventListener("input", () => this.#draw());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("click", (event) => this.#click(event));
    this.list.addEventListener("pointermove", (event) => this.#hover(event));
    this.field.focus();
    this.#draw();
  }

  /**
   * Count what each filter would leave of the list. Other filters of its kind are ignored, because a kind has one
   * value.
   */
  #options() {
    const { view, store } = this;
    const whole = wholeQueue(view);
    return KINDS.flatMap((kind) => {
      const { [kind]: _own, ...others } = view.filters;
      const shows = shown(view, others);
      return options(kind, shows ? whole.filter(shows) : whole, store);
    });
  }

  #draw() {
    const words = folded(this.field.value).split(/\s+/).filter(Boolean);
    const hits = this.options.filter((one) => {
      const text = folded(`${TITLES[one.kind]} ${one.words}`);
      return words.every((word) => text.includes(word));
    });
    const most = words.length ? SHOWN : SHOWN_OF_KIND;
    /** @type {import("../common/elements.js").Child[]} */
    const rows = [];
    this.choices = [];
    for (const kind of ORDER) {
      const here = hits.filter((one) => one.kind === kind);
      if (!here.length) continue;
      const some = here.slice(0, most);
      rows.push(make("p", { class: "pick-kind", role: "presentation" }, TITLES[kind]));
      rows.push(some.map((one, at) => this.#option(one, this.choices.length + at)));
      this.choices.push(...some);
      const more = here.length - some.length;
      if (more)
        rows.push(
          make("p", { class: "muted small pick-more" }, `and ${figure(more)} more. Type some letters to find them.`),
        );
    }
    if (!rows.length)
      rows.push(make("p", { class: "muted small pick-more" }, "No filter with these words matches a page."));
    fill(this.list, rows);
    this.#go(0);
  }

  /** @param {import("./filters.js").Option} option @param {number} at */
  #option({ kind, value, words, pages }, at) {
    const on = this.view.filters[kind] === value;
    return make(
      "div",
      { class: "pick-row", role: "option", id: `filter-${at}`, "aria-checked": on ? "true" : null, data: { at } },
      make("span", { class: "menu-mark", "aria-hidden": "true" }, on && icon("check")),
      bdi(words, { class: "pick-path" }),
      make("span", { class: "number" }, figure(pages)),
    );
  }

  /** @param {number} to */
  #go(to) {
    const { length } = this.choices;
    this.at = length ? (to + length) % length : -1;
    for (const each of this.list.querySelectorAll("[role=option]"))
      setAttribute(/** @type {HTMLElement} */ (each), "aria-selected", String(each.id === `filter-${this.at}`));
    const option = document.getElementById(`filter-${this.at}`);
    setAttribute(this.field, "aria-activedescendant", option ? option.id : null);
    option?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isComposing(event)) return;
    if (event.key === "ArrowDown") this.#go(this.at + 1);
    else if (event.key === "ArrowUp") this.#go(this.at - 1);
    else if (event.key === "Enter") this.#choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const option = targetOf(event).closest("[role=option]");
    if (option && Number(option.dataset.at) !== this.at) this.#go(Number(option.dataset.at));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const option = targetOf(event).closest("[role=option]");
    if (!option) return;
    this.at = Number(option.dataset.at);
    this.#choose();
  }

  #choose() {
    const choice = this.choices[this.at];
    if (!choice) return;
    const { [choice.kind]: before, ...others } = this.view.filters;
    this.dialog.close();
    this.view.narrow({ filters: before === choice.value ? others : { ...others, [choice.kind]: choice.value } });
  }
}

/** Short kinds come first: there may be hundreds of hosts. @type {import("./filters.js").Kind[]} */
const ORDER = ["unplaced", "flag", "note", "by", "in", "host"];

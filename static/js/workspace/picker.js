// Choose a topic by typing words of its path, in any order. New topics are made only from their own row, never by
// accident.

import { add, bdi, fill, icon, make, setAttribute, targetOf } from "../common/elements.js";
import { isComposing } from "../common/keystrokes.js";
import { nameKey } from "../common/text.js";
import { topicMark } from "../drafts/marks.js";
import { openDialog } from "./dialogs.js";
import { digitKey } from "./digits.js";
import { alike, endsAlike, rankOf } from "./topic-search.js";

const SHOWN = 60;
const SEPARATORS = /[›>/]/;

/**
 * @typedef {{kind: "topic", topic: string|null}|{kind: "new", name: string, parent: string|null}} Choice
 * @typedef {{store: import("../drafts/store.js").DraftStore, view: import("./view.js").View}} PickerNeeds
 *
 * @typedef {{title: string, topics?: string[], root?: string, create?: {parent: string|null}|null, checked?: (id: string) => string,
 *          choose: (choice: Choice, how: {only: boolean, stay: boolean}) => void,
 * preview?: (choice: Choice, only: boolean) => import("../drafts/impact.js").Preview, only?: boolean}} Given `root`:
 *   the words of a first row that stands for no topic (null)
 */

/**
 * @param {PickerNeeds} needs
 * @param {Given} given
 */
export function openPicker(needs, given) {
  return new Picker(needs, given);
}

class Picker {
  /** @type {Choice[]} */ choices = [];
  /** the number of hits that are not shown */ more = 0;
  /**
   * @param {PickerNeeds} needs
   * @param {Given} given
   */
  constructor({ store, view }, given) {
    this.store = store;
    this.view = view;
    this.given = given;
    this.at = 0;
    this.field = make("input", {
      type: "text",
      class: "pick-field",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "pick-list",
      "aria-autocomplete": "list",
      "aria-label": given.title,
      placeholder: "Type a few letters of the topic or its path",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "400",
    });
    this.list = make("div", { class: "pick-list", id: "pick-list", role: "listbox", "aria-label": "Topics" });
    this.line = make("p", { class: "impact", role: "status" });
    /** True once Enter has been pressed on a row that would make a new topic. */
    this.again = false;
    this.dialog = openDialog({
      title: given.title,
      kind: "pick",
      content: [this.field, this.list, make("div", { class: "pick-foot" }, this.line, this.#help())],
    });
    this.field.addEventListener("input", () => this.#search());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("click", (event) => this.#click(event));
    this.list.addEventListener("pointermove", (event) => this.#hover(event));
    this.field.focus();
    this.#search();
  }

  #help() {
    /** @param {string} key @param {string} words */
    const keys = (key, words) => make("span", {}, make("kbd", {}, key), ` ${words}`);
    return make(
      "p",
      { class: "pick-keys" },
      keys("Enter", this.given.checked ? "put in or take out" : "choose"),
      this.given.only && keys("Shift+Enter", "only this one on its level"),
      this.given.checked && keys("Ctrl+Enter", "and stay"),
      keys("Esc", "close"),
    );
  }

  // Finding topics

  #search() {
    const { state } = this.store;
    const text = this.field.value;
    const words = nameKey(text)
      .split(/[\s›>/]+/)
      .filter(Boolean);
    const topics = this.given.topics ?? state.preOrder();
    /** @type {{choice: Choice, rank: number, order: number}[]} */
    const found = [];
    topics.forEach((id, order) => {
      const rank = rankOf(state.path(id), words);
      if (rank !== null) found.push({ choice: { kind: "topic", topic: id }, rank, order });
    });
    found.sort((one, other) => one.rank - other.rank || one.order - other.order);
    this.choices = found.slice(0, SHOWN).map((one) => one.choice);
    if (this.given.root && !words.length) this.choices.unshift({ kind: "topic", topic: null });
    this.more = found.length - SHOWN;
    this.again = false;
    const news = this.given.create ? this.#news(text) : [];
    this.at = this.choices.length ? 0 : -1;
    this.choices.push(...news);
    this.#draw();
  }

  /**
   * Rows that would make a topic: at the typed path, in the current topic, and on level 1.
   * @param {string} text
   * @returns {Choice[]}
   */
  #news(text) {
    const { state } = this.store;
    const parts = text.split(SEPARATORS).map((part) => part.trim().replace(/\s+/g, " "));
    const name = parts.pop();
    if (!name) return [];
    const path = parts.filter(Boolean);
    const under = path.length ? state.preOrder().find((id) => endsAlike(state.path(id), path)) : undefined;
    const parents = under ? [under] : [this.given.create?.parent ?? null, null];
    return [...new Set(parents)]
      .filter((parent) => parent === null || state.topic(parent))
      .filter((parent) => !state.childrenOf(parent).some((id) => alike(state.topicOf(id).name, name)))
      .map((parent) => ({ kind: "new", name, parent }));
  }

  // Drawing

  #draw() {
    fill(
      this.list,
      this.choices.map((choice, at) => this.#option(choice, at)),
      this.more > 0 && make("p", { class: "muted small pick-more" }, `and ${this.more} more. Type on to find them.`),
      !this.choices.length &&
        make(
          "p",
          { class: "muted small pick-more" },
          this.given.create ? "Type the name of a topic, or of a new one." : "No topic has these words in its path.",
        ),
    );
    this.#point();
  }

  /** @param {Choice} choice @param {number} at */
  #option(choice, at) {
    const option = make("div", {
      class: `pick-row ${choice.kind}`,
      role: "option",
      id: `pick-${at}`,
      data: { at },
    });
    if (choice.kind === "new")
      return add(
        option,
        icon("plus"),
        make(
          "span",
          {},
          "New topic ",
          bdi(`“${choice.name}”`, { class: "end" }),
          choice.parent === null ? " on level 1" : [" in ", bdi(this.store.state.path(choice.parent).join(" › "))],
        ),
      );
    if (choice.topic === null) return add(option, icon("topic"), make("span", { class: "end" }, this.given.root));
    const { state } = this.store;
    const checked = this.given.checked?.(choice.topic);
    const digit = this.view.digits().keys.get(choice.topic);
    const names = state.path(choice.topic);
    if (checked) setAttribute(option, "aria-checked", checked);
    return add(
      option,
      checked
        ? make("span", { class: "box", data: { checked } })
        : make("span", { class: topicMark(this.store.state, choice.topic) }),
      make(
        "span",
        { class: "pick-path" },
        names.map((name, step) => [
          step > 0 && make("span", { class: "sep", "aria-hidden": "true" }, " › "),
          bdi(name, { class: step === names.length - 1 ? "end" : "" }),
        ]),
      ),
      digit && this.given.checked && make("kbd", { "aria-hidden": "true" }, digitKey(digit)),
      this.given.only && make("span", { class: "only", title: "Only this one on its level" }, "only"),
      make("span", { class: "number" }, String(state.pagesIn(choice.topic).size)),
    );
  }

  #point() {
    const options = [...this.list.querySelectorAll("[role=option]")];
    for (const [at, each] of options.entries()) setAttribute(each, "aria-selected", String(at === this.at));
    const option = document.getElementById(`pick-${this.at}`);
    setAttribute(this.field, "aria-activedescendant", option ? option.id : null);
    option?.scrollIntoView({ block: "nearest" });
    this.#preview(false);
  }

  /** @param {boolean} only */
  #preview(only) {
    const choice = this.choices[this.at];
    const found =
      choice && this.given.preview ? this.given.preview(choice, only) : { words: choice ? "" : this.#howOn() };
    const words =
      choice?.kind === "new" && !found.error
        ? [bdi(`Enter ${this.again ? "again " : ""}makes “${choice.name}”.`), " ", found.words]
        : found.words;
    fill(this.line, words || "\u00a0");
    this.line.className = `impact${found.error ? " wrong" : found.warns ? " warns" : ""}`;
    this.refused = Boolean(found.error);
  }

  /** If only new topics are offered, typing alone makes nothing, and no typed letter is a key. */
  #howOn() {
    return this.choices.length ? "No topic has that name. Press Enter for a new topic, Esc to leave." : "";
  }

  // Choosing

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isComposing(event)) return;
    if (event.key === "ArrowDown") this.#go(this.at + 1);
    else if (event.key === "ArrowUp") this.#go(this.at - 1);
    else if (event.key === "Home" && !this.field.value) this.#go(0);
    else if (event.key === "Enter")
      this.#choose({
        only: event.shiftKey && Boolean(this.given.only),
        stay: event.ctrlKey || event.metaKey,
      });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} to */
  #go(to) {
    if (!this.choices.length) return;
    this.at = (to + this.choices.length) % this.choices.length;
    this.#point();
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const option = targetOf(event).closest("[role=option]");
    if (!option || Number(option.dataset.at) === this.at) return;
    this.at = Number(option.dataset.at);
    this.#point();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const option = targetOf(event).closest("[role=option]");
    if (!option) return;
    this.at = Number(option.dataset.at);
    this.#preview(false);
    this.#choose({
      only: Boolean(targetOf(event).closest(".only")) || (event.shiftKey && Boolean(this.given.only)),
      stay: Boolean(targetOf(event).closest(".box")) || event.ctrlKey,
    });
  }

  /** @param {{only: boolean, stay: boolean}} how */
  #choose({ only, stay }) {
    const choice = this.choices[this.at];
    if (!choice && this.choices.length) {
      this.again = true;
      return this.#go(0);
    }
    if (!choice || this.refused) return;
    const staying = stay && Boolean(this.given.checked);
    if (!staying) this.dialog.close();
    this.given.choose(choice, { only, stay: staying });
    if (!staying) return;
    const kept = this.at;
    this.field.select();
    this.#search();
    this.#go(Math.min(kept, this.choices.length - 1));
    this.field.focus();
  }
}

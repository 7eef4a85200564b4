// The topics: one row each, in tree order. The box of a topic refers to the selected pages.

import { refuseChange, toast } from "../common/announce.js";
import {
  add,
  arrange,
  bdi,
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
import { NAME_CHARS } from "../common/limits.js";
import { nameKey } from "../common/text.js";
import { topicMark } from "../drafts/marks.js";
import { waitingFor } from "../drafts/placement.js";
import { digitKey } from "./digits.js";

/**
 * @typedef {{twist: HTMLElement, box: HTMLElement, badge: HTMLElement, dot: HTMLElement, name: HTMLElement, some: HTMLElement,
 * number: HTMLElement, waiting: HTMLElement, bar: HTMLElement, more: HTMLElement}} Parts the elements of a row
 * @typedef {{kind: "rename", topic: string, parent?: undefined, text: string, label: string}} Renaming
 * @typedef {{kind: "add", topic?: undefined, parent: string|null, at: number, text: string, label: string}} Adding
 * @typedef {Renaming|Adding} Editing
 *
 * @typedef {object} Look what the row of a topic shows
 * @property {[name: string, description: string, note: string, suggested: boolean]} topic
 * @property {string} path
 * @property {number} depth
 * @property {[number, number]} levels its first and last level
 * @property {[number, number]} beside its position among its siblings, and the number of siblings
 * @property {boolean|null} expanded null if it has no subtopics
 * @property {number} size
 * @property {number} waiting the number of pages suggested for it
 * @property {number|null} left the number of its pages that are in none of its subtopics; null if it has no accepted
 *   subtopic
 * @property {number} holding how many of the target pages it holds
 * @property {number} targets the number of target pages
 * @property {"true"|"false"|"mixed"} checked
 * @property {boolean} shown true if the list shows its pages
 * @property {boolean} active
 * @property {number} talked the number of open threads
 * @property {string} mark
 * @property {number|undefined} digit
 * @property {string|null} key the key beside it
 */

export class Tree {
  /** @type {Set<string>} the pages that the boxes refer to */ targets = new Set();
  /** @type {Map<string, number>} */ digits = new Map();
  /** @type {string[]} the topics that have a row */ shown = [];
  /** @type {(string|null)[]} the same, with null for the row that is being typed */ visible = [];
  /** @type {WeakMap<HTMLElement, Parts>} */ parts = new WeakMap();
  /** @type {WeakMap<HTMLElement, string>} what a row shows */ signatures = new WeakMap();

  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {{rename: (id: string, name: string) => boolean, add: (name: string, parent: string|null, at: number) =>
   *   string|false, menu: (id: string, at: HTMLElement|{x: number, y: number}, back: HTMLElement) => void}}
   *   needs.topics called for names typed here, and for the menu of a topic
   * @param {(holder: HTMLElement) => void} needs.beginning fills the place of the topics while there are none
   */
  constructor({ store, view, actions, keys, go, topics, beginning }) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.keys = keys;
    this.go = go;
    this.topics = topics;
    this.beginning = beginning;
    this.root = byId("tree");
    /** @type {Set<string>} */
    this.closed = new Set();
    this.filter = "";
    /** @type {string|null} */
    this.active = null;
    /**
     * @type {Editing|null} what is being typed: the new name of a topic, or a new topic with its parent and position
     */
    this.editing = null;
    /** @type {HTMLElement|null} the row that is being typed */
    this.editor = null;
    /** @type {Map<string, HTMLElement>} */
    this.elements = new Map();
    this.#listen();
  }

  get state() {
    return this.store.state;
  }

  // Rows

  /**
   * Ids of the visible topics, or of the filter's hits and their ancestors. A row that is being typed has an entry of
   * its own.
   */
  #visible() {
    const { state } = this;
    const wanted = this.#wanted();
    /** @type {(string|null)[]} */
    const found = [];
    /** @param {string|null} parent */
    const walk = (parent) => {
      state.childrenOf(parent).forEach((id, at) => {
        if (this.#edits(parent, at)) found.push(null);
        if (wanted && !wanted.has(id)) return;
        found.push(this.editing?.topic === id ? null : id);
        if (!this.closed.has(id) || wanted || this.editing?.parent === id) walk(id);
      });
      if (this.#edits(parent, state.childrenOf(parent).length)) found.push(null);
    };
    walk(null);
    return found;
  }

  /** @param {string|null} parent @param {number} at */
  #edits(parent, at) {
    if (this.editing?.kind !== "add" || this.editing.parent !== parent) return false;
    return Math.min(this.editing.at, this.state.childrenOf(parent).length) === at;
  }

  #wanted() {
    const words = nameKey(this.filter.trim()).split(/\s+/).filter(Boolean);
    if (!words.length) return null;
    const wanted = new Set();
    for (const id of this.state.preOrder()) {
      const path = nameKey(this.state.path(id).join(" "));
      if (words.every((word) => path.includes(word))) for (const step of this.state.pathIds(id)) wanted.add(step);
    }
    return wanted;
  }

  render() {
    const { state } = this;
    const hadFocus = this.root.contains(document.activeElement);
    this.#dropGone();
    this.visible = this.#visible();
    if (!this.visible.includes(this.active) && this.editing?.topic !== this.active) this.active = this.#standIn();
    this.targets = new Set(this.view.targets());
    this.digits = this.view.digits().keys;
    const wanted = this.visible.flatMap((id) => (id === null ? (this.#editor() ?? []) : this.#row(id)));
    arrange(this.root, wanted);
    for (const [id, element] of this.elements) if (!element.isConnected && !state.topic(id)) this.elements.delete(id);
    this.shown = this.visible.filter((id) => id !== null);
    this.root.hidden = !this.visible.length;
    this.#renderEmpty();
    this.#renderFoot();
    byId("add-topic").disabled = this.store.readOnly;
    if (hadFocus && !this.root.contains(document.activeElement)) this.focus();
  }

  /** Others may delete or merge the topic that is being edited. */
  #dropGone() {
    const about = this.editing?.topic ?? this.editing?.parent ?? null;
    if (about === null || this.state.topic(about)) return;
    this.editing = null;
    this.editor = null;
    toast("Somebody has deleted or merged that topic. You have changed nothing.", { kind: "bad" });
  }

  /** Where the active topic was: the topic that took its place, otherwise the one above. */
  #standIn() {
    const at = this.shown.indexOf(this.active ?? "");
    const rest = at < 0 ? [] : [...this.shown.slice(at + 1), ...this.shown.slice(0, at).reverse()];
    return rest.find((id) => this.visible.includes(id)) ?? this.visible.find((id) => id !== null) ?? null;
  }

  /** @param {string} id */
  #row(id) {
    const row = this.elements.get(id) ?? this.#make(id);
    this.elements.set(id, row);
    this.#update(row, id);
    return row;
  }

  /** @param {HTMLElement} row @returns {Parts} */
  #partsOf(row) {
    return /** @type {Parts} */ (this.parts.get(row));
  }

  /** @param {string} id */
  #make(id) {
    const row = make("div", { class: "t-row", role: "treeitem", data: { topic: id }, tabindex: "-1" });
    this.parts.set(row, {
      twist: make("span", { class: "twist" }, icon("right")),
      box: make("span", {
        class: "box",
        "aria-hidden": "true",
        title: "Put the selected pages in, or take them out",
      }),
      badge: make("kbd", { class: "key-badge", "aria-hidden": "true" }),
      dot: make("span", { class: "dot" }),
      name: bdi("", { class: "name" }),
      some: make("span", { class: "some", "aria-hidden": "true" }),
      number: make("span", { class: "number" }),
      waiting: make("span", { class: "waiting", "aria-hidden": "true" }),
      bar: make("span", { class: "share", "aria-hidden": "true" }, make("span", {})),
      more: make("button", { type: "button", class: "row-more", tabindex: "-1" }, icon("more")),
    });
    add(
      row,
      Object.values(this.#partsOf(row)).flatMap((part) => [part, " "]),
    );
    return row;
  }

  /** @param {string} id @returns {Look} */
  #look(id) {
    const { state, targets } = this;
    const topic = state.topicOf(id);
    const held = state.pagesIn(id);
    const siblings = state.childrenOf(topic.parent);
    const children = state.childrenOf(id);
    const path = state.path(id);
    const holding = common(targets, held);
    const parted = children.some((child) => !state.isSuggested(child));
    const digit = this.digits.get(id);
    return {
      topic: [topic.name, topic.description, topic.note, topic.suggested],
      path: path.join(" › "),
      depth: path.length,
      levels: [state.first(id), state.last(id)],
      beside: [siblings.indexOf(id) + 1, siblings.length],
      expanded: children.length ? !this.closed.has(id) || Boolean(this.filter) : null,
      size: held.size,
      waiting: waitingFor(state, id),
      left: parted ? state.leftOver(id).length : null,
      holding,
      targets: targets.size,
      checked: !holding ? "false" : holding === targets.size ? "true" : "mixed",
      shown: this.view.topic === id,
      active: id === this.active,
      talked: this.view.talk.topics.get(id) ?? 0,
      mark: topicMark(state, id),
      digit,
      key: digit && this.keys.on ? digitKey(digit) : null,
    };
  }

  /**
   * Most changes affect few rows; the others are not touched.
   * @param {HTMLElement} row
   * @param {string} id
   */
  #update(row, id) {
    const look = this.#look(id);
    const signature = JSON.stringify(look);
    if (this.signatures.get(row) === signature) return;
    this.signatures.set(row, signature);
    const parts = this.#partsOf(row);
    const topic = this.state.topicOf(id);
    const { size, waiting, checked, holding, talked } = look;
    setAttribute(row, "aria-level", look.depth);
    setAttribute(row, "aria-setsize", look.beside[1]);
    setAttribute(row, "aria-posinset", look.beside[0]);
    setAttribute(row, "aria-expanded", look.expanded === null ? null : String(look.expanded));
    setAttribute(row, "aria-checked", checked);
    setAttribute(row, "aria-selected", String(look.shown));
    setAttribute(row, "tabindex", look.active ? "0" : "-1");
    row.style.setProperty("--depth", String(look.depth - 1));
    row.classList.toggle("suggested", topic.suggested);
    row.classList.toggle("leaf", look.expanded === null);
    row.classList.toggle("described", Boolean(topic.description || topic.note));
    row.classList.toggle("commented", talked > 0);
    parts.dot.className = look.mark;
    setText(parts.name, topic.name);
    setAttribute(parts.name, "title", [look.path, topic.description].filter(Boolean).join("\n"));
    parts.box.dataset.checked = checked;
    // The style sheet draws it, so that the name of the row does not contain its key.
    setAttribute(parts.badge, "data-key", look.key);
    setText(parts.some, checked === "mixed" ? `${holding}/${look.targets}` : "");
    // The style sheet draws it, like the badge. The spoken name contains it in words.
    setAttribute(parts.waiting, "data-waiting", waiting ? figure(waiting) : null);
    // A suggested topic holds nothing. What it would hold says more than a zero.
    setText(parts.number, topic.suggested && !size ? "" : figure(size));
    for (const part of [parts.number, parts.waiting]) setAttribute(part, "title", numberWords(look));
    setAttribute(parts.more, "aria-label", `What can be done with ${topic.name}`);
    share(parts.bar, look);
    setAttribute(row, "aria-label", spoken(look));
  }

  #renderEmpty() {
    const empty = byId("tree-empty");
    empty.hidden = this.visible.length > 0;
    if (this.visible.length) return;
    if (this.filter) fill(empty, make("p", {}, "No topic has these words in its path."));
    else if (empty.dataset.shown !== "begin") this.beginning(empty);
    empty.dataset.shown = this.filter ? "filter" : "begin";
  }

  /** Outliers, in a section of their own. */
  #renderFoot() {
    const { state } = this;
    const foot = byId("tree-foot");
    if (!foot.firstElementChild) {
      const box = make("button", {
        type: "button",
        class: "box",
        role: "checkbox",
        onclick: () => this.actions.outlier(),
      });
      const show = make(
        "button",
        { type: "button", class: "foot-show", onclick: () => this.go.queue("outliers") },
        icon("outlier"),
        make("span", {}, "Outliers"),
        make("span", { class: "number" }),
      );
      add(foot, box, show);
    }
    const [box, show] = foot.children;
    const holding = common(this.targets, state.outliers);
    const checked = !holding ? "false" : holding === this.targets.size ? "true" : "mixed";
    box.dataset.checked = checked;
    setAttribute(box, "aria-checked", checked);
    setAttribute(box, "aria-label", "The selected pages are outliers");
    setAttribute(box, "disabled", this.store.readOnly || !this.targets.size);
    setText(show.lastElementChild, figure(state.outliers.size));
    setAttribute(show, "aria-current", this.view.queue === "outliers" ? "true" : null);
  }

  // Typing names in place

  /** @param {string} id */
  rename(id) {
    this.#edit({
      kind: "rename",
      topic: id,
      text: this.state.topicOf(id).name,
      label: "New name of the topic",
    });
  }

  /** @param {string|null} parent @param {number} at */
  add(parent, at) {
    if (parent !== null) this.closed.delete(parent);
    this.#edit({
      kind: "add",
      parent,
      at,
      text: "",
      label:
        parent === null ? "Name of the new topic" : `Name of the new subtopic of ${this.state.topicOf(parent).name}`,
    });
  }

  /** @param {Editing} what */
  #edit(what) {
    if (this.store.readOnly) return refuseChange();
    this.go.show("topics");
    this.filter = byId("topic-filter").value = "";
    this.editing = what;
    this.editor = null;
    this.render();
    const field = this.root.querySelector(".name-field");
    field.focus();
    field.select();
  }

  /** The row that is being typed. It stays the same element while somebody types. */
  #editor() {
    if (this.editing) this.editor ??= this.#makeEditor(this.editing);
    return this.editor;
  }

  /** @param {Editing} editing */
  #makeEditor(editing) {
    const { state } = this;
    const field = make("input", {
      class: "name-field",
      maxlength: NAME_CHARS,
      value: editing.text,
      "aria-label": editing.label,
      placeholder: editing.label,
      autocomplete: "off",
      spellcheck: "false",
    });
    const depth =
      editing.kind === "rename"
        ? state.pathIds(editing.topic).length - 1
        : editing.parent === null
          ? 0
          : state.pathIds(editing.parent).length;
    const editor = make(
      "div",
      {
        class: "t-row editing",
        role: "treeitem",
        "aria-level": String(depth + 1),
        "aria-label": "The topic being named",
      },
      field,
    );
    editor.style.setProperty("--depth", String(depth));
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (isComposing(event)) return;
      if (event.key === "Enter") this.#finish(field.value, true);
      else if (event.key === "Escape") this.#finish(null, true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    field.addEventListener("blur", () => this.#finish(field.value, false));
    return editor;
  }

  /** @param {string|null} text @param {boolean} refocus */
  #finish(text, refocus) {
    const { editing } = this;
    if (!editing) return;
    this.editing = null;
    this.editor = null;
    const name = text?.trim().replace(/\s+/g, " ") ?? "";
    const done =
      name &&
      (editing.kind === "rename"
        ? this.topics.rename(editing.topic, name)
        : this.topics.add(name, editing.parent, editing.at));
    if (editing.kind === "add" && typeof done === "string" && done) this.active = done;
    if (editing.kind === "rename") this.active = editing.topic;
    this.render();
    if (refocus) this.focus();
  }

  // Focus

  focus(id = this.active) {
    if (id !== null && this.elements.get(id)?.isConnected) return this.#activate(id, true);
    (byId("tree-empty").querySelector("button") ?? byId("add-topic")).focus();
  }

  /** @param {string} id @param {boolean} focus */
  #activate(id, focus) {
    this.#stop(this.active, "-1");
    this.active = id;
    const row = this.#stop(id, "0");
    if (!row) return;
    if (focus) row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /** Let Tab stop at a row, or not. @param {string|null} id @param {"0"|"-1"} tabindex */
  #stop(id, tabindex) {
    const row = id === null ? undefined : this.elements.get(id);
    if (!row) return null;
    setAttribute(row, "tabindex", tabindex);
    this.signatures.delete(row); // its content has changed since it was drawn
    return row;
  }

  /** Open the menu of a topic at its row. @param {string} id */
  openMenu(id) {
    const row = this.elements.get(id);
    if (row) this.topics.menu(id, row, row);
  }

  /** Open the topics that hide a topic, and go to it. @param {string} id */
  reveal(id, focus = false) {
    for (const step of this.state.pathIds(id).slice(0, -1)) this.closed.delete(step);
    this.render();
    if (this.elements.get(id)?.isConnected) this.#activate(id, focus);
  }

  /** @param {number} by */
  step(by) {
    const to = this.shown[this.shown.indexOf(this.active ?? "") + by];
    if (to !== undefined) this.#activate(to, true);
  }

  /** @param {boolean} last */
  edge(last) {
    const to = this.shown.at(last ? -1 : 0);
    if (to !== undefined) this.#activate(to, true);
  }

  inwards() {
    const children = this.state.childrenOf(this.active);
    if (!children.length || this.active === null) return;
    if (this.closed.delete(this.active)) this.render();
    else this.#activate(children[0], true);
  }

  outwards() {
    const id = this.active;
    if (id === null) return;
    const { parent } = this.state.topicOf(id);
    if (this.state.childrenOf(id).length && !this.closed.has(id)) {
      this.closed.add(id);
      this.render();
    } else if (parent !== null) this.#activate(parent, true);
  }

  // Mouse

  #listen() {
    this.root.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#click(event));
    this.root.addEventListener("dblclick", (/** @type {MouseEvent} */ event) => {
      const row = targetOf(event).closest(".t-row[data-topic]");
      if (row && targetOf(event).closest(".name")) this.rename(row.dataset.topic);
    });
    this.root.addEventListener("contextmenu", (/** @type {MouseEvent} */ event) => {
      const row = targetOf(event).closest(".t-row[data-topic]");
      if (!row) return;
      event.preventDefault();
      this.#activate(row.dataset.topic, true);
      this.topics.menu(row.dataset.topic, { x: event.clientX, y: event.clientY }, row);
    });
    this.root.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
      const id = targetOf(event).closest(".t-row[data-topic]")?.dataset.topic;
      if (id && id !== this.active) this.#activate(id, false);
    });
    const field = byId("topic-filter");
    field.addEventListener("input", () => {
      this.filter = field.value;
      this.render();
    });
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (isComposing(event)) return;
      if (event.key === "Escape") {
        field.value = this.filter = "";
        this.render();
        this.focus();
      } else if (event.key === "ArrowDown" || event.key === "Enter") this.focus(this.#firstHit());
      else return;
      event.preventDefault();
    });
    byId("add-topic").addEventListener("click", () => this.add(null, this.state.roots.length));
  }

  #firstHit() {
    const words = nameKey(this.filter);
    return this.shown.find((id) => nameKey(this.state.topicOf(id).name).includes(words)) ?? this.shown[0] ?? null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const row = targetOf(event).closest(".t-row[data-topic]");
    if (!row) return;
    const id = row.dataset.topic;
    this.#activate(id, !targetOf(event).closest(".row-more"));
    if (targetOf(event).closest(".twist")) {
      if (!this.closed.delete(id)) this.closed.add(id);
      this.render();
    } else if (targetOf(event).closest(".box, .key-badge")) {
      if (event.shiftKey) this.actions.onlyBeside(id);
      else this.actions.toggleTopic(id);
    } else if (targetOf(event).closest(".row-more")) this.topics.menu(id, targetOf(event).closest(".row-more"), row);
    else this.go.topic(id);
  }
}

/** The size of the intersection. @param {ReadonlySet<string>} one @param {ReadonlySet<string>} other */
function common(one, other) {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let found = 0;
  for (const page of few) if (many.has(page)) found += 1;
  return found;
}

/** @param {HTMLElement} bar @param {Look} look */
function share(bar, { left, size }) {
  const parted = left !== null;
  const inside = size - (left ?? 0);
  bar.classList.toggle("none", !parted || !size);
  bar.classList.toggle("whole", parted && !left);
  /** @type {HTMLElement} */ (bar.firstElementChild).style.setProperty(
    "--part",
    parted && size ? String(inside / size) : "0",
  );
  setAttribute(bar, "title", parted && size ? `${inside} of ${size} pages are in its subtopics` : null);
}

/** @param {Look} look */
function numberWords({ size, waiting, levels: [first, last] }) {
  const level = first === last ? `level ${first}` : `levels ${first} to ${last}`;
  return `${count(size, "page")}${waiting ? `, ${waiting} more suggested` : ""}; ${level}`;
}

/** @param {Look} look */
function spoken({ topic: [name, , , suggested], size, waiting, left, holding, targets, digit, talked }) {
  // Starts with the visible text of the row, so that voice control can use it.
  const some = holding && holding < targets ? `${holding}/${targets} ` : "";
  const parts = [`${name} ${some}${count(size, "page")}`];
  if (waiting) parts.push(`${waiting} more suggested`);
  if (suggested) parts.push("suggested");
  if (left) parts.push(`${left} in none of its subtopics`);
  if (targets > 1) parts.push(`holds ${holding} of the ${targets} selected`);
  if (digit) parts.push(`key ${digitKey(digit)}`);
  if (talked) parts.push(`${count(talked, "open thread")} of comments`);
  return parts.join(", ");
}

// Dragging by mouse, pen or touch: pages onto topics, and topics into or between topics. SortableJS follows the
// pointer. This module decides where things go, shows the impact while dragging, and calls the same functions as keys
// and menus.

import { say } from "../common/announce.js";
import { byId, count, make } from "../common/elements.js";
import { previewOf } from "../drafts/impact.js";

const TOUCH_WAITS = 250;

/**
 * What is dragged.
 * @typedef {{kind: "pages", pages: string[]}|{kind: "topic", topic: string}} Dragged
 *
 * What would happen at the pointer.
 * @typedef {object} Drop
 * @property {string} key differs if anything differs
 * @property {Element} row
 * @property {"in"|"before"|"after"} where
 * @property {string} words
 * @property {import("../drafts/types.js").Operation} operation
 * @property {string} [topic] the topic that pages are put into
 * @property {string|null} [parent] the new parent of a topic
 * @property {number|null} [at] its place among the children of that parent; null for the last one
 * @property {boolean} [refused]
 */

export class DragDrop {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./structure.js").Structure} needs.structure
   * @param {() => void} needs.onstart
   * @param {() => void} needs.onend
   */
  constructor({ store, view, actions, structure, onstart, onend }) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.structure = structure;
    this.onstart = onstart;
    this.onend = onend;
    /** @type {Dragged|null} the pages or the topic that are dragged */
    this.dragging = null;
    /** @type {Drop|null} what would happen where the pointer is */
    this.target = null;
    /** what is dragged, in words */
    this.what = "";
    this.hint = make("div", { class: "drag-hint", role: "presentation", hidden: true });
    byId("curate").append(this.hint);
    const { Sortable } = window;
    if (!Sortable || this.store.readOnly) return;
    this.#watch(Sortable, byId("list"), ".p-row", (/** @type {HTMLElement} */ row) =>
      this.#pagesOf(row.dataset.page ?? ""),
    );
    this.#watch(Sortable, byId("tree"), ".t-row[data-topic]", (/** @type {HTMLElement} */ row) => ({
      kind: "topic",
      topic: row.dataset.topic ?? "",
    }));
    document.addEventListener("pointermove", (event) => this.#follow(event.clientX, event.clientY), true);
    document.addEventListener(
      "touchmove",
      (event) => event.touches[0] && this.#follow(event.touches[0].clientX, event.touches[0].clientY),
      { capture: true, passive: true },
    );
    document.addEventListener(
      "keydown",
      (event) => event.key === "Escape" && this.dragging && this.#cancel(event),
      true,
    );
  }

  /** @param {string} page @returns {Dragged} */
  #pagesOf(page) {
    const { selection } = this.view;
    return { kind: "pages", pages: selection.has(page) ? this.view.targets() : [page] };
  }

  /** @param {SortableLibrary} Sortable @param {HTMLElement} root @param {string} draggable @param {(row: HTMLElement) => Dragged} subject */
  #watch(Sortable, root, draggable, subject) {
    Sortable.create(root, {
      draggable,
      filter: "input, .box, .twist, .row-more, .x, .yes",
      preventOnFilter: false,
      sort: false,
      forceFallback: true,
      fallbackOnBody: true,
      fallbackTolerance: 6,
      fallbackClass: "drag-ghost",
      chosenClass: "drag-chosen",
      ghostClass: "drag-source",
      delay: TOUCH_WAITS,
      delayOnTouchOnly: true,
      touchStartThreshold: 6,
      scroll: false,
      onStart: (event) => this.#start(subject(event.item)),
      onMove: () => false,
      onEnd: () => this.#end(),
    });
  }

  /** @param {Dragged} dragging */
  #start(dragging) {
    this.dragging = dragging;
    this.onstart();
    byId("curate").classList.add("dragging");
    const { state } = this.store;
    const what =
      dragging.kind === "topic"
        ? state.topicOf(dragging.topic).name
        : dragging.pages.length === 1
          ? this.store.pageOf(dragging.pages[0]).title || dragging.pages[0]
          : count(dragging.pages.length, "page");
    this.what = what;
    this.hint.hidden = false;
    this.#say(what, "");
  }

  /** @param {number} x @param {number} y */
  #follow(x, y) {
    if (!this.dragging) return;
    this.hint.style.transform = `translate(${Math.min(x + 14, window.innerWidth - this.hint.offsetWidth - 8)}px, ${Math.min(y + 18, window.innerHeight - this.hint.offsetHeight - 8)}px)`;
    this.#scroll(x, y);
    const found = this.#dropAt(x, y);
    if (found?.key === this.target?.key) return;
    this.target?.row.classList.remove("drop-in", "drop-before", "drop-after");
    this.target = found;
    if (!found) return this.#say(this.what, "");
    found.row.classList.add(`drop-${found.where}`);
    const told = previewOf(this.store.state, [found.operation]);
    this.#say(found.words, told.words, told.warns, told.error);
    if (told.error) this.target = { ...found, refused: true };
  }

  /** @param {string} what @param {string} impact */
  #say(what, impact, warns = false, wrong = false) {
    const line = make("small", { class: wrong ? "wrong" : warns ? "warns" : "" }, impact);
    const words = make("bdi", {}, what);
    this.hint.replaceChildren(words, ...(impact ? [line] : []));
  }

  /** Scroll the topics when the pointer is near their edge. @param {number} x @param {number} y */
  #scroll(x, y) {
    const scroller = byId("tree-scroller");
    const box = scroller.getBoundingClientRect();
    if (x < box.left || x > box.right) return;
    if (y < box.top + 28) scroller.scrollTop -= 14;
    else if (y > box.bottom - 28) scroller.scrollTop += 14;
  }

  /** @param {number} x @param {number} y @returns {Drop|null} */
  #dropAt(x, y) {
    const { dragging } = this;
    if (!dragging) return null;
    const element = document.elementFromPoint(x, y);
    const foot = element?.closest("#tree-foot");
    if (foot && dragging.kind === "pages")
      return {
        key: "out",
        row: foot,
        where: "in",
        words: `${this.what} → outliers`,
        operation: { kind: "outlier", pages: dragging.pages },
      };
    const row = /** @type {HTMLElement|null|undefined} */ (element?.closest(".t-row[data-topic]"));
    // The rows stay as they are while something is dragged, whatever others do.
    if (!row || !this.store.state.topic(row.dataset.topic ?? "") || this.#isGone()) return null;
    return dragging.kind === "pages" ? this.#pagesOnto(row, dragging.pages) : this.#topicOnto(row, y, dragging.topic);
  }

  /** True if others have deleted or merged the dragged topic. */
  #isGone() {
    return this.dragging?.kind === "topic" && !this.store.state.topic(this.dragging.topic);
  }

  /** @param {HTMLElement} row @param {string[]} pages @returns {Drop} */
  #pagesOnto(row, pages) {
    const { topic = "" } = row.dataset;
    const path = this.store.state.path(topic).join(" › ");
    return {
      key: topic,
      row,
      where: "in",
      topic,
      words: `${this.what} → ${path}`,
      operation: { kind: "assign", pages, topics: [topic] },
    };
  }

  /** @param {HTMLElement} row @param {number} y @param {string} moved @returns {Drop|null} */
  #topicOnto(row, y, moved) {
    const { state } = this.store;
    const { topic = "" } = row.dataset;
    if (topic === moved) return null;
    const box = row.getBoundingClientRect();
    const part = (y - box.top) / box.height;
    const where = part < 0.28 ? "before" : part > 0.72 ? "after" : "in";
    const name = state.topicOf(topic).name;
    if (where === "in")
      return {
        key: `in ${topic}`,
        row,
        where,
        words: `${this.what} → into ${name}`,
        operation: { kind: "move", topic: moved, parent: topic },
        parent: topic,
        at: null,
      };
    // The place right below an open topic is before its first child.
    const children = state.childrenOf(topic);
    const inside = where === "after" && children.length > 0 && row.getAttribute("aria-expanded") === "true";
    const parent = inside ? topic : state.topicOf(topic).parent;
    const siblings = state.childrenOf(parent).filter((id) => id !== moved);
    const at = inside ? 0 : siblings.indexOf(topic) + (where === "after" ? 1 : 0);
    return {
      key: `${where} ${topic}`,
      row,
      where,
      words: `${this.what} → ${where} ${name}`,
      operation: { kind: "move", topic: moved, parent, at },
      parent,
      at,
    };
  }

  #end() {
    const { dragging, target } = this;
    const gone = this.#isGone() || (target?.parent && !this.store.state.topic(target.parent));
    this.#stop();
    if (!dragging || !target || target.refused) return;
    if (gone) return void say("The topic no longer exists.");
    if (dragging.kind === "topic") {
      const { state } = this.store;
      const same = state.topicOf(dragging.topic).parent === target.parent;
      if (same && target.at !== null && target.at === state.indexOf(dragging.topic)) return;
      this.structure.moveTo(dragging.topic, target.parent ?? null, target.at ?? null);
    } else if (target.topic) this.actions.assign(target.topic, dragging.pages);
    else this.actions.run([target.operation], dragging.pages, { notice: true, advance: true });
  }

  /** @param {KeyboardEvent} event */
  #cancel(event) {
    event.preventDefault();
    event.stopPropagation();
    this.target?.row.classList.remove("drop-in", "drop-before", "drop-after");
    this.target = null;
    this.dragging = null;
    this.hint.hidden = true;
  }

  /**
   * SortableJS suppresses the next click, because it takes it for the end of the drag. If the browser sends no click
   * then, this would suppress the person's own. So send a click first that reaches only listeners of the whole page.
   */
  #sendLostClick() {
    this.hint.dispatchEvent(new MouseEvent("click", { bubbles: false }));
  }

  #stop() {
    this.target?.row.classList.remove("drop-in", "drop-before", "drop-after");
    this.target = null;
    this.dragging = null;
    this.hint.hidden = true;
    byId("curate").classList.remove("dragging");
    setTimeout(() => this.#sendLostClick());
    this.onend();
  }
}

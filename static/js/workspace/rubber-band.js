// Selecting with a rubber band: drag the mouse from a box at the left edge of the rows, or from an empty place. Rows
// themselves are dragged onto topics, and fingers scroll.

import { announceSelection } from "../common/announce.js";
import { byId, make } from "../common/elements.js";

/** A press becomes a band after this many pixels; until then it is a click. */
const TOLERANCE = 5;
/** Near its edges the list scrolls, faster further out. */
const EDGE = 32;
const FASTEST = 24;

export class RubberBand {
  /**
   * @param {{view: import("./view.js").View, list: import("./page-list.js").PageList, go: import("./navigation.js").Navigation}} needs
   */
  constructor({ view, list, go }) {
    this.view = view;
    this.list = list;
    this.go = go;
    this.scroller = byId("list-scroller");
    this.band = make("div", { class: "band", hidden: true });
    this.scroller.append(this.band);
    /** @type {{x: number, y: number, top: number, adds: boolean, before: string[], active: boolean}|null} */
    this.from = null;
    this.at = { x: 0, y: 0 };
    this.frame = 0;
    // This runs before SortableJS gets the event.
    this.scroller.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.#press(event), true);
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#end(event));
    document.addEventListener("pointercancel", () => this.#giveUp());
    document.addEventListener("keydown", (event) => this.#key(event), true);
    window.addEventListener("blur", () => this.#giveUp());
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || event.pointerType === "touch" || !this.#mayBegin(event)) return;
    event.stopPropagation();
    const { view } = this;
    this.from = {
      x: event.clientX,
      y: event.clientY,
      top: this.#height(event.clientY),
      adds: event.shiftKey || event.ctrlKey || event.metaKey,
      before: [...view.selection],
      active: false,
    };
    this.at = { x: event.clientX, y: event.clientY };
  }

  /** True at the left edge of a row, on the heading of a group, and in an empty place. @param {PointerEvent} event */
  #mayBegin({ target, clientX }) {
    if (!(target instanceof HTMLElement)) return false;
    const box = this.scroller.getBoundingClientRect();
    if (clientX > box.left + this.scroller.clientWidth) return false; // the scroll bar
    const row = target.closest(".p-row");
    if (!row) return target === this.scroller || target.closest("#list") !== null;
    const edge = row.querySelector(".box")?.getBoundingClientRect().right ?? 0;
    return clientX <= edge + 2;
  }

  /** A point in the list, from its top. @param {number} y */
  #height(y) {
    return y - this.scroller.getBoundingClientRect().top + this.scroller.scrollTop;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.from) return;
    this.at = { x: event.clientX, y: event.clientY };
    if (!this.from.active) {
      if (Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) < TOLERANCE) return;
      this.from.active = true;
      this.band.hidden = false;
      byId("curate").classList.add("banding");
      this.#scroll();
    }
    this.#draw();
  }

  #draw() {
    if (!this.from) return;
    const box = this.scroller.getBoundingClientRect();
    const here = Math.max(0, Math.min(this.scroller.scrollHeight, this.#height(this.at.y)));
    const [top, bottom] = [this.from.top, here].sort((one, other) => one - other);
    const [left, right] = [this.from.x, this.at.x]
      .sort((one, other) => one - other)
      .map((x) => Math.max(0, Math.min(this.scroller.clientWidth, x - box.left)));
    Object.assign(this.band.style, {
      top: `${top}px`,
      height: `${bottom - top}px`,
      left: `${left}px`,
      width: `${right - left}px`,
    });
    const within = this.list.pagesBetween(top, bottom);
    const wanted = new Set([...(this.from.adds ? this.from.before : []), ...within]);
    const { selection } = this.view;
    if (wanted.size === selection.size && [...wanted].every((page) => selection.has(page))) return;
    this.view.selectOnly(wanted, within[0] ?? null);
  }

  /** Scroll while the pointer is at the upper or lower edge, or beyond. */
  #scroll() {
    cancelAnimationFrame(this.frame);
    if (!this.from?.active) return;
    const { top, bottom } = this.scroller.getBoundingClientRect();
    const out = this.at.y < top + EDGE ? this.at.y - top - EDGE : Math.max(0, this.at.y - bottom + EDGE);
    if (out) {
      const before = this.scroller.scrollTop;
      this.scroller.scrollTop += Math.sign(out) * Math.min(FASTEST, Math.ceil(Math.abs(out) / 3));
      if (this.scroller.scrollTop !== before) this.#draw();
    }
    this.frame = requestAnimationFrame(() => this.#scroll());
  }

  /** @param {PointerEvent} event */
  #end(event) {
    const { from } = this;
    if (!from) return;
    this.#stop();
    if (!from.active) {
      // A click beside the rows selects nothing, as in other lists.
      if (!from.adds && event.target === this.scroller && from.before.length) this.view.clearSelection();
      return;
    }
    this.#swallowClick();
    announceSelection(this.view.selection.size);
    this.go.focusList();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || !this.from?.active) return;
    event.preventDefault();
    event.stopPropagation();
    this.#giveUp();
    this.#swallowClick();
  }

  /** Restore the selection from before. */
  #giveUp() {
    const { from } = this;
    if (!from) return;
    this.#stop();
    if (from.active) this.view.selectOnly(from.before);
  }

  #stop() {
    this.from = null;
    cancelAnimationFrame(this.frame);
    this.band.hidden = true;
    byId("curate").classList.remove("banding");
  }

  /** Releasing the mouse over the box where the band began is not a click on it. */
  #swallowClick() {
    const stop = (/** @type {Event} */ event) => event.stopPropagation();
    const listenNoMore = () => window.removeEventListener("click", stop, true);
    window.addEventListener("click", stop, { capture: true, once: true });
    // If no click comes, do not suppress the next one.
    window.addEventListener("pointerdown", listenNoMore, { capture: true, once: true });
  }
}

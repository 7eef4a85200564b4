// The side panel of the workspace: comments and guidelines, beside the page panel if there is space, otherwise over it.

import { byId, setAttribute } from "../common/elements.js";
import { isComposing } from "../common/keystrokes.js";

/**
 * @typedef {"comments"|"guidelines"} Tab
 * @typedef {{open: () => void, focus: () => void}} Content called when it comes into sight, and when it should get the
 *   focus
 */

export class SidePanel {
  /** @param {{go: import("./navigation.js").Navigation}} needs */
  constructor({ go }) {
    this.go = go;
    this.root = byId("side");
    /** @type {Record<string, Content>} */
    this.contents = {};
    /** @type {Tab|null} the open tab */
    this.shown = null;
    /** @type {HTMLElement|null} the element that had the focus before */
    this.before = null;
    byId("side-close").addEventListener("click", () => this.close());
    // Going to a region that the panel covers closes the panel.
    go.onshow = (name) => this.shown && byId(`region-${name}`).inert && this.close();
    window.addEventListener("resize", () => this.#cover());
    for (const tab of this.#tabs()) tab.addEventListener("click", () => this.open(tabOf(tab), { focus: false }));
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  /** @param {Tab} tab @param {Content} content */
  add(tab, content) {
    this.contents[tab] = content;
  }

  /** @param {Tab} tab @param {{focus?: boolean}} [how] */
  open(tab, { focus = true } = {}) {
    const active = document.activeElement;
    if (active instanceof HTMLElement && !this.root.contains(active)) this.before = active;
    this.shown = tab;
    this.root.hidden = false;
    byId("curate").classList.add("with-side");
    this.#cover();
    for (const each of this.#tabs()) setAttribute(each, "aria-pressed", String(tabOf(each) === tab));
    for (const name of Object.keys(this.contents)) byId(`side-${name}`).hidden = name !== tab;
    this.contents[tab]?.open();
    if (focus) this.contents[tab]?.focus();
  }

  /** The key or button of the open tab closes it. @param {Tab} tab */
  toggle(tab) {
    if (this.shown === tab) this.close();
    else this.open(tab);
  }

  close() {
    this.shown = null;
    this.root.hidden = true;
    byId("curate").classList.remove("with-side");
    this.#cover();
    if (this.before?.isConnected && this.before.offsetParent) this.before.focus();
    else this.go.focusAgain();
  }

  /** What the panel covers is invisible, so it must not be reachable. */
  #cover() {
    const own = this.root.getBoundingClientRect();
    for (const name of ["topics", "pages", "page"]) {
      const region = byId(`region-${name}`);
      const box = region.getBoundingClientRect();
      region.inert = this.shown !== null && box.width > 0 && box.left < own.right - 1 && own.left < box.right - 1;
    }
  }

  /** @returns {HTMLElement[]} */
  #tabs() {
    return [...byId("side-tabs").querySelectorAll("button")];
  }
}

/** @param {HTMLElement} button @returns {Tab} */
function tabOf(button) {
  return button.dataset.tab === "guidelines" ? "guidelines" : "comments";
}

// The widths of the topics and the page panel. Their edges can be dragged, or moved with arrow keys. This browser
// remembers the widths.

import { setAttribute } from "../common/elements.js";

const STORED = "qc4-curate-panes";
const STEP = 24;
const LEAST = 200;
/** The minimum width of the list. */
const LIST = 320;

/** @typedef {"topics"|"page"} Pane */

export class Panes {
  /** @param {HTMLElement} root @param {Storage} [storage] */
  constructor(root, storage = window.localStorage) {
    this.root = root;
    this.storage = storage;
    /** @type {Partial<Record<Pane, number>>} the chosen widths in pixels; a narrow window may give less */
    this.wanted = this.#read();
    /** @type {Record<Pane, HTMLElement>} */
    this.edges = {
      topics: /** @type {HTMLElement} */ (root.querySelector("#edge-topics")),
      page: /** @type {HTMLElement} */ (root.querySelector("#edge-page")),
    };
    for (const pane of PANES) this.#listen(pane);
    new ResizeObserver(() => this.#apply()).observe(root);
    window.addEventListener("storage", (event) => {
      if (event.storageArea !== this.storage || event.key !== STORED) return;
      this.wanted = this.#read();
      this.#apply();
    });
    this.#apply();
  }

  /** The pane of an edge. @param {Element} element @returns {Pane|null} */
  paneOf(element) {
    return PANES.find((pane) => this.edges[pane] === element) ?? null;
  }

  // Widths

  /** @param {Pane} pane @param {number} by how many pixels the pane grows */
  grow(pane, by) {
    this.#set(pane, this.#width(pane) + by);
  }

  /** Move the edge to the side of the arrow key. @param {Element} edge @param {-1|1} side */
  step(edge, side) {
    const pane = this.paneOf(edge);
    if (pane) this.grow(pane, pane === "topics" ? side * STEP : -side * STEP);
  }

  /** Make the pane as narrow or as wide as possible. @param {Element} edge @param {boolean} wide */
  extreme(edge, wide) {
    const pane = this.paneOf(edge);
    if (pane) this.#set(pane, wide ? this.#most(pane) : LEAST);
  }

  /** Restore the default widths. @param {Element|null} edge null for both */
  reset(edge) {
    const pane = edge && this.paneOf(edge);
    for (const one of PANES) if (!pane || one === pane) delete this.wanted[one];
    this.#write();
    this.#apply();
  }

  /** @param {Pane} pane @param {number} width */
  #set(pane, width) {
    this.wanted[pane] = Math.round(Math.max(LEAST, Math.min(this.#most(pane), width)));
    this.#write();
    this.#apply();
  }

  /** @param {Pane|"pages"} pane */
  #width(pane) {
    return this.root.querySelector(`.region.${pane}`)?.getBoundingClientRect().width ?? LEAST;
  }

  /** @param {Pane} pane */
  #most(pane) {
    return Math.max(LEAST, this.#room() - this.#width(pane === "topics" ? "page" : "topics"));
  }

  /** The space for both panes: the list and everything else need theirs. */
  #room() {
    const taken = this.#width("topics") + this.#width("pages") + this.#width("page");
    return Math.min(this.root.clientWidth, taken) - LIST;
  }

  /** The chosen width, as far as the window has space for it. */
  #apply() {
    let room = this.#room();
    for (const pane of PANES) {
      const wanted = this.wanted[pane];
      const least = pane === "topics" ? LEAST : 0;
      if (wanted === undefined) this.root.style.removeProperty(`--own-${pane}`);
      else this.root.style.setProperty(`--own-${pane}`, `${Math.max(LEAST, Math.min(wanted, room - least))}px`);
      room -= this.#width(pane);
    }
    for (const pane of PANES) {
      const width = Math.round(this.#width(pane));
      setAttribute(this.edges[pane], "aria-valuenow", width);
      setAttribute(this.edges[pane], "aria-valuemin", Math.min(LEAST, width));
      setAttribute(this.edges[pane], "aria-valuemax", Math.max(width, Math.round(this.#most(pane))));
      setAttribute(this.edges[pane], "aria-valuetext", `${width} pixels`);
    }
  }

  // Hands

  /** @param {Pane} pane */
  #listen(pane) {
    const edge = this.edges[pane];
    let from = 0;
    let width = 0;
    edge.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      [from, width] = [event.clientX, this.#width(pane)];
      edge.setPointerCapture(event.pointerId);
      edge.classList.add("dragged");
    });
    edge.addEventListener("pointermove", (event) => {
      if (!edge.hasPointerCapture(event.pointerId)) return;
      const moved = event.clientX - from;
      this.#set(pane, width + (pane === "topics" ? moved : -moved));
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]))
      edge.addEventListener(end, () => edge.classList.remove("dragged"));
    edge.addEventListener("dblclick", () => this.reset(edge));
  }

  // Remembering

  #read() {
    try {
      const found = JSON.parse(this.storage.getItem(STORED) ?? "{}");
      return Object.fromEntries(
        PANES.filter((pane) => Number.isFinite(found?.[pane])).map((pane) => [pane, found[pane]]),
      );
    } catch {
      return {};
    }
  }

  #write() {
    try {
      if (Object.keys(this.wanted).length) this.storage.setItem(STORED, JSON.stringify(this.wanted));
      else this.storage.removeItem(STORED);
    } catch {
      // Private windows may block storage: the widths then last as long as the page.
    }
  }
}

/** @type {Pane[]} */
const PANES = ["topics", "page"];

// This is also true at 200 % zoom.
const LOW = "(max-height: 30rem)";

/**
 * On low screens, let the workspace fill the screen: scroll to it at the start and whenever it gets the focus.
 * @param {HTMLElement} root
 */
export function fillLowScreens(root) {
  const low = window.matchMedia(LOW);
  const show = () => low.matches && root.scrollIntoView({ block: "start" });
  low.addEventListener("change", show);
  root.addEventListener("focusin", show);
  show();
}

// The keys of the workspace: the action of each key press, changes by the person, and turning single keys off.

import { strokeOf as nameOf } from "../common/keystrokes.js";
import { ACTIONS } from "./key-table.js";

const STORED = "qc4-curate-keys";
const CHORD_WAITS = 4000;
/** The characters that the table uses besides letters and digits. */
const SYMBOLS = new Set(
  ACTIONS.flatMap(({ keys }) => keys.flatMap((key) => key.split(" "))).filter((key) => /^[^a-z0-9]$/i.test(key)),
);

/** The name of a key press in the workspace; see `keystrokes`. @param {KeyboardEvent} event */
export function strokeOf(event) {
  return nameOf(event, { symbols: SYMBOLS });
}

/** The keys of this browser: the key table with the person's changes. */
export class Keys {
  constructor(storage = window.localStorage) {
    this.storage = storage;
    const stored = this.#read();
    this.changed = stored.keys;
    this.on = stored.on;
    this.pending = "";
    this.timer = 0;
    /** Called with the first key of a chord while the second one is awaited, then with "". */
    this.onpending = (/** @type {string} */ _stroke) => {};
  }

  #read() {
    try {
      const found = JSON.parse(this.storage.getItem(STORED) ?? "{}");
      const known = new Map(ACTIONS.map((action) => [action.id, action]));
      const keys = Object.entries(found.keys ?? {}).filter(([id, list]) => known.has(id) && Array.isArray(list));
      return { keys: Object.fromEntries(keys), on: found.on !== false };
    } catch {
      return { keys: {}, on: true };
    }
  }

  #write() {
    try {
      this.storage.setItem(STORED, JSON.stringify({ keys: this.changed, on: this.on }));
    } catch {
      // Private windows may block storage: the keys then last as long as the page.
    }
  }

  /** @param {string} id */
  keysOf(id) {
    return this.changed[id] ?? ACTIONS.find((action) => action.id === id)?.keys ?? [];
  }

  /** The first key of an action, as people read it, for buttons. @param {string} id */
  hint(id) {
    const first = this.keysOf(id)[0];
    return this.on && first ? readable(first) : "";
  }

  /**
   * The action that already has this key in the same place, or null.
   * @param {string} id
   * @param {string} stroke
   */
  collision(id, stroke) {
    const own = ACTIONS.find((action) => action.id === id);
    /** @param {string} key */
    const meets = (key) => key === stroke || key.startsWith(`${stroke} `) || stroke.startsWith(`${key} `);
    return (
      ACTIONS.find(
        (action) =>
          action.id !== id && overlaps(action.where, own?.where ?? "any") && this.keysOf(action.id).some(meets),
      ) ?? null
    );
  }

  /** @param {string} id @param {string} stroke */
  remap(id, stroke) {
    this.changed = { ...this.changed, [id]: [stroke] };
    this.#write();
  }

  reset(id = null) {
    if (id === null) this.changed = {};
    else delete this.changed[id];
    this.#write();
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    this.#write();
  }

  /**
   * The action of a key press, or null. Chords (`g` then `1`) wait a moment for their second key.
   * @param {string} stroke
   * @param {"tree"|"list"|"page"|"edge"|"elsewhere"} region the region that has the focus
   */
  find(stroke, region) {
    const whole = this.pending ? `${this.pending} ${stroke}` : stroke;
    this.forget();
    const here = ACTIONS.filter((action) => works(action.where, region) && (this.on || action.always));
    const found = here.find((action) => this.keysOf(action.id).includes(whole));
    if (found) return { action: found, stroke: whole };
    if (
      here.some((action) => this.keysOf(action.id).some((/** @type {string} */ key) => key.startsWith(`${whole} `)))
    ) {
      this.pending = whole;
      this.onpending(whole);
      this.timer = setTimeout(() => this.forget(), CHORD_WAITS);
      return { action: null, stroke: whole };
    }
    return null;
  }

  forget() {
    clearTimeout(this.timer);
    if (this.pending) this.onpending("");
    this.pending = "";
  }

  /**
   * The keys that can follow the first key of a chord.
   * @param {string} stroke
   * @returns {{key: string, words: string}[]}
   */
  following(stroke) {
    return ACTIONS.flatMap((action) =>
      this.keysOf(action.id)
        .filter((/** @type {string} */ key) => key.startsWith(`${stroke} `))
        .map((/** @type {string} */ key) => ({
          key: readable(key.slice(stroke.length + 1)),
          words: action.words,
        })),
    );
  }
}

/** @param {string} where @param {string} region */
function works(where, region) {
  if (where === "any" || where === region) return true;
  return where === "pages" && region !== "tree";
}

/** @param {string} one @param {string} other */
function overlaps(one, other) {
  if (one === other || one === "any" || other === "any") return true;
  return (one === "pages" && other !== "tree") || (other === "pages" && one !== "tree");
}

/** @type {Record<string, string>} */
const SHOWN = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Delete: "Del",
  ContextMenu: "Menu",
};

/** @param {string} stroke */
export function readable(stroke) {
  return stroke
    .split(" ")
    .map((part) =>
      part
        .split("+")
        .map((name, at, all) => (at === all.length - 1 ? (SHOWN[name] ?? name) : name))
        .join("+"),
    )
    .join(" then ");
}

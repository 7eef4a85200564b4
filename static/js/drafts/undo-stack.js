// What this person would undo and redo next: the server's count (annotations/drafts/selectors/replay.py), and on top of
// it the waiting batches.

/**
 * @typedef {object} Step
 * @property {string} label without "Undo: " and "Redo: "
 * @property {number|null} revision the revision of its entry; null if there is none yet
 * @property {string|null} batch the id of the waiting batch
 * @property {import("./types.js").Change[]|null} changes the changes of its entry; null if they are not known here
 */

export class UndoStack {
  /**
   * @param {import("./types.js").Entry[]} entries this person's own known entries, in the order of the log
   * @param {{revision: number, label: string}|null} undo what the server would undo
   * @param {{revision: number, label: string}|null} redo
   */
  constructor(entries, undo, redo) {
    /** @type {Step[]} */
    this._done = [];
    /** @type {Step[]} */
    this._undone = [];
    for (const entry of entries)
      this._push(entry, { ...stepOf(entry), batch: null, changes: entry.changes }, entry.changes.length > 0);
    this._done = agreed(this._done, undo);
    this._undone = agreed(this._undone, redo);
  }

  /** Add a waiting batch. @param {import("./queue-storage.js").Batch} batch */
  add(batch) {
    const kind = { undoes: batch.undo, redoes: batch.redo };
    this._push(kind, { label: bare(batch.label), revision: null, batch: batch.id, changes: batch.changes }, true);
    // The server may know earlier steps than we do.
    if (batch.undo && !this._done.length) this._unknown = true;
  }

  /** @returns {Step|null} */
  get undo() {
    return this._done.at(-1) ?? (this._unknown ? EARLIER : null);
  }

  /** @returns {Step|null} */
  get redo() {
    return this._undone.at(-1) ?? null;
  }

  /**
   * @param {{undoes?: unknown, redoes?: unknown}} kind
   * @param {Step} step
   * @param {boolean} effect false if the step can no longer be undone or redone: it is then skipped for good
   */
  _push({ undoes, redoes }, step, effect) {
    if (undoes) {
      this._done.pop();
      if (effect) this._undone.push(step);
    } else {
      if (redoes) this._undone.pop();
      else this._undone = [];
      if (effect) this._done.push(step);
      this._unknown = false;
    }
  }
}

const EARLIER = Object.freeze({ label: "the change before", revision: null, batch: null, changes: null });

/**
 * The server decides: our count is right only if its top is the server's.
 * @param {Step[]} steps
 * @param {import("./types.js").Step|null} top
 */
function agreed(steps, top) {
  if (!top) return [];
  if (steps.at(-1)?.revision === top.revision) return steps;
  return [{ ...stepOf(top), batch: null, changes: null }];
}

/** @param {import("./types.js").Step} step */
function stepOf({ revision, label }) {
  return { revision, label: bare(label) };
}

/** @param {string} label */
function bare(label) {
  return label.replace(/^(?:(?:Undo|Redo): )+/, "");
}

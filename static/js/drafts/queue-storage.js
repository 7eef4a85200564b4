// Work that the server has not acknowledged yet. It is stored in the browser, so it survives a reload and a closed tab.
//
// It is in localStorage, which writes at once: a tab that is closed in the same moment loses nothing. Each batch has
// its own key, so several tabs of one person never overwrite each other.

/**
 * @typedef {{revision: number|null, batch?: string|null}} Turned what an undo or redo refers to: an entry, or a batch
 *   that was waiting
 *
 * @typedef {object} StoredBatch
 * @property {string} id the operation id; sending it again does nothing
 * @property {number} order batches are sent in ascending order
 * @property {number} base the revision that the person saw
 * @property {[string, number|undefined][]} [own] the entries of their own that the person also knew, by id and revision
 * @property {string} label
 * @property {import("./types.js").Operation[]|null} operations
 * @property {Turned} [undo]
 * @property {Turned} [redo]
 * @property {Turned} [restore] an entry, by anybody, that deleted topics
 * @property {boolean} sent true once it was sent, even without a response
 * @property {Refusal} [conflict] set if it was rejected and waits for a decision
 *
 * @typedef {object} Refusal
 * @property {string} code
 * @property {string} reason the server's message
 * @property {import("./types.js").Clash[]} [clashes] changes by others that conflict with it
 * @property {boolean} [aside] the person has set it aside; it is stored until they delete it
 *
 * @typedef {object} Pending what else is known of a batch while it waits on this page
 * @property {import("./types.js").Change[]} changes what it does to the state on the screen
 * @property {import("./types.js").Change[]|null} [wanted] what an undo or redo would do, if that is known
 * @property {boolean} [waited] true if nothing of it was shown until the server responded
 * @property {boolean} [refused] true if the server rejected it once, perhaps only for an old form token
 *
 * @typedef {StoredBatch & Pending} Batch
 *
 * @typedef {object} Conflict a rejected batch, as people see it
 * @property {string} id
 * @property {string} label what the person wanted to do
 * @property {string} reason why it could not be done
 * @property {string} code
 * @property {import("./types.js").Operation[]} operations
 * @property {import("./types.js").Clash[]} clashes changes by others that conflict with it
 * @property {boolean} aside true if the person has set it aside; it is stored until they delete it
 */

export class QueueStorage {
  /**
   * @param {number|string} draft
   * @param {string} person
   * @param {Storage} [storage]
   */
  constructor(draft, person, storage = globalThis.localStorage) {
    this._prefix = `qc4:draft:${draft}:${encodeURIComponent(person)}:`;
    this._storage = storage;
    /** The browser's storage is full: waiting batches would be lost with this tab. */
    this.full = false;
  }

  /**
   * @param {ReadonlySet<string>} [known] ids of batches to skip
   * @returns {StoredBatch[]} in the order in which they were made
   */
  load(known = new Set()) {
    /** @type {StoredBatch[]} */
    const found = [];
    for (const key of this._keys().filter((each) => !known.has(each.slice(this._prefix.length)))) {
      try {
        found.push(JSON.parse(this._storage.getItem(key) ?? ""));
      } catch {
        // Another program's entry that happens to have such a name: leave it alone.
      }
    }
    return found.sort((one, other) => one.order - other.order);
  }

  _keys() {
    try {
      const keys = Array.from({ length: this._storage.length }, (_, at) => this._storage.key(at));
      return keys.filter((key) => key !== null).filter((key) => key.startsWith(this._prefix));
    } catch {
      this.full = true; // the browser stores nothing for this site
      return [];
    }
  }

  /** @param {StoredBatch} batch */
  save(batch) {
    try {
      this._storage.setItem(this._prefix + batch.id, JSON.stringify(batch));
      this.full = false;
    } catch {
      this.full = true;
    }
  }

  /** @param {string} id */
  remove(id) {
    try {
      this._storage.removeItem(this._prefix + id);
    } catch {
      this.full = true;
    }
  }

  /**
   * Call a function when another tab has removed a batch: it was acknowledged there, or undone.
   * @param {(id: string) => void} removed
   * @returns {() => void} stops
   */
  watch(removed) {
    /** @param {StorageEvent} event */
    const look = (event) => {
      if (event.storageArea === this._storage && event.key?.startsWith(this._prefix) && event.newValue === null) {
        removed(event.key.slice(this._prefix.length));
      }
    };
    globalThis.addEventListener?.("storage", look);
    return () => globalThis.removeEventListener?.("storage", look);
  }
}

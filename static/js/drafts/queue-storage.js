// Work that the server has not acknowledged, kept in the browser until it has: it survives a reload and a closed tab.
//
// localStorage, because it writes at once: a tab that is closed in the same moment loses nothing. One key per batch, so
// that several tabs of one person never write over each other.

/**
 * @typedef {{revision: number|null, batch?: string|null}} Turned what an undo or redo is about: an entry, or a batch that waited
 *
 * @typedef {object} StoredBatch
 * @property {string} id the operation id: sending it twice does nothing twice
 * @property {number} order batches are sent in this order
 * @property {number} base the revision the person saw
 * @property {[string, number|undefined][]} [own] what else of the log they knew: work of their own, by id and revision
 * @property {string} label
 * @property {import("./types.js").Operation[]|null} operations
 * @property {Turned} [undo]
 * @property {Turned} [redo]
 * @property {Turned} [restore] an entry of anybody that deleted topics
 * @property {boolean} sent it was sent, perhaps without an answer
 * @property {Refusal} [conflict] it could not be applied and waits for a decision
 *
 * @typedef {object} Refusal
 * @property {string} code
 * @property {string} reason in the words of the server
 * @property {import("./types.js").Clash[]} [clashes] what others did that is in its way
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
    /** The browser takes no more: what waits would be lost with this tab. */
    this.full = false;
  }

  /**
   * @param {ReadonlySet<string>} [known] ids of batches that are left out
   * @returns {StoredBatch[]} in the order in which they were made
   */
  load(known = new Set()) {
    /** @type {StoredBatch[]} */
    const found = [];
    for (const key of this._keys().filter((each) => !known.has(each.slice(this._prefix.length)))) {
      try {
        found.push(JSON.parse(this._storage.getItem(key) ?? ""));
      } catch {
        // Not ours, whatever its name says: left alone.
      }
    }
    return found.sort((one, other) => one.order - other.order);
  }

  _keys() {
    try {
      const keys = Array.from({ length: this._storage.length }, (_, at) => this._storage.key(at));
      return keys.filter((key) => key !== null).filter((key) => key.startsWith(this._prefix));
    } catch {
      this.full = true; // the browser keeps nothing for this site
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
   * Calls back when another tab has removed a batch: it was acknowledged there, or taken back.
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

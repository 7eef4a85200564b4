// A value that this browser stores for one person and one draft. It needs no network and no request.

export class StoredValue {
  /** @param {string} stored @param {string|number} draft @param {string} me @param {Storage} [storage] */
  constructor(stored, draft, me, storage = window.localStorage) {
    this.name = `${stored} ${draft} ${me}`;
    this.storage = storage;
    this.#read();
  }

  #read() {
    let found = null;
    try {
      found = JSON.parse(this.storage.getItem(this.name) ?? "null");
    } catch {
      // A value that cannot be read counts as missing.
    }
    this.restore(found);
  }

  /** Take over the stored value; subclasses define how. @param {Json} _found null if nothing is stored */
  restore(_found) {}

  /** @param {Json} value */
  store(value) {
    try {
      this.storage.setItem(this.name, JSON.stringify(value));
    } catch {
      // Private windows may block storage: the value then lasts as long as the page.
    }
  }

  /**
   * True if the same person has stored another value in another tab; it is then taken over.
   * @param {StorageEvent} event
   * @returns {boolean}
   */
  changedElsewhere(event) {
    if (event.storageArea !== this.storage || event.key !== this.name) return false;
    this.#read();
    return true;
  }
}

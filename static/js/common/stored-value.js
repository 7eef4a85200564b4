// What one person keeps of one draft in this browser. It is there without a network, and costs the server nothing.

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
      // What is not to be read counts as nothing.
    }
    this.restore(found);
  }

  /** It is this from now on: whoever extends says how. @param {Json} _found null: nothing is kept */
  restore(_found) {}

  /** @param {Json} value */
  store(value) {
    try {
      this.storage.setItem(this.name, JSON.stringify(value));
    } catch {
      // Private windows may refuse storage: it then lasts as long as the page.
    }
  }

  /** Another tab of the same person has kept something else. @param {StorageEvent} event @returns {boolean} */
  changedElsewhere(event) {
    if (event.storageArea !== this.storage || event.key !== this.name) return false;
    this.#read();
    return true;
  }
}

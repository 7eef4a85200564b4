// Which pages of a draft this person has read: those whose page was in sight once its text was there.

const STORED = "qc4-curate-read";

/**
 * Kept per draft and person in this browser: what somebody has looked at is no work on the draft and nobody else's business.
 * It is there without a network, and costs the server nothing.
 */
export class Unread {
  /** @param {string|number} draft @param {string} me @param {Storage} [storage] */
  constructor(draft, me, storage = window.localStorage) {
    this.name = `${STORED} ${draft} ${me}`;
    this.storage = storage;
    this.#read();
  }

  #read() {
    /** @type {Set<string>} */
    this.pages = new Set();
    try {
      const found = JSON.parse(this.storage.getItem(this.name) ?? "[]");
      if (Array.isArray(found)) this.pages = new Set(found);
    } catch {
      // What is not to be read counts as nothing: all pages are unread again.
    }
  }

  /** Another tab of the same person has read a page. @param {StorageEvent} event @returns {boolean} */
  hear(event) {
    if (event.storageArea !== this.storage || event.key !== this.name) return false;
    this.#read();
    return true;
  }

  /** @param {string} page */
  isRead(page) {
    return this.pages.has(page);
  }

  /** @param {string} page @returns {boolean} whether it was not read before */
  read(page) {
    if (this.pages.has(page)) return false;
    this.pages.add(page);
    try {
      this.storage.setItem(this.name, JSON.stringify([...this.pages]));
    } catch {
      // Private windows may refuse storage: it then lasts as long as the page.
    }
    return true;
  }

  /** The first unread page after one, past the end from the top. @param {string[]} pages @param {string|null} from */
  next(pages, from) {
    const at = from === null ? -1 : pages.indexOf(from);
    return [...pages.slice(at + 1), ...pages.slice(0, at + 1)].find((page) => !this.pages.has(page)) ?? null;
  }

  /** How many of them are left. @param {string[]} pages */
  left(pages) {
    return pages.reduce((sum, page) => sum + (this.pages.has(page) ? 0 : 1), 0);
  }
}

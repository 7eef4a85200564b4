// The pages of a draft that this person has read: their text, if any, was in sight.

import { StoredValue } from "../common/stored-value.js";

const STORED = "qc4-curate-read";

/** Stored in this browser, because reading is private and not part of the draft. */
export class Unread extends StoredValue {
  /** @param {string|number} draft @param {string} me @param {Storage} [storage] */
  constructor(draft, me, storage) {
    super(STORED, draft, me, storage);
  }

  /** @param {Json} found */
  restore(found) {
    /** @type {Set<string>} */
    this.pages = new Set(Array.isArray(found) ? found : []);
  }

  /** @param {string} page */
  isRead(page) {
    return this.pages.has(page);
  }

  /** @param {string} page @returns {boolean} true if it was unread */
  read(page) {
    if (this.pages.has(page)) return false;
    this.pages.add(page);
    this.store([...this.pages]);
    return true;
  }

  /**
   * The first unread page after a page; after the end it starts at the top.
   * @param {string[]} pages
   * @param {string|null} from
   */
  next(pages, from) {
    const at = from === null ? -1 : pages.indexOf(from);
    return [...pages.slice(at + 1), ...pages.slice(0, at + 1)].find((page) => !this.pages.has(page)) ?? null;
  }

  /** The number of unread pages. @param {string[]} pages */
  left(pages) {
    return pages.reduce((sum, page) => sum + (this.pages.has(page) ? 0 : 1), 0);
  }
}

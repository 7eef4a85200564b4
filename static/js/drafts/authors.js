// Who placed or confirmed a page last, from the revision at which that was.

export class Authors {
  /** @param {[number, string][]} [known] revisions from which on it was another person, oldest first */
  constructor(known = []) {
    this.known = [...known];
  }

  /** Entries of the log that were not known. @param {import("./types.js").Entry[]} entries */
  add(entries) {
    for (const { revision, by } of entries) if (this.known.at(-1)?.[1] !== by) this.known.push([revision, by]);
  }

  /** @param {number} revision @returns {string|null} null for what the draft began with */
  of(revision) {
    return this.known.findLast(([first]) => first <= revision)?.[1] ?? null;
  }
}

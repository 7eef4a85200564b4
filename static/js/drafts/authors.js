// Who placed or confirmed a page last, by the revision of that change.

export class Authors {
  /** @param {[number, string][]} [known] the first revision of each new person, oldest first */
  constructor(known = []) {
    this.known = [...known];
  }

  /** Add entries of the log. @param {import("./types.js").Entry[]} entries */
  add(entries) {
    for (const { revision, by } of entries) if (this.known.at(-1)?.[1] !== by) this.known.push([revision, by]);
  }

  /** @param {number} revision @returns {string|null} null for placements that the draft started with */
  of(revision) {
    return this.known.findLast(([first]) => first <= revision)?.[1] ?? null;
  }
}

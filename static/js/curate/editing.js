// An operation at work: every step is carried out on the state at once and recorded as a change, so that the next step
// sees it. The twin of annotations/drafting/editing.py.

import { applyOne, invert } from "./changes.js";

/** @typedef {import("./state.js").DraftState} DraftState */

export class Edit {
  /** @param {DraftState} state changed in place @param {number} [revision] of the entry these changes will be */
  constructor(state, revision = 0) {
    this.state = state;
    this.revision = revision;
    /** @type {import("./types.js").Change[]} */
    this.changes = [];
    this._books = { touched: new Map(state.touched), changed: new Map(state.changed), marks: new Map(state.marks) };
  }

  /** @param {import("./types.js").Change} change */
  record(change) {
    applyOne(this.state, change, this.revision);
    this.changes.push(change);
  }

  /** Leaves the state as it was found. */
  takeBack() {
    for (const change of invert(this.changes)) applyOne(this.state, change, this.revision);
    Object.assign(this.state, this._books);
    this.changes = [];
  }

  // Topics

  /** @param {any} topic @param {number|null} [at] */
  addTopic(topic, at = null) {
    if (!topic.suggested) this.acceptPath(topic.parent);
    const end = this.state.childrenOf(topic.parent).length;
    this.record({ c: "topic+", topic: { ...topic }, at: at === null ? end : Math.min(at, end) });
  }

  /** @param {string} id */
  removeTopic(id) {
    this.take(id, this.state.membersOf(id));
    this.takeHints(id, this.state.hintsOf(id));
    this.record({ c: "topic-", topic: { ...this.state.topic(id) }, at: this.state.indexOf(id) });
  }

  /** @param {string} id @param {any} field @param {any} value */
  set(id, field, value) {
    const old = /** @type {any} */ (this.state.topicOf(id))[field];
    if (old !== value) this.record({ c: "set", topic: id, field, old, new: value });
  }

  /** @param {string} id @param {string|null} parent @param {number|null} [at] */
  place(id, parent, at = null) {
    const topic = this.state.topicOf(id);
    if (!topic.suggested) this.acceptPath(parent);
    const old = [topic.parent, this.state.indexOf(id)];
    const end = this.state.childrenOf(parent).length - (topic.parent === parent ? 1 : 0);
    const place = [parent, at === null ? end : Math.min(at, end)];
    if (old[0] !== place[0] || old[1] !== place[1]) this.record({ c: "place", topic: id, old, new: place });
  }

  /** @param {string|null} id */
  acceptPath(id) {
    if (id !== null) for (const step of this.state.pathIds(id)) this.set(step, "suggested", false);
  }

  /** @param {string} id */
  altered(id) {
    this.record({ c: "altered", topic: id });
  }

  // Pages

  /** @param {any} topic @param {Iterable<string>} pages */
  put(topic, pages) {
    const wanted = new Set(pages);
    if (wanted.size) this.acceptPath(topic);
    this._pages("out-", both(wanted, this.state.outliers));
    this.takeHints(topic, wanted);
    this._topicPages("in+", topic, without(wanted, this.state.membersOf(topic)));
  }

  /** @param {any} topic @param {Iterable<string>} pages */
  take(topic, pages) {
    this._topicPages("in-", topic, both(pages, this.state.membersOf(topic)));
  }

  /** @param {any} topic @param {Iterable<string>} pages */
  hint(topic, pages) {
    const undecided = without(without(pages, this.state.membersOf(topic)), this.state.hintsOf(topic));
    this._topicPages("hint+", topic, without(undecided, this.state.outliers));
  }

  /** @param {any} topic @param {Iterable<string>} pages */
  takeHints(topic, pages) {
    this._topicPages("hint-", topic, both(pages, this.state.hintsOf(topic)));
  }

  /** @param {Iterable<string>} pages */
  makeOutliers(pages) {
    const wanted = new Set(pages);
    for (const topic of this._holding(wanted)) {
      this.take(topic, wanted);
      this.takeHints(topic, wanted);
    }
    this._pages("out+", without(wanted, this.state.outliers));
  }

  /** @param {Iterable<string>} pages */
  clearOutliers(pages) {
    this._pages("out-", both(pages, this.state.outliers));
  }

  /** @param {Iterable<string>} pages */
  flag(pages) {
    this._pages("flag+", without(pages, this.state.flags));
  }

  /** @param {Iterable<string>} pages */
  unflag(pages) {
    this._pages("flag-", both(pages, this.state.flags));
  }

  /** @param {Iterable<string>} pages */
  seen(pages) {
    this._pages("seen", [...pages]);
  }

  /** @param {string} page @param {string} text */
  note(page, text) {
    const old = this.state.notes.get(page) ?? "";
    if (old !== text) this.record({ c: "note", page, old, new: text });
  }

  /** Topics that hold any of the pages as members or hints, in tree order. @param {Iterable<string>} pages */
  _holding(pages) {
    const found = new Set();
    for (const page of pages) {
      for (const topic of this.state.directTopics(page)) found.add(topic);
      for (const topic of this.state.hintedTopics(page)) found.add(topic);
    }
    return found.size > 1 ? this.state.preOrder().filter((topic) => found.has(topic)) : [...found];
  }

  /** @param {string} c @param {any} topic @param {string[]} pages */
  _topicPages(c, topic, pages) {
    if (pages.length) this.record({ c, topic, pages: this.state.inOrder(pages) });
  }

  /** @param {string} c @param {string[]} pages */
  _pages(c, pages) {
    if (pages.length) this.record({ c, pages: this.state.inOrder(pages) });
  }
}

/** @param {Iterable<string>} pages @param {ReadonlySet<string>} others @returns {string[]} */
export function both(pages, others) {
  return [...pages].filter((page) => others.has(page));
}

/** @param {Iterable<string>} pages @param {ReadonlySet<string>} others @returns {string[]} */
export function without(pages, others) {
  return [...pages].filter((page) => !others.has(page));
}

// An operation in progress. Every step is applied to the state at once and recorded as a change, so that the next step
// sees it. The counterpart of annotations/drafts/state_machine/editing.py.

import { applyOne, invert } from "./changes.js";

/** @typedef {import("./state.js").DraftState} DraftState */

export class Edit {
  /** @param {DraftState} state changed in place @param {number} [revision] the revision that these changes will have */
  constructor(state, revision = 0) {
    this.state = state;
    this.revision = revision;
    /** @type {import("./types.js").Change[]} */
    this.changes = [];
    const { touched, changed, marks } = state;
    this._books = { touched: new Map(touched), changed: new Map(changed), marks: new Map(marks) };
  }

  /** @param {import("./types.js").Change} change */
  record(change) {
    applyOne(this.state, change, this.revision);
    this.changes.push(change);
  }

  /** Restore the state. */
  takeBack() {
    for (const change of invert(this.changes)) applyOne(this.state, change, this.revision);
    Object.assign(this.state, this._books);
    this.changes = [];
  }

  // Topics

  /** @param {import("./types.js").Topic} topic @param {number|null} [at] */
  addTopic(topic, at = null) {
    if (!topic.suggested) this.acceptPath(topic.parent);
    const end = this.state.childrenOf(topic.parent).length;
    this.record({ c: "topic+", topic: { ...topic }, at: at === null ? end : Math.min(at, end) });
  }

  /** @param {string} id @param {string[]} [keep] ancestors that keep its pages */
  removeTopic(id, keep = []) {
    this.take(id, this.state.membersOf(id), keep);
    this.takeHints(id, this.state.hintsOf(id));
    this.record({ c: "topic-", topic: { ...this.state.topic(id) }, at: this.state.indexOf(id) });
  }

  /** @param {string} id @param {keyof import("./types.js").Topic} field @param {Json} value */
  set(id, field, value) {
    const old = this.state.topicOf(id)[field];
    if (old !== value) this.record({ c: "set", topic: id, field, old, new: value });
  }

  /** @param {string} id @param {string|null} parent @param {number|null} [at] */
  place(id, parent, at = null) {
    const topic = this.state.topicOf(id);
    if (!topic.suggested) this.acceptPath(parent);
    const old = [topic.parent, this.state.indexOf(id)];
    const end = this.state.childrenOf(parent).length - (topic.parent === parent ? 1 : 0);
    const place = [parent, at === null ? end : Math.min(at, end)];
    if (old[0] === place[0] && old[1] === place[1]) return;
    this._makeRoom(id, parent);
    this.record({ c: "place", topic: id, old, new: place });
  }

  /**
   * The topics that this topic moves below no longer store its pages and suggestions.
   * @param {string} id
   * @param {string|null} parent
   */
  _makeRoom(id, parent) {
    const held = this.state.pagesIn(id);
    const path = parent !== null && held.size ? this.state.pathIds(parent) : [];
    for (const above of path) this.takeHints(above, held);
    for (const above of path) this._topicPages("rest-", above, both(held, this.state.membersOf(above)));
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

  /** Put pages into a topic, unless it already holds them. @param {string} topic @param {Iterable<string>} pages */
  put(topic, pages) {
    const given = new Set(pages);
    if (given.size) this.acceptPath(topic);
    this._pages("out-", both(given, this.state.outliers));
    const wanted = without(given, this.state.pagesIn(topic));
    if (wanted.length) for (const step of this.state.pathIds(topic)) this.takeHints(step, wanted);
    for (const [above, some] of this.state.holdersAbove(topic, wanted))
      this.record({ c: "in+", topic, pages: some, ...aboveOf(above) });
  }

  /**
   * Take pages that are stored at a topic out of it and of its ancestors.
   * @param {string} topic
   * @param {Iterable<string>} pages
   * @param {Iterable<string>} [keep] ancestors that keep the pages; ancestors that hold them through another topic keep
   *   them, too
   */
  take(topic, pages, keep = []) {
    const wanted = both(pages, this.state.membersOf(topic));
    for (const [above, some] of this.state.holdersAbove(topic, wanted, keep))
      this.record({ c: "in-", topic, pages: some, ...aboveOf(above) });
  }

  /**
   * Take pages out of a topic and everything below it. Its ancestors keep them.
   * @param {string} topic
   * @param {Iterable<string>} pages
   */
  takeOut(topic, pages) {
    const wanted = [...pages];
    const keep = this.state.pathIds(topic).slice(0, -1);
    for (const below of this.state.subtree(topic)) this.take(below, wanted, keep);
  }

  /** @param {string} topic @param {Iterable<string>} pages */
  hint(topic, pages) {
    const undecided = without(without(pages, this.state.pagesIn(topic)), this.state.hintsOf(topic));
    this._topicPages("hint+", topic, without(undecided, this.state.outliers));
  }

  /** @param {string} topic @param {Iterable<string>} pages */
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

  /** Topics that hold any of the pages, or have them as suggestions, in tree order. @param {Iterable<string>} pages */
  _holding(pages) {
    const found = new Set();
    for (const page of pages) {
      for (const topic of this.state.finestTopics(page)) found.add(topic);
      for (const topic of this.state.hintedTopics(page)) found.add(topic);
    }
    return found.size > 1 ? this.state.preOrder().filter((topic) => found.has(topic)) : [...found];
  }

  /** @param {string} c @param {string} topic @param {string[]} pages */
  _topicPages(c, topic, pages) {
    if (pages.length) this.record({ c, topic, pages: this.state.inOrder(pages) });
  }

  /** @param {string} c @param {string[]} pages */
  _pages(c, pages) {
    if (pages.length) this.record({ c, pages: this.state.inOrder(pages) });
  }
}

/** The field of a change that names the ancestor which holds or keeps its pages. @param {string|null} topic */
function aboveOf(topic) {
  return topic === null ? {} : { above: topic };
}

/** @param {Iterable<string>} pages @param {ReadonlySet<string>} others @returns {string[]} */
export function both(pages, others) {
  return [...pages].filter((page) => others.has(page));
}

/** @param {Iterable<string>} pages @param {ReadonlySet<string>} others @returns {string[]} */
export function without(pages, others) {
  return [...pages].filter((page) => !others.has(page));
}

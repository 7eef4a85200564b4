// A topic that is being split: which of its pages have no part yet, and in which groups they are listed.

/** @typedef {{name: string, pages: string[]}} PageGroup similar pages, the most typical first */

export class Split {
  /**
   * @param {import("../drafts/store.js").DraftStore} store
   * @param {{queue: string, topic: string|null}} view
   */
  constructor(store, view) {
    this.store = store;
    this.view = view;
    /** True if parts become topics beside the split topic and take its pages; otherwise parts become its subtopics. */
    this.beside = false;
    /** @type {PageGroup[]} similar pages, as the site grouped them when splitting began */
    this.similar = [];
  }

  /** The topic that is being split; null if none is. */
  get topic() {
    const { queue, topic } = this.view;
    return queue === "split" && topic !== null && this.store.state.topic(topic) ? topic : null;
  }

  /** The topic whose children the parts are; null for level 1. @returns {string|null} */
  get parent() {
    return this.beside ? this.store.state.topicOf(this.topic ?? "").parent : this.topic;
  }

  /** Prepare to split a topic. @param {string} id */
  begin(id) {
    const { state } = this.store;
    // Below level 1, people seldom want a further level. A topic that has subtopics gets more of them.
    this.beside = state.first(id) > 1 && !state.childrenOf(id).length;
    this.similar = [];
  }

  /** Pages that are in no part yet. */
  waiting() {
    const { state } = this.store;
    const id = this.topic;
    if (id === null) return [];
    const parts = this.beside ? [] : state.childrenOf(id).filter((child) => !state.isSuggested(child));
    return state.inOrder([...state.pagesIn(id)].filter((page) => !parts.some((part) => state.isIn(page, part))));
  }

  /**
   * The waiting pages in the site's groups. Pages that the site did not group come last.
   * @returns {import("../drafts/queues.js").Group[]}
   */
  groups() {
    const rest = new Set(this.waiting());
    const found = this.similar.map(({ name, pages }, at) => {
      const here = pages.filter((page) => rest.delete(page));
      return { key: `part ${at}`, topic: null, name: name || "Similar to no other", pages: here };
    });
    const name = this.similar.length ? "Others" : "Its pages";
    const last = { key: "part rest", topic: null, name, pages: [...rest] };
    return [...found, last].filter((group) => group.pages.length);
  }

  /** The position of each grouped page, including finished pages that are still in sight. @returns {Map<string, number>} */
  order() {
    return new Map(this.similar.flatMap(({ pages }) => pages).map((page, at) => [page, at]));
  }

  /**
   * The pages that leave the split topic when they are put into another topic: only while parts are beside it.
   * @param {string} part the topic the pages are put into
   * @param {string[]} pages
   * @returns {string[]} empty if this is an ordinary placing
   */
  leaving(part, pages) {
    const { topic } = this;
    if (topic === null || !this.beside) return [];
    const { state } = this.store;
    if (state.isWithin(part, topic) || state.topicOf(part).parent !== this.parent) return [];
    return pages.filter((page) => state.isIn(page, topic));
  }

  /** The name of the group that holds all these pages, unless a topic there already has it. @param {string[]} pages */
  nameFor(pages) {
    const { state } = this.store;
    const group = this.similar.find((one) => pages.every((page) => one.pages.includes(page)));
    const taken = state.childrenOf(this.parent).map((id) => state.topicOf(id).name);
    return group && !taken.includes(group.name) ? group.name : "";
  }
}

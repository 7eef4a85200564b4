// The view of one person: queue, search, cursor, selection, and the resulting rows. None of it is stored in the
// draft.

import { announceSelection } from "../common/announce.js";
import { missingLevels } from "../drafts/placement.js";
import { Digits, offered } from "./digits.js";
import { known, size } from "./filters.js";
import { Finder } from "./finder.js";
import { Split } from "./split.js";
import { ownOrder, visibleGroups } from "./visible-queues.js";

const STAYS = "qc4-curate-stays";

/**
 * @typedef {{kind: "group", key: string, topic: string|null, pages: string[], name?: string}} GroupRow
 * @typedef {{kind: "page", page: string, group: string|null, finished: boolean}} PageRow
 * @typedef {GroupRow|PageRow} Row
 */

/**
 * What has changed: the rows of the list (`top`: the list then starts at its top), the cursor, the selection, or the
 * draft as a whole (`frame`). `rest` groups for all parts beside the list.
 * @typedef {{list?: boolean, top?: boolean, cursor?: boolean, selection?: boolean, frame?: boolean, rest?: boolean}} Drawing
 */

export class View extends EventTarget {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("../drafts/types.js").Workspace} needs.workspace
   * @param {import("./predictions.js").Predictions} needs.predictions
   */
  constructor({ store, workspace, predictions }) {
    super();
    this.store = store;
    this.workspace = workspace;
    this.queue = "all";
    /** @type {string|null} */
    this.topic = null;
    this.search = "";
    /** @type {import("./filters.js").Filters} */
    this.filters = {};
    this.finder = new Finder({ pages: store.pages, address: workspace.urls.pages, onanswer: () => this.#found() });
    /** @type {string|null} the open dialog that appears in the URL */
    this.sheet = null;
    /** @type {string|null} */
    this.cursor = null;
    /** @type {string|null} the group of the cursor, because a page may be in several groups */
    this.within = null;
    /** @type {string|null} where a range of selected pages starts */
    this.anchor = null;
    /** @type {string|null} the group of the anchor */
    this.anchored = null;
    /** @type {Set<string>} */
    this.selection = new Set();
    /**
     * Pages that the person's own action removed from the queue, or from one of several groups. They stay in sight
     * there until the next move: page -> its groups.
     */
    /** @type {Map<string, string[]>} */
    this.finishedHere = new Map();
    /** @type {(GroupRow|PageRow)[]} */
    this.rows = [];
    /** @type {string[]} */
    this.pages = [];
    /** @type {Map<string, number>} page -> the number of its first row */
    this.places = new Map();
    /** @type {Map<string, number[]>} page -> the numbers of its other rows, if it is in several groups */
    this.repeats = new Map();
    /** @type {Set<string>} pages of the queue that pass search and filters */
    this.matching = new Set();
    this.predictions = predictions;
    this.split = new Split(store, this);
    this.disagree = workspace.disagree ?? null;
    /**
     * @type {{pages: Map<string, number>, topics: Map<string, number>}} page or topic -> the number of its open threads
     *   of comments
     */
    this.talk = { pages: new Map(), topics: new Map() };
    this.digitKeys = new Digits(workspace.draft.id, workspace.me);
    this.movesOn = readMovesOn();
  }

  get state() {
    return this.store.state;
  }

  // What is shown

  /**
   * Show another queue, or the pages of one topic. The selection is cleared.
   * @param {string} queue
   * @param {{topic?: string|null, search?: string, filters?: import("./filters.js").Filters, page?: string|null}} [at]
   */
  show(queue, { topic = null, search = this.search, filters = this.filters, page = null } = {}) {
    this.queue = queue;
    this.topic = topic;
    this.search = search;
    this.filters = filters;
    this.finder.lookFor(search);
    this.finishedHere.clear();
    this.selection.clear();
    this.anchor = null;
    this.refresh({ quiet: true });
    this.#at(page !== null && this.places.has(page) ? page : (this.pages[0] ?? null), null);
    this.#notify({ list: true, top: page === null });
  }

  /** @param {string} search */
  find(search) {
    this.narrow({ search });
  }

  /**
   * Change the search, the filters, or both. Selected pages that stay in sight stay selected.
   * @param {{search?: string, filters?: import("./filters.js").Filters}} how
   */
  narrow({ search = this.search, filters = this.filters }) {
    this.search = search;
    this.filters = filters;
    this.finder.lookFor(search);
    this.finishedHere.clear();
    this.refresh({ quiet: true });
    if (this.at === undefined) this.#at(this.pages[0] ?? null, null);
    this.#notify({ list: true, top: true });
  }

  /** Show the whole queue again. */
  widen() {
    this.narrow({ search: "", filters: {} });
  }

  /** True if search or filters hide pages of the queue. */
  get isNarrowed() {
    return this.finder.terms.length > 0 || size(this.filters) > 0;
  }

  /** The site has searched the texts. If the list was empty until then, it starts at its top. */
  #found() {
    const empty = !this.pages.length;
    this.refresh({ quiet: true });
    this.#notify({ list: true, top: empty });
  }

  /** Set the open dialog that appears in the URL. @param {string|null} name */
  setSheet(name) {
    this.sheet = name;
    this.#notify({});
  }

  /** Compute the rows again. The cursor stays; if its page is gone, it moves to the nearest page of those before. */
  refresh({ quiet = false } = {}) {
    const before = this.pages;
    const at = this.#indexOf(this.cursor);
    this.filters = known(this.filters, this.state);
    const groups = visibleGroups(this);
    this.matching = new Set(groups.flatMap((group) => group.pages));
    const finished = this.#finished(groups);
    this.rows = rowsOf(this.#withFinished(groups, finished), finished);
    this.pages = this.#pageRows().map((row) => row.page);
    this.#count();
    for (const page of this.selection) if (!this.places.has(page)) this.selection.delete(page);
    if (this.cursor !== null && this.at === undefined) this.cursor = nearest(before, at, this.places);
    if (this.cursor === null) this.cursor = this.pages[0] ?? null;
    this.within = this.row?.group ?? null;
    if (!quiet) this.#notify({ list: true });
  }

  /** Record the position of every page. */
  #count() {
    this.places = new Map();
    this.repeats = new Map();
    for (const [number, row] of this.rows.entries()) {
      if (row.kind !== "page") continue;
      if (!this.places.has(row.page)) this.places.set(row.page, number);
      else this.repeats.set(row.page, [...(this.repeats.get(row.page) ?? []), number]);
    }
  }

  /**
   * The pages that the person has finished: in the whole queue, or in a group where they were beside others.
   * @param {import("../drafts/queues.js").Group[]} groups
   * @returns {Map<string, string[]>} page -> groups
   */
  #finished(groups) {
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const [page, stood] of this.finishedHere) {
      const holding = groups.filter(({ pages }) => pages.includes(page)).map(({ key }) => key);
      const left = stood.filter((key) => !holding.includes(key));
      if (left.length && (stood.length > 1 || !holding.length)) found.set(page, left);
    }
    return found;
  }

  /** @param {import("../drafts/queues.js").Group[]} groups @param {Map<string, string[]>} finished */
  #withFinished(groups, finished) {
    if (!finished.size) return groups;
    const found = groups.map((group) => ({ ...group, pages: [...group.pages] }));
    for (const [page, key] of [...finished].flatMap(([page, keys]) => keys.map((key) => [page, key]))) {
      const group = found.find((one) => one.key === key);
      if (group) group.pages.push(page);
      else found.push({ key, topic: this.state.topic(key) ? key : null, pages: [page] });
    }
    const own = ownOrder(this);
    /** @param {string} page */
    const place = (page) => own?.get(page) ?? Number.MAX_SAFE_INTEGER;
    for (const group of found) {
      group.pages = this.state.inOrder(group.pages);
      if (own) group.pages.sort((one, other) => place(one) - place(other));
    }
    const order = new Map(this.state.preOrder().map((id, rank) => [id, rank]));
    return found.sort((one, other) => (order.get(one.topic ?? "") ?? -1) - (order.get(other.topic ?? "") ?? -1));
  }

  // Cursor

  /** @returns {PageRow|null} */
  get row() {
    return this.cursor === null ? null : this.rowOf(this.cursor);
  }

  /** The row of a page. @param {string} page @returns {PageRow|null} */
  rowOf(page) {
    const row = this.rows[this.#placeOf(page) ?? -1];
    return row?.kind === "page" ? row : null;
  }

  /**
   * The number of a page's row: the one in a group (by default that of the cursor), otherwise the first.
   * @param {string} page
   */
  #placeOf(page, group = this.within) {
    return this.#rowsOf(page).find((number) => this.#groupAt(number) === group) ?? this.places.get(page);
  }

  /** @param {string} page @returns {number[]} */
  #rowsOf(page) {
    const first = this.places.get(page);
    return first === undefined ? [] : [first, ...(this.repeats.get(page) ?? [])];
  }

  /** @param {number} number the number of a row */
  #groupAt(number) {
    const row = this.rows[number];
    return row?.kind === "page" ? row.group : null;
  }

  /** The page under the cursor. */
  get page() {
    return this.cursor === null ? null : this.store.pageOf(this.cursor);
  }

  /** The number of the cursor's row. */
  get at() {
    return this.cursor === null ? undefined : this.#placeOf(this.cursor);
  }

  /**
   * @param {string} page
   * @param {{keep?: boolean, group?: string|null}} [how] `group`: the group in which to go to the page
   */
  goTo(page, { keep = false, group = this.within } = {}) {
    const list = !keep && this.#removedFinished();
    const known = page !== null && this.places.has(page);
    if (known) {
      this.#at(page, group);
      this.#anchorAt(page);
    }
    if (known || list) this.#notify({ list, cursor: known });
  }

  /** @param {string|null} page @param {string|null} group */
  #at(page, group) {
    this.cursor = page;
    this.within = group;
    this.within = this.row?.group ?? null;
  }

  /** Let a range of selected pages start at the cursor. */
  anchorHere() {
    if (this.cursor !== null) this.#anchorAt(this.cursor);
  }

  /** @param {string|null} page */
  #anchorAt(page) {
    this.anchor = page;
    this.anchored = this.within;
  }

  /** The position of the cursor among the rows of pages, from 1; 0 if there is no cursor. */
  get position() {
    return this.#indexOf(this.cursor) + 1;
  }

  /** @param {number} by the number of pages down; negative for up */
  move(by, { extend = false } = {}) {
    const from = this.#indexOf(this.cursor);
    const to = this.#pageRows()[Math.max(0, Math.min(this.pages.length - 1, from + by))];
    if (to === undefined) return;
    if (extend) this.extendTo(to.page, to.group);
    else this.goTo(to.page, { group: to.group });
  }

  /** @param {string} page @param {string|null} [group] */
  extendTo(page, group = this.within) {
    if (this.anchor === null) this.#anchorAt(this.cursor);
    const start = this.#indexOf(this.anchor, this.anchored);
    this.#at(page, group);
    const [from, to] = [start, this.#indexOf(page)].sort((one, other) => one - other);
    for (const between of this.pages.slice(from, to + 1)) this.selection.add(between);
    this.#notify({ cursor: true, selection: true });
  }

  /** @returns {PageRow[]} one for each of `pages` */
  #pageRows() {
    return this.rows.filter((row) => row.kind === "page");
  }

  /** The next row of the queue that is not finished; after the end it starts at the top. @returns {PageRow|null} */
  nextUnfinished() {
    const rows = this.#pageRows();
    const from = this.#indexOf(this.cursor);
    const turned = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))];
    return turned.find((row) => !row.finished && this.isOpen(row.page)) ?? null;
  }

  /** @param {string|null} page @param {string|null} [group] @returns {number} -1 if the page has no row */
  #indexOf(page, group = this.within) {
    const row = page === null ? undefined : this.rows[this.#placeOf(page, group) ?? -1];
    return row?.kind === "page" ? this.#pageRows().indexOf(row) : -1;
  }

  /** Set whether placing a page moves on to the next one. This browser remembers it. @param {boolean} on */
  moveOn(on) {
    this.movesOn = on;
    try {
      if (on) window.localStorage.removeItem(STAYS);
      else window.localStorage.setItem(STAYS, "true");
    } catch {
      // Private windows may block storage: the choice then lasts as long as the page.
    }
    this.#notify({});
  }

  /** True if there is something left to do with the page in this queue. @param {string} page */
  isOpen(page) {
    if (this.queue !== "all" && this.queue !== "topic") return true;
    return missingLevels(this.state, page).length > 0;
  }

  // Selection

  /** The pages that an action refers to: the selected pages, or the one under the cursor. @returns {string[]} */
  targets() {
    if (this.selection.size) return this.state.inOrder(this.selection);
    return this.cursor === null ? [] : [this.cursor];
  }

  /** @param {string} page */
  toggle(page) {
    if (!this.selection.delete(page)) this.selection.add(page);
    this.#anchorAt(page);
    this.#notify({ selection: true });
  }

  /** @param {string[]} pages */
  select(pages) {
    for (const page of pages) this.selection.add(page);
    this.#notify({ selection: true });
  }

  /** Select these pages and no others. @param {Iterable<string>} pages @param {string|null} [anchor] */
  selectOnly(pages, anchor = this.anchor) {
    this.selection = new Set(pages);
    this.anchor = anchor;
    this.#notify({ selection: true });
  }

  /** Select all pages of a group in the list. If all are selected, deselect them. @param {string} key */
  selectGroup(key) {
    const row = this.rows.find((one) => one.kind === "group" && one.key === key);
    const pages = row?.kind === "group" ? row.pages.filter((page) => this.matching.has(page)) : [];
    const whole = pages.every((page) => this.selection.has(page));
    for (const page of pages) {
      if (whole) this.selection.delete(page);
      else this.selection.add(page);
    }
    this.#notify({ selection: true });
    announceSelection(this.selection.size);
  }

  clearSelection() {
    this.selection.clear();
    this.#notify({ selection: true });
  }

  // Finished pages

  /** Before a change by this person, remember where its pages are. @param {string[]} pages */
  rememberPlaces(pages) {
    for (const page of pages) {
      const groups = this.#rowsOf(page).map((number) => this.#groupAt(number) ?? "");
      if (groups.length && !this.finishedHere.has(page)) this.finishedHere.set(page, groups);
    }
  }

  /** Forget the pages that still have something to do after the change. */
  forgetUnfinished() {
    for (const page of this.finishedHere.keys()) if (!this.isFinished(page)) this.finishedHere.delete(page);
  }

  /** True if a page is finished where it is, but still in sight. @param {string} page */
  isFinished(page) {
    return this.#rowsOf(page).some((number) => {
      const row = this.rows[number];
      return row.kind === "page" && row.finished;
    });
  }

  /** Remove the finished pages from the list. */
  removeFinished() {
    if (this.#removedFinished()) this.#notify({ list: true });
  }

  /** Remove them, and return true if there were any. */
  #removedFinished() {
    if (!this.finishedHere.size) return false;
    this.finishedHere.clear();
    this.refresh({ quiet: true });
    return true;
  }

  // Digits

  /**
   * The topics of the keys 1-9: the children of the page's topic in a queue of a deeper level, otherwise the topics of
   * level 1.
   * @returns {{parent: string|null, keys: Map<string, number>, topics: string[], others: string[]}} `keys` and `topics`
   *   in the order of the digits; `others`: topics without a key
   */
  digits() {
    const parent = this.#digitsParent();
    const keys = this.digitKeys.of(this.state, parent);
    const others = offered(this.state, parent).filter((id) => !keys.has(id));
    return { parent, keys, topics: [...keys.keys()], others };
  }

  #digitsParent() {
    if (this.split.topic) return this.split.parent;
    const named = [this.row?.group, this.queue === "topic" ? this.topic : null];
    return named.find((id) => id && this.state.topic(id) && this.state.childrenOf(id).length) || null;
  }

  /** @param {Drawing} detail */
  #notify(detail) {
    this.dispatchEvent(new CustomEvent("view", { detail }));
  }
}

function readMovesOn() {
  try {
    return window.localStorage.getItem(STAYS) === null;
  } catch {
    return true;
  }
}

/** @param {import("../drafts/queues.js").Group[]} groups @param {Map<string, string[]>} finished page -> groups */
function rowsOf(groups, finished) {
  /** @type {Row[]} */
  const rows = [];
  const named = groups.some((group) => group.topic !== null || group.name !== undefined);
  for (const group of groups) {
    if (!group.pages.length) continue;
    if (named) rows.push({ kind: "group", ...group });
    for (const page of group.pages)
      rows.push({
        kind: "page",
        page,
        group: named ? group.key : null,
        finished: Boolean(finished.get(page)?.includes(group.key)),
      });
  }
  return rows;
}

/** @param {string[]} before @param {number} at @param {Map<string, number>} places */
function nearest(before, at, places) {
  for (const page of before.slice(at + 1)) if (places.has(page)) return page;
  for (const page of before.slice(0, Math.max(0, at)).reverse()) if (places.has(page)) return page;
  return null;
}

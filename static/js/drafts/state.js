// The state of a draft and what can be derived from it. The counterpart of annotations/drafts/state_machine/state.py: same names,
// same results.
//
// A page is stored only at its finest topics, and belongs to all their ancestors. Derived values (all pages of a topic,
// coverage of a level) are computed on demand and cached until a change affects them.

import { nameKey } from "../common/text.js";
import { giveMark, marksInOrder } from "./marks.js";

/** @typedef {import("./types.js").Topic} Topic */

/**
 * @typedef {object} Coverage
 * @property {number} level
 * @property {number} placed the number of pages that are in a topic of this level, or outliers
 * @property {number} total the number of all pages
 */

const NO_PAGES = Object.freeze(new Set());

export class DraftState {
  // Derived values that were requested since they last changed.
  /** @type {Map<string, ReadonlySet<string>>} topic -> all its pages */ _closures;
  /** @type {Map<string, string[]>} topic -> its pages that are in none of its subtopics */ _leftOver;
  /** @type {Map<number, string[]>} level -> pages that are not placed */ _unplaced;
  /** @type {Map<number, Set<string>>} level -> pages that are placed */ _placed;
  /** @type {Map<number, string[]>} level -> topics */ _onLevel;
  /** @type {Map<string, number>} topic -> the level it starts on */ _firsts;
  /** @type {Record<"members"|"hints", Map<string, Set<string>>|null>} page -> topics */ _byPage;
  /** @type {string[]|undefined} every topic in tree order */ _order;
  /** @type {Map<string, number>|undefined} topic -> its index in that order */ _ranks;
  /** @type {number|undefined} the number of levels */ _levels;
  /** @type {Map<string, string[]>|undefined} name, ignoring case -> topics */ _named;

  /** @param {string[]} pages ids in the order of the page list */
  constructor(pages) {
    this.pages = Object.freeze([...pages]);
    /** @type {Map<string, Topic>} */
    this.topics = new Map();
    /** @type {Map<string|null, string[]>} */
    this.children = new Map();
    /** @type {Map<string, Set<string>>} topic -> the pages that it holds and none of its subtopics does */
    this.members = new Map();
    /** @type {Map<string, Set<string>>} topic -> the pages suggested for it */
    this.hints = new Map();
    /** @type {Set<string>} */
    this.outliers = new Set();
    /** @type {Set<string>} */
    this.flags = new Set();
    /** @type {Map<string, string>} */
    this.notes = new Map();
    /** @type {Object<string, *>} */
    this.extra = {};
    /** @type {Map<string, number>} page -> the revision in which a person last placed or confirmed it */
    this.touched = new Map();
    /** @type {Map<string, number>} topic -> the revision in which its meaning changed */
    this.changed = new Map();
    /**
     * @type {Map<string, Map<string, [string, boolean]>>} merged topic -> page that was meant for it -> where the page
     *   is instead
     */
    this.meant = new Map();
    /** @type {Map<string, number>} topic that is or was on level 1 -> its mark */
    this.marks = new Map();
    this._numbers = new Map(this.pages.map((page, number) => [page, number]));
    this._forgetAll();
  }

  // Pages

  /** @param {string} page */
  hasPage(page) {
    return this._numbers.has(page);
  }

  /** Pages in the order of the page list. @param {Iterable<string>} pages @returns {string[]} */
  inOrder(pages) {
    return [...pages].sort((one, other) => this._rank(one) - this._rank(other));
  }

  /** @param {string} page */
  _rank(page) {
    return this._numbers.get(page) ?? this.pages.length;
  }

  /** The finest topics that hold the page, in tree order. @param {string} page @returns {string[]} */
  finestTopics(page) {
    return this._inTree(this._topicsOf("members").get(page));
  }

  /** Topics the page is suggested for, in tree order. @param {string} page @returns {string[]} */
  hintedTopics(page) {
    return this._inTree(this._topicsOf("hints").get(page));
  }

  /** True if the page is in any topic. @param {string} page */
  isPlaced(page) {
    return (this._topicsOf("members").get(page)?.size ?? 0) > 0;
  }

  /** All topics that hold the page, including ancestors. @param {string} page @returns {Set<string>} */
  allTopics(page) {
    const found = new Set();
    for (const topic of this._topicsOf("members").get(page) ?? NO_PAGES) {
      for (let id = /** @type {string|null} */ (topic); id !== null && !found.has(id); id = this.topicOf(id).parent)
        found.add(id);
    }
    return found;
  }

  /** @param {string} page @param {string} topic */
  isIn(page, topic) {
    return this.pagesIn(topic).has(page);
  }

  /**
   * Group pages by the lowest ancestor of a topic that holds them through another topic.
   * @param {string} topic
   * @param {Iterable<string>} pages
   * @param {Iterable<string>} [keep] ancestors that hold the pages in any case
   * @returns {Map<string|null, string[]>} ancestor, or null if there is none -> its pages
   */
  holdersAbove(topic, pages, keep = []) {
    const above = this.pathIds(topic).slice(0, -1).reverse();
    const kept = new Set(keep);
    const byPage = this._topicsOf("members");
    /** @type {Map<string|null, string[]>} */
    const found = new Map();
    for (const page of this.inOrder(pages)) {
      const held = new Set(kept);
      for (const place of above.length ? (byPage.get(page) ?? NO_PAGES) : [])
        if (place !== topic) for (const step of this.pathIds(place)) held.add(step);
      const holder = above.find((step) => held.has(step)) ?? null;
      const group = found.get(holder);
      if (group) group.push(page);
      else found.set(holder, [page]);
    }
    return found;
  }

  // Topics

  /** @param {string} id @returns {Topic|undefined} */
  topic(id) {
    return this.topics.get(id);
  }

  /** Return the topic, which must exist. @param {string} id @returns {Topic} */
  topicOf(id) {
    const found = this.topics.get(id);
    if (!found) throw new Error(`There is no topic ${id}.`);
    return found;
  }

  /** @returns {string[]} */
  get roots() {
    return this.childrenOf(null);
  }

  /** @param {string|null} id @returns {string[]} */
  childrenOf(id) {
    return this.children.get(id) ?? [];
  }

  /** The topic and its ancestors, the root first. @param {string} id @returns {string[]} */
  pathIds(id) {
    const path = [];
    for (let at = /** @type {string|null} */ (id); at !== null; at = this.topicOf(at).parent) path.push(at);
    return path.reverse();
  }

  /** Names from the root to the topic. @param {string} id @returns {string[]} */
  path(id) {
    return this.pathIds(id).map((step) => this.topicOf(step).name);
  }

  /** The topic and everything below it, in tree order. @param {string} id @returns {string[]} */
  subtree(id) {
    const found = [id];
    for (const child of this.childrenOf(id)) found.push(...this.subtree(child));
    return found;
  }

  /** Every topic, parents before their children, siblings in order. @returns {string[]} */
  preOrder() {
    this._order ??= this.roots.flatMap((root) => this.subtree(root));
    return this._order;
  }

  /** The other topics with the same name, ignoring case and Unicode form. @param {string} id @returns {string[]} */
  namesakes(id) {
    if (!this._named) {
      this._named = new Map();
      for (const topic of this.topics.values()) {
        const key = nameKey(topic.name);
        const held = this._named.get(key);
        if (held) held.push(topic.id);
        else this._named.set(key, [topic.id]);
      }
    }
    return this._named.get(nameKey(this.topicOf(id).name))?.filter((other) => other !== id) ?? [];
  }

  /** True if `id` is `topic` or is below it. @param {string} id @param {string} topic */
  isWithin(id, topic) {
    for (let at = /** @type {string|null} */ (id); at !== null; at = this.topicOf(at).parent)
      if (at === topic) return true;
    return false;
  }

  /** The position of a topic among its siblings. @param {string} id */
  indexOf(id) {
    return this.childrenOf(this.topicOf(id).parent).indexOf(id);
  }

  /** @param {string} id @returns {ReadonlySet<string>} */
  membersOf(id) {
    return this.members.get(id) ?? NO_PAGES;
  }

  /** @param {string} id @returns {ReadonlySet<string>} */
  hintsOf(id) {
    return this.hints.get(id) ?? NO_PAGES;
  }

  /**
   * All pages of a topic: its own and those of every topic below it.
   * @param {string} id
   * @returns {ReadonlySet<string>}
   */
  pagesIn(id) {
    const known = this._closures.get(id);
    if (known) return known;
    const found = this.childrenOf(id).length ? this._gathered(id) : this.membersOf(id);
    this._closures.set(id, found);
    return found;
  }

  /** @param {string} id @returns {Set<string>} */
  _gathered(id) {
    const found = new Set(this.membersOf(id));
    for (const child of this.childrenOf(id)) for (const page of this.pagesIn(child)) found.add(page);
    return found;
  }

  // Levels

  /** The level on which a topic starts. @param {string} id @returns {number} */
  first(id) {
    const known = this._firsts.get(id);
    if (known !== undefined) return known;
    const { parent } = this.topicOf(id);
    const level = parent === null ? 1 : this.first(parent) + this.topicOf(parent).step;
    this._firsts.set(id, level);
    return level;
  }

  /**
   * The last level that a topic covers: just above its children, or the lowest level of the draft.
   * @param {string} id
   */
  last(id) {
    const topic = this.topicOf(id);
    return this._counting(id).length ? this.first(id) + topic.step - 1 : Math.max(this.levels, this.first(id));
  }

  /** The number of levels of the draft, at least 1. Suggested topics do not count. @returns {number} */
  get levels() {
    if (this._levels === undefined) {
      this._levels = 1;
      for (const id of this.topics.keys()) {
        if (!this.isSuggested(id)) this._levels = Math.max(this._levels, this.first(id));
      }
    }
    return this._levels;
  }

  /** @param {string} id */
  isSuggested(id) {
    return this.topicOf(id).suggested;
  }

  /** The topics on a level, in tree order, without suggested ones. @param {number} level @returns {string[]} */
  topicsOn(level) {
    let found = this._onLevel.get(level);
    if (!found) {
      found = this.preOrder().filter(
        (id) => !this.isSuggested(id) && this.first(id) <= level && level <= this.last(id),
      );
      this._onLevel.set(level, found);
    }
    return found;
  }

  /** Children that are not suggestions. @param {string|null} id @returns {string[]} */
  _counting(id) {
    return this.childrenOf(id).filter((child) => !this.isSuggested(child));
  }

  /**
   * Pages in no topic of a level, in page-list order. Outliers count as placed.
   * @param {number} level
   * @returns {string[]}
   */
  unplaced(level) {
    let found = this._unplaced.get(level);
    if (!found) {
      const placed = this._placedOn(level);
      found = placed.size === this.pages.length ? [] : this.pages.filter((page) => !placed.has(page));
      this._unplaced.set(level, found);
    }
    return found;
  }

  /** True if a page is in a topic of a level, or is an outlier. @param {number} level @param {string} page */
  isPlacedOn(level, page) {
    return this._placedOn(level).has(page);
  }

  /** @param {number} level @returns {Set<string>} */
  _placedOn(level) {
    let placed = this._placed.get(level);
    if (!placed) {
      placed = new Set(this.outliers);
      for (const id of this.topicsOn(level)) for (const page of this.pagesIn(id)) placed.add(page);
      this._placed.set(level, placed);
    }
    return placed;
  }

  /**
   * Pages of a topic that are in none of its subtopics, in page-list order; empty if it has no subtopics.
   * @param {string} id
   * @returns {string[]}
   */
  leftOver(id) {
    let found = this._leftOver.get(id);
    if (found) return found;
    const children = this._counting(id);
    found = [];
    if (children.length) {
      for (const page of this.pagesIn(id)) {
        if (!children.some((child) => this.pagesIn(child).has(page))) found.push(page);
      }
      found = this.inOrder(found);
    }
    this._leftOver.set(id, found);
    return found;
  }

  /** @returns {Coverage[]} one for each level */
  coverage() {
    const total = this.pages.length;
    return Array.from({ length: this.levels }, (_, at) => ({
      level: at + 1,
      placed: total - this.unplaced(at + 1).length,
      total,
    }));
  }

  /**
   * Pages that were placed before one of their finest topics changed its meaning, in page-list order.
   * @returns {string[]}
   */
  staleness() {
    const stale = new Set();
    for (const [topic, revision] of this.changed) {
      for (const page of this.membersOf(topic)) if ((this.touched.get(page) ?? 0) < revision) stale.add(page);
    }
    return this.inOrder(stale);
  }

  // Copies

  /** @returns {DraftState} */
  clone() {
    const copy = Object.create(DraftState.prototype);
    copy.pages = this.pages;
    copy._numbers = this._numbers;
    copy.topics = new Map(this.topics);
    copy.children = copied(this.children, (ids) => [...ids]);
    copy.members = copied(this.members, (pages) => new Set(pages));
    copy.hints = copied(this.hints, (pages) => new Set(pages));
    copy.outliers = new Set(this.outliers);
    copy.flags = new Set(this.flags);
    copy.notes = new Map(this.notes);
    copy.extra = this.extra;
    copy.touched = new Map(this.touched);
    copy.changed = new Map(this.changed);
    copy.meant = new Map(this.meant);
    copy.marks = new Map(this.marks);
    copy._forgetAll();
    return copy;
  }

  /** The form that the server sends and accepts: topics in tree order, pages in page-list order, without empty sets. */
  toJSON() {
    return {
      topics: this.preOrder().map((id) => ({ ...this.topics.get(id) })),
      members: this._sets(this.members),
      hints: this._sets(this.hints),
      outliers: this.inOrder(this.outliers),
      flags: this.inOrder(this.flags),
      notes: Object.fromEntries(this.inOrder(this.notes.keys()).map((page) => [page, this.notes.get(page)])),
      touched: Object.fromEntries(this.touched),
      changed: Object.fromEntries(this.changed),
      meant: Object.fromEntries([...this.meant].map(([topic, pages]) => [topic, Object.fromEntries(pages)])),
      marks: Object.fromEntries(this.marks),
      extra: this.extra,
    };
  }

  /**
   * @param {string[]} pages ids in the order of the page list
   * @param {import("./types.js").StateJson} json the result of `toJSON`
   * @returns {DraftState}
   */
  static fromJSON(pages, json) {
    const state = new DraftState(pages);
    for (const topic of json.topics ?? []) {
      state.topics.set(topic.id, completed(topic));
      const siblings = state.children.get(topic.parent ?? null);
      if (siblings) siblings.push(topic.id);
      else state.children.set(topic.parent ?? null, [topic.id]);
    }
    for (const [topic, ids] of Object.entries(json.members ?? {}))
      if (ids.length) state.members.set(topic, new Set(ids));
    for (const [topic, ids] of Object.entries(json.hints ?? {})) if (ids.length) state.hints.set(topic, new Set(ids));
    state.outliers = new Set(json.outliers ?? []);
    state.flags = new Set(json.flags ?? []);
    state.notes = new Map(Object.entries(json.notes ?? {}));
    state.touched = new Map(Object.entries(json.touched ?? {}));
    state.changed = new Map(Object.entries(json.changed ?? {}));
    state.meant = new Map(
      Object.entries(json.meant ?? {}).map(([topic, pages]) => [topic, new Map(Object.entries(pages))]),
    );
    state.marks = json.marks ? new Map(Object.entries(json.marks)) : marksInOrder(state.roots);
    state.extra = json.extra ?? {};
    return state;
  }

  /** @param {Map<string, Set<string>>} sets */
  _sets(sets) {
    return Object.fromEntries(
      this.preOrder()
        .filter((id) => sets.get(id)?.size)
        .map((id) => [id, this.inOrder(sets.get(id) ?? [])]),
    );
  }

  /** @param {Set<string>|undefined} topics @returns {string[]} */
  _inTree(topics) {
    if (!topics?.size) return [];
    if (topics.size === 1) return [...topics];
    const ranks = this._ranks ?? new Map(this.preOrder().map((id, rank) => [id, rank]));
    this._ranks = ranks;
    return [...topics].sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
  }

  /**
   * Page -> topics, the inverse of the stored sets. It is built once and then updated by the writers below.
   * @param {"members"|"hints"} kind
   * @returns {Map<string, Set<string>>}
   */
  _topicsOf(kind) {
    const known = this._byPage[kind];
    if (known) return known;
    /** @type {Map<string, Set<string>>} */
    const found = new Map();
    for (const [topic, pages] of this[kind]) for (const page of pages) link(found, page, topic);
    this._byPage[kind] = found;
    return found;
  }

  // Writers. Only changes.js calls them. They keep derived values consistent with stored values.

  /** @param {"members"|"hints"} kind @param {string} topic @param {Iterable<string>} pages */
  _include(kind, topic, pages) {
    const byPage = this._byPage[kind];
    const held = this[kind].get(topic) ?? new Set();
    for (const page of pages) {
      held.add(page);
      if (byPage) link(byPage, page, topic);
    }
    if (held.size) this[kind].set(topic, held);
    if (kind === "members") this._forgetPages(topic);
  }

  /** @param {"members"|"hints"} kind @param {string} topic @param {Iterable<string>} pages */
  _exclude(kind, topic, pages) {
    const held = this[kind].get(topic);
    for (const page of pages) {
      held?.delete(page);
      this._byPage[kind]?.get(page)?.delete(topic);
    }
    if (held && !held.size) this[kind].delete(topic);
    if (kind === "members") this._forgetPages(topic);
  }

  /** @param {"outliers"|"flags"} kind @param {Iterable<string>} pages @param {boolean} marked */
  _mark(kind, pages, marked) {
    for (const page of pages) {
      if (marked) this[kind].add(page);
      else this[kind].delete(page);
    }
    if (kind === "outliers") this._forgetPlaces();
  }

  /** @param {Topic} topic @param {number} at */
  _insert(topic, at) {
    this.topics.set(topic.id, completed(topic));
    this._attach(topic.id, topic.parent ?? null, at);
  }

  /** @param {string} id */
  _remove(id) {
    this._detach(id);
    this.topics.delete(id);
    this.members.delete(id);
    this.hints.delete(id);
    this.changed.delete(id);
    this._closures.delete(id);
    this._leftOver.delete(id);
  }

  /** @param {Topic} topic */
  _put(topic) {
    const before = this.topicOf(topic.id);
    this.topics.set(topic.id, topic);
    if (before.name !== topic.name) this._named = undefined;
    if (before.step !== topic.step || before.suggested !== topic.suggested) this._forgetLevels();
    if (before.suggested !== topic.suggested) this._forgetPages(topic.id);
  }

  /** @param {string} id @param {string|null} parent @param {number} at */
  _rehang(id, parent, at) {
    this._detach(id);
    this.topics.set(id, { ...this.topicOf(id), parent });
    this._attach(id, parent, at);
  }

  /** @param {string} id @param {string|null} parent @param {number} at */
  _attach(id, parent, at) {
    const siblings = this.children.get(parent);
    if (siblings) siblings.splice(at, 0, id);
    else this.children.set(parent, [id]);
    if (parent === null) giveMark(this, id);
    this._forgetStructure(parent);
  }

  /** @param {string} id */
  _detach(id) {
    const parent = this.topicOf(id).parent;
    const siblings = this.children.get(parent) ?? [];
    siblings.splice(siblings.indexOf(id), 1);
    if (!siblings.length) this.children.delete(parent);
    this._forgetStructure(parent);
  }

  /** @param {string|null} topic */
  _forgetPages(topic) {
    for (
      let id = /** @type {string|null|undefined} */ (topic);
      id !== null && id !== undefined;
      id = this.topics.get(id)?.parent
    ) {
      this._closures.delete(id);
      this._leftOver.delete(id);
    }
    this._forgetPlaces();
  }

  _forgetPlaces() {
    this._unplaced.clear();
    this._placed.clear();
  }

  /** @param {string|null} parent */
  _forgetStructure(parent) {
    this._order = this._ranks = this._named = undefined;
    this._forgetLevels();
    this._forgetPages(parent);
  }

  _forgetLevels() {
    this._levels = undefined;
    this._firsts.clear();
    this._onLevel.clear();
    this._forgetPlaces();
  }

  _forgetAll() {
    this._closures = new Map();
    this._leftOver = new Map();
    this._unplaced = new Map();
    this._placed = new Map();
    this._onLevel = new Map();
    this._firsts = new Map();
    this._byPage = { members: null, hints: null };
    this._order = this._ranks = this._levels = this._named = undefined;
  }
}

/**
 * A topic with all fields, whichever are given.
 * @param {Partial<Topic> & {id: string, name: string}} topic
 * @returns {Topic}
 */
export function completed(topic) {
  return Object.freeze({
    id: topic.id,
    name: topic.name,
    description: topic.description ?? "",
    note: topic.note ?? "",
    parent: topic.parent ?? null,
    step: topic.step ?? 1,
    suggested: topic.suggested ?? false,
    extra: topic.extra ?? {},
  });
}

/** JSON with sorted keys, so that equal values give equal texts. @param {*} value @returns {string} */
export function canonical(value) {
  return JSON.stringify(value, (_, inner) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** @template Key, Value @param {Map<Key, Value>} map @param {(value: Value) => Value} copy @returns {Map<Key, Value>} */
function copied(map, copy) {
  const found = new Map();
  for (const [key, value] of map) found.set(key, copy(value));
  return found;
}

/** @param {Map<string, Set<string>>} map @param {string} key @param {string} value */
function link(map, key, value) {
  const held = map.get(key);
  if (held) held.add(value);
  else map.set(key, new Set([value]));
}

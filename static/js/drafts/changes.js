// The primitive changes that a draft consists of. The counterpart of annotations/drafts/state_machine/changes.py.
//
//   {c: "topic+" | "topic-", topic: {…}, at}            {c: "set", topic, field, old, new}
//   {c: "place", topic, old: [parent, index], new: […]}   {c: "hint+" | "hint-", topic, pages}
//   {c: "in+" | "in-", topic, pages, above?}              {c: "rest+" | "rest-", topic, pages}
//   {c: "out+" | "out-" | "flag+" | "flag-", pages}       {c: "note", page, old, new}
//   {c: "seen", pages}                                    {c: "altered", topic}
//   {c: "meant+" | "meant-", topic, name, into, held, pages}
//
// A page is stored only at its finest topics. "in+" puts pages into a topic and its ancestors, up to `above`, the
// lowest ancestor that already holds them; if they were stored there, they no longer are. "in-" takes them out again,
// and `above` keeps them. "rest-" stops storing pages at a topic because a topic that holds them is about to move below
// it. "meant+" remembers pages that were put into a topic that others had merged into another one in the meantime.
//
// "seen" and "altered" only record which pages are stale. They are their own inverse.

/** @type {Record<string, string>} */
const INVERSE = {
  "topic+": "topic-",
  "topic-": "topic+",
  "in+": "in-",
  "in-": "in+",
  "rest+": "rest-",
  "rest-": "rest+",
  "meant+": "meant-",
  "meant-": "meant+",
  "hint+": "hint-",
  "hint-": "hint+",
  "out+": "out-",
  "out-": "out+",
  "flag+": "flag-",
  "flag-": "flag+",
};

/**
 * Apply changes to the state, in place.
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Change[]} changes
 * @param {number} revision the revision of their entry
 */
export function apply(state, changes, revision) {
  for (const change of changes) applyOne(state, change, revision);
}

/**
 * Apply one change, in place.
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Change} change
 * @param {number} revision
 */
export function applyOne(state, change, revision) {
  switch (change.c) {
    case "topic+":
      return state._insert(change.topic, change.at);
    case "topic-":
      return state._remove(change.topic.id);
    case "set":
      state._put(Object.freeze({ ...state.topicOf(change.topic), [change.field]: change.new }));
      if (change.field === "description") state.changed.set(change.topic, revision);
      return undefined;
    case "place":
      return state._rehang(change.topic, change.new[0], change.new[1]);
    case "in+":
      state._include("members", change.topic, change.pages);
      if (change.above !== undefined) state._exclude("members", change.above, change.pages);
      return touch(state, change.pages, revision);
    case "in-":
      state._exclude("members", change.topic, change.pages);
      if (change.above !== undefined) keep(state, change.above, change.pages);
      return undefined;
    case "rest+":
      return state._include("members", change.topic, change.pages);
    case "rest-":
      return state._exclude("members", change.topic, change.pages);
    case "meant+":
    case "meant-":
      return mean(state, change);
    case "hint+":
      return state._include("hints", change.topic, change.pages);
    case "hint-":
      return state._exclude("hints", change.topic, change.pages);
    case "out+":
    case "out-":
      state._mark("outliers", change.pages, change.c === "out+");
      return change.c === "out+" ? touch(state, change.pages, revision) : undefined;
    case "flag+":
    case "flag-":
      return state._mark("flags", change.pages, change.c === "flag+");
    case "note":
      if (change.new) state.notes.set(change.page, change.new);
      else state.notes.delete(change.page);
      return undefined;
    case "seen":
      return touch(state, change.pages, revision);
    case "altered":
      state.changed.set(change.topic, revision);
      return undefined;
    default:
      throw new Error(`Unknown change: ${change.c}`);
  }
}

/**
 * Store pages at a topic that does not hold them otherwise.
 * @param {import("./state.js").DraftState} state
 * @param {string} topic
 * @param {string[]} pages
 */
function keep(state, topic, pages) {
  const held = state.pagesIn(topic);
  state._include(
    "members",
    topic,
    pages.filter((page) => !held.has(page)),
  );
}

/** @param {import("./state.js").DraftState} state @param {string[]} pages @param {number} revision */
function touch(state, pages, revision) {
  for (const page of pages) state.touched.set(page, revision);
}

/** @param {import("./state.js").DraftState} state @param {import("./types.js").Change} change */
function mean(state, { c, topic, into, held, pages }) {
  const meant = new Map(state.meant.get(topic));
  for (const page of pages) {
    if (c === "meant+") meant.set(page, [into, held]);
    else meant.delete(page);
  }
  if (meant.size) state.meant.set(topic, meant);
  else state.meant.delete(topic);
}

/**
 * Return the changes that undo these: applied after them, they restore the state.
 * @param {import("./types.js").Change[]} changes
 */
export function invert(changes) {
  return changes.map(inverse).reverse();
}

/** @param {import("./types.js").Change} change */
function inverse(change) {
  if (change.c in INVERSE) return { ...change, c: INVERSE[change.c] };
  if ("old" in change) return { ...change, old: change.new, new: change.old };
  return change;
}

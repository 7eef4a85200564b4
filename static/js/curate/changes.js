// The primitive changes a draft is made of. The twin of annotations/drafting/changes.py.
//
//   {c: "topic+" | "topic-", topic: {…}, at}            {c: "set", topic, field, old, new}
//   {c: "place", topic, old: [parent, index], new: […]}   {c: "in+" | "in-" | "hint+" | "hint-", topic, pages}
//   {c: "out+" | "out-" | "flag+" | "flag-", pages}       {c: "note", page, old, new}
//   {c: "seen", pages}                                    {c: "altered", topic}
//
// "seen" and "altered" only keep the books about stale pages and are their own inverse.

/** @type {Record<string, string>} */
const INVERSE = {
  "topic+": "topic-",
  "topic-": "topic+",
  "in+": "in-",
  "in-": "in+",
  "hint+": "hint-",
  "hint-": "hint+",
  "out+": "out-",
  "out-": "out+",
  "flag+": "flag-",
  "flag-": "flag+",
};

/**
 * Makes the changes to the state, in place.
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Change[]} changes
 * @param {number} revision of the entry they belong to
 */
export function apply(state, changes, revision) {
  for (const change of changes) applyOne(state, change, revision);
}

/**
 * One change, in place.
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
      state._put(Object.freeze({ ...state.topic(change.topic), [change.field]: change.new }));
      if (change.field === "description") state.changed.set(change.topic, revision);
      return undefined;
    case "place":
      return state._rehang(change.topic, change.new[0], change.new[1]);
    case "in+":
      state._include("members", change.topic, change.pages);
      return touch(state, change.pages, revision);
    case "in-":
      return state._exclude("members", change.topic, change.pages);
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

/** @param {import("./state.js").DraftState} state @param {string[]} pages @param {number} revision */
function touch(state, pages, revision) {
  for (const page of pages) state.touched.set(page, revision);
}

/**
 * The changes that take these back: applied after them, nothing has changed.
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

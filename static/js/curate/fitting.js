// Whether changes of the past still fit a state that has moved on: undo and redo when others worked in between. The twin
// of annotations/drafting/fitting.py: what others did meanwhile is never overwritten.

import { Edit, without } from "./editing.js";
import { OperationError } from "./fields.js";
import { refuseTooDeep } from "./operations.js";
import { canonical, completed } from "./state.js";
import { quoted } from "./wording.js";

/** @param {import("./state.js").DraftState} state @param {import("./types.js").Change[]} changes */
export function fits(state, changes) {
  try {
    fitted(state, changes);
    return true;
  } catch (error) {
    if (error instanceof OperationError) return false;
    throw error;
  }
}

/**
 * The part of changes still to be made; the state stays as it is.
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Change[]} changes
 * @throws {OperationError} "undo-blocked", "too-deep"
 */
export function fitted(state, changes) {
  return fitIn(state.clone(), changes, 0);
}

/**
 * The same, made on the state itself; where they do not fit, it stays as it was.
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Change[]} changes
 * @param {number} revision
 */
export function fitIn(state, changes, revision) {
  const edit = new Edit(state, revision);
  try {
    for (const change of changes) FIT[change.c](edit, change);
    refuseTooDeep(state);
  } catch (error) {
    edit.takeBack();
    throw error;
  }
  return edit.changes;
}

/** @param {any} message */
function misfit(message) {
  return new OperationError("undo-blocked", message, "Make the change by hand, or undo the later one first.");
}

/** @param {import("./editing.js").Edit} edit @param {string} id */
function known(edit, id) {
  const topic = edit.state.topic(id);
  if (!topic) throw misfit(`The topic ${quoted(id)} is not there any more.`);
  return topic;
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function addTopic(edit, change) {
  const topic = completed(change.topic);
  if (edit.state.topics.has(topic.id)) throw misfit(`The topic ${quoted(topic.name)} is there again.`);
  if (topic.parent !== null) known(edit, topic.parent);
  edit.addTopic(topic, change.at);
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function removeTopic(edit, change) {
  const now = known(edit, change.topic.id);
  const { state } = edit;
  if (state.childrenOf(now.id).length || state.membersOf(now.id).size || state.hintsOf(now.id).size) {
    throw misfit(`${quoted(now.name)} is in use: it holds pages or subtopics by now.`);
  }
  if (canonical(now) !== canonical(completed(change.topic)))
    throw misfit(`${quoted(now.name)} has been changed since.`);
  edit.removeTopic(now.id);
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function setField(edit, change) {
  const topic = known(edit, change.topic);
  if (change.field === "suggested") return setSuggested(edit, topic.id, change.new);
  if (/** @type {any} */ (topic)[change.field] !== change.old) {
    throw misfit(`The ${change.field} of ${quoted(topic.name)} has been changed since.`);
  }
  return edit.set(topic.id, change.field, change.new);
}

/**
 * Accept with what is above; make it a suggestion again only where nobody uses it as a topic by now.
 * @param {import("./editing.js").Edit} edit
 * @param {string} id
 * @param {any} suggested
 */
function setSuggested(edit, id, suggested) {
  const { state } = edit;
  if (!suggested) edit.acceptPath(id);
  else if (!state.membersOf(id).size && state.childrenOf(id).every((child) => state.isSuggested(child))) {
    edit.set(id, "suggested", true);
  }
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function place(edit, change) {
  const topic = known(edit, change.topic);
  const [parent, at] = change.new;
  if (topic.parent !== change.old[0]) throw misfit(`${quoted(topic.name)} has been moved since.`);
  if (parent !== null) {
    known(edit, parent);
    if (edit.state.isWithin(parent, topic.id))
      throw misfit(`What was above ${quoted(topic.name)} lies below it by now.`);
  }
  edit.place(topic.id, parent, at);
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function note(edit, change) {
  if ((edit.state.notes.get(change.page) ?? "") !== change.old) {
    throw misfit(`The note on page ${quoted(change.page)} has been changed since.`);
  }
  edit.note(change.page, change.new);
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function put(edit, change) {
  const { id } = known(edit, change.topic);
  edit.put(id, without(without(change.pages, edit.state.outliers), edit.state.membersOf(id)));
}

/** @param {import("./editing.js").Edit} edit @param {import("./types.js").Change} change */
function makeOutliers(edit, change) {
  edit.makeOutliers(change.pages.filter((/** @type {string} */ page) => !edit.state.isPlaced(page)));
}

/** @type {Record<string, (edit: Edit, change: import("./types.js").Change) => void>} */
const FIT = {
  "topic+": addTopic,
  "topic-": removeTopic,
  set: setField,
  place,
  altered: (edit, change) => edit.altered(known(edit, change.topic).id),
  "in+": put,
  "in-": (edit, change) => edit.take(known(edit, change.topic).id, change.pages),
  "hint+": (edit, change) => edit.hint(known(edit, change.topic).id, change.pages),
  "hint-": (edit, change) => edit.takeHints(known(edit, change.topic).id, change.pages),
  "out+": makeOutliers,
  "out-": (edit, change) => edit.clearOutliers(change.pages),
  "flag+": (edit, change) => edit.flag(change.pages),
  "flag-": (edit, change) => edit.unflag(change.pages),
  note,
  seen: (edit, change) => edit.seen(change.pages),
};

// Operations: what people do to a draft, compiled into changes. The counterpart of annotations/drafting/operations/ for
// what the screen makes. It rejects mistakes that people can make; the server also rejects those that programs can
// make.

import { KEY_CHARS, MAX_LEVELS } from "../common/limits.js";
import { nameKey } from "../common/text.js";
import { listed, number, quoted } from "../common/wording.js";
import { both, Edit, without } from "./editing.js";
import { Fields, OperationError } from "./fields.js";
import { completed } from "./state.js";

/** @typedef {import("./state.js").DraftState} DraftState */

const DEEPENING = new Set(["topic+", "place", "set"]);

/**
 * Carry out operations on this state itself, as one entry with this revision. Operations without effect are skipped.
 * @param {DraftState} state
 * @param {import("./types.js").Operation[]} operations
 * @param {number} revision
 * @returns {import("./types.js").Change[]} changes
 * @throws {OperationError} and the state is as it was; "no-effect" if all of them together change nothing
 */
export function carryOut(state, operations, revision) {
  const edit = new Edit(state, revision);
  operations.forEach((operation, index) => {
    try {
      carryOutOne(edit, operation);
    } catch (error) {
      if (error instanceof OperationError) error.index = index;
      edit.takeBack();
      throw error;
    }
  });
  if (!edit.changes.length) throw new OperationError("no-effect", "This is already the case.");
  return edit.changes;
}

/** @param {Edit} edit @param {import("./types.js").Operation} operation */
function carryOutOne(edit, operation) {
  const before = edit.changes.length;
  KINDS[operation.kind](edit, new Fields(operation, edit.state));
  if (edit.changes.slice(before).some((change) => DEEPENING.has(change.c))) refuseTooDeep(edit.state);
}

/** @param {DraftState} state @throws {OperationError} if there would be more levels than a document may have */
function refuseTooDeep(state) {
  let deepest = 1;
  for (const id of state.topics.keys()) deepest = Math.max(deepest, state.first(id));
  if (deepest > MAX_LEVELS) {
    const message = `The hierarchy would have ${number(deepest)} levels.`;
    throw new OperationError("too-deep", message, `At most ${MAX_LEVELS} are possible: use fewer or smaller steps.`);
  }
}

/** @param {Edit} edit @param {string} topic */
const nameOf = (edit, topic) => quoted(edit.state.topicOf(topic).name);

// Single topics

/** @param {Edit} edit @param {Fields} fields */
function addTopic(edit, fields) {
  const description = fields.value.description ? fields.text("description") : "";
  const topic = completed({
    id: fields.newTopic(),
    name: fields.name(),
    description,
    parent: fields.parent(),
  });
  const pages = fields.pages();
  edit.addTopic(topic, fields.value.at);
  edit.put(topic.id, pages);
}

// Places of topics

/** @param {Edit} edit @param {Fields} fields */
function move(edit, fields) {
  const [topic, parent] = [fields.topic(), fields.parent()];
  if (parent !== null && edit.state.isWithin(parent, topic)) {
    const fix = "Move it out first, or choose a parent outside of the topic.";
    throw new OperationError("cycle", `${nameOf(edit, parent)} lies inside ${nameOf(edit, topic)}.`, fix);
  }
  edit.place(topic, parent, fields.value.at);
}

/** @param {Edit} edit @param {Fields} fields */
function promote(edit, fields) {
  const topic = fields.topic();
  const { parent } = edit.state.topicOf(topic);
  if (parent === null) {
    throw new OperationError(
      "at-top",
      `${nameOf(edit, topic)} is on level 1 already.`,
      "Only subtopics can be promoted.",
    );
  }
  edit.place(topic, edit.state.topicOf(parent).parent, edit.state.indexOf(parent) + 1);
}

/** @param {Edit} edit @param {Fields} fields */
function demote(edit, fields) {
  const topic = fields.topic();
  const at = edit.state.indexOf(topic);
  if (at === 0) {
    const fix = "Move it below the topic it belongs to.";
    throw new OperationError("no-sibling-above", `${nameOf(edit, topic)} has no sibling above it.`, fix);
  }
  edit.place(topic, edit.state.childrenOf(edit.state.topicOf(topic).parent)[at - 1]);
}

/** @param {Edit} edit @param {Fields} fields */
function reorder(edit, fields) {
  const topic = fields.topic();
  edit.place(topic, edit.state.topicOf(topic).parent, fields.value.at);
}

// Merge and split

/** @param {Edit} edit @param {Fields} fields */
function merge(edit, fields) {
  const into = fields.topic("into");
  const sources = fields.topics().filter((topic) => topic !== into);
  if (!sources.length) {
    throw new OperationError("no-topics", "A topic cannot be merged into itself.", "Name another topic to merge.");
  }
  const outer = sources.find((topic) => edit.state.isWithin(into, topic));
  if (outer !== undefined) {
    const [target, source] = [nameOf(edit, into), nameOf(edit, outer)];
    throw new OperationError("cycle", `${target} lies inside ${source}.`, `Merge ${target} into ${source} instead.`);
  }
  for (const source of sources) absorb(edit, source, into);
  edit.altered(into);
}

/** @param {Edit} edit @param {string} source @param {string} into */
function absorb(edit, source, into) {
  const { state } = edit;
  if (!state.isSuggested(source)) edit.acceptPath(into);
  for (const child of [...state.childrenOf(source)]) edit.place(child, into);
  const [members, hints] = [[...state.membersOf(source)], [...state.hintsOf(source)]];
  edit.removeTopic(source, state.pathIds(into));
  edit.put(into, members);
  edit.hint(into, hints);
}

/** @param {Edit} edit @param {Fields} fields */
function split(edit, fields) {
  const topic = fields.topic();
  const beside = fields.value.where === "siblings";
  const parts = /** @type {{topic: string, name: string, pages: string[]}[]} */ (fields.value.into);
  const allowed = new Set([...edit.state.pagesIn(topic), ...edit.state.hintsOf(topic)]);
  const { parent } = edit.state.topicOf(topic);
  const at = edit.state.indexOf(topic);
  const moved = new Set();
  parts.forEach((part, place) => {
    const partFields = new Fields(part, edit.state, `split, part ${place + 1}`);
    const pages = partFields.pages();
    refuseStrangers(edit, topic, without(pages, allowed));
    const added = completed({
      id: partFields.newTopic(),
      name: partFields.name(),
      parent: beside ? parent : topic,
    });
    edit.addTopic(added, beside ? at + 1 + place : null);
    edit.put(added.id, pages);
    edit.takeHints(topic, pages);
    for (const page of pages) moved.add(page);
  });
  if (beside) {
    edit.takeOut(topic, moved);
    edit.altered(topic);
  }
}

/** @param {Edit} edit @param {string} topic @param {string[]} pages */
function refuseStrangers(edit, topic, pages) {
  if (!pages.length) return;
  const message = `${listed(edit.state.inOrder(pages), 5)}: not in ${nameOf(edit, topic)}.`;
  throw new OperationError("not-in-topic", message, "Only a topic's own pages can be split off.");
}

// Delete

/** @param {Edit} edit @param {Fields} fields */
function deleteTopic(edit, fields) {
  const topic = fields.topic();
  const lift = fields.value.children === "lift";
  const doomed = lift ? [topic] : edit.state.subtree(topic);
  const pages = new Set(doomed.flatMap((each) => [...edit.state.membersOf(each)]));
  const target = targetOf(edit, fields, topic, doomed, pages);
  const { parent } = edit.state.topicOf(topic);
  const at = edit.state.indexOf(topic);
  const children = lift ? [...edit.state.childrenOf(topic)] : [];
  for (const [place, child] of children.entries()) edit.place(child, parent, at + place);
  const keep = target === null ? [] : edit.state.pathIds(target);
  for (const each of [...doomed].reverse()) edit.removeTopic(each, keep);
  if (target !== null) edit.put(target, pages);
  else if (fields.value.pages === "outliers") edit.makeOutliers(homeless(edit.state, pages));
}

/**
 * @param {Edit} edit
 * @param {Fields} fields
 * @param {string} topic
 * @param {string[]} doomed
 * @param {Set<string>} pages
 */
function targetOf(edit, fields, topic, doomed, pages) {
  const wanted = fields.value.pages;
  if (typeof wanted === "object") {
    const target = new Fields(wanted, edit.state, "delete_topic, pages").topic();
    if (!doomed.includes(target)) return target;
    const message = `${nameOf(edit, target)} is deleted as well.`;
    throw new OperationError("target-deleted", message, "Choose a topic that stays.");
  }
  if (wanted !== "parent") return null;
  const { parent } = edit.state.topicOf(topic);
  if (parent === null && pages.size) {
    const fix = "Choose another topic, outliers, or unplace.";
    throw new OperationError("no-parent", `${nameOf(edit, topic)} has no parent.`, fix);
  }
  return parent;
}

/** @param {DraftState} state @param {Iterable<string>} pages */
function homeless(state, pages) {
  return [...pages].filter((page) => !state.isPlaced(page));
}

// Pages

/** @param {Edit} edit @param {Fields} fields */
function assign(edit, fields) {
  const pages = fields.pages();
  for (const topic of fields.topics()) edit.put(topic, pages);
}

/** @param {Edit} edit @param {Fields} fields */
function unassign(edit, fields) {
  const pages = fields.pages();
  for (const topic of fields.topics()) edit.takeOut(topic, pages);
}

/** @param {Edit} edit @param {Fields} fields */
function only(edit, fields) {
  const [pages, topic] = [fields.pages(), fields.topic()];
  edit.put(topic, pages);
  const stays = new Set([...edit.state.pathIds(topic), ...edit.state.subtree(topic)]);
  for (const other of edit.state.preOrder()) if (!stays.has(other)) edit.take(other, pages);
}

// Suggestions

/** @param {Edit} edit @param {Fields} fields */
function accept(edit, fields) {
  for (const topic of fields.topics()) acceptWhole(edit, topic);
  for (const [topic, pages] of fields.hints()) edit.put(topic, both(pages, edit.state.hintsOf(topic)));
}

/** @param {Edit} edit @param {string} topic */
function acceptWhole(edit, topic) {
  edit.acceptPath(topic);
  edit.put(topic, edit.state.hintsOf(topic));
}

/** @param {Edit} edit */
function acceptAll(edit) {
  for (const topic of [...edit.state.preOrder()]) acceptWhole(edit, topic);
}

/** @param {Edit} edit @param {Fields} fields */
function reject(edit, fields) {
  const topics = fields.topics();
  for (const [topic, pages] of fields.hints()) edit.takeHints(topic, pages);
  rejectWhole(edit, topics);
}

/** @param {Edit} edit @param {string[]} topics */
function rejectWhole(edit, topics) {
  for (const topic of topics) {
    if (!edit.state.topics.has(topic)) continue;
    if (!edit.state.isSuggested(topic)) edit.takeHints(topic, edit.state.hintsOf(topic));
    else for (const below of edit.state.subtree(topic).reverse()) edit.removeTopic(below);
  }
}

// Completion

/** @param {Edit} edit @param {Fields} fields */
function fillOther(edit, fields) {
  const topic = fields.topic();
  const { state } = edit;
  if (state.childrenOf(topic).every((child) => state.isSuggested(child))) {
    throw new OperationError(
      "no-children",
      `${nameOf(edit, topic)} has no subtopics.`,
      "Only topics with subtopics can be completed.",
    );
  }
  const rest = state.leftOver(topic);
  if (rest.length) edit.put(otherOf(edit, topic), rest);
}

/** @param {Edit} edit @param {string} topic */
function otherOf(edit, topic) {
  const { state } = edit;
  const wanted = `${[...topic].slice(0, KEY_CHARS - 14).join("")}/other`;
  if (state.topic(wanted)?.parent === topic && !state.childrenOf(wanted).length) return wanted;
  const id = free(wanted, (/** @type {string} */ taken) => state.topics.has(taken));
  const names = new Set(state.childrenOf(topic).map((child) => nameKey(state.topicOf(child).name)));
  const name = free(`${state.topicOf(topic).name} (other)`, (/** @type {string} */ taken) => names.has(nameKey(taken)));
  edit.addTopic(completed({ id, name, parent: topic }));
  return id;
}

/** @param {string} wanted @param {(name: string) => boolean} taken */
function free(wanted, taken) {
  let name = wanted;
  for (let count = 2; taken(name); count += 1) name = `${wanted} ${count}`;
  return name;
}

/** @param {Edit} edit */
function restOutliers(edit) {
  edit.makeOutliers(without(homeless(edit.state, edit.state.pages), edit.state.outliers));
}

/** @param {keyof import("./types.js").Topic} field @param {(fields: Fields) => string|number} read */
function setter(field, read) {
  return (/** @type {Edit} */ edit, /** @type {Fields} */ fields) => edit.set(fields.topic(), field, read(fields));
}

/** @type {Record<string, (edit: Edit, fields: Fields) => void>} */
const KINDS = {
  add_topic: addTopic,
  rename: setter("name", (/** @type {Fields} */ fields) => fields.name()),
  describe: setter("description", (/** @type {Fields} */ fields) => fields.text()),
  topic_note: setter("note", (/** @type {Fields} */ fields) => fields.text()),
  step: setter("step", (/** @type {Fields} */ fields) => fields.step()),
  move,
  promote,
  demote,
  reorder,
  merge,
  split,
  delete_topic: deleteTopic,
  assign,
  unassign,
  only,
  outlier: (edit, fields) => edit.makeOutliers(fields.pages()),
  clear_outlier: (edit, fields) => edit.clearOutliers(fields.pages()),
  flag: (edit, fields) => edit.flag(fields.pages()),
  unflag: (edit, fields) => edit.unflag(fields.pages()),
  note: (edit, fields) => edit.note(fields.value.page, fields.text()),
  seen: (edit, fields) => edit.seen(fields.pages()),
  accept,
  reject,
  accept_all: acceptAll,
  reject_all: (edit) => rejectWhole(edit, [...edit.state.preOrder()]),
  fill_other: fillOther,
  rest_outliers: restOutliers,
};

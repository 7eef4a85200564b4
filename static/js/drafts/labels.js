// The label of an entry of the log, in histories and on the undo button. The counterpart of
// annotations/drafts/state_machine/labels.py.

import { LABEL_CHARS } from "../common/limits.js";
import { clipped, counted, lowered } from "../common/wording.js";

const NAME = 40;
/** How many operations, and topics of one operation, are named. */
const NAMED = 3;

/** @typedef {(topic: string) => string} Name */

/**
 * A short sentence for operations that can be carried out on this state.
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Operation[]} operations
 */
export function labelOf(state, operations) {
  const added = new Map(operations.flatMap(newNames));
  /** @param {string} topic */
  const name = (topic) => added.get(topic) ?? shortened(state.topicOf(topic).name);
  const [first, ...others] = operations.slice(0, NAMED).map((each) => LABELS[each.kind](each, name));
  const left = operations.length - NAMED;
  const more = left > 0 ? ` and ${counted(left, "more change")}` : "";
  return clipped([first, ...others.map(lowered)].join(", then "), LABEL_CHARS - more.length) + more;
}

/** @param {string} name */
function shortened(name) {
  return clipped(name, NAME);
}

/** The names of the topics that an operation adds. @param {import("./types.js").Operation} operation */
function newNames(operation) {
  const added = { add_topic: [operation], split: operation.into }[operation.kind];
  return (added ?? []).map((/** @type {{topic: string, name: string}} */ topic) => [
    topic.topic,
    shortened(topic.name),
  ]);
}

/** @param {import("./types.js").Operation} operation */
function pages(operation) {
  return counted(new Set(operation.pages).size, "page");
}

/** @param {string[]} topics @param {Name} name */
function several(topics, name) {
  const unique = [...new Set(topics)];
  const left = unique.length - NAMED;
  const parts = [...unique.slice(0, NAMED).map(name), ...(left > 0 ? [`${left} more`] : [])];
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter(Boolean).join(" and ");
}

/** @param {import("./types.js").Operation} operation @param {Name} name */
function addTopic(operation, name) {
  const below = operation.parent === null || operation.parent === undefined ? "" : ` to ${name(operation.parent)}`;
  return `Add ${name(operation.topic)}${below}`;
}

/** @param {import("./types.js").Operation} each @param {Name} name */
function move({ topic, parent }, name) {
  return `Move ${name(topic)} ${parent === null || parent === undefined ? "to level 1" : `into ${name(parent)}`}`;
}

/** @param {import("./types.js").Operation} each @param {Name} name */
function merge({ topics, into }, name) {
  return `Merge ${several(
    topics.filter((/** @type {string} */ topic) => topic !== into),
    name,
  )} into ${name(into)}`;
}

/** @param {import("./types.js").Operation} each @param {Name} name */
function split({ topic, into }, name) {
  const parts = into
    .slice(0, 3)
    .map((/** @type {{topic: string}} */ part) => name(part.topic))
    .join(", ");
  return `Split ${name(topic)} into ${parts}${into.length > 3 ? ` and ${into.length - 3} more` : ""}`;
}

/** @param {string} verb */
function decided(verb) {
  return (/** @type {import("./types.js").Operation} */ { topics, hints }, /** @type {Name} */ name) => {
    if (topics?.length) return `${verb} suggested ${several(topics, name)}`;
    const count = (hints ?? []).reduce(
      (/** @type {number} */ sum, /** @type {[string, string[]]} */ [, held]) => sum + held.length,
      0,
    );
    return `${verb} ${counted(count, "suggestion")} for ${several(
      hints.map((/** @type {[string, string[]]} */ [topic]) => topic),
      name,
    )}`;
  };
}

/** @type {Record<string, (each: import("./types.js").Operation, name: Name) => string>} */
const LABELS = {
  add_topic: addTopic,
  rename: (each, name) => `Rename ${name(each.topic)} to ${shortened(each.name.trim())}`,
  describe: (each, name) => `Describe ${name(each.topic)}`,
  topic_note: (each, name) => `Note on ${name(each.topic)}`,
  move,
  promote: (each, name) => `Promote ${name(each.topic)}`,
  demote: (each, name) => `Demote ${name(each.topic)}`,
  reorder: (each, name) => `Reorder ${name(each.topic)}`,
  merge,
  split,
  delete_topic: (each, name) => `Delete ${name(each.topic)}${each.children === "delete" ? " and its subtopics" : ""}`,
  step: (each, name) => `Start the subtopics of ${name(each.topic)} ${counted(each.step, "level")} below`,
  assign: (each, name) => `Put ${pages(each)} into ${several(each.topics, name)}`,
  unassign: (each, name) => `Take ${pages(each)} out of ${several(each.topics, name)}`,
  only: (each, name) => `Put ${pages(each)} only into ${name(each.topic)}`,
  outlier: (each) => `Make ${pages(each)} ${new Set(each.pages).size === 1 ? "an outlier" : "outliers"}`,
  clear_outlier: (each) => `Clear the outlier mark of ${pages(each)}`,
  flag: (each) => `Flag ${pages(each)}`,
  unflag: (each) => `Clear the flag of ${pages(each)}`,
  note: (each) => `Note on page ${shortened(each.page)}`,
  seen: (each) => `Confirm ${pages(each)}`,
  accept: decided("Accept"),
  reject: decided("Reject"),
  accept_all: () => "Accept all suggestions",
  reject_all: () => "Reject all suggestions",
  fill_other: (each, name) => `Put the rest of ${name(each.topic)} into its topic for others`,
  rest_outliers: () => "Make all pages without a topic outliers",
};

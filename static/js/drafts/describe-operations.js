// Sentences about what was done, in the past tense, for the line at the foot and for notices. The names of entries in
// the log are in `labels`.

import { count } from "../common/elements.js";
import { clipped, lowered } from "../common/wording.js";
import { impact } from "./impact.js";

const TITLE = 50;
const NAMED = 3;

/** Kinds whose description does not show what happens to pages. */
const MOVING = new Set(["move", "promote", "demote", "merge", "split", "delete_topic", "step"]);

/** Kinds that take pages out of topics. They are always reported with an Undo. */
const TAKING = new Set(["unassign", "only", "outlier"]);

/**
 * True if operations of this kind can be described. Suggestions by programs only have their label in the log.
 * @param {string} kind
 */
export function canDescribe(kind) {
  return Object.hasOwn(DESCRIPTIONS, kind);
}

/** @param {import("./types.js").Operation[]} operations */
export function takesPagesOut(operations) {
  return operations.some((operation) => TAKING.has(operation.kind));
}

/**
 * Describe operations before they are carried out, for a message once they are.
 * @param {import("./state.js").DraftState} state the state before the operations
 * @param {import("./types.js").Operation[]} operations
 * @param {(page: string) => string} titleOf
 * @throws {import("./fields.js").OperationError} if the operations move topics and would be rejected
 */
export function describeOperations(state, operations, titleOf) {
  const words = new Words(state, operations, titleOf);
  const deeds = together(operations).map(([first, ...others]) =>
    first.kind === "assign" ? words.put([first, ...others]) : DESCRIPTIONS[first.kind](first, words),
  );
  const more = deeds.length - NAMED;
  const told = [deeds[0], ...deeds.slice(1, NAMED).map(lowered)].join(", then ");
  const rest = more > 0 ? ` and ${count(more, "more change")}, which the history lists` : "";
  const moves = operations.some((one) => MOVING.has(one.kind) && !staysInPlace(one, state));
  return `${told}${rest}${moves ? `: ${effectOf(state, operations)}` : ""}.`;
}

/**
 * Combine operations into one description: pages put into topics, and the same pages taken out of several.
 * @param {import("./types.js").Operation[]} operations
 */
function together(operations) {
  /** @type {import("./types.js").Operation[][]} */
  const found = [];
  for (const one of operations) {
    const last = found.at(-1)?.[0];
    if (last?.kind === "assign" && one.kind === "assign") found.at(-1)?.push(one);
    else if (last?.kind === "unassign" && one.kind === "unassign" && `${last.pages}` === `${one.pages}`)
      found[found.length - 1] = [{ ...last, topics: [...last.topics, ...one.topics] }];
    else found.push([one]);
  }
  return found;
}

/**
 * "14 pages moved, 3 now lack a level-2 topic".
 * @param {import("./state.js").DraftState} state
 * @param {import("./types.js").Operation[]} operations
 */
function effectOf(state, operations) {
  const { pages, lacking, outliers } = impact(state, operations);
  const parts = [pages.length ? `${count(pages.length, "page")} moved` : "no page moved"];
  if (outliers.length) parts.push(`${outliers.length} became ${outliers.length === 1 ? "an outlier" : "outliers"}`);
  for (const { level, count: number } of lacking) {
    parts.push(
      level === 1
        ? `${number} ${number === 1 ? "is" : "are"} now in no topic`
        : `${number} now ${number === 1 ? "lacks" : "lack"} a level-${level} topic`,
    );
  }
  return parts.join(", ");
}

/** @param {import("./types.js").Operation} operation @param {import("./state.js").DraftState} state */
function staysInPlace({ kind, topic, parent = null }, state) {
  return kind === "move" && state.topic(topic)?.parent === parent;
}

class Words {
  /**
   * @param {import("./state.js").DraftState} state
   * @param {import("./types.js").Operation[]} operations
   * @param {(page: string) => string} titleOf
   */
  constructor(state, operations, titleOf) {
    this.state = state;
    this.titleOf = titleOf;
    this.added = new Map(operations.flatMap((one) => (one.kind === "add_topic" ? [[one.topic, one.name.trim()]] : [])));
  }

  /** @param {string} topic */
  name(topic) {
    return this.added.get(topic) ?? this.state.topic(topic)?.name ?? "a topic";
  }

  /** The path of the topic, or only its name if it does not exist, or not yet. @param {string} topic */
  path(topic) {
    return this.state.topic(topic) ? this.state.path(topic).join(" › ") : this.name(topic);
  }

  /** @param {string[]} list */
  pages(list) {
    return pagesInWords(list, this.titleOf);
  }

  /** @param {string[]} topics @param {(topic: string) => string} [name] */
  names(topics, name = (/** @type {string} */ topic) => this.name(topic)) {
    return namesInWords([...new Set(topics)].map(name));
  }

  /** @param {import("./types.js").Operation[]} operations */
  put(operations) {
    const pages = new Set(operations.flatMap((operation) => operation.pages));
    const outliers = [...pages].filter((page) => this.state.outliers.has(page)).length;
    const were = !outliers
      ? ""
      : pages.size === 1
        ? "; it was an outlier"
        : `; ${outliers} of them ${outliers === 1 ? "was an outlier" : "were outliers"}`;
    return `Put ${this.pages([...pages])} into ${this.names(
      operations.flatMap((operation) => operation.topics),
      (topic) => this.path(topic),
    )}${were}`;
  }

  /**
   * The topics that pages are taken out of; for one page, the topics it really leaves.
   * @param {string[]} pages
   * @param {string[]} topics
   */
  left(pages, topics) {
    const below = new Set(topics.flatMap((topic) => this.state.subtree(topic)));
    const direct = new Set(pages.flatMap((page) => this.state.finestTopics(page)).filter((topic) => below.has(topic)));
    return pages.length === 1 && direct.size
      ? this.names([...direct], (topic) => this.path(topic))
      : this.names(topics, (topic) => this.path(topic));
  }

  /**
   * The position of a topic among its siblings: "before Habitat", "after Bird".
   * @param {string} topic
   * @param {string|null} parent
   * @param {number} at
   */
  among(topic, parent, at) {
    const siblings = this.state.childrenOf(parent).filter((id) => id !== topic);
    const place = at === null || at === undefined ? siblings.length : at;
    if (place < siblings.length) return `before ${this.name(siblings[place])}`;
    return siblings.length ? `after ${this.name(siblings[siblings.length - 1])}` : "to where it was";
  }
}

/** @type {Record<string, (each: import("./types.js").Operation, words: Words) => string>} */
const DESCRIPTIONS = {
  add_topic: (each, words) =>
    `Added ${each.name.trim()}${each.parent === null || each.parent === undefined ? "" : ` to ${words.name(each.parent)}`}${each.pages?.length ? ` and put ${words.pages(each.pages)} into it` : ""}`,
  rename: (each, words) => `Renamed ${words.name(each.topic)} to ${each.name.trim()}`,
  describe: (each, words) => `Changed the description of ${words.name(each.topic)}`,
  topic_note: (each, words) => `Changed the note on ${words.name(each.topic)}`,
  move,
  promote: (each, words) =>
    `Moved ${words.name(each.topic)} up, beside ${words.name(words.state.topic(each.topic)?.parent ?? "")}`,
  demote: (each, words) => `Moved ${words.name(each.topic)} down into ${words.name(before(each.topic, words.state))}`,
  reorder: (each, words) =>
    `Moved ${words.name(each.topic)} ${words.among(each.topic, words.state.topic(each.topic)?.parent ?? null, each.at)}`,
  merge: (each, words) =>
    `Merged ${words.names(each.topics.filter((/** @type {string} */ topic) => topic !== each.into))} into ${words.name(each.into)}`,
  split: (each, words) =>
    `Split ${words.name(each.topic)} into ${listed(each.into.map((/** @type {{name: string}} */ part) => part.name.trim()))}`,
  delete_topic: (each, words) =>
    `Deleted ${words.name(each.topic)}${each.children === "delete" && words.state.childrenOf(each.topic).length ? " and its subtopics" : ""}`,
  step: (each, words) => `Let the subtopics of ${words.name(each.topic)} start ${count(each.step, "level")} below it`,
  assign: (each, words) => words.put([each]),
  unassign: (each, words) => `Took ${words.pages(each.pages)} out of ${words.left(each.pages, each.topics)}`,
  only: (each, words) =>
    `Put ${words.pages(each.pages)} into ${words.path(each.topic)} and out of the other topics of its level`,
  outlier,
  clear_outlier: (each, words) => `Took the outlier mark off ${words.pages(each.pages)}`,
  flag: (each, words) => `Flagged ${words.pages(each.pages)}`,
  unflag: (each, words) => `Took the flag off ${words.pages(each.pages)}`,
  note: (each, words) => `${each.text.trim() ? "Kept" : "Deleted"} the note on ${words.pages([each.page])}`,
  seen: (each, words) =>
    `Confirmed where ${words.pages(each.pages)} ${new Set(each.pages).size === 1 ? "stands" : "stand"}`,
  accept: decided("Accepted"),
  reject: decided("Rejected"),
  accept_all: (_, { state }) => `Accepted all suggestions (${count(hinted(state), "placing")})`,
  reject_all: (_, { state }) => `Rejected all suggestions (${count(hinted(state), "placing")})`,
  fill_other: (each, words) =>
    `Put the rest of ${words.name(each.topic)} (${count(words.state.leftOver(each.topic).length, "page")}) into “${words.name(each.topic)} (other)”`,
  rest_outliers: (_, words) => `Made ${count(words.state.unplaced(1).length, "page")} without a topic outliers`,
};

/** @param {import("./types.js").Operation} each @param {Words} words */
function move(each, words) {
  const parent = each.parent ?? null;
  const name = words.name(each.topic);
  if (staysInPlace(each, words.state)) return `Moved ${name} ${words.among(each.topic, parent, each.at)}`;
  return `Moved ${name} ${parent === null ? "to level 1" : `into ${words.name(parent)}`}`;
}

/** @param {import("./types.js").Operation} each @param {Words} words */
function outlier(each, words) {
  const one = new Set(each.pages).size === 1;
  const topics = one ? words.state.finestTopics(each.pages[0]) : [];
  const placed = each.pages.filter((/** @type {string} */ page) => words.state.finestTopics(page).length).length;
  const out = topics.length ? `, out of ${words.names(topics)}` : placed && !one ? `; ${placed} left their topics` : "";
  return `Made ${words.pages(each.pages)} ${one ? "an outlier" : "outliers"}${out}`;
}

/** @param {string} verb */
function decided(verb) {
  return (/** @type {import("./types.js").Operation} */ { topics, hints }, /** @type {Words} */ words) => {
    if (topics?.length) return `${verb} the suggestion${topics.length === 1 ? "" : "s"} ${words.names(topics)}`;
    const pages = (hints ?? []).flatMap((/** @type {[string, string[]]} */ [, held]) => held);
    const placings =
      pages.length > 1 ? `${count(pages.length, "suggestion")} for ` : `the suggestion for ${words.pages(pages)}: `;
    return `${verb} ${placings}${words.names(hints.map((/** @type {[string, string[]]} */ [topic]) => topic))}`;
  };
}

/** @param {import("./state.js").DraftState} state */
function hinted(state) {
  return [...state.hints.values()].reduce((sum, pages) => sum + pages.size, 0);
}

/** @param {string} topic @param {import("./state.js").DraftState} state */
function before(topic, state) {
  return state.childrenOf(state.topic(topic)?.parent ?? null)[state.indexOf(topic) - 1];
}

/** "“Used cars”", "12 pages". @param {Iterable<string>} pages @param {(page: string) => string} titleOf */
export function pagesInWords(pages, titleOf) {
  const unique = [...new Set(pages)];
  return unique.length === 1 ? `“${clipped(titleOf(unique[0]), TITLE)}”` : count(unique.length, "page");
}

/** "Oat, Rye, Barley and 2 more". @param {string[]} names */
export function namesInWords(names) {
  const more = names.length - NAMED;
  return listed([...names.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])]);
}

/** "a", "a and b", "a, b and c". @param {string[]} parts */
function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

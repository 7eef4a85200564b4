// Issues keep a draft from being published; warnings are worth a second look. Each names its place and, if there is
// one, its fix. The counterpart of annotations/drafts/state_machine/issues.py.

import { nameKey } from "../common/text.js";
import { counted, quoted } from "../common/wording.js";

/**
 * @typedef {object} Issue
 * @property {string} code
 * @property {string} rule "R1" to "R6", or ""
 * @property {"error"|"warning"} severity
 * @property {string|null} topic
 * @property {number|null} level
 * @property {string[]} pages
 * @property {string} message
 * @property {import("./types.js").Operation|null} fix an operation that repairs it
 * @property {string} fix_label the words of its button
 */

/**
 * Find the issues: errors first, then warnings, each kind in tree order.
 * @param {import("./state.js").DraftState} state
 * @returns {Issue[]}
 */
export function issues(state) {
  const counting = state.preOrder().filter((id) => !state.isSuggested(id));
  if (!state.pages.length) return [issue("no-pages", { message: "The query has no pages." })];
  if (!counting.length && !state.outliers.size) {
    const message = "Nothing is placed yet: there are neither topics nor outliers.";
    return [issue("no-gold", { message, fix: { kind: "rest_outliers" }, fix_label: "Make all pages outliers" })];
  }
  const errors = [unplaced(state), leftOver(state, counting), empty(state, counting), duplicateNames(state, counting)];
  return [...errors, oddSizes(state, counting), samePages(state, counting)].flat();
}

/**
 * True if it keeps the draft from being published. Only those are called issues; the others are warnings.
 * @param {Pick<Issue, "severity">} issue
 */
export const isError = ({ severity }) => severity !== "warning";

/** Count issues and warnings. @param {Pick<Issue, "severity">[]} found */
export function numbersOf(found) {
  const errors = found.filter(isError).length;
  return { errors, warnings: found.length - errors };
}

/** @param {string} code @param {Partial<Issue>} given @returns {Issue} */
function issue(code, given) {
  /** @type {Omit<Issue, "code">} */
  const blank = {
    rule: "",
    severity: "error",
    topic: null,
    level: null,
    pages: [],
    message: "",
    fix: null,
    fix_label: "",
  };
  return { code, ...blank, ...given };
}

/** @param {import("./state.js").DraftState} state */
function unplaced(state) {
  const pages = state.unplaced(1);
  if (!pages.length) return [];
  const message = `${counted(pages.length, "page")} in no topic, and not outliers.`;
  const fix = { fix: { kind: "rest_outliers" }, fix_label: "Make them outliers" };
  return [issue("page-without-topic", { rule: "R1", level: 1, pages, message, ...fix })];
}

/** @param {import("./state.js").DraftState} state @param {string[]} counting */
function leftOver(state, counting) {
  return counting.flatMap((topic) => {
    const rest = state.leftOver(topic);
    if (!rest.length) return [];
    const level = state.last(topic) + 1;
    const lacking = new Set(state.unplaced(level));
    const nowhere = rest.filter((page) => lacking.has(page));
    const elsewhere = rest.filter((page) => !lacking.has(page));
    return [
      ...leftOverIssue(state, topic, level, "page-without-topic", "R1", nowhere),
      ...leftOverIssue(state, topic, level, "page-without-subtopic", "R3", elsewhere),
    ];
  });
}

/**
 * @param {import("./state.js").DraftState} state
 * @param {string} topic
 * @param {number} level
 * @param {string} code
 * @param {string} rule
 * @param {string[]} pages
 */
function leftOverIssue(state, topic, level, code, rule, pages) {
  if (!pages.length) return [];
  const { name } = state.topicOf(topic);
  const message = `${counted(pages.length, "page")} of ${quoted(name)} in none of its subtopics.`;
  const fix_label = `Put the rest into ${quoted(`${name} (other)`)}`;
  return [issue(code, { rule, topic, level, pages, message, fix: { kind: "fill_other", topic }, fix_label })];
}

/** @param {import("./state.js").DraftState} state @param {string[]} counting */
function empty(state, counting) {
  return counting
    .filter((topic) => !state.pagesIn(topic).size)
    .map((topic) =>
      issue("empty-topic", {
        rule: "R4",
        topic,
        level: state.first(topic),
        message: `${quoted(state.topicOf(topic).name)} holds no pages.`,
        fix: { kind: "delete_topic", topic, children: "lift", pages: "unplace" },
        fix_label: "Delete the empty topic",
      }),
    );
}

/** @param {import("./state.js").DraftState} state @param {string[]} counting */
function duplicateNames(state, counting) {
  const siblings = new Map();
  for (const id of counting) {
    const { parent, name } = state.topicOf(id);
    const key = JSON.stringify([parent, nameKey(name)]);
    siblings.set(key, [...(siblings.get(key) ?? []), id]);
  }
  return [...siblings.values()]
    .filter((same) => same.length > 1)
    .map(([first, ...topics]) =>
      issue("duplicate-name", {
        rule: "R6",
        topic: topics[0],
        level: state.first(first),
        message: `${topics.length + 1} sibling topics are named ${quoted(state.topicOf(first).name)}.`,
        fix: { kind: "merge", topics, into: first },
        fix_label: "Merge them",
      }),
    );
}

/** @param {import("./state.js").DraftState} state @param {string[]} counting */
function oddSizes(state, counting) {
  return counting.flatMap((topic) => {
    const pages = state.pagesIn(topic);
    const place = { severity: /** @type {const} */ ("warning"), topic, level: state.first(topic) };
    const name = quoted(state.topicOf(topic).name);
    const found = [];
    if (pages.size === state.pages.length) {
      const message = `${name} holds every page: no cluster can do better than chance on it.`;
      found.push(issue("topic-holds-all", { ...place, message }));
    }
    if (pages.size === 1) {
      found.push(issue("topic-of-one-page", { ...place, pages: [...pages], message: `${name} holds one page only.` }));
    }
    return found;
  });
}

/**
 * One warning for each topic that has the same pages as an earlier topic on a common level.
 * @param {import("./state.js").DraftState} state
 * @param {string[]} counting
 */
function samePages(state, counting) {
  const earlier = new Map();
  const found = [];
  for (const topic of counting) {
    const pages = state.inOrder(state.pagesIn(topic));
    const key = JSON.stringify(pages);
    const held = earlier.get(key) ?? new Map();
    earlier.set(key, held);
    const span = range(state.first(topic), state.last(topic));
    const level = span.find((each) => held.has(each));
    if (pages.length && level !== undefined) {
      const [one, other] = [topic, held.get(level)].map((each) => quoted(state.topicOf(each).name));
      const message = `${one} has the same pages as ${other} on level ${level}.`;
      found.push(issue("same-pages", { severity: "warning", topic, level, pages, message }));
    }
    for (const each of span) if (!held.has(each)) held.set(each, topic);
  }
  return found;
}

/** @param {number} first @param {number} last */
function range(first, last) {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

// The fields of an operation, checked as they are read. The twin of annotations/drafting/operations/fields.py.

import { DRAFT_TOPICS, KEY_CHARS, NAME_CHARS, TEXT_CHARS } from "./limits.js";
import { listed, number, quoted } from "./wording.js";

export const MAX_LEVELS = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const NOT_IN_A_LINE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is refused
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** An operation that cannot be carried out. `code` is permanent; "no-effect": everything is like that already. */
export class OperationError extends Error {
  /** @param {string} code @param {string} message @param {string} [fix] */
  constructor(code, message, fix = "") {
    super(message);
    this.name = "OperationError";
    this.code = code;
    this.fix = fix;
    /** Which operation of a batch it was, from 0. */
    this.index = 0;
  }
}

export class Fields {
  /**
   * @param {object} value
   * @param {import("./state.js").DraftState} state
   * @param {string[]} known names of fields
   * @param {string} where for messages
   */
  constructor(value, state, known, where) {
    if (!isObject(value))
      throw new OperationError("bad-operation", `${where} is not an object.`, "Send an object.");
    const unknown = Object.keys(value).filter((key) => !known.includes(key));
    if (unknown.length) {
      const message = `${where} has no field ${quoted(unknown[0])}.`;
      throw new OperationError("unknown-field", message, `It takes ${known.join(", ")}.`);
    }
    this._value = /** @type {Record<string, any>} */ (value);
    this.state = state;
    this.where = where;
  }

  /** @param {string} key */
  has(key) {
    return this.raw(key) !== null && this.raw(key) !== undefined;
  }

  /** @param {string} key */
  raw(key) {
    return Object.hasOwn(this._value, key) ? this._value[key] : undefined;
  }

  topic(key = "topic") {
    return this.knownTopic(this.raw(key), key);
  }

  parent(key = "parent") {
    return this.has(key) ? this.topic(key) : null;
  }

  topics(key = "topics") {
    const found = [...new Set(this.list(key).map((topic) => this.knownTopic(topic, key)))];
    if (!found.length)
      throw new OperationError("no-topics", `${this.where} names no topics.`, "Name at least one topic.");
    return found;
  }

  /** @returns {Set<string>} */
  pages(key = "pages", mayBeEmpty = false) {
    const found = this.knownPages(this.list(key, !mayBeEmpty), key);
    if (!found.size && !mayBeEmpty) {
      throw new OperationError("no-pages", `${this.where} names no pages.`, "Select at least one page.");
    }
    return found;
  }

  page(key = "page") {
    return [...this.knownPages([this.raw(key)], key)][0];
  }

  newTopic(key = "topic") {
    const value = this._text(key);
    if (!value.trim() || length(value) > KEY_CHARS || NOT_IN_A_LINE.test(value)) {
      const expected = `Ids of topics have 1 to ${KEY_CHARS} characters and stand on one line.`;
      throw new OperationError(
        "bad-id",
        `${this.where}: ${quoted(value)} cannot be the id of a topic.`,
        expected,
      );
    }
    if (this.state.topics.has(value)) {
      throw new OperationError(
        "topic-exists",
        `There is a topic with the id ${quoted(value)}.`,
        "Make a new id.",
      );
    }
    if (this.state.topics.size >= DRAFT_TOPICS) {
      throw new OperationError(
        "too-many-topics",
        `The draft has ${number(DRAFT_TOPICS)} topics.`,
        "Delete or merge some.",
      );
    }
    return value;
  }

  name(key = "name") {
    const value = this._text(key).trim();
    if (!value || length(value) > NAME_CHARS || NOT_IN_A_LINE.test(value)) {
      const expected = `Names have 1 to ${NAME_CHARS} characters and stand on one line.`;
      throw new OperationError("bad-name", `${quoted(value)} cannot be the name of a topic.`, expected);
    }
    return value;
  }

  text(key = "text") {
    const value = this._text(key).trim();
    if (length(value) > TEXT_CHARS || UNSTORABLE.test(value)) {
      const expected = `Texts have at most ${number(TEXT_CHARS)} ordinary characters.`;
      throw new OperationError("bad-text", `${this.where}: ${key} cannot be kept.`, expected);
    }
    return value;
  }

  /** @returns {number|null} */
  index(key = "at", required = false) {
    return !required && !this.has(key) ? null : this.integer(key, 0, 2 ** 31 - 1);
  }

  step(key = "step") {
    return this.integer(key, 1, MAX_LEVELS - 1);
  }

  /** @param {string} key @param {number} low @param {number} high */
  integer(key, low, high) {
    const value = this.raw(key);
    if (!Number.isInteger(value) || value < low || value > high) {
      const expected = `Send a whole number from ${low} to ${number(high)}.`;
      throw new OperationError("bad-number", `${this.where}: ${key} is ${quoted(value)}.`, expected);
    }
    return value;
  }

  /** @param {string} key @param {string[]} allowed */
  choice(key, allowed) {
    const value = this.raw(key);
    if (!allowed.includes(value)) {
      const expected = `Choose one of ${allowed.join(", ")}.`;
      throw new OperationError("bad-choice", `${this.where}: ${key} is ${quoted(value)}.`, expected);
    }
    return value;
  }

  /** @param {string} key */
  list(key, required = true) {
    const value = this.raw(key);
    if ((value === null || value === undefined) && !required) return [];
    if (!Array.isArray(value))
      throw new OperationError("bad-operation", `${this.where}: ${key} is not a list.`, "Send a list.");
    return value;
  }

  /** @param {any} value @param {string} key */
  knownTopic(value, key) {
    if (typeof value !== "string" || !this.state.topics.has(value)) {
      const message = `${this.where}: ${key} names ${quoted(value)}, which is no topic of this draft.`;
      throw new OperationError(
        "unknown-topic",
        message,
        "It may have been deleted or merged into another one.",
      );
    }
    return value;
  }

  /** @param {any[]} values @param {string} key */
  knownPages(values, key) {
    const unknown = values.filter(
      (/** @type {any} */ page) => typeof page !== "string" || !this.state.hasPage(page),
    );
    if (unknown.length) {
      const message = `${this.where}: ${key} names ${listed(unknown, 5)}, not in the page list of this query.`;
      throw new OperationError("unknown-page", message, "Use the ids of the page list.");
    }
    return new Set(values);
  }

  /** @param {string} key @returns {[string, Set<string>][]} the topics are not looked up */
  topicPages(key) {
    return this.list(key, false).map((item) => {
      if (!Array.isArray(item) || item.length !== 2 || !Array.isArray(item[1])) {
        const message = `${this.where}: ${key} holds something else.`;
        throw new OperationError("bad-operation", message, "Send a list of [topic, [pages]].");
      }
      return [item[0], this.knownPages(item[1], key)];
    });
  }

  /** @param {string} key */
  _text(key) {
    const value = this.raw(key);
    if (typeof value !== "string")
      throw new OperationError("bad-operation", `${this.where}: ${key} is not text.`, "Send text.");
    return value;
  }
}

/** @param {*} value */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {string} text */
function length(text) {
  return [...text].length;
}

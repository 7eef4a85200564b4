// The fields of an operation as the screen makes them, checked against the state. Mistakes that people can make are
// rejected here at once, in the words of annotations/drafts/state_machine/operations/registry.py. The server checks everything else.

import { DRAFT_TOPICS, MAX_LEVELS, NAME_CHARS, TEXT_CHARS } from "../common/limits.js";
import { number, quoted } from "../common/wording.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are rejected
const NOT_IN_A_LINE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this character is rejected
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** An operation that cannot be carried out. `code` is permanent; "no-effect" means that nothing would change. */
export class OperationError extends Error {
  /** @param {string} code @param {string} message @param {string} [fix] */
  constructor(code, message, fix = "") {
    super(message);
    this.name = "OperationError";
    this.code = code;
    this.fix = fix;
    /** The index of the operation in its batch. */
    this.index = 0;
  }
}

export class Fields {
  /**
   * @param {Json} value an operation, or a part of one
   * @param {import("./state.js").DraftState} state
   * @param {string} [where] the place that messages name
   */
  constructor(value, state, where = value.kind) {
    this.value = value;
    this.state = state;
    this.where = where;
  }

  topic(key = "topic") {
    return this.known(this.value[key], key);
  }

  /** @returns {string|null} */
  parent() {
    return this.value.parent == null ? null : this.topic("parent");
  }

  /** @returns {string[]} */
  topics() {
    return [...new Set(this.value.topics ?? [])].map((topic) => this.known(topic, "topics"));
  }

  /** @returns {[string, string[]][]} */
  hints() {
    return (this.value.hints ?? []).map((/** @type {[string, string[]]} */ [topic, pages]) => [
      this.known(topic, "hints"),
      pages,
    ]);
  }

  /** @returns {Set<string>} */
  pages() {
    return new Set(this.value.pages);
  }

  /** @returns {string} */
  newTopic() {
    const { topic } = this.value;
    if (this.state.topics.has(topic)) {
      const message = `There is a topic with the id ${quoted(topic)}.`;
      throw new OperationError("topic-exists", message, "Use a new id.");
    }
    if (this.state.topics.size >= DRAFT_TOPICS) {
      const message = `The draft has ${number(DRAFT_TOPICS)} topics.`;
      throw new OperationError("too-many-topics", message, "Delete or merge some.");
    }
    return topic;
  }

  name() {
    const name = this.value.name.trim();
    if (!name || length(name) > NAME_CHARS || NOT_IN_A_LINE.test(name)) {
      const expected = `Names have 1 to ${NAME_CHARS} characters and no line breaks.`;
      throw new OperationError("bad-name", `${quoted(name)} cannot be the name of a topic.`, expected);
    }
    return name;
  }

  text(key = "text") {
    const text = this.value[key].trim();
    if (length(text) > TEXT_CHARS || UNSTORABLE.test(text)) {
      const expected = `Texts have at most ${number(TEXT_CHARS)} ordinary characters.`;
      throw new OperationError("bad-text", `${this.where}: ${key} cannot be stored.`, expected);
    }
    return text;
  }

  step() {
    const { step } = this.value;
    if (!Number.isInteger(step) || step < 1 || step >= MAX_LEVELS) {
      const expected = `Send a whole number from 1 to ${MAX_LEVELS - 1}.`;
      throw new OperationError("bad-number", `${this.where}: step is ${quoted(step)}.`, expected);
    }
    return step;
  }

  /** @param {string} topic @param {string} key @returns {string} */
  known(topic, key) {
    if (!this.state.topics.has(topic)) {
      const message = `${this.where}: ${key} names ${quoted(topic)}, which is not a topic of this draft.`;
      const fix = "It may have been deleted or merged into another one.";
      throw new OperationError("unknown-topic", message, fix);
    }
    return topic;
  }
}

/** @param {string} text */
function length(text) {
  return [...text].length;
}

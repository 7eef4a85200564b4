// What becomes of operations that wait here when others have changed the draft meanwhile.
//
// A topic that was merged away is replaced by the one it went into, where that keeps the meaning (a page that was to go
// into it goes into the other one). Where it would not (renaming, deleting or leaving the topic), and where somebody
// else has changed the very thing, the operations are shown as a conflict: nothing is decided for people.

/** @type {Record<string, string>} */
const WRITES = { rename: "name", describe: "description", topic_note: "note", step: "step" };
const PLACES = new Set(["move", "promote", "demote", "reorder"]);

/**
 * @param {import("./state.js").DraftState} state what the entries have led to
 * @param {import("./types.js").Operation[]} operations
 * @param {import("./types.js").Entry[]} entries of others, oldest first
 * @returns {{operations: import("./types.js").Operation[], clash: string}} `clash` says in words why they cannot be sent; "" if they can
 */
export function rebased(state, operations, entries) {
  let found = operations;
  for (const entry of entries) {
    const missed = new Missed(entry, state);
    if (!missed.structure) continue;
    if (found.some((operation) => missed.clashes(operation))) return { operations, clash: missed.words };
    found = found.map((operation) => missed.mapped(operation));
  }
  return { operations: found, clash: "" };
}

/** What one entry of somebody else has done to the topics. */
class Missed {
  /** @param {import("./types.js").Entry} entry @param {import("./state.js").DraftState} state */
  constructor(entry, state) {
    this.state = state;
    this.words = `Meanwhile ${entry.by}: ${entry.label}`;
    this.gone = new Set();
    this.written = new Set();
    this.parents = new Set();
    for (const change of entry.changes) this._note(change);
    this.structure = this.gone.size + this.written.size + this.parents.size > 0;
    this.into = this._merges(entry.operations ?? []);
  }

  /** @param {import("./types.js").Change} change */
  _note(change) {
    if (change.c === "set") this.written.add(`${change.topic} ${change.field}`).add(`${change.topic} any`);
    if (change.c === "place") {
      this.written.add(`${change.topic} place`).add(`${change.topic} any`);
      this.parents.add(change.old[0]).add(change.new[0]);
    }
    if (change.c === "topic-") this.gone.add(change.topic.id);
    if (change.c === "topic+") {
      this.gone.delete(change.topic.id);
      this.written.add(`${change.topic.id} any`);
    }
    if (change.c === "topic-" || change.c === "topic+") this.parents.add(change.topic.parent ?? null);
  }

  /** @param {import("./types.js").Operation[]} operations */
  _merges(operations) {
    const into = new Map();
    for (const operation of operations) {
      if (operation.kind !== "merge") continue;
      for (const source of operation.topics) if (this.gone.has(source)) into.set(source, operation.into);
    }
    return into;
  }

  /** The topic that stands for this one now. @param {string} topic */
  standing(topic) {
    let found = topic;
    for (let steps = 0; this.into.has(found) && steps <= this.into.size; steps += 1)
      found = this.into.get(found);
    return found;
  }

  /** @param {import("./types.js").Operation} operation */
  clashes(operation) {
    if (this._named(operation).some((/** @type {string} */ topic) => this.gone.has(this.standing(topic))))
      return true;
    if (this._kept(operation).some((/** @type {string} */ topic) => this.gone.has(topic))) return true;
    const { kind, topic } = operation;
    if (kind === "demote" && this.parents.size) return true;
    if (kind in WRITES) return this.written.has(`${topic} ${WRITES[kind]}`);
    if (PLACES.has(kind)) return this.written.has(`${topic} place`);
    if (kind === "split") return this.written.has(`${topic} any`);
    if (kind === "delete_topic")
      return this._below(operation).some((each) => this.written.has(`${each} any`));
    if (kind === "merge") return this._mergeClashes(operation);
    return false;
  }

  /** What deleting a topic deletes. @param {import("./types.js").Operation} operation */
  _below({ topic, children }) {
    return children === "delete" && this.state.topics.has(topic) ? this.state.subtree(topic) : [topic];
  }

  /** @param {import("./types.js").Operation} operation */
  _mergeClashes({ topics, into }) {
    return topics.some((/** @type {string} */ topic) =>
      this.gone.has(topic) ? this.standing(topic) !== this.standing(into) : this.written.has(`${topic} any`),
    );
  }

  /** Topics that may be replaced by those they were merged into. @param {import("./types.js").Operation} operation */
  _named(operation) {
    switch (operation.kind) {
      case "assign":
        return operation.topics;
      case "only":
        return [operation.topic];
      case "add_topic":
      case "move":
        return named(operation.parent);
      case "merge":
        return [...operation.topics, operation.into];
      case "delete_topic":
        return named(operation.pages?.topic);
      case "accept":
        return [
          ...(operation.topics ?? []),
          ...(operation.hints ?? []).map((/** @type {any} */ [topic]) => topic),
        ];
      default:
        return [];
    }
  }

  /** Topics that nothing else can stand for. @param {import("./types.js").Operation} operation */
  _kept(operation) {
    switch (operation.kind) {
      case "assign":
      case "only":
      case "add_topic":
      case "merge":
      case "accept":
        return [];
      case "unassign":
        return operation.topics;
      case "reject":
        return [
          ...(operation.topics ?? []),
          ...(operation.hints ?? []).map((/** @type {any} */ [topic]) => topic),
        ];
      default:
        return named(operation.topic);
    }
  }

  /** @param {import("./types.js").Operation} operation */
  mapped(operation) {
    if (!this.into.size) return operation;
    /** @param {string} topic */
    const one = (topic) => this.standing(topic);
    /** @param {string[]} topics */
    const all = (topics) => [...new Set(topics.map(one))];
    switch (operation.kind) {
      case "assign":
        return { ...operation, topics: all(operation.topics) };
      case "only":
        return { ...operation, topic: one(operation.topic) };
      case "add_topic":
      case "move":
        return operation.parent == null ? operation : { ...operation, parent: one(operation.parent) };
      case "merge":
        return {
          ...operation,
          topics: operation.topics.filter((/** @type {string} */ topic) => !this.gone.has(topic)),
          into: one(operation.into),
        };
      case "delete_topic":
        return operation.pages?.topic
          ? { ...operation, pages: { topic: one(operation.pages.topic) } }
          : operation;
      case "accept":
        return this._mappedAccept(operation, one, all);
      default:
        return operation;
    }
  }

  /** @param {import("./types.js").Operation} operation @param {any} one @param {any} all */
  _mappedAccept(operation, one, all) {
    const found = { ...operation };
    if (operation.topics) found.topics = all(operation.topics);
    if (operation.hints)
      found.hints = operation.hints.map((/** @type {any} */ [topic, pages]) => [one(topic), pages]);
    return found;
  }
}

/** @param {string} topic */
function named(topic) {
  return topic === null || topic === undefined ? [] : [topic];
}

// What a person does with topics. Anything that takes pages off a level says so first.

import { refuseChange, say } from "../common/announce.js";
import { bdi, count, make } from "../common/elements.js";
import { newTopicId } from "../common/ids.js";
import { MAX_LEVELS, TEXT_CHARS } from "../common/limits.js";
import { previewOf } from "../drafts/impact.js";
import { field, ImpactLine, openDialog, radios } from "./dialogs.js";
import { digitKey } from "./digits.js";
import { openMenu } from "./menu.js";
import { openPicker } from "./picker.js";

export class Structure {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./tree.js").Tree} needs.tree
   * @param {import("./split-bar.js").SplitBar} needs.splitBar
   * @param {() => void} needs.redraw redraws the same draft
   * @param {(id: string) => void} needs.comment shows the comments on a topic
   */
  constructor({ store, view, keys, actions, go, tree, splitBar, redraw, comment }) {
    this.splitBar = splitBar;
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
    this.tree = tree;
    this.redraw = redraw;
    this.comment = comment;
  }

  get state() {
    return this.store.state;
  }

  // Doing

  /**
   * Perform an operation on topics. If pages would lack a topic afterwards, ask first.
   * @param {import("../drafts/types.js").Operation} operation
   * @param {{title: string, done?: () => void}} how
   */
  perform(operation, { title, done }) {
    const told = previewOf(this.store.state, [operation]);
    if (!told.warns || told.error) return this.#go(operation, done);
    openDialog({
      title,
      kind: "small",
      content: [
        make("p", { class: "impact warns" }, told.words),
        make("p", { class: "muted small" }, "You can undo this."),
      ],
      choices: [
        { words: "Cancel" },
        { words: title, kind: "btn btn-primary", primary: true, run: () => this.#go(operation, done) },
      ],
    })
      .querySelector("[type=submit]")
      .focus();
    return false;
  }

  /** @param {import("../drafts/types.js").Operation} operation @param {() => void} [done] */
  #go(operation, done) {
    const worked = this.actions.run([operation], [], { notice: true });
    if (worked) done?.();
    return worked;
  }

  /** @param {string} id */
  #name(id) {
    return this.state.topicOf(id).name;
  }

  // Names

  /**
   * @param {string} name
   * @param {string|null} parent
   * @param {number} at
   * @returns {string|false} the id of the new topic
   */
  addTopic(name, parent, at) {
    const topic = newTopicId();
    return this.actions.run([{ kind: "add_topic", topic, name, parent, at }], []) && topic;
  }

  /** @param {string} topic @param {string} name */
  renameTo(topic, name) {
    return name === this.#name(topic) || this.actions.run([{ kind: "rename", topic, name }], []);
  }

  /** @param {string|null} id */
  addSibling(id) {
    const { tree } = this;
    if (id === null) return tree.add(null, this.state.roots.length);
    return tree.add(this.state.topicOf(id).parent, this.state.indexOf(id) + 1);
  }

  /** @param {string|null} id */
  addChild(id) {
    if (id === null) return this.tree.add(null, 0);
    return this.tree.add(id, this.state.childrenOf(id).length);
  }

  /** @param {string} id */
  describe(id) {
    const topic = this.state.topicOf(id);
    const off = this.store.readOnly;
    const text = make("textarea", {
      class: "form-control",
      rows: "3",
      maxlength: TEXT_CHARS,
      value: topic.description,
      disabled: off,
    });
    const note = make("textarea", {
      class: "form-control",
      rows: "2",
      maxlength: TEXT_CHARS,
      value: topic.note,
      disabled: off,
    });
    const step = make("input", {
      type: "number",
      class: "form-control",
      min: "1",
      max: String(MAX_LEVELS - 1),
      value: String(topic.step),
      disabled: off,
    });
    const operations = () =>
      [
        text.value.trim() !== topic.description && { kind: "describe", topic: id, text: text.value },
        note.value.trim() !== topic.note && { kind: "topic_note", topic: id, text: note.value },
        Number(step.value) !== topic.step && { kind: "step", topic: id, step: Number(step.value) },
      ].filter((one) => one !== false);
    const impact = new ImpactLine((list) => (list.length ? previewOf(this.store.state, list) : { words: "" }));
    step.addEventListener("input", () => impact.show(operations()));
    openDialog({
      title: `About “${topic.name}”`,
      content: [
        field(
          "Description",
          text,
          "What belongs here, for everybody who places pages. Changing it marks its pages as stale.",
        ),
        field("Note", note, "For those who work on this draft."),
        field(
          "Its subtopics start this many levels below it",
          step,
          "Almost always 1. A larger number leaves levels free for topics that are split elsewhere.",
        ),
        impact.element,
      ],
      choices: [
        { words: "Cancel" },
        {
          words: "Save",
          kind: "btn btn-primary",
          primary: true,
          run: () => !operations().length || this.actions.run(operations(), []),
        },
      ],
    });
  }

  // Places

  /** @param {string} id */
  promote(id) {
    return this.perform(
      { kind: "promote", topic: id },
      { title: `Move “${this.#name(id)}” up`, done: () => this.#follow(id) },
    );
  }

  /** @param {string} id */
  demote(id) {
    return this.perform(
      { kind: "demote", topic: id },
      { title: `Move “${this.#name(id)}” down`, done: () => this.#follow(id) },
    );
  }

  /** @param {string} id @param {number} by */
  shift(id, by) {
    const at = this.state.indexOf(id) + by;
    if (at < 0 || at >= this.state.childrenOf(this.state.topicOf(id).parent).length)
      return say(by < 0 ? "It is already the first." : "It is already the last.");
    const done = this.actions.run([{ kind: "reorder", topic: id, at }], []);
    if (done) this.#follow(id);
    return done;
  }

  /** @param {string} id */
  #follow(id) {
    this.go.reveal(id, true);
  }

  /** @param {string} id @param {string|null} parent */
  moveTo(id, parent, at = /** @type {number|null} */ (null)) {
    const stays = at !== null && this.state.topicOf(id).parent === parent;
    const operation = stays
      ? { kind: "reorder", topic: id, at }
      : { kind: "move", topic: id, parent, ...(at === null ? {} : { at }) };
    const target = parent === null ? "level 1" : `“${this.#name(parent)}”`;
    return this.perform(operation, {
      title: `Move “${this.#name(id)}” to ${target}`,
      done: () => this.#follow(id),
    });
  }

  /** @param {string} id */
  move(id) {
    const below = new Set(this.state.subtree(id));
    this.#choose(id, `Move “${this.#name(id)}” into`, {
      topics: this.state.preOrder().filter((other) => !below.has(other)),
      root: "Level 1, beside the other topics",
      operation: (parent) => ({ kind: "move", topic: id, parent }),
    });
  }

  /** @param {string} id */
  merge(id) {
    const below = new Set(this.state.subtree(id));
    this.#choose(id, `Merge “${this.#name(id)}” into`, {
      topics: this.state.preOrder().filter((other) => !below.has(other)),
      operation: (into) => ({ kind: "merge", topics: [id], into }),
    });
  }

  /**
   * @param {string} id
   * @param {string} title
   * @param {{topics: string[], root?: string, operation: (topic: string|null) => import("../drafts/types.js").Operation}} what
   */
  #choose(id, title, { topics, root, operation }) {
    /** @param {import("./picker.js").Choice} choice */
    const chosen = (choice) => (choice.kind === "topic" ? choice.topic : null);
    if (this.store.readOnly) return refuseChange();
    return openPicker(this, {
      title,
      topics,
      root,
      preview: (choice) => previewOf(this.store.state, [operation(chosen(choice))]),
      choose: (choice) => {
        const worked = this.#go(operation(chosen(choice)));
        if (worked) this.#follow(this.state.topic(id) ? id : (chosen(choice) ?? id));
      },
    });
  }

  /** @param {string} id */
  split(id) {
    return this.splitBar.start(id);
  }

  // Delete

  /** @param {string} id */
  delete(id) {
    if (this.store.readOnly) return refuseChange();
    const { state } = this;
    const topic = state.topicOf(id);
    const children = state.childrenOf(id).length;
    let pages = topic.parent !== null ? "parent" : "unplace";
    let below = "lift";
    const choosing = (/** @type {(value: string) => void} */ choose) => (/** @type {string} */ value) => {
      choose(value);
      show();
    };
    const target = make(
      "select",
      {
        class: "form-select",
        "aria-label": "The topic they go to",
        onchange: choosing(() => {
          pages = "topic";
        }),
      },
      this.#others(id),
    );
    const operation = () => ({
      kind: "delete_topic",
      topic: id,
      children: below,
      pages: pages === "topic" ? { topic: target.value } : pages,
    });
    const impact = new ImpactLine((list) => previewOf(this.store.state, list));
    const show = () => impact.show([operation()]);
    const rest = state.membersOf(id).size;
    const leave = topic.parent === null ? "leave it" : "also leave the topics above it";
    openDialog({
      title: `Delete “${topic.name}”`,
      content: [
        make(
          "p",
          { class: "muted" },
          `It holds ${count(state.pagesIn(id).size, "page")}${children ? `, ${rest} of them in none of its subtopics, and has ${count(children, "subtopic")}` : ""}.`,
        ),
        children > 0 &&
          radios(
            "Its subtopics",
            [
              { value: "lift", words: "move up to its place" },
              { value: "delete", words: "are deleted with it" },
            ],
            below,
            choosing((value) => {
              below = value;
            }),
          ),
        radios(
          "Its pages",
          [
            topic.parent !== null && { value: "parent", words: ["stay in ", bdi(this.#name(topic.parent))] },
            { value: "unplace", words: `${leave}; those in no other topic become unplaced` },
            { value: "outliers", words: `${leave}; those in no other topic become outliers` },
            target.children.length > 0 && { value: "topic", words: ["go to ", target] },
          ],
          pages,
          choosing((value) => {
            pages = value;
          }),
        ),
        impact.element,
      ],
      choices: [
        { words: "Cancel" },
        {
          words: "Delete",
          kind: "btn btn-danger",
          primary: true,
          id: "delete-now",
          run: () => this.#go(operation()),
        },
      ],
    })
      .querySelector("input:checked")
      ?.focus();
    show();
  }

  /** @param {string} id */
  #others(id) {
    const below = new Set(this.state.subtree(id));
    return this.state
      .preOrder()
      .filter((other) => !below.has(other))
      .map((other) => make("option", { value: other }, this.state.path(other).join(" › ")));
  }

  // Suggested topics

  /** @param {string} id */
  accept(id) {
    return this.actions.run([{ kind: "accept", topics: [id] }], [], { notice: true });
  }

  /** @param {string} id */
  reject(id) {
    return this.actions.run([{ kind: "reject", topics: [id] }], [], { notice: true });
  }

  // Digits

  /** Which of the nine digits, and which topic has it now. @param {string} id */
  chooseDigit(id, at = /** @type {HTMLElement} */ (this.tree.elements.get(id))) {
    const { state } = this;
    const { parent, name } = state.topicOf(id);
    const taken = new Map([...this.view.digitKeys.of(state, parent)].map(([topic, digit]) => [digit, topic]));
    /** @param {number} digit */
    const take = (digit) => {
      this.view.digitKeys.choose(state, id, digit);
      this.redraw();
      say(`${name} has the key ${digit} now.`);
    };
    /** @param {number} digit */
    const line = (digit) => {
      const other = taken.get(digit);
      return {
        words: make("span", {}, `${digit} `, other ? bdi(this.#name(other)) : make("span", { class: "muted" }, "free")),
        checked: other === id,
        run: () => take(digit),
      };
    };
    openMenu({ label: `Key of ${name}`, at, back: at, items: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(line) });
  }

  // The menu of a topic

  /** @param {string} id @param {HTMLElement|{x: number, y: number}} at @param {HTMLElement} back */
  menu(id, at, back) {
    const { state } = this;
    /** @param {string} action */
    const key = (action) => this.keys.hint(action);
    const topic = state.topicOf(id);
    const pages = this.view.targets();
    const off = this.store.readOnly;
    const siblings = state.childrenOf(topic.parent);
    const place = siblings.indexOf(id);
    /** @param {import("../drafts/types.js").Operation} operation */
    const warned = (operation) => {
      const told = previewOf(this.store.state, [operation]);
      return told.error ? "" : told.words;
    };
    /** @param {string} words @param {() => unknown} run */
    const change = (words, run, more = /** @type {Partial<import("./menu.js").Item>} */ ({})) => ({
      words,
      run,
      disabled: off || more.disabled,
      ...more,
      ...(off ? { disabled: true } : {}),
    });
    openMenu({
      label: `What can be done with ${topic.name}`,
      at,
      back,
      items: [
        topic.suggested &&
          change("Accept the suggestion", () => this.accept(id), {
            picture: "check",
            note: `with ${count(state.hintsOf(id).size, "page")}`,
          }),
        topic.suggested && change("Reject the suggestion", () => this.reject(id), { picture: "close" }),
        !topic.suggested &&
          state.hintsOf(id).size > 0 &&
          change(`Accept ${count(state.hintsOf(id).size, "suggested page")}`, () => this.accept(id), {
            picture: "check",
          }),
        { words: "Show its pages", run: () => this.go.topic(id), key: key("tree-show"), picture: "search" },
        pages.length > 0 &&
          change(
            this.actions.holds(id, pages) === "true"
              ? `Take ${count(pages.length, "page")} out`
              : `Put ${count(pages.length, "page")} in`,
            () => this.actions.toggleTopic(id, pages),
            { key: key("tree-toggle"), picture: "topic" },
          ),
        pages.length > 0 &&
          change(`Only this topic for ${count(pages.length, "page")}`, () => this.actions.only(id, pages)),
        { separator: true },
        change("Rename", () => this.tree.rename(id), { key: key("rename") }),
        change("Description and note", () => this.describe(id), { key: key("describe") }),
        { words: "Comments…", run: () => this.comment(id), key: key("comment"), picture: "comment" },
        change("Key 1-9…", () => this.chooseDigit(id, back), {
          key: key("digit"),
          note: this.#digitWords(id),
        }),
        change("New sibling topic", () => this.addSibling(id), {
          key: key("add-sibling"),
          picture: "plus",
        }),
        change("New subtopic", () => this.addChild(id), { key: key("add-child"), picture: "plus" }),
        { separator: true },
        change("Move up: beside its parent", () => this.promote(id), {
          key: key("promote"),
          disabled: topic.parent === null,
          note: topic.parent === null ? "" : warned({ kind: "promote", topic: id }),
        }),
        change("Move down: into the topic above", () => this.demote(id), {
          key: key("demote"),
          disabled: place === 0,
          note: place === 0 ? "" : warned({ kind: "demote", topic: id }),
        }),
        change("Before its neighbour", () => this.shift(id, -1), {
          key: key("earlier"),
          disabled: place === 0,
        }),
        change("After its neighbour", () => this.shift(id, 1), {
          key: key("later"),
          disabled: place === siblings.length - 1,
        }),
        change("Move into…", () => this.move(id), { key: key("move") }),
        { separator: true },
        change("Merge into…", () => this.merge(id), { key: key("merge"), disabled: state.topics.size < 2 }),
        change("Split", () => this.split(id), { key: key("split"), disabled: !state.pagesIn(id).size }),
        change(
          `Put the rest into “${topic.name} (other)”`,
          () => this.actions.run([{ kind: "fill_other", topic: id }], state.leftOver(id), { notice: true }),
          {
            disabled: !state.leftOver(id).length,
            note: state.leftOver(id).length ? count(state.leftOver(id).length, "page") : "",
          },
        ),
        change("Delete…", () => this.delete(id), { key: key("delete"), danger: true }),
      ],
    });
  }

  /** @param {string} id */
  #digitWords(id) {
    const digit = this.view.digitKeys.of(this.state, this.state.topicOf(id).parent).get(id);
    return digit ? `now ${digitKey(digit)}` : "none yet";
  }
}

// What a person does with topics. Whatever takes pages from a level says so before it happens.

import { say } from "./announce.js";
import { field, ImpactLine, openDialog, radios } from "./dialogs.js";
import { bdi, count, make } from "./elements.js";
import { openMenu } from "./menu.js";
import { openPicker } from "./picker.js";
import { openSplit } from "./split.js";

export class Structure {
  /** @param {object} app */
  constructor(app) {
    this.app = app;
  }

  get state() {
    return this.app.store.state;
  }

  // Doing

  /** Performs one structure operation; where pages would lack a topic afterwards, asks first. */
  perform(operation, { title, done } = {}) {
    const judged = this.app.judge([operation]);
    if (!judged.warns || judged.error) return this.#go(operation, done);
    openDialog({
      title,
      kind: "small",
      content: [
        make("p", { class: "impact warns" }, judged.words),
        make("p", { class: "muted small" }, "One undo takes it back."),
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

  #go(operation, done) {
    const worked = this.app.actions.run([operation], [], { notice: true });
    if (worked) done?.();
    return worked;
  }

  #name(id) {
    return this.state.topic(id).name;
  }

  // Names

  /** @returns {string|false} the id of the new topic */
  addTopic(name, parent, at) {
    const topic = this.app.newId();
    return this.app.actions.run([{ kind: "add_topic", topic, name, parent, at }], []) && topic;
  }

  renameTo(topic, name) {
    return name === this.#name(topic) || this.app.actions.run([{ kind: "rename", topic, name }], []);
  }

  addSibling(id) {
    const { tree } = this.app;
    if (id === null) return tree.add(null, this.state.roots.length);
    return tree.add(this.state.topic(id).parent, this.state.indexOf(id) + 1);
  }

  addChild(id) {
    if (id === null) return this.app.tree.add(null, 0);
    return this.app.tree.add(id, this.state.childrenOf(id).length);
  }

  describe(id) {
    const topic = this.state.topic(id);
    const off = this.app.store.readOnly;
    const text = make("textarea", {
      class: "form-control",
      rows: "3",
      maxlength: "10000",
      value: topic.description,
      disabled: off,
    });
    const note = make("textarea", {
      class: "form-control",
      rows: "2",
      maxlength: "10000",
      value: topic.note,
      disabled: off,
    });
    const step = make("input", {
      type: "number",
      class: "form-control",
      min: "1",
      max: "20",
      value: String(topic.step),
      disabled: off,
    });
    const operations = () =>
      [
        text.value.trim() !== topic.description && { kind: "describe", topic: id, text: text.value },
        note.value.trim() !== topic.note && { kind: "topic_note", topic: id, text: note.value },
        Number(step.value) !== topic.step && { kind: "step", topic: id, step: Number(step.value) },
      ].filter(Boolean);
    const impact = new ImpactLine((list) => (list.length ? this.app.judge(list) : { words: "" }));
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
          "1 almost always; more leaves levels between for topics that are split elsewhere.",
        ),
        impact.element,
      ],
      choices: [
        { words: "Cancel" },
        {
          words: "Save",
          kind: "btn btn-primary",
          primary: true,
          run: () => !operations().length || this.app.actions.run(operations(), []),
        },
      ],
    });
  }

  // Places

  promote(id) {
    return this.perform(
      { kind: "promote", topic: id },
      { title: `Move “${this.#name(id)}” up`, done: () => this.#follow(id) },
    );
  }

  demote(id) {
    return this.perform(
      { kind: "demote", topic: id },
      { title: `Move “${this.#name(id)}” down`, done: () => this.#follow(id) },
    );
  }

  shift(id, by) {
    const at = this.state.indexOf(id) + by;
    if (at < 0 || at >= this.state.childrenOf(this.state.topic(id).parent).length)
      return say(by < 0 ? "It is the first already." : "It is the last already.");
    const done = this.app.actions.run([{ kind: "reorder", topic: id, at }], []);
    if (done) this.#follow(id);
    return done;
  }

  #follow(id) {
    this.app.tree.reveal(id, true);
  }

  moveTo(id, parent, at = null) {
    const stays = at !== null && this.state.topic(id).parent === parent;
    const operation = stays
      ? { kind: "reorder", topic: id, at }
      : { kind: "move", topic: id, parent, ...(at === null ? {} : { at }) };
    const target = parent === null ? "level 1" : `“${this.#name(parent)}”`;
    return this.perform(operation, {
      title: `Move “${this.#name(id)}” to ${target}`,
      done: () => this.#follow(id),
    });
  }

  move(id) {
    const below = new Set(this.state.subtree(id));
    this.#choose(id, `Move “${this.#name(id)}” into`, {
      topics: this.state.preOrder().filter((other) => !below.has(other)),
      root: "Level 1, beside the other topics",
      operation: (parent) => ({ kind: "move", topic: id, parent }),
    });
  }

  merge(id) {
    const below = new Set(this.state.subtree(id));
    this.#choose(id, `Merge “${this.#name(id)}” into`, {
      topics: this.state.preOrder().filter((other) => !below.has(other)),
      operation: (into) => ({ kind: "merge", topics: [id], into }),
    });
  }

  #choose(id, title, { topics, root, operation }) {
    if (this.app.store.readOnly) return this.app.refuse();
    return openPicker(this.app, {
      title,
      topics,
      root,
      preview: (choice) => this.app.judge([operation(choice.topic)]),
      choose: (choice) => {
        const worked = this.#go(operation(choice.topic));
        if (worked) this.#follow(this.state.topic(id) ? id : choice.topic);
      },
    });
  }

  mergeInto(id, into) {
    const operation = { kind: "merge", topics: [id], into };
    return this.perform(operation, {
      title: `Merge “${this.#name(id)}” into “${this.#name(into)}”`,
      done: () => this.#follow(into),
    });
  }

  split(id) {
    if (this.app.store.readOnly) return this.app.refuse();
    return openSplit(this.app, id);
  }

  // Delete

  delete(id) {
    if (this.app.store.readOnly) return this.app.refuse();
    const { state } = this;
    const topic = state.topic(id);
    const children = state.childrenOf(id).length;
    let pages = topic.parent !== null ? "parent" : "unplace";
    let below = "lift";
    const choosing = (choose) => (value) => {
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
    const impact = new ImpactLine((list) => this.app.judge(list));
    const show = () => impact.show([operation()]);
    const direct = state.membersOf(id).size;
    openDialog({
      title: `Delete “${topic.name}”`,
      content: [
        make(
          "p",
          { class: "muted" },
          `It holds ${count(state.pagesIn(id).size, "page")}${children ? `, ${direct} of them directly, and ${count(children, "subtopic")}` : ""}.`,
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
            topic.parent !== null && { value: "parent", words: ["go to ", bdi(this.#name(topic.parent))] },
            { value: "unplace", words: "leave it; those in no other topic are unplaced" },
            { value: "outliers", words: "become outliers where they are in no other topic" },
            target.children.length > 0 && { value: "topic", words: ["go to ", target] },
          ].filter(Boolean),
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

  #others(id) {
    const below = new Set(this.state.subtree(id));
    return this.state
      .preOrder()
      .filter((other) => !below.has(other))
      .map((other) => make("option", { value: other }, this.state.path(other).join(" › ")));
  }

  // Suggested topics

  accept(id) {
    return this.app.actions.run([{ kind: "accept", topics: [id] }], [], { notice: true });
  }

  reject(id) {
    return this.app.actions.run([{ kind: "reject", topics: [id] }], [], { notice: true });
  }

  // Its digit

  /** Which of the nine, and whose it would be otherwise. */
  chooseDigit(id, at = this.app.tree.elements.get(id)) {
    const { app, state } = this;
    const { parent, name } = state.topic(id);
    const taken = new Map([...app.view.digitKeys.of(state, parent)].map(([topic, digit]) => [digit, topic]));
    const take = (digit) => {
      app.view.digitKeys.choose(state, id, digit);
      app.redraw();
      say(`${name} has the key ${digit} now.`);
    };
    const line = (digit) => {
      const other = taken.get(digit);
      return {
        words: make(
          "span",
          {},
          `${digit} `,
          other ? bdi(this.#name(other)) : make("span", { class: "muted" }, "free"),
        ),
        checked: other === id,
        run: () => take(digit),
      };
    };
    openMenu({ label: `Key of ${name}`, at, back: at, items: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(line) });
  }

  // The menu of a topic

  menu(id, at, back) {
    const { app, state } = this;
    const key = (action) => app.keys.hint(action);
    const topic = state.topic(id);
    const pages = app.view.targets();
    const off = app.store.readOnly;
    const siblings = state.childrenOf(topic.parent);
    const place = siblings.indexOf(id);
    const warned = (operation) => {
      const judged = app.judge([operation]);
      return judged.error ? "" : judged.words;
    };
    const change = (words, run, more = {}) => ({
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
        { words: "Show its pages", run: () => app.goTopic(id), key: key("tree-show"), picture: "search" },
        pages.length > 0 &&
          change(
            app.actions.holds(id, pages) === "true"
              ? `Take ${count(pages.length, "page")} out`
              : `Put ${count(pages.length, "page")} in`,
            () => app.actions.toggleTopic(id, pages),
            { key: key("tree-toggle"), picture: "topic" },
          ),
        pages.length > 0 &&
          change(`Only this topic on its level for ${count(pages.length, "page")}`, () =>
            app.actions.only(id, pages),
          ),
        { separator: true },
        change("Rename", () => app.tree.rename(id), { key: key("rename") }),
        change("Description and note", () => this.describe(id), { key: key("describe") }),
        change("Key 1-9…", () => this.chooseDigit(id, back), {
          key: key("digit"),
          note: digitWords(app, id),
        }),
        change("New topic beside it", () => this.addSibling(id), {
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
        change("Split…", () => this.split(id), { key: key("split"), disabled: !state.pagesIn(id).size }),
        change(
          `Put the rest into “${topic.name} (other)”`,
          () => app.actions.run([{ kind: "fill_other", topic: id }], state.leftOver(id), { notice: true }),
          {
            disabled: !state.leftOver(id).length,
            note: state.leftOver(id).length ? count(state.leftOver(id).length, "page") : "",
          },
        ),
        change("Delete…", () => this.delete(id), { key: key("delete"), danger: true }),
      ].filter(Boolean),
    });
  }
}

function digitWords(app, id) {
  const digit = app.view.digitKeys.of(app.store.state, app.store.state.topic(id).parent).get(id);
  return digit ? `now ${digit}` : "none yet";
}

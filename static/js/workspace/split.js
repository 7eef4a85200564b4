// Splitting a topic is a queue: its pages that have no part yet, those that are alike together. Digits put them into
// the parts, a key makes a new part of what is selected. Each is an entry of its own with its undo, so that one can
// leave at any time and come back.

import { announce, refuseChange, say, toast, wordsOf } from "../common/announce.js";
import { button, byId, count, fill, make, setAttribute, setText } from "../common/elements.js";
import { ask, HttpError } from "../common/http.js";
import { newTopicId } from "../common/ids.js";
import { NAME_CHARS } from "../drafts/limits.js";
import { judged } from "../drafts/preview.js";
import { field, ImpactLine, openDialog } from "./dialogs.js";

/** @typedef {{name: string, pages: string[]}} PageGroup pages that are alike, the most typical first */

export class Splitting {
  /** @type {HTMLElement} */ left;
  /** @type {HTMLElement} */ choices;
  /** @type {HTMLButtonElement} */ add;

  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {string} needs.address where the site tells the groups of a topic's pages, `{topic}` for its id
   */
  constructor({ store, view, keys, actions, go, address }) {
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
    this.address = address;
    /** Whether parts become subtopics, or topics beside it that take its pages. */
    this.beside = false;
    /** @type {PageGroup[]} as the site told them when the splitting began */
    this.told = [];
    /** Whether the site is still to tell them. */
    this.asking = false;
    this.bar = byId("split-bar");
    this.#build();
  }

  #build() {
    /** @param {string} words @param {boolean} beside */
    const choice = (words, beside) =>
      button(words, () => this.#put(beside), { kind: "tool small", data: { beside: String(beside) } });
    this.left = make("span", { class: "split-left" });
    this.choices = make(
      "span",
      { class: "split-choices", role: "group", "aria-label": "What the parts become" },
      choice("Subtopics", false),
      choice("Topics beside it", true),
    );
    this.add = button("New part", () => this.newPart(), { picture: "plus", key: " ", id: "split-new" });
    fill(
      this.bar,
      this.left,
      this.choices,
      this.add,
      button("Done", () => this.leave(), { id: "split-done" }),
    );
  }

  /** The topic that is being split; null while none is. */
  get topic() {
    const { queue, topic } = this.view;
    return queue === "split" && topic !== null && this.store.state.topic(topic) ? topic : null;
  }

  // Coming and going

  /** @param {string} id */
  start(id, { page = /** @type {string|null} */ (null) } = {}) {
    const { state } = this.store;
    const name = state.topicOf(id).name;
    if (this.store.readOnly) return refuseChange();
    if (!state.pagesIn(id).size) return say(`${name} holds no pages: there is nothing to split.`);
    // Below level 1 a further level is seldom wanted; topics that have subtopics already get more of them.
    this.beside = state.first(id) > 1 && !state.childrenOf(id).length;
    this.told = [];
    this.asking = true;
    this.go.endSearch();
    this.view.show("split", { topic: id, search: "", page });
    this.go.focus("pages");
    announce(`Splitting ${name}: ${this.#leftWords()}. Digits put pages into its parts.`);
    return this.#askGroups(id);
  }

  /** @param {string} id */
  async #askGroups(id) {
    try {
      const answer = await ask(this.address.replace("{topic}", encodeURIComponent(id)));
      if (this.topic !== id) return;
      this.told = answer.groups;
      this.asking = false;
      const { cursor } = this.view;
      const first = this.view.pages[0] === cursor;
      this.view.refresh();
      if (first && this.view.pages.length) this.view.goTo(this.view.pages[0]);
    } catch (error) {
      // Without the site the pages stand in the order of the list.
      if (!(error instanceof HttpError)) throw error;
      this.asking = false;
      this.render();
    }
  }

  leave() {
    const id = this.topic;
    if (id === null) return;
    const left = this.#waiting().length;
    this.go.topic(id);
    this.go.reveal(id);
    this.go.focus("pages");
    const name = this.store.state.topicOf(id).name;
    say(left && !this.beside ? `${name}: ${count(left, "page")} left to split; S goes on.` : `${name} is split.`);
  }

  /** @param {boolean} beside */
  #put(beside) {
    this.beside = beside;
    this.view.refresh();
    say(beside ? "Parts stand beside the topic; their pages leave it." : "Parts are its subtopics.");
  }

  // What is listed

  /** Pages that are in no part yet. */
  #waiting() {
    const { state } = this.store;
    const id = this.topic;
    if (id === null) return [];
    const parts = this.beside ? [] : state.childrenOf(id).filter((child) => !state.isSuggested(child));
    return state.inOrder([...state.pagesIn(id)].filter((page) => !parts.some((part) => state.isIn(page, part))));
  }

  /** @returns {import("../drafts/queues.js").Group[]} in the order of the site's groups; what it did not tell comes last */
  groups() {
    const rest = new Set(this.#waiting());
    const found = this.told.map(({ name, pages }, at) => {
      const here = pages.filter((page) => rest.delete(page));
      return { key: `part ${at}`, topic: null, name: name || "Like no other", pages: here };
    });
    const last = { key: "part rest", topic: null, name: this.told.length ? "Others" : "Its pages", pages: [...rest] };
    return [...found, last].filter((group) => group.pages.length);
  }

  /** The places of the pages, for those that are done and stay in sight. @returns {Map<string, number>} */
  order() {
    return new Map(this.told.flatMap(({ pages }) => pages).map((page, at) => [page, at]));
  }

  /** Whose children the digits are. @returns {string|null} */
  get parent() {
    return this.beside ? this.store.state.topicOf(this.topic ?? "").parent : this.topic;
  }

  #leftWords() {
    return `${count(this.#waiting().length, "page")} left`;
  }

  render() {
    const { topic } = this;
    this.bar.hidden = topic === null;
    if (topic === null) return;
    setText(this.left, `${this.#leftWords()}${this.asking ? "; grouping those that are alike …" : ""}`);
    for (const one of this.choices.querySelectorAll("button"))
      setAttribute(one, "aria-pressed", String(one.dataset.beside === String(this.beside)));
    const hint = this.add.querySelector("kbd");
    if (hint) setText(hint, this.keys.hint("new-part"));
  }

  // What is done

  /**
   * While parts stand beside the topic, putting a page into one takes it out of the topic.
   * @param {string} part
   * @param {string[]} pages
   * @returns {boolean|undefined} undefined where it is an ordinary placing
   */
  take(part, pages) {
    const { topic } = this;
    if (topic === null || !this.beside) return undefined;
    const { state } = this.store;
    if (part === topic) return say("The pages are there until they go to another topic.");
    if (state.isWithin(part, topic) || state.topicOf(part).parent !== this.parent) return undefined;
    const leaving = pages.filter((page) => state.isIn(page, topic));
    if (!leaving.length) return undefined;
    const operations = [
      { kind: "assign", pages: leaving, topics: [part] },
      { kind: "unassign", pages: leaving, topics: [topic] },
    ];
    return this.actions.run(operations, leaving, { advance: true });
  }

  /** A new part of the selected pages, or of the one under the cursor. */
  newPart(pages = this.view.targets()) {
    const { topic } = this;
    if (topic === null) return say("No topic is being split: S in a topic’s menu begins.");
    if (this.store.readOnly) return refuseChange();
    const waiting = new Set(this.#waiting());
    const some = pages.filter((page) => waiting.has(page));
    if (!some.length) return say("The pages have their part already.");
    const id = newTopicId();
    const name = make("input", {
      class: "form-control",
      maxlength: NAME_CHARS,
      autocomplete: "off",
      value: this.#nameFor(some),
      oninput: () => show(),
    });
    const operation = () => ({
      kind: "split",
      topic,
      into: [{ topic: id, name: name.value.trim().replace(/\s+/g, " "), pages: some }],
      where: this.beside ? "siblings" : "children",
    });
    const impact = new ImpactLine((list) => judged(this.store.state, list));
    const show = () => impact.show(name.value.trim() ? [operation()] : null);
    openDialog({
      title: `New part of “${this.store.state.topicOf(topic).name}”`,
      kind: "small",
      content: [field(`Name for ${count(some.length, "page")}`, name, ""), impact.element],
      choices: [
        { words: "Cancel" },
        { words: "Add", kind: "btn btn-primary", primary: true, run: () => this.#make(operation(), some, name) },
      ],
    });
    show();
    return name.select();
  }

  /** @param {any} operation @param {string[]} pages @param {HTMLInputElement} name */
  #make(operation, pages, name) {
    if (!operation.into[0].name) {
      name.focus();
      return false;
    }
    try {
      const done = this.actions.run([operation], pages, { advance: true, notice: true });
      if (done) this.go.reveal(operation.into[0].topic);
      return done;
    } catch (error) {
      toast(wordsOf(error), { kind: "bad" });
      return false;
    }
  }

  /** What sets the group of the pages apart, where they are of one. @param {string[]} pages */
  #nameFor(pages) {
    const { state } = this.store;
    const group = this.told.find((one) => pages.every((page) => one.pages.includes(page)));
    const taken = state.childrenOf(this.parent).map((id) => state.topicOf(id).name);
    return group && !taken.includes(group.name) ? group.name : "";
  }
}

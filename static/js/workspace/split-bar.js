// The bar above the list while a topic is being split. Its pages that have no part yet are listed, similar pages
// together. Digits put them into the parts, and a key makes a new part of the selected pages. Each step is an entry of its
// own that can be undone, so a person can leave at any time and come back.

import { announce, refuseChange, say, toast, wordsOf } from "../common/announce.js";
import { button, byId, count, fill, make, setAttribute, setText } from "../common/elements.js";
import { ask, HttpError } from "../common/http.js";
import { newTopicId } from "../common/ids.js";
import { NAME_CHARS } from "../common/limits.js";
import { previewOf } from "../drafts/impact.js";
import { field, ImpactLine, openDialog } from "./dialogs.js";

export class SplitBar {
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
   * @param {string} needs.address the URL of the groups of a topic's pages, with `{topic}` for its id
   */
  constructor({ store, view, keys, actions, go, address }) {
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
    this.address = address;
    this.split = view.split;
    /** True until the site has grouped the pages. */
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

  // Starting and ending

  /** @param {string} id */
  start(id, { page = /** @type {string|null} */ (null) } = {}) {
    const { state } = this.store;
    const name = state.topicOf(id).name;
    if (this.store.readOnly) return refuseChange();
    if (!state.pagesIn(id).size) return say(`${name} holds no pages: there is nothing to split.`);
    this.split.begin(id);
    this.asking = true;
    this.go.endSearch();
    this.view.show("split", { topic: id, search: "", page });
    this.go.focus("pages");
    announce(`Splitting ${name}: ${this.#remainingWords()}. Use digits to put pages into its parts.`);
    return this.#askGroups(id);
  }

  /** @param {string} id */
  async #askGroups(id) {
    try {
      const answer = await ask(this.address.replace("{topic}", encodeURIComponent(id)));
      if (this.split.topic !== id) return;
      this.split.similar = answer.groups;
      this.asking = false;
      const { cursor } = this.view;
      const first = this.view.pages[0] === cursor;
      this.view.refresh();
      if (first && this.view.pages.length) this.view.goTo(this.view.pages[0]);
    } catch (error) {
      // Without the site, the pages are in the order of the list.
      if (!(error instanceof HttpError)) throw error;
      this.asking = false;
      this.render();
    }
  }

  leave() {
    const id = this.split.topic;
    if (id === null) return;
    const left = this.split.waiting().length;
    this.go.topic(id);
    this.go.reveal(id);
    this.go.focus("pages");
    const name = this.store.state.topicOf(id).name;
    say(
      left && !this.split.beside
        ? `${name}: ${count(left, "page")} left to split. Press S to continue.`
        : `${name} is split.`,
    );
  }

  /** @param {boolean} beside */
  #put(beside) {
    this.split.beside = beside;
    this.view.refresh();
    say(beside ? "Parts are beside the topic, and their pages leave it." : "Parts are subtopics of the topic.");
  }

  #remainingWords() {
    return `${count(this.split.waiting().length, "page")} left`;
  }

  render() {
    const { topic } = this.split;
    this.bar.hidden = topic === null;
    if (topic === null) return;
    setText(this.left, `${this.#remainingWords()}${this.asking ? "; grouping those that are alike …" : ""}`);
    for (const one of this.choices.querySelectorAll("button"))
      setAttribute(one, "aria-pressed", String(one.dataset.beside === String(this.split.beside)));
    const hint = this.add.querySelector("kbd");
    if (hint) setText(hint, this.keys.hint("new-part"));
  }

  /** Make a new part of the selected pages, or of the one under the cursor. */
  newPart(pages = this.view.targets()) {
    const { topic } = this.split;
    if (topic === null) return say("No topic is being split. Press S in a topic’s menu to start.");
    if (this.store.readOnly) return refuseChange();
    const waiting = new Set(this.split.waiting());
    const some = pages.filter((page) => waiting.has(page));
    if (!some.length) return say("The pages are already in a part.");
    const id = newTopicId();
    const name = make("input", {
      class: "form-control",
      maxlength: NAME_CHARS,
      autocomplete: "off",
      value: this.split.nameFor(some),
      oninput: () => show(),
    });
    const operation = () => ({
      kind: "split",
      topic,
      into: [{ topic: id, name: name.value.trim().replace(/\s+/g, " "), pages: some }],
      where: this.split.beside ? "siblings" : "children",
    });
    const impact = new ImpactLine((list) => previewOf(this.store.state, list));
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

  /** @param {import("../drafts/types.js").Operation} operation @param {string[]} pages @param {HTMLInputElement} name */
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
}

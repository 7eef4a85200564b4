// Where the page under the cursor is: its topics, each with a button to take it out, suggestions, predictions, and what
// it lacks.

import { bdi, button, fill, icon, make } from "../common/elements.js";
import { topicMark } from "../drafts/marks.js";
import { missingLevels, withoutSubtopic } from "../drafts/placement.js";
import { predictionRow } from "./prediction-parts.js";

export class PagePlaces {
  /**
   * @param {object} needs
   * @param {HTMLElement} needs.root
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   */
  constructor({ root, store, view, actions, go }) {
    this.root = root;
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.go = go;
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  render(page) {
    const { state } = this.store;
    const outlier = state.outliers.has(page.id);
    const topics = state.finestTopics(page.id);
    const hints = state.hintedTopics(page.id);
    const rows = topics.map((id) => this.#place(page, id));
    if (outlier) rows.push(this.#outlierRow(page));
    if (!rows.length) rows.push(make("li", { class: "nowhere" }, "In no topic yet"));
    fill(
      this.root,
      make("h3", {}, "Topics"),
      make("ul", { class: "places" }, rows),
      hints.length > 0 && [
        make("h3", {}, "Suggested"),
        make(
          "ul",
          { class: "places hints" },
          hints.map((id) => this.#hint(page, id)),
        ),
      ],
      predictionRow({
        page: page.id,
        store: this.store,
        predictions: this.view.predictions,
        actions: this.actions,
        go: this.go,
      }),
      this.#lacking(page, outlier),
    );
  }

  /** @param {string} id */
  #path(id) {
    const { state } = this.store;
    const names = state.path(id);
    return make(
      "button",
      {
        type: "button",
        class: "path",
        title: "Show the pages of this topic",
        onclick: () => this.go.topic(id),
      },
      make("span", { class: topicMark(this.store.state, id) }),
      names.map((name, at) => [
        at > 0 && make("span", { class: "sep", "aria-hidden": "true" }, "›"),
        bdi(name, { class: at === names.length - 1 ? "end" : "" }),
      ]),
    );
  }

  /** @param {import("../drafts/types.js").PageInfo} page @param {string} id */
  #place(page, id) {
    const take = () => this.actions.run([{ kind: "unassign", pages: [page.id], topics: [id] }], [page.id]);
    const name = this.store.state.topicOf(id).name;
    return make("li", {}, this.#path(id), this.#wayOut(`Take out of ${name}`, take));
  }

  /** @param {string} words @param {() => unknown} onclick */
  #wayOut(words, onclick) {
    if (this.store.readOnly) return null;
    const given = { type: "button", class: "x", "data-focus": "place", "aria-label": words, title: words, onclick };
    return make("button", given, icon("close"));
  }

  /** @param {import("../drafts/types.js").PageInfo} page */
  #outlierRow(page) {
    const clear = () => this.actions.run([{ kind: "clear_outlier", pages: [page.id] }], [page.id]);
    return make(
      "li",
      {},
      make(
        "span",
        { class: "path" },
        icon("outlier"),
        make("span", { class: "end" }, "Outlier: belongs to no topic of this query"),
      ),
      this.#wayOut("No outlier", clear),
    );
  }

  /** @param {import("../drafts/types.js").PageInfo} page @param {string} id */
  #hint(page, id) {
    /** @param {string} kind */
    const answer = (kind) => this.actions.run([{ kind, hints: [[id, [page.id]]] }], [page.id]);
    return make(
      "li",
      {},
      this.#path(id),
      !this.store.readOnly && [
        button("Accept", () => answer("accept"), { kind: "tool small", "data-focus": "hint" }),
        button("Reject", () => answer("reject"), { kind: "tool small", "data-focus": "hint" }),
      ],
    );
  }

  /** @param {import("../drafts/types.js").PageInfo} page @param {boolean} outlier */
  #lacking(page, outlier) {
    if (outlier) return null;
    const { state } = this.store;
    const levels = missingLevels(state, page.id);
    return [
      levels.length > 0 && make("p", { class: "lacking" }, `Lacks a topic on level ${levels.join(" and ")}`),
      withoutSubtopic(state, page.id).map((id) =>
        make("p", { class: "lacking" }, "In ", bdi(state.topicOf(id).name), ", but in none of its subtopics"),
      ),
    ];
  }
}

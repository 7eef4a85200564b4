// The pages most similar to the one under the cursor, their topics, and buttons that put the page into the same topics.

import { bdi, button, fill, make } from "../common/elements.js";

const SIMILAR = 5;

export class SimilarPages {
  /**
   * @param {object} needs
   * @param {HTMLElement} needs.root
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   */
  constructor({ root, store, keys, actions, go }) {
    this.root = root;
    this.store = store;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
  }

  /**
   * @param {import("../drafts/types.js").PageInfo} page
   * @param {import("../drafts/types.js").PageDetails|undefined} known its details from the site
   * @param {string|undefined} failed why they could not be fetched
   */
  render(page, known, failed) {
    const title = make("h3", {}, "Similar pages");
    if (!known && failed !== undefined)
      return fill(
        this.root,
        title,
        make("p", { class: "muted small similar" }, `Similar pages could not be loaded. ${failed}`),
      );
    if (!known)
      return fill(
        this.root,
        title,
        make(
          "ul",
          { class: "similar waiting", "aria-hidden": "true" },
          Array.from({ length: SIMILAR }, () => make("li", {})),
        ),
      );
    const pages = (known.similar ?? []).filter((one) => this.store.pages.has(one.page)).slice(0, SIMILAR);
    if (!pages.length)
      return fill(this.root, title, make("p", { class: "muted small" }, "No other page has words in common with it."));
    return fill(
      this.root,
      title,
      make(
        "ul",
        { class: "similar" },
        pages.map((one, at) => this.#alike(page, one, at)),
      ),
    );
  }

  /**
   * @param {import("../drafts/types.js").PageInfo} page
   * @param {{page: string, score: number}} other
   * @param {number} at
   */
  #alike(page, { page: id, score }, at) {
    const { state } = this.store;
    const other = this.store.pageOf(id);
    const topics = state.finestTopics(id);
    const where = state.outliers.has(id) ? "outlier" : topics.map((topic) => state.topicOf(topic).name).join(", ");
    const same = () => this.actions.sameAs(id, [page.id]);
    return make(
      "li",
      {},
      make(
        "span",
        { class: "score", title: "Similarity of the words, from 0 to 1" },
        score.toFixed(2).replace(/^0/, ""),
      ),
      make(
        "button",
        { type: "button", class: "alike", title: other.snippet, onclick: () => this.go.page(id) },
        bdi(other.title || other.id, { class: "title" }),
        bdi(where || "in no topic yet", { class: "where" }),
      ),
      where &&
        !this.store.readOnly &&
        button("Same", same, {
          kind: "tool small",
          key: at === 0 ? this.keys.hint("same") : "",
          "data-focus": "same",
          title: `Same as this: put the page into ${where}`,
          "aria-label": `Same topics as ${other.title || id}: ${where}`,
        }),
    );
  }
}

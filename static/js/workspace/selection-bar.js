// The bar below the pages: actions for the selected pages, or for the one under the cursor. Above them are the topics
// of the digits.

import { announceSelection } from "../common/announce.js";
import { bdi, button, byId, figure, fill, make, setAttribute, setText } from "../common/elements.js";
import { topicMark } from "../drafts/marks.js";
import { digitKey } from "./digits.js";

/** The width of a digit with this name in pixels, up to the part that must be readable. @param {string} name */
const roomFor = (name) => Math.min(170, 64 + 7.5 * name.length);

export class SelectionBar {
  /** @type {HTMLElement} */ number;
  /** @type {HTMLButtonElement} */ all;
  /** @type {HTMLButtonElement} */ clear;
  /** @type {HTMLButtonElement} */ topic;
  /** @type {HTMLButtonElement} */ outlier;
  /** @type {HTMLButtonElement} */ repeat;
  /** @type {HTMLButtonElement} */ accept;
  /** @type {HTMLButtonElement} */ reject;
  /** @type {HTMLButtonElement} */ flag;
  /** @type {HTMLButtonElement} */ next;
  /** @type {HTMLButtonElement} */ unreadNext;
  /** @type {HTMLButtonElement} */ sheet;

  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./sheets.js").Sheets} needs.sheets
   * @param {() => unknown} needs.more shows the topics beyond the ninth
   * @param {import("./unread.js").Unread} needs.unread
   */
  constructor({ store, view, keys, actions, go, sheets, more, unread }) {
    this.more = more;
    this.unread = unread;
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
    this.sheets = sheets;
    this.root = byId("selection");
    this.digits = byId("digits");
    /** the digits on the screen */
    this.signature = "";
    /** the length of the words of the tools */
    this.room = "";
    this.#build();
    new ResizeObserver(() => {
      this.#makeRoom();
      this.#fit();
    }).observe(byId("region-pages"));
  }

  #build() {
    const { actions } = this;
    /**
     * @param {"topic"|"outlier"|"repeat"|"accept"|"reject"|"flag"|"next"|"unreadNext"|"sheet"} name
     * @param {string} words
     * @param {string} action an action of the key table
     * @param {() => unknown} run
     */
    const tool = (name, words, action, run, more = {}) => {
      const made = button(words, run, { key: " ", ...more });
      made.dataset.action = action;
      this[name] = made;
      return made;
    };
    /** @param {() => void} change */
    const select = (change) => () => {
      change();
      announceSelection(this.view.selection.size);
      this.go.focusList();
    };
    this.number = make("span", { class: "selected", id: "selected" });
    this.all = make("button", {
      type: "button",
      class: "link-button",
      id: "select-all",
      title: "Select all pages that pass search and filters",
      onclick: select(() => this.view.select([...this.view.matching])),
    });
    this.clear = make(
      "button",
      {
        type: "button",
        class: "link-button",
        id: "clear-selection",
        onclick: select(() => this.view.clearSelection()),
      },
      "Clear",
    );
    fill(
      this.root,
      make("span", { class: "selection-words" }, this.number, this.all, this.clear),
      make(
        "span",
        { class: "selection-tools" },
        tool("topic", "Topic…", "picker", () => actions.pick(), { id: "do-topic" }),
        tool("outlier", "Outlier", "outlier", () => actions.outlier(), { id: "do-outlier" }),
        tool("repeat", "Repeat", "repeat", () => actions.repeat(), { id: "do-repeat" }),
        tool("accept", "Accept", "accept", () => actions.answer("accept"), { id: "do-accept" }),
        tool("reject", "Reject", "reject", () => actions.answer("reject"), { id: "do-reject" }),
        tool("flag", "Flag", "flag", () => actions.flag(), { id: "do-flag" }),
        tool("next", "Next", "unfinished", () => this.go.next(), { id: "do-next" }),
        tool("unreadNext", "Unread", "unread", () => this.go.nextUnread(), { id: "do-unread" }),
        tool("sheet", "Keys", "sheet", () => this.sheets.showKeys(), { id: "do-keys" }),
      ),
    );
  }

  render() {
    const { view, keys, store } = this;
    const { size } = view.selection;
    const { page } = view;
    const words = size ? `${figure(size)} selected` : page ? `Page ${page.rank ?? page.id}` : "No page";
    setText(this.number, words);
    this.number.classList.toggle("many", size > 0);
    this.all.hidden = !size || size >= view.matching.size;
    setText(this.all, `All ${figure(view.matching.size)}`);
    this.clear.hidden = !size;
    const targets = view.targets();
    const hinted = this.actions.hasProposal(targets);
    for (const made of this.root.querySelectorAll("[data-action]")) {
      const { action } = made.dataset;
      setText(made.querySelector("kbd"), keys.hint(action));
      const idle =
        action === "sheet"
          ? false
          : action === "unfinished" || action === "unread"
            ? !page
            : store.readOnly || !targets.length || (action === "repeat" && !this.actions.last);
      setAttribute(made, "aria-disabled", idle ? "true" : null);
    }
    this.accept.hidden = this.reject.hidden = !hinted;
    this.next.hidden = this.unreadNext.hidden = size > 0;
    const left = this.unread.left(view.pages);
    setAttribute(
      this.unreadNext,
      "title",
      left ? `Next page you have not read: ${figure(left)} here` : "You have read all of them",
    );
    this.flag.hidden = this.repeat.hidden = hinted;
    setAttribute(
      this.repeat,
      "title",
      this.actions.last ? `Repeat: ${this.actions.last.words}` : "Repeat the last placing",
    );
    this.#fitAnew();
    this.#renderDigits();
  }

  /** Measuring forces a layout after each key, so measure only if the words have become longer or shorter. */
  #fitAnew() {
    const shown = [...this.root.querySelectorAll("button, span.selected")].filter((one) => !one.hidden);
    const room = JSON.stringify(shown.map((one) => one.textContent.length));
    if (room === this.room) return;
    this.room = room;
    this.#fit();
  }

  /** If the tools do not fit, hide their keys. The button for the key sheet stays in sight. */
  #fit() {
    const tools = this.root.querySelector(".selection-tools");
    this.root.classList.remove("tight");
    this.root.classList.toggle("tight", tools.scrollWidth > tools.clientWidth);
  }

  /**
   * Choose one line or two only by the topics of the draft and the width, so that the list does not move from page to
   * page.
   */
  #makeRoom() {
    const { state } = this.store;
    /** @param {string|null} parent */
    const needed = (parent) =>
      state
        .childrenOf(parent)
        .slice(0, 9)
        .reduce(
          (sum, id) => sum + roomFor(state.topicOf(id).name),
          parent === null ? 0 : roomFor(state.topicOf(parent).name),
        );
    this.digits.classList.toggle(
      "two",
      [null, ...state.topics.keys()].some((parent) => needed(parent) > this.digits.clientWidth - 24),
    );
  }

  #renderDigits() {
    const { state } = this.store;
    const { parent, keys, topics, others } = this.view.digits();
    const nine = topics.filter((id) => (keys.get(id) ?? 0) <= 9).length;
    const more = topics.length - nine + others.length;
    const targets = this.view.targets();
    const signature = JSON.stringify([
      parent,
      parent && state.path(parent),
      topics.map((id) => [
        id,
        state.topicOf(id).name,
        this.actions.holds(id, targets),
        keys.get(id),
        topicMark(this.store.state, id),
      ]),
      more,
      this.keys.on,
      this.store.readOnly,
    ]);
    if (signature === this.signature) return;
    this.signature = signature;
    this.digits.style.setProperty(
      "--columns",
      String(Math.max(4, Math.ceil((nine + Number(more > 0) + (parent === null ? 0 : 1)) / 2))),
    );
    this.#makeRoom();
    const had = this.digits.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.topic
      : null;
    fill(
      this.digits,
      parent !== null && make("span", { class: "digits-parent" }, "In ", bdi(state.path(parent).join(" › ")), ":"),
      topics.slice(0, nine).map((id) => {
        const holds = this.actions.holds(id, targets);
        const { name } = state.topicOf(id);
        return make(
          "button",
          {
            type: "button",
            class: "digit",
            "aria-pressed": holds,
            disabled: this.store.readOnly,
            data: { topic: id },
            title: `${state.path(id).join(" › ")}\nShift and click: only this one of these, and stay`,
            onclick: (/** @type {MouseEvent} */ event) =>
              event.shiftKey ? this.actions.onlyBeside(id) : this.actions.toggleTopic(id),
          },
          this.keys.on && make("kbd", { "aria-hidden": "true" }, digitKey(keys.get(id) ?? 0)),
          make("span", { class: topicMark(this.store.state, id) }),
          bdi(name),
        );
      }),
      more > 0 &&
        make(
          "button",
          {
            type: "button",
            class: "digit digit-more",
            id: "more-topics",
            "aria-haspopup": "menu",
            "aria-expanded": "false",
            disabled: this.store.readOnly,
            title: "The other topics, with their keys",
            onclick: this.more,
          },
          this.keys.on && make("kbd", { "aria-hidden": "true" }, this.keys.hint("more-topics")),
          `${more} more`,
        ),
      !topics.length &&
        make(
          "span",
          { class: "muted" },
          this.view.split.topic
            ? "No part yet: make the first one of a page, or of what is selected."
            : "The first nine topics have the keys 1 to 9.",
        ),
    );
    if (had) [...this.digits.querySelectorAll(".digit")].find((one) => one.dataset.topic === had)?.focus();
  }
}

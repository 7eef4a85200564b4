// Below the pages: what can be done with the selected ones, or with the one under the cursor. Above: the digits' topics.

import { bdi, button, byId, figure, fill, make, setAttribute, setText } from "./elements.js";

/** What a digit with this name takes, in pixels, as far as it need be read. */
const roomFor = (name) => Math.min(170, 64 + 7.5 * name.length);

export class SelectionBar {
  /** @param {object} app */
  constructor(app) {
    this.app = app;
    this.root = byId("selection");
    this.digits = byId("digits");
    this.#build();
    new ResizeObserver(() => {
      this.#makeRoom();
      this.#fit();
    }).observe(byId("region-pages"));
  }

  #build() {
    const { app } = this;
    const { actions } = app;
    const tool = (name, words, action, run, more = {}) => {
      const made = button(words, run, { key: " ", ...more });
      made.dataset.action = action;
      this[name] = made;
      return made;
    };
    const select = (change) => () => {
      change();
      app.sayselection();
      app.list.focus();
    };
    this.number = make("span", { class: "selected", id: "selected" });
    this.all = make("button", {
      type: "button",
      class: "link-button",
      id: "select-all",
      title: "Select all pages of the list",
      onclick: select(() => app.view.select(app.view.pages)),
    });
    this.clear = make(
      "button",
      {
        type: "button",
        class: "link-button",
        id: "clear-selection",
        onclick: select(() => app.view.clearSelection()),
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
        tool("next", "Next", "unfinished", () => app.next(), { id: "do-next" }),
        tool("sheet", "Keys", "sheet", () => app.sheets.keys(), { id: "do-keys" }),
      ),
    );
  }

  render() {
    const { view, keys, store } = this.app;
    const { size } = view.selection;
    const page = store.pages.get(view.cursor);
    const words = size ? `${figure(size)} selected` : page ? `Page ${page.rank ?? page.id}` : "No page";
    setText(this.number, words);
    this.number.classList.toggle("many", size > 0);
    this.all.hidden = !size || size >= view.pages.length;
    setText(this.all, `All ${figure(view.pages.length)}`);
    this.clear.hidden = !size;
    const targets = view.targets();
    const hinted = targets.some((one) => store.state.hintedTopics(one).length);
    for (const made of this.root.querySelectorAll("[data-action]")) {
      const { action } = made.dataset;
      setText(made.querySelector("kbd"), keys.hint(action));
      const idle =
        action === "sheet"
          ? false
          : action === "unfinished"
            ? !page
            : store.readOnly || !targets.length || (action === "repeat" && !this.app.actions.last);
      setAttribute(made, "aria-disabled", idle ? "true" : null);
    }
    this.accept.hidden = this.reject.hidden = !hinted;
    this.next.hidden = size > 0;
    this.flag.hidden = this.repeat.hidden = hinted;
    setAttribute(
      this.repeat,
      "title",
      this.app.actions.last ? `Repeat: ${this.app.actions.last.words}` : "Repeat the last placing",
    );
    this.#fit();
    this.#renderDigits();
  }

  /** Where the tools do not fit, their keys give way: the button that tells all keys stays in sight. */
  #fit() {
    const tools = this.root.querySelector(".selection-tools");
    this.root.classList.remove("tight");
    this.root.classList.toggle("tight", tools.scrollWidth > tools.clientWidth);
  }

  /** One line or two: by the topics of the draft and the width alone, so that the list does not jump from page to page. */
  #makeRoom() {
    const { state } = this.app.store;
    const needed = (parent) =>
      state
        .childrenOf(parent)
        .slice(0, 9)
        .reduce(
          (sum, id) => sum + roomFor(state.topic(id).name),
          parent === null ? 0 : roomFor(state.topic(parent).name),
        );
    this.digits.classList.toggle(
      "two",
      [null, ...state.topics.keys()].some((parent) => needed(parent) > this.digits.clientWidth - 24),
    );
  }

  #renderDigits() {
    const { app } = this;
    const { state } = app.store;
    const { parent, keys, topics } = app.view.digits();
    const targets = app.view.targets();
    const signature = JSON.stringify([
      parent,
      parent && state.path(parent),
      topics.map((id) => [
        id,
        state.topic(id).name,
        app.actions.holds(id, targets),
        keys.get(id),
        app.tree.mark(id),
      ]),
      app.keys.on,
      app.store.readOnly,
    ]);
    if (signature === this.signature) return;
    this.signature = signature;
    this.digits.style.setProperty(
      "--columns",
      String(Math.max(4, Math.ceil((topics.length + (parent === null ? 0 : 1)) / 2))),
    );
    this.#makeRoom();
    const had = this.digits.contains(document.activeElement) ? document.activeElement.dataset.topic : null;
    fill(
      this.digits,
      parent !== null &&
        make("span", { class: "digits-parent" }, "In ", bdi(state.path(parent).join(" › ")), ":"),
      topics.map((id) => {
        const holds = app.actions.holds(id, targets);
        const { name } = state.topic(id);
        return make(
          "button",
          {
            type: "button",
            class: "digit",
            "aria-pressed": holds,
            disabled: app.store.readOnly,
            data: { topic: id },
            title: `${state.path(id).join(" › ")}\nShift and click: only this one on its level, and stay`,
            onclick: (event) =>
              event.shiftKey ? app.actions.only(id, undefined, { stay: true }) : app.actions.toggleTopic(id),
          },
          app.keys.on && make("kbd", { "aria-hidden": "true" }, String(keys.get(id))),
          make("span", { class: app.tree.mark(id) }),
          bdi(name),
        );
      }),
      !topics.length && make("span", { class: "muted" }, "The first nine topics get the keys 1 to 9."),
    );
    if (had) [...this.digits.querySelectorAll(".digit")].find((one) => one.dataset.topic === had)?.focus();
  }
}

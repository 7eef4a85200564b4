// The line above the list: the queue, how many pages it has, the search field, and whether placing moves on.

import { say } from "../common/announce.js";
import { byId, count, figure, setAttribute, setText } from "../common/elements.js";
import { isComposing } from "../common/keystrokes.js";
import { queueTitle } from "../drafts/queues.js";
import { openQueueMenu } from "./context-menus.js";

export class QueueHeader {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./selecting.js").Selecting} needs.selecting
   */
  constructor({ store, view, keys, go, selecting }) {
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.go = go;
    byId("move-on").addEventListener("click", () => this.toggleMoveOn());
    byId("queue").addEventListener("click", () => openQueueMenu({ view, keys, go }));
    byId("check-all").addEventListener("click", () => selecting.checkAll());
    const search = byId("page-search");
    search.addEventListener("input", () => view.find(search.value));
    search.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#searchKey(event, search));
  }

  render() {
    const { view } = this;
    setAttribute(byId("move-on"), "aria-pressed", String(view.movesOn));
    byId("move-on").hidden = this.store.readOnly;
    setText(byId("move-on").querySelector("kbd"), this.keys.hint("move-on"));
    const name =
      view.topic !== null
        ? `${view.queue === "split" ? "Split" : "In"} ${this.store.state.topic(view.topic)?.name ?? ""}`
        : queueTitle(view.queue);
    setText(byId("queue-name"), name);
    setText(byId("queue-count"), view.isNarrowed ? `${view.matching.size} found` : figure(view.matching.size));
    setText(byId("pages-title"), `${name}: ${count(view.matching.size, "page")}`);
    const rank = view.page?.rank;
    setText(byId("page-tab"), rank ? `Page ${rank}` : "Page");
    const all = view.selection.size > 0 && view.selection.size >= view.matching.size;
    setAttribute(byId("check-all"), "aria-checked", all ? "true" : view.selection.size ? "mixed" : "false");
    byId("check-all").dataset.checked = byId("check-all").getAttribute("aria-checked");
  }

  /** Let placing a page move on to the next one, or no longer. */
  toggleMoveOn() {
    const on = !this.view.movesOn;
    this.view.moveOn(on);
    say(on ? "Placing a page moves on to the next one." : "Placing a page no longer moves on.");
  }

  /** @param {KeyboardEvent} event @param {HTMLInputElement} search */
  #searchKey(event, search) {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      search.value = "";
      this.view.find("");
    } else if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    event.stopPropagation();
    this.go.focusList();
  }
}

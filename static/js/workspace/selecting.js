// Moving the cursor and selecting with keys and buttons, with announcements for screen readers.

import { announce, announceSelection, say } from "../common/announce.js";
import { byId, count } from "../common/elements.js";

export class Selecting {
  /**
   * @param {object} needs
   * @param {import("./view.js").View} needs.view
   * @param {import("./page-list.js").PageList} needs.list
   * @param {import("./reading.js").Reading} needs.reading
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./split-bar.js").SplitBar} needs.splitBar
   */
  constructor({ view, list, reading, go, splitBar }) {
    this.splitBar = splitBar;
    this.view = view;
    this.list = list;
    this.reading = reading;
    this.go = go;
  }

  checkAll() {
    if (this.view.selection.size) this.view.clearSelection();
    else this.view.select(this.list.inSight());
    this.#say();
  }

  /** The matching pages are not all known until the texts have been searched. @returns {unknown} */
  selectAll() {
    const { finder } = this.view;
    if (finder.reach === "waiting") return finder.settled().then(() => this.selectAll());
    const sight = this.list.inSight();
    const whole = sight.every((page) => this.view.selection.has(page));
    this.view.select(whole ? [...this.view.matching] : sight);
    if (whole || sight.length === this.view.matching.size) return this.#say();
    return announce(
      `${count(this.view.selection.size, "page")} in sight selected. Press again for all ${this.view.matching.size}.`,
    );
  }

  #say() {
    announceSelection(this.view.selection.size);
  }

  clear() {
    const { view } = this;
    if (byId("region-page").contains(document.activeElement)) return this.go.focus("pages");
    if (this.reading.isOpen) return this.reading.close();
    if (view.selection.size) {
      view.clearSelection();
      return this.#say();
    }
    if (view.search) return this.go.endSearch();
    if (view.split.topic) return this.splitBar.leave();
    if (view.isNarrowed) return this.go.widen();
    if (view.queue === "topic") return this.go.queue("all");
    return view.removeFinished();
  }

  /** @param {number} by */
  step(by) {
    this.view.move(by);
    this.#sayCursor();
  }

  #sayCursor() {
    // The list announces it itself while it has the focus.
    if (document.activeElement === byId("list")) return;
    const { page } = this.view;
    if (page) announce(page.title || page.id);
  }

  select() {
    if (this.view.cursor === null) return;
    this.view.toggle(this.view.cursor);
    this.#say();
  }

  selectGroup() {
    const group = this.view.row?.group;
    if (group === null || group === undefined) return say("The pages here are not in groups.");
    return this.view.selectGroup(group);
  }

  /** @param {number} by */
  extend(by) {
    if (!this.view.selection.size) this.view.anchorHere();
    this.view.move(by, { extend: true });
    this.#say();
  }
}

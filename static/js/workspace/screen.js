// When which part of the workspace is drawn. The parts themselves know how.

import { say } from "../common/announce.js";
import { byId } from "../common/elements.js";

/** @typedef {import("./view.js").Drawing} Drawing */

export class Screen {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./page-list.js").PageList} needs.list
   * @param {import("./tree.js").Tree} needs.tree
   * @param {import("./top-bar.js").TopBar} needs.topBar
   * @param {import("./queue-header.js").QueueHeader} needs.queueHeader
   * @param {{render: () => unknown}[]} needs.parts all parts that are drawn after each change, in this order
   * @param {import("./remote-changes.js").RemoteChanges} needs.remoteChanges
   */
  constructor({ store, view, go, list, tree, topBar, queueHeader, parts, remoteChanges }) {
    this.store = store;
    this.view = view;
    this.go = go;
    this.list = list;
    this.tree = tree;
    this.topBar = topBar;
    this.queueHeader = queueHeader;
    this.parts = parts;
    this.remoteChanges = remoteChanges;
    /** @type {Drawing|null} what to draw at the end of `drawOnce`; null outside of it */
    this.due = null;
    /** True while something is dragged: nothing may be redrawn below the pointer. */
    this.paused = false;
  }

  drawFirst() {
    this.list.render({ list: true, top: this.view.at === 0, cursor: true });
    this.#drawFrame();
    this.drawParts();
  }

  /** @param {Drawing} what */
  draw(what) {
    if (this.due) {
      Object.assign(this.due, ...Object.entries(what).map(([part, wanted]) => wanted && { [part]: wanted }));
      this.due.rest = true;
      return;
    }
    const focused = document.activeElement !== document.body;
    this.list.render(what);
    this.drawParts();
    if (what.frame) this.#drawFrame();
    if (focused && document.activeElement === document.body) this.go.focusAgain();
  }

  drawAll() {
    if (!this.paused) this.draw({ list: true, frame: true });
  }

  drawParts() {
    for (const part of this.parts) part.render();
  }

  /** Do something, and draw everything it changed once, at its end. @template Result @param {() => Result} act @returns {Result} */
  drawOnce(act) {
    if (this.due) return act();
    this.due = {};
    try {
      return act();
    } finally {
      const { due } = this;
      this.due = null;
      if (Object.keys(due).length) this.draw(due);
    }
  }

  /** The draft has changed. @param {string} by who changed it */
  drawChange(by) {
    if (this.paused) return;
    this.#catchUp();
    this.#sayRemoteChanges(by);
  }

  /** The site has made new predictions. */
  drawPredictions() {
    if (this.paused) return;
    this.view.refresh({ quiet: true });
    this.draw({ list: true });
  }

  /** Comments have changed: marks of open threads, and the queue of pages that have some. */
  drawComments() {
    if (this.paused) return;
    this.view.refresh({ quiet: true });
    this.list.render({ list: true });
    this.tree.render();
    this.queueHeader.render();
  }

  pause() {
    this.paused = true;
  }

  resume() {
    this.paused = false;
    // SortableJS puts its elements back only after this. Others may have changed the draft in the meantime.
    setTimeout(() => this.#catchUp(), 0);
  }

  #catchUp() {
    if (this.view.topic !== null && !this.store.state.topic(this.view.topic)) this.view.show("all");
    else this.view.refresh({ quiet: true });
    this.drawAll();
  }

  /** Say what others did. If there are no words for it, say at least who changed the draft. @param {string} by */
  #sayRemoteChanges(by) {
    const words = this.remoteChanges.takeSentences();
    if (words) say(words);
    else if (by && by !== this.store.me) say(`${by} changed the draft.`);
  }

  /** Draw what represents the draft as a whole. */
  #drawFrame() {
    byId("curate").classList.toggle("read-only", this.store.readOnly);
    this.topBar.render();
    this.topBar.renderPeople();
  }
}

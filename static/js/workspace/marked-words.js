// The words that are marked in the texts of a page: those that are searched for and, unless turned off, those that
// distinguish topics.

import { TopicTerms } from "./terms.js";

const STORED = "qc4-curate-unmarked";

export class MarkedWords {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {{text: string, function_words: string[]}} needs.query
   * @param {() => void} needs.onturn called when the words have changed
   */
  constructor({ store, view, query, onturn }) {
    this.view = view;
    this.onturn = onturn;
    this.terms = new TopicTerms(store, query, onturn, whenIdle);
    this.on = readOn();
  }

  /** @param {string} page @returns {(string|import("./marked-text.js").Term)[]} */
  of(page) {
    const searched = this.view.finder.terms.filter((term) => !term.minus).map((term) => term.words.join(" "));
    return [...searched, ...(this.on ? this.terms.for(page, this.view.digits().topics) : [])];
  }

  /** Mark the words of topics, or no longer. Words that are searched for are always marked. */
  toggle() {
    this.on = !this.on;
    try {
      if (this.on) window.localStorage.removeItem(STORED);
      else window.localStorage.setItem(STORED, "true");
    } catch {
      // Private windows may block storage: the choice then lasts as long as the page.
    }
    this.onturn();
  }
}

/** @param {() => void} read */
function whenIdle(read) {
  if (window.requestIdleCallback) window.requestIdleCallback(read);
  else setTimeout(read, 200);
}

function readOn() {
  try {
    return window.localStorage.getItem(STORED) === null;
  } catch {
    return true;
  }
}

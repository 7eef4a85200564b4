// Marks search hits in the rows and in the page panel as ranges of the existing text, so that no row has to be redrawn.
// Browsers without such highlights show none.

import { byId } from "../common/elements.js";
import { hitsIn } from "../words/search.js";

const NAME = "qc4-found";
const WHERE = ".p-row .title, .p-row .snip, #page-title, .p-snippet .snippet, .page-text";
const MOST = 2_000;

export class Highlighter {
  /** @param {import("./view.js").View} view */
  constructor(view) {
    this.view = view;
    this.known = typeof Highlight !== "undefined" && "highlights" in CSS;
    /** the page and search whose text has been scrolled to its first hit */
    this.shown = "";
    this.waiting = false;
    this.watching = false;
    this.watcher = new MutationObserver(() => this.#soon());
  }

  /** Update the marks after the search, or what is on the screen, has changed. */
  render() {
    if (!this.known) return;
    const wanted = this.view.finder.terms.some((term) => !term.minus);
    if (wanted !== this.watching) {
      this.watching = wanted;
      if (wanted) this.#watch();
      else this.watcher.disconnect();
    }
    if (wanted) this.#soon();
    else CSS.highlights.delete(NAME);
  }

  #watch() {
    for (const id of ["list", "panel"])
      this.watcher.observe(byId(id), { childList: true, subtree: true, characterData: true });
  }

  #soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.#mark();
    });
  }

  #mark() {
    if (!this.watching) return;
    const found = new Highlight();
    for (const element of byId("curate").querySelectorAll(WHERE)) {
      for (const range of this.#rangesIn(element)) if (found.size < MOST) found.add(range);
    }
    CSS.highlights.set(NAME, found);
    this.#reveal();
  }

  /** @param {Element} element */
  #rangesIn(element) {
    const { terms } = this.view.finder;
    /** @type {Range[]} */
    const ranges = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const [begin, end] of hitsIn(text.nodeValue ?? "", terms)) {
        const range = new Range();
        range.setStart(text, begin);
        range.setEnd(text, end);
        ranges.push(range);
      }
    }
    return ranges;
  }

  /** Once per page and search, scroll the text of the page to its first hit, unless that is in sight. */
  #reveal() {
    const box = document.querySelector(".page-text");
    const now = JSON.stringify([this.view.cursor, this.view.search]);
    if (!box || this.shown === now || !box.textContent) return;
    const [first] = this.#rangesIn(box);
    if (!first) return;
    this.shown = now;
    const down = first.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
    if (down > 0) box.scrollTop += down + box.clientHeight / 2;
  }
}

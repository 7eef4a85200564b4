// The pages of the queue. Only the rows in sight, and a few around them, are elements, so that a thousand pages stay
// fast.

import { announceSelection } from "../common/announce.js";
import { add, bdi, byId, fill, icon, make, setAttribute, targetOf } from "../common/elements.js";
import { topicMark } from "../drafts/marks.js";
import { predictionChip } from "./prediction-parts.js";
import { appearanceOf } from "./row-appearance.js";

const SPARE = 6;
const CHIPS = 4;
/** The words before the topic of a group. @type {Record<string, string>} */
const BEFORE = { suggested: "", probably: "Probably " };

export class PageList {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {() => boolean} needs.isDragging true while something is dragged
   * @param {(at: {x: number, y: number}) => void} needs.menu opens the menu of the pages
   * @param {(holder: HTMLElement) => void} needs.empty fills the place of the rows if there are none
   * @param {import("./unread.js").Unread} needs.unread
   */
  constructor({ store, view, actions, go, isDragging, menu, empty, unread }) {
    this.unread = unread;
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.go = go;
    this.isDragging = isDragging;
    this.menu = menu;
    this.renderEmpty = empty;
    this.root = byId("list");
    this.scroller = byId("list-scroller");
    /** @type {Map<string, HTMLElement>} key of a row -> its element */
    this.elements = new Map();
    /** The top of each row in pixels, and at last the end of the list. */
    this.tops = [0];
    /** @type {Map<import("./view.js").Row, number>} the numbers of rows of pages, from 1 */
    this.numbers = new Map();
    /** @type {{page: string|null, top: number}|null} the row of the cursor when it was last drawn */
    this.last = null;
    /** @type {WeakMap<HTMLElement, string>} what an element shows */
    this.signatures = new WeakMap();
    this.heights = this.#measured();
    /** How far the list is scrolled, and the height of its window, in pixels. */
    this.scrolled = this.scroller.scrollTop;
    this.height = this.scroller.clientHeight;

    this.#listen();
  }

  /** Heights of rows in pixels. */
  #measured() {
    const style = getComputedStyle(this.root);
    return {
      page: parseFloat(style.getPropertyValue("--row")),
      group: parseFloat(style.getPropertyValue("--group")),
    };
  }

  // Windowing

  /**
   * Draw what has changed: all rows (their positions, then those in sight; the row of the cursor stays in its place on
   * the screen), the cursor, which is scrolled into sight, or the content of single rows.
   * @param {{list?: boolean, top?: boolean, cursor?: boolean}} [what]
   */
  render({ list = false, top = false, cursor = false } = {}) {
    // Nothing has been changed yet, so reading this costs no layout. The list may have been scrolled since the last
    // event.
    this.scrolled = this.scroller.scrollTop;
    if (list) this.#place(top);
    if ((cursor || top) && this.height) this.#toCursor();
    this.paint();
    if (list) this.#renderEmpty();
  }

  /** @param {boolean} top */
  #place(top) {
    const before = this.#onScreen();
    this.tops = [0];
    for (const row of this.view.rows) this.tops.push(this.#end() + this.heights[row.kind]);
    this.numbers = new Map();
    for (const row of this.view.rows) if (row.kind === "page") this.numbers.set(row, this.numbers.size + 1);
    this.root.style.height = `${this.#end()}px`;
    this.root.hidden = !this.view.rows.length;
    if (top) this.#scrollTo(0);
    else if (before !== null) this.#hold(before);
    else this.#scrollTo(this.scrolled);
  }

  /**
   * Reading the scroll position forces a layout of everything that has changed, so it is read when the browser reports
   * it.
   */
  #scrollTo(/** @type {number} */ wanted) {
    const to = Math.max(0, Math.min(wanted, this.#end() - this.height));
    if (Math.abs(to - this.scrolled) < 1) return;
    this.scrolled = to;
    this.scroller.scrollTop = to;
  }

  #end() {
    return this.tops[this.tops.length - 1];
  }

  #onScreen() {
    return this.last && this.view.cursor === this.last.page ? this.last.top - this.scrolled : null;
  }

  /** @param {number} offset */
  #hold(offset) {
    const at = this.view.at;
    const stays = at === undefined || offset < 0 || offset > this.height;
    this.#scrollTo(stays ? this.scrolled : this.tops[at] - offset);
  }

  paint() {
    const from = Math.max(0, this.#at(this.scrolled) - SPARE);
    const to = Math.min(this.view.rows.length, this.#at(this.scrolled + this.height) + 1 + SPARE);
    const wanted = new Map();
    for (let number = from; number < to; number += 1) wanted.set(keyOf(this.view.rows[number]), number);
    for (const [key, element] of this.elements) {
      // Keep the dragged row, even if the list scrolls away below it.
      if (wanted.has(key) || (this.isDragging() && element.matches(".drag-chosen"))) continue;
      element.remove();
      this.elements.delete(key);
    }
    for (const [key, number] of wanted) this.#paintRow(key, number);
    this.#point();
  }

  /** The number of the row at this height. @param {number} height */
  #at(height) {
    let [low, high] = [0, this.tops.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return Math.min(low, Math.max(0, this.view.rows.length - 1));
  }

  /** @param {string} key @param {number} number */
  #paintRow(key, number) {
    const row = this.view.rows[number];
    let element = this.elements.get(key);
    if (!element) {
      element = make(
        "div",
        row.kind === "page"
          ? { class: "p-row", role: "option", id: `row-${number}` }
          : { class: "p-group", role: "presentation" },
      );
      this.elements.set(key, element);
      this.root.append(element);
    }
    // Do not use a transform: SortableJS removes it when a finger leaves the row, and the tap then hits the element
    // below.
    element.style.top = `${this.tops[number]}px`;
    if (row.kind === "page") this.#paintPage(element, row, number);
    else this.#paintGroup(element, row);
  }

  /**
   * Draw the row of a page. Screen readers read its rank, title, finest topics and anything unusual. Host, snippet and
   * suggestions are for the eye, and are also in the panel.
   * @param {HTMLElement} element
   * @param {import("./view.js").PageRow} row
   * @param {number} number
   */
  #paintPage(element, row, number) {
    const { view } = this;
    const page = this.store.pageOf(row.page);
    const atCursor = row.page === view.cursor && view.at === number;
    const done = row.finished;
    element.id = `row-${number}`;
    element.dataset.page = row.page;
    setAttribute(element, "aria-selected", String(view.selection.has(row.page)));
    setAttribute(element, "aria-setsize", this.numbers.size);
    setAttribute(element, "aria-posinset", this.numbers.get(row));
    element.classList.toggle("cursor", atCursor);
    element.classList.toggle("done", done);
    element.classList.toggle("unread", !this.unread.isRead(row.page));
    const look = appearanceOf(this.store, view, row.page);
    const excerpt = view.finder.excerptOf(row.page);
    const signature = JSON.stringify([look, done, excerpt]);
    if (this.signatures.get(element) === signature) return;
    this.signatures.set(element, signature);
    const chips = this.#chips(look);
    element.classList.toggle("crowded", chips.childElementCount > 1);
    fill(
      element,
      make("span", { class: "box" }),
      make("span", { class: "rank" }, page.rank === null || page.rank === undefined ? "–" : String(page.rank)),
      make(
        "span",
        { class: "what", title: [page.title, page.host, page.snippet].filter(Boolean).join("\n") },
        make(
          "span",
          { class: "title" },
          bdi(page.title || page.id),
          page.host && make("span", { class: "host", "aria-hidden": "true" }, bdi(page.host)),
        ),
        excerpt
          ? make(
              "span",
              { class: "snip in-text", "aria-hidden": "true" },
              make("span", { class: "where" }, "In its text: "),
              bdi(excerpt),
            )
          : make("span", { class: "snip", "aria-hidden": "true" }, bdi(page.snippet || "")),
      ),
      chips,
      make(
        "span",
        { class: "signs" },
        done ? marked("check", "Done") : look.seen && marked("check", "Placed or confirmed", "sign-seen"),
        look.flag && marked("flag", "Flagged"),
        look.note && marked("note", "Has a note"),
        look.comments > 0 && marked("comment", "Has open comments"),
        look.here.length > 0 &&
          make(
            "span",
            { class: "here", title: `${look.here.join(", ")} is looking at this page` },
            look.here[0].slice(0, 2),
          ),
      ),
    );
  }

  /** @param {import("./row-appearance.js").Appearance} look */
  #chips(look) {
    const chips = make("span", { class: "chips-line" });
    if (look.outlier)
      add(
        chips,
        make(
          "span",
          { class: "topic-chip outlier", data: { out: "1" } },
          icon("outlier"),
          "outlier",
          make("span", { class: "x", "aria-hidden": "true", title: "No outlier" }, icon("close")),
        ),
      );
    // Two lines of two chips. If there are more topics, the last chip says how many.
    const others = Number(look.outlier) + Number(look.lacks.length > 0);
    const hints = look.hints.slice(0, look.topics.length + others > 1 ? 1 : 2);
    const free = CHIPS - others - hints.length;
    const room = look.topics.length > free ? free - 1 : free;
    for (const [id, name, path, above] of look.topics.slice(0, room)) {
      add(
        chips,
        make(
          "span",
          { class: "topic-chip", title: path, data: { topic: id } },
          make("span", { class: topicMark(this.store.state, id) }),
          above && bdi(above, { class: "above" }),
          bdi(name),
          make("span", { class: "x", "aria-hidden": "true", title: `Take out of ${name}` }, icon("close")),
        ),
      );
    }
    if (look.lacks.length)
      add(
        chips,
        make(
          "span",
          { class: "topic-chip lacks", title: `In ${look.lacks.join(", ")}, but in none of its subtopics` },
          "no subtopic",
        ),
      );
    if (look.topics.length > room)
      add(
        chips,
        make(
          "span",
          {
            class: "topic-chip rest",
            title: look.topics
              .slice(room)
              .map((/** @type {import("./row-appearance.js").NamedTopic} */ one) => one[2])
              .join("\n"),
          },
          `+${look.topics.length - room}`,
        ),
      );
    for (const [id, name, path, above] of hints) {
      add(
        chips,
        make(
          "span",
          { class: "topic-chip hint", "aria-hidden": "true", title: `Suggested: ${path}`, data: { hint: id } },
          make("span", { class: "ask" }, "?"),
          above && bdi(above, { class: "above" }),
          bdi(name),
          make("span", { class: "yes", title: "Accept" }, icon("check")),
          make("span", { class: "x", title: "Reject" }, icon("close")),
        ),
      );
    }
    if (look.prediction) add(chips, predictionChip(look.prediction));
    chips.classList.toggle("many-chips", chips.childElementCount > 2);
    return chips;
  }

  /** @param {HTMLElement} element @param {import("./view.js").GroupRow} row */
  #paintGroup(element, row) {
    const { state } = this.store;
    const name =
      row.topic === null || !state.topic(row.topic)
        ? this.#groupWords(row)
        : `${BEFORE[this.view.queue] ?? "In "}${state.path(row.topic).join(" › ")}`;
    element.dataset.group = row.key;
    const signature = JSON.stringify([name, row.pages.length]);
    if (this.signatures.get(element) === signature) return;
    this.signatures.set(element, signature);
    fill(
      element,
      row.topic !== null && state.topic(row.topic) && make("span", { class: topicMark(this.store.state, row.topic) }),
      bdi(name),
      make("span", { class: "count" }, String(row.pages.length)),
    );
  }

  /** @param {import("./view.js").GroupRow} row */
  #groupWords(row) {
    if (row.name !== undefined) return row.name;
    return row.topic === null && /^(level-|teaching)/.test(this.view.queue) ? "In no topic at all" : "Others";
  }

  /** Tell screen readers where the cursor is. */
  #point() {
    const at = this.view.at;
    const row = at === undefined ? null : this.elements.get(keyOf(this.view.rows[at]));
    setAttribute(this.root, "aria-activedescendant", row?.id ?? null);
    this.last = at === undefined ? null : { page: this.view.cursor, top: this.tops[at] };
  }

  /** Scroll until the row of the cursor is in sight, and the row after it. */
  #toCursor() {
    const at = this.view.at;
    if (at === undefined) return;
    const [top, bottom] = [this.tops[at] - this.heights.page * 0.6, this.tops[at + 1] + this.heights.page];
    if (top < this.scrolled) this.#scrollTo(top);
    else if (bottom > this.scrolled + this.height) this.#scrollTo(bottom - this.height);
  }

  /** The pages that are completely in sight. @returns {string[]} */
  inSight() {
    const [from, to] = [this.scrolled - 1, this.scrolled + this.height + 1];
    return this.view.rows.flatMap((row, number) => {
      const inside = this.tops[number] >= from && this.tops[number + 1] <= to;
      return row.kind === "page" && inside && this.view.matching.has(row.page) ? [row.page] : [];
    });
  }

  /**
   * The pages whose rows overlap a part of the list, in pixels from its top.
   * @param {number} top
   * @param {number} bottom
   * @returns {string[]}
   */
  pagesBetween(top, bottom) {
    const found = [];
    for (let number = this.#at(top); number < this.view.rows.length && this.tops[number] < bottom; number += 1) {
      const row = this.view.rows[number];
      if (row.kind === "page" && this.tops[number + 1] > top) found.push(row.page);
    }
    return found;
  }

  get perScreen() {
    return Math.max(1, Math.floor(this.height / this.heights.page) - 1);
  }

  #renderEmpty() {
    const empty = byId("list-empty");
    empty.hidden = this.view.rows.length > 0;
    if (!empty.hidden) this.renderEmpty(empty);
  }

  focus() {
    if (this.root.hidden) (byId("list-empty").querySelector("button, a") ?? byId("queue")).focus();
    else this.root.focus({ preventScroll: true });
  }

  // Mouse

  #listen() {
    let waiting = false;
    this.scroller.addEventListener("scroll", () => {
      this.scrolled = this.scroller.scrollTop;
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.paint();
      });
    });
    new ResizeObserver(() => {
      const before = this.heights.page;
      this.heights = this.#measured();
      // While another region is in sight on a phone, the list has no height and cannot be scrolled.
      const wasAway = this.height === 0;
      this.height = this.scroller.clientHeight;
      this.scrolled = this.scroller.scrollTop;
      this.render({ list: before !== this.heights.page, cursor: wasAway && this.height > 0 });
    }).observe(this.scroller);
    this.root.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#click(event));
    this.root.addEventListener(
      "dblclick",
      (/** @type {MouseEvent} */ event) => targetOf(event).closest(".what") && this.go.focus("page"),
    );
    this.root.addEventListener("contextmenu", (/** @type {MouseEvent} */ event) => {
      const row = targetOf(event).closest(".p-row");
      if (!row) return;
      event.preventDefault();
      this.view.goTo(row.dataset.page, { group: this.#groupOf(row) });
      this.menu({ x: event.clientX, y: event.clientY });
    });
  }

  /** @param {HTMLElement} row @returns {string|null} */
  #groupOf(row) {
    const shown = this.view.rows[Number(row.id.slice("row-".length))];
    return shown?.kind === "page" ? shown.group : null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const heading = targetOf(event).closest(".p-group");
    if (heading) return this.view.selectGroup(heading.dataset.group);
    const row = targetOf(event).closest(".p-row");
    if (!row) return;
    const { page } = row.dataset;
    this.root.focus({ preventScroll: true });
    const chip = targetOf(event).closest(".topic-chip");
    if (chip && targetOf(event).closest(".x, .yes"))
      return this.#chipClick(page, chip.dataset, Boolean(targetOf(event).closest(".yes")));
    const group = this.#groupOf(row);
    if (event.shiftKey) return this.view.extendTo(page, group);
    if (targetOf(event).closest(".box") || event.ctrlKey || event.metaKey) {
      this.view.toggle(page);
      return announceSelection(this.view.selection.size);
    }
    this.view.goTo(page, { group });
    return this.go.showPageOnPhone();
  }

  /** @param {string} page @param {DOMStringMap} chip the data of the chip @param {boolean} yes */
  #chipClick(page, chip, yes) {
    const { actions } = this;
    if (chip.probably !== undefined) actions.answer(yes ? "accept" : "reject", [page]);
    else if (chip.out) actions.run([{ kind: "clear_outlier", pages: [page] }], [page]);
    else if (chip.topic) actions.run([{ kind: "unassign", pages: [page], topics: [chip.topic] }], [page]);
    else actions.run([{ kind: yes ? "accept" : "reject", hints: [[chip.hint, [page]]] }], [page]);
  }
}

/** @param {import("./view.js").Row} row */
function keyOf(row) {
  return row.kind === "group" ? `g ${row.key}` : `p ${row.group ?? ""} ${row.page}`;
}

/** @param {string} picture @param {string} words */
function marked(picture, words, kind = `sign-${picture}`) {
  return make(
    "span",
    { class: `sign ${kind}`, title: words, "aria-hidden": kind === "sign-seen" ? "true" : null },
    icon(picture),
    make("span", { class: "visually-hidden" }, words),
  );
}

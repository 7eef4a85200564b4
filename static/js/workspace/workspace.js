// The curation workspace: puts store, view and regions together, and gives every key its work.

import { alarm, announce, refuseChange, say, toast } from "../common/announce.js";
import { button, byId, count, figure, fill, make, setAttribute, setText } from "../common/elements.js";
import { isComposing, isTyping } from "../common/keystrokes.js";
import { issues } from "../drafts/issues.js";
import { queueTitle } from "../drafts/queues.js";
import { DraftStore } from "../drafts/store.js";
import { Actions } from "./actions.js";
import { Talk } from "./comments.js";
import { Conflicts } from "./conflicts.js";
import { dialogIsOpen, watchRevision } from "./dialogs.js";
import { DragDrop } from "./drag-drop.js";
import { renderNothing } from "./empty-state.js";
import { FilterBar } from "./filter-bar.js";
import { Guidelines } from "./guidelines.js";
import { workOfKeys } from "./key-handlers.js";
import { Keys, strokeOf } from "./keys.js";
import { fillLowScreens } from "./low-screen.js";
import { MarkedWords } from "./marked-words.js";
import { closeMenu, menuIsOpen } from "./menu.js";
import { openMoreTopics } from "./more-topics.js";
import { Navigation } from "./navigation.js";
import { PageList } from "./page-list.js";
import { openPageMenu, openQueueMenu } from "./page-menu.js";
import { PagePanel } from "./page-panel.js";
import { Panes } from "./panes.js";
import { Probably } from "./predictions.js";
import { Reading } from "./reading.js";
import { News } from "./remote-changes.js";
import { RubberBand } from "./rubber-band.js";
import { Highlighter } from "./search-highlights.js";
import { Selecting } from "./selecting.js";
import { SelectionBar } from "./selection-bar.js";
import { Sheets } from "./sheets.js";
import { Side } from "./side-panel.js";
import { Splitting } from "./split.js";
import { Structure } from "./structure.js";
import { TopBar } from "./top-bar.js";
import { Tree } from "./tree.js";
import { Unread } from "./unread.js";
import { readAddress, writeAddress } from "./url-state.js";
import { View } from "./view.js";
import { hasQueue } from "./visible-queues.js";

const ADDRESS_WAITS = 300;

/**
 * @typedef {{list?: boolean, top?: boolean, cursor?: boolean, selection?: boolean, frame?: boolean, rest?: boolean}} Drawing what has
 *   changed: the rows of the list (which then begins at its top), the cursor, the selection, what the draft is as a whole
 */

class Workspace {
  /** @param {import("../drafts/types.js").Workspace} workspace what the page says of its draft */
  constructor(workspace) {
    this.workspace = workspace;
    const store = new DraftStore({ workspace });
    const view = new View(store, workspace);
    const keys = new Keys();
    const go = new Navigation({ store, view });
    const actions = new Actions({ store, view, go, together: (act) => this.#together(act) });
    const probably = new Probably({ store, view, address: workspace.urls.predictions });
    view.probably = probably;
    view.splitting = new Splitting({ store, view, keys, actions, go, address: workspace.urls.groups });
    const redraw = () => this.refreshAll();
    watchRevision(() => store.revision);
    const conflicts = new Conflicts({ store, go });
    const sheets = new Sheets({ workspace, store, keys, actions, go, conflicts, issues: () => this.issues(), redraw });
    const tree = new Tree({
      store,
      view,
      actions,
      keys,
      go,
      topics: {
        rename: (id, name) => structure.renameTo(id, name),
        add: (name, parent, at) => structure.addTopic(name, parent, at),
        menu: (id, at, back) => structure.menu(id, at, back),
      },
      beginning: (holder) => this.#renderBeginning(holder),
    });
    const structure = new Structure({
      store,
      view,
      keys,
      actions,
      go,
      tree,
      redraw: () => this.#rest(),
      comment: (id) => this.talk.commentOnTopic(id),
    });
    const unread = new Unread(workspace.draft.id, workspace.me);
    const words = new MarkedWords({ store, view, query: workspace.query, onturn: () => this.#rest() });
    const list = new PageList({
      store,
      view,
      actions,
      go,
      unread,
      isDragging: () => this.busy,
      menu: (at) => openPageMenu(at, { store, view, keys, actions, panel, reading, talk: this.talk }),
      nothing: (holder) => renderNothing(holder, { view, go, issues: () => sheets.showIssues() }),
    });
    const panel = new PagePanel({
      store,
      view,
      keys,
      actions,
      go,
      address: workspace.urls.page,
      words,
      read: () => reading.open(),
      onopened: (page) => this.#opened(page),
      onknown: () => reading.render(),
    });
    const turn = { next: () => selecting.step(1), previous: () => selecting.step(-1), unread: () => go.nextUnread() };
    const reading = new Reading({ store, view, keys, go, panel, terms: (page) => words.of(page), turn });
    const selecting = new Selecting({ view, list, reading, go });
    const pages = { focus: () => (reading.isOpen ? reading.focus() : list.focus()) };
    go.attach({ tree, pages, panel, unread });
    this.side = new Side({ go });
    this.talk = new Talk({ workspace, store, view, keys, go, panel, side: this.side, redraw: () => this.#talked() });
    new Guidelines({ workspace, store, side: this.side });
    const issuesNow = () => this.issues();
    const onbanner = () => {
      panel.askAgain();
      view.finder.askAgain();
    };
    this.bar = new TopBar({ workspace, store, keys, actions, sheets, conflicts, go, issuesNow, onbanner });
    const more = () => (store.readOnly ? refuseChange() : openMoreTopics({ store, view, actions }));
    this.selection = new SelectionBar({ store, view, keys, actions, go, sheets, more, unread });
    this.filterbar = new FilterBar({ store, view, keys, go });
    this.highlighter = new Highlighter(view);
    this.rubberband = new RubberBand({ view, list, go });
    this.reading = reading;
    this.unread = unread;
    this.words = words;
    this.more = more;
    this.dragdrop = new DragDrop({
      store,
      view,
      actions,
      structure,
      onstart: () => this.#dragging(true),
      onend: () => this.#dragging(false),
    });
    this.panes = new Panes(byId("curate"));
    this.news = new News((page) => store.pages.get(page)?.title || page);
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.go = go;
    this.actions = actions;
    this.selecting = selecting;
    this.sheets = sheets;
    this.tree = tree;
    this.structure = structure;
    this.list = list;
    this.panel = panel;
    /** What is to be drawn at the end of an act that tells of several changes; null: each is drawn when it is told. */
    /** @type {Drawing|null} */
    this.due = null;
    /** While something is dragged nothing is drawn anew below the pointer. */
    this.busy = false;
    /** @type {import("../drafts/issues.js").Issue[]|null} until the draft changes */
    this.found = null;
    this.handlers = workOfKeys({
      ...{ store, view, actions, structure, selecting, go, tree, list, panel, reading, sheets, more },
      ...{ panes: this.panes, filterbar: this.filterbar, side: this.side, talk: this.talk },
      moveOn: (on) => this.#moveOn(on),
      markWords: () => this.#markWords(),
      comment: () => this.#comment(),
    });
    this.keys.onpending = (stroke) => {
      this.#showChord(stroke);
    };
  }

  start() {
    this.#takeMessages();
    // Before anybody listens: all is drawn once.
    this.#openAddress();
    this.#listen();
    this.list.render({ list: true, top: this.view.at === 0, cursor: true });
    this.#renderFrame();
    this.#rest();
    this.#keepAddress();
    if (this.store.state.topics.size || this.store.readOnly) this.list.focus();
    else this.tree.focus();
    this.store.start();
    this.view.probably?.start();
    this.store.setPresence(this.view.cursor);
    fillLowScreens(byId("curate"));
    byId("curate").dataset.ready = "true";
    if (readAddress().sheet === "issues") this.sheets.showIssues();
  }

  /** What the site says on arriving becomes a notice, which can be closed and goes by itself. */
  #takeMessages() {
    for (const message of document.querySelectorAll("#content > .notice")) {
      const bad = message.matches(".error, .warning, .warn");
      toast(message.textContent.trim(), { kind: bad ? "bad" : "plain", stays: bad });
      message.remove();
    }
  }

  /** A first key (`g`) was pressed: which second ones there are. @param {string} stroke */
  #showChord(stroke) {
    document.getElementById("chord")?.remove();
    if (!stroke) return;
    const following = this.keys.following(stroke);
    const lines = following.map(({ key, words }) => make("span", {}, make("kbd", {}, key), words));
    byId("curate").append(
      make(
        "div",
        { class: "chord", id: "chord", "aria-hidden": "true" },
        make("p", {}, make("kbd", {}, stroke), "then one of these; Esc for none"),
        lines,
      ),
    );
    announce(`${stroke}, then ${following.map((one) => one.key).join(", ")}.`);
  }

  #openAddress() {
    const { queue, topic, search, filters, page } = readAddress();
    const known = topic !== null && this.store.state.topic(topic) !== undefined;
    if (known && queue === "split" && !this.store.readOnly) return this.view.splitting?.start(topic, { page });
    const first = this.store.state.unplaced(1).length ? "level-1" : "all";
    const wanted = hasQueue(this.view, queue) ? queue : first;
    byId("page-search").value = search;
    this.view.show(known ? "topic" : wanted, { topic: known ? topic : null, search, filters, page });
  }

  // Drawing

  #listen() {
    this.store.addEventListener("change", (/** @type {any} */ event) => this.#changed(detailOf(event)));
    this.store.addEventListener("save", () => this.bar.renderSave());
    this.store.addEventListener("undo", () => this.bar.render());
    this.store.addEventListener("people", () => {
      this.bar.renderPeople();
      this.list.paint();
    });
    this.store.addEventListener("conflict", () => this.bar.renderSave());
    this.store.addEventListener("answered", (/** @type {any} */ event) => this.actions.answered(detailOf(event)));
    this.store.addEventListener("news", (/** @type {any} */ event) => {
      const { entry, state } = detailOf(event);
      this.news.hear(entry, state);
    });
    this.view.probably?.addEventListener("found", () => this.#predicted());
    this.view.addEventListener("view", (/** @type {any} */ event) => this.#viewed(detailOf(event)));
    document.addEventListener("keydown", (/** @type {any} */ event) => this.#key(event));
    byId("curate").addEventListener("focuslost", () => this.go.focusAgain());
    document.addEventListener("focusin", (event) => event.target instanceof Element && this.go.hear(event.target));
    document.addEventListener("focusout", (event) => !event.relatedTarget && this.go.hear(document.body));
    byId("move-on").addEventListener("click", () => this.#moveOn(!this.view.movesOn));
    byId("queue").addEventListener("click", () => openQueueMenu(this));
    byId("check-all").addEventListener("click", () => this.selecting.checkAll());
    window.addEventListener("storage", (/** @type {any} */ event) => this.view.digitKeys.hear(event) && this.#rest());
    window.addEventListener("storage", (event) => this.unread.hear(event) && this.refreshAll());
    const search = byId("page-search");
    search.addEventListener("input", () => this.view.find(search.value));
    search.addEventListener("keydown", (/** @type {any} */ event) => this.#searchKey(event, search));
    for (const tab of byId("region-tabs").children) tab.addEventListener("click", () => this.go.focus(tab.dataset.go));
  }

  /** @param {any} event @param {any} search */
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

  /**
   * The draft has changed, by us or by others.
   * @param {{pages: Set<string>|null, by: string}} detail
   */
  #changed({ pages, by }) {
    this.found = null;
    this.panel.forget(pages);
    if (this.busy) return;
    this.#catchUp();
    this.#tellNews(by);
  }

  /** What others did; their names alone where it is own work that looks different by it. @param {string} by */
  #tellNews(by) {
    const words = this.news.tell();
    if (words) say(words);
    else if (by && by !== this.store.me) say(`${by} changed the draft.`);
  }

  /** What is probable is another. */
  #predicted() {
    if (this.busy) return;
    this.view.refresh({ quiet: true });
    this.#draw({ list: true });
  }

  /** @param {boolean} busy */
  #dragging(busy) {
    this.busy = busy;
    // SortableJS is done with its elements only after this; others may have changed the draft meanwhile.
    if (!busy) setTimeout(() => this.#catchUp(), 0);
  }

  /** Shows what the draft has become. */
  #catchUp() {
    if (this.view.topic !== null && !this.store.state.topic(this.view.topic)) this.view.show("all");
    else this.view.refresh({ quiet: true });
    this.refreshAll();
  }

  /** @param {any} detail */
  #viewed(detail) {
    this.#draw(detail);
    if (detail.cursor) this.store.setPresence(this.view.cursor);
    this.#keepAddress();
  }

  /** Draws what changes in it once, at its end. @template Result @param {() => Result} act @returns {Result} */
  #together(act) {
    if (this.due) return act();
    this.due = {};
    try {
      return act();
    } finally {
      const { due } = this;
      this.due = null;
      if (Object.keys(due).length) this.#draw(due);
    }
  }

  /** @param {Drawing} what */
  #draw(what) {
    if (this.due) {
      Object.assign(this.due, ...Object.entries(what).map(([part, wanted]) => wanted && { [part]: wanted }));
      this.due.rest = true;
      return;
    }
    const focused = document.activeElement !== document.body;
    this.list.render(what);
    this.#rest();
    if (what.frame) this.#renderFrame();
    if (focused && document.activeElement === document.body) this.go.focusAgain();
  }

  #keepAddress() {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => writeAddress(this.view), ADDRESS_WAITS);
  }

  refreshAll() {
    if (this.busy) return;
    this.#draw({ list: true, frame: true });
  }

  /** What the draft is, as a whole. */
  #renderFrame() {
    byId("curate").classList.toggle("read-only", this.store.readOnly);
    this.bar.render();
    this.bar.renderPeople();
  }

  #rest() {
    this.tree.render();
    this.panel.render();
    this.reading.render();
    this.talk.render();
    this.selection.render();
    this.filterbar.render();
    this.highlighter.render();
    this.view.splitting?.render();
    this.#renderQueue();
  }

  /** Something was said: marks of open threads, and the queue of pages that have some. */
  #talked() {
    if (this.busy) return;
    this.view.refresh({ quiet: true });
    this.list.render({ list: true });
    this.tree.render();
    this.#renderQueue();
  }

  /** Comment on the topic that has the focus, else on the page. */
  #comment() {
    const { active } = this.tree;
    if (byId("region-topics").contains(document.activeElement) && active !== null) this.talk.commentOnTopic(active);
    else this.talk.commentOnPage();
  }

  /** @param {boolean} on */
  #moveOn(on) {
    this.view.moveOn(on);
    say(on ? "Placing a page moves on to the next one." : "Placing a page stays at it.");
  }

  /** A page has been read: its row says so. @param {string} page */
  #opened(page) {
    if (!this.unread.read(page)) return;
    this.list.paint();
    this.selection.render();
  }

  #markWords() {
    this.words.turn(!this.words.on);
    say(this.words.on ? "Words that set topics apart are marked in texts." : "Words of topics are not marked.");
  }

  #renderQueue() {
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

  issues() {
    this.found ??= issues(this.store.state);
    return this.found;
  }

  // Beginning

  /** @param {any} holder */
  #renderBeginning(holder) {
    const { urls } = this.workspace;
    const off = this.store.readOnly;
    fill(
      holder,
      make("p", {}, make("strong", {}, "No topics yet")),
      make(
        "p",
        {},
        "Add the first one, put pages into it with its digit, and refine it later: topics can be split, merged and moved at any time.",
      ),
      !off &&
        button("Add a topic", () => this.tree.add(null, 0), {
          kind: "btn btn-primary",
          key: this.keys.hint("add-sibling"),
        }),
      !off &&
        button("Type one for the page", () => this.actions.pick(), {
          kind: "btn btn-quiet",
          key: this.keys.hint("picker"),
        }),
      !off &&
        urls.suggestions &&
        button("Start from suggestions", () => this.sheets.suggest(), { kind: "btn btn-quiet" }),
    );
  }

  // Keys

  /** @param {any} event */
  #where(event) {
    if (byId("region-topics").contains(event.target)) return "tree";
    if (byId("list").contains(event.target)) return "list";
    if (byId("region-page").contains(event.target)) return "page";
    if (this.panes.paneOf(event.target)) return "edge";
    return "elsewhere";
  }

  /** @param {any} event */
  #key(event) {
    if (event.defaultPrevented || isTyping(event) || dialogIsOpen() || menuIsOpen()) return;
    const stroke = strokeOf(event);
    if (stroke === null) return;
    const found = this.keys.find(stroke, this.#where(event));
    if (!found) return;
    // Enter and Space on a button press the button.
    if (["Enter", "Space"].includes(stroke) && event.target.closest("button, a, summary")) return;
    event.preventDefault();
    if (found.action) this.handlers[found.action.id]?.(event);
  }
}

/** @param {Event} event */
function detailOf(event) {
  return event instanceof CustomEvent ? event.detail : {};
}

function begin() {
  const holder = document.getElementById("workspace");
  if (!holder) return;
  try {
    const app = new Workspace(JSON.parse(holder.textContent));
    app.start();
  } catch (error) {
    alarm("The workspace could not be started. Reload the page; nothing is lost.");
    const banner = byId("banner");
    banner.hidden = false;
    banner.textContent = "The workspace could not be started. Reload the page; nothing is lost.";
    throw error;
  }
}

window.addEventListener("pagehide", () => closeMenu(false));
begin();

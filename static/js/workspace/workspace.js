// The curation workspace. This is the one place that knows all parts: it makes them, gives each what it needs, and
// connects events with their effects.

import { alarm, refuseChange, toast } from "../common/announce.js";
import { byId, onDetail } from "../common/elements.js";
import { issues } from "../drafts/issues.js";
import { DraftStore } from "../drafts/store.js";
import { Actions } from "./actions.js";
import { Comments } from "./comments.js";
import { Conflicts } from "./conflicts.js";
import { openMoreTopics, openPageMenu } from "./context-menus.js";
import { useRevision } from "./dialogs.js";
import { DragDrop } from "./drag-drop.js";
import { renderEmptyState, renderNoTopics } from "./empty-state.js";
import { FilterBar } from "./filter-bar.js";
import { Guidelines } from "./guidelines.js";
import { keyHandlers } from "./key-handlers.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { MarkedWords } from "./marked-words.js";
import { closeMenu } from "./menu.js";
import { Navigation } from "./navigation.js";
import { PageList } from "./page-list.js";
import { PagePanel } from "./page-panel.js";
import { fillLowScreens, Panes } from "./panes.js";
import { Predictions } from "./predictions.js";
import { QueueHeader } from "./queue-header.js";
import { Reading } from "./reading.js";
import { RemoteChanges } from "./remote-changes.js";
import { RubberBand } from "./rubber-band.js";
import { Screen } from "./screen.js";
import { Highlighter } from "./search-highlights.js";
import { Selecting } from "./selecting.js";
import { SelectionBar } from "./selection-bar.js";
import { Sheets } from "./sheets.js";
import { SidePanel } from "./side-panel.js";
import { SplitBar } from "./split-bar.js";
import { Structure } from "./structure.js";
import { TopBar } from "./top-bar.js";
import { Tree } from "./tree.js";
import { Unread } from "./unread.js";
import { readAddress, writeAddress } from "./url-state.js";
import { View } from "./view.js";
import { hasQueue } from "./visible-queues.js";

const ADDRESS_DELAY = 300;

class Workspace {
  /** @param {import("../drafts/types.js").Workspace} workspace the JSON of the draft */
  constructor(workspace) {
    const { urls } = workspace;

    // The draft, and the view of one person.
    const store = new DraftStore({ workspace });
    const predictions = new Predictions({ store, cursor: () => view.cursor, address: urls.predictions });
    const view = new View({ store, workspace, predictions });
    const unread = new Unread(workspace.draft.id, workspace.me);
    const remoteChanges = new RemoteChanges((page) => store.pages.get(page)?.title || page);
    const currentIssues = issuesUntilChange(store);
    useRevision(() => store.revision);

    // Actions of the person. Parts that are made further down are called only once all of them exist.
    const keys = new Keys();
    const go = new Navigation({ store, view });
    const actions = new Actions({
      store,
      view,
      go,
      newPart: () => splitBar.newPart(),
      together: (act) => screen.drawOnce(act),
    });
    const redraw = () => screen.drawAll();
    const conflicts = new Conflicts({ store, go });
    const sheets = new Sheets({ workspace, store, keys, actions, go, conflicts, issues: currentIssues, redraw });
    const splitBar = new SplitBar({ store, view, keys, actions, go, address: urls.groups });

    // The three regions.
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
      beginning: (holder) => renderNoTopics(holder, { store, keys, tree, actions, sheets, urls }),
    });
    const structure = new Structure({
      store,
      view,
      keys,
      actions,
      go,
      tree,
      splitBar,
      redraw: () => screen.drawParts(),
      comment: (id) => comments.commentOnTopic(id),
    });
    const words = new MarkedWords({ store, view, query: workspace.query, onturn: () => screen.drawParts() });
    const list = new PageList({
      store,
      view,
      actions,
      go,
      unread,
      isDragging: () => screen.paused,
      menu: (at) => openPageMenu(at, { store, view, keys, actions, panel, reading, comments }),
      empty: (holder) => renderEmptyState(holder, { view, go, splitBar, issues: () => sheets.showIssues() }),
    });
    const panel = new PagePanel({
      store,
      view,
      keys,
      actions,
      go,
      address: urls.page,
      words,
      read: () => reading.open(),
      onopened: (page) => {
        if (!unread.read(page)) return;
        list.paint();
        selectionBar.render();
      },
      onknown: () => reading.render(),
    });
    const turn = { next: () => selecting.step(1), previous: () => selecting.step(-1), unread: () => go.nextUnread() };
    const reading = new Reading({ store, view, keys, go, panel, terms: (page) => words.of(page), turn });
    const selecting = new Selecting({ view, list, reading, go, splitBar });
    go.attach({
      tree,
      pages: { focus: () => (reading.isOpen ? reading.focus() : list.focus()) },
      panel,
      unread,
    });

    // Parts beside, above and over the regions.
    const side = new SidePanel({ go });
    const comments = new Comments({
      workspace,
      store,
      view,
      keys,
      go,
      panel,
      side,
      redraw: () => screen.drawComments(),
    });
    new Guidelines({ workspace, store, side });
    const topBar = new TopBar({
      workspace,
      store,
      keys,
      actions,
      sheets,
      conflicts,
      go,
      issuesNow: currentIssues,
      onbanner: () => {
        panel.askAgain();
        view.finder.askAgain();
      },
    });
    const more = () => (store.readOnly ? refuseChange() : openMoreTopics({ store, view, actions }));
    const selectionBar = new SelectionBar({ store, view, keys, actions, go, sheets, more, unread });
    const filterBar = new FilterBar({ store, view, keys, go });
    const queueHeader = new QueueHeader({ store, view, keys, go, selecting });
    const highlighter = new Highlighter(view);
    const panes = new Panes(byId("curate"));

    const screen = new Screen({
      store,
      view,
      go,
      list,
      topBar,
      queueHeader,
      tree,
      parts: [tree, panel, reading, comments, selectionBar, filterBar, highlighter, splitBar, queueHeader],
      remoteChanges,
    });
    new RubberBand({ view, list, go });
    new DragDrop({
      store,
      view,
      actions,
      structure,
      onstart: () => screen.pause(),
      onend: () => screen.resume(),
    });
    const handlers = keyHandlers({
      ...{ store, view, actions, structure, selecting, go, tree, list, panel, reading, sheets, more },
      ...{ panes, filterBar, splitBar, side, comments, queueHeader, words },
    });
    this.keyboard = new Keyboard({ keys, handlers, panes });

    this.store = store;
    this.view = view;
    this.predictions = predictions;
    this.unread = unread;
    this.remoteChanges = remoteChanges;
    this.actions = actions;
    this.go = go;
    this.sheets = sheets;
    this.splitBar = splitBar;
    this.tree = tree;
    this.list = list;
    this.panel = panel;
    this.topBar = topBar;
    this.screen = screen;
  }

  start() {
    showMessages();
    // Nobody listens yet, so everything is drawn only once.
    this.#openAddress();
    this.#listen();
    this.screen.drawFirst();
    this.#keepAddress();
    if (this.store.state.topics.size || this.store.readOnly) this.list.focus();
    else this.tree.focus();
    this.store.start();
    this.predictions.start();
    this.store.setPresence(this.view.cursor);
    fillLowScreens(byId("curate"));
    byId("curate").dataset.ready = "true";
    if (readAddress().sheet === "issues") this.sheets.showIssues();
  }

  #openAddress() {
    const { queue, topic, search, filters, page } = readAddress();
    const known = topic !== null && this.store.state.topic(topic) !== undefined;
    if (known && queue === "split" && !this.store.readOnly) return this.splitBar.start(topic, { page });
    const first = this.store.state.unplaced(1).length ? "level-1" : "all";
    const wanted = hasQueue(this.view, queue) ? queue : first;
    byId("page-search").value = search;
    return this.view.show(known ? "topic" : wanted, { topic: known ? topic : null, search, filters, page });
  }

  #listen() {
    const { store, view, screen, topBar, actions, go } = this;
    onDetail(store, "change", ({ pages, by }) => {
      this.panel.forget(pages);
      screen.drawChange(by);
    });
    store.addEventListener("save", () => topBar.renderSave());
    store.addEventListener("conflict", () => topBar.renderSave());
    store.addEventListener("undo", () => topBar.render());
    store.addEventListener("people", () => {
      topBar.renderPeople();
      this.list.paint();
    });
    onDetail(store, "answered", (answer) => actions.answered(answer));
    onDetail(store, "remote", ({ entry, state }) => this.remoteChanges.add(entry, state));
    this.predictions.addEventListener("found", () => screen.drawPredictions());
    onDetail(view, "view", (detail) => {
      screen.draw(detail);
      if (detail.cursor) store.setPresence(view.cursor);
      this.#keepAddress();
    });
    this.keyboard.listen();
    byId("curate").addEventListener("focuslost", () => go.focusAgain());
    document.addEventListener("focusin", (event) => event.target instanceof Element && go.focusMoved(event.target));
    document.addEventListener("focusout", (event) => !event.relatedTarget && go.focusMoved(document.body));
    window.addEventListener("storage", (event) => view.digitKeys.changedElsewhere(event) && screen.drawParts());
    window.addEventListener("storage", (event) => this.unread.changedElsewhere(event) && screen.drawAll());
    for (const tab of byId("region-tabs").children) tab.addEventListener("click", () => go.focus(tab.dataset.go));
  }

  #keepAddress() {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => writeAddress(this.view), ADDRESS_DELAY);
  }
}

/** Return a function for the issues of the draft, which finds them once after each change. @param {DraftStore} store */
function issuesUntilChange(store) {
  /** @type {import("../drafts/issues.js").Issue[]|null} */
  let found = null;
  store.addEventListener("change", () => {
    found = null;
  });
  return () => {
    found ??= issues(store.state);
    return found;
  };
}

/** Turn the site's messages into notices, which can be closed and disappear by themselves. */
function showMessages() {
  for (const message of document.querySelectorAll("#content > .notice")) {
    const bad = message.matches(".error, .warning, .warn");
    toast(message.textContent.trim(), { kind: bad ? "bad" : "plain", stays: bad });
    message.remove();
  }
}

function begin() {
  const holder = document.getElementById("workspace");
  if (!holder) return;
  try {
    new Workspace(JSON.parse(holder.textContent)).start();
  } catch (error) {
    const words = "The workspace could not be started. Reload the page; nothing is lost.";
    alarm(words);
    const banner = byId("banner");
    banner.hidden = false;
    banner.textContent = words;
    throw error;
  }
}

window.addEventListener("pagehide", () => closeMenu(false));
begin();

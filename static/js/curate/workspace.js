// The curation workspace: puts store, view and regions together, and gives every key its work.

import { Actions } from "./actions.js";
import { alarm, announce, say, toast } from "./announce.js";
import { dialogIsOpen } from "./dialogs.js";
import { DragDrop } from "./dragdrop.js";
import { bdi, button, byId, count, figure, fill, icon, make, setAttribute, setText } from "./elements.js";
import { impact } from "./impact.js";
import { issues } from "./issues.js";
import { isTyping, Keys, strokeOf } from "./keys.js";
import { closeMenu, menuIsOpen, openMenu } from "./menu.js";
import { PageList } from "./pagelist.js";
import { PagePanel } from "./pagepanel.js";
import { finestTopics, isSeen, missingLevels, withoutSubtopic } from "./places.js";
import { queueTitle } from "./queues.js";
import { queuesNow } from "./queues-shown.js";
import { SelectionBar } from "./selectionbar.js";
import { Sheets } from "./sheets.js";
import { DraftStore } from "./store.js";
import { Structure } from "./structure.js";
import { TopBar } from "./topbar.js";
import { Tree } from "./tree.js";
import { readAddress, writeAddress } from "./urlstate.js";
import { View } from "./view.js";

const REGIONS = ["topics", "pages", "page"];
const ADDRESS_WAITS = 300;

class Workspace {
  constructor(workspace) {
    this.workspace = workspace;
    this.fetch = (...given) => window.fetch(...given);
    this.store = new DraftStore({ workspace, fetch: this.fetch });
    this.keys = new Keys();
    this.view = new View(this.store, workspace);
    this.actions = new Actions(this);
    this.structure = new Structure(this);
    this.sheets = new Sheets(this);
    this.tree = new Tree(this);
    this.list = new PageList(this);
    this.panel = new PagePanel(this);
    this.bar = new TopBar(this);
    this.selection = new SelectionBar(this);
    this.dragdrop = new DragDrop(this);
    /** While something is dragged nothing is drawn anew below the pointer. */
    this.busy = false;
    this.region = "pages";
    this.handlers = this.#handlers();
    this.keys.onpending = (stroke) => this.#showChord(stroke);
  }

  start() {
    this.#takeMessages();
    this.#listen();
    this.#openAddress();
    this.refreshAll();
    this.list.render({ top: this.view.places.get(this.view.cursor) === 0 });
    this.list.reveal();
    if (this.store.state.topics.size || this.store.readOnly) this.list.focus();
    else this.tree.focus();
    this.store.start();
    this.store.setPresence(this.view.cursor);
    byId("curate").dataset.ready = "true";
  }

  /** What the site says on arriving becomes a notice, which can be closed and goes by itself. */
  #takeMessages() {
    for (const message of document.querySelectorAll("#content > .notice")) {
      const bad = message.matches(".error, .warning, .warn");
      toast(message.textContent.trim(), { kind: bad ? "bad" : "plain", stays: bad });
      message.remove();
    }
  }

  /** A first key (`g`) was pressed: which second ones there are. */
  #showChord(stroke) {
    byId("chord")?.remove();
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
    const { queue, topic, search, page } = readAddress();
    const known = topic !== null && this.store.state.topic(topic) !== undefined;
    const first = this.store.state.unplaced(1).length ? "level-1" : "all";
    const wanted = queuesNow(this.view).some((one) => one.key === queue) ? queue : first;
    byId("page-search").value = search;
    this.view.show(known ? "topic" : wanted, { topic: known ? topic : null, search, page });
  }

  // Drawing

  #listen() {
    this.store.addEventListener("change", ({ detail }) => this.#changed(detail));
    this.store.addEventListener("save", () => this.bar.renderSave());
    this.store.addEventListener("undo", () => this.bar.render());
    this.store.addEventListener("people", () => {
      this.bar.renderPeople();
      this.list.paint();
    });
    this.store.addEventListener("conflict", () => {
      this.bar.renderSave();
      const latest = this.store.conflicts.at(-1);
      if (latest)
        toast(`“${latest.label}” could not be done. ${latest.reason}`, {
          kind: "bad",
          action: "Look",
          onaction: () => this.sheets.showSave(),
        });
    });
    this.view.addEventListener("view", ({ detail }) => this.#viewed(detail));
    document.addEventListener("keydown", (event) => this.#key(event));
    byId("curate").addEventListener("focuslost", () => this.focusRegion(this.region));
    document.addEventListener("focusin", (event) => this.#focused(event));
    byId("move-on").addEventListener("click", () => this.moveOn(!this.view.movesOn));
    byId("queue").addEventListener("click", () => this.queueMenu());
    byId("check-all").addEventListener("click", () => this.#checkAll());
    window.addEventListener("storage", (event) => this.view.digitKeys.hear(event) && this.redraw());
    const search = byId("page-search");
    search.addEventListener("input", () => this.view.find(search.value));
    search.addEventListener("keydown", (event) => this.#searchKey(event, search));
    for (const tab of byId("region-tabs").children)
      tab.addEventListener("click", () => this.focusRegion(tab.dataset.go));
  }

  #searchKey(event, search) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      search.value = "";
      this.view.find("");
    } else if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    event.stopPropagation();
    this.list.focus();
  }

  /** The draft has changed, by us or by others. */
  #changed({ pages, by }) {
    this.found = null;
    this.panel.forget(pages);
    if (this.busy) return;
    const focused = document.activeElement !== document.body;
    this.catchUp();
    if (focused && document.activeElement === document.body) this.focusRegion(this.region);
    if (by && by !== this.store.me) say(`${by} changed the draft.`);
  }

  /** Shows what the draft has become. */
  catchUp() {
    if (this.view.topic !== null && !this.store.state.topic(this.view.topic)) this.view.show("all");
    else this.view.refresh({ quiet: true });
    this.refreshAll();
  }

  #viewed(detail) {
    if (detail.list) this.list.render(detail);
    else if (detail.cursor) this.list.reveal();
    else this.list.paint();
    if (!detail.list) this.list.paint();
    this.#rest();
    if (detail.cursor) this.store.setPresence(this.view.cursor);
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => writeAddress(this.view), ADDRESS_WAITS);
  }

  /** The same draft, shown anew. */
  redraw() {
    this.#rest();
  }

  refreshAll() {
    if (this.busy) return;
    byId("curate").classList.toggle("read-only", this.store.readOnly);
    this.list.render();
    this.#rest();
    this.bar.render();
    this.bar.renderPeople();
  }

  #rest() {
    this.tree.render();
    this.panel.render();
    this.selection.render();
    this.#renderQueue();
  }

  moveOn(on) {
    this.view.moveOn(on);
    say(on ? "Placing a page moves on to the next one." : "Placing a page stays at it.");
  }

  #renderQueue() {
    const { view } = this;
    setAttribute(byId("move-on"), "aria-pressed", String(view.movesOn));
    byId("move-on").hidden = this.store.readOnly;
    setText(byId("move-on").querySelector("kbd"), this.keys.hint("move-on"));
    const name =
      view.queue === "topic"
        ? `In ${this.store.state.topic(view.topic)?.name ?? ""}`
        : queueTitle(view.queue);
    setText(byId("queue-name"), name);
    setText(byId("queue-count"), view.search ? `${view.matching.size} found` : figure(view.matching.size));
    setText(byId("pages-title"), `${name}: ${count(view.matching.size, "page")}`);
    const { rank } = this.store.pages.get(view.cursor) ?? {};
    setText(byId("page-tab"), rank ? `Page ${rank}` : "Page");
    const all = view.selection.size > 0 && view.selection.size >= view.matching.size;
    setAttribute(byId("check-all"), "aria-checked", all ? "true" : view.selection.size ? "mixed" : "false");
    byId("check-all").dataset.checked = byId("check-all").getAttribute("aria-checked");
  }

  /** What a row of the list shows of a page. */
  lookOf(page) {
    const { state, me, people } = this.store;
    const named = (id) => [id, state.topic(id).name, state.path(id).join(" › ")];
    return {
      topics: finestTopics(state, page).map(named),
      hints: this.#hintsToShow(page).map(named),
      lacks: /^(level-|between)/.test(this.view.queue)
        ? []
        : withoutSubtopic(state, page).map((id) => state.topic(id).name),
      seen: isSeen(state, page),
      outlier: state.outliers.has(page),
      flag: state.flags.has(page),
      note: state.notes.has(page),
      here: people
        .filter((person) => person.page === page && person.name !== me)
        .map((person) => person.name),
    };
  }

  /** A page that has its places needs no suggestion, but where suggestions are what one looks at. */
  #hintsToShow(page) {
    const { state } = this.store;
    const hints = state.hintedTopics(page);
    if (!hints.length || this.view.queue === "suggested") return hints;
    if (this.view.queue === "topic")
      return hints.filter((id) => state.isWithin(id, this.view.topic) || missingLevels(state, page).length);
    return missingLevels(state, page).length ? hints : [];
  }

  issues() {
    this.found ??= issues(this.store.state);
    return this.found;
  }

  /** What operations would do, in words. */
  judge(operations) {
    try {
      const { sentence, lacking } = impact(this.store.state, operations);
      return { words: sentence, warns: lacking.length > 0 };
    } catch (error) {
      if (error.name !== "OperationError") throw error;
      if (error.code === "no-effect") return { words: "changes nothing", warns: false, error: false };
      return { words: [error.message, error.fix].filter(Boolean).join(" "), warns: true, error: true };
    }
  }

  newId() {
    const letters = "0123456789abcdefghijklmnopqrstuvwxyz";
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    return `t-${[...bytes].map((byte) => letters[byte % 36]).join("")}`;
  }

  refuse() {
    toast("This draft is not open to your changes.", { kind: "bad" });
    return false;
  }

  // Going places

  goQueue(key) {
    const queue = queuesNow(this.view).find((one) => one.key === key);
    if (!queue) return say("There is no such queue in this draft.");
    byId("page-search").value = "";
    this.view.show(key, { search: "" });
    this.focusRegion("pages");
    announce(`${queue.words}: ${count(queue.pages, "page")}`);
  }

  goTopic(id) {
    byId("page-search").value = "";
    this.view.show("topic", { topic: id, search: "" });
    this.showRegion("pages");
    announce(`Pages in ${this.store.state.topic(id).name}: ${count(this.view.matching.size, "page")}`);
  }

  goPage(page) {
    if (!this.view.places.has(page)) {
      byId("page-search").value = "";
      this.view.show("all", { search: "", page });
    }
    this.view.goTo(page);
    this.focusRegion("pages");
  }

  goIssue(issue) {
    if (issue.code === "page-without-subtopic" || (issue.code === "page-without-topic" && issue.level > 1))
      this.goQueue(issue.code === "page-without-subtopic" ? "between" : `level-${issue.level}`);
    else if (issue.level && issue.pages?.length && !issue.topic) this.goQueue(`level-${issue.level}`);
    if (issue.topic && this.store.state.topic(issue.topic)) {
      if (issue.pages?.length && this.view.places.has(issue.pages[0])) return this.goPage(issue.pages[0]);
      this.tree.reveal(issue.topic);
      this.showRegion("topics");
      return this.tree.focus();
    }
    return issue.pages?.length && this.view.places.has(issue.pages[0])
      ? this.goPage(issue.pages[0])
      : this.focusRegion("pages");
  }

  next() {
    const page = this.view.nextUnfinished();
    if (page === null) {
      this.view.sweep();
      return say("Nothing is unfinished here.");
    }
    return this.view.goTo(page);
  }

  /** @param {string} words what has emptied the queue */
  queueDone(words) {
    const queue = queuesNow(this.view).find((one) => one.key === this.view.queue);
    if (!queue) return;
    say([words, queue.done].filter(Boolean).join(" "), {
      onundo: words && (() => this.actions.undo()),
      spoken: false,
    });
    announce(queue.done);
  }

  openPage() {
    this.focusRegion("page");
  }

  showPageOnPhone() {
    if (getComputedStyle(byId("region-tabs")).display !== "none") this.showRegion("page");
  }

  queueMenu() {
    openMenu({
      label: "Queues",
      at: byId("queue"),
      items: queuesNow(this.view).map((queue) => ({
        words: queue.words,
        count: queue.pages,
        key: queue.action ? this.keys.hint(queue.action) : "",
        checked: this.view.queue === queue.key,
        run: () => this.goQueue(queue.key),
      })),
    });
  }

  pageMenu(at) {
    const { keys, actions } = this;
    const pages = this.view.targets();
    const off = this.store.readOnly;
    const item = (words, id, run, picture) => ({ words, key: keys.hint(id), run, picture, disabled: off });
    openMenu({
      label: count(pages.length, "page"),
      at,
      back: byId("list"),
      items: [
        item("Topic…", "picker", () => actions.pick(pages), "topic"),
        actions.last && item(`Repeat: ${actions.last.words}`, "repeat", () => actions.repeat(), "repeat"),
        item("Outlier, or no longer", "outlier", () => actions.outlier(pages), "outlier"),
        item("Confirm", "confirm", () => actions.confirm(pages), "check"),
        item("Flag, or not", "flag", () => actions.flag(pages), "flag"),
        item("Note", "note", () => this.panel.focusNote(), "note"),
        item("Same topics as the most similar page", "same", () =>
          actions.sameAs(this.panel.mostSimilar(this.view.cursor)),
        ),
        {
          words: "Open its address",
          key: keys.hint("visit"),
          run: () => this.panel.visit(),
          picture: "open",
        },
      ].filter(Boolean),
    });
  }

  // Beginning, and nothing

  renderBeginning(holder) {
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

  renderNothing(holder) {
    const { view } = this;
    const here = queuesNow(view);
    const queue = here.find((one) => one.key === view.queue);
    const next =
      here.find((one) => one.pages > 0 && one.key !== view.queue && one.key.startsWith("level-")) ??
      here.find((one) => one.key === "all");
    const words = view.search
      ? `No page here has “${view.search}”.`
      : view.queue === "topic"
        ? "This topic holds no pages yet."
        : (queue?.done ?? "");
    const clear = () => {
      byId("page-search").value = "";
      view.find("");
      this.list.focus();
    };
    fill(
      holder,
      !view.search && view.queue !== "topic" && icon("check"),
      make("p", {}, bdi(words)),
      view.search
        ? button("Clear the search", clear, { kind: "btn btn-quiet" })
        : next &&
            next.key !== view.queue &&
            button(`${next.words} (${next.pages})`, () => this.goQueue(next.key), { kind: "btn btn-quiet" }),
    );
  }

  groupWords(row) {
    return row.topic === null && /^level-/.test(this.view.queue) ? "In no topic at all" : "Others";
  }

  // Selection

  #checkAll() {
    if (this.view.selection.size) this.view.clearSelection();
    else this.view.select(this.list.inSight());
    this.sayselection();
  }

  selectAll() {
    const sight = this.list.inSight();
    const whole = sight.every((page) => this.view.selection.has(page));
    this.view.select(whole ? this.view.pages : sight);
    if (whole || sight.length === this.view.pages.length) this.sayselection();
    else
      announce(
        `${count(this.view.selection.size, "page")} in sight selected; again for all ${this.view.pages.length}.`,
      );
  }

  sayselection() {
    const { size } = this.view.selection;
    announce(size ? `${count(size, "page")} selected.` : "Nothing selected.");
  }

  clear() {
    const { view } = this;
    if (byId("region-page").contains(document.activeElement)) return this.focusRegion("pages");
    if (view.selection.size) {
      view.clearSelection();
      return this.sayselection();
    }
    if (view.search) {
      byId("page-search").value = "";
      return view.find("");
    }
    if (view.queue === "topic") return this.goQueue("all");
    return view.sweep();
  }

  // Regions and focus

  showRegion(name) {
    byId("curate").dataset.region = name;
    for (const tab of byId("region-tabs").children)
      setAttribute(tab, "aria-current", tab.dataset.go === name ? "true" : null);
    this.region = name;
  }

  focusRegion(name) {
    this.showRegion(name);
    if (name === "topics") this.tree.focus();
    else if (name === "page") this.panel.focus();
    else this.list.focus();
  }

  #focused(event) {
    const name = REGIONS.find((one) => byId(`region-${one}`).contains(event.target));
    if (name) this.region = name;
  }

  #turnRegion(by) {
    this.focusRegion(REGIONS[(REGIONS.indexOf(this.region) + by + REGIONS.length) % REGIONS.length]);
  }

  // Keys

  #where(event) {
    if (byId("region-topics").contains(event.target)) return "tree";
    if (byId("list").contains(event.target)) return "list";
    if (byId("region-page").contains(event.target)) return "page";
    return "elsewhere";
  }

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

  #handlers() {
    const { view, actions, structure, tree } = this;
    const onTopic = (act) => () => (tree.active === null ? say("There is no topic yet.") : act(tree.active));
    const edit = (act) => (event) => (this.store.readOnly ? this.refuse() : act(event));
    const queue = (key) => () => this.goQueue(key);
    const handlers = {
      next: () => this.#step(1),
      previous: () => this.#step(-1),
      "next-row": () => this.#step(1),
      "previous-row": () => this.#step(-1),
      "first-row": () => view.move(-Infinity),
      "last-row": () => view.move(Infinity),
      down: () => view.move(this.list.perScreen),
      up: () => view.move(-this.list.perScreen),
      unfinished: () => this.next(),
      open: () => this.openPage(),
      "region-next": () => this.#turnRegion(1),
      "region-previous": () => this.#turnRegion(-1),
      switch: () => this.focusRegion(this.region === "topics" ? "pages" : "topics"),
      search: () => this.#into("pages", "page-search"),
      filter: () => this.#into("topics", "topic-filter"),
      clear: () => this.clear(),
      select: () => this.#select(),
      "select-row": () => this.#select(),
      "extend-next": () => this.#extend(1),
      "extend-previous": () => this.#extend(-1),
      "select-all": () => this.selectAll(),
      picker: edit(() => actions.pick()),
      "move-on": edit(() => this.moveOn(!view.movesOn)),
      repeat: edit(() => actions.repeat()),
      outlier: edit(() => actions.outlier()),
      confirm: edit(() => actions.confirm()),
      accept: edit(() => actions.answer("accept")),
      reject: edit(() => actions.answer("reject")),
      same: edit(() => actions.sameAs(this.panel.mostSimilar(view.cursor))),
      flag: edit(() => actions.flag()),
      note: edit(() => this.panel.focusNote()),
      visit: () => this.panel.visit(),
      "queue-1": queue("level-1"),
      "queue-2": queue("level-2"),
      "queue-3": queue("level-3"),
      "queue-between": queue("between"),
      "queue-suggested": queue("suggested"),
      "queue-disagree": queue("disagree"),
      "queue-stale": queue("stale"),
      "queue-flagged": queue("flagged"),
      "queue-outliers": queue("outliers"),
      "queue-all": queue("all"),
      "tree-next": () => tree.step(1),
      "tree-previous": () => tree.step(-1),
      "tree-in": () => tree.inwards(),
      "tree-out": () => tree.outwards(),
      "tree-first": () => tree.edge(false),
      "tree-last": () => tree.edge(true),
      "tree-toggle": edit(onTopic((id) => actions.toggleTopic(id))),
      "tree-show": onTopic((id) => this.goTopic(id)),
      "tree-menu": onTopic((id) => structure.menu(id, tree.elements.get(id), tree.elements.get(id))),
      rename: edit(onTopic((id) => tree.rename(id))),
      describe: onTopic((id) => structure.describe(id)),
      digit: edit(onTopic((id) => structure.chooseDigit(id))),
      "add-sibling": edit(() => structure.addSibling(tree.active)),
      "add-child": edit(() => structure.addChild(tree.active)),
      promote: edit(onTopic((id) => structure.promote(id))),
      demote: edit(onTopic((id) => structure.demote(id))),
      earlier: edit(onTopic((id) => structure.shift(id, -1))),
      later: edit(onTopic((id) => structure.shift(id, 1))),
      move: edit(onTopic((id) => structure.move(id))),
      merge: edit(onTopic((id) => structure.merge(id))),
      split: edit(onTopic((id) => structure.split(id))),
      delete: edit(onTopic((id) => structure.delete(id))),
      undo: edit(() => actions.undo()),
      redo: edit(() => actions.redo()),
      issues: () => this.sheets.issues(),
      history: () => this.sheets.history(),
      suggest: edit(() => this.sheets.suggest()),
      sheet: () => this.sheets.keys(),
    };
    for (let digit = 1; digit <= 9; digit += 1) {
      handlers[`digit-${digit}`] = edit(() => actions.digit(digit, false));
      handlers[`only-${digit}`] = edit(() => actions.digit(digit, true));
    }
    return handlers;
  }

  #step(by) {
    this.view.move(by);
    this.#sayCursor();
  }

  #sayCursor() {
    // The list says it itself while it has the focus.
    if (document.activeElement === byId("list")) return;
    const page = this.store.pages.get(this.view.cursor);
    if (page) announce(page.title || page.id);
  }

  #select() {
    if (this.view.cursor === null) return;
    this.view.toggle(this.view.cursor);
    this.sayselection();
  }

  #extend(by) {
    if (this.view.cursor !== null && !this.view.selection.size) this.view.anchor = this.view.cursor;
    this.view.move(by, { extend: true });
    this.sayselection();
  }

  #into(region, field) {
    this.showRegion(region);
    byId(field).focus();
    byId(field).select();
  }
}

function begin() {
  const holder = byId("workspace");
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

// What a person does with pages. Keys, buttons, boxes, menus and dragging all end here.

import { announce, refuseChange, say, toast, withdrawUndo, wordsOf } from "../common/announce.js";
import { count } from "../common/elements.js";
import { newTopicId } from "../common/ids.js";
import { clipped } from "../common/wording.js";
import { describeOperations, takesPagesOut } from "../drafts/describe-operations.js";
import { OperationError } from "../drafts/fields.js";
import { previewOf } from "../drafts/impact.js";
import { hasPlace } from "../drafts/placement.js";
import { dialogRevision } from "./dialogs.js";
import { openPicker } from "./picker.js";
import { doneMessage } from "./remaining-work.js";
import { returnedInWords } from "./remote-changes.js";

const MANY = 2;
const TITLE = 50;

/**
 * @typedef {object} Offered the latest action, for which a notice and the line at the foot offer Undo
 * @property {string} batch its id
 * @property {string} words what was done
 * @property {() => void} leave removes its notice
 */

export class Actions {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {() => unknown} needs.newPart makes a part of the selected pages while a topic is being split
   * @param {<Result>(act: () => Result) => Result} [needs.together] does something, and then draws all that it changed
   *   at once
   */
  constructor({ store, view, go, newPart, together = (act) => act() }) {
    this.newPart = newPart;
    this.together = together;
    this.store = store;
    this.view = view;
    this.go = go;
    /** The last placing, for `.`: a function from pages to operations, and its words. */
    this.last = null;
    /** @type {Offered|null} */
    this.offered = null;
    for (const kind of ["change", "undo", "conflict"]) store.addEventListener(kind, () => this.#checkLater());
    /** @type {Map<string, {name: string, into: string, pages: Set<string>}>} merged topic -> the pages put into it since */
    this.redirected = new Map();
    // If the last waiting batch is rejected, no response follows that could report the others.
    store.addEventListener("conflict", () => queueMicrotask(() => this.#sayRedirected(null)));
  }

  get state() {
    return this.store.state;
  }

  // Doing

  /**
   * Perform operations as one change with one undo.
   * @param {import("../drafts/types.js").Operation[]} operations
   * @param {string[]} pages the pages concerned: they stay in sight when they leave the queue
   * @param {{advance?: boolean, onward?: boolean, notice?: boolean}} [how] `advance`: move to the next page once these
   *   are done in the queue; `onward`: also if they stay in the list; `notice`: report it in a notice with Undo, as is
   *   always done if pages are taken out or many are changed
   * @returns {boolean} true if something has changed
   */
  run(operations, pages, { advance = false, onward = false, notice = false } = {}) {
    if (this.store.readOnly) return refuseChange();
    if (!operations.length) return say("There is nothing to change: it is already like that.");
    return this.together(() => this.#perform(operations, pages, { advance, onward, notice }));
  }

  /**
   * @param {import("../drafts/types.js").Operation[]} operations
   * @param {string[]} pages
   * @param {{advance: boolean, onward: boolean, notice: boolean}} how
   */
  #perform(operations, pages, { advance, onward, notice }) {
    const { view } = this;
    view.rememberPlaces(pages);
    let words;
    let batch;
    try {
      words = describeOperations(this.state, operations, (page) => this.store.pages.get(page)?.title || page);
      batch = this.store.perform(operations, { base: dialogRevision() });
    } catch (error) {
      view.forgetUnfinished();
      if (!(error instanceof OperationError)) throw error;
      if (error.code === "no-effect") say("There is nothing to change: it is already like that.");
      else toast(wordsOf(error), { kind: "bad" });
      return false;
    }
    view.forgetUnfinished();
    this.offered?.leave();
    const loud = notice || pages.length >= MANY || takesPagesOut(operations);
    const onaction = () => this.#undoOnly(batch);
    const leave = loud ? toast(words, { action: "Undo", onaction }) : () => {};
    this.offered = { batch, words, leave };
    this.#sayDone("", { spoken: !loud });
    if (advance && view.movesOn) this.#advance(pages, onward);
    return true;
  }

  /** Move from finished pages to the next page that is not finished. @param {string[]} pages @param {boolean} onward */
  #advance(pages, onward) {
    const { view } = this;
    if (pages.some((page) => view.matching.has(page) && !view.isFinished(page)))
      return onward && !view.selection.size && this.#moveCursor(() => view.move(1));
    const next = view.nextUnfinished();
    if (view.selection.size) view.clearSelection();
    if (next !== null) this.#moveCursor(() => view.goTo(next.page, { keep: true, group: next.group }));
    else if (!view.matching.size) this.#queueDone();
  }

  /** Report that the queue is empty now. */
  #queueDone() {
    const words = doneMessage(this.view);
    this.#sayDone(words, { spoken: false });
    announce(words);
  }

  /** Report where the cursor is now, if it has left what was placed. @param {() => unknown} go */
  #moveCursor(go) {
    const before = this.view.cursor;
    go();
    const { page } = this.view;
    if (!page || page.id === before) return;
    const { rank, id } = page;
    this.#sayDone(`Now at page ${rank ?? id}.`, { spoken: false });
  }

  /** Report the last action, and something more, with its Undo. @param {string} more @param {{spoken: boolean}} how */
  #sayDone(more, { spoken }) {
    const { words = "", batch = "" } = this.offered ?? {};
    say([words, more].filter(Boolean).join(" "), { onundo: () => this.#undoOnly(batch), spoken });
  }

  /** Undo this action and no other. @param {string} batch */
  #undoOnly(batch) {
    if (this.store.wouldUndo(batch)) return this.undo();
    this.#check();
    return say("That can no longer be undone. Nothing was changed.");
  }

  /** Check later, because the store is still sending its events. */
  #checkLater() {
    if (this.offered) queueMicrotask(() => this.#check());
  }

  /** Withdraw the offered Undo once it would not undo just that action. If the action was rejected, say so. */
  #check() {
    if (!this.offered || this.store.wouldUndo(this.offered.batch)) return;
    const { batch, leave } = this.offered;
    this.offered = null;
    leave();
    withdrawUndo();
    const refused = this.store.open.find((conflict) => conflict.id === batch);
    if (refused) say(`“${refused.label}” was not done.`, { spoken: false });
  }

  async undo() {
    const words = this.store.undoLabel;
    if (!words) return say("You have nothing to undo.");
    return this.#turn(() => this.store.undo(), "Undone", words);
  }

  async redo() {
    const words = this.store.redoLabel;
    if (!words) return say("You have nothing to redo.");
    return this.#turn(() => this.store.redo(), "Done again", words);
  }

  /**
   * Report "Undone" at once. If only the site knows the next undo, wait for its response.
   * @param {() => unknown} act
   * @param {string} done
   * @param {string} words
   */
  async #turn(act, done, words) {
    try {
      await act();
      if (this.store.pendingTurn) say(`${done === "Undone" ? "Undoing" : "Doing again"}: ${words} …`);
      else say(`${done}: ${words}.`);
    } catch (error) {
      toast(wordsOf(error), { kind: "bad" });
    }
  }

  /**
   * Report the result of a batch, if it differs from the earlier message.
   * @param {{batch: import("../drafts/queue-storage.js").Batch, entry: import("../drafts/types.js").Entry|null, reason: string}} answer
   */
  answered({ batch, entry, reason }) {
    this.#sayRedirected(entry);
    const words = batch.label.replace(/^(?:(?:Undo|Redo|Restore): )+/, "");
    const verb = batch.undo ? "undone" : batch.redo ? "done again" : batch.restore ? "brought back" : "done";
    const why = (entry?.skipped ?? []).map(({ message }) => message).join(" ");
    if (!entry) return reason ? tell(`“${words}” was not ${verb}. ${reason}`) : undefined;
    if (!batch.operations && !entry.changes.length)
      return tell(`“${words}” was not ${verb}, and is passed over. ${why}`);
    if (why) return tell(`“${words}” was ${verb} in part. ${why}`);
    const back = returnedInWords(entry.changes);
    if (batch.restore) return tell(`Brought back what “${words}” had taken away${back}.`);
    if (back) return tell(`Undone: ${words}${back}.`);
    if (batch.waited) say(batch.undo ? `Undone: ${words}.` : `Done again: ${words}.`);
    return undefined;
  }

  /**
   * Report, once nothing waits, the pages that this person put into topics that others had merged.
   * @param {import("../drafts/types.js").Entry|null} entry
   */
  #sayRedirected(entry) {
    for (const { c, topic, name, into, pages } of entry?.changes ?? []) {
      if (c !== "meant+") continue;
      const known = this.redirected.get(topic) ?? { name, into, pages: new Set() };
      for (const page of pages) known.pages.add(page);
      this.redirected.set(topic, known);
    }
    if (this.store.firstWaiting) return;
    for (const [topic, { name, into, pages }] of this.redirected) tell(this.#redirectedWords(topic, name, into, pages));
    this.redirected.clear();
  }

  /** @param {string} topic @param {string} name @param {string} into @param {Set<string>} pages */
  #redirectedWords(topic, name, into, pages) {
    const target = this.state.topic(into)?.name ?? "another topic";
    const by = this.store.removerOf(topic);
    const merged = by ? `${by} had merged “${name}” into “${target}”` : `“${name}” had been merged into “${target}”`;
    return `${merged}: ${count(pages.size, "page")} that you put into it ${pages.size === 1 ? "is" : "are"} in “${target}” now.`;
  }

  // Topics

  /**
   * "true", "mixed" or "false": all, some or none of the pages are in a topic.
   * @param {string} id
   * @param {string[]} pages
   */
  holds(id, pages) {
    const within = this.state.pagesIn(id);
    const holding = pages.filter((page) => within.has(page)).length;
    return !holding ? "false" : holding === pages.length ? "true" : "mixed";
  }

  /** Put the pages into a topic. If all are in it, take them out. @param {string} id */
  toggleTopic(id, pages = this.view.targets()) {
    if (!pages.length) return say("There is no page to put into the topic.");
    const { split } = this.view;
    if (split.beside && split.topic === id) return say("The pages stay there until you put them into another topic.");
    const leaving = split.leaving(id, pages);
    if (leaving.length) return this.#moveToPart(id, leaving);
    if (this.holds(id, pages) === "true") return this.run([{ kind: "unassign", pages, topics: [id] }], pages);
    return this.assign(id, pages);
  }

  /**
   * Put pages into a part that is beside the topic that is being split.
   * @param {string} part
   * @param {string[]} pages
   */
  #moveToPart(part, pages) {
    const operations = [
      { kind: "assign", pages, topics: [part] },
      { kind: "unassign", pages, topics: [this.view.split.topic] },
    ];
    return this.run(operations, pages, { advance: true });
  }

  /** @param {string} id @param {string[]} pages */
  assign(id, pages) {
    if (!this.state.topic(id)) return sayGone();
    this.last = {
      words: this.state.path(id).join(" › "),
      make: (/** @type {string[]} */ some) => this.#putInto([id], some),
      topics: [id],
    };
    return this.run(this.#putInto([id], pages), pages, { advance: true });
  }

  /**
   * Pages that are already in a subtopic of the topic stay where they are.
   * @param {string[]} topics
   * @param {string[]} pages
   */
  #putInto(topics, pages) {
    return topics
      .map((id) => ({
        kind: "assign",
        pages: pages.filter((page) => !this.state.isIn(page, id)),
        topics: [id],
      }))
      .filter((operation) => operation.pages.length);
  }

  /** Take the pages out of every other topic. @param {string} id @param {string[]} [pages] */
  only(id, pages = this.view.targets()) {
    return this.#only(id, pages, (some) => [{ kind: "only", pages: some, topic: id }], true);
  }

  /**
   * With Shift: of the sibling topics that have digits, only this one. Other topics do not matter. The pages stay under
   * the cursor, because they may go into more topics.
   * @param {string} id
   */
  onlyBeside(id, pages = this.view.targets()) {
    return this.#only(id, pages, (some) => this.#besides(id, some), false);
  }

  /** @param {string} id @param {string[]} pages @param {(some: string[]) => import("../drafts/types.js").Operation[]} make @param {boolean} advance */
  #only(id, pages, make, advance) {
    if (!pages.length) return say("There is no page to put into the topic.");
    if (!this.state.topic(id)) return sayGone();
    this.last = { words: `only ${this.state.path(id).join(" › ")}`, make, topics: [id] };
    return this.run(make(pages), pages, { advance });
  }

  /** @param {string} id @param {string[]} pages */
  #besides(id, pages) {
    const { state } = this;
    const beside = state.childrenOf(state.topicOf(id).parent).filter((each) => each !== id);
    const leaving = beside.flatMap((topic) => {
      const held = pages.filter((page) => state.isIn(page, topic));
      return held.length ? [{ kind: "unassign", pages: held, topics: [topic] }] : [];
    });
    return [...leaving, ...this.#putInto([id], pages)];
  }

  /** @param {number} number @param {boolean} only */
  digit(number, only) {
    const id = [...this.view.digits().keys].find(([, digit]) => digit === number)?.[0];
    if (!id && this.view.split.topic) return this.newPart();
    if (!id) return say(`No topic has the key ${number} here.`);
    return only ? this.onlyBeside(id) : this.toggleTopic(id);
  }

  pick(pages = this.view.targets()) {
    if (this.store.readOnly) return refuseChange();
    if (!pages.length) return say("There is no page to put into a topic.");
    const { parent } = this.view.digits();
    const title =
      pages.length === 1
        ? `Topic for “${clipped(this.store.pageOf(pages[0]).title || pages[0], TITLE)}”`
        : `Topic for ${count(pages.length, "page")}`;
    return openPicker(this, {
      title,
      create: { parent: parent ?? this.view.topic },
      only: true,
      checked: (id) => this.holds(id, pages),
      preview: (choice, only) => previewOf(this.store.state, this.#choiceOperations(choice, only, pages)),
      choose: (choice, { only }) => this.#chosen(choice, only, pages),
    });
  }

  /** @param {import("./picker.js").Choice} choice @param {boolean} only @param {string[]} pages */
  #choiceOperations(choice, only, pages) {
    if (choice.kind === "new")
      return [{ kind: "add_topic", topic: "preview", name: choice.name, parent: choice.parent, pages }];
    const { topic } = choice;
    if (topic === null) return [];
    if (only) return [{ kind: "only", pages, topic }];
    const kind = this.holds(topic, pages) === "true" ? "unassign" : "assign";
    return [{ kind, pages, topics: [topic] }];
  }

  /** @param {import("./picker.js").Choice} choice @param {boolean} only @param {string[]} pages */
  #chosen(choice, only, pages) {
    if (choice.kind === "topic") {
      const { topic } = choice;
      if (topic === null) return false;
      return only ? this.only(topic, pages) : this.toggleTopic(topic, pages);
    }
    const id = newTopicId();
    this.last = {
      words: choice.name,
      make: (/** @type {string[]} */ some) => this.#putInto([id], some),
      topics: [id],
    };
    const done = this.run([{ kind: "add_topic", topic: id, name: choice.name, parent: choice.parent, pages }], pages, {
      advance: true,
      notice: true,
    });
    if (done) this.go.reveal(id);
    return done;
  }

  repeat() {
    const pages = this.view.targets();
    if (!this.last || this.last.topics.some((id) => !this.state.topic(id)))
      return say("There is no placement to repeat yet.");
    return pages.length ? this.run(this.last.make(pages), pages, { advance: true }) : say("There is no page.");
  }

  // Pages

  outlier(pages = this.view.targets()) {
    if (!pages.length) return say("There is no page.");
    const all = pages.every((page) => this.state.outliers.has(page));
    if (!all)
      this.last = {
        words: "outlier",
        make: (/** @type {string[]} */ some) => [{ kind: "outlier", pages: some }],
        topics: [],
      };
    return this.run([{ kind: all ? "clear_outlier" : "outlier", pages }], pages, {
      advance: !all,
      notice: true,
    });
  }

  flag(pages = this.view.targets()) {
    if (!pages.length) return say("There is no page.");
    const all = pages.every((page) => this.state.flags.has(page));
    return this.run([{ kind: all ? "unflag" : "flag", pages }], pages);
  }

  confirm(pages = this.view.targets()) {
    if (!pages.length) return say("There is no page.");
    const placed = pages.filter((page) => hasPlace(this.state, page));
    if (!placed.length) return say("There is nothing to confirm: the page is in no topic yet.");
    return this.run([{ kind: "seen", pages: placed }], placed, { advance: true, onward: true });
  }

  /** True if one of the pages has a suggestion or a prediction. @param {string[]} pages */
  hasProposal(pages) {
    return pages.some((page) => this.state.hintedTopics(page).length > 0 || Boolean(this.view.predictions.of(page)));
  }

  /** Accept or reject the suggestions and predictions for the pages. @param {"accept"|"reject"} kind */
  answer(kind, pages = this.view.targets()) {
    const hints = new Map();
    for (const page of pages)
      for (const id of this.state.hintedTopics(page)) hints.set(id, [...(hints.get(id) ?? []), page]);
    const probable = this.view.predictions.operations(pages);
    if (!hints.size && !probable.length) return say("Nothing is suggested here.");
    const suggested = hints.size ? [{ kind, hints: [...hints] }] : [];
    if (kind === "accept") return this.run([...suggested, ...probable], pages, { advance: true });
    const gone = this.view.predictions.dismiss(pages);
    if (suggested.length) return this.run(suggested, pages, { advance: true });
    return say(`${count(gone, "prediction")} waved away.`);
  }

  /** Put the pages where another page is. @param {string|null} other */
  sameAs(other, pages = this.view.targets()) {
    if (other === null) return say("No similar page has a topic yet.");
    if (this.state.outliers.has(other))
      return this.run([{ kind: "outlier", pages }], pages, { advance: true, notice: true });
    const topics = this.state.finestTopics(other);
    if (!topics.length) return say("That page is in no topic yet.");
    this.last = {
      words: topics.map((id) => this.state.topicOf(id).name).join(", "),
      make: (/** @type {string[]} */ some) => this.#putInto(topics, some),
      topics,
    };
    return this.run(this.#putInto(topics, pages), pages, { advance: true });
  }
}

/** Somebody has deleted or merged the topic while a menu or a dialog offered it. */
function sayGone() {
  return say("The topic no longer exists.");
}

/** In the line and in a notice, because it may come some time after the key. @param {string} words */
function tell(words) {
  say(words, { spoken: false });
  toast(words);
}

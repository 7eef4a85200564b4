// The draft on the screen: what the server has confirmed, and on top of it the person's own changes that wait to be
// sent.
//
// Every change is shown at once. It is stored in the browser until the server has acknowledged it. Changes are sent in
// order, one per request, always with the same id. So nothing is lost and nothing is done twice, even offline. Entries
// by others are applied below the waiting changes. A waiting change that no longer applies has no visible effect until
// the server has decided. If the server rejects it, it becomes a conflict that a person resolves.

import { newBatchId } from "../common/ids.js";
import { UNSEEN_SPANS } from "../common/limits.js";
import { Authors } from "./authors.js";
import { apply, invert } from "./changes.js";
import { Connection } from "./connection.js";
import { OperationError } from "./fields.js";
import { takeBack } from "./inverse.js";
import { labelOf } from "./labels.js";
import { carryOut } from "./operations.js";
import { QueueStorage } from "./queue-storage.js";
import { canonical, DraftState } from "./state.js";
import { UndoStack } from "./undo-stack.js";

/**
 * @typedef {import("./queue-storage.js").Batch} Batch
 * @typedef {import("./queue-storage.js").Conflict} Conflict
 * @typedef {import("./queue-storage.js").Turned} Turned
 */

/**
 * How many responses the site gives before this tab takes over the work of another one. An open tab has sent its work
 * by then.
 */
const PATIENCE = 5;
/** @type {Record<string, string>} */
const VERBS = { undo: "Undo", redo: "Redo", restore: "Restore" };

export class DraftStore extends EventTarget {
  /**
   * Events and their details:
   * - "change" {pages, structure, by}: the state has changed. `pages` is a set, or null if any page may be affected.
   * - "save", "people", "undo", "conflict": what they name may have changed. Losses count as conflicts.
   * - "remote" {entry, state}: an entry by somebody else, and the state before it.
   * - "answered" {batch, entry, reason}: the result of a batch. `entry` is null if it was not done.
   * - "talk", "guidelines": there are new comments, or there is a new version.
   *
   * @param {object} options
   * @param {import("./types.js").Workspace} options.workspace the JSON of the draft
   * @param {typeof globalThis.fetch} [options.fetch]
   * @param {Storage} [options.storage] where work waits; localStorage by default
   * @param {Partial<import("./connection.js").Pace>} [options.pace] milliseconds; see connection.js
   */
  constructor({ workspace, fetch, storage, pace }) {
    super();
    this.workspace = workspace;
    this.draft = { ...workspace.draft };
    this.me = workspace.me;
    this.urls = workspace.urls;
    /** @type {Map<string, import("./types.js").PageInfo>} id -> page, in page-list order */
    this.pages = new Map(workspace.pages.map((page) => [page.id, page]));
    this.people = workspace.people ?? [];
    /** The author of each known entry of the log that placed pages. */
    this.authors = new Authors(workspace.authors);
    /** The numbers of the latest change to the draft's comments, and of the guidelines. */
    this.talk = workspace.talk?.at ?? 0;
    this.guidelines = workspace.guidelines?.number ?? 0;
    this._storage = new QueueStorage(this.draft.id, this.me, storage);
    /** @type {Map<number, import("./types.js").Entry>} revision -> entry, if it is known here */
    this._log = new Map();
    /** @type {Map<string, number|undefined>} id of a batch made here -> the revision it got, if it has one */
    this._own = new Map();
    /**
     * @type {{operations: import("./types.js").Operation[], label: string}[]} batches that were taken out of the queue
     *   again, for redo
     */
    this._taken = [];
    /** @type {Set<"conflict">} events to send once the new state is on the screen */
    this._news = new Set();
    this._connectionProblem = { kind: "", reason: "" };
    // The state that the server has confirmed.
    this._confirmed = DraftState.fromJSON([...this.pages.keys()], workspace.state);
    this._revision = workspace.draft.revision;
    this._undo = workspace.undo ?? null;
    this._redo = workspace.redo ?? null;
    /** @type {Batch[]} */
    this._queue = [];
    /**
     * @type {Map<string, number>} id of a batch that another tab of this browser left -> how many responses the site
     *   has given since
     */
    this._elsewhere = new Map();
    /** @type {Conflict[]} */
    this.conflicts = [];
    /** @type {import("./types.js").Loss[]} pages this person had placed in topics that others deleted */
    this.losses = workspace.losses ?? [];
    /** True if others deleted something, until the server has said whose pages it held. */
    this.losing = false;
    /**
     * @type {{id: string, label: string}|null} the latest undo, redo or restoration, while only the server knows its
     *   changes
     */
    this.pendingTurn = null;
    this._restore();
    this._shown = this._confirmed;
    this._show();
    this._connection = new Connection(this, { fetch, pace });
    this._lastSave = canonical(this.save);
    /** @type {(() => void)|null} */
    this._unwatch = null;
  }

  // What is shown

  /**
   * The state on the screen. Every "change" may replace it with a new object, so do not store it.
   * @returns {DraftState}
   */
  get state() {
    return this._shown;
  }

  /** The revision that the server has confirmed. */
  get revision() {
    return this._revision;
  }

  /** Return a page of the list, which must exist. @param {string} id @returns {import("./types.js").PageInfo} */
  pageOf(id) {
    const found = this.pages.get(id);
    if (!found) throw new Error(`There is no page ${id}.`);
    return found;
  }

  get readOnly() {
    return !this.draft.may_edit || this.draft.status !== "open" || Boolean(this.draft.archived);
  }

  /** `stored` is false if the browser's storage is full and closing the tab would lose waiting batches. */
  get save() {
    const { kind, reason } = this._connectionProblem;
    const late = [...this._elsewhere.values()].filter((answers) => answers > 0).length;
    const base = {
      waiting: this._queue.length + late,
      revision: this._revision,
      reason,
      stored: !this._storage.full,
    };
    if (kind) return { kind, ...base };
    if (this.open.length) return { kind: "conflict", ...base };
    if (base.waiting) return { kind: "saving", ...base };
    return { kind: this.readOnly ? "readonly" : "saved", ...base };
  }

  /** Conflicts that wait for a decision. */
  get open() {
    return this.conflicts.filter((conflict) => !conflict.aside);
  }

  get undoLabel() {
    return this.readOnly ? null : (this._stack().undo?.label ?? null);
  }

  get redoLabel() {
    if (this.readOnly) return null;
    return this._taken.at(-1)?.label ?? this._stack().redo?.label ?? null;
  }

  /**
   * True if undo would undo exactly this batch: it is this person's latest change, it was not rejected, and others have
   * left something of it to undo.
   * @param {string} id
   */
  wouldUndo(id) {
    const step = this.readOnly ? null : this._stack().undo;
    if (!step) return false;
    if (step.batch !== null) return step.batch === id;
    if (step.revision === null || step.revision !== this._own.get(id)) return false;
    if (!step.changes) return true;
    const state = this._shown.clone();
    return invert(step.changes).some((change) => takeBack(state, [change], this._nextRevision()).length > 0);
  }

  // Work of other tabs

  /** The number of this person's changes that wait in this browser and were made in another tab. */
  get elsewhere() {
    return this._elsewhere.size;
  }

  /**
   * Look for work that another tab of this browser has left, and take it over once that tab would have sent it if it
   * were open.
   * @param {boolean} [answered] true if the site has just responded
   */
  checkOtherTabs(answered = false) {
    const left = this._leftElsewhere();
    const conflicts = left.filter(({ conflict }) => conflict).map(conflictOf);
    if (conflicts.length) this.conflicts = [...this.conflicts, ...conflicts];
    const waiting = left.filter(({ conflict }) => !conflict);
    this._elsewhere = new Map(
      waiting.map(({ id }) => [id, (this._elsewhere.get(id) ?? 0) + Number(answered && !this.connectionProblem)]),
    );
    if ([...this._elsewhere.values()].some((answers) => answers > PATIENCE)) this.takeOver();
    this._saveChanged(conflicts.length ? "conflict" : undefined);
  }

  /** Send the batches of other tabs together with those of this tab. */
  takeOver() {
    const left = this._leftElsewhere().filter(({ conflict }) => !conflict);
    this._elsewhere = new Map();
    if (!left.length || this.readOnly) return;
    this._update(this.me, () => {
      const underWay = this._queue.filter(({ id }) => id === this._connection.busyWith);
      const others = this._queue.filter((batch) => !underWay.includes(batch));
      const all = [...others, ...left.map((stored) => this._adopt(stored))];
      this._queue = [...underWay, ...all.sort((one, other) => one.order - other.order)];
    });
    this._saveChanged();
    this._connection.send();
  }

  _leftElsewhere() {
    const known = new Set([...this._queue, ...this.conflicts].map(({ id }) => id));
    return this._storage.load(known).filter(({ id }) => !this._own.get(id));
  }

  // What people do

  /**
   * Carry out operations at once and send them: one entry of the log, one undo.
   * @param {import("./types.js").Operation[]} operations
   * @param {{label?: string, base?: number|null}} [options] `base`: the revision that a dialog showed when the person
   *   decided
   * @returns {string} the id of the batch
   * @throws {OperationError} and nothing has changed
   */
  perform(operations, { label, base } = {}) {
    const id = this._perform(operations, label, base ?? this._revision);
    this._taken = [];
    this._saveChanged("undo");
    return id;
  }

  /** Undo this person's latest change. @returns {string|null} its label; null if there is nothing */
  undo() {
    return this._step("undo");
  }

  /** Redo the latest undo. @returns {string|null} its label; null if there is nothing */
  redo() {
    return this._step("redo");
  }

  /**
   * Restore the topics that an entry deleted, with their pages. The entry may be by anybody.
   * @param {number} revision
   * @param {string} label
   */
  restore(revision, label) {
    this._refuseReadOnly();
    this._taken = [];
    const changes = this._log.get(revision)?.changes ?? null;
    this._ask("restore", { label, revision, batch: null, changes });
    this._saveChanged("undo");
  }

  /**
   * The names of the topics that an entry deleted and that are still missing, if they are known here.
   * @param {import("./types.js").Clash} clash
   */
  namesOfGone({ revision, gone }) {
    const changes = this._log.get(revision)?.changes ?? [];
    const topics = changes.filter(({ c }) => c === "topic-").map(({ topic }) => topic);
    return topics.filter(({ id }) => gone.includes(id) && !this._shown.topic(id)).map(({ name }) => name);
  }

  /** The person who last removed a topic, if that is known here. @param {string} topic @returns {string|null} */
  removerOf(topic) {
    const entries = [...this._log.values()].sort(byRevision);
    const found = entries.findLast(({ changes }) =>
      changes.some(({ c, topic: of }) => c === "topic-" && of.id === topic),
    );
    return found?.by ?? null;
  }

  /** Dismiss a loss. @param {number} revision */
  settleLoss(revision) {
    this.setLosses(this.losses.filter((loss) => loss.revision !== revision));
    this._connection.settle(revision);
  }

  /** Set a conflict aside: it needs no decision, and is stored until somebody deletes it. @param {string} id */
  setAside(id) {
    const stored = this._storage.load().find((each) => each.id === id);
    if (stored?.conflict) this._storage.save({ ...stored, conflict: { ...stored.conflict, aside: true } });
    this.conflicts = this.conflicts.map((each) => (each.id === id ? { ...each, aside: true } : each));
    this._saveChanged("conflict");
  }

  /** @param {string} id */
  dismissConflict(id) {
    this.conflicts = this.conflicts.filter((conflict) => conflict.id !== id);
    this._storage.remove(id);
    this._saveChanged("conflict");
  }

  /** Try a conflict again on the current draft. @throws {OperationError} and the conflict stays @param {string} id */
  retryConflict(id) {
    const conflict = this.conflicts.find((each) => each.id === id);
    if (!conflict) return;
    this._perform(conflict.operations, conflict.label);
    this.dismissConflict(id);
    this._saveChanged("undo");
  }

  /** Poll while the page is visible, and send the waiting batches. */
  start() {
    this._unwatch ??= this._storage.watch((id) => this._goneElsewhere(id));
    this._connection.start();
  }

  stop() {
    this._unwatch?.();
    this._unwatch = null;
    this._connection.stop();
  }

  /** Show others which page this person is looking at. @param {string|null} page */
  setPresence(page) {
    this._connection.setPresence(page);
  }

  /** Ask at once what others did. @returns {Promise<void>} */
  poll() {
    return this._connection.poll();
  }

  // For the connection. Nothing else calls these.

  /** The problem with the connection: "offline", "signed-out", or "". */
  get connectionProblem() {
    return this._connectionProblem.kind;
  }

  /** The batch to send next. @returns {Batch|undefined} */
  get firstWaiting() {
    return this._queue[0];
  }

  /** @param {Batch} batch */
  isWaiting(batch) {
    return this._queue.includes(batch);
  }

  /** The person can edit again: batches that were rejected in between count as never tried. */
  tryAgain() {
    for (const batch of this._queue) delete batch.refused;
  }

  /** The request for a batch; null if there is nothing left to undo. @param {Batch} batch */
  requestOf(batch) {
    const { id, operations } = batch;
    const known = { id, base: this._revision, unseen: this._unseen(batch) };
    if (operations) return { ...known, operations };
    if (batch.restore) return { ...known, restore: batch.restore.revision };
    const kind = batch.undo ? "undo" : "redo";
    const top = kind === "undo" ? this._undo : this._redo;
    const turned = batch[kind] ?? { revision: null };
    // Once sent, a batch keeps its request.
    turned.revision ??= (turned.batch ? this._own.get(turned.batch) : top?.revision) ?? null;
    return turned.revision ? { ...known, [kind]: turned.revision } : null;
  }

  /**
   * Confirmed entries that were not known when a batch was made, as spans of revisions. The person's own entries count
   * as known.
   * @param {Batch} batch
   */
  _unseen({ base }) {
    const own = new Set(this._own.values());
    /** @type {[number, number][]} */
    const spans = [];
    for (let revision = base + 1; revision <= this._revision; revision += 1) {
      const last = spans.at(-1);
      if (own.has(revision)) continue;
      if (last?.[1] === revision - 1) last[1] = revision;
      else spans.push([revision, revision]);
    }
    return spans.length <= UNSEEN_SPANS ? spans : [[spans[0][0], this._revision]];
  }

  /** @param {Batch} batch */
  sending(batch) {
    batch.sent = true;
    this._store(batch);
  }

  /**
   * Take over a response with entries of the log.
   * @param {import("./types.js").Changes} answer
   * @returns {boolean} false if entries in between are missing
   */
  receive({ entries = [], ...rest }) {
    const fresh = entries.filter((entry) => entry.revision > this._revision);
    if (fresh.length && fresh[0].revision !== this._revision + 1) return false;
    this.authors.add(fresh);
    for (const entry of entries) {
      this._log.set(entry.revision, entry);
      if (this._own.has(entry.id)) this._own.set(entry.id, entry.revision);
    }
    const done = this._queue.filter((batch) => this._own.get(batch.id));
    if (fresh.length || done.length) this._advance(fresh, done);
    this._takeOverStatus(rest);
    for (const batch of done) this._answered(batch, this._log.get(this._own.get(batch.id) ?? 0) ?? null);
    return true;
  }

  /**
   * Report the result of a batch.
   * @param {Batch} batch
   * @param {import("./types.js").Entry|null} entry null if it was not done
   */
  _answered(batch, entry, reason = "") {
    if (this.pendingTurn?.id === batch.id) this.pendingTurn = null;
    const { restore } = batch;
    if (restore && entry) this.setLosses(this.losses.filter((loss) => loss.revision !== restore.revision));
    this._emit("answered", { batch, entry, reason });
  }

  /** @param {import("./types.js").Loss[]} losses */
  setLosses(losses) {
    this.losing = false;
    if (canonical(losses) === canonical(this.losses)) return;
    this.losses = losses;
    this._saveChanged("conflict");
  }

  /**
   * The batch has turned out to be done already.
   * @param {Batch} batch
   * @returns {boolean} true to send the next batch
   */
  alreadyDone(batch) {
    this._update(this.me, () => this._drop(batch));
    if (this.pendingTurn?.id === batch.id) this.pendingTurn = null;
    return true;
  }

  /**
   * The server has rejected a batch for good.
   * @param {Batch} batch
   * @param {import("../common/http.js").HttpError} error
   * @returns {boolean} true to send the next batch
   */
  rejectBatch(batch, error) {
    const reason = `${error.message} ${error.fix}`.trim();
    if (!batch.operations) {
      // Nobody loses anything if an undo is rejected.
      this._update(this.me, () => this._drop(batch));
      this._answered(batch, null, reason);
      return true;
    }
    const { clashes = [] } = /** @type {import("./types.js").BatchProblem} */ (error.problem);
    this._update(this.me, () => this._refuse(batch, { code: error.code, reason, clashes }));
    return true;
  }

  /** @param {import("./types.js").Draft} draft */
  setDraft(draft) {
    this.draft = { ...this.draft, ...draft };
    this._emit("undo", {});
    this._saveChanged();
  }

  /** @param {string} kind */
  setConnectionProblem(kind, reason = "") {
    this._connectionProblem = { kind, reason };
    this._saveChanged();
  }

  // Waiting batches

  /** @param {import("./types.js").Operation[]} operations @param {string} [label] @param {number} [base] */
  _perform(operations, label, base = this._revision) {
    this._refuseReadOnly();
    const told = label ?? labelIfPossible(this._shown, operations);
    const changes = carryOut(this._shown, operations, this._nextRevision());
    const id = this._enqueue({ label: told ?? labelOf(this._shown, operations), operations, changes, base });
    this._changed(changes, this.me);
    return id;
  }

  _refuseReadOnly() {
    if (this.readOnly)
      throw new OperationError("read-only", "This draft cannot be edited.", "Reopen it, or ask its curator.");
  }

  /** The revision that the next batch will probably get. */
  _nextRevision() {
    return this._revision + this._queue.length + 1;
  }

  /** @param {Omit<Partial<Batch>, "id"> & {label: string, operations: Batch["operations"], changes: import("./types.js").Change[]}} given */
  _enqueue(given) {
    const order = Math.max(Date.now(), (this._queue.at(-1)?.order ?? 0) + 1);
    const batch = { id: newBatchId(), order, base: this._revision, sent: false, ...given };
    this._queue.push(batch);
    this._own.set(batch.id, undefined);
    this._store(batch);
    this._saveChanged();
    this._connection.send();
    return batch.id;
  }

  /**
   * Store a batch with the person's own work that it builds on, because another tab may have to send it.
   * @param {Batch} batch
   */
  _store(batch) {
    const { changes, refused, waited, ...kept } = batch;
    const own = [...this._own].filter(([, revision]) => !batch.conflict && (revision ?? 0) > batch.base);
    this._storage.save({ ...kept, own });
  }

  /** @param {Batch} batch */
  _remove(batch) {
    this._queue = this._queue.filter((each) => each !== batch);
  }

  /** @param {Batch} batch */
  _drop(batch) {
    this._remove(batch);
    this._storage.remove(batch.id);
  }

  _restore() {
    for (const stored of this._storage.load()) {
      const batch = this._adopt(stored);
      if (stored.conflict) this.conflicts.push(conflictOf(stored));
      else this._queue.push(batch);
    }
  }

  /** @param {import("./queue-storage.js").StoredBatch} stored @returns {Batch} */
  _adopt({ own = [], ...stored }) {
    for (const [id, revision] of own) if (!this._own.get(id)) this._own.set(id, revision);
    this._own.set(stored.id, undefined);
    return { ...stored, changes: [] };
  }

  /** Another tab got it acknowledged, or undid it. @param {string} id */
  _goneElsewhere(id) {
    if (this.conflicts.some((conflict) => conflict.id === id)) {
      this.conflicts = this.conflicts.filter((conflict) => conflict.id !== id);
      this._saveChanged("conflict");
    }
    const batch = this._queue.find((each) => each.id === id);
    if (!batch) return;
    // If this tab has sent it as well, its entry shows that.
    if (!batch.sent) this._update(this.me, () => this._remove(batch));
    this._connection.poll();
  }

  // Undo and redo

  _stack() {
    const own = [...this._log.values()].filter((entry) => entry.by === this.me).sort(byRevision);
    const stack = new UndoStack(own, this._undo, this._redo);
    for (const batch of this._queue) stack.add(batch);
    return stack;
  }

  /** @param {"undo"|"redo"} kind */
  _step(kind) {
    this._refuseReadOnly();
    this.pendingTurn = null;
    if (kind === "redo" && this._taken.length) {
      const { operations, label } = this._taken[this._taken.length - 1];
      this._taken.pop();
      this._perform(operations, label);
      this._saveChanged("undo");
      return label;
    }
    const step = this._stack()[kind];
    if (!step) return null;
    if (!this._takeBack(kind)) this._ask(kind, step);
    this._saveChanged("undo");
    return step.label;
  }

  /**
   * If the latest batch has not been sent yet, take it out of the queue: that undoes it (or an undo of it).
   * @param {"undo"|"redo"} kind
   */
  _takeBack(kind) {
    const last = this._queue.at(-1);
    if (!last || last.sent || this._connection.busyWith === last.id) return false;
    this.pendingTurn = null;
    const opposite = kind === "undo" ? last.operations || last.redo || last.restore : last.undo;
    if (!opposite) return false;
    this._update(this.me, () => this._drop(last));
    if (last.operations) this._taken.push({ operations: last.operations, label: last.label });
    this._saveChanged();
    return true;
  }

  /** @param {"undo"|"redo"|"restore"} kind @param {import("./undo-stack.js").Step} step */
  _ask(kind, step) {
    const wanted = step.changes && invert(step.changes);
    const changes = this._effectOf({ operations: null, wanted }, this._nextRevision());
    const label = `${VERBS[kind]}: ${step.label}`;
    const id = this._enqueue({
      label,
      operations: null,
      [kind]: { revision: step.revision, batch: step.batch },
      wanted,
      changes,
      waited: !changes.length,
    });
    this.pendingTurn = changes.length ? null : { id, label: step.label };
    if (changes.length) this._changed(changes, this.me);
  }

  /**
   * Show the effect of a batch. A batch that no longer applies has none here; the server decides about it.
   * @param {Pick<Batch, "operations"|"wanted">} batch
   * @param {number} revision
   */
  _effectOf({ operations, wanted }, revision) {
    try {
      return operations ? carryOut(this._shown, operations, revision) : takeBack(this._shown, wanted ?? [], revision);
    } catch (error) {
      if (error instanceof OperationError) return [];
      throw error;
    }
  }

  // Responses of the server

  /** @param {import("./types.js").Entry[]} fresh @param {Batch[]} done */
  _advance(fresh, done) {
    if (!this._queue.length) this._append(fresh);
    else if (this._isAsShown(fresh, done)) this._confirm(fresh, done);
    else {
      this._update(authorOf(fresh, this.me), () => {
        this._confirm(fresh, done);
        return fresh.flatMap((/** @type {import("./types.js").Entry} */ entry) => entry.changes);
      });
    }
  }

  /**
   * The only entry that came is the first waiting batch, which is already shown.
   * @param {import("./types.js").Entry[]} fresh
   * @param {Batch[]} done
   */
  _isAsShown([entry, ...more], [batch, ...others]) {
    if (!entry || more.length || others.length || batch !== this._queue[0]) return false;
    return entry.id === batch.id && canonical(entry.changes) === canonical(batch.changes);
  }

  /** @param {import("./types.js").Entry[]} fresh @param {Batch[]} done */
  _confirm(fresh, done) {
    for (const entry of fresh) {
      this._announceRemote(entry);
      apply(this._confirmed, entry.changes, entry.revision);
    }
    this._revision = fresh.at(-1)?.revision ?? this._revision;
    for (const batch of done) this._drop(batch);
    if (done.length && this._queue.length) this._store(this._queue[0]);
  }

  /** Handle an entry that is about to change the confirmed state. @param {import("./types.js").Entry} entry */
  _announceRemote(entry) {
    if (entry.by === this.me) return;
    this._emit("remote", { entry, state: this._confirmed });
    if (entry.changes.some((change) => change.c === "topic-")) this.losing = true;
  }

  /** @param {import("./types.js").Entry[]} fresh */
  _append(fresh) {
    for (const entry of fresh) {
      this._announceRemote(entry);
      apply(this._confirmed, entry.changes, entry.revision);
      apply(this._shown, entry.changes, entry.revision);
    }
    this._revision = fresh[fresh.length - 1].revision;
    this._changed(
      fresh.flatMap((/** @type {import("./types.js").Entry} */ entry) => entry.changes),
      authorOf(fresh, this.me),
    );
  }

  /** @param {import("./types.js").Changes} answer */
  _takeOverStatus({ revision = 0, undo, redo, status, archived, people, talk = 0, guidelines = 0 }) {
    const before = canonical([this._undo, this._redo, this.readOnly]);
    // A response that a later one has overtaken knows less than we do.
    if (undo !== undefined && revision >= this._revision) [this._undo, this._redo] = [undo, redo ?? null];
    if (status) this.draft.status = status;
    if (archived !== undefined) this.draft.archived = archived;
    if (canonical([this._undo, this._redo, this.readOnly]) !== before) this._emit("undo", {});
    if (people && canonical(people) !== canonical(this.people)) {
      this.people = people;
      this._emit("people", {});
    }
    if (talk > this.talk) {
      this.talk = talk;
      this._emit("talk", {});
    }
    if (guidelines > this.guidelines) {
      this.guidelines = guidelines;
      this._emit("guidelines", {});
    }
    this._saveChanged();
  }

  /**
   * Turn a rejected batch into a conflict, so that nothing of it is lost.
   * @param {Batch} batch
   * @param {import("./queue-storage.js").Refusal} refusal
   */
  _refuse(batch, refusal) {
    this._remove(batch);
    batch.conflict = refusal;
    this._store(batch);
    this.conflicts = [...this.conflicts, conflictOf(batch)];
    this._news.add("conflict");
  }

  // Showing

  /**
   * Change the waiting batches or the confirmed state, and rebuild the state on the screen.
   * @param {string} by
   * @param {Function} act
   */
  _update(by, act) {
    const before = this._queue.flatMap((batch) => batch.changes);
    const came = act() ?? [];
    this._show();
    const after = this._queue.flatMap((batch) => batch.changes);
    const same = canonical(before) === canonical(after);
    this._changed(same ? came : [...came, ...before, ...after], by);
    for (const kind of this._news) this._emit(kind, {});
    this._news.clear();
    this._saveChanged("undo");
  }

  _show() {
    this._shown = this._confirmed.clone();
    for (const [place, batch] of this._queue.entries())
      batch.changes = this._effectOf(batch, this._revision + 1 + place);
  }

  // Telling

  /** @param {import("./types.js").Change[]} changes @param {string} by */
  _changed(changes, by) {
    const structure = changes.some((/** @type {import("./types.js").Change} */ change) =>
      ["topic+", "topic-", "set", "place"].includes(change.c),
    );
    const pages = structure
      ? null
      : new Set(
          changes.flatMap(
            (/** @type {import("./types.js").Change} */ change) => change.pages ?? (change.page ? [change.page] : []),
          ),
        );
    this._emit("change", { pages, structure, by });
  }

  /** @param {string} [kind] */
  _saveChanged(kind) {
    if (kind) this._emit(kind, {});
    const save = canonical(this.save);
    if (save === this._lastSave) return;
    this._lastSave = save;
    this._emit("save", this.save);
  }

  /** @param {string} kind @param {object} [detail] */
  _emit(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** @param {import("./state.js").DraftState} state @param {import("./types.js").Operation[]} operations */
function labelIfPossible(state, operations) {
  try {
    return labelOf(state, operations);
  } catch {
    return null; // carrying them out will say what is wrong with the operations
  }
}

/** @param {import("./queue-storage.js").StoredBatch} batch @returns {Conflict} */
function conflictOf({ id, label, operations, conflict }) {
  return {
    id,
    label,
    reason: conflict?.reason ?? "",
    code: conflict?.code ?? "",
    operations: operations ?? [],
    clashes: conflict?.clashes ?? [],
    aside: conflict?.aside ?? false,
  };
}

/** @param {import("./types.js").Entry} one @param {import("./types.js").Entry} other */
function byRevision(one, other) {
  return one.revision - other.revision;
}

/** @param {import("./types.js").Entry[]} entries @param {string} me */
function authorOf(entries, me) {
  return entries.findLast((/** @type {import("./types.js").Entry} */ entry) => entry.by !== me)?.by ?? me;
}

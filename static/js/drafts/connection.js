// The connection between a store and the site. It sends the waiting batches one by one, asks for the changes of others
// once a second, and finds the cause if the site does not respond as usual.

import { ask, HttpError } from "../common/http.js";

/**
 * Milliseconds; `answer`: how long to wait for a response.
 * @typedef {typeof PACE} Pace
 */
const PACE = {
  answer: 30_000,
  poll: 1_000,
  signedOut: 5_000,
  retry: 1_000,
  retryMost: 30_000,
  presence: 10_000,
  presenceDelay: 250,
};

/**
 * What the connection needs of the store.
 * @typedef {object} ConnectedStore
 * @property {string} me
 * @property {import("./types.js").Urls} urls
 * @property {number} revision
 * @property {string} connectionProblem
 * @property {boolean} losing
 * @property {import("./queue-storage.js").Batch|undefined} firstWaiting
 * @property {(batch: import("./queue-storage.js").Batch) => object|null} requestOf
 * @property {(batch: import("./queue-storage.js").Batch) => void} sending
 * @property {(batch: import("./queue-storage.js").Batch) => boolean} isWaiting
 * @property {(batch: import("./queue-storage.js").Batch) => boolean} alreadyDone
 * @property {(answer: import("./types.js").Changes) => boolean} receive
 * @property {(batch: import("./queue-storage.js").Batch, error: HttpError) => boolean} rejectBatch
 * @property {(kind: string, reason?: string) => void} setConnectionProblem
 * @property {(draft: import("./types.js").Draft) => void} setDraft
 * @property {(losses: import("./types.js").Loss[]) => void} setLosses
 * @property {() => void} tryAgain
 * @property {(answered: boolean) => void} checkOtherTabs
 */

export class Connection {
  /**
   * @param {ConnectedStore} store
   * @param {object} options
   * @param {typeof globalThis.fetch} [options.fetch]
   * @param {Partial<Pace>} [options.pace] milliseconds; `answer`: how long to wait for a response
   */
  constructor(store, { fetch, pace }) {
    this._store = store;
    this._fetch = fetch ?? ((...given) => globalThis.fetch(...given));
    this._pace = { ...PACE, ...pace };
    this._tries = 0;
    this._pollPause = 0;
    /**
     * @type {{page: string|null|undefined, at: number, timer: number|undefined}} `page` is undefined until the first
     *   report
     */
    this._presence = { page: undefined, at: 0, timer: undefined };
    this._running = false;
    /** @type {[EventTarget, string, () => void][]} */
    this._events = [
      [globalThis, "online", () => this._again()],
      [globalThis, "focus", () => this._again()],
      [globalThis.document, "visibilitychange", () => this._seen()],
    ];
  }

  start() {
    if (this._running) return;
    this._running = true;
    for (const [target, kind, listener] of this._events) target.addEventListener(kind, listener);
    this.poll();
  }

  stop() {
    this._running = false;
    for (const [target, kind, listener] of this._events) target.removeEventListener(kind, listener);
    for (const timer of [this._pollTimer, this._retryTimer, this._presence.timer]) clearTimeout(timer);
  }

  // Sending

  /** Send the waiting batches in order. Only one request is in progress at a time. */
  async send() {
    if (this._sending) return;
    this._sending = true;
    await null; // what is done in one step is sent together
    try {
      while (await this._sendNext());
    } finally {
      this._sending = false;
      this.busyWith = null;
    }
  }

  async _sendNext() {
    const store = this._store;
    if (store.connectionProblem === "signed-out") return false;
    const batch = store.firstWaiting;
    if (!batch) return false;
    // Another tab may have sent what this batch undoes.
    if (!store.requestOf(batch) && !(await this._askChanges())) return false;
    const request = store.requestOf(batch);
    if (!request) return store.alreadyDone(batch);
    this.busyWith = batch.id;
    store.sending(batch);
    try {
      const answer = await this._ask(store.urls.operations, { method: "POST", body: request });
      this._works();
      if (!store.receive(answer)) await this._askChanges();
      if (store.isWaiting(batch)) store.alreadyDone(batch);
      return true;
    } catch (error) {
      return this._failed(error, batch);
    }
  }

  /**
   * @param {unknown} error
   * @param {import("./queue-storage.js").Batch} batch
   * @returns {Promise<boolean>} true to send the next batch
   */
  async _failed(error, batch) {
    if (!(error instanceof HttpError)) throw error;
    const store = this._store;
    if (error.mayPass) return this._retryLater(error);
    this._works();
    if (error.notAllowed) return this._notAllowed(error, batch);
    if (error.code === "no-effect" && batch.operations) {
      await this._askChanges(); // somebody else did the same, so it is already shown
      return store.alreadyDone(batch);
    }
    const { missed } = /** @type {import("./types.js").BatchProblem} */ (error.problem);
    store.receive({ entries: missed });
    return store.rejectBatch(batch, error);
  }

  /** @param {HttpError} error */
  _retryLater(error) {
    this._store.setConnectionProblem("offline", error.message);
    const wait = Math.max(
      error.retryAfter * 1_000,
      Math.min(this._pace.retry * 2 ** this._tries, this._pace.retryMost),
    );
    this._tries += 1;
    clearTimeout(this._retryTimer);
    this._retryTimer = setTimeout(() => this.send(), wait);
    return false;
  }

  _works() {
    this._tries = 0;
    clearTimeout(this._retryTimer);
    if (this._store.connectionProblem === "offline") this._store.setConnectionProblem("");
  }

  /**
   * Nobody is signed in, somebody else is, or this person can no longer edit. Ask for the draft to find out.
   * @param {HttpError} error
   * @param {import("./queue-storage.js").Batch} batch
   */
  async _notAllowed(error, batch) {
    const workspace = await this._workspace();
    if (workspace?.me === this._store.me && !workspace.draft.may_edit) {
      this._store.setDraft(workspace.draft);
      return this._store.rejectBatch(batch, error);
    }
    if (workspace?.me === this._store.me && !batch.refused) {
      batch.refused = true; // perhaps only the form token was old
      return true;
    }
    this._signedOut(workspace, error);
    return false;
  }

  /** @param {import("./types.js").Workspace|null} workspace @param {HttpError} [error] */
  _signedOut(workspace, error) {
    const { me } = this._store;
    const other = workspace && workspace.me !== me;
    const reason = other ? `You are signed in as ${workspace.me}; what waits here is ${me}'s.` : (error?.message ?? "");
    this._store.setConnectionProblem("signed-out", reason);
  }

  async _workspace() {
    try {
      return await this._ask(this._store.urls.draft, { me: undefined }); // in the name of the person who is signed in now
    } catch (error) {
      if (error instanceof HttpError) return null;
      throw error;
    }
  }

  /** Somebody has signed in again. If it is the same person, send the waiting batches. */
  async _recover() {
    const workspace = await this._workspace();
    if (workspace?.me !== this._store.me) return this._signedOut(workspace);
    this._store.setConnectionProblem("");
    this._store.tryAgain();
    return this.send();
  }

  // Asking

  /** Ask now, and keep asking while the page is visible. */
  async poll() {
    clearTimeout(this._pollTimer);
    if (this._polling) return;
    this._polling = true;
    try {
      // While something is being sent, its response contains new entries.
      const answered = !this._sending && (await this._askChanges());
      this._store.checkOtherTabs(answered);
    } finally {
      this._polling = false;
      this._pollLater();
    }
    this._hereAgain();
    if (this._store.losing && !this._tries) await this._askLosses();
    if (this._store.firstWaiting && !this._tries) this.send();
  }

  _pollLater() {
    clearTimeout(this._pollTimer);
    if (!this._running || !this._visible()) return;
    const usual = this._store.connectionProblem === "signed-out" ? this._pace.signedOut : this._pace.poll;
    this._pollTimer = setTimeout(() => this.poll(), Math.max(usual, this._pollPause));
  }

  /** @returns {Promise<boolean>} true if the store is up to date now */
  async _askChanges() {
    const store = this._store;
    try {
      const answer = await this._ask(`${store.urls.changes}?since=${store.revision}`);
      const offline = store.connectionProblem === "offline";
      this._pollPause = 0;
      this._works();
      if (!store.receive(answer)) return false;
      if (store.connectionProblem === "signed-out") await this._recover();
      else if (offline) this.send();
      return true;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this._pollPause = error.retryAfter * 1_000;
      if (error.notAllowed) this._signedOut(null, error);
      else if (error.mayPass && this._running) store.setConnectionProblem("offline", error.message);
      return false;
    }
  }

  /** Ask whose pages were in topics that others deleted. */
  async _askLosses() {
    try {
      this._store.setLosses((await this._ask(this._store.urls.losses)).results);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the next poll asks again
    }
  }

  /** Stop reporting what others deleted in a revision. @param {number} revision */
  async settle(revision) {
    try {
      await this._ask(this._store.urls.losses, { method: "POST", body: { revisions: [revision] } });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the next page reports it again
    }
  }

  _seen() {
    if (this._visible()) this._again();
  }

  /** Something may have improved: try again. */
  _again() {
    this._tries = 0;
    if (this._running) this.poll();
    if (this._store.firstWaiting) this.send();
  }

  // Presence

  /** @param {string|null} page */
  setPresence(page) {
    if (page === this._presence.page) return;
    this._presence.page = page;
    clearTimeout(this._presence.timer);
    this._presence.timer = setTimeout(() => this._here(), this._pace.presenceDelay);
  }

  _hereAgain() {
    const { page, at } = this._presence;
    if (this._running && page !== undefined && Date.now() - at > this._pace.presence) this._here();
  }

  async _here() {
    this._presence.at = Date.now();
    try {
      await this._ask(this._store.urls.presence, { method: "POST", body: { page: this._presence.page } });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the next poll finds out what is wrong
    }
  }

  /**
   * Send a request in the name of the person whose work this is, even if somebody else has signed in since.
   * @param {string} url
   * @param {{me?: string, method?: string, body?: object}} [options]
   */
  _ask(url, options) {
    const { body } = options ?? {};
    // Browsers finish small requests when the tab is closed, but refuse to do so above 64 kB.
    const keepalive = body !== undefined && JSON.stringify(body).length < 15_000;
    return ask(url, {
      me: this._store.me,
      ...options,
      fetch: this._fetch,
      keepalive,
      signal: AbortSignal.timeout(this._pace.answer),
    });
  }

  _visible() {
    return globalThis.document?.visibilityState !== "hidden";
  }
}

// Comments as one person sees them: those the site has, and those that wait to be sent.
//
// A comment is stored in the browser until the site has it, and sent with an id of its own. So it is neither lost nor
// posted twice. Text that is being typed is stored as well.

import { ask, HttpError } from "../common/http.js";
import { newBatchId } from "../common/ids.js";

/**
 * @typedef {object} Comment
 * @property {number} id
 * @property {string} op_id
 * @property {string} by
 * @property {string} at ISO 8601
 * @property {string} text
 * @property {string[]} named
 * @property {string|null} edited_at
 * @property {boolean} deleted
 *
 * @typedef {object} Thread
 * @property {number} id
 * @property {number} draft
 * @property {"page"|"topic"|"draft"} about
 * @property {string} key
 * @property {string} title the name of the subject when the thread began
 * @property {boolean} to_lead
 * @property {number} changed
 * @property {number} spoken
 * @property {number} read
 * @property {string|null} resolved_by
 * @property {string|null} resolved_at
 * @property {boolean} may_write
 * @property {boolean} may_ask true if the person may make it a question to the coordinator
 * @property {Comment[]} comments
 *
 * @typedef {{about: "page"|"topic"|"draft", key: string}} Subject
 * @typedef {{name: string, sees: boolean, leads: boolean}} Nameable
 *
 * @typedef {object} Waiting a comment that is being sent
 * @property {string} id
 * @property {string} text
 * @property {string} at
 * @property {number|null} thread null if the comment begins a thread
 * @property {Subject|null} subject the subject of a new thread
 * @property {boolean} to_lead
 * @property {string} [wrong] the site's message if it rejected the comment
 */

const RETRY = 3_000;
const PEOPLE_LAST = 20_000;

export class CommentStore extends EventTarget {
  /**
   * Events: "talk" (something has changed), "said" {told, not_told}, "heard" {thread, comment} (somebody else has
   * commented), "unread" {number} (threads anywhere with something new), "wrong" {words}.
   * @param {object} options
   * @param {string} options.me
   * @param {string} options.scope the part of the browser's storage that is used: the id of the draft
   * @param {Record<string, string>} options.urls see `addresses` in annotations/discussion/selectors.py
   * @param {Thread[]} options.threads
   * @param {Nameable[]} [options.people]
   * @param {number} [options.at]
   * @param {(waiting: Waiting) => boolean} [options.mayGo] true if the site can already know the subject
   * @param {Storage} [options.storage]
   */
  constructor({ me, scope, urls, threads, people = [], at = 0, mayGo, storage = globalThis.localStorage }) {
    super();
    this.me = me;
    this.urls = urls;
    this.people = people;
    this.at = at;
    this.mayGo = mayGo ?? (() => true);
    this.storage = storage;
    this.prefix = `qc4:talk:${scope}:${encodeURIComponent(me)}:`;
    /** @type {Map<number, Thread>} */
    this.threads = new Map(threads.map((thread) => [thread.id, thread]));
    this.asked = Date.now();
    /** @type {Map<number, Nameable[]>} thread -> the people an answer may mention */
    this.others = new Map();
    /** @type {Waiting[]} */
    this.waiting = this.#load();
    /** @type {number|undefined} */
    this.timer = undefined;
    this.sending = false;
  }

  // Reading

  /** The threads on a subject, or all threads; the oldest first. @param {Subject} [subject] */
  of(subject) {
    const all = [...this.threads.values()];
    return subject ? all.filter((one) => one.about === subject.about && one.key === subject.key) : all;
  }

  get open() {
    return this.of().filter((thread) => !thread.resolved_at);
  }

  get unread() {
    return this.of().filter(isNew);
  }

  /**
   * The keys of pages (or topics) that have open threads.
   * @param {"page"|"topic"} about
   * @returns {Map<string, number>}
   */
  openAbout(about) {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const thread of this.open) if (thread.about === about) found.set(thread.key, (found.get(thread.key) ?? 0) + 1);
    return found;
  }

  // From the site

  /** Fetch new comments, unless the latest change is known. @param {number} at the number of the latest change */
  async hear(at) {
    if (at <= this.at || this.hearing || !this.urls.threads) return;
    this.hearing = true;
    try {
      const found = await this.#ask(`${this.urls.threads}?since=${this.at}`);
      this.at = Math.max(this.at, found.at);
      this.take(...found.results);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the next poll reports the number again
    } finally {
      this.hearing = false;
    }
  }

  /** Take over threads as the site has them now. @param {...Thread} threads */
  take(...threads) {
    /** @type {{thread: Thread, comment: Comment}[]} */
    const heard = [];
    for (const thread of threads) {
      const known = this.threads.get(thread.id);
      if (known && known.changed > thread.changed) continue;
      this.threads.set(thread.id, { ...thread, read: Math.max(thread.read, known?.read ?? 0) });
      const before = new Set(known?.comments.map((comment) => comment.id));
      for (const comment of thread.comments)
        if (!before.has(comment.id) && comment.by !== this.me) heard.push({ thread, comment });
    }
    const arrived = new Set(threads.flatMap((thread) => thread.comments.map((comment) => comment.op_id)));
    for (const one of this.waiting) if (arrived.has(one.id)) this.#forget(one.id);
    this.waiting = this.waiting.filter((one) => !arrived.has(one.id));
    this.#tell();
    for (const detail of heard) this.dispatchEvent(new CustomEvent("heard", { detail }));
  }

  /**
   * The people a comment may mention, and who sees it. If several drafts are shown, each thread has its own.
   * @param {number} [thread]
   */
  peopleOf(thread) {
    return this.urls.people || !thread ? this.people : (this.others.get(thread) ?? []);
  }

  /** They may have changed since. @param {number} [thread] */
  async askPeople(thread) {
    const url = this.urls.people || (thread && `${this.#address("thread", thread)}/people`);
    const fresh = this.urls.people ? Date.now() - this.asked < PEOPLE_LAST : this.others.has(thread ?? 0);
    if (!url || fresh) return;
    this.asked = Date.now();
    try {
      const people = (await this.#ask(url)).results;
      if (this.urls.people) this.people = people;
      else if (thread) this.others.set(thread, people);
      this.#tell();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the known people are shown; the site decides in any case
    }
  }

  // Writing

  /** @param {string} text @param {{thread?: number, subject?: Subject, to_lead?: boolean}} where */
  say(text, { thread, subject, to_lead = false }) {
    /** @type {Waiting} */
    const one = {
      id: newBatchId(),
      text,
      at: new Date().toISOString(),
      thread: thread ?? null,
      subject: subject ?? null,
      to_lead,
    };
    this.waiting.push(one);
    this.#keep(one);
    this.#tell();
    this.send();
  }

  /** Send waiting comments in order. Failed requests that may succeed later are tried again. */
  async send() {
    clearTimeout(this.timer);
    if (this.sending) return;
    this.sending = true;
    try {
      for (const one of [...this.waiting]) {
        if (one.wrong || !this.waiting.includes(one)) continue;
        if (!this.mayGo(one) || !(await this.#sent(one))) {
          this.timer = setTimeout(() => this.send(), RETRY);
          break;
        }
      }
    } finally {
      this.sending = false;
    }
  }

  /** @param {Waiting} one @returns {Promise<boolean>} true to go on with the next comment */
  async #sent(one) {
    const { id, text } = one;
    try {
      const said = one.thread
        ? await this.#ask(this.#address("thread", one.thread), { method: "POST", body: { id, text } })
        : await this.#ask(this.urls.threads, {
            method: "POST",
            body: { id, text, to_lead: one.to_lead, ...one.subject },
          });
      this.take(said.thread);
      this.dispatchEvent(new CustomEvent("said", { detail: said }));
      return true;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.mayPass || error.status === 401) return false;
      one.wrong = [error.message, error.fix].filter(Boolean).join(" ");
      this.#keep(one);
      this.#tell();
      return true;
    }
  }

  /** Try again to send a comment that the site rejected. @param {Waiting} one */
  again(one) {
    delete one.wrong;
    this.send();
    this.#tell();
  }

  /** Discard a comment that waits. @param {Waiting} one */
  drop(one) {
    this.waiting = this.waiting.filter((each) => each !== one);
    this.#forget(one.id);
    this.#tell();
  }

  /** @param {Thread} thread @param {boolean} resolved */
  resolve(thread, resolved) {
    return this.#change(`${this.#address("thread", thread.id)}/${resolved ? "resolve" : "reopen"}`, "POST");
  }

  /**
   * Make a thread a question to the coordinator.
   * @param {Thread} thread
   * @returns {Promise<{already: boolean, told: string[]}|null>} null if it was not done
   */
  askLead(thread) {
    return this.#change(`${this.#address("thread", thread.id)}/ask-lead`, "POST");
  }

  /** @param {Comment} comment @param {string} text */
  edit(comment, text) {
    return this.#change(this.#address("comment", comment.id), "PATCH", { text });
  }

  /** @param {Comment} comment */
  delete(comment) {
    return this.#change(this.#address("comment", comment.id), "DELETE");
  }

  /**
   * @param {string} url
   * @param {string} method
   * @param {object} [body]
   * @returns {Promise<Json>} the response; null if it failed
   */
  async #change(url, method, body) {
    try {
      const answer = await this.#ask(url, { method, body });
      this.take(answer.thread ?? answer);
      return answer;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const words = [error.message, error.fix].filter(Boolean).join(" ");
      this.dispatchEvent(new CustomEvent("wrong", { detail: { words } }));
      return null;
    }
  }

  /** Mark a thread as read, here and on the site. @param {Thread} thread */
  async see(thread) {
    const known = this.threads.get(thread.id);
    if (!known || !isNew(known)) return;
    known.read = known.spoken;
    this.#tell();
    try {
      const url = `${this.#address("thread", known.id)}/read`;
      const detail = { number: (await this.#ask(url, { method: "POST", body: { upto: known.spoken } })).unread };
      this.dispatchEvent(new CustomEvent("unread", { detail }));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // it counts as new again after a reload
    }
  }

  // Stored in the browser

  /** Text that was typed and not sent. @param {string} name the name of the field @returns {string} */
  typed(name) {
    try {
      return this.storage.getItem(`${this.prefix}typed:${name}`) ?? "";
    } catch {
      return "";
    }
  }

  /** @param {string} name @param {string} text */
  type(name, text) {
    try {
      if (text) this.storage.setItem(`${this.prefix}typed:${name}`, text);
      else this.storage.removeItem(`${this.prefix}typed:${name}`);
    } catch {
      // Private windows may block storage: the text then lasts as long as its field.
    }
  }

  /** @returns {Waiting[]} */
  #load() {
    /** @type {Waiting[]} */
    const found = [];
    for (const key of this.#keys()) {
      try {
        found.push(JSON.parse(this.storage.getItem(key) ?? ""));
      } catch {
        // Another program's entry that happens to have such a name: leave it alone.
      }
    }
    return found.sort((one, other) => one.at.localeCompare(other.at));
  }

  /** @returns {string[]} */
  #keys() {
    try {
      const keys = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? "");
      return keys.filter((key) => key.startsWith(`${this.prefix}waiting:`));
    } catch {
      return []; // the browser stores nothing for this site
    }
  }

  /** @param {Waiting} one */
  #keep(one) {
    try {
      this.storage.setItem(`${this.prefix}waiting:${one.id}`, JSON.stringify(one));
    } catch {
      // The comment is sent in any case.
    }
  }

  /** @param {string} id */
  #forget(id) {
    try {
      this.storage.removeItem(`${this.prefix}waiting:${id}`);
    } catch {
      // The site recognises a comment that is sent again.
    }
  }

  /**
   * Send a request in the name of the person whose page this is, even if somebody else has signed in since.
   * @param {string} url
   * @param {{method?: string, body?: object}} [options]
   */
  #ask(url, options) {
    return ask(url, { me: this.me, ...options });
  }

  /** @param {string} name @param {number} id */
  #address(name, id) {
    return this.urls[name].replace("{id}", String(id));
  }

  #tell() {
    this.dispatchEvent(new CustomEvent("talk"));
  }
}

/** True if the thread has unread comments. @param {Thread} thread */
export function isNew(thread) {
  return thread.spoken > thread.read;
}

/** Show the number of unread threads at the top of the page. @param {number} number */
export function showUnread(number) {
  const chip = document.querySelector(".unread-comments .chip");
  if (!chip) return;
  chip.toggleAttribute("hidden", !number);
  const shown = chip.querySelector(".number");
  if (shown) shown.textContent = String(number);
}

/** @param {Subject} subject */
export function nameOf({ about, key }) {
  return `${about}:${key}`;
}

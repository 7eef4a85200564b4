// Comments as one person sees them: what the site told, and what waits to be sent.
//
// What somebody sends is kept in the browser until the site has it, and sent with an id of its own, so that it is
// neither lost nor said twice. What is being typed is kept as well.

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
 * @property {string} title what that was called when the thread began
 * @property {boolean} to_lead
 * @property {number} changed
 * @property {number} spoken
 * @property {number} read
 * @property {string|null} resolved_by
 * @property {string|null} resolved_at
 * @property {boolean} may_write
 * @property {boolean} may_ask whether one may make it a question to the lead
 * @property {Comment[]} comments
 *
 * @typedef {{about: "page"|"topic"|"draft", key: string}} Subject
 * @typedef {{name: string, sees: boolean, leads: boolean}} Nameable
 *
 * @typedef {object} Waiting a comment on its way
 * @property {string} id
 * @property {string} text
 * @property {string} at
 * @property {number|null} thread null: it begins one
 * @property {Subject|null} subject of a new thread
 * @property {boolean} to_lead
 * @property {string} [wrong] the site did not take it: its words
 */

const RETRY = 3_000;
const PEOPLE_LAST = 20_000;

export class CommentStore extends EventTarget {
  /**
   * Events: "talk" (something is different), "said" {told, not_told}, "heard" {thread, comment} (somebody else spoke),
   * "unread" {number} (threads anywhere with something new), "wrong" {words}.
   * @param {object} options
   * @param {string} options.me
   * @param {string} options.scope tells apart what is kept in the browser: the draft
   * @param {Record<string, string>} options.urls see `addresses` in annotations/selectors/comments.py
   * @param {Thread[]} options.threads
   * @param {Nameable[]} [options.people]
   * @param {number} [options.at]
   * @param {(waiting: Waiting) => boolean} [options.mayGo] whether the site can know what it is about by now
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
    /** @type {Map<number, Nameable[]>} thread -> whom an answer may name */
    this.others = new Map();
    /** @type {Waiting[]} */
    this.waiting = this.#load();
    /** @type {number|undefined} */
    this.timer = undefined;
    this.sending = false;
  }

  // What there is

  /** Those about something, the oldest first; without a subject all. @param {Subject} [subject] */
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

  /** Keys of pages (or topics) with open threads. @param {"page"|"topic"} about @returns {Map<string, number>} */
  openAbout(about) {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const thread of this.open) if (thread.about === about) found.set(thread.key, (found.get(thread.key) ?? 0) + 1);
    return found;
  }

  // From the site

  /** Something was said: asks what, unless it is known. @param {number} at the number of the latest change */
  async hear(at) {
    if (at <= this.at || this.hearing || !this.urls.threads) return;
    this.hearing = true;
    try {
      const found = await this.#ask(`${this.urls.threads}?since=${this.at}`);
      this.at = Math.max(this.at, found.at);
      this.take(...found.results);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the next poll says the number again
    } finally {
      this.hearing = false;
    }
  }

  /** Threads as the site has them now. @param {...Thread} threads */
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
   * Whom a comment may name, and who sees it: where several drafts are shown each thread has its own.
   * @param {number} [thread]
   */
  peopleOf(thread) {
    return this.urls.people || !thread ? this.people : (this.others.get(thread) ?? []);
  }

  /** That may have changed since. @param {number} [thread] */
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
      if (!(error instanceof HttpError)) throw error; // what is known is shown; the site decides anyway
    }
  }

  // What one does

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

  /** Sends what waits, in order; what may still go later is tried again. */
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

  /** @param {Waiting} one @returns {Promise<boolean>} whether to go on with the next */
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

  /** Tries again what the site did not take. @param {Waiting} one */
  again(one) {
    delete one.wrong;
    this.send();
    this.#tell();
  }

  /** Gives up what waits. @param {Waiting} one */
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
   * Makes a thread a question to the lead.
   * @param {Thread} thread
   * @returns {Promise<{already: boolean, told: string[]}|null>} null: it was not done
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
   * @returns {Promise<Json>} the answer; null where it was not done
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

  /** It was seen: no longer new here, and the site is told. @param {Thread} thread */
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

  // Kept in the browser

  /** What was typed and not sent. @param {string} name of the field @returns {string} */
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
      // Private windows may refuse storage: the text then lasts as long as its field.
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
        // Not ours, whatever its name says: left alone.
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
      return []; // the browser keeps nothing for this site
    }
  }

  /** @param {Waiting} one */
  #keep(one) {
    try {
      this.storage.setItem(`${this.prefix}waiting:${one.id}`, JSON.stringify(one));
    } catch {
      // It is sent all the same.
    }
  }

  /** @param {string} id */
  #forget(id) {
    try {
      this.storage.removeItem(`${this.prefix}waiting:${id}`);
    } catch {
      // Sent again it says nothing again.
    }
  }

  /**
   * As the person whose page this is, even if somebody else has signed in meanwhile.
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

/** Whether something in it has not been read. @param {Thread} thread */
export function isNew(thread) {
  return thread.spoken > thread.read;
}

/** The number at the head of the page. @param {number} number */
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

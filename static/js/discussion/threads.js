// Threads of comments on the screen. Each keeps its element while others comment, so that no typed text and no focus is
// lost.

import { add, arrange, bdi, button, fill, make, webAddress } from "../common/elements.js";
import { isNew, nameOf } from "./comment-store.js";
import { Composer } from "./composer.js";
import { piecesOf } from "./mentions.js";

/**
 * @typedef {import("./comment-store.js").Thread} Thread
 * @typedef {import("./comment-store.js").Waiting} Waiting
 * @typedef {import("./comment-store.js").Comment} Comment
 * @typedef {{element: HTMLElement, fresh: boolean, head: HTMLElement, said: HTMLElement, foot: HTMLElement, signature: string,
 *            answer: Composer|null, editing: {id: number, composer: Composer}|null}} Shown
 */

const TIMES = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export class Threads {
  /**
   * @param {object} needs
   * @param {import("./comment-store.js").CommentStore} needs.talk
   * @param {(thread: Thread) => import("../common/elements.js").Child} [needs.head] returns what is shown above a
   *   thread: its subject
   * @param {(words: string) => unknown} needs.say
   */
  constructor({ talk, head, say }) {
    this.talk = talk;
    this.headOf = head ?? (() => null);
    this.say = say;
    this.element = make("ul", { class: "threads" });
    /** @type {Map<number, Shown>} */
    this.shown = new Map();
    this.observer = new IntersectionObserver((entries) => this.#seen(entries), { threshold: 0 });
    /** @type {Thread[]} */
    this.threads = [];
    document.addEventListener("visibilitychange", () => this.#watchAgain());
  }

  /**
   * @param {Thread[]} threads
   * @param {Waiting[]} [beginning] threads that are being sent
   */
  render(threads, beginning = []) {
    this.threads = threads;
    const rows = threads.map((thread) => this.#row(thread));
    for (const [id, shown] of this.shown)
      if (!threads.some((thread) => thread.id === id)) {
        this.observer.unobserve(shown.foot);
        this.shown.delete(id);
      }
    arrange(this.element, [
      ...rows,
      ...beginning.map((one) => make("li", { class: "thread" }, make("ol", { class: "said" }, this.#onItsWay(one)))),
    ]);
  }

  /** The element of a thread. @param {number} id */
  elementOf(id) {
    return this.shown.get(id)?.element ?? null;
  }

  /** @param {Thread} thread */
  #row(thread) {
    const shown = this.shown.get(thread.id) ?? this.#made(thread);
    const waiting = this.talk.waiting.filter((one) => one.thread === thread.id);
    const head = this.headOf(thread);
    const signature = JSON.stringify([
      { ...thread, read: 0 },
      waiting,
      head instanceof HTMLElement ? head.textContent : String(head),
      shown.editing?.id,
    ]);
    // A new comment stays marked while it is in sight, although it counts as read at once.
    shown.fresh ||= isNew(thread);
    shown.element.classList.toggle("new", shown.fresh);
    // The thread may have become a question to the coordinator: the field says who will read the comment.
    for (const composer of [shown.answer, shown.editing?.composer]) {
      if (!composer) continue;
      composer.toLead = thread.to_lead;
      composer.render();
    }
    if (shown.signature === signature) return shown.element;
    shown.signature = signature;
    shown.element.classList.toggle("resolved", Boolean(thread.resolved_at));
    shown.element.setAttribute("aria-label", `Thread of ${thread.comments[0]?.by ?? "nobody"}`);
    fill(
      shown.head,
      head,
      thread.to_lead && make("span", { class: "chip" }, "question to the lead"),
      thread.resolved_at && make("span", { class: "chip good" }, "resolved by ", bdi(thread.resolved_by ?? "")),
    );
    const held = shown.said.contains(document.activeElement) ? document.activeElement : null;
    fill(
      shown.said,
      thread.comments.map((comment) => this.#comment(thread, comment, shown)),
      waiting.map((one) => this.#onItsWay(one)),
    );
    if (held instanceof HTMLElement && held.isConnected) held.focus();
    this.#foot(thread, shown);
    return shown.element;
  }

  /** @param {Thread} thread @returns {Shown} */
  #made(thread) {
    const head = make("div", { class: "thread-head" });
    const said = make("ol", { class: "said" });
    const foot = make("div", { class: "thread-foot", data: { thread: thread.id } });
    const element = make("li", { class: "thread", data: { thread: thread.id }, tabindex: "-1" }, head, said, foot);
    /** @type {Shown} */
    const shown = { element, fresh: false, head, said, foot, signature: "", answer: null, editing: null };
    this.shown.set(thread.id, shown);
    // Scroll to the end, where the latest comment is.
    this.observer.observe(foot);
    return shown;
  }

  /** @param {Thread} thread @param {Shown} shown */
  #foot(thread, shown) {
    if (!thread.may_write) return fill(shown.foot);
    const resolved = Boolean(thread.resolved_at);
    if (shown.answer?.element.isConnected) return;
    const typed = this.talk.typed(`thread:${thread.id}`);
    if (typed && !shown.answer) return this.#answer(thread, shown, false);
    const had = shown.foot.contains(document.activeElement);
    fill(
      shown.foot,
      button("Answer", () => this.#answer(thread, shown, true), { kind: "tool small", "data-do": "answer" }),
      button(resolved ? "Open again" : "Resolve", () => this.#resolve(thread, !resolved), {
        kind: "tool small",
        picture: resolved ? undefined : "check",
        "data-do": "resolve",
      }),
      thread.may_ask &&
        button("Ask the lead", () => this.#askLead(thread), {
          kind: "tool small",
          title: "Owners and adjudicators see this thread then, though not the draft",
        }),
    );
    if (had) /** @type {HTMLElement} */ (shown.foot.querySelector("[data-do=resolve]")).focus();
  }

  /** @param {Thread} thread @param {Shown} shown @param {boolean} focus */
  #answer(thread, shown, focus) {
    const leave = () => {
      this.talk.type(`thread:${thread.id}`, "");
      shown.answer = null;
      shown.foot.replaceChildren();
      this.#foot(this.talk.threads.get(thread.id) ?? thread, shown);
      /** @type {HTMLElement|null} */ (shown.foot.querySelector("[data-do=answer]"))?.focus();
    };
    shown.answer = new Composer({
      talk: this.talk,
      name: `thread:${thread.id}`,
      label: "Answer",
      words: "Answer",
      thread: thread.id,
      toLead: thread.to_lead,
      send: (text) => {
        this.talk.say(text, { thread: thread.id });
        this.say("Answered.");
        // Empty the field first: the text is being sent.
        setTimeout(leave, 0);
      },
      leave,
    });
    fill(shown.foot, shown.answer.element);
    if (focus) shown.answer.focus();
  }

  /** @param {Thread} thread @param {boolean} resolved */
  async #resolve(thread, resolved) {
    if (await this.talk.resolve(thread, resolved)) this.say(resolved ? "Thread resolved." : "Thread opened again.");
  }

  /** @param {Thread} thread */
  async #askLead(thread) {
    const asked = await this.talk.askLead(thread);
    if (!asked) return;
    const told = asked.told.length ? `Asked the lead: ${asked.told.join(", ")}.` : "Asked; nobody leads here just now.";
    this.say(asked.already ? "The lead was asked before." : told);
  }

  // Comments

  /** @param {Thread} thread @param {Comment} comment @param {Shown} shown */
  #comment(thread, comment, shown) {
    if (shown.editing?.id === comment.id)
      return make("li", { class: "comment" }, this.#by(comment), shown.editing.composer.element);
    const mine = comment.by === this.talk.me && thread.may_write && !comment.deleted;
    return make(
      "li",
      { class: `comment${comment.deleted ? " deleted" : ""}` },
      this.#by(comment),
      comment.deleted ? make("p", { class: "words muted" }, "deleted") : this.#words(comment.text, comment.named),
      mine &&
        make(
          "div",
          { class: "own" },
          button("Edit", () => this.#edit(thread, comment, shown), { kind: "link-button" }),
          button("Delete", () => this.#delete(comment), { kind: "link-button" }),
        ),
    );
  }

  /** @param {Comment} comment */
  #by(comment) {
    return make(
      "p",
      { class: "by" },
      bdi(comment.by, { class: "who" }),
      make("time", { datetime: comment.at }, TIMES.format(new Date(comment.at))),
      comment.edited_at && !comment.deleted && make("span", {}, "edited"),
    );
  }

  /** @param {string} text @param {string[]} named */
  #words(text, named) {
    const names = [...named, this.talk.me];
    return add(
      make("p", { class: "words", dir: "auto" }),
      piecesOf(text, names).map((piece) => {
        if (piece.kind === "name") return bdi(piece.text, { class: "mention" });
        const address = piece.kind === "link" && webAddress(piece.text);
        if (!address) return bdi(piece.text);
        return make("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, bdi(piece.text));
      }),
    );
  }

  /** @param {Waiting} one */
  #onItsWay(one) {
    return make(
      "li",
      { class: `comment waiting${one.wrong ? " wrong" : ""}` },
      make(
        "p",
        { class: "by" },
        bdi(this.talk.me, { class: "who" }),
        make("span", {}, one.wrong ? "not sent" : "sending…"),
      ),
      this.#words(one.text, []),
      one.wrong && [
        make("p", { class: "why", role: "alert" }, one.wrong),
        button("Try again", () => this.talk.again(one), { kind: "tool small" }),
        button("Discard", () => this.talk.drop(one), { kind: "tool small" }),
      ],
    );
  }

  /** @param {Thread} thread @param {Comment} comment @param {Shown} shown */
  #edit(thread, comment, shown) {
    const leave = () => {
      this.talk.type(`comment:${comment.id}`, "");
      shown.editing = null;
      this.#row(this.talk.threads.get(thread.id) ?? thread);
      shown.element.focus();
    };
    const composer = new Composer({
      talk: this.talk,
      name: `comment:${comment.id}`,
      label: "Your comment",
      words: "Save",
      start: comment.text,
      thread: thread.id,
      toLead: thread.to_lead,
      send: (text) => {
        this.talk.edit(comment, text).then((done) => {
          if (!done) return;
          leave();
          this.say("Comment changed.");
        });
        return false; // the text stays in its field until the site has it
      },
      leave,
    });
    shown.editing = { id: comment.id, composer };
    this.#row(thread);
    composer.focus();
  }

  /** @param {Comment} comment */
  async #delete(comment) {
    if (await this.talk.delete(comment)) this.say("Comment deleted. Its place is kept.");
  }

  // Read

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    if (document.visibilityState === "hidden") return;
    for (const { isIntersecting, target } of entries) {
      const thread = this.talk.threads.get(Number(/** @type {HTMLElement} */ (target).dataset.thread));
      if (isIntersecting && thread) this.talk.see(thread);
    }
  }

  /** Check again which comments are in sight: some may have arrived while nobody was looking. */
  #watchAgain() {
    if (document.visibilityState === "hidden") return;
    for (const { foot } of this.shown.values()) {
      this.observer.unobserve(foot);
      this.observer.observe(foot);
    }
  }

  /** Remove the marks of comments that were new. */
  settle() {
    for (const shown of this.shown.values()) shown.fresh = false;
  }

  /** Mark new comments of threads that are already in sight. */
  lookAgain() {
    if (this.threads.some(isNew)) this.#watchAgain();
  }
}

/**
 * A field for a new thread on a subject.
 * @param {import("./comment-store.js").CommentStore} talk
 * @param {import("./comment-store.js").Subject} subject
 * @param {string} label
 * @param {(words: string) => unknown} say
 * @param {() => void} [onescape] Esc
 */
export function newThread(talk, subject, label, say, onescape) {
  return new Composer({
    talk,
    name: nameOf(subject),
    label,
    asks: true,
    onescape,
    send: (text, toLead) => {
      talk.say(text, { subject, to_lead: toLead });
      say(toLead ? "Asked the lead." : "Commented.");
    },
  });
}

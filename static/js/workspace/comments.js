// Comments in the workspace: on the current page in its panel, and on the whole draft in the side panel. The number of
// unread threads is at the top, and pages and topics with open comments are marked.

import { say, toast } from "../common/announce.js";
import { bdi, button, byId, count, fill, icon, make, onDetail, setAttribute } from "../common/elements.js";
import { CommentStore, isNew, showUnread } from "../discussion/comment-store.js";
import { newThread, Threads } from "../discussion/threads.js";

/** @typedef {import("../discussion/comment-store.js").Subject} Subject @typedef {import("../discussion/comment-store.js").Thread} Thread */

/** @type {Record<string, {words: string, holds: (thread: Thread) => boolean, none: string}>} */
const FILTERS = {
  open: { words: "Open", holds: (thread) => !thread.resolved_at, none: "There are no open threads." },
  unread: { words: "New to you", holds: isNew, none: "There is nothing new for you." },
  resolved: {
    words: "Resolved",
    holds: (thread) => Boolean(thread.resolved_at),
    none: "There are no resolved threads.",
  },
  all: { words: "All", holds: () => true, none: "There are no comments yet." },
};

export class Comments {
  /**
   * @param {object} needs
   * @param {import("../drafts/types.js").Workspace} needs.workspace
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./view.js").View} needs.view
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./page-panel.js").PagePanel} needs.panel
   * @param {import("./side-panel.js").SidePanel} needs.side
   * @param {() => void} needs.redraw redraws the marks of open threads
   */
  constructor({ workspace, store, view, keys, go, panel, side, redraw }) {
    this.store = store;
    this.view = view;
    this.keys = keys;
    this.go = go;
    this.panel = panel;
    this.side = side;
    this.redraw = redraw;
    this.talk = new CommentStore({
      me: workspace.me,
      scope: String(workspace.draft.id),
      urls: workspace.talk.urls,
      threads: workspace.talk.results,
      people: workspace.talk.people,
      at: workspace.talk.at,
      // The site knows a topic that was made here only once it has been sent.
      mayGo: (one) => one.subject?.about !== "topic" || store.save.waiting === 0,
    });
    this.filter = "open";
    /** @type {Subject|null} the only subject in the side panel; null for all */
    this.subject = null;
    /** @type {Map<string, import("../discussion/composer.js").Composer>} */
    this.composers = new Map();
    const { talk } = this;
    this.onPage = new Threads({ talk, say });
    this.resolved = new Threads({ talk, say });
    this.settledWords = make("summary", {});
    this.settled = make("details", { class: "settled", hidden: true }, this.settledWords, this.resolved.element);
    this.section = make("section", { class: "p-talk" });
    panel.body.querySelector(".p-note")?.after(this.section);
    this.all = new Threads({ talk, say, head: (thread) => this.#about(thread) });
    this.title = make("div", { class: "side-title" });
    this.nothing = make("p", { class: "muted none" });
    this.field = make("div", {});
    fill(byId("side-comments"), this.title, this.field, this.all.element, this.nothing);
    this.#listen();
    this.#count();
    talk.send();
  }

  #listen() {
    this.talk.addEventListener("talk", () => this.#changed());
    onDetail(this.talk, "said", said);
    onDetail(this.talk, "wrong", ({ words }) => toast(words, { kind: "bad" }));
    onDetail(this.talk, "heard", (detail) => this.#heard(detail));
    onDetail(this.talk, "unread", ({ number }) => showUnread(number));
    this.store.addEventListener("talk", () => this.talk.hear(this.store.talk));
    byId("talk").addEventListener("click", () => (this.side.shown === "comments" ? this.side.close() : this.showAll()));
    this.side.add("comments", { open: () => this.#opened(), focus: () => this.#focusSide() });
    this.panel.comment = () => this.commentOnPage();
  }

  // For other parts

  /** Pages with open threads, in page-list order. @returns {string[]} */
  get pages() {
    return this.store.state.inOrder(new Set(this.talk.openAbout("page").keys()));
  }

  #count() {
    this.view.talk = { pages: this.talk.openAbout("page"), topics: this.talk.openAbout("topic") };
    const [open, fresh] = [this.talk.open.length, this.talk.unread.length];
    const words = `Comments: ${count(open, "open thread")}${fresh ? `, ${fresh} with something new` : ""}`;
    const key = this.keys.hint("comments");
    const element = byId("talk");
    fill(element, icon("comment"), make("span", { class: "number" }, open ? String(open) : ""));
    element.classList.toggle("fresh", fresh > 0);
    setAttribute(element, "aria-label", words);
    setAttribute(element, "title", key ? `${words} (${key})` : words);
  }

  #changed() {
    this.#count();
    this.render();
    this.redraw();
    for (const threads of [this.onPage, this.all]) threads.lookAgain();
  }

  #opened() {
    this.all.settle();
    this.render();
  }

  /**
   * Report a comment by somebody else that mentions this person or is in one of their threads.
   * @param {{thread: Thread, comment: import("../discussion/comment-store.js").Comment}} detail
   */
  #heard({ thread, comment }) {
    const { me } = this.talk;
    const named = comment.named.includes(me);
    const words = `${comment.by} ${named ? "named you in a comment" : "commented"} on ${this.#wordsOf(thread)}.`;
    const asked = thread.to_lead && this.store.draft.may_publish;
    if (!named && !asked && !thread.comments.some((one) => one.by === me)) return void say(words);
    toast(words, { action: "Look", onaction: () => this.show(thread) });
  }

  /** @param {Thread} thread */
  #wordsOf(thread) {
    if (thread.about === "draft") return "the draft";
    return `${thread.about === "page" ? "page" : "topic"} “${this.#nameOf(thread) ?? thread.title}”`;
  }

  // Drawing

  render() {
    this.#renderPage();
    if (this.side.shown === "comments") this.#renderSide();
  }

  #renderPage() {
    const { page } = this.view;
    if (!page) return;
    /** @type {Subject} */
    const subject = { about: "page", key: page.id };
    const threads = this.talk.of(subject);
    const open = threads.filter((thread) => !thread.resolved_at || isNew(thread));
    const settled = threads.filter((thread) => !open.includes(thread));
    if (this.section.dataset.page !== page.id) {
      this.section.dataset.page = page.id;
      fill(
        this.section,
        make("h3", {}, "Comments"),
        this.onPage.element,
        this.settled,
        this.#composer(subject, "Comment on this page")?.element,
      );
    }
    this.onPage.render(open, this.#beginning(subject));
    this.settled.hidden = !settled.length;
    this.settledWords.textContent = `${settled.length} resolved`;
    this.resolved.render(settled);
    for (const composer of this.composers.values()) if (composer.element.isConnected) composer.render();
  }

  #renderSide() {
    const { subject } = this;
    const known = subject ? this.#nameOf(subject) : null;
    const { holds, none } = FILTERS[this.filter];
    const threads = subject ? this.talk.of(subject) : this.talk.of().filter(holds);
    const signature = JSON.stringify([subject, known, this.filter]);
    if (this.title.dataset.shows !== signature) {
      this.title.dataset.shows = signature;
      fill(this.title, subject ? this.#alone(known) : this.#filters());
      /** @type {Subject} */
      const about = subject ?? { about: "draft", key: "" };
      const label = subject ? `Comment on this ${subject.about}` : "Comment on the draft as a whole";
      fill(this.field, this.#composer(about, label)?.element);
    }
    this.#renderCounts();
    this.all.render(
      subject ? threads : sorted(threads),
      this.talk.waiting.filter((one) => one.subject && (!subject || same(one.subject, subject))),
    );
    this.nothing.hidden = threads.length > 0;
    this.nothing.textContent = subject ? "There are no comments on it yet." : none;
  }

  /** @param {string|null} name */
  #alone(name) {
    return [
      button("All comments", () => this.showAll(), { kind: "tool small" }),
      make("h3", {}, "On the topic ", bdi(name ?? "")),
    ];
  }

  #filters() {
    return make(
      "div",
      { class: "filters", role: "group", "aria-label": "Which threads" },
      Object.entries(FILTERS).map(([key, { words }]) =>
        button(
          words,
          () => {
            this.filter = key;
            this.#renderSide();
            /** @type {HTMLElement} */ (this.title.querySelector(`[data-filter=${key}]`)).focus();
          },
          { kind: "tool small", "aria-pressed": String(this.filter === key), "data-filter": key },
        ),
      ),
    );
  }

  #renderCounts() {
    for (const element of this.title.querySelectorAll("[data-filter]")) {
      const { words, holds } = FILTERS[/** @type {HTMLElement} */ (element).dataset.filter ?? "all"];
      element.textContent = `${words} ${this.talk.of().filter(holds).length}`;
    }
  }

  /** The subject of a thread, and a link to it. @param {Thread} thread */
  #about(thread) {
    if (thread.about === "draft") return make("span", { class: "about" }, "On the draft");
    const name = this.#nameOf(thread);
    if (name === null)
      return make("span", { class: "about" }, "On a topic that was deleted: ", bdi(thread.title || thread.key));
    const go = () => (thread.about === "page" ? this.go.page(thread.key) : this.go.topic(thread.key));
    return make(
      "span",
      { class: "about" },
      thread.about === "page" ? "On page " : "On topic ",
      make("button", { type: "button", class: "link-button", onclick: go }, bdi(name)),
    );
  }

  /** The current name of a page or topic; null if the topic does not exist. @param {Subject} subject */
  #nameOf({ about, key }) {
    if (about === "topic") return this.store.state.topic(key)?.name ?? null;
    const page = this.store.pages.get(key);
    return page ? page.title || page.id : key;
  }

  /**
   * The field for a subject. It keeps its text while the person looks elsewhere.
   * @param {Subject} subject
   * @param {string} label
   */
  #composer(subject, label) {
    if (this.store.draft.archived) return null;
    const key = `${subject.about}:${subject.key}`;
    let composer = this.composers.get(key);
    if (!composer) {
      const back = subject.about === "page" ? () => this.go.focus("pages") : undefined;
      composer = newThread(this.talk, subject, label, say, back);
      this.composers.set(key, composer);
    }
    composer.render();
    return composer;
  }

  /** @param {Subject} subject */
  #beginning(subject) {
    return this.talk.waiting.filter((one) => one.subject && same(one.subject, subject));
  }

  // Navigation

  /** Comment on the page under the cursor. */
  commentOnPage() {
    if (!this.view.page) return say("There is no page to comment on.");
    if (this.side.shown) this.side.close();
    this.go.show("page");
    this.render();
    const composer = this.composers.get(`page:${this.view.page.id}`);
    this.section.scrollIntoView({ block: "nearest" });
    composer?.focus();
    return true;
  }

  /** @param {string} id */
  commentOnTopic(id) {
    this.subject = { about: "topic", key: id };
    this.side.open("comments");
  }

  /** Go to a thread. @param {Thread} thread */
  show(thread) {
    if (thread.about === "topic" && this.store.state.topic(thread.key)) this.commentOnTopic(thread.key);
    else if (thread.about !== "page") this.showAll();
    else {
      if (this.side.shown) this.side.close();
      this.go.page(thread.key);
      this.go.show("page");
      this.render();
    }
    const found = (thread.about === "page" ? this.onPage : this.all).elementOf(thread.id);
    found?.scrollIntoView({ block: "nearest" });
    found?.focus();
  }

  showAll() {
    this.subject = null;
    this.side.open("comments");
  }

  #focusSide() {
    const { subject } = this;
    const composer = subject && this.composers.get(`${subject.about}:${subject.key}`);
    if (composer) composer.focus();
    /** @type {HTMLElement|null} */ else this.title.querySelector("[aria-pressed=true]")?.focus();
  }
}

/**
 * Report who is notified of a comment, and who is not.
 * @param {{told: string[], not_told: string[]}} detail
 */
function said({ told, not_told: blind }) {
  if (blind.length) return toast(`${blind.join(", ")} cannot see this draft now and will not be notified.`);
  if (told.length) say(`Sent. ${told.join(", ")} will be notified.`);
  return undefined;
}

/** New threads first, then by their latest comment. @param {Thread[]} threads */
function sorted(threads) {
  return [...threads].sort(
    (one, other) => Number(isNew(other)) - Number(isNew(one)) || other.spoken - one.spoken || other.id - one.id,
  );
}

/** @param {Subject} one @param {Subject} other */
function same(one, other) {
  return one.about === other.about && one.key === other.key;
}

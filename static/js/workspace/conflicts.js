// Conflicts with the work of others: rejected changes, typed text, deleted topics, and what the person can do
// about it.

import { announce, say, toast, wordsOf } from "../common/announce.js";
import { bdi, button, count, fill, make } from "../common/elements.js";
import { dialogRedrawn, openDialog } from "./dialogs.js";

const NAMED_PAGES = 8;

/** @typedef {import("../drafts/queue-storage.js").Conflict} Conflict */
/** @typedef {{words: string, mine: string, theirs: (state: import("../drafts/state.js").DraftState) => string|null}} Typed */

export class Conflicts {
  /**
   * @param {object} needs
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./navigation.js").Navigation} needs.go
   */
  constructor({ store, go }) {
    this.store = store;
    this.go = go;
  }

  /** The number of conflicts, including those that were set aside. */
  get size() {
    return this.store.conflicts.length + this.store.losses.length;
  }

  /** One message about all conflicts; empty if none waits for a decision. */
  words() {
    const { open, losses } = this.store;
    if (open.length + losses.length > 1) {
      const parts = [
        open.length && `${count(open.length, "change")} of yours ${open.length === 1 ? "was" : "were"} not made`,
        losses.length &&
          `${count(losses.length, "topic")} with pages you had placed ${losses.length === 1 ? "was" : "were"} deleted`,
      ].filter(Boolean);
      // A change may also have been rejected because of itself.
      const others = open.every(({ clashes }) => clashes.length > 0);
      const words = `${parts.join(", and ")}.`;
      return others ? `Others changed the draft: ${words}` : `${words[0].toUpperCase()}${words.slice(1)}`;
    }
    if (losses.length) return lossWords(losses[0], this.store);
    return open.length ? `“${open[0].label}” was not done. ${whyOf(open[0])}` : "";
  }

  /** Show all conflicts, one card each. @param {string} title @param {string} intro */
  show(title, intro) {
    const list = make("ul", { class: "conflicts" });
    const draw = () => {
      const { open, losses, conflicts } = this.store;
      fill(
        list,
        losses.map((loss) => this.#loss(loss, close)),
        open.map((conflict) => this.#conflict(conflict, close)),
        conflicts.filter(({ aside }) => aside).map((conflict) => this.#conflict(conflict, close)),
      );
    };
    const close = () => dialog.close();
    const follow = () => {
      const had = dialog.contains(document.activeElement);
      draw();
      dialogRedrawn(dialog);
      if (!this.size) return close();
      if (had && !dialog.contains(document.activeElement)) dialog.querySelector(".conflicts button")?.focus();
    };
    const dialog = openDialog({
      title,
      kind: "wide",
      content: [intro && make("p", {}, intro), list],
      onclose: () => this.store.removeEventListener("conflict", follow),
    });
    this.store.addEventListener("conflict", follow);
    draw();
    list.querySelector("button")?.focus();
  }

  /** @param {Conflict} conflict @param {() => void} close */
  #conflict(conflict, close) {
    const { store } = this;
    const typed = conflict.operations.map((operation) => typedIn(operation, store)).filter((one) => one !== null);
    const gone = conflict.clashes.filter(({ gone }) => gone.some((topic) => !store.state.topic(topic)));
    const retry = () => this.#attempt(() => store.retryConflict(conflict.id));
    const restore = () =>
      this.#attempt(() => {
        for (const { revision, label } of gone) store.restore(revision, label);
        store.retryConflict(conflict.id);
      });
    const letGo = () => {
      store.setAside(conflict.id);
      say(`“${conflict.label}” is set aside. Find it under “More”, “Set aside”.`);
      if (!store.open.length && !store.losses.length) close();
    };
    return make(
      "li",
      { class: `conflict${conflict.aside ? " aside" : ""}` },
      make("h3", {}, bdi(conflict.label), conflict.aside && make("span", { class: "muted" }, " · set aside")),
      make("p", {}, bdi(whyOf(conflict))),
      typed.map((one) => this.#texts(one)),
      make(
        "p",
        { class: "buttons" },
        !store.readOnly &&
          (gone.length
            ? button(`Bring ${namesOf(gone, store)} back, and do it`, restore, { kind: "tool strong" })
            : button("Try again", retry, { kind: "tool strong" })),
        typed.length > 0 && button("Copy what I typed", () => this.#copy(typed), { kind: "tool" }),
        conflict.aside
          ? button("Delete for good", () => store.dismissConflict(conflict.id), { kind: "tool" })
          : button("Let it go", letGo, { kind: "tool" }),
      ),
    );
  }

  /** The person's text beside that of others. @param {Typed} typed */
  #texts({ words, mine, theirs }) {
    const now = theirs(this.store.state);
    return make(
      "div",
      { class: "both-texts" },
      make("div", {}, make("h4", {}, `You typed, as the ${words}`), bdi(mine || "(empty)", { class: "kept-text" })),
      make(
        "div",
        {},
        make("h4", {}, "In the draft now"),
        now === null
          ? make("p", { class: "muted" }, "The topic no longer exists.")
          : bdi(now || "(empty)", { class: "kept-text" }),
      ),
    );
  }

  /** @param {Typed[]} typed */
  async #copy(typed) {
    const text = typed.map(({ mine }) => mine).join("\n\n");
    try {
      await navigator.clipboard.writeText(text);
      announce("Copied.");
      toast("Copied what you typed.");
    } catch {
      toast("The browser does not allow copying. Select the text and copy it yourself.", { kind: "bad" });
    }
  }

  /** @param {import("../drafts/types.js").Loss} loss @param {() => void} close */
  #loss(loss, close) {
    const { store } = this;
    const restore = () => this.#attempt(() => store.restore(loss.revision, loss.label));
    const leave = () => {
      store.settleLoss(loss.revision);
      if (!this.size) close();
    };
    const shown = loss.pages.slice(0, NAMED_PAGES);
    return make(
      "li",
      { class: "conflict loss" },
      make("h3", {}, bdi(lossWords(loss, store))),
      make(
        "ul",
        { class: "lost-pages" },
        shown.map((page) =>
          make("li", {}, this.#page(page, close), " ", bdi(placeOf(page, store), { class: "muted" })),
        ),
        loss.pages.length > shown.length &&
          make("li", { class: "muted" }, `and ${loss.pages.length - shown.length} more`),
      ),
      make(
        "p",
        { class: "buttons" },
        !store.readOnly && button(`Bring “${loss.name}” back with its pages`, restore, { kind: "tool strong" }),
        button("Leave it so", leave, { kind: "tool" }),
      ),
    );
  }

  /** @param {string} page @param {() => void} close */
  #page(page, close) {
    const go = () => {
      close();
      this.go.page(page);
    };
    return button(this.store.pages.get(page)?.title || page, go, { kind: "link-button" });
  }

  /** @param {() => void} act */
  #attempt(act) {
    try {
      act();
    } catch (error) {
      toast(wordsOf(error), { kind: "bad" });
    }
  }
}

/** @param {Conflict} conflict */
function whyOf({ clashes, reason }) {
  if (!clashes.length) return reason;
  return clashes
    .map(({ by, label, also }) => `Meanwhile ${by}: ${label}${also ? `, and ${count(also, "page")} more before` : ""}.`)
    .join(" ");
}

/** @param {import("../drafts/types.js").Loss} loss @param {import("../drafts/store.js").DraftStore} store */
function lossWords({ by, name, pages }, store) {
  const places = new Set(pages.map((page) => placeOf(page, store)));
  const where = places.size === 1 ? [...places][0] : "elsewhere or unplaced";
  return `${by} deleted “${name}”: ${count(pages.length, "page")} you had placed there ${pages.length === 1 ? "is" : "are"} ${where}.`;
}

/** Where a page is now. @param {string} page @param {import("../drafts/store.js").DraftStore} store */
function placeOf(page, { state }) {
  if (state.outliers.has(page)) return "an outlier now";
  const topics = state.finestTopics(page).map((topic) => state.topicOf(topic).name);
  return topics.length ? `in ${topics.join(", ")} now` : "unplaced now";
}

/** @param {import("../drafts/types.js").Clash[]} gone @param {import("../drafts/store.js").DraftStore} store */
function namesOf(gone, store) {
  const names = gone.flatMap((clash) => store.namesOfGone(clash));
  return names.length === 1 ? `“${names[0]}”` : "them";
}

/**
 * Text that somebody typed and must not lose, and how to find the current text.
 * @param {import("../drafts/types.js").Operation} operation
 * @param {import("../drafts/store.js").DraftStore} store
 * @returns {Typed|null}
 */
function typedIn(operation, store) {
  const { kind, topic, page } = operation;
  /** @param {"name"|"description"|"note"} field */
  const ofTopic = (field) => (/** @type {import("../drafts/state.js").DraftState} */ state) =>
    state.topic(topic)?.[field] ?? null;
  if (kind === "rename") return { words: "name", mine: operation.name, theirs: ofTopic("name") };
  if (kind === "describe") return { words: "description", mine: operation.text, theirs: ofTopic("description") };
  if (kind === "topic_note") return { words: "note", mine: operation.text, theirs: ofTopic("note") };
  if (kind === "note")
    return {
      words: `note on “${store.pages.get(page)?.title || page}”`,
      mine: operation.text,
      theirs: (state) => state.notes.get(page) ?? "",
    };
  return null;
}

// The menus of queues, of pages, and of topics that have no digit.

import { say } from "../common/announce.js";
import { bdi, byId, count, make } from "../common/elements.js";
import { topicMark } from "../drafts/marks.js";
import { SECOND } from "./digits.js";
import { openMenu } from "./menu.js";
import { visibleQueues } from "./visible-queues.js";

/**
 * Open the menu of queues, with the number of pages of each.
 * @param {{view: import("./view.js").View, keys: import("./keys.js").Keys, go: import("./navigation.js").Navigation}} needs
 */
export function openQueueMenu({ view, keys, go }) {
  openMenu({
    label: "Queues",
    at: byId("queue"),
    items: visibleQueues(view).map((queue) => ({
      words: queue.words,
      count: view.isNarrowed ? `${queue.shown} of ${queue.pages}` : queue.pages,
      key: queue.action ? keys.hint(queue.action) : "",
      checked: view.queue === queue.key,
      run: () => go.queue(queue.key),
    })),
  });
}

/**
 * Open the menu for the selected pages, or for the one under the cursor.
 * @param {{x: number, y: number}} at
 * @param {object} needs
 * @param {import("../drafts/store.js").DraftStore} needs.store
 * @param {import("./view.js").View} needs.view
 * @param {import("./keys.js").Keys} needs.keys
 * @param {import("./actions.js").Actions} needs.actions
 * @param {import("./page-panel.js").PagePanel} needs.panel
 * @param {import("./reading.js").Reading} needs.reading
 * @param {import("./comments.js").Comments} needs.comments
 */
export function openPageMenu(at, { store, view, keys, actions, panel, reading, comments }) {
  const pages = view.targets();
  const off = store.readOnly;
  /** @param {string} words @param {string} id @param {() => unknown} run @param {string} [picture] */
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
      actions.hasProposal(pages) &&
        item("Accept what is suggested or probable", "accept", () => actions.answer("accept", pages)),
      actions.hasProposal(pages) && item("Reject it", "reject", () => actions.answer("reject", pages)),
      item("Flag, or not", "flag", () => actions.flag(pages), "flag"),
      { words: "Read the text in large type", key: keys.hint("read"), run: () => reading.open() },
      item("Note", "note", () => panel.focusNote(), "note"),
      { words: "Comment", key: keys.hint("comment"), run: () => comments.commentOnPage(), picture: "comment" },
      item("Same topics as the most similar page", "same", () => actions.sameAs(panel.mostSimilar(view.cursor))),
      {
        words: "Open its address",
        key: keys.hint("visit"),
        run: () => panel.visit(),
        picture: "open",
      },
    ],
  });
}

/**
 * Open the menu of topics beyond the nine that have a digit, with their keys. A key or a click puts the pages in or
 * takes them out.
 * @param {{store: import("../drafts/store.js").DraftStore, view: import("./view.js").View, actions: import("./actions.js").Actions}} needs
 */
export function openMoreTopics({ store, view, actions }) {
  const { state } = store;
  const pages = view.targets();
  const { topics, keys, parent, others } = view.digits();
  const more = [...topics.filter((id) => (keys.get(id) ?? 0) > 9), ...others];
  if (!more.length) return say("All topics here have a digit of their own.");
  const button = document.getElementById("more-topics");
  const back = /** @type {HTMLElement|null} */ (document.activeElement);
  return openMenu({
    label: parent === null ? "More topics" : `More topics in ${state.topicOf(parent).name}`,
    at: button?.checkVisibility() ? button : byId("digits"),
    back: back === document.body ? byId("list") : back,
    items: more.map((id) => ({
      words: make("span", {}, make("span", { class: topicMark(state, id) }), " ", bdi(state.topicOf(id).name)),
      hot: keys.has(id) ? SECOND[(keys.get(id) ?? 10) - 10] : undefined,
      checked: actions.holds(id, pages) === "true",
      run: (/** @type {boolean} */ only) => (only ? actions.onlyBeside(id) : actions.toggleTopic(id)),
    })),
  });
}

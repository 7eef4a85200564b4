// Topics beyond the nine that have a digit: `0`, then the key that stands beside each.

import { say } from "../common/announce.js";
import { bdi, byId, make } from "../common/elements.js";
import { topicMark } from "../drafts/marks.js";
import { SECOND } from "./digits.js";
import { openMenu } from "./menu.js";

/**
 * Shows them with their keys; one of these, or a click, puts the pages in or takes them out.
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

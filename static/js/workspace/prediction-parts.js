// How a prediction looks, as a chip in the list and in the page panel. It is always marked as a prediction until a
// person accepts it.

import { bdi, button, icon, make } from "../common/elements.js";
import { topicMark } from "../drafts/marks.js";

/** @param {NonNullable<import("./row-appearance.js").Appearance["prediction"]>} prediction */
export function predictionChip([topic, name, path]) {
  return make(
    "span",
    {
      class: "topic-chip probably",
      title: `Predicted from the pages placed so far: ${path}`,
      data: { probably: topic ?? "" },
    },
    make("span", { class: "ask" }, "probably"),
    bdi(name),
    make("span", { class: "yes", title: "Accept" }, icon("check")),
    make("span", { class: "x", title: "Reject" }, icon("close")),
  );
}

/**
 * @param {object} given
 * @param {string} given.page
 * @param {import("../drafts/store.js").DraftStore} given.store
 * @param {import("./predictions.js").Predictions} given.predictions
 * @param {import("./actions.js").Actions} given.actions
 * @param {import("./navigation.js").Navigation} given.go
 */
export function predictionRow({ page, store, predictions, actions, go }) {
  const found = predictions.of(page);
  if (!found) return null;
  const { state } = store;
  const names = found.topic === null ? ["Outlier"] : state.path(found.topic);
  const last = names.length - 1;
  const place = [
    found.topic !== null && make("span", { class: topicMark(state, found.topic) }),
    names.map((name, at) => [
      at > 0 && make("span", { class: "sep", "aria-hidden": "true" }, "›"),
      bdi(name, { class: at === last ? "end" : "" }),
    ]),
  ];
  const like = found.like.filter((id) => store.pages.has(id));
  return [
    make("h3", {}, "Probably"),
    make(
      "ul",
      { class: "places hints probable" },
      make(
        "li",
        {},
        make("span", { class: "path" }, place),
        button("Accept", () => actions.answer("accept", [page]), { kind: "tool small", "data-focus": "hint" }),
        button("Reject", () => actions.answer("reject", [page]), { kind: "tool small", "data-focus": "hint" }),
      ),
    ),
    like.length > 0 &&
      make(
        "p",
        { class: "muted small" },
        "Like ",
        like.map((id, at) => [
          at > 0 && ", ",
          make(
            "button",
            { type: "button", class: "link-button", title: store.pageOf(id).title, onclick: () => go.page(id) },
            `page ${store.pageOf(id).rank ?? id}`,
          ),
        ]),
        ", placed there. It counts for nothing until you accept it.",
      ),
  ];
}

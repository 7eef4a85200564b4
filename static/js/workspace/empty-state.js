// What the list shows if it has no rows: why, what is left elsewhere, and the way there.

import { bdi, button, count, figure, fill, icon, make } from "../common/elements.js";
import { size } from "./filters.js";
import { remainingWork } from "./remaining-work.js";
import { visibleQueues } from "./visible-queues.js";

/**
 * @param {HTMLElement} holder
 * @param {object} needs
 * @param {import("./view.js").View} needs.view
 * @param {import("./navigation.js").Navigation} needs.go
 * @param {import("./split-bar.js").SplitBar} needs.splitBar
 * @param {() => void} needs.issues opens the list of issues
 */
export function renderEmptyState(holder, { view, go, splitBar, issues }) {
  const queue = visibleQueues(view).find((one) => one.key === view.queue);
  const left = remainingWork(view);
  const elsewhere = left.queues.length > 0 || left.errors > 0;
  /** @param {string} words @param {() => void} run */
  const way = (words, run) => make("li", {}, button(words, run, { kind: "btn btn-quiet" }));
  fill(
    holder,
    !view.isNarrowed && !elsewhere && icon("check"),
    make("p", {}, make("strong", {}, titleOf(view))),
    make("p", {}, bdi(whyNone(view, queue?.done ?? ""))),
    view.split.topic && button("Done", () => splitBar.leave(), { kind: "btn btn-quiet" }),
    view.isNarrowed && button(wordsToWiden(view, left.here), () => go.widen(), { kind: "btn btn-quiet", id: "widen" }),
    elsewhere && make("p", { class: "left-title" }, view.isNarrowed ? "In the whole draft:" : "Left elsewhere:"),
    elsewhere &&
      make(
        "ul",
        { class: "left", "aria-label": "What is left" },
        left.queues.map(({ key, words, pages }) =>
          way(`${words} (${figure(pages)})`, () => go.queue(key, { whole: true })),
        ),
        left.errors > 0 && way(`Issues (${figure(left.errors)})`, issues),
      ),
    !elsewhere && !view.isNarrowed && make("p", {}, finished(view, left.warnings)),
    !elsewhere &&
      view.queue !== "all" &&
      make(
        "ul",
        { class: "left" },
        way("All pages", () => go.queue("all", { whole: true })),
      ),
  );
}

/** @param {import("./view.js").View} view */
function titleOf(view) {
  if (view.isNarrowed) return "No page here";
  return view.queue === "topic" || view.queue === "all" ? "No pages" : "Nothing left here";
}

/** @type {Record<string, string>} */
const OF_TOPIC = { topic: "This topic holds no pages yet.", split: "Every page of the topic is in a part." };

/** @param {import("./view.js").View} view @param {string} done */
function whyNone(view, done) {
  if (!view.isNarrowed) return OF_TOPIC[view.queue] ?? done;
  const searched = view.finder.terms.length ? ` has “${view.search.trim()}”` : "";
  const filtered = size(view.filters) ? `${searched ? " and" : ""} passes the filters` : "";
  const far = view.finder.reach === "here" ? " The texts of the pages could not be searched." : "";
  return view.finder.reach === "waiting"
    ? "No title, URL or snippet contains it. The texts of the pages are still being searched."
    : `No page of this list${searched}${filtered}.${far}`;
}

/** @param {import("./view.js").View} view @param {number} hidden */
function wordsToWiden(view, hidden) {
  const what = [view.finder.terms.length && "search", size(view.filters) && "filters"].filter(Boolean).join(" and ");
  return `Clear ${what}${hidden ? `: ${count(hidden, "page")}` : ""}`;
}

/** @param {import("./view.js").View} view @param {number} warnings */
function finished(view, warnings) {
  if (!view.state.pages.length) return "";
  const may = view.store.draft.may_submit && view.store.draft.status === "open" ? " You can submit it." : "";
  return warnings
    ? `Nothing keeps this draft from being published; ${count(warnings, "warning")} may be worth a look.${may}`
    : `Nothing is left elsewhere, and nothing keeps this draft from being published.${may}`;
}

/**
 * Fill the place of the topics while the draft has none.
 * @param {HTMLElement} holder
 * @param {object} needs
 * @param {import("../drafts/store.js").DraftStore} needs.store
 * @param {import("./keys.js").Keys} needs.keys
 * @param {import("./tree.js").Tree} needs.tree
 * @param {import("./actions.js").Actions} needs.actions
 * @param {import("./sheets.js").Sheets} needs.sheets
 * @param {import("../drafts/types.js").Urls} needs.urls
 */
export function renderNoTopics(holder, { store, keys, tree, actions, sheets, urls }) {
  const off = store.readOnly;
  fill(
    holder,
    make("p", {}, make("strong", {}, "No topics yet")),
    make(
      "p",
      {},
      "Add the first one, put pages into it with its digit, and refine it later: topics can be split, merged and moved at any time.",
    ),
    !off && button("Add a topic", () => tree.add(null, 0), { kind: "btn btn-primary", key: keys.hint("add-sibling") }),
    !off && button("Type one for the page", () => actions.pick(), { kind: "btn btn-quiet", key: keys.hint("picker") }),
    !off && urls.suggestions && button("Start from suggestions", () => sheets.suggest(), { kind: "btn btn-quiet" }),
  );
}

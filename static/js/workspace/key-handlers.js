// What each key of the key table does. An element on the screen calls the same function.

import { refuseChange, say } from "../common/announce.js";
import { byId } from "../common/elements.js";

/** @typedef {(target: Element) => unknown} Handler gets the element that has the focus */

/**
 * @param {object} needs
 * @param {import("../drafts/store.js").DraftStore} needs.store
 * @param {import("./view.js").View} needs.view
 * @param {import("./actions.js").Actions} needs.actions
 * @param {import("./structure.js").Structure} needs.structure
 * @param {import("./selecting.js").Selecting} needs.selecting
 * @param {import("./navigation.js").Navigation} needs.go
 * @param {import("./tree.js").Tree} needs.tree
 * @param {import("./page-list.js").PageList} needs.list
 * @param {import("./page-panel.js").PagePanel} needs.panel
 * @param {import("./panes.js").Panes} needs.panes
 * @param {import("./reading.js").Reading} needs.reading
 * @param {import("./filter-bar.js").FilterBar} needs.filterBar
 * @param {import("./split-bar.js").SplitBar} needs.splitBar
 * @param {import("./sheets.js").Sheets} needs.sheets
 * @param {import("./side-panel.js").SidePanel} needs.side
 * @param {import("./comments.js").Comments} needs.comments
 * @param {import("./queue-header.js").QueueHeader} needs.queueHeader
 * @param {import("./marked-words.js").MarkedWords} needs.words
 * @param {() => unknown} needs.more shows the topics beyond the ninth
 * @returns {Record<string, Handler>} id of an action in the key table -> its handler
 */
export function keyHandlers(needs) {
  const { store, view, actions, structure, selecting, go, tree, list, panel, panes, reading } = needs;
  const { filterBar, splitBar, sheets, side, comments, queueHeader, words, more } = needs;
  /** @param {"topics"|"pages"} region @param {string} field */
  const into = (region, field) => {
    go.show(region);
    byId(field).focus();
    byId(field).select();
  };
  /** @param {(id: string) => unknown} act */
  const onTopic = (act) => () => (tree.active === null ? say("There is no topic yet.") : act(tree.active));
  /** @param {Handler} act @returns {Handler} */
  const edit = (act) => (target) => (store.readOnly ? refuseChange() : act(target));
  const onTopics = () => byId("region-topics").contains(document.activeElement) && tree.active !== null;
  /** @param {string} key */
  const queue = (key) => () => go.queue(key);
  /** @type {Record<string, Handler>} */
  const handlers = {
    next: () => selecting.step(1),
    previous: () => selecting.step(-1),
    "next-row": () => selecting.step(1),
    "previous-row": () => selecting.step(-1),
    "first-row": () => view.move(-Infinity),
    "last-row": () => view.move(Infinity),
    down: () => view.move(list.perScreen),
    up: () => view.move(-list.perScreen),
    unfinished: () => go.next(),
    unread: () => go.nextUnread(),
    read: () => reading.toggle(),
    "mark-words": () => {
      words.toggle();
      say(words.on ? "Words that distinguish topics are marked in texts." : "Words of topics are not marked.");
    },
    "more-topics": () => more(),
    open: () => go.focus("page"),
    "region-next": () => go.turn(1),
    "region-previous": () => go.turn(-1),
    "edge-left": (target) => panes.step(target, -1),
    "edge-right": (target) => panes.step(target, 1),
    "edge-least": (target) => panes.extreme(target, false),
    "edge-most": (target) => panes.extreme(target, true),
    "edge-reset": (target) => panes.reset(target),
    switch: () => go.focus(go.region === "topics" ? "pages" : "topics"),
    search: () => into("pages", "page-search"),
    "filter-pages": () => filterBar.open(),
    filter: () => into("topics", "topic-filter"),
    clear: () => selecting.clear(),
    select: () => selecting.select(),
    "select-row": () => selecting.select(),
    "select-group": () => selecting.selectGroup(),
    "extend-next": () => selecting.extend(1),
    "extend-previous": () => selecting.extend(-1),
    "select-all": () => selecting.selectAll(),
    picker: edit(() => actions.pick()),
    "move-on": edit(() => queueHeader.toggleMoveOn()),
    repeat: edit(() => actions.repeat()),
    outlier: edit(() => actions.outlier()),
    confirm: edit(() => actions.confirm()),
    accept: edit(() => actions.answer("accept")),
    reject: edit(() => actions.answer("reject")),
    "new-part": edit(() => splitBar.newPart()),
    same: edit(() => actions.sameAs(panel.mostSimilar(view.cursor))),
    flag: edit(() => actions.flag()),
    note: edit(() => panel.focusNote()),
    visit: () => panel.visit(),
    "queue-1": queue("level-1"),
    "queue-2": queue("level-2"),
    "queue-3": queue("level-3"),
    "queue-between": queue("between"),
    "queue-teaching": queue("teaching"),
    "queue-probably": queue("probably"),
    "queue-suggested": queue("suggested"),
    "queue-disagree": queue("disagree"),
    "queue-stale": queue("stale"),
    "queue-flagged": queue("flagged"),
    "queue-commented": queue("commented"),
    "queue-outliers": queue("outliers"),
    "queue-all": queue("all"),
    "tree-next": () => tree.step(1),
    "tree-previous": () => tree.step(-1),
    "tree-in": () => tree.inwards(),
    "tree-out": () => tree.outwards(),
    "tree-first": () => tree.edge(false),
    "tree-last": () => tree.edge(true),
    "tree-toggle": edit(onTopic((id) => actions.toggleTopic(id))),
    "tree-show": onTopic((id) => go.topic(id)),
    "tree-menu": onTopic((id) => tree.openMenu(id)),
    rename: edit(onTopic((id) => tree.rename(id))),
    describe: onTopic((id) => structure.describe(id)),
    digit: edit(onTopic((id) => structure.chooseDigit(id))),
    "add-sibling": edit(() => structure.addSibling(tree.active)),
    "add-child": edit(() => structure.addChild(tree.active)),
    promote: edit(onTopic((id) => structure.promote(id))),
    demote: edit(onTopic((id) => structure.demote(id))),
    earlier: edit(onTopic((id) => structure.shift(id, -1))),
    later: edit(onTopic((id) => structure.shift(id, 1))),
    move: edit(onTopic((id) => structure.move(id))),
    merge: edit(onTopic((id) => structure.merge(id))),
    split: edit(onTopic((id) => structure.split(id))),
    delete: edit(onTopic((id) => structure.delete(id))),
    undo: edit(() => actions.undo()),
    redo: edit(() => actions.redo()),
    issues: () => sheets.showIssues(),
    history: () => sheets.showHistory(),
    comment: () => (onTopics() ? comments.commentOnTopic(tree.active ?? "") : comments.commentOnPage()),
    comments: () => comments.showAll(),
    guidelines: () => side.toggle("guidelines"),
    met: () => sheets.showSave(),
    suggest: edit(() => sheets.suggest()),
    sheet: () => sheets.showKeys(),
  };
  for (let digit = 1; digit <= 9; digit += 1) {
    handlers[`digit-${digit}`] = edit(() => actions.digit(digit, false));
    handlers[`only-${digit}`] = edit(() => actions.digit(digit, true));
  }
  return handlers;
}

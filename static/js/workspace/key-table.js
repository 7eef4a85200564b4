// Every key of the workspace, with the words of the key sheet. `where`: any; pages (all but the tree); list; tree; edge
// (between regions). `always`: stays when single keys are turned off (arrows and others that the roles of elements
// promise). The digits of topics (1-9, Shift+1-9, i and 1-9) are fixed.

/**
 * @typedef {{id: string, group: string, words: string, keys: string[], where: string, mouse: string, always?: boolean, fixed?: boolean}} Action
 */

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * @param {string} group
 * @param {string} where
 * @param {string} id
 * @param {string[]} keys
 * @param {string} words
 * @param {string} mouse
 */
function action(group, where, id, keys, words, mouse, more = {}) {
  return { id, group, where, keys, words, mouse, ...more };
}

/** @type {Action[]} */
export const ACTIONS = [
  action("Move", "pages", "next", ["j"], "Next page", "click the page"),
  action("Move", "pages", "previous", ["k"], "Previous page", "click the page"),
  action("Move", "list", "next-row", ["ArrowDown"], "Next page", "click the page", { always: true }),
  action("Move", "list", "previous-row", ["ArrowUp"], "Previous page", "click the page", { always: true }),
  action("Move", "list", "first-row", ["Home"], "First page", "click the first page", { always: true }),
  action("Move", "list", "last-row", ["End"], "Last page", "click the last page", { always: true }),
  action("Move", "list", "down", ["PageDown"], "One screen down", "scroll, click a page", { always: true }),
  action("Move", "list", "up", ["PageUp"], "One screen up", "scroll, click a page", { always: true }),
  action("Move", "pages", "unfinished", ["n"], "Next unfinished page", "button “Next”"),
  action("Move", "pages", "unread", ["u"], "Next page you have not read", "button “Unread”"),
  action("Move", "any", "read", ["r"], "Read the page’s text large, or back to the list", "button “Read” in the page"),
  action("Move", "any", "mark-words", ["h"], "Mark the words of topics in texts, or not", "button “Marks” in the page"),
  action("Move", "list", "open", ["Enter"], "Into the page: its text, then topics and note by Tab", "click the page", {
    always: true,
  }),
  action("Move", "any", "region-next", ["F6", "]"], "Next region", "click into it", { always: true }),
  action("Move", "any", "region-previous", ["Shift+F6", "["], "Previous region", "click into it", {
    always: true,
  }),
  action("Move", "edge", "edge-left", ["ArrowLeft"], "Edge of topics or page: to the left", "drag the edge", {
    always: true,
  }),
  action("Move", "edge", "edge-right", ["ArrowRight"], "Edge of topics or page: to the right", "drag the edge", {
    always: true,
  }),
  action("Move", "edge", "edge-least", ["Home"], "As narrow as possible", "drag the edge", { always: true }),
  action("Move", "edge", "edge-most", ["End"], "As wide as possible", "drag the edge", { always: true }),
  action("Move", "edge", "edge-reset", ["Enter"], "As wide as before", "double click the edge", { always: true }),
  action("Move", "any", "switch", ["l"], "Between topics and pages", "click into it"),
  action("Move", "any", "search", ["/"], "Search pages", "field “Search pages”"),
  action("Move", "any", "filter-pages", ["Shift+f"], "Filter pages", "button “Filter” above the pages"),
  action("Move", "any", "filter", ["Shift+t"], "Filter topics", "field “Filter topics”"),
  action(
    "Move",
    "any",
    "clear",
    ["Esc"],
    "Back to the pages; clear selection, then search, then filters, then topic",
    "“Clear” in the bar below the pages",
    { always: true },
  ),

  action("Select", "pages", "select", ["x"], "Select the page, or not", "box of the page"),
  action("Select", "list", "select-row", ["Space"], "Select the page, or not", "box of the page", {
    always: true,
  }),
  action(
    "Select",
    "pages",
    "extend-next",
    ["Shift+j", "Shift+ArrowDown"],
    "Extend the selection down",
    "Shift and click",
  ),
  action(
    "Select",
    "pages",
    "extend-previous",
    ["Shift+k", "Shift+ArrowUp"],
    "Extend the selection up",
    "Shift and click",
  ),
  action("Select", "pages", "select-group", ["Shift+x"], "All pages of the group, or none", "click its heading"),
  action(
    "Select",
    "pages",
    "select-all",
    ["Ctrl+a"],
    "All pages in sight; again: all that match",
    "box above the pages; “All”; drag from the boxes over rows",
    { always: true },
  ),

  ...digits.map((n) =>
    action(
      "Place",
      "any",
      `digit-${n}`,
      [String(n)],
      `Topic with the badge ${n}: put in, or take out`,
      "box of the topic; badge above the pages",
      { fixed: true },
    ),
  ),
  ...digits.map((n) =>
    action(
      "Place",
      "any",
      `only-${n}`,
      // On some keyboards Shift and a digit type a symbol that is used here (/ in German), or the digit itself
      // (French).
      [`Shift+${n}`, `i ${n}`],
      `Of the topics with badges only ${n}, and stay`,
      "Shift and click the box or badge",
      { fixed: true },
    ),
  ),
  action(
    "Place",
    "any",
    "more-topics",
    ["0"],
    "Topics beyond the ninth: then the key beside each",
    "“… more” above the pages",
  ),
  action("Place", "any", "picker", ["t"], "Topic by name, with its path", "button “Topic…”"),
  action(
    "Place",
    "any",
    "move-on",
    ["p"],
    "Move on after placing, or stay at the page",
    "button “Move on” above the pages",
  ),
  action("Place", "any", "repeat", ["."], "Repeat the last placing", "button “Repeat”"),
  action("Place", "pages", "outlier", ["o"], "Outlier, or no longer", "button “Outlier”"),
  action("Place", "pages", "confirm", ["c"], "Confirm that its place is still right", "button “Confirm” in the page"),
  action("Place", "pages", "accept", ["a"], "Accept what is suggested or probable", "“Accept” in the page or the bar"),
  action(
    "Place",
    "pages",
    "reject",
    ["Shift+a"],
    "Reject what is suggested or probable",
    "“Reject” in the page or the bar",
  ),
  action("Place", "any", "new-part", ["+"], "New part, while a topic is split", "button “New part” above the pages"),
  action("Place", "pages", "same", ["="], "Same topics as the most similar page", "“Same as this” in the page"),
  action("Place", "pages", "flag", ["f"], "Flag for later, or not", "button “Flag”"),
  action("Place", "pages", "note", ["e"], "Note on the page", "field “Note” in the page"),
  action("Place", "pages", "visit", ["v"], "Open the page’s own address", "“Open” in the page"),

  action("Queues", "any", "queue-1", ["g 1"], "Unplaced on level 1", "meter L1; menu of queues"),
  action("Queues", "any", "queue-2", ["g 2"], "Unplaced on level 2", "meter L2; menu of queues"),
  action("Queues", "any", "queue-3", ["g 3"], "Unplaced on level 3", "meter L3; menu of queues"),
  action("Queues", "any", "queue-between", ["g b"], "In a topic but in none of its subtopics", "menu of queues"),
  action(
    "Queues",
    "any",
    "queue-teaching",
    ["g t"],
    "Teaches most: placing these says most about other pages",
    "menu of queues",
  ),
  action("Queues", "any", "queue-probably", ["g p"], "Probably: predicted from the placed pages", "menu of queues"),
  action("Queues", "any", "queue-suggested", ["g s"], "Suggested", "menu of queues"),
  action("Queues", "any", "queue-disagree", ["g d"], "Disagreed on", "menu of queues"),
  action("Queues", "any", "queue-stale", ["g c"], "Stale: the topic changed since", "menu of queues"),
  action("Queues", "any", "queue-flagged", ["g f"], "Flagged", "menu of queues"),
  action("Queues", "any", "queue-commented", ["g m"], "With open comments", "menu of queues"),
  action("Queues", "any", "queue-outliers", ["g o"], "Outliers", "“Outliers” below the topics or above"),
  action("Queues", "any", "queue-all", ["g a"], "All pages", "menu of queues"),

  action("Topics", "tree", "tree-next", ["ArrowDown"], "Next topic", "click the topic", { always: true }),
  action("Topics", "tree", "tree-previous", ["ArrowUp"], "Previous topic", "click the topic", {
    always: true,
  }),
  action("Topics", "tree", "tree-in", ["ArrowRight"], "Open, then first subtopic", "arrow of the topic", {
    always: true,
  }),
  action("Topics", "tree", "tree-out", ["ArrowLeft"], "Close, then its parent", "arrow of the topic", {
    always: true,
  }),
  action("Topics", "tree", "tree-first", ["Home"], "First topic", "click the first topic", { always: true }),
  action("Topics", "tree", "tree-last", ["End"], "Last topic", "click the last topic", { always: true }),
  action(
    "Topics",
    "tree",
    "tree-toggle",
    ["Space"],
    "Put the selected pages in, or take them out",
    "box of the topic",
    { always: true },
  ),
  action("Topics", "tree", "tree-show", ["Enter"], "Show its pages only", "click its name", { always: true }),
  action(
    "Topics",
    "tree",
    "tree-menu",
    ["Shift+F10", "ContextMenu"],
    "All actions for the topic",
    "“…” of the topic, right click",
    { always: true },
  ),
  action("Topics", "tree", "rename", ["F2"], "Rename", "menu of the topic; double click", { always: true }),
  action("Topics", "tree", "describe", ["d"], "Description and note", "menu of the topic"),
  action("Topics", "tree", "add-sibling", ["n"], "New sibling topic", "“Add”; menu of the topic"),
  action("Topics", "tree", "add-child", ["Shift+n"], "New subtopic", "menu of the topic"),
  action("Topics", "tree", "digit", ["k"], "Choose its digit", "menu of the topic"),
  action("Topics", "tree", "promote", ["Alt+ArrowLeft"], "Up: beside its parent", "menu of the topic; drag"),
  action("Topics", "tree", "demote", ["Alt+ArrowRight"], "Down: into the topic above", "menu of the topic; drag"),
  action("Topics", "tree", "earlier", ["Alt+ArrowUp"], "Before its neighbour", "menu of the topic; drag"),
  action("Topics", "tree", "later", ["Alt+ArrowDown"], "After its neighbour", "menu of the topic; drag"),
  action("Topics", "tree", "move", ["Shift+m"], "Move into a topic by name", "menu of the topic; drag"),
  action("Topics", "tree", "merge", ["m"], "Merge into another topic", "menu of the topic"),
  action("Topics", "tree", "split", ["s"], "Split: its pages as a queue", "menu of the topic"),
  action("Topics", "tree", "delete", ["Delete", "Backspace"], "Delete: asks where its pages go", "menu of the topic", {
    always: true,
  }),

  action("Draft", "any", "undo", ["Ctrl+z"], "Undo your latest change", "button “Undo”", { always: true }),
  action("Draft", "any", "redo", ["Ctrl+Shift+z", "Ctrl+y"], "Redo it", "button “Redo”", { always: true }),
  action("Draft", "any", "issues", ["g i"], "Issues: what keeps the draft from publishing", "“issues” above"),
  action("Draft", "any", "history", ["g h"], "History of the draft", "menu “More”"),
  action(
    "Draft",
    "any",
    "met",
    ["g w"],
    "Whether your work is saved, and conflicts with others",
    "“Saved” above; menu “More”",
  ),
  action(
    "Draft",
    "any",
    "comment",
    ["Shift+c"],
    "Comment on the page, or on the topic",
    "“Comments” in the page; menu of the topic",
  ),
  action("Draft", "any", "comments", ["g k"], "All comments of the draft", "number of comments above"),
  action("Draft", "any", "guidelines", ["g l"], "Guidelines in the side panel", "“Guidelines” below the pages"),
  action("Draft", "any", "suggest", ["g g"], "Suggest topics from the page texts", "menu “More”"),
  action("Draft", "any", "sheet", ["?"], "This sheet", "“? Keys” below the pages"),
];

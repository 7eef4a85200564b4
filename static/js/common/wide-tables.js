// On every page: a table that is wider than its frame says how many columns are out of sight, with a button that
// scrolls to them. The sorted column starts in sight. On a phone, small tables fold into blocks.

/** Frames that have a line above them. @type {WeakSet<Element>} */
const watched = new WeakSet();

/** Columns that end beyond the right edge of the frame. @param {HTMLElement} frame */
function beyond(frame) {
  const edge = frame.getBoundingClientRect().right + 1;
  const heads = frame.querySelectorAll("thead tr:first-child > *");
  return [...heads].filter((head) => head.getBoundingClientRect().right > edge).length;
}

/** The line above a frame. It is made once, and hidden while everything is in sight. @param {HTMLElement} frame */
function line(frame) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more-columns";
  button.addEventListener("click", () => {
    const end = frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 1;
    frame.scrollTo({ left: end ? 0 : frame.scrollLeft + frame.clientWidth * 0.7 });
  });
  frame.before(button);
  return button;
}

/** Scroll the sorted column into sight, beside the fixed names. @param {HTMLElement} frame */
function showSorted(frame) {
  const head = frame.querySelector("thead th[aria-sort], thead th.sorted");
  if (!head || frame.scrollWidth <= frame.clientWidth + 1) return;
  const names = frame.querySelector("thead .pin");
  const left = frame.getBoundingClientRect().left + (names ? names.getBoundingClientRect().width : 0);
  const at = head.getBoundingClientRect();
  if (at.right > frame.getBoundingClientRect().right) frame.scrollLeft += Math.max(0, at.left - left);
}

/** Name the column in each cell of tables that fold into blocks on a phone. @param {Element} table */
function label(table) {
  if (table.classList.contains("labelled")) return;
  const heads = [...table.querySelectorAll("thead th")].map((head) => (head.textContent ?? "").trim());
  table.setAttribute("role", "table");
  for (const group of table.querySelectorAll("thead, tbody")) group.setAttribute("role", "rowgroup");
  for (const head of table.querySelectorAll("thead th")) head.setAttribute("role", "columnheader");
  for (const row of table.querySelectorAll("tr")) row.setAttribute("role", "row");
  for (const row of table.querySelectorAll("tbody tr")) {
    for (const [place, cell] of [...row.children].entries()) {
      cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
      if (heads[place]) cell.setAttribute("data-label", heads[place]);
    }
  }
  table.classList.add("labelled");
}

/** @param {HTMLElement} frame */
function watch(frame) {
  const button = line(frame);
  const look = () => {
    const wide = frame.scrollWidth > frame.clientWidth + 1;
    const count = wide ? beyond(frame) : 0;
    button.hidden = !wide;
    button.textContent = count ? `${count} more column${count === 1 ? "" : "s"} →` : "← back to the first columns";
    frame.classList.toggle("cut", count > 0);
  };
  look(); // observers do not report hidden elements
  new ResizeObserver(look).observe(frame);
  frame.addEventListener("scroll", look, { passive: true });
  showSorted(frame);
}

function watchAll() {
  for (const table of document.querySelectorAll("table.folds")) label(table);
  for (const frame of document.querySelectorAll(".scroll")) {
    if (watched.has(frame) || !frame.querySelector("thead")) continue;
    watched.add(frame);
    watch(frame);
  }
}

watchAll();
// Tables that are added later.
document.addEventListener("htmx:load", watchAll);

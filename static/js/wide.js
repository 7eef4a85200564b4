// Tables wider than their frame say so: how many columns are out of sight, and a button that scrolls to them. On every page.

/** Frames that have their line. @type {WeakSet<Element>} */
const watched = new WeakSet();

/** Columns whose end lies beyond the frame's right edge. @param {HTMLElement} frame */
function beyond(frame) {
  const edge = frame.getBoundingClientRect().right + 1;
  const heads = frame.querySelectorAll("thead tr:first-child > *");
  return [...heads].filter((head) => head.getBoundingClientRect().right > edge).length;
}

/** A frame's own line above it; made once, hidden while everything is in sight. @param {HTMLElement} frame */
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
  new ResizeObserver(look).observe(frame);
  frame.addEventListener("scroll", look, { passive: true });
}

function watchAll() {
  for (const frame of document.querySelectorAll(".scroll")) {
    if (watched.has(frame) || !frame.querySelector("thead")) continue;
    watched.add(frame);
    watch(frame);
  }
}

watchAll();
// Tables that came later.
document.addEventListener("htmx:load", watchAll);

// Updates that come by themselves wait while somebody is in the middle of what they would take away: a menu is open, text is
// selected, a field is being filled in. They ask again soon, so nothing is lost. Focus is kept by htmx where elements have ids.

/** Whether an open menu, a dialog or selected text would be lost. */
function isInUse() {
  const selected = window.getSelection();
  const isSelecting = selected !== null && !selected.isCollapsed && selected.toString() !== "";
  return isSelecting || document.querySelector("details.menu[open], dialog[open]") !== null;
}

function isBeingFilledIn() {
  return document.activeElement?.closest("main")
    ? document.activeElement.matches("textarea, select, input:not([type=checkbox], [type=radio])")
    : false;
}

/** Whether the page asked by itself. @param {EventTarget | null} element */
function isPoll(element) {
  return element instanceof Element && (element.getAttribute("hx-trigger") ?? "").startsWith("every ");
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = /** @type {CustomEvent} */ (event).detail;
  const isRefresh = xhr.getResponseHeader("HX-Refresh") === "true";
  if (isRefresh && isPoll(elt) && (isInUse() || isBeingFilledIn())) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (isPoll(detail.requestConfig.elt) && isInUse()) detail.shouldSwap = false;
});

// Updates that come by themselves wait while somebody is in the middle of what they would take away: a menu is open, text is
// selected, a field is being filled in. They ask again soon, so nothing is lost. Focus is kept by htmx where elements have ids,
// and here where the page as a whole comes anew.

const PLACE = "place before the page came anew";

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

/** What an element is known by on the next version of its page. @param {Element} element */
function described(element) {
  if (element.id || element === document.body) return `#${element.id}`;
  const facts = ["name", "value", "href", "aria-label"].map((name) => element.getAttribute(name) ?? "");
  return [element.localName, ...facts, element.textContent?.trim()].join(" ");
}

function rememberPlace() {
  const focused = document.activeElement ?? document.body;
  const { top } = focused.getBoundingClientRect();
  sessionStorage.setItem(PLACE, JSON.stringify([location.href, focused.localName, described(focused), top]));
  history.scrollRestoration = "manual";
}

/** The same element has the focus again, and stands where it stood: also when what comes later moves it, until a hand does. */
function restorePlace() {
  const [page, kind, description, top] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
  sessionStorage.removeItem(PLACE);
  if (page !== location.href) return;
  const settled = new AbortController();
  const restore = () => {
    const same = [...document.querySelectorAll(kind)].find((one) => described(one) === description);
    if (!(same instanceof HTMLElement)) return;
    same.focus({ preventScroll: true });
    scrollBy({ top: same.getBoundingClientRect().top - top, behavior: "instant" });
  };
  restore();
  addEventListener("load", restore, { signal: settled.signal });
  document.addEventListener("htmx:afterSettle", restore, { once: true, signal: settled.signal });
  for (const hand of ["keydown", "pointerdown", "wheel"]) {
    addEventListener(hand, () => settled.abort(), { once: true, signal: settled.signal });
  }
  settled.signal.addEventListener("abort", () => {
    history.scrollRestoration = "auto";
  });
}

restorePlace();

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = /** @type {CustomEvent} */ (event).detail;
  const isRefresh = xhr.getResponseHeader("HX-Refresh") === "true";
  if (!isRefresh || !isPoll(elt)) return;
  if (isInUse() || isBeingFilledIn()) event.preventDefault();
  else rememberPlace();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (isPoll(detail.requestConfig.elt) && isInUse()) detail.shouldSwap = false;
});

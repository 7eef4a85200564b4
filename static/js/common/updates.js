// Automatic updates wait while they would disturb somebody: a menu is open, text is selected, or a field is being
// filled in. They try again soon, so nothing is lost. htmx keeps the focus if elements have ids; this script keeps it
// if the whole page is replaced.

const PLACE = "place before the page was reloaded";

/** True if an open menu, a dialog or selected text would be lost. */
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

/** True if the page sent the request by itself. @param {EventTarget | null} element */
function isPoll(element) {
  return element instanceof Element && (element.getAttribute("hx-trigger") ?? "").startsWith("every ");
}

/**
 * What identifies an element in the next version of its page. Its content may have changed.
 * @param {Element} element
 */
function described(element) {
  if (element.id || element === document.body) return `#${element.id}`;
  const facts = ["name", "value", "href", "aria-label", "aria-labelledby"].map(
    (name) => element.getAttribute(name) ?? "",
  );
  const words = element.matches("a, button, summary") ? element.textContent?.trim() : "";
  return [element.localName, ...facts, words].join(" ");
}

/**
 * Elements with the same description as this one, in the order of the page.
 * @param {string} kind
 * @param {string} description
 */
function alike(kind, description) {
  return [...document.querySelectorAll(kind)].filter((one) => described(one) === description);
}

function rememberPlace() {
  const focused = document.activeElement ?? document.body;
  const description = described(focused);
  const number = alike(focused.localName, description).indexOf(focused);
  const { top } = focused.getBoundingClientRect();
  try {
    const place = { page: location.href, scrolled: scrollY, kind: focused.localName, description, number, top };
    sessionStorage.setItem(PLACE, JSON.stringify(place));
    history.scrollRestoration = "manual";
  } catch {
    // If nothing can be stored, the page reloads like any other.
  }
}

/** Return the remembered place on this page, once. */
function takePlace() {
  try {
    const place = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    sessionStorage.removeItem(PLACE);
    return place?.page === location.href ? place : null;
  } catch {
    return null;
  }
}

/**
 * Scroll the page to where it was and give the focus back to the same element, at the same place on the screen. Keep it
 * there while later content moves it, until the person does something.
 */
function restorePlace() {
  const place = takePlace();
  if (!place) return;
  const settled = new AbortController();
  const restore = () => {
    scrollTo({ top: place.scrolled, behavior: "instant" });
    const same = alike(place.kind, place.description)[place.number];
    if (!(same instanceof HTMLElement)) return;
    same.focus({ preventScroll: true });
    scrollBy({ top: same.getBoundingClientRect().top - place.top, behavior: "instant" });
  };
  restore();
  addEventListener("load", restore, { signal: settled.signal });
  document.addEventListener("htmx:afterSettle", restore, { once: true, signal: settled.signal });
  for (const hand of ["keydown", "pointerdown", "wheel"]) {
    addEventListener(hand, () => settled.abort(), { once: true, signal: settled.signal });
  }
  // Not earlier: the browser would scroll to where the person left the page, and nobody leaves it without an action.
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

// Request a part again that the site was too busy to compute, after the time that the site names, unless something
// newer has been requested in its place.
/** @type {WeakMap<Element, ReturnType<typeof setTimeout>>} */
const again = new WeakMap();

document.addEventListener("htmx:beforeRequest", (event) => {
  clearTimeout(again.get(/** @type {CustomEvent} */ (event).detail.target));
});

document.addEventListener("htmx:responseError", (event) => {
  const { elt, etc, target, xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  const seconds = Number(xhr.getResponseHeader("Retry-After"));
  if (xhr.status !== 503 || !(seconds > 0) || requestConfig.verb !== "get" || isPoll(elt)) return;
  const ask = () => {
    const context = { source: elt, target: etc.targetOverride, select: etc.select, swap: etc.swapOverride };
    if (elt.isConnected && target.isConnected) window.htmx?.ajax("GET", requestConfig.path, context);
  };
  again.set(target, setTimeout(ask, seconds * 1_000));
});

// Updates that come by themselves wait while somebody is in the middle of what they would take away: a menu is open,
// text is selected, a field is being filled in. They ask again soon, so nothing is lost. Focus is kept by htmx where
// elements have ids, and here where the page as a whole comes anew.

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

/**
 * What an element is known by on the next version of its page; what it holds may have changed.
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
 * Elements that are described like this one, in the order of the page.
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
    // Where nothing may be kept the page comes anew as any page does.
  }
}

/** What was remembered of this page, once. */
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
 * The page is scrolled as it was and the same element has the focus; where it is found it stands where it stood: also when
 * what comes later moves it, until a hand does.
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
  // Not before: the browser would scroll to where it left the page. Nobody leaves it without a hand.
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

// A part of a page that the site had no place to work out is asked for again, after the time that the site names, unless
// something newer was asked for in its place meanwhile.
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

// A menu that opens at a button or at the pointer. Arrows, Home, End, first letters, Enter and Esc work in it. The
// focus goes back to where it was.

import { add, byId, icon, make, targetOf } from "../common/elements.js";
import { strokeOf } from "./keys.js";

/** @type {{list: HTMLElement, back: HTMLElement|null}|null} the menu that is open */
let open = null;

/**
 * @typedef {{words?: string|Node, key?: string, note?: string, count?: number|string, picture?: string, run?: (shift: boolean) => unknown, disabled?: boolean,
 * checked?: boolean, separator?: boolean, href?: string, danger?: boolean, hot?: string}} Item `hot`: a key that
 *   chooses it at once; `run` gets true if Shift was held
 * @param {{items: (Item|false|null|undefined|"")[], label: string, at: HTMLElement|{x: number, y: number}, back?: HTMLElement|null}} given
 */
export function openMenu({ items, label, at, back }) {
  closeMenu(false);
  const shown = items.filter((item) => typeof item === "object" && item !== null);
  const radio = shown.some((item) => item.checked !== undefined);
  const list = make(
    "div",
    { class: "menu-pop", role: "menu", "aria-label": label, tabindex: "-1" },
    shown.map((item) => line(item, radio)),
  );
  list.addEventListener("keydown", steer);
  byId("curate").append(list);
  open = {
    list,
    back: back ?? (at instanceof HTMLElement ? at : /** @type {HTMLElement|null} */ (document.activeElement)),
  };
  if (at instanceof HTMLElement) at.setAttribute("aria-expanded", "true");
  place(list, at);
  focusables()[
    shown.findIndex((item) => item.checked) > 0
      ? focusables().findIndex((one) => one.getAttribute("aria-checked") === "true")
      : 0
  ]?.focus();
  document.addEventListener("pointerdown", outside, true);
}

export function closeMenu(refocus = true) {
  if (!open) return;
  const { list, back } = open;
  open = null;
  list.remove();
  document.removeEventListener("pointerdown", outside, true);
  if (back?.getAttribute?.("aria-haspopup")) back.setAttribute("aria-expanded", "false");
  if (refocus && back?.isConnected) back.focus();
  else if (refocus) byId("curate").dispatchEvent(new CustomEvent("focuslost"));
}

export function menuIsOpen() {
  return open !== null;
}

/** @param {Item} item @param {boolean} radio */
function line(item, radio) {
  if (item.separator) return make("div", { class: "menu-line", role: "separator" });
  const choose = (/** @type {MouseEvent} */ event) => {
    closeMenu();
    item.run?.(event.shiftKey);
  };
  const given = {
    class: `menu-item${item.danger ? " danger" : ""}`,
    role: radio ? "menuitemradio" : "menuitem",
    "aria-checked": radio ? String(Boolean(item.checked)) : null,
    "aria-disabled": item.disabled ? "true" : null,
    tabindex: "-1",
    data: item.hot ? { hot: item.hot } : {},
  };
  const element = item.href
    ? make("a", { ...given, href: item.href, onclick: () => closeMenu() })
    : make("button", { ...given, type: "button", onclick: item.disabled ? null : choose });
  const words = make("span", { class: "menu-words" }, item.words);
  if (item.note) words.append(make("small", {}, item.note));
  return add(
    element,
    make(
      "span",
      { class: "menu-mark", "aria-hidden": "true" },
      item.checked ? icon("check") : item.picture ? icon(item.picture) : "",
    ),
    words,
    item.count !== undefined && make("span", { class: "count" }, String(item.count)),
    (item.hot || item.key) && make("kbd", { "aria-hidden": "true" }, item.hot || item.key),
  );
}

/** @param {HTMLElement} list @param {HTMLElement|{x: number, y: number}} at */
function place(list, at) {
  const box =
    at instanceof HTMLElement ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const { offsetWidth: width, offsetHeight: height } = list;
  const left = Math.max(8, Math.min(box.left, window.innerWidth - width - 8));
  const below = box.bottom + 4;
  const top = below + height > window.innerHeight - 8 ? Math.max(8, box.top - height - 4) : below;
  list.style.left = `${left}px`;
  list.style.top = `${Math.min(top, Math.max(8, window.innerHeight - height - 8))}px`;
}

function focusables() {
  return open ? [...open.list.querySelectorAll("[role^=menuitem]")] : [];
}

/** @param {KeyboardEvent} event */
function steer(event) {
  const items = focusables();
  const at = items.indexOf(document.activeElement);
  /** @param {number} to */
  const go = (to) => items[(to + items.length) % items.length]?.focus();
  const stroke = strokeOf(event) ?? "";
  // If Shift types a digit, the name of the key press does not contain Shift.
  const shiftKey = stroke.startsWith("Shift+");
  const hot = items.find((item) => item.dataset.hot && item.dataset.hot === stroke.replace(/^Shift\+/, ""));
  if (hot) hot.dispatchEvent(new MouseEvent("click", { shiftKey }));
  else if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at < 0 ? -1 : at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(-1);
  else if (event.key === "Escape") closeMenu();
  else if (event.key === "Tab") closeMenu();
  else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) {
    const rest = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    rest
      .find((item) =>
        item.querySelector(".menu-words").textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()),
      )
      ?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {PointerEvent} event */
function outside(event) {
  if (open && !open.list.contains(targetOf(event))) closeMenu(false);
}

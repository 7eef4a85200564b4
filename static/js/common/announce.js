// Messages for screen readers, and short notices with an Undo button for everybody.

import { bdi, byId, count, fill, icon, make } from "./elements.js";

const STAYS = 7000;
const AT_MOST = 3;

/** Announce words once, politely. The same words twice in a row are announced twice. @param {string} words */
export function announce(words) {
  speak(byId("announcer"), words);
}

/** @param {string} words */
export function alarm(words) {
  speak(byId("alarm"), words);
}

/** Announce how many pages are selected. @param {number} size */
export function announceSelection(size) {
  announce(size ? `${count(size, "page")} selected.` : "Nothing selected.");
}

/** Say that this draft cannot be changed. @returns {false} */
export function refuseChange() {
  toast("You cannot change this draft.", { kind: "bad" });
  return false;
}

/** Return what went wrong and what helps. @param {unknown} error */
export function wordsOf(error) {
  const { message, fix } = /** @type {Error & {fix?: string}} */ (error);
  return [message, fix].filter(Boolean).join(" ");
}

/** @param {HTMLElement} region @param {string} words */
function speak(region, words) {
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/**
 * Say what has been done, or why nothing was done: in the line at the foot, where it stays, and to screen readers.
 * @param {string} words
 * @param {{onundo?: () => void, spoken?: boolean}} [how] `spoken`: false if a notice announces the same
 * @returns {false} so that a function can end with this line when nothing could be done
 */
export function say(words, { onundo, spoken = true } = {}) {
  const undo = onundo && make("button", { type: "button", class: "link-button", onclick: onundo }, "Undo");
  // If the focus was on the old button, move it to the new one.
  const had = byId("said").contains(document.activeElement);
  fill(byId("said"), bdi(words, { class: "said-words", title: words }), undo);
  if (had) (undo || byId("list")).focus();
  if (spoken) announce(words);
  return false;
}

/** Remove the Undo button from the line at the foot, because it would not undo what the line says. */
export function withdrawUndo() {
  const undo = byId("said").querySelector("button");
  const had = undo === document.activeElement;
  undo?.remove();
  if (had) byId("list").focus();
}

/**
 * Show a notice at the foot of the screen. It stays while the pointer or the focus is on it.
 * @param {string} words
 * @param {{action?: string, onaction?: () => void, kind?: "plain"|"bad", stays?: boolean}} [how]
 * @returns {() => void} removes the notice
 */
export function toast(words, { action, onaction, kind = "plain", stays = false } = {}) {
  const shown = make("div", { class: `snack ${kind}` }, bdi(words, { class: "snack-words" }));
  const leave = () => shown.remove();
  const act = () => {
    leave();
    onaction?.();
  };
  if (action) shown.append(make("button", { type: "button", class: "snack-action", onclick: act }, action));
  shown.append(
    make(
      "button",
      { type: "button", class: "snack-close", "aria-label": "Close this notice", onclick: leave },
      icon("close"),
    ),
  );
  const holder = byId("toasts");
  holder.append(shown);
  while (holder.children.length > AT_MOST) holder.firstElementChild.remove();
  if (!stays) keepFor(shown, STAYS, leave);
  (kind === "bad" ? alarm : announce)(action ? `${words} ${action} is possible.` : words);
  return leave;
}

/** @param {HTMLElement} shown @param {number} time @param {() => void} leave */
function keepFor(shown, time, leave) {
  let timer = setTimeout(leave, time);
  const hold = () => clearTimeout(timer);
  const go = () => {
    clearTimeout(timer);
    timer = setTimeout(leave, time);
  };
  shown.addEventListener("pointerenter", hold);
  shown.addEventListener("pointerleave", go);
  shown.addEventListener("focusin", hold);
  shown.addEventListener("focusout", go);
}

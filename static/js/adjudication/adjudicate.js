// Keys for adjudication. Each key presses the button, link or choice that shows it. Without this script, the mouse does
// everything.

import { isTyping, strokeOf } from "../common/keystrokes.js";
import { startNamesForm } from "./names.js";

const STORED = "qc4-adjudicate-keys";
const GUIDELINES = "qc4-adjudicate-guidelines";
/** The key for "no reason". */
const SYMBOLS = new Set(["-"]);
/** @type {Record<string, string>} */
const COMMANDS = { "Ctrl+z": "u", "Ctrl+Shift+z": "r", "Ctrl+y": "r", "Shift+p": "P" };

function keysOn() {
  return document.querySelector("#keys-on")?.checked ?? true;
}

/**
 * The key of an event as the page writes it: "1", "o", "u", or "P" for Shift+P. Null if the key is for the browser.
 * @param {KeyboardEvent} event
 */
function keyOf(event) {
  const stroke = strokeOf(event, { symbols: SYMBOLS });
  if (stroke === null || stroke in COMMANDS) return stroke && COMMANDS[stroke];
  const letter = /^Shift\+([a-z])$/.exec(stroke)?.[1] ?? stroke;
  return letter.length === 1 ? letter : null;
}

/**
 * Say why a key that answers other questions does nothing here, in the line that reports what was done.
 * @param {string} key
 */
function refuse(key) {
  const words = document.querySelector(`#desk [data-no-answer="${CSS.escape(key)}"]`)?.textContent;
  const place = document.querySelector("#no-answer");
  if (words && place) place.textContent = words;
}

/** Say that an answer did not reach the site. htmx does not show this. @param {string} words */
function sayNotStored(words) {
  const place = document.querySelector("#no-answer");
  if (place) place.textContent = words;
}

document.addEventListener("htmx:responseError", (event) => {
  const { xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (requestConfig.verb !== "post") return;
  const isTurnedAway = [429, 503].includes(xhr.status) && xhr.getResponseHeader("Retry-After");
  sayNotStored(
    isTurnedAway
      ? "The site is busy: your answer was not stored. Answer again in a few seconds."
      : `Your answer was not stored: the site answered with an error (${xhr.status}). Load the page again.`,
  );
});

document.addEventListener("htmx:sendError", (event) => {
  const { requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (requestConfig.verb !== "post") return;
  sayNotStored("The site cannot be reached: your answer may not be stored. Answer again when you are online.");
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || isTyping(event)) return;
  const key = keyOf(event);
  if (key === null || (!keysOn() && !event.ctrlKey && !event.metaKey)) return;
  const found = elementOf(key);
  if (!found) return void refuse(key);
  if (found.closest("fieldset:disabled")) return;
  event.preventDefault();
  found.click();
  if (found.matches("summary")) found.focus({ preventScroll: true });
});

// Enter in the note sends no answer. In the field for another name it chooses that name (the first button of the form).
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target instanceof Element && event.target.matches("#desk input[name='note']"))
    event.preventDefault();
});

/** @param {string} key */
function elementOf(key) {
  const named = CSS.escape(key);
  return (
    document.querySelector(`#desk [data-key="${named}"]:not(:disabled)`) ??
    document.querySelector(`#desk [data-also="${named}"]:not(:disabled)`) ??
    document.querySelector(`#guidelines-panel [data-key="${named}"]`)
  );
}

function rememberGuidelines() {
  const panel = document.querySelector("#guidelines-panel");
  if (!panel) return;
  try {
    panel.open = localStorage.getItem(GUIDELINES) === "open";
    panel.addEventListener("toggle", () => localStorage.setItem(GUIDELINES, panel.open ? "open" : "closed"));
  } catch {
    // See below.
  }
}

function remember() {
  const box = document.querySelector("#keys-on");
  if (!box) return;
  try {
    box.checked = localStorage.getItem(STORED) !== "off";
    box.addEventListener("change", () => localStorage.setItem(STORED, box.checked ? "on" : "off"));
  } catch {
    // Private windows may block storage: the choice then lasts until the next question.
  }
}

/** True if a field of the adjudication holds input that would be lost. */
function isFilledIn() {
  const fields = [...document.querySelectorAll("#desk input.form-control, #desk select")];
  const names = [...document.querySelectorAll("#names-form input[type='radio']")];
  return (
    names.some((radio) => radio.checked !== radio.defaultChecked) ||
    fields.some((field) =>
      field.matches("select")
        ? field.selectedIndex > 0 && !field.options[field.selectedIndex].defaultSelected
        : field.value !== field.defaultValue,
    )
  );
}

/** Say what others did while somebody is typing. The rest of their work is shown afterwards. @param {string} answer */
function sayNews(answer) {
  const shown = document.querySelector("#desk-news");
  const came = new DOMParser().parseFromString(answer, "text/html").querySelector("#desk-news");
  if (!shown || !came) return;
  shown.replaceChildren(...came.childNodes);
  shown.hidden = false;
  document.querySelector("#desk-waits").hidden = false;
}

/**
 * The summaries of texts that are open while the adjudication is refreshed; null after an answer.
 * @type {string[]|null}
 */
let opened = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  opened = null;
  if (!detail.requestConfig.elt.matches("[hx-trigger^='every ']") || detail.xhr.status !== 200) return;
  // The response to an answer that is being sent brings the new page itself.
  const isSent = document.querySelector("#desk form.htmx-request") !== null;
  if (isSent || isFilledIn()) {
    detail.shouldSwap = false;
    if (!isSent) sayNews(detail.xhr.responseText);
    return;
  }
  opened = [...document.querySelectorAll("#desk details[open] > summary[id]")].map(({ id }) => id);
});

// After an answer, screen readers and keys start at the title of the next question. A refresh leaves the focus and open
// texts as they are.
document.addEventListener("htmx:afterSettle", () => {
  remember();
  startNamesForm();
  if (opened) {
    for (const id of opened) document.getElementById(id)?.closest("details")?.setAttribute("open", "");
    opened = null;
    return;
  }
  const title = document.querySelector("#card-title");
  title?.focus({ preventScroll: true });
  title?.scrollIntoView({ block: "nearest" });
});
remember();
rememberGuidelines();
startNamesForm();

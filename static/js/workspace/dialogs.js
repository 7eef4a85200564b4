// Modal dialogs. They are the browser's own: the focus stays inside, Escape closes them, and the focus goes back to
// where it was.

import { add, button, byId, fill, icon, make } from "../common/elements.js";

let serial = 0;
/** @type {() => number|null} returns the current revision; set by the workspace */
let revisionNow = () => null;
/** @type {WeakMap<Element, number|null>} dialog -> the revision it was opened on */
const opened = new WeakMap();

/**
 * Set the function for the current revision: dialogs show the draft as it is when they open.
 * @param {() => number|null} now
 */
export function useRevision(now) {
  revisionNow = now;
}

/**
 * The revision that the open dialog shows, on which the person decides; null if no dialog is open.
 * @returns {number|null}
 */
export function dialogRevision() {
  const dialog = document.querySelector("dialog[open]");
  return dialog ? (opened.get(dialog) ?? null) : null;
}

/** The content of a dialog has been redrawn. @param {HTMLDialogElement} dialog */
export function dialogRedrawn(dialog) {
  opened.set(dialog, revisionNow());
}

/** An id that no other element has. @param {string} name */
function numbered(name) {
  serial += 1;
  return `${name}-${serial}`;
}

/**
 * @param {{title: string, content: import("../common/elements.js").Child[], choices?: {words: string, kind?: string, run?: () => unknown, id?: string, primary?: boolean}[],
 * kind?: string, onclose?: () => void}} given a `run` that returns false keeps the dialog open; Enter in a field runs
 *   the primary choice
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, content, choices = [], kind = "", onclose }) {
  const id = numbered("dialog");
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const dialog = make("dialog", { class: `dialog ${kind}`, "aria-labelledby": id });
  const close = () => dialog.close();
  const primary = choices.find((choice) => choice.primary);
  const buttons = choices.map(({ words, kind: look = "btn btn-quiet", run, id: name, primary: main }) =>
    button(words, main ? null : () => run?.() !== false && close(), {
      kind: look,
      id: name,
      type: main ? "submit" : "button",
    }),
  );
  const form = make(
    "form",
    { method: "dialog", novalidate: true },
    make("div", { class: "dialog-body" }, content),
    buttons.length > 0 && make("footer", {}, buttons),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (primary && primary.run?.() !== false) close();
  });
  add(
    dialog,
    make(
      "header",
      {},
      make("h2", { id }, title),
      make("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, icon("close")),
    ),
    form,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
    if (document.activeElement !== document.body) return;
    if (before?.isConnected) before.focus();
    // The element that had the focus is gone: let the workspace decide where the focus goes.
    if (document.activeElement === document.body) byId("curate").dispatchEvent(new CustomEvent("focuslost"));
  });
  // A click beside the dialog closes it.
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && outside(dialog, event) && close());
  byId("curate").append(dialog);
  dialogRedrawn(dialog);
  dialog.showModal();
  (
    dialog.querySelector(".dialog-body :is(input, textarea, select):not(:disabled)") ??
    dialog.querySelector("[type=submit]")
  )?.focus();
  return dialog;
}

/** @param {HTMLDialogElement} dialog @param {MouseEvent} event */
function outside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

export function dialogIsOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** A line that says what an operation would do. */
export class ImpactLine {
  /** @param {(operations: import("../drafts/types.js").Operation[]) => import("../drafts/impact.js").Preview} judge */
  constructor(judge) {
    this.judge = judge;
    this.element = make("p", { class: "impact", role: "status" });
  }

  /** @param {import("../drafts/types.js").Operation[]|null} operations */
  show(operations) {
    const found = operations ? this.judge(operations) : { words: "", warns: false };
    fill(this.element, found.words);
    this.element.className = `impact${found.error ? " wrong" : found.warns ? " warns" : ""}`;
    return !found.error;
  }
}

/** @param {string} words @param {HTMLInputElement|HTMLTextAreaElement} control @param {string} help */
export function field(words, control, help) {
  const name = numbered("field");
  control.id = name;
  return make(
    "div",
    { class: "field" },
    make("label", { class: "form-label", for: name }, words),
    control,
    help && make("p", { class: "help" }, help),
  );
}

/**
 * A choice with radio buttons.
 * @param {string} legend
 * @param {({value: string, words: import("../common/elements.js").Child}|false)[]} options false for an option to skip
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 */
export function radios(legend, options, chosen, onchange) {
  const name = numbered("choice");
  return make(
    "fieldset",
    { class: "choices" },
    make("legend", {}, legend),
    options
      .filter((option) => option !== false)
      .map(({ value, words }) =>
        make(
          "label",
          { class: "choice" },
          make("input", {
            type: "radio",
            class: "form-check-input",
            name,
            value,
            checked: value === chosen,
            onchange: () => onchange(value),
          }),
          make("span", {}, words),
        ),
      ),
  );
}

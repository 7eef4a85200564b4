// The table of names of an adjudication: sets all names to those of one draft, and shows what is wrong with a name
// while it is typed.

import { NAME_CHARS } from "../common/limits.js";
import { nameKey } from "../common/text.js";

/**
 * Return what is wrong with the chosen names, by topic: each must be valid, and its siblings must have other names. The
 * server checks the same when they are saved.
 * @param {Map<string, {parent: string, name: string}>} chosen topic -> its parent and the name it would have
 * @param {Record<string, Record<string, string>>} beside parent -> topic -> name in the draft
 * @returns {Map<string, string>}
 */
export function wrongNames(chosen, beside) {
  const found = new Map();
  for (const [topic, { parent, name }] of chosen) {
    const own = name.trim();
    if (!own) found.set(topic, "A name has at least one character.");
    else if ([...own].length > NAME_CHARS) found.set(topic, `A name has at most ${NAME_CHARS} characters.`);
    else if (isTaken(topic, own, parent, chosen, beside)) found.set(topic, `Another topic beside it is named ${own}.`);
  }
  return found;
}

/**
 * @param {string} topic
 * @param {string} name
 * @param {string} parent
 * @param {Map<string, {parent: string, name: string}>} chosen
 * @param {Record<string, Record<string, string>>} beside
 */
function isTaken(topic, name, parent, chosen, beside) {
  const same = nameKey(name);
  return Object.entries(beside[parent] ?? {}).some(([other, there]) => {
    const now = chosen.get(other)?.name ?? there;
    return other !== topic && nameKey(now.trim()) === same;
  });
}

/** @param {HTMLElement} row */
function chosenIn(row) {
  const radio = row.querySelector("input[type='radio']:checked");
  if (!radio) return null;
  const typed = row.querySelector("input.form-control").value;
  return { parent: row.dataset.parent, name: radio.value === "typed" ? typed : radio.dataset.name };
}

/**
 * @param {HTMLFormElement} form
 * @param {Record<string, Record<string, string>>} beside
 */
function check(form, beside) {
  const rows = [...form.querySelectorAll("tr[data-topic]")];
  const chosen = new Map();
  for (const row of rows) {
    const name = chosenIn(row);
    if (name) chosen.set(row.dataset.topic, name);
  }
  const wrong = wrongNames(chosen, beside);
  for (const row of rows) {
    const words = wrong.get(row.dataset.topic) ?? "";
    const place = row.querySelector(".wrong-name");
    if (place.textContent !== words) place.textContent = words;
    row.querySelector("input.form-control").setAttribute("aria-invalid", String(Boolean(words)));
  }
  const save = form.querySelector("#save-names");
  if (save) save.disabled = wrong.size > 0 || chosen.size === 0;
}

/**
 * Choose the names of one draft for the topics it has.
 * @param {HTMLFormElement} form
 * @param {string} side
 */
function allAs(form, side) {
  for (const row of form.querySelectorAll("tr[data-topic]")) {
    const choice = new Map(row.dataset.sides.split(" ").map((/** @type {string} */ pair) => pair.split("="))).get(side);
    const radio = choice && row.querySelector(`input[type='radio'][value="${CSS.escape(choice)}"]`);
    if (radio) radio.checked = true;
  }
}

/** Make the table work. Without this script, its buttons save at once, and the server says what is wrong. */
export function startNamesForm() {
  const form = document.querySelector("#names-form");
  const data = document.querySelector("#names-beside");
  if (!form || !data) return;
  const beside = JSON.parse(data.textContent ?? "{}");
  form.addEventListener("input", (/** @type {Event} */ event) => {
    const field = /** @type {Element} */ (event.target);
    const row = field.closest("tr");
    if (row && field.matches(".form-control")) row.querySelector("input[value='typed']").checked = true;
    check(form, beside);
  });
  for (const button of form.querySelectorAll("[data-all]"))
    button.addEventListener("click", (/** @type {Event} */ event) => {
      event.preventDefault();
      allAs(form, button.dataset.all);
      check(form, beside);
    });
  check(form, beside);
}

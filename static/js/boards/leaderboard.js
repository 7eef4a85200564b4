// The leaderboard says how many rows are ticked, and finds queries by typing. Without this script, the buttons of the
// forms still work.
const words = /** @type {HTMLElement} */ (document.getElementById("measure-words"));
const measures = /** @type {HTMLElement} */ (document.getElementById("measure-menu"));

document.addEventListener("input", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  if (!box.dataset.filters) return;
  const sought = box.value.trim().toLowerCase();
  for (const label of document.querySelectorAll(`#${box.dataset.filters} label`)) {
    label.hidden = !label.textContent.toLowerCase().includes(sought);
  }
});

// Enter in a search field does not send the form: typing has already searched.
document.addEventListener("keydown", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  if (event.key === "Enter" && box.dataset?.filters) event.preventDefault();
});

const TOO_FEW = ["tick 2 to 20 algorithms to compare them", "1 ticked, 2 to 20 can be compared"];

/** Buttons state in data-ticks ("2-20") how many rows must be ticked. */
function count() {
  const ticked = document.querySelectorAll('input[form="ticked"]:checked').length;
  for (const button of document.querySelectorAll("button[data-ticks]")) {
    const [least, most] = button.dataset.ticks.split("-").map(Number);
    button.disabled = ticked < least || (most > 0 && ticked > most);
  }
  const said = document.getElementById("tick-words");
  if (said && document.querySelector('input[form="ticked"]')) {
    said.textContent = ticked > 1 ? `${ticked} ticked` : TOO_FEW[ticked];
  }
}

document.addEventListener("change", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  if (box.getAttribute("form") === "ticked") count();
});
window.addEventListener("pageshow", count);

// Another order or measure changes neither the ticked rows nor the visible columns.
const frame = () => document.querySelector("#board .scroll");
let left = 0;
/** @type {Set<string>} */
let ticked = new Set();

document.body.addEventListener("htmx:beforeSwap", () => {
  left = frame()?.scrollLeft ?? 0;
  ticked = new Set([...document.querySelectorAll('input[form="ticked"]:checked')].map((box) => box.value));
});

document.body.addEventListener("htmx:afterSwap", () => {
  for (const box of document.querySelectorAll('input[form="ticked"]')) box.checked = ticked.has(box.value);
  if (frame()) frame().scrollLeft = left;
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  words.textContent = board.dataset.words ?? "";
  const shown = new Set((board.dataset.measures ?? "").split(","));
  for (const box of measures.querySelectorAll('input[type="checkbox"]')) box.checked = shown.has(box.value);
  const others = /** @type {HTMLInputElement} */ (document.getElementById("other-measures"));
  if (document.activeElement !== others) others.value = board.dataset.others ?? "";
  count();
});

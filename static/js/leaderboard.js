// The measure picker closes on Escape or a click beside it, and says what the board shows.
// Without this script the form still works by its "Show" button.
const menu = /** @type {HTMLDetailsElement} */ (document.getElementById("measure-menu"));
const words = /** @type {HTMLElement} */ (document.getElementById("measure-words"));

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.addEventListener("click", (event) => {
  if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
});

document.body.addEventListener("htmx:afterSwap", () => {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  words.textContent = board.dataset.words ?? "";
  document.querySelector('#picker input[name="sort"]').value = board.dataset.sort;
  const shown = new Set((board.dataset.measures ?? "").split(","));
  for (const box of menu.querySelectorAll('input[name="measures"]')) box.checked = shown.has(box.value);
});

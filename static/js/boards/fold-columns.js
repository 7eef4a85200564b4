// Columns that can be folded away. Their headers have a button with data-fold, their cells the class that it names.
// This browser remembers what is folded; on narrow screens the columns start folded.
const KEY = "folded-columns";

function read() {
  try {
    const kept = window.localStorage.getItem(KEY);
    if (kept !== null) return new Set(kept.split(" "));
  } catch {
    // Nothing is stored if the browser does not allow it.
  }
  return new Set(window.matchMedia("(max-width: 40rem)").matches ? ["submitted"] : []);
}

const folded = read();

function show() {
  for (const button of document.querySelectorAll("button[data-fold]")) {
    const name = /** @type {string} */ (button.dataset.fold);
    const isFolded = folded.has(name);
    document.body.classList.toggle(`folds-${name}`, isFolded);
    button.hidden = false;
    button.setAttribute("aria-expanded", String(!isFolded));
  }
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("button[data-fold]");
  if (!button) return;
  const name = /** @type {string} */ (button.dataset.fold);
  if (!folded.delete(name)) folded.add(name);
  try {
    window.localStorage.setItem(KEY, [...folded].join(" "));
  } catch {
    // See above.
  }
  show();
});
document.body.addEventListener("htmx:afterSwap", show);
show();

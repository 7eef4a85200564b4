// Menus close on Escape or a click beside them. Without this script they close as they open.

/** @returns {HTMLDetailsElement[]} */
function openMenus() {
  return [...document.querySelectorAll("details.menu[open]")];
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

// Close menus on Escape or a click beside them, and show the chosen scoring options on their button. Without this
// script, menus close only with their own button.

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

/** The options that differ from the defaults, which come first: "overlap first". @param {Element} menu */
function policyWords(menu) {
  const changed = [...menu.querySelectorAll("select")].filter((select) => select.selectedIndex > 0);
  return changed.map((select) => `${select.name} ${select.value}`).join(", ") || "default policies";
}

document.addEventListener("change", (event) => {
  const menu = /** @type {Element} */ (event.target).closest(".policy-menu");
  if (menu) menu.querySelector("#policy-words").textContent = policyWords(menu);
});

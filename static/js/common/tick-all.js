// Lists with checkboxes: one box ticks all on the page, Shift ticks all between two, and a line says how many are
// ticked.
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-tick-form]"))) {
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[name='one']"))];
  const all = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-tick-all]"));
  const words = form.querySelector("[data-tick-words]");
  const needy = [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("[data-needs-ticks]"))];
  let last = -1;

  function tell() {
    const count = boxes.filter((box) => box.checked).length;
    for (const button of needy) {
      button.disabled = count === 0;
    }
    if (words) {
      words.textContent = count ? `${count} of the ${boxes.length} on this page ticked` : "nothing ticked";
    }
    if (all) {
      all.checked = count === boxes.length;
      all.indeterminate = count > 0 && count < boxes.length;
    }
  }

  if (all) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of boxes) {
        box.checked = all.checked;
      }
      tell();
    });
  }
  for (const [place, box] of boxes.entries()) {
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last >= 0) {
        for (const between of boxes.slice(Math.min(last, place), Math.max(last, place) + 1)) {
          between.checked = box.checked;
        }
      }
      last = place;
      tell();
    });
  }
  tell();
}

// A box in the header of a table that ticks all boxes with one name, and shows whether all, some or none are ticked.
for (const all of document.querySelectorAll("input[data-choose-all]")) {
  const boxes = [...document.querySelectorAll('input[type="checkbox"]')].filter(
    (box) => box.name === all.dataset.chooseAll,
  );
  const tell = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  };
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  for (const box of boxes) box.addEventListener("change", tell);
  tell();
}

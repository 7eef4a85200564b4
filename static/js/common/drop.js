// Files can be dropped on a file field. While they are sent and checked, the button says so.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const input = zone.querySelector('input[type="file"]');
  zone.addEventListener("dragover", (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const dropped = event.dataTransfer?.files ?? [];
    if (!dropped.length) return;
    const files = new DataTransfer();
    for (const file of dropped) {
      if (input.multiple || !files.items.length) files.items.add(file);
    }
    input.files = files.files;
    input.focus();
  });
}

for (const form of document.querySelectorAll("form[data-busy]")) {
  form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.submitter ?? form.querySelector("button.btn-primary"));
    if (!button) return;
    button.disabled = true;
    button.textContent = form.dataset.busy;
  });
}

// After the browser's "back", the form can be used again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

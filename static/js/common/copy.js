// Buttons that copy the text of an element. If the browser does not allow copying, they select it for the keyboard.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = /** @type {HTMLElement} */ (document.getElementById(button.dataset.copy));
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText((source.textContent ?? "").trim());
      button.textContent = "Copied";
    } catch {
      window.getSelection()?.selectAllChildren(source);
      button.textContent = "Selected: press Ctrl+C";
    }
    window.setTimeout(() => {
      button.textContent = words;
    }, 3000);
  });
}

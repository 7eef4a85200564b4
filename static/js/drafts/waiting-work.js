// On pages other than the workspace: prevent a draft from being submitted, archived or published while changes to it
// wait in this browser.

import { QueueStorage } from "./queue-storage.js";

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-draft]"))) {
  // This runs before scripts that say that the form is being sent.
  form.addEventListener("submit", (event) => refuse(event, form), { capture: true });
}

/** @param {SubmitEvent} event @param {HTMLFormElement} form */
function refuse(event, form) {
  const words = waitingWords(form.dataset.draft ?? "", form.dataset.me ?? "");
  if (!words) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say(form, words);
}

/**
 * What waits in this browser to be sent, in words; "" for nothing.
 * @param {string} draft
 * @param {string} me
 */
function waitingWords(draft, me) {
  let number = 0;
  try {
    number = new QueueStorage(draft, me).load().filter(({ conflict }) => !conflict).length;
  } catch {
    // If the browser stores nothing, nothing waits.
  }
  if (!number) return "";
  const [changes, are, they] = number === 1 ? ["1 change", "is", "it is"] : [`${number} changes`, "are", "they are"];
  return `${changes} that you made to this draft in this browser ${are} not saved yet. Open the draft: ${they} sent as soon as it is open. Then try again.`;
}

/** @param {HTMLFormElement} form @param {string} words */
function say(form, words) {
  const before = form.parentElement?.querySelector(".waiting-work");
  const notice = before ?? document.createElement("p");
  notice.className = "notice warn small waiting-work";
  notice.setAttribute("role", "alert");
  notice.textContent = words;
  form.after(notice);
}

// The field for a comment: suggests names after an @, says who will see the comment, and stores the text while it is
// typed.

import { add, bdi, button, fill, make } from "../common/elements.js";
import { isComposing } from "../common/keystrokes.js";
import { COMMENT_CHARS } from "../common/limits.js";
import { beginning, mentionedIn } from "./mentions.js";

const OFFERED = 6;
const NAMED_ALL = 4;
let serial = 0;

export class Composer {
  /**
   * @param {object} needs
   * @param {import("./comment-store.js").CommentStore} needs.talk
   * @param {string} needs.name identifies the stored text
   * @param {string} needs.label
   * @param {(text: string, toLead: boolean) => unknown} needs.send returns false to keep the text in the field
   * @param {boolean} [needs.asks] true if the comment may become a question to the coordinator
   * @param {boolean} [needs.toLead] true if the thread is such a question
   * @param {number} [needs.thread] the thread that the comment answers
   * @param {string} [needs.words] the words of the button
   * @param {string} [needs.start] the initial text
   * @param {() => void} [needs.leave] called by "Cancel" or Esc
   * @param {() => void} [needs.onescape] called by Esc if there is nothing to cancel
   */
  constructor({
    talk,
    name,
    label,
    send,
    asks = false,
    toLead = false,
    words = "Comment",
    start = "",
    leave,
    onescape,
    thread,
  }) {
    serial += 1;
    this.talk = talk;
    this.name = name;
    this.thread = thread;
    this.send = send;
    this.leave = onescape ?? leave;
    this.toLead = toLead;
    this.known = talk.peopleOf(thread);
    this.list = make("ul", {
      class: "offer",
      id: `offer-${serial}`,
      role: "listbox",
      "aria-label": "People",
      hidden: true,
    });
    this.field = make("textarea", {
      class: "form-control",
      rows: "2",
      "aria-label": label,
      placeholder: label,
      maxlength: COMMENT_CHARS,
      dir: "auto",
      "aria-autocomplete": "list",
      "aria-controls": this.list.id,
    });
    this.field.value = talk.typed(name) || start;
    this.box = make("input", { type: "checkbox", class: "form-check-input" });
    this.audience = make("p", { class: "audience small muted", "aria-live": "polite" });
    this.go = button(words, () => this.#send(), { kind: "btn btn-primary btn-small", title: "Ctrl+Enter" });
    this.asking = make("label", { class: "asking small", hidden: !asks }, this.box, "Ask the lead");
    this.element = make(
      "div",
      { class: "composer" },
      make("div", { class: "composer-field" }, this.field, this.list),
      this.audience,
      add(
        make("div", { class: "composer-foot" }),
        this.asking,
        leave && button("Cancel", () => leave(), { kind: "btn btn-quiet btn-small" }),
        this.go,
      ),
    );
    this.#listen();
    this.render();
  }

  #listen() {
    this.field.addEventListener("input", () => {
      this.talk.type(this.name, this.field.value);
      this.#offer();
      this.render();
      this.#reveal();
    });
    this.field.addEventListener("focus", () => {
      this.talk.askPeople(this.thread);
      this.render();
      this.#reveal();
    });
    this.field.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
    this.field.addEventListener("keydown", (event) => this.#key(event));
    this.box.addEventListener("change", () => this.render());
  }

  /** Show who will see the comment, and which of the mentioned people will not. */
  render() {
    const people = this.talk.peopleOf(this.thread);
    // The people may arrive after somebody has started to type a name.
    if (people !== this.known && document.activeElement === this.field) this.#offer();
    this.known = people;
    const toLead = this.toLead || this.box.checked;
    const active = this.field.value.trim() !== "" || document.activeElement === this.field;
    this.element.classList.toggle("active", active);
    this.go.disabled = this.field.value.trim() === "";
    this.asking.classList.toggle("off", !people.some((one) => one.leads));
    if (!people.length) return void fill(this.audience);
    /** @param {import("./comment-store.js").Nameable} one */
    const sees = (one) => one.sees || (toLead && one.leads);
    const named = mentionedIn(
      this.field.value,
      people.map((one) => one.name),
    );
    const blind = people.filter((one) => named.includes(one.name) && !sees(one)).map((one) => one.name);
    const seen = people.filter(sees).map((one) => one.name);
    fill(
      this.audience,
      seen.length ? ["Seen by ", bdi(listed(seen))] : "Only you can see this for now",
      ".",
      blind.length > 0 &&
        make(
          "strong",
          { class: "not-told" },
          " ",
          bdi(listed(blind)),
          " cannot see this draft now and will not be notified.",
        ),
    );
  }

  /** Scroll the lines below the field into sight as well. */
  #reveal() {
    this.element.scrollIntoView({ block: "nearest" });
  }

  #offer() {
    const caret = this.field.selectionStart ?? 0;
    const begun = beginning(this.field.value.slice(0, caret));
    const wanted = begun?.toLowerCase() ?? "";
    const found =
      begun === null
        ? []
        : this.talk
            .peopleOf(this.thread)
            .filter((one) => one.name.toLowerCase().startsWith(wanted))
            .slice(0, OFFERED);
    const toLead = this.toLead || this.box.checked;
    fill(
      this.list,
      found.map((one, at) =>
        make(
          "li",
          {
            role: "option",
            id: `${this.list.id}-${at}`,
            "aria-selected": String(at === 0),
            data: { name: one.name },
            onpointerdown: (/** @type {Event} */ event) => {
              event.preventDefault();
              this.#choose(one.name);
            },
          },
          bdi(one.name),
          !(one.sees || (toLead && one.leads)) && make("small", { class: "muted" }, "does not see it"),
        ),
      ),
    );
    this.list.hidden = !found.length;
    this.#point(found.length ? `${this.list.id}-0` : null);
  }

  /** @param {string|null} id */
  #point(id) {
    if (id) this.field.setAttribute("aria-activedescendant", id);
    else this.field.removeAttribute("aria-activedescendant");
  }

  #close() {
    this.list.hidden = true;
    this.#point(null);
  }

  /** @param {string} name */
  #choose(name) {
    const caret = this.field.selectionStart ?? 0;
    const before = this.field.value.slice(0, caret);
    const at = before.lastIndexOf("@");
    const start = `${before.slice(0, at)}@${name} `;
    this.field.value = start + this.field.value.slice(caret);
    this.field.setSelectionRange(start.length, start.length);
    this.#close();
    this.talk.type(this.name, this.field.value);
    this.render();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isComposing(event)) return;
    if (!this.list.hidden && this.#steer(event)) {
      // The list has handled the key.
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#send();
    else if (event.key === "Escape" && this.leave) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event @returns {boolean} true if the list of people handled the key */
  #steer(event) {
    const rows = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
    if (event.key === "Escape") this.#close();
    else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab")
      this.#choose(rows[Math.max(0, at)].dataset.name ?? "");
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const to = rows[(at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length];
      for (const row of rows) row.setAttribute("aria-selected", String(row === to));
      this.#point(to.id);
    } else return false;
    return true;
  }

  #send() {
    const text = this.field.value.trim();
    if (!text || this.send(text, this.box.checked) === false) return;
    this.field.value = "";
    this.box.checked = false;
    this.talk.type(this.name, "");
    this.render();
  }

  focus() {
    this.field.focus();
  }
}

/** "ann, bob and 3 more". @param {string[]} names */
function listed(names) {
  if (names.length <= 1) return names.join("");
  const shown = names.length > NAMED_ALL ? names.slice(0, NAMED_ALL - 1) : names.slice(0, -1);
  const rest = names.length - shown.length;
  return `${shown.join(", ")} and ${rest > 1 ? `${rest} more` : names.at(-1)}`;
}

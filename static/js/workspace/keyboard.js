// Key presses in the workspace: finds the action of each and runs its handler.

import { announce } from "../common/announce.js";
import { byId, make } from "../common/elements.js";
import { isTyping } from "../common/keystrokes.js";
import { dialogIsOpen } from "./dialogs.js";
import { strokeOf } from "./keys.js";
import { menuIsOpen } from "./menu.js";

export class Keyboard {
  /**
   * @param {object} needs
   * @param {import("./keys.js").Keys} needs.keys
   * @param {ReturnType<typeof import("./key-handlers.js").keyHandlers>} needs.handlers
   * @param {import("./panes.js").Panes} needs.panes
   */
  constructor({ keys, handlers, panes }) {
    this.keys = keys;
    this.handlers = handlers;
    this.panes = panes;
  }

  listen() {
    document.addEventListener("keydown", (event) => this.#press(event));
    this.keys.onpending = (stroke) => this.#showChord(stroke);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    if (event.defaultPrevented || isTyping(event) || dialogIsOpen() || menuIsOpen()) return;
    const stroke = strokeOf(event);
    if (stroke === null) return;
    const found = this.keys.find(stroke, this.#regionOf(target));
    if (!found) return;
    // Enter and Space on a button press the button.
    if (["Enter", "Space"].includes(stroke) && target.closest("button, a, summary")) return;
    event.preventDefault();
    if (found.action) this.handlers[found.action.id]?.(target);
  }

  /** @param {Element} element */
  #regionOf(element) {
    if (byId("region-topics").contains(element)) return "tree";
    if (byId("list").contains(element)) return "list";
    if (byId("region-page").contains(element)) return "page";
    if (this.panes.paneOf(element)) return "edge";
    return "elsewhere";
  }

  /** Show which keys can follow a first key such as `g`. @param {string} stroke "" after the second key */
  #showChord(stroke) {
    document.getElementById("chord")?.remove();
    if (!stroke) return;
    const following = this.keys.following(stroke);
    const lines = following.map(({ key, words }) => make("span", {}, make("kbd", {}, key), words));
    byId("curate").append(
      make(
        "div",
        { class: "chord", id: "chord", "aria-hidden": "true" },
        make("p", {}, make("kbd", {}, stroke), "then one of these; Esc for none"),
        lines,
      ),
    );
    announce(`${stroke}, then ${following.map((one) => one.key).join(", ")}.`);
  }
}

// The dialogs about the whole draft: issues, history, keys, suggestions, unsaved work, submitting.

import { announce, refuseChange, toast, wordsOf } from "../common/announce.js";
import { add, bdi, button, count, fill, make, setAttribute, targetOf } from "../common/elements.js";
import { ask } from "../common/http.js";
import { SUGGESTED_TOPICS } from "../common/limits.js";
import { isError, numbersOf } from "../drafts/issues.js";
import { dialogRedrawn, field, openDialog } from "./dialogs.js";
import { ACTIONS } from "./key-table.js";
import { readable, strokeOf } from "./keys.js";

const PER_REQUEST = 50;
/** The number of unplaced pages from which topics can be suggested. */
const LEAST = 2;

/** @param {number} unplaced */
export function whyNoSuggestions(unplaced) {
  return unplaced
    ? "Only one page is in no topic. Topics can be suggested for two or more."
    : "Every page is placed. Topics are suggested only for pages in no topic.";
}

export class Sheets {
  /**
   * @param {object} needs
   * @param {import("../drafts/types.js").Workspace} needs.workspace
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {import("./conflicts.js").Conflicts} needs.conflicts
   * @param {() => import("../drafts/issues.js").Issue[]} needs.issues returns the issues of the draft
   * @param {() => void} needs.redraw redraws the same draft
   */
  constructor({ workspace, store, keys, actions, go, conflicts, issues, redraw }) {
    this.workspace = workspace;
    this.conflicts = conflicts;
    this.store = store;
    this.keys = keys;
    this.actions = actions;
    this.go = go;
    this.issues = issues;
    this.redraw = redraw;
  }

  // Issues

  showIssues() {
    const list = make("ul", { class: "issues" });
    const dialog = openDialog({ title: "Issues", kind: "wide", content: [list], onclose: () => this.go.opened(null) });
    const draw = () => {
      const found = this.issues();
      const { errors, warnings } = numbersOf(found);
      const settle = errors
        ? `${count(errors, "issue")} to resolve before publishing`
        : "Nothing keeps this draft from being published.";
      fill(
        list,
        make("li", { class: errors ? "head" : "none" }, settle),
        found.filter(isError).map((issue) => this.#issue(issue, dialog, draw)),
        warnings > 0 && make("li", { class: "head" }, `${count(warnings, "warning")}, worth a second look`),
        found.filter((issue) => !isError(issue)).map((issue) => this.#issue(issue, dialog, draw)),
      );
    };
    draw();
    this.go.opened("issues");
    list.querySelector("button")?.focus();
  }

  /** @param {import("../drafts/issues.js").Issue} issue @param {HTMLDialogElement} dialog @param {() => void} draw */
  #issue(issue, dialog, draw) {
    const go = () => {
      dialog.close();
      this.go.issue(issue);
    };
    const fix = () => {
      this.actions.run(issue.fix ? [issue.fix] : [], issue.pages ?? [], { notice: true });
      draw();
      dialogRedrawn(dialog);
      (dialog.querySelector(".issues button") ?? dialog.querySelector(".close")).focus();
    };
    return make(
      "li",
      { class: issue.severity === "warning" ? "warning" : "error" },
      make(
        "span",
        {
          class: "rule",
          title: issue.severity === "warning" ? "Worth a second look" : "Must be resolved before publishing",
        },
        issue.rule || "!",
      ),
      bdi(issue.message, { class: "words" }),
      make(
        "span",
        { class: "buttons" },
        button("Go", go, { "aria-label": `Go: ${issue.message}` }),
        issue.fix && !this.store.readOnly && button(issue.fix_label || "Fix", fix, { kind: "tool strong" }),
      ),
    );
  }

  // History

  showHistory() {
    const list = make("ol", { class: "history" });
    const more = button("Earlier", () => load(), { kind: "btn btn-quiet", id: "history-more" });
    const foot = make("p", { class: "more" }, more);
    const dialog = openDialog({
      title: "History of the draft",
      kind: "wide",
      content: [list, foot],
    });
    /** @type {number|null} */
    let before = null;
    const load = async () => {
      setAttribute(more, "aria-disabled", "true");
      try {
        const address = new URL(this.workspace.urls.history, window.location.href);
        address.searchParams.set("limit", String(PER_REQUEST));
        if (before !== null) address.searchParams.set("before", String(before));
        const found = await ask(address.href);
        const entries = found.entries ?? found.results ?? found;
        add(
          list,
          entries.map((/** @type {import("../drafts/types.js").HistoryRow} */ entry) => this.#entry(entry)),
        );
        const first = Math.min(
          before ?? Number.POSITIVE_INFINITY,
          ...entries.map((/** @type {import("../drafts/types.js").HistoryRow} */ entry) => entry.revision),
        );
        foot.hidden = entries.length < PER_REQUEST || first <= 1;
        before = first;
        if (!list.childElementCount) add(list, make("li", { class: "muted" }, "Nothing has been changed yet."));
      } catch (error) {
        add(list, make("li", { class: "wrong" }, wordsOf(error)));
      }
      setAttribute(more, "aria-disabled", null);
      if (foot.hidden && dialog.contains(document.activeElement) === false) dialog.querySelector(".close").focus();
    };
    load();
  }

  /** @param {import("../drafts/types.js").HistoryRow} entry */
  #entry(entry) {
    const time = new Date(entry.at);
    return make(
      "li",
      {},
      make("span", { class: "number" }, `r${entry.revision}`),
      make(
        "span",
        {},
        bdi(entry.label),
        entry.skipped?.map(({ message }) => bdi(message, { class: "muted small skipped" })),
      ),
      bdi(entry.by, { class: "who" }),
      make(
        "time",
        { datetime: entry.at },
        Number.isNaN(time.valueOf()) ? "" : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" }),
      ),
    );
  }

  // Saving and conflicts

  showSave() {
    const { store, conflicts } = this;
    if (conflicts.size) {
      const words = store.open.length
        ? "Nothing was overwritten, and nothing you typed is lost. Apply the change to the current draft, or set it aside."
        : "";
      return conflicts.show("Conflicts with the work of others", words);
    }
    return openDialog({ title: "Your work", content: [make("p", {}, saveWords(store.save))] });
  }

  // About

  about() {
    const { draft, collection, query, urls } = this.workspace;
    const kind =
      {
        shared: "shared: all curators work on it",
        own: "own: one curator works on it",
        adjudication: "adjudication of two drafts",
      }[draft.kind] ?? draft.kind;
    const facts = [
      ["Draft", bdi(draft.name)],
      ["Kind", kind],
      draft.curator && ["Curator", bdi(draft.curator)],
      ["Started from", bdi(draft.started_from?.words || "nothing")],
      ["Query", make("a", { href: urls.query }, bdi(query.text || query.key))],
      ["Collection", bdi(collection.name)],
      ["State", `${this.store.draft.status}, revision ${this.store.revision}`],
      ["Topics", `${this.store.state.topics.size} on ${count(this.store.state.levels, "level")}`],
      ["Pages", String(this.store.pages.size)],
    ].filter((fact) => Array.isArray(fact));
    openDialog({
      title: "About this draft",
      content: [
        make(
          "dl",
          { class: "facts" },
          facts.map(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]),
        ),
      ],
    });
  }

  // Suggestions

  suggest() {
    if (this.store.readOnly) return refuseChange();
    const { state } = this.store;
    const unplaced = state.unplaced(1).length;
    if (unplaced < LEAST) {
      const dialog = openDialog({
        title: "Suggest topics",
        kind: "small",
        content: [make("p", {}, whyNoSuggestions(unplaced))],
        choices: [{ words: "Close", primary: true }],
      });
      return dialog.querySelector("[type=submit]").focus();
    }
    const number = make("input", {
      type: "number",
      class: "form-control",
      min: "2",
      max: String(SUGGESTED_TOPICS),
      placeholder: "as many as there are",
    });
    // Typing replaces the number. A number that is not allowed keeps the dialog open and says so.
    const go = () => {
      if (!number.reportValidity()) return false;
      this.#ask(number.value ? Number(number.value) : null);
      return true;
    };
    openDialog({
      title: "Suggest topics",
      content: [
        make(
          "p",
          {},
          `The ${count(unplaced, "page")} in no topic yet are grouped into topics by their words, and each topic is named by its characteristic phrases. These are only suggestions: nothing counts until you accept it.`,
        ),
        field(
          "How many topics",
          number,
          `Between 2 and ${SUGGESTED_TOPICS}; leave empty for as many as the pages suggest.`,
        ),
      ],
      choices: [{ words: "Cancel" }, { words: "Suggest", kind: "btn btn-primary", primary: true, run: go }],
    });
    return number.select();
  }

  /** @param {number|null} topics null for as many as the pages suggest */
  async #ask(topics) {
    announce("Looking for topics in the texts.");
    const leave = toast("Looking for topics in the texts of the pages …", { stays: true });
    try {
      await ask(this.workspace.urls.suggestions, {
        me: this.workspace.me,
        method: "POST",
        body: { topics },
      });
      leave();
      toast("Suggestions are coming in: see the queue “Suggested”.", {
        action: "Show",
        onaction: () => this.go.queue("suggested"),
      });
    } catch (error) {
      leave();
      toast(wordsOf(error), { kind: "bad" });
    }
  }

  // Submitting and leaving

  submit() {
    this.store.checkOtherTabs();
    const unsaved = this.store.save.waiting || this.store.elsewhere;
    const undecided = this.store.open.length;
    const found = this.issues();
    const { errors } = numbersOf(found);
    const flagged = this.store.state.flags.size;
    const look = () => {
      dialog.close();
      this.showIssues();
    };
    const dialog = openDialog({
      title: "Submit this draft",
      content: [
        make(
          "p",
          {},
          "Submitting says that you are done. The draft can no longer be changed and is compared with those of other curators. Somebody decides where they differ. After submitting, you can see what others have submitted. You can reopen your draft until another curator of the query submits.",
        ),
        errors > 0 &&
          make(
            "p",
            { class: "impact warns" },
            `${count(errors, "issue")} ${errors === 1 ? "is" : "are"} open: the comparison will lack numbers for this draft, and it cannot be published as it is. `,
            button("Look at the issues", look, {
              kind: "link-button",
              id: "submit-issues",
            }),
          ),
        flagged > 0 &&
          make(
            "p",
            { class: "impact warns" },
            `${count(flagged, "page")} ${flagged === 1 ? "is" : "are"} still flagged.`,
          ),
        unsaved > 0 && make("p", { class: "impact warns" }, `${count(unsaved, "change")} not saved yet.`),
        undecided > 0 &&
          make(
            "p",
            { class: "impact warns" },
            `${count(undecided, "change")} of yours ${undecided === 1 ? "was" : "were"} not made. Once the draft is submitted, ${undecided === 1 ? "it" : "they"} cannot be tried again.`,
          ),
      ],
      choices: [
        { words: "Cancel" },
        {
          words: errors ? "Submit anyway" : "Submit",
          kind: "btn btn-primary",
          primary: true,
          run: () => this.#post(this.workspace.urls.submit),
        },
      ],
    });
    dialog.querySelector("[type=submit]").focus();
  }

  reopen() {
    return this.#post(this.workspace.urls.reopen);
  }

  /** @param {string} address */
  #post(address) {
    const waits = this.#waits();
    if (waits) return toast(waits, { kind: "bad" });
    return ask(address, { me: this.workspace.me, method: "POST", body: {} }).then(
      () => window.location.reload(),
      (error) => toast(wordsOf(error), { kind: "bad" }),
    );
  }

  /** Publishing uses the server's version, so send waiting changes first. @param {MouseEvent} event */
  leaveFor(event) {
    const waits = this.#waits();
    if (!waits) return;
    event.preventDefault();
    toast(waits, { kind: "bad" });
  }

  /** This person's work that the site does not have yet and that is sent now; "" for nothing. */
  #waits() {
    const { store } = this;
    store.checkOtherTabs();
    const { elsewhere } = store;
    if (elsewhere) {
      store.takeOver();
      const [were, they] = elsewhere === 1 ? ["was", "It is"] : ["were", "They are"];
      return `${count(elsewhere, "change")} that you made in another tab ${were} not saved yet. ${they} being sent: try again once everything is saved.`;
    }
    const { waiting } = store.save;
    return waiting
      ? `${count(waiting, "change")} of yours ${waiting === 1 ? "is" : "are"} not saved yet. Try again once everything is saved.`
      : "";
  }

  // Keys

  showKeys() {
    const table = make("div", { class: "key-groups" });
    const status = make("p", { class: "impact", role: "status" });
    const switcher = make("input", {
      type: "checkbox",
      class: "form-check-input",
      checked: this.keys.on,
      onchange: (/** @type {Event} */ event) => this.#turn(targetOf(event).matches(":checked"), draw),
    });
    const draw = () => fill(table, this.#groups(draw, status));
    const reset = () => {
      this.keys.reset();
      this.redraw();
      draw();
      fill(status, "All keys have their default setting.");
    };
    openDialog({
      title: "Keys",
      kind: "wide",
      content: [
        make(
          "p",
          { class: "key-intro" },
          make(
            "label",
            { class: "choice" },
            switcher,
            make("span", {}, "Single keys work (those with Ctrl or Alt, arrows, Enter and Esc always do)"),
          ),
          button("Reset all keys", reset, { id: "keys-reset" }),
        ),
        status,
        table,
      ],
      onclose: () => this.redraw(),
    });
    draw();
  }

  /** @param {boolean} on @param {() => void} draw */
  #turn(on, draw) {
    this.keys.turn(on);
    draw();
  }

  /** @param {() => void} draw @param {HTMLElement} status */
  #groups(draw, status) {
    const groups = [...new Set(ACTIONS.map((action) => action.group))];
    return groups.map((group) => {
      const rows = ACTIONS.filter((action) => action.group === group && !action.fixed).map((action) =>
        this.#keyRow(action, draw, status),
      );
      if (group === "Place") {
        rows.unshift(
          fixedRow("1 – 9", "Topic with that badge: put in, or take out", "box of the topic; badge above the pages"),
          fixedRow(
            "Shift+1 – 9, or i then 1 – 9",
            "Of the topics with badges only that one, and stay. Use i where Shift types the digit, or / = or + on its key",
            "Shift and click the box; “only” in the picker",
          ),
        );
      }
      return make(
        "section",
        {},
        make("h3", {}, group === "Topics" ? "Topics (when the focus is on them)" : group),
        make(
          "table",
          {},
          make(
            "thead",
            { class: "visually-hidden" },
            make(
              "tr",
              {},
              ["What", "Key", "By mouse"].map((words) => make("th", { scope: "col" }, words)),
            ),
          ),
          make("tbody", {}, rows),
        ),
      );
    });
  }

  /** @param {import("./key-table.js").Action} action @param {() => void} draw @param {HTMLElement} status */
  #keyRow(action, draw, status) {
    const { keys } = this;
    const changed = action.id in keys.changed;
    const press = button(
      keys.keysOf(action.id).map(readable).join(" or "),
      () => this.#capture(action, press, draw, status),
      {
        kind: `key-button${changed ? " changed" : ""}`,
        title: "Change this key",
        "data-action": action.id,
        "aria-label": `${action.words}: ${keys.keysOf(action.id).map(readable).join(" or ")}. Change this key`,
      },
    );
    return make(
      "tr",
      {},
      make("td", {}, action.words),
      make("td", {}, press),
      make("td", { class: "by-mouse" }, action.mouse),
    );
  }

  /**
   * @param {import("./key-table.js").Action} action
   * @param {HTMLElement} press
   * @param {() => void} draw
   * @param {HTMLElement} status
   */
  #capture(action, press, draw, status) {
    const { keys } = this;
    let chord = "";
    fill(press, "press a key …");
    press.classList.add("waiting");
    /** @param {string} words */
    const stop = (words) => {
      press.removeEventListener("keydown", listen, true);
      press.removeEventListener("blur", cancel);
      draw();
      fill(status, words);
      status.closest("dialog").querySelector(`[data-action="${action.id}"]`)?.focus();
    };
    const cancel = () => stop("The key was not changed.");
    /** @param {KeyboardEvent} event */
    const listen = (event) => {
      const stroke = strokeOf(event);
      event.preventDefault();
      event.stopPropagation();
      if (stroke === null) return;
      if (stroke === "Esc" && !chord) return cancel();
      if (stroke === "Tab" || stroke === "Shift+Tab") return cancel();
      if (!chord && leadsOn(keys, stroke)) {
        chord = stroke;
        fill(press, `${stroke} then …`);
        return;
      }
      const whole = chord ? `${chord} ${stroke}` : stroke;
      const taken = keys.collision(action.id, whole);
      if (taken)
        return stop(`${readable(whole)} is already “${taken.words}”: choose another, or change that one first.`);
      keys.remap(action.id, whole);
      stop(`“${action.words}” is now ${readable(whole)}.`);
    };
    press.addEventListener("keydown", listen, true);
    press.addEventListener("blur", cancel);
  }
}

/** @param {import("./keys.js").Keys} keys @param {string} stroke */
function leadsOn(keys, stroke) {
  return ACTIONS.some((action) =>
    keys.keysOf(action.id).some((/** @type {string} */ key) => key.startsWith(`${stroke} `)),
  );
}

/** @param {string} key @param {string} words @param {string} mouse */
function fixedRow(key, words, mouse) {
  return make(
    "tr",
    {},
    make("td", {}, words),
    make("td", {}, make("kbd", {}, key)),
    make("td", { class: "by-mouse" }, mouse),
  );
}

/** @param {import("../drafts/store.js").DraftStore["save"]} save */
function saveWords(save) {
  if (save.kind === "saved") return "Everything is saved.";
  if (save.kind === "readonly") return "You cannot change this draft.";
  const waiting = `${count(save.waiting, "change")} ${save.waiting === 1 ? "waits" : "wait"} in this browser.`;
  if (save.kind === "saving") return `${waiting} They are being sent.`;
  if (save.kind === "offline")
    return `The site cannot be reached. ${waiting} They will be sent as soon as it can be. You lose nothing by closing this tab, but you need the site to open or reload it.`;
  if (save.kind === "signed-out") return `You are signed out. ${waiting} They will be sent when you sign in again.`;
  return waiting;
}

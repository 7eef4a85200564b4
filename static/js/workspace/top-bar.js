// The bar above the regions: progress, whether work is saved, who else is here, undo, and where to go next.

import { arrange, bdi, byId, count, figure, fill, icon, make, setAttribute, setText } from "../common/elements.js";
import { numbersOf } from "../drafts/issues.js";
import { openMenu } from "./menu.js";
import { whyNoSuggestions } from "./sheets.js";

/** @type {Record<string, (save: import("../drafts/store.js").DraftStore["save"]) => string>} */
const SAVE_WORDS = {
  saved: (save) => `Saved r${save.revision}`,
  saving: (save) => `Saving ${save.waiting}`,
  offline: (save) => (save.waiting ? `Offline, ${save.waiting} waiting` : "Offline"),
  conflict: (save) => `Conflict${save.waiting ? `, ${save.waiting} waiting` : ""}`,
  "signed-out": (save) => `Signed out${save.waiting ? `, ${save.waiting} waiting` : ""}`,
  readonly: (save) => `Read only, r${save.revision}`,
};

export class TopBar {
  /**
   * @param {object} needs
   * @param {import("../drafts/types.js").Workspace} needs.workspace
   * @param {import("../drafts/store.js").DraftStore} needs.store
   * @param {import("./keys.js").Keys} needs.keys
   * @param {import("./actions.js").Actions} needs.actions
   * @param {import("./sheets.js").Sheets} needs.sheets
   * @param {import("./conflicts.js").Conflicts} needs.conflicts
   * @param {import("./navigation.js").Navigation} needs.go
   * @param {() => import("../drafts/issues.js").Issue[]} needs.issuesNow returns the issues of the draft
   * @param {() => void} needs.onbanner called when the connection to the site has changed
   */
  constructor({ workspace, store, keys, actions, sheets, conflicts, go, issuesNow, onbanner }) {
    this.conflicts = conflicts;
    this.workspace = workspace;
    this.store = store;
    this.keys = keys;
    this.actions = actions;
    this.sheets = sheets;
    this.go = go;
    this.issuesNow = issuesNow;
    this.onbanner = onbanner;
    this.meters = byId("meters");
    fill(byId("undo"), icon("undo"));
    fill(byId("redo"), icon("redo"));
    fill(byId("more"), icon("more"), make("span", { class: "visually-hidden" }, "More"));
    byId("undo").addEventListener("click", () => this.actions.undo());
    byId("redo").addEventListener("click", () => this.actions.redo());
    byId("more").addEventListener("click", () => this.#more());
    byId("save").addEventListener("click", () => this.sheets.showSave());
    byId("draft-name").addEventListener("click", () => this.sheets.about());
    this.outliers = this.#meter("outliers", () => this.go.queue("outliers"));
    this.issues = this.#meter("issues", () => this.sheets.showIssues());
    /** @type {HTMLElement[]} the meters of levels, from level 1 */
    this.levels = [];
  }

  /** @param {string} kind @param {() => void} onclick */
  #meter(kind, onclick) {
    return make(
      "button",
      { type: "button", class: `meter ${kind}`, onclick },
      make("span", { class: "meter-name" }),
      " ",
      make("span", { class: "meter-bar" }, make("span", {})),
      make("span", { class: "meter-number" }),
    );
  }

  render() {
    this.#renderMeters();
    this.#renderUndo();
    this.renderSave();
    this.#finish();
    this.#strip();
  }

  #renderMeters() {
    const { state } = this.store;
    const coverage = state.coverage();
    while (this.levels.length < coverage.length) {
      const level = this.levels.length + 1;
      this.levels.push(this.#meter("level", () => this.go.queue(`level-${level}`)));
    }
    const wanted = [...this.levels.slice(0, coverage.length), this.outliers, this.issues];
    arrange(this.meters, wanted);
    coverage.forEach(({ level, placed, total }, at) => {
      const meter = this.levels[at];
      const [name, bar, number] = /** @type {HTMLElement[]} */ ([...meter.children]);
      setText(name, `L${level}`);
      /** @type {HTMLElement} */ (bar.firstElementChild).style.setProperty(
        "--part",
        String(total ? placed / total : 0),
      );
      number.style.minWidth = `${2 * String(total).length + 1}ch`;
      setText(number, `${figure(placed)}/${figure(total)}`);
      meter.classList.toggle("whole", placed === total);
      setAttribute(
        meter,
        "aria-label",
        `L${level} ${number.textContent}, pages placed on level ${level}. Show those that are not`,
      );
      setAttribute(
        meter,
        "title",
        placed === total
          ? `No page is without a topic on level ${level}`
          : `${count(total - placed, "page")} still without a topic on level ${level}: show them`,
      );
    });
    this.#figure(this.outliers, "Outliers", state.outliers.size, "Show the outliers");
    const found = this.issuesNow();
    const { errors, warnings } = numbersOf(found);
    const also = warnings ? `; ${count(warnings, "warning")}` : "";
    this.#figure(
      this.issues,
      "Issues",
      errors,
      `${errors ? `${count(errors, "issue")} to resolve before publishing` : "Nothing keeps this draft from being published"}${also}`,
    );
    this.issues.classList.toggle("wrong", errors > 0);
    this.issues.classList.toggle("whole", !errors);
  }

  /** @param {HTMLElement} meter @param {string} words @param {number} number @param {string} title */
  #figure(meter, words, number, title) {
    const [name, , shown] = /** @type {HTMLElement[]} */ ([...meter.children]);
    setText(name, words);
    setText(shown, figure(number));
    setAttribute(meter, "aria-label", `${words} ${figure(number)}. ${title}`);
    setAttribute(meter, "title", title);
  }

  #renderUndo() {
    const { store, keys } = this;
    for (const kind of ["undo", "redo"]) {
      const label = kind === "undo" ? store.undoLabel : store.redoLabel;
      const words = kind === "undo" ? "Undo" : "Redo";
      byId(kind).hidden = store.readOnly;
      const key = keys.hint(kind);
      // Not `disabled`, because the focus would be lost when the last undo is pressed.
      setAttribute(byId(kind), "disabled", null);
      setAttribute(byId(kind), "aria-disabled", label ? null : "true");
      setAttribute(
        byId(kind),
        "title",
        label ? `${words}: ${label}${key ? ` (${key})` : ""}` : `Nothing to ${words.toLowerCase()}`,
      );
      setAttribute(byId(kind), "aria-label", label ? `${words}: ${label}` : `Nothing to ${words.toLowerCase()}`);
    }
  }

  renderSave() {
    const { save } = this.store;
    const words = (SAVE_WORDS[save.kind] ?? SAVE_WORDS.saved)(save);
    setText(byId("save-words"), words);
    byId("save").dataset.kind = save.kind;
    setAttribute(byId("save"), "aria-label", `${words}. More about it`);
    this.#renderBanner(save);
  }

  /** @param {import("../drafts/store.js").DraftStore["save"]} save */
  #renderBanner(save) {
    const banner = byId("banner");
    const words = bannerWords(save) || this.conflicts.words();
    if (banner.dataset.words === words) return;
    banner.dataset.words = words;
    banner.hidden = !words;
    this.onbanner();
    const close = () => {
      banner.hidden = true;
      this.go.focusList();
    };
    const link =
      save.kind === "signed-out" &&
      make("a", { href: "/sign-in/", target: "_blank", rel: "opener" }, "Sign in again in another tab");
    const look =
      words === this.conflicts.words() &&
      make("button", { type: "button", class: "link-button", onclick: () => this.sheets.showSave() }, "Look at it");
    fill(
      banner,
      make("span", {}, words),
      link && [" ", link],
      look && [" ", look],
      make(
        "button",
        { type: "button", class: "banner-close", "aria-label": "Close this message", onclick: close },
        icon("close"),
      ),
    );
  }

  renderPeople() {
    const { store } = this;
    const others = store.people.filter((person) => person.name !== store.me);
    const holder = byId("people");
    fill(
      holder,
      others.slice(0, 4).map((person, at) => {
        const page = store.pages.get(person.page ?? "");
        const words = page ? `${person.name} is at “${page.title || page.id}”` : `${person.name} is here`;
        return make("button", {
          type: "button",
          class: `person hue-${at}`,
          title: words,
          "aria-label": `${words}${page ? ". Go there" : ""}`,
          data: { initials: [...person.name].slice(0, 2).join("") },
          onclick: () => page && this.go.page(page.id),
        });
      }),
      others.length > 4 && make("span", { class: "person" }, `+${others.length - 4}`),
    );
  }

  #finish() {
    const { urls } = this.workspace;
    const { draft } = this.store;
    if (byId("finish").dataset.status === draft.status) return;
    byId("finish").dataset.status = draft.status;
    const reopen = draft.status === "submitted" && draft.may_submit && urls.reopen;
    fill(
      byId("finish"),
      draft.status === "open" &&
        draft.may_submit &&
        draft.kind === "own" &&
        urls.submit &&
        make(
          "button",
          { type: "button", class: "btn btn-quiet", id: "submit", onclick: () => this.sheets.submit() },
          "Submit",
        ),
      reopen &&
        make(
          "button",
          { type: "button", class: "btn btn-quiet", id: "reopen", onclick: () => this.sheets.reopen() },
          "Reopen",
        ),
      draft.may_publish &&
        urls.publish &&
        make(
          "a",
          {
            class: "btn btn-primary",
            id: "publish",
            href: urls.publish,
            onclick: (/** @type {MouseEvent} */ event) => this.sheets.leaveFor(event),
          },
          "Publish",
        ),
    );
  }

  /** For a draft that is no longer open: its status, and where to go next. */
  #strip() {
    const { urls, next } = this.workspace;
    const { draft } = this.store;
    const strip = byId("strip");
    const words = stateWords(draft);
    strip.hidden = !words;
    if (!words || strip.dataset.words === words) return;
    strip.dataset.words = words;
    fill(
      strip,
      make(
        "p",
        {},
        make("strong", {}, words),
        draft.status === "submitted" &&
          ` ${draft.may_submit ? "It can be reopened until another curator of the query submits." : "It is closed to changes."}`,
      ),
      next && make("a", { href: next.address }, "Next, assigned to you: ", bdi(next.query)),
      make("a", { href: urls.drafts }, "All drafts of the query"),
      make("a", { href: urls.curate }, "Curate overview"),
    );
  }

  #more() {
    const { urls } = this.workspace;
    /** @param {string} action */
    const key = (action) => this.keys.hint(action);
    const { state } = this.store;
    const unplaced = state.unplaced(1).length;
    const suggested = state.hints.size > 0 || [...state.topics.values()].some((topic) => topic.suggested);
    openMenu({
      label: "More",
      at: byId("more"),
      items: [
        urls.suggestions && {
          words: "Suggest topics…",
          note: unplaced < 2 ? whyNoSuggestions(unplaced) : "from the texts of the unplaced pages",
          run: () => this.sheets.suggest(),
          key: key("suggest"),
          disabled: this.store.readOnly || unplaced < 2,
        },
        suggested && {
          words: "Accept every suggestion",
          run: () => this.actions.run([{ kind: "accept_all" }], [], { notice: true }),
          disabled: this.store.readOnly,
        },
        suggested && {
          words: "Reject every suggestion",
          run: () => this.actions.run([{ kind: "reject_all" }], [], { notice: true }),
          disabled: this.store.readOnly,
        },
        {
          words: "Make the unplaced pages outliers",
          note: count(unplaced, "page"),
          disabled: this.store.readOnly || !unplaced,
          run: () => this.actions.run([{ kind: "rest_outliers" }], state.unplaced(1), { notice: true }),
        },
        { separator: true },
        { words: "History", run: () => this.sheets.showHistory(), key: key("history") },
        this.conflicts.size > 0 && {
          words: "Set aside, or waiting for you…",
          note: count(this.conflicts.size, "change"),
          run: () => this.sheets.showSave(),
          key: key("met"),
        },
        { words: "Issues", run: () => this.sheets.showIssues(), key: key("issues") },
        { words: "About this draft", run: () => this.sheets.about() },
        { words: "Download the hierarchy", note: "as a qc4-gold/1 file", href: urls.document },
        { separator: true },
        { words: "Keys…", run: () => this.sheets.showKeys(), key: key("sheet") },
        {
          words: "Guidelines",
          note: this.workspace.collection.guidelines ? "all versions" : "none written yet",
          href: urls.guidelines,
        },
        {
          words: "Guidelines in the side panel",
          key: key("guidelines"),
          run: () => byId("guidelines-link").click(),
        },
        {
          words: "Comments",
          note: "all of this draft",
          key: key("comments"),
          run: () => byId("talk").click(),
        },
        { words: "Curate overview", note: "all queries, and what is next", href: urls.curate },
        { words: "All drafts of the query", href: urls.drafts },
      ],
    });
  }
}

/** @param {import("../drafts/types.js").Draft} draft */
function stateWords(draft) {
  if (draft.archived) return "This draft is archived: it can be read, not changed.";
  if (draft.status === "submitted") return "Submitted.";
  return "";
}

/** @param {import("../drafts/store.js").DraftStore["save"]} save */
function bannerWords(save) {
  const kept = save.waiting
    ? ` ${count(save.waiting, "change")} ${save.waiting === 1 ? "waits" : "wait"} in this browser and will be sent later.`
    : "";
  if (save.stored === false) return "This browser’s storage is full. Do not close this tab until everything is saved.";
  if (save.kind === "offline")
    return `The site cannot be reached. You can go on working, but do not reload this page: that needs the site.${kept}`;
  if (save.kind === "signed-out") return `You are signed out, or can no longer change this draft.${kept}`;
  return "";
}

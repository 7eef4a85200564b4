import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { labelOf } from "../../static/js/drafts/labels.js";
import { carryOut } from "../../static/js/drafts/operations.js";
import { DraftStore } from "../../static/js/drafts/store.js";
import { content, furnished, MemoryStorage, PAGES } from "./samples.js";

// What the connection listens to in a browser.
const deaf = { addEventListener() {}, removeEventListener() {} };
Object.assign(globalThis, deaf);
globalThis.document = { ...deaf, cookie: "csrftoken=c", visibilityState: "visible" };

/** The site with one draft, as far as a store asks it. `broken`: "" or "line" (nobody is reached) or "answer" (it is lost). */
class Site {
  state = furnished();
  /** @type {any[]} */ entries = [];
  /** @type {any[]} what came */ asked = [];
  /** @type {any[]} its ids */ sent = [];
  broken = "";
  /** How often work is taken before the line breaks. */ takes = Number.POSITIVE_INFINITY;
  /** What the server says to work instead of taking it. */ refusal = null;

  fetch = async (address, { body }) => {
    const { pathname, searchParams } = new URL(address, "http://site.test");
    if (this.broken === "line") throw new TypeError("no line");
    if (pathname === "/operations") {
      if (this.takes <= 0) throw new TypeError("no line");
      this.asked.push(JSON.parse(body));
      if (this.refusal) return new Response(JSON.stringify({ error: this.refusal }), { status: 409 });
      this.takes -= 1;
      this.#carryOut(JSON.parse(body), "ana");
    }
    if (this.broken) throw new TypeError("the answer was lost");
    const since = pathname === "/operations" ? JSON.parse(body).base : Number(searchParams.get("since"));
    const entries = this.entries.filter((entry) => entry.revision > since);
    const undo = this.entries.findLast((entry) => entry.by === "ana") ?? null;
    return new Response(JSON.stringify({ entries, revision: this.entries.length, undo, people: [] }));
  };

  /** Somebody else's work. */
  does(...operations) {
    this.#carryOut({ id: `bob ${this.entries.length}`, operations }, "bob");
  }

  #carryOut({ id, operations }, by) {
    if (by === "ana") this.sent.push(id);
    if (this.entries.some((entry) => entry.id === id)) return;
    const revision = this.entries.length + 1;
    const label = labelOf(this.state, operations);
    const changes = carryOut(this.state, operations, revision);
    this.entries.push({ id, revision, by, label, operations, changes });
  }
}

function begin(site, storage = new MemoryStorage()) {
  const workspace = {
    draft: { id: 1, revision: site.entries.length, status: "open", archived: false, may_edit: true },
    pages: PAGES.map((id) => ({ id })),
    state: site.state.toJSON(),
    me: "ana",
    people: [],
    urls: { operations: "/operations", changes: "/changes", draft: "/draft", presence: "/presence" },
  };
  return new DraftStore({ workspace, fetch: site.fetch, storage, pace: { retry: 1, retryMost: 1 } });
}

/** Waits until the store says this of its work. */
function saved(store, kind = "saved") {
  if (store.save.kind === kind) return Promise.resolve();
  return new Promise((done) => {
    store.addEventListener("save", () => store.save.kind === kind && done());
  });
}

/** Waits until something holds of it. */
function until(store, holds) {
  if (holds()) return Promise.resolve();
  return new Promise((done) => {
    for (const kind of ["save", "change", "conflict"]) store.addEventListener(kind, () => holds() && done());
  });
}

test("what is done shows at once and is sent once", async () => {
  const site = new Site();
  const store = begin(site);
  const id = store.perform([{ kind: "assign", pages: ["6"], topics: ["cars"] }]);
  assert.ok(store.state.isIn("6", "cars"));
  assert.equal(store.save.kind, "saving");
  await saved(store);
  assert.deepEqual(site.sent, [id]);
  assert.equal(store.revision, 1);
  assert.equal(content(store.state), content(site.state));
});

test("a lost answer is asked for again and does nothing twice", async () => {
  const site = new Site();
  const store = begin(site);
  site.broken = "answer";
  const id = store.perform([{ kind: "flag", pages: ["6"] }]);
  await saved(store, "offline");
  assert.equal(store.connectionProblem, "offline");
  site.broken = "";
  await saved(store);
  assert.equal(site.entries.length, 1);
  assert.ok(site.sent.length > 1);
  assert.ok(site.sent.every((sent) => sent === id));
});

test("what waits is kept by the browser and sent by the next page", async () => {
  const site = new Site();
  const storage = new MemoryStorage();
  const store = begin(site, storage);
  site.broken = "line";
  store.perform([{ kind: "outlier", pages: ["6"] }]);
  await saved(store, "offline");
  store.stop();
  const later = begin(site, storage);
  assert.deepEqual([...later.state.outliers], ["8", "6"]);
  assert.equal(later.firstWaiting.label, "Make 1 page an outlier");
  site.broken = "";
  await later.poll();
  await saved(later);
  assert.equal(storage.length, 0);
  assert.equal(content(later.state), content(site.state));
});

test("work of others goes below what waits here", async () => {
  const site = new Site();
  const store = begin(site);
  site.broken = "line";
  store.perform([{ kind: "assign", pages: ["6"], topics: ["dealers"] }]);
  await saved(store, "offline");
  site.does({ kind: "rename", topic: "cars", name: "Vehicles" });
  site.broken = "";
  await store.poll();
  await saved(store);
  assert.deepEqual(store.state.path("dealers"), ["Vehicles", "Dealers"]);
  assert.ok(store.state.isIn("6", "dealers"));
  assert.equal(content(store.state), content(site.state));
});

test("what was not sent yet is undone by taking it out of the queue, and can be done again", async () => {
  const site = new Site();
  const store = begin(site);
  const before = store.state.toJSON();
  store.perform([{ kind: "flag", pages: ["6"] }]);
  assert.equal(store.undo(), "Flag 1 page");
  assert.deepEqual(store.state.toJSON(), before);
  assert.equal(store.redo(), "Flag 1 page");
  await saved(store);
  assert.deepEqual(
    site.entries.map((entry) => entry.label),
    ["Flag 1 page"],
  );
});

test("one's own work is no news to what waits behind it, not even on the next page", async () => {
  const site = new Site();
  const storage = new MemoryStorage();
  const store = begin(site, storage);
  site.broken = "line";
  store.perform([{ kind: "rename", topic: "cars", name: "Vehicles" }]);
  store.perform([{ kind: "rename", topic: "cars", name: "Automobiles" }]);
  await saved(store, "offline");
  site.does({ kind: "flag", pages: ["6"] });
  site.broken = "";
  site.takes = 1;
  store.poll();
  await until(store, () => store.revision === 2 && store.connectionProblem === "offline");
  store.stop();
  site.takes = Number.POSITIVE_INFINITY;
  const later = begin(site, storage);
  await later.poll();
  await saved(later);
  const { base, unseen } = site.asked.at(-1);
  assert.deepEqual({ base, unseen }, { base: 2, unseen: [[1, 1]] });
  assert.deepEqual(later.state.path("cars"), ["Automobiles"]);
});

test("what fits no more shows no effect, and what the server says of it is the conflict", async () => {
  const site = new Site();
  const store = begin(site);
  site.broken = "line";
  store.perform([{ kind: "assign", pages: ["6"], topics: ["dealers"] }]);
  await saved(store, "offline");
  site.does({ kind: "delete_topic", topic: "dealers", children: "lift", pages: "unplace" });
  site.takes = 0;
  site.broken = "";
  // While it is trying to send, it does not ask.
  while (store.revision < 1) await store.poll().then(() => new Promise(setImmediate));
  assert.ok(!store.state.topics.has("dealers"));
  assert.deepEqual([store.save.waiting, store.conflicts], [1, []]);
  site.refusal = { code: "clash", sentence: "Meanwhile bob.", fix: "Look.", missed: [] };
  site.takes = 1;
  store.poll();
  await saved(store, "conflict");
  assert.deepEqual(
    store.conflicts.map(({ code, reason }) => [code, reason]),
    [["clash", "Meanwhile bob. Look."]],
  );
});

test("undoing what is refused takes back nothing else", async () => {
  const site = new Site();
  const store = begin(site);
  store.perform([{ kind: "flag", pages: ["6"] }]);
  await saved(store);
  site.broken = "line";
  store.perform([{ kind: "flag", pages: ["7"] }]);
  await saved(store, "offline");
  assert.equal(store.undo(), "Flag 1 page");
  site.refusal = { code: "draft-closed", sentence: "No.", missed: [] };
  site.broken = "";
  store.poll();
  await until(store, () => store.conflicts.length && !store.save.waiting);
  assert.deepEqual([...store.state.flags], [...site.state.flags]);
  assert.ok(site.asked.every((request) => request.operations));
});

/** While something is sent, nothing is asked. */
async function caughtUp(store, revision) {
  while (store.revision < revision) await store.poll().then(() => new Promise(setImmediate));
}

test("a refused undo is said and is no conflict; where only the server knows what it does, it is waited for", async () => {
  const site = new Site();
  const store = begin(site);
  store.perform([{ kind: "flag", pages: ["6"] }]);
  await saved(store);
  site.does({ kind: "unflag", pages: ["6"] });
  await caughtUp(store, 2);
  site.refusal = { code: "not-the-latest-undo", sentence: "Something else.", fix: "", missed: [] };
  const answers = [];
  store.addEventListener("answered", ({ detail }) => answers.push(detail));
  store.undo();
  assert.equal(store.pendingTurn.label, "Flag 1 page");
  await until(store, () => !store.save.waiting);
  assert.deepEqual([store.conflicts, store.pendingTurn], [[], null]);
  assert.deepEqual(
    answers.map(({ entry, reason }) => [entry, reason]),
    [[null, "Something else."]],
  );
});

test("what a dialog showed is what its changes are based on, but for one's own", async () => {
  const site = new Site();
  const store = begin(site);
  const base = store.revision;
  store.perform([{ kind: "flag", pages: ["6"] }]);
  await saved(store);
  site.does({ kind: "assign", pages: ["6"], topics: ["dealers"] });
  await caughtUp(store, 2);
  store.perform([{ kind: "delete_topic", topic: "dealers", children: "lift", pages: "unplace" }], { base });
  await saved(store);
  assert.deepEqual(site.asked.at(-1).unseen, [[2, 2]]);
});

test("what is let go is set aside and stays until it is deleted", async () => {
  const site = new Site();
  const storage = new MemoryStorage();
  const store = begin(site, storage);
  site.refusal = { code: "clash", sentence: "Meanwhile.", fix: "", missed: [], clashes: [{ revision: 1, gone: [] }] };
  const id = store.perform([{ kind: "describe", topic: "cars", text: "typed for long" }]);
  await saved(store, "conflict");
  store.setAside(id);
  assert.equal(store.save.kind, "saved");
  store.stop();
  const later = begin(site, storage);
  assert.equal(later.save.kind, "saved");
  assert.deepEqual(
    later.conflicts.map(({ aside, operations, clashes }) => [aside, operations[0].text, clashes.length]),
    [[true, "typed for long", 1]],
  );
  later.dismissConflict(id);
  assert.equal(storage.length, 0);
});

test("what cannot be done changes nothing and is not sent", () => {
  const site = new Site();
  const store = begin(site);
  assert.throws(() => store.perform([{ kind: "move", topic: "cars", parent: "racing" }]), { code: "cycle" });
  assert.equal(store.firstWaiting, undefined);
});

test("what others do is asked for every second", async (run) => {
  const site = new Site();
  const store = begin(site);
  const heard = new Promise((done) => store.addEventListener("change", done));
  const wait = globalThis.setTimeout;
  run.mock.method(globalThis, "setTimeout", (act, milliseconds) => {
    if (milliseconds !== 1_000) return wait(act, milliseconds);
    if (!site.entries.length) site.does({ kind: "flag", pages: ["6"] });
    return wait(act, 0);
  });
  store.start();
  await heard;
  store.stop();
  assert.ok(store.state.flags.has("6"));
});

test("the connection keeps to what the store shows of itself", () => {
  const source = readFileSync(new URL("../../static/js/drafts/connection.js", import.meta.url), "utf8");
  assert.doesNotMatch(source, /\bstore\._/i);
});

test("undo is offered for an action only while it would take back just that", async () => {
  const site = new Site();
  const store = begin(site);
  const first = store.perform([{ kind: "assign", pages: ["6"], topics: ["cars"] }]);
  assert.ok(store.wouldUndo(first));
  await saved(store);
  assert.ok(store.wouldUndo(first));
  site.does({ kind: "flag", pages: ["7"] });
  await caughtUp(store, 2);
  assert.ok(store.wouldUndo(first), "work of others elsewhere");

  site.refusal = { code: "clash", sentence: "It no longer fits.", missed: [] };
  const second = store.perform([{ kind: "assign", pages: ["7"], topics: ["cars"] }]);
  assert.ok(store.wouldUndo(second));
  assert.ok(!store.wouldUndo(first));
  await until(store, () => store.open.length);
  assert.ok(!store.wouldUndo(second), "it was refused");
  site.refusal = null;

  site.does({ kind: "unassign", pages: ["6"], topics: ["cars"] });
  await caughtUp(store, 3);
  assert.ok(!store.wouldUndo(first), "others took it back");
});

test("what was undone already is not offered to be undone", async () => {
  const store = begin(new Site());
  store.perform([{ kind: "flag", pages: ["7"] }]);
  const latest = store.perform([{ kind: "flag", pages: ["6"] }]);
  store.undo();
  assert.ok(!store.wouldUndo(latest));
});

/** A site that never answers: the tab is closed before. */
function unreachable() {
  return Object.assign(new Site(), { fetch: () => new Promise(() => {}) });
}

test("work that a closed tab has left is known, counts as not saved, and is sent", async () => {
  const storage = new MemoryStorage();
  const site = new Site();
  const open = begin(site, storage);
  const closed = begin(unreachable(), storage);
  const left = closed.perform([{ kind: "flag", pages: ["6"] }]);
  assert.equal(open.save.waiting, 0);
  open.checkOtherTabs();
  assert.equal(open.elsewhere, 1);
  await open.poll();
  assert.equal(open.save.kind, "saving");
  assert.equal(open.save.waiting, 1);
  for (let answers = 0; !site.sent.length && answers < 20; answers += 1) await open.poll();
  await saved(open);
  assert.deepEqual(site.sent, [left]);
  assert.deepEqual([open.elsewhere, storage.length], [0, 0]);
  assert.ok(open.state.flags.has("6"));
});

test("on request it is sent at once, in the order in which it was done", async () => {
  const storage = new MemoryStorage();
  const site = new Site();
  const open = begin(site, storage);
  const closed = begin(unreachable(), storage);
  const first = closed.perform([{ kind: "flag", pages: ["6"] }]);
  const second = closed.perform([{ kind: "unflag", pages: ["6"] }]);
  open.takeOver();
  await saved(open);
  assert.deepEqual(site.sent, [first, second]);
  assert.ok(!open.state.flags.has("6"));
});

test("what an open tab sends itself is not sent twice, and what it could not do is known", async () => {
  const storage = new MemoryStorage();
  const site = new Site();
  const [one, other] = [begin(site, storage), begin(site, storage)];
  one.perform([{ kind: "flag", pages: ["6"] }]);
  other.checkOtherTabs();
  await saved(one);
  await other.poll();
  assert.equal(other.elsewhere, 0);
  assert.equal(site.sent.length, 1);
  site.refusal = { code: "clash", sentence: "No.", missed: [] };
  one.perform([{ kind: "flag", pages: ["7"] }]);
  await until(one, () => one.open.length);
  other.checkOtherTabs();
  assert.deepEqual(
    other.open.map(({ label }) => label),
    ["Flag 1 page"],
  );
});

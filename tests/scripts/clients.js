// Stores of several people on drafts of the real server. test_clients.py says what is played, and judges what comes out.

import { readFileSync } from "node:fs";
import { OperationError } from "../../static/js/drafts/fields.js";
import { DraftStore } from "../../static/js/drafts/store.js";
import { MemoryStorage } from "./samples.js";

const { url, tokens, cases, sessions } = JSON.parse(readFileSync(0, "utf8"));
const RARELY = 3_600_000;

/** One browser of one person: its store, its storage, and its line, which may be "", "down", or lose every "answer". */
class Client {
  line = "";
  storage = new MemoryStorage();
  /** @type {Set<string>} ids of what was done here, but for what was taken back unsent or had no effect */ done =
    new Set();

  /** @type {Record<string, number>} id of what was done here -> the revision it was done on */ knew = {};
  /** @type {string[]} what was said of undos that changed nothing */ told = [];

  constructor(name, draft) {
    this.name = name;
    this.draft = draft;
  }

  fetch = async (address, options) => {
    if (this.line === "down") throw new TypeError("no line");
    const headers = { ...options.headers, Authorization: `Bearer ${tokens[this.name]}` };
    const answer = await fetch(url + address, { ...options, headers });
    const { error } = JSON.parse((await answer.clone().text()) || "{}");
    if (error?.code === "no-effect") this.done.delete(JSON.parse(options.body).id);
    if (this.line === "answer" && options.method === "POST") throw new TypeError("the answer was lost");
    return answer;
  };

  /** Loads the page, or loads it again. */
  async open() {
    this.store?.stop();
    const answer = await this.fetch(`/api/v1/drafts/${this.draft}`, {});
    const pace = { poll: RARELY, retry: 1, retryMost: 1 };
    this.store = new DraftStore({
      workspace: await answer.json(),
      fetch: this.fetch,
      storage: this.storage,
      pace,
    });
    this.store.addEventListener("answered", ({ detail: { batch, entry, reason } }) => {
      if (!batch.operations && !entry?.changes.length)
        this.told.push(reason || entry.skipped.map(({ message }) => message).join(" "));
    });
    return this;
  }

  /** What is done is done on what is shown. */
  noting(act) {
    const before = this.storage.ids();
    const { revision } = this.store;
    act();
    for (const id of this.storage.ids().difference(before)) this.knew[id] = revision;
  }

  /** What cannot be done on what is shown is not done. */
  attempt(act) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
    }
  }

  perform(operations) {
    this.attempt(() => this.noting(() => this.done.add(this.store.perform(operations))));
  }

  undo() {
    const waiting = this.storage.ids();
    this.noting(() => this.store.undo());
    for (const id of waiting.difference(this.storage.ids())) this.done.delete(id);
  }

  async settled() {
    this.line = "";
    do {
      await this.store.poll();
      await new Promise(setImmediate); // answers come in
    } while (this.store.save.waiting);
  }

  outcome() {
    const { touched, changed, ...state } = this.store.state.toJSON();
    const conflicts = this.store.conflicts.map(({ id, label, reason }) => ({ id, label, reason }));
    const { losses, revision } = this.store;
    return { name: this.name, state, conflicts, losses, done: [...this.done], knew: this.knew, revision };
  }
}

/** Ana does hers without a line while Bob does his. */
async function playCase({ draft, theirs, mine }) {
  const [ana, bob] = await Promise.all(["ana", "bob"].map((name) => new Client(name, draft).open()));
  ana.line = "down";
  ana.perform([mine]);
  bob.perform([theirs]);
  await bob.settled();
  await ana.settled();
  await bob.settled();
  return [ana, bob].map((client) => client.outcome());
}

/** Random work: lines break, answers are lost, pages are loaded again, in between somebody undoes and does again. */
async function playSession({ draft, seed, turns, people, rough }) {
  const next = random(seed);
  const one = (from) => from[next() % from.length];
  const clients = people.map((name) => new Client(name, draft));
  for (const client of clients) await client.open();
  for (let turn = 0; turn < turns; turn += 1) {
    const client = one(clients);
    const what = next() % 12;
    if (what < 7) client.perform([(rough && turn % 3 ? roughly : operation)(client.store.state, one, `t${turn}`)]);
    else if (what === 7) client.undo();
    else if (what === 8) client.attempt(() => client.noting(() => client.store.redo()));
    else if (what === 9 && client.store.losses.length && next() % 2) {
      const [{ revision, label }] = client.store.losses;
      client.noting(() => client.store.restore(revision, label));
    } else if (what === 9) client.line = one(["down", "answer"]);
    else if (what === 10) await client.settled();
    else if (!client.line) await client.open();
  }
  // Twice: what the last one sent is news to the first.
  for (const client of [...clients, ...clients]) await client.settled();
  return { clients: clients.map((client) => client.outcome()), presses: rough ? await undoAll(clients) : [] };
}

/** Each undoes until there is nothing left, in turns: how often each pressed, and what each was told of what was passed over. */
async function undoAll(clients) {
  const presses = clients.map(() => 0);
  for (let busy = true; busy; ) {
    busy = false;
    for (const [place, client] of clients.entries()) {
      if (!client.store.undoLabel || presses[place] > 200) continue;
      busy = true;
      presses[place] += 1;
      client.store.undo();
      await client.settled();
    }
  }
  return clients.map(({ name, told, store }, place) => ({
    name,
    presses: presses[place],
    told,
    left: store.undoLabel,
    conflicts: store.conflicts.length,
  }));
}

/** Mostly into few topics, which are deleted and merged. @param {import("../../static/js/drafts/state.js").DraftState} state */
function roughly(state, one, fresh) {
  const topics = state.preOrder();
  const [topic, other] = [one(topics), one(topics)];
  const pages = [one(state.pages), one(state.pages)];
  return one([
    { kind: "assign", pages, topics: [topic] },
    { kind: "assign", pages, topics: [topic, other] },
    { kind: "add_topic", topic: fresh, name: `New ${fresh}`, parent: null, pages },
    { kind: "delete_topic", topic, children: one(["lift", "delete"]), pages: one(["unplace", "outliers"]) },
    { kind: "merge", topics: [topic], into: other },
    { kind: "outlier", pages },
    { kind: "unassign", pages, topics: [topic] },
    { kind: "only", pages, topic },
  ]);
}

/** @param {import("../../static/js/drafts/state.js").DraftState} state */
function operation(state, one, fresh) {
  const topics = state.preOrder();
  const [topic, other, parent] = [one(topics), one(topics), one([null, ...topics])];
  const pages = [one(state.pages), one(state.pages)];
  return one([
    { kind: "add_topic", topic: fresh, name: `New ${fresh}`, parent, pages },
    { kind: "rename", topic, name: `Name ${fresh}` },
    { kind: "describe", topic, text: `About ${fresh}` },
    { kind: "topic_note", topic, text: `Note ${fresh}` },
    { kind: "step", topic, step: one([1, 2, 3]) },
    { kind: "move", topic, parent },
    { kind: "promote", topic },
    { kind: "demote", topic },
    { kind: "reorder", topic, at: one([0, 1, 2]) },
    { kind: "merge", topics: [topic], into: other },
    {
      kind: "split",
      topic,
      into: [{ topic: fresh, name: fresh, pages: [...state.pagesIn(topic)] }],
      where: "siblings",
    },
    { kind: "delete_topic", topic, children: one(["lift", "delete"]), pages: one(["unplace", "outliers"]) },
    { kind: "assign", pages, topics: [topic] },
    { kind: "assign", pages, topics: [topic, other] },
    { kind: "unassign", pages, topics: [topic] },
    { kind: "only", pages, topic },
    { kind: "outlier", pages },
    { kind: "accept", topics: [topic] },
    { kind: "reject", topics: [topic] },
    { kind: "fill_other", topic },
    { kind: "note", page: pages[0], text: fresh },
  ]);
}

/** Numbers that look random, the same for the same seed. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

const deaf = { addEventListener() {}, removeEventListener() {} };
Object.assign(globalThis, deaf);
globalThis.document = { ...deaf, cookie: "", visibilityState: "visible", querySelector: () => null };
const played = { cases: [], sessions: [] };
for (const each of cases) played.cases.push(await playCase(each));
for (const each of sessions) played.sessions.push(await playSession(each));
process.stdout.write(JSON.stringify(played), () => process.exit(0)); // connections kept open would hold it

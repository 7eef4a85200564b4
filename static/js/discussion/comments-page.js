// Comments outside the workspace: the page of all comments that concern a person, and the adjudication of two drafts.

import { bdi, count, fill, make, onDetail } from "../common/elements.js";
import { ask, HttpError } from "../common/http.js";
import { CommentStore, isNew, showUnread } from "./comment-store.js";
import { newThread, Threads } from "./threads.js";

const ASKS_EVERY = 10_000;

/**
 * @typedef {import("./comment-store.js").Thread} Thread
 * @typedef {{collection: string, query: string, query_address: string, draft_name: string, address: string|null, unread: boolean, thread: Thread}} Concern
 * @typedef {{me: string, urls: Record<string, string>, concerns: Concern[]}} Page
 * @typedef {import("./comment-store.js").Subject & {words: string}} Asked
 * @typedef {{me: string, draft: number, urls: Record<string, string>, threads: Thread[], names: Record<string, string>, at: number,
 *            people: import("./comment-store.js").Nameable[], subject: Asked}} Desk
 */

/** Show a message in its place on the page. @param {string} words */
function say(words) {
  const place = document.getElementById("talk-said");
  if (place) place.textContent = words;
}

/** @param {string} id @returns {Json} the JSON in the page; null if there is none */
function given(id) {
  const holder = document.getElementById(id);
  return holder && JSON.parse(holder.textContent ?? "null");
}

/** @param {CommentStore} talk @param {() => void} render */
function follow(talk, render) {
  talk.addEventListener("talk", render);
  onDetail(talk, "wrong", ({ words }) => say(words));
  onDetail(talk, "said", ({ told, not_told: blind }) => {
    if (blind.length) say(`${blind.join(", ")} cannot see it now and will not be notified.`);
    else if (told.length) say(`Sent. ${told.join(", ")} will be notified.`);
  });
  onDetail(talk, "unread", ({ number }) => showUnread(number));
  render();
  talk.send();
}

/** Show all threads that concern a person. @param {Page} page */
function showAll({ me, urls, concerns }) {
  const talk = new CommentStore({ me, scope: "all", urls, threads: concerns.map((one) => one.thread) });
  const places = new Map(concerns.map((one) => [one.thread.id, one]));
  const list = new Threads({ talk, say, head: (thread) => whereOf(places.get(thread.id), thread) });
  const holder = document.getElementById("concerns");
  holder?.append(list.element);
  const order = concerns.map((one) => one.thread.id);
  follow(talk, () => {
    list.render(order.flatMap((id) => talk.threads.get(id) ?? []));
    list.lookAgain();
  });
  // New threads appear above the others, so that nothing below changes its place.
  const hear = async () => {
    if (document.visibilityState === "hidden") return;
    try {
      /** @type {Concern[]} */
      const found = (await ask(urls.concerns, { me })).results;
      const fresh = found.filter((one) => !places.has(one.thread.id));
      order.unshift(...fresh.map((one) => one.thread.id));
      for (const one of found) places.set(one.thread.id, one);
      if (order.length) holder?.querySelector(".empty")?.remove();
      talk.take(...found.map((one) => one.thread));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error; // the next attempt asks again
    }
  };
  let heard = 0;
  talk.addEventListener("heard", () => {
    heard += 1;
    say(`${count(heard, "new comment")} since you opened this page.`);
  });
  setInterval(hear, ASKS_EVERY);
  document.addEventListener("visibilitychange", hear);
}

/** @param {Concern|undefined} place @param {Thread} thread */
function whereOf(place, thread) {
  if (!place) return null;
  const about = thread.about === "draft" ? "the draft" : `${thread.about} “${thread.title || thread.key}”`;
  const address =
    place.address &&
    (thread.about === "page" ? `${place.address}?queue=all&page=${encodeURIComponent(thread.key)}` : place.address);
  return make(
    "span",
    { class: "about" },
    "On ",
    address ? make("a", { href: address }, bdi(about)) : bdi(about),
    " in ",
    bdi(place.draft_name),
    ", query ",
    make("a", { href: place.query_address }, bdi(place.query)),
    ", ",
    bdi(place.collection),
    isNew(thread) && make("span", { class: "chip busy" }, "new"),
  );
}

/** @type {import("./composer.js").Composer|null} */
let field = null;

/** Show the threads on the current question, of both drafts and of the result. @param {Desk} desk */
function showAdjudication({ me, draft, urls, threads, names, at, people, subject }) {
  const holder = document.getElementById("desk-threads");
  if (!holder) return;
  const talk = new CommentStore({ me, scope: String(draft), urls, threads, people, at });
  const list = new Threads({
    talk,
    say,
    head: (thread) => make("span", { class: "about" }, bdi(names[thread.draft] ?? "")),
  });
  field = urls.threads ? newThread(talk, { about: subject.about, key: subject.key }, subject.words, say) : null;
  fill(holder, list.element, field?.element);
  follow(talk, () => {
    list.render(
      talk.of(),
      talk.waiting.filter((one) => one.subject?.about === subject.about && one.subject.key === subject.key),
    );
    field?.render();
  });
}

function begin() {
  const page = given("talk");
  if (page) showAll(page);
  const desk = given("desk-talk");
  if (desk) showAdjudication(desk);
}

document.addEventListener("htmx:afterSettle", () => {
  const desk = given("desk-talk");
  if (desk) showAdjudication(desk);
});
begin();

import assert from "node:assert/strict";
import { test } from "node:test";
import { carryOut } from "../../static/js/drafts/operations.js";
import { Digits, digitKey } from "../../static/js/workspace/digits.js";
import { TopicTerms } from "../../static/js/workspace/terms.js";
import { Unread } from "../../static/js/workspace/unread.js";
import { furnished, MemoryStorage } from "./samples.js";

const TITLES = {
  1: "Jaguar dealers near you",
  2: "Used jaguar dealer: prices",
  3: "Jaguar prices, used and new",
  4: "Jaguar in the zoo",
  5: "The jaguar, a large cat of the zoo",
  6: "Jaguar cat facts and the law",
  7: "The jaguar of the rainforest",
  8: "Jaguar the operating system",
};

const QUERY = { text: "jaguar", function_words: ["and", "für", "the", "with"] };

/** A store as far as terms need one. */
function library() {
  const store = new EventTarget();
  const pages = new Map(Object.entries(TITLES).map(([id, title]) => [id, { id, title, snippet: "" }]));
  return Object.assign(store, { state: furnished(), pages });
}

test("the words of a topic are those that set its pages apart, and those of its name", () => {
  const terms = new TopicTerms(library(), QUERY);
  const cars = terms.of("cars"); // pages 1, 2 and 3
  assert.ok(cars.get("used") && cars.get("prices") && cars.get("cars"));
  assert.ok(!cars.has("jaguar"), "words of the query are on all pages");
  assert.ok(!cars.has("near"), "one page does not tell");
  assert.ok(!terms.of("animals").has("the"), "what others have, too, does not set it apart");
  assert.ok(terms.of("animals").has("zoo"));
});

test("function words are no words of a topic, not even those of its name", () => {
  const store = library();
  carryOut(store.state, [{ kind: "rename", topic: "animals", name: "The Für and Zoo" }], 9);
  const terms = new TopicTerms(store, QUERY);
  assert.ok(terms.of("animals").has("zoo"));
  for (const word of ["the", "and", "fur"]) assert.ok(!terms.of("animals").has(word), word);
  const plain = new TopicTerms(store, { text: "jaguar" });
  assert.ok(plain.of("animals").has("and"));
});

test("words are those of the topics a page is in, and of those it may go into", () => {
  const store = library();
  const terms = new TopicTerms(store, QUERY);
  const words = (page, offered) => terms.for(page, offered).map(({ words, look }) => [words, look.split(" ")[1]]);
  assert.deepEqual(
    words("4", []).map(([, hue]) => hue),
    words("4", []).map(() => "hue-1"),
  );
  assert.ok(words("6", ["cars", "animals"]).some(([word, hue]) => word === "used" && hue === "hue-0"));
  assert.deepEqual(terms.for("8", ["cars", "animals"]), [], "an outlier is put nowhere");
  carryOut(store.state, [{ kind: "assign", pages: ["6"], topics: ["animals"] }], 9);
  assert.ok(!terms.of("animals").has("cat"), "worked out before, and nothing said that the draft has changed");
  store.dispatchEvent(new Event("change"));
  assert.ok(terms.of("animals").has("cat"));
});

test("what was read stays read, for this person in this draft", () => {
  const storage = new MemoryStorage();
  const unread = new Unread(1, "ana", storage);
  assert.equal(unread.read("b"), true);
  assert.equal(unread.read("b"), false);
  assert.equal(new Unread(1, "ana", storage).next(["a", "b", "c"], "a"), "c");
  assert.equal(unread.next(["a", "b", "c"], "c"), "a");
  assert.equal(unread.left(["a", "b", "c"]), 2);
  assert.equal(new Unread(1, "bob", storage).isRead("b"), false);
  assert.equal(new Unread(2, "ana", storage).isRead("b"), false);
  storage.setItem("qc4-curate-read 1 ana", "not JSON");
  assert.equal(new Unread(1, "ana", storage).isRead("b"), false);
});

test("topics beyond the ninth have a second key, which they keep", () => {
  const state = furnished();
  const digits = new Digits(1, "ana", new MemoryStorage());
  carryOut(
    state,
    Array.from({ length: 50 }, (_, at) => ({ kind: "add_topic", topic: `t${at}`, name: `T${at}` })),
    1,
  );
  const keys = () => new Map([...digits.of(state, null)].map(([id, number]) => [id, digitKey(number)]));
  assert.equal(keys().get("t6"), "9");
  assert.equal(keys().get("t7"), "01");
  assert.equal(keys().get("t16"), "0a");
  assert.equal(keys().get("t41"), "0z");
  assert.equal(keys().get("t42"), undefined, "there are no more keys: `t` finds it by name");
  carryOut(state, [{ kind: "delete_topic", topic: "t0", children: "delete", pages: "unplace" }], 2);
  assert.equal(keys().get("t16"), "0a");
  assert.equal(keys().get("t42"), "3", "the digit that was freed");
});

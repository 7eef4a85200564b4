import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpError } from "../../static/js/common/http.js";
import { Predictions } from "../../static/js/workspace/predictions.js";
import { furnished } from "./samples.js";

/** A store of the draft of `samples`, and what the site answers; `asked` counts how often. */
function begun(answer, { kind = "saved" } = {}) {
  const store = Object.assign(new EventTarget(), { state: furnished(), revision: 1, readOnly: false, save: { kind } });
  const view = { cursor: null };
  const asked = [];
  const fetch = async (address) => {
    asked.push(address);
    if (answer instanceof Error) throw answer;
    return { revision: store.revision, predictions: [], teaching: [], ...answer };
  };
  const predictions = new Predictions({ store, cursor: () => view.cursor, address: "/predictions", fetch, wait: 0 });
  const found = () => new Promise((resolve) => predictions.addEventListener("found", resolve, { once: true }));
  const changed = () => {
    store.revision += 1;
    const next = found();
    store.dispatchEvent(new Event("change"));
    return next;
  };
  const first = found();
  predictions.start();
  return { store, view, predictions, asked, first, changed };
}

const predicted = (page, topic) => ({ page, topic, margin: 0.5, like: [] });

test("what is predicted holds only where the page has no such place, and nothing is suggested for it", async () => {
  const answers = [
    predicted("2", "animals"),
    predicted("1", "dealers"),
    predicted("7", "animals"),
    predicted("8", null),
  ];
  const { predictions, first, store } = begun({ predictions: answers });
  await first;
  assert.equal(predictions.of("2"), null, "it is in a topic");
  assert.equal(predictions.of("7"), null, "something is suggested for it");
  assert.equal(predictions.of("8"), null, "it is an outlier");
  assert.equal(predictions.of("1"), null, "something is suggested for it");
  store.state.hints.clear();
  store.state = store.state.clone();
  assert.equal(predictions.of("1")?.topic, "dealers", "in Cars, but in none of its subtopics");
  assert.equal(predictions.of("7")?.topic, "animals");
  assert.deepEqual(predictions.operations(["1", "7", "8"]), [
    { kind: "assign", pages: ["1"], topics: ["dealers"] },
    { kind: "assign", pages: ["7"], topics: ["animals"] },
  ]);
  assert.deepEqual(
    predictions.groups().map(({ topic, pages }) => [topic, pages]),
    [
      ["dealers", ["1"]],
      ["animals", ["7"]],
    ],
  );
  assert.equal(predictions.dismiss(["1"]), 1);
  assert.equal(predictions.of("1"), null);
  store.readOnly = true;
  assert.equal(predictions.of("7"), null);
});

test("down to the cursor the order of what teaches most stays", async () => {
  const answer = { teaching: [{ topic: null, pages: ["6", "7"] }] };
  const { predictions, first, changed, view } = begun(answer);
  await first;
  view.cursor = "6";
  answer.teaching = [{ topic: null, pages: ["7", "6"] }];
  await changed();
  assert.deepEqual(predictions.taught()[0].pages, ["6", "7"], "the cursor is at the first");
  view.cursor = null;
  answer.teaching = [{ topic: null, pages: ["7", "6"] }];
  await changed();
  assert.deepEqual(predictions.taught()[0].pages, ["7", "6"]);
});

test("the site is asked once for what was done in one go, and not before it is saved", async () => {
  const { store, asked, first, changed } = begun({});
  await first;
  assert.equal(asked.length, 1);
  store.save = { kind: "saving" };
  store.revision = 5;
  store.dispatchEvent(new Event("change"));
  store.save = { kind: "saved" };
  store.dispatchEvent(new Event("save"));
  store.dispatchEvent(new Event("change"));
  await changed();
  assert.equal(asked.length, 2);
});

test("without the site there are no predictions and no error", async () => {
  const { predictions, first, asked, changed } = begun(new HttpError(0));
  await first;
  assert.deepEqual(predictions.pages(), []);
  assert.equal(asked.length, 1);
  await changed();
  assert.equal(asked.length, 2, "the next change asks again");
});

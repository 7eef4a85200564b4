// Asking the site: what is asked for again where the site had no place to work it out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, HttpError } from "../../static/js/common/http.js";

globalThis.document = { cookie: "csrftoken=x" };

/** @param {...(string|null)} codes of errors 503; null: an answer */
function site(...codes) {
  const asked = [];
  const fetch = async (url, { method }) => {
    asked.push(`${method} ${url}`);
    const code = codes[Math.min(asked.length, codes.length) - 1];
    const body = JSON.stringify(code ? { error: { code, sentence: "Busy." } } : { found: 1 });
    return new Response(body, { status: code ? 503 : 200, headers: { "Retry-After": "0.001" } });
  };
  return { asked, fetch };
}

test("asks again where there was no place for slow work", async () => {
  const { asked, fetch } = site("slow-work-own", "slow-work", null);
  assert.deepEqual(await ask("/x", { fetch }), { found: 1 });
  assert.equal(asked.length, 3);
});

test("gives up after three times", async () => {
  const { asked, fetch } = site("slow-work");
  await assert.rejects(ask("/x", { fetch }), HttpError);
  assert.equal(asked.length, 3);
});

test("never sends anything twice, and leaves other errors to the caller", async () => {
  const crowded = site("slow-work");
  await assert.rejects(ask("/x", { method: "POST", body: {}, fetch: crowded.fetch }), HttpError);
  assert.equal(crowded.asked.length, 1);
  const busy = site("database-busy");
  await assert.rejects(ask("/x", { fetch: busy.fetch }), HttpError);
  assert.equal(busy.asked.length, 1);
});

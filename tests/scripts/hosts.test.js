import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hostOf, pageAddress, webAddress } from "../../static/js/common/elements.js";

// The same cases as in tests/common/test_web_urls.py: what is shown is where the browser goes.
const CASES = JSON.parse(readFileSync(new URL("hosts.json", import.meta.url), "utf8"));

test("the host is the one the server says", () => {
  for (const [url, , host] of CASES) {
    assert.equal(hostOf(url), host, url);
    assert.equal(Boolean(webAddress(url)), Boolean(host), url);
  }
});

test("a page is opened only where its shown host is the one it leads to", () => {
  for (const [url, shown, host] of CASES) {
    assert.equal(Boolean(pageAddress({ url, host: shown })), Boolean(host), url);
    assert.equal(pageAddress({ url, host: "bank.example.com" }), null, url);
  }
});

// One curator's work in Firefox, driven by its own protocol (WebDriver BiDi): by keyboard, by mouse, by touch.
// Standard input: {firefox, url, draft, cookie: {name, value}}. Standard output: what was seen, as JSON; `wrong` is what
// the pages complained of.

import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const { firefox, url, draft, cookie } = JSON.parse(readFileSync(0, "utf8"));
const PATIENCE = 120_000;

const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
/** @type {Record<string, unknown>} */
const seen = {};
/** @type {string[]} */
const wrong = [];

/** @param {string} selector */
const text = (selector) => page.$eval(selector, (element) => element.textContent?.trim().replace(/\s+/g, " ") ?? "");
/** @param {string} name the topic's name */
const topic = (name) => `.t-row[data-topic] ::-p-text(${name})`;
/** @param {string} id the page's id */
const row = (id) => `.p-row[data-page="${id}"]`;

/** Until everything is stored. */
const saved = () => page.waitForSelector('#save[data-kind="saved"]');

/** @param {string} selector @returns {Promise<{x: number, y: number}>} a little right of its left edge */
async function middle(selector) {
  const found = await page.waitForSelector(selector);
  const box = await found?.boundingBox();
  if (!box) throw new Error(`nothing is shown at ${selector}`);
  return { x: box.x + Math.min(90, box.width / 2), y: box.y + box.height / 2 };
}

/** @param {string} selector */
async function tap(selector) {
  const { x, y } = await middle(selector);
  await page.touchscreen.tap(x, y);
}

const page = await browser.newPage();
page.setDefaultTimeout(PATIENCE);
page.on("console", (message) => {
  if (["error", "warn"].includes(message.type())) wrong.push(message.text());
});
page.on("pageerror", (error) => wrong.push(String(error)));
await browser.setCookie({ ...cookie, domain: new URL(url).hostname, path: "/" });
await page.setViewport({ width: 1280, height: 900 });

try {
  await page.goto(`${url}${draft}?queue=all&page=p1`);
  await page.waitForSelector("#curate[data-ready]");
  seen.title = await page.title();

  // By keyboard: into the topic of the second digit, and back.
  await page.focus("#list");
  await page.keyboard.press("2");
  await saved();
  seen.afterDigit = await text(row("p1"));
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await page.waitForSelector(`#redo:not([aria-disabled])`);
  await saved();
  seen.afterUndo = await text(row("p1"));

  // By mouse: what is ticked is dragged onto a topic.
  await page.click(`${row("p4")} .box`);
  await page.waitForSelector(`${row("p4")}[aria-selected="true"]`);
  const from = await middle(row("p4"));
  const to = await middle(topic("Planet"));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 10, from.y + 12, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.waitForFunction(() => document.querySelector(".drag-hint")?.textContent?.includes("→"));
  seen.hint = await text(".drag-hint");
  await page.mouse.up();
  await saved();
  await page.keyboard.press("Escape");

  // By touch: another page, and the digit of a topic.
  await tap(`${row("p2")} .title`);
  await page.waitForSelector(`${row("p2")}.cursor`);
  await tap("#digits .digit:nth-of-type(2)");
  await saved();

  // The address holds what is looked at.
  await page.reload();
  await page.waitForSelector("#curate[data-ready]");
  seen.afterReload = await text(row("p2"));
  seen.address = page.url();
} finally {
  seen.wrong = wrong;
  await browser.close();
}
process.stdout.write(JSON.stringify(seen));

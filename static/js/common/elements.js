// Making elements. Text only ever becomes a text node, because page titles and labels are written by strangers.

const SVG = "http://www.w3.org/2000/svg";

// Line drawings of 16 x 16 pixels.
/** @type {Record<string, string>} */
const ICONS = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.2a4 4 0 0 1 0 8H7",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H6.8a4 4 0 0 0 0 8H9",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  open: "M6 3H3v10h10v-3M9 3h4v4M13 3 7.5 8.5",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  flag: "M4 14V2.5h8L10 5.5l2 3H4",
  note: "M3 2.5h10v7l-4 4H3zM9 13.5v-4h4",
  comment: "M2.5 3h11v7.5H7.5L4.5 13v-2.5h-2z",
  plus: "M8 3v10M3 8h10",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  outlier: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM4 12 12 4",
  topic: "M2.5 8.5V3h5.5l5.5 5.5L8 14z",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14",
  repeat: "M3 7a5 5 0 0 1 9-2l1 1.2M13 2.5v3.7H9.4M13 9a5 5 0 0 1-9 2L3 9.8M3 13.5V9.8h3.6",
};

/**
 * @typedef {Node|string|number|null|undefined|boolean|readonly Child[]} Child lists are flattened; null, false and ""
 *   are skipped
 */

/**
 * make("button", {class: "tool", title: "…", onclick}, "Words", child)
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [given] attributes, on<event> functions, and `data` as an object; null and false are skipped
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value") /** @type {HTMLInputElement} */ (element).value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, ...children);
  return element;
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 * @returns {E}
 */
export function add(element, ...children) {
  const flat = /** @type {(string|number|Node)[]} */ (
    /** @type {unknown[]} */ (children).flat(Number.POSITIVE_INFINITY)
  );
  for (const child of flat) if (child || child === 0) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

/** Text from strangers: direction marks in it have no effect beyond it. @param {string} text */
export function bdi(text, given = {}) {
  return make("bdi", given, String(text ?? ""));
}

/** @param {string} name */
export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("class", `icon icon-${name}`);
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

/**
 * A button with words, an optional picture, and the key that does the same.
 * @param {string} words
 * @param {((event: MouseEvent) => void)|null} onclick
 * @param {{kind?: string, picture?: string, key?: string, title?: string|null, } & Attributes} [how]
 * @returns {HTMLButtonElement}
 */
export function button(words, onclick, { kind = "tool", picture, key, title, ...given } = {}) {
  return make(
    "button",
    { type: "button", class: kind, onclick: onclick ?? null, title, ...given },
    picture && icon(picture),
    make("span", {}, words),
    key && make("kbd", { "aria-hidden": "true" }, key),
  );
}

/**
 * Replace the children of an element.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 * @returns {E}
 */
export function fill(element, ...children) {
  element.replaceChildren();
  return add(element, ...children);
}

/**
 * Make these elements the children, in this order. Only those that are out of place are moved.
 * @param {HTMLElement} element
 * @param {Element[]} wanted
 */
export function arrange(element, wanted) {
  const keep = new Set(wanted);
  for (const child of [...element.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((child, at) => {
    if (element.children[at] !== child) element.insertBefore(child, element.children[at] ?? null);
  });
}

/**
 * Set text only if it differs, so that nothing flickers and screen readers stay quiet.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element @param {string} name @param {string|number|boolean|null|undefined} value */
export function setAttribute(element, name, value) {
  if (value === null || value === false || value === undefined) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

const FIGURES = new Intl.NumberFormat("en");

/** "1,024". @param {number} number */
export function figure(number) {
  return FIGURES.format(number);
}

/** "1 page", "2 pages". @param {number} number @param {string} noun */
export function count(number, noun, plural = `${noun}s`) {
  return `${figure(number)} ${number === 1 ? noun : plural}`;
}

const WRITTEN = /^https?:\/\/[^/?#]/i;
// Browsers read a backslash as a slash and ignore control characters. Such an address would lead to another host than
// the one people read.
const MISLEADING = /[\s<>"\\\p{Cc}]/u;

/**
 * Return an http or https address. Anything else that a page gives as its address is not linked.
 * @param {string} text
 */
export function webAddress(text) {
  const address = (text ?? "").trim();
  if (!WRITTEN.test(address) || MISLEADING.test(address)) return null;
  try {
    return new URL(address).href;
  } catch {
    return null;
  }
}

/**
 * The host and port that an address leads to; empty if it is not linked. The server's `ascii_host` returns the same.
 * @param {string} text
 */
export function hostOf(text) {
  const address = webAddress(text);
  return address ? new URL(address).host : "";
}

/**
 * The address of a page, if it leads to the host that is shown.
 * @param {{ url: string, host: string }} page
 */
export function pageAddress(page) {
  const host = hostOf(page.url);
  return host && [host, `(${host})`].includes(page.host.split(" ").at(-1) ?? "") ? webAddress(page.url) : null;
}

/**
 * The address of a page, and a link that opens it.
 * @param {{ url: string, host: string }} page
 * @param {string|null} id the id of the link
 */
export function addressLine(page, id = null) {
  const address = pageAddress(page);
  return make(
    "p",
    { class: "address" },
    bdi(page.host || page.url || "no address"),
    address &&
      make(
        "a",
        { id, class: "open-link", href: address, target: "_blank", rel: "noopener noreferrer" },
        "Open",
        icon("open"),
        make("span", { class: "visually-hidden" }, " the page itself in a new tab"),
      ),
  );
}

/**
 * Return the element with this id, which must exist.
 * @param {string} id
 * @returns {FoundElement} an HTMLElement of the right kind
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element with the id ${id}.`);
  return found;
}

/**
 * Call a function with the detail of each custom event of one kind.
 * @param {EventTarget} target
 * @param {string} kind
 * @param {(detail: Json) => unknown} act the sender of the event declares the type of the detail
 */
export function onDetail(target, kind, act) {
  target.addEventListener(kind, (event) => event instanceof CustomEvent && act(event.detail));
}

/** Return the element that an event happened to. @param {Event} event @returns {Element} */
export function targetOf(event) {
  return event.target instanceof Element ? event.target : document.body;
}

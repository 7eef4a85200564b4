// The pieces of a comment: names after an @, web addresses, and the text between. `annotations/discussion/services.py` finds the
// same names, and its result counts.

const GOES_ON = /^(?:[\p{L}\p{N}_@+-]|\.[\p{L}\p{N}_])/u;
const IN_WORD = /[\p{L}\p{N}_]$/u;
const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
const ENDS = ".,;:!?…”’";
/** @type {Record<string, string>} */
const PAIRS = { ")": "(", "]": "[", "}": "{" };

/**
 * @typedef {{kind: "text"|"name"|"link", text: string}} Piece
 */

/**
 * The names that a text mentions, in the order of their first mention.
 * @param {string} text
 * @param {string[]} names
 * @returns {string[]}
 */
export function mentionedIn(text, names) {
  return [...new Set(mentions(text, names).map((one) => one.name))];
}

/** Split a text into pieces, in order. @param {string} text @param {string[]} names @returns {Piece[]} */
export function piecesOf(text, names) {
  /** @type {{start: number, end: number, kind: "name"|"link"}[]} */
  const found = [
    ...mentions(text, names).map(({ start, end }) => ({ start, end, kind: /** @type {const} */ ("name") })),
    ...addresses(text),
  ].sort((one, other) => one.start - other.start);
  /** @type {Piece[]} */
  const pieces = [];
  let at = 0;
  for (const { start, end, kind } of found) {
    if (start < at) continue;
    if (start > at) pieces.push({ kind: "text", text: text.slice(at, start) });
    pieces.push({ kind, text: text.slice(start, end) });
    at = end;
  }
  if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) });
  return pieces;
}

/** The name that is being typed before the caret: "an" in "ask @an|". @param {string} before @returns {string|null} */
export function beginning(before) {
  const at = before.lastIndexOf("@");
  if (at < 0 || IN_WORD.test(before.slice(0, at))) return null;
  const begun = before.slice(at + 1);
  return /\s/.test(begun) ? null : begun;
}

/** @param {string} text @param {string[]} names */
function mentions(text, names) {
  const byLength = [...names].sort((one, other) => other.length - one.length);
  const lower = text.toLowerCase();
  const found = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (IN_WORD.test(text.slice(0, at))) continue;
    const name = byLength.find(
      (one) => lower.startsWith(one.toLowerCase(), at + 1) && !GOES_ON.test(text.slice(at + 1 + one.length)),
    );
    if (name !== undefined) found.push({ name, start: at, end: at + 1 + name.length });
  }
  return found;
}

/** Addresses without the punctuation that follows them. @param {string} text */
function addresses(text) {
  return [...text.matchAll(ADDRESS)].map((match) => {
    let length = match[0].length;
    while (length > 0 && isStray(match[0].slice(0, length))) length -= 1;
    return { start: match.index, end: match.index + length, kind: /** @type {const} */ ("link") };
  });
}

/**
 * True if the last character belongs to the sentence, not to the address: a full stop, or a closing bracket without an
 * opening one.
 * @param {string} text
 */
function isStray(text) {
  const last = text.slice(-1);
  if (ENDS.includes(last)) return true;
  const opening = PAIRS[last];
  return opening !== undefined && text.split(last).length > text.split(opening).length;
}

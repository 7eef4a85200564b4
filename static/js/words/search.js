// Search queries: words, "phrases", and -words that must not occur. Case and accents make no difference. The
// counterpart of annotations/words/search_query.py and searching.py.

/**
 * @typedef {object} Term one word, which may be part of another, or a phrase: whole words in sequence
 * @property {string[]} words folded
 * @property {boolean} phrase
 * @property {boolean} minus true if it must not occur
 * @property {boolean} open true if the phrase is still being typed, so that its last word may be incomplete
 *
 * @typedef {Record<string, string>} Fields folded texts by name
 */

const MOST_TERMS = 20;
const WHOLE = ["rank"];
const QUOTES = '"“”„«»';
const TERM = new RegExp(`(-?)(?:[${QUOTES}]([^${QUOTES}]*)([${QUOTES}]?)|([^\\s${QUOTES}]+))`, "g");
const LETTER = "[\\p{L}\\p{N}_]";

/** @type {Record<string, string>} */
const SIGNS = { ı: "i", ß: "ss", ς: "σ", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe" };
const ASCII = /^\p{ASCII}*$/u;
const TO_FOLD = /[\u0300-\u036fıßςøłđðþæœ]/g;

/** "Straße" as "strasse", "İZMİR" and "ızmir" as "izmir". @param {string} text */
export function folded(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(TO_FOLD, (sign) => SIGNS[sign] ?? "");
}

/**
 * Parse the typed text. An unclosed quote extends to the end.
 * @param {string} typed
 * @returns {Term[]}
 */
export function parse(typed) {
  const found = [];
  for (const [, minus, quoted, end, word] of typed.matchAll(TERM)) {
    const words = folded(word ?? quoted)
      .split(/\s+/)
      .filter(Boolean);
    if (!words.length || (words.length === 1 && words[0] === "-")) continue;
    found.push({ words, phrase: word === undefined, minus: minus !== "", open: word === undefined && !end });
  }
  return found.slice(0, MOST_TERMS);
}

/**
 * The fields that contain one of the words; null unless every word is in a field and no -word is in any.
 * @param {Term[]} terms
 * @param {Fields} fields
 */
export function foundIn(terms, fields) {
  const names = Object.keys(fields);
  const found = new Set();
  for (const term of terms) {
    const places = names.filter((name) => isIn(term, name, fields[name]));
    if (places.length > 0 === term.minus) return null;
    for (const name of places) found.add(name);
  }
  return names.filter((name) => found.has(name));
}

/** @param {Term} term @param {string} name @param {string} text */
function isIn(term, name, text) {
  if (WHOLE.includes(name)) return text === term.words.join(" ");
  if (!term.phrase) return text.includes(term.words[0]);
  return term.words.every((word) => text.includes(word)) && patternOf(term).test(text);
}

/** @type {WeakMap<Term, RegExp>} */
const patterns = new WeakMap();

/** @param {Term} term */
function patternOf(term) {
  let pattern = patterns.get(term);
  if (!pattern) {
    const { words, open } = term;
    const before = new RegExp(`^${LETTER}`, "u").test(words[0]) ? `(?<!${LETTER})` : "";
    const after = new RegExp(`${LETTER}$`, "u").test(words[words.length - 1]) && !open ? `(?!${LETTER})` : "";
    pattern = new RegExp(before + words.map(escaped).join("\\s+") + after, "u");
    patterns.set(term, pattern);
  }
  return pattern;
}

/** @param {string} word */
const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/**
 * Where the words occur in a text as it is shown: [start, end] of each, in order, without overlaps.
 * @param {string} text
 * @param {Term[]} terms
 * @param {number} [most]
 * @returns {[number, number][]}
 */
export function hitsIn(text, terms, most = 500) {
  const wanted = terms.filter((term) => !term.minus);
  if (!wanted.length || !text) return [];
  const { plain, places } = foldedWithPlaces(text);
  /** @type {[number, number][]} */
  const found = [];
  for (const term of wanted) {
    const source = term.phrase ? patternOf(term).source : escaped(term.words[0]);
    for (const hit of plain.matchAll(new RegExp(source, "gu"))) {
      found.push([places(hit.index), places(hit.index + hit[0].length - 1, true)]);
      if (found.length >= most) break;
    }
  }
  found.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  /** @type {[number, number][]} */
  const apart = [];
  for (const [begin, end] of found) {
    const last = apart.at(-1);
    if (last && begin < last[1]) last[1] = Math.max(last[1], end);
    else apart.push([begin, end]);
  }
  return apart.slice(0, most);
}

/**
 * The folded text, and the position of each of its characters in the original: where the original character starts, or
 * (`past`) ends.
 * @param {string} text
 */
export function foldedWithPlaces(text) {
  if (ASCII.test(text))
    return { plain: text.toLowerCase(), places: (/** @type {number} */ at, past = false) => at + (past ? 1 : 0) };
  let plain = "";
  /** @type {number[]} */
  const begins = [];
  /** @type {number[]} */
  const ends = [];
  let at = 0;
  for (const sign of text) {
    const part = folded(sign);
    const end = at + sign.length;
    // A separate accent belongs to the letter before it.
    if (!part && ends.length) ends[ends.length - 1] = end;
    for (let count = 0; count < part.length; count += 1) {
      begins.push(at);
      ends.push(end);
    }
    plain += part;
    at = end;
  }
  return { plain, places: (/** @type {number} */ index, past = false) => (past ? ends : begins)[index] };
}

// Texts from strangers with words marked, ignoring case and accents. Text only ever becomes text nodes.

import { make } from "../common/elements.js";
import { folded, foldedWithPlaces } from "../words/search.js";

/**
 * @typedef {object} Term words to mark
 * @property {string} words one or several words, as in the text except for case and accents
 * @property {boolean} [whole] true to mark them only if they are not part of a longer word
 * @property {string} [look] the classes of their marks
 * @property {string} [title] the tooltip of their marks
 *
 * @typedef {{from: number, to: number, term: Term}} Hit a position in the text
 */

const SEARCHED = { look: "searched" };
const LETTER = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Return the text with the terms in `<mark>` elements. If two overlap, the one that starts first wins, then the longer
 * one, then the one that is listed first.
 * @param {string} text
 * @param {readonly (string|Term)[]} terms a string is a word that is searched for: it is also marked within longer
 *   words
 * @returns {DocumentFragment}
 */
export function marked(text, terms) {
  const found = document.createDocumentFragment();
  let at = 0;
  for (const { from, to, term } of hits(text, terms)) {
    if (from > at) found.append(text.slice(at, from));
    found.append(make("mark", { class: term.look, title: term.title }, text.slice(from, to)));
    at = to;
  }
  if (at < text.length) found.append(text.slice(at));
  return found;
}

/**
 * Where the terms are, in order, without overlaps.
 * @param {string} text
 * @param {readonly (string|Term)[]} terms
 * @returns {Hit[]}
 */
export function hits(text, terms) {
  if (!terms.length || !text) return [];
  const [plain, places] = foldedPlaces(text);
  const wanted = terms.map((term) => (typeof term === "string" ? { words: term, ...SEARCHED } : term));
  const all = wanted.flatMap((term) => hitsOf(term, plain, places, text));
  all.sort((one, other) => one.from - other.from || other.to - one.to);
  let end = 0;
  return all.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}

/** @param {Term} term @param {string} plain @param {number[]} places @param {string} text @returns {Hit[]} */
function hitsOf(term, plain, places, text) {
  const words = folded(term.words).trim();
  /** @type {Hit[]} */
  const found = [];
  if (!words) return found;
  for (let at = plain.indexOf(words); at >= 0; at = plain.indexOf(words, at + words.length)) {
    let end = at + words.length;
    // Skip half letters: "ß" becomes two letters when folded.
    while (places[end] === places[end - 1]) end += 1;
    const [from, to] = [places[at], places[end]];
    if (!term.whole || standsAlone(text, from, to)) found.push({ from, to, term });
  }
  return found;
}

/** @param {string} text @param {number} from @param {number} to */
function standsAlone(text, from, to) {
  const before = [...text.slice(Math.max(0, from - 2), from)].at(-1) ?? "";
  const after = [...text.slice(to, to + 2)].at(0) ?? "";
  return !LETTER.test(before) && !LETTER.test(after);
}

/**
 * The folded text, and for each of its characters, and for its end, the position in the original text.
 * @param {string} text
 * @returns {[string, number[]]}
 */
function foldedPlaces(text) {
  const { plain, places } = foldedWithPlaces(text);
  return [plain.replace(/[\n\t]/g, " "), [...Array.from({ length: plain.length }, (_, at) => places(at)), text.length]];
}

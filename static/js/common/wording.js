// How messages show values: quoted, shortened, never an endless list. The counterpart of qc4/wording.py.

/** @param {*} value @param {number} [width] */
export function quoted(value, width = 60) {
  const shown = clipped(String(value), width);
  const quote = shown.includes("'") && !shown.includes('"') ? '"' : "'";
  return quote + shown.replace(/[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|'/gu, (found) => escaped(found, quote)) + quote;
}

/**
 * A text cut to at most `width` characters. If it was longer, its last character is an ellipsis.
 * @param {string} text
 * @param {number} width
 */
export function clipped(text, width) {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

/** The text with a small first letter, for the middle of a sentence. @param {string} text */
export function lowered(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param {string} character @param {string} quote */
function escaped(character, quote) {
  if (character === "'") return quote === "'" ? "\\'" : character;
  if (character === "\\") return "\\\\";
  const named = /** @type {Record<string, string>} */ ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" })[character];
  if (named) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** @param {string[]} ids @param {number} [most] */
export function listed(ids, most = 20) {
  const shown = ids
    .slice(0, most)
    .map((id) => quoted(id))
    .join(", ");
  return ids.length <= most ? shown : `${shown} and ${number(ids.length - most)} more`;
}

/** "1 page", "2,176 pages". @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** @param {number} value */
export function number(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

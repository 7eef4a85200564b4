// How names and ids are compared, whatever their Unicode form. The twin of qc4/text.py.

const ASCII = /^\p{ASCII}*$/u;
const IGNORED = /[\u200b\u2060\ufeff]/g;

/** Labels, names and ids with the same key are the same: NFC, without zero-width spaces. @param {string} text */
export function comparisonKey(text) {
  return ASCII.test(text) ? text : text.replace(IGNORED, "").normalize("NFC");
}

/** Names that differ only in case or Unicode form have the same key. @param {string} name */
export function nameKey(name) {
  if (ASCII.test(name)) return name.toLowerCase();
  // As Python's casefold: "ß" is "ss", and the dotless i of Turkish is a letter of its own.
  const fold = (/** @type {string} */ letter) =>
    letter === "ı" ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
  return comparisonKey([...comparisonKey(name)].map(fold).join(""));
}

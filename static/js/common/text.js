// How names and ids are compared, whatever their Unicode form. The counterpart of qc4/text.py.

const ASCII = /^\p{ASCII}*$/u;
const IGNORED = /[\u200b\u2060\ufeff]/g;

/**
 * Return the key of a label, name or id (NFC, without zero-width spaces). Two texts with the same key are the same.
 * @param {string} text
 */
export function comparisonKey(text) {
  return ASCII.test(text) ? text : text.replace(IGNORED, "").normalize("NFC");
}

/** Return the key of a name. Names that differ only in case or Unicode form have the same key. @param {string} name */
export function nameKey(name) {
  if (ASCII.test(name)) return name.toLowerCase();
  // Like Python's casefold: "ß" becomes "ss", and the dotless i of Turkish stays a letter of its own.
  const fold = (/** @type {string} */ letter) =>
    letter === "ı" ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
  return comparisonKey([...comparisonKey(name)].map(fold).join(""));
}

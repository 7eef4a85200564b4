// Topics by typing: how well a path fits the words that were typed. Pure.

import { nameKey } from "../common/text.js";

/**
 * 0 is best: the name itself, its beginning, the beginning of a word of it, within it, within the path; among equals the
 * one nearer to level 1.
 * @param {string[]} path names from level 1 to the topic
 * @param {string[]} words as `nameKey` makes them
 * @returns {number|null} null: no hit
 */
export function rankOf(path, words) {
  if (!words.length) return 0;
  const whole = nameKey(path.join(" "));
  if (!words.every((word) => whole.includes(word))) return null;
  const name = nameKey(path[path.length - 1]);
  return kindOfHit(name, words.join(" "), words[words.length - 1]) * 10 + Math.min(9, path.length - 1);
}

/** @param {string} name @param {string} typed all of it @param {string} last its last word */
function kindOfHit(name, typed, last) {
  if (name === typed || name === last) return 0;
  if (name.startsWith(typed) || name.startsWith(last)) return 1;
  if (name.split(/\s+/).some((part) => part.startsWith(last))) return 2;
  return name.includes(last) ? 3 : 4;
}

/** Names that differ only in case or Unicode form are alike. @param {string} one @param {string} other */
export function alike(one, other) {
  return nameKey(one) === nameKey(other);
}

/** Whether a path ends with these names. @param {string[]} path @param {string[]} wanted */
export function endsAlike(path, wanted) {
  return (
    wanted.length <= path.length && wanted.every((name, at) => alike(path[path.length - wanted.length + at], name))
  );
}

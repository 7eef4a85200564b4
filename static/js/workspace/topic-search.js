// Finding topics by typing: how well a path matches the typed words.

import { nameKey } from "../common/text.js";

/**
 * Lower is better: the name itself, its beginning, the beginning of a word in it, within it, within the path. For equal
 * ranks, the topic nearer to level 1 wins.
 * @param {string[]} path names from level 1 to the topic
 * @param {string[]} words the typed words, as `nameKey` makes them
 * @returns {number|null} null if the path does not match
 */
export function rankOf(path, words) {
  if (!words.length) return 0;
  const whole = nameKey(path.join(" "));
  if (!words.every((word) => whole.includes(word))) return null;
  const name = nameKey(path[path.length - 1]);
  return kindOfHit(name, words.join(" "), words[words.length - 1]) * 10 + Math.min(9, path.length - 1);
}

/** @param {string} name @param {string} typed the whole typed text @param {string} last its last word */
function kindOfHit(name, typed, last) {
  if (name === typed || name === last) return 0;
  if (name.startsWith(typed) || name.startsWith(last)) return 1;
  if (name.split(/\s+/).some((part) => part.startsWith(last))) return 2;
  return name.includes(last) ? 3 : 4;
}

/** True if the names differ only in case or Unicode form. @param {string} one @param {string} other */
export function alike(one, other) {
  return nameKey(one) === nameKey(other);
}

/** True if a path ends with these names. @param {string[]} path @param {string[]} wanted */
export function endsAlike(path, wanted) {
  return (
    wanted.length <= path.length && wanted.every((name, at) => alike(path[path.length - wanted.length + at], name))
  );
}

// The mark of a topic: colour and shape, beside its name wherever it is shown.

const HUES = 8;
const SHAPES = 4;

/**
 * The class of a topic's mark: the colour and shape of its level-1 topic. They follow from the topic's id alone, so they
 * are the same for everybody, in every draft and after every change of the others; two topics may look alike, which is
 * why the name always stands beside the mark.
 * @param {import("./state.js").DraftState} state
 * @param {string} id
 */
export function topicMark(state, id) {
  const number = numberOf(state.pathIds(id)[0]);
  return `dot hue-${number % HUES} shape-${Math.floor(number / HUES) % SHAPES}`;
}

/** FNV-1a, mixed once more (MurmurHash3's last step): ids that differ in one letter come out far apart. @param {string} text */
function numberOf(text) {
  let found = 0x811c9dc5;
  for (const letter of text) found = Math.imul(found ^ Number(letter.codePointAt(0)), 0x01000193);
  found = Math.imul(found ^ (found >>> 16), 0x85ebca6b);
  found = Math.imul(found ^ (found >>> 13), 0xc2b2ae35);
  return (found ^ (found >>> 16)) >>> 0;
}

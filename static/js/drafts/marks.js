// The mark of a topic: colour and shape, beside its name wherever it is shown. `giveMark` and `marksInOrder` are the
// twins of annotations/drafting/marks.py.

const HUES = 8;
const SHAPES = 4;
const LOOKS = HUES * SHAPES;

/** The part of a draft's state that marks depend on. @typedef {{marks: Map<string, number>, roots: string[], pathIds: (topic: string) => string[]}} MarkedState */

/**
 * The class of a topic's mark: the colour and shape of its level-1 topic. No two topics of level 1 look alike until there
 * are more than 32; the name always stands beside the mark.
 * @param {MarkedState} state
 * @param {string} id
 */
export function topicMark(state, id) {
  return `dot ${topicHue(state, id)} shape-${Math.floor(numberOf(state, id) / HUES) % SHAPES}`;
}

/** The class of a topic's colour. @param {MarkedState} state @param {string} id */
export function topicHue(state, id) {
  return `hue-${numberOf(state, id) % HUES}`;
}

/** @param {MarkedState} state @param {string} id */
function numberOf(state, id) {
  return state.marks.get(state.pathIds(id)[0]) ?? 0;
}

/**
 * Sees that a topic of level 1 has a mark: its own of old, else the smallest that nobody ever had; once all looks have been
 * given, the smallest that no topic of level 1 has now, and whose it was loses it.
 * @param {MarkedState} state
 * @param {string} topic
 */
export function giveMark({ marks, roots }, topic) {
  if (marks.has(topic)) return;
  const holders = new Map([...marks].map(([holder, number]) => [number, holder]));
  let free = firstNotIn(holders);
  if (free >= LOOKS) {
    free = firstNotIn(new Set(roots.map((root) => marks.get(root))));
    marks.delete(holders.get(free) ?? "");
  }
  marks.set(topic, free);
}

/** @param {{has: (number: number) => boolean}} taken */
function firstNotIn(taken) {
  let number = 0;
  while (taken.has(number)) number += 1;
  return number;
}

/** The marks of a hierarchy that begins with these topics on level 1: in their order. @param {string[]} roots */
export function marksInOrder(roots) {
  return new Map(roots.map((topic, number) => [topic, number]));
}

// The mark of a topic: a colour and a shape, shown beside its name. `giveMark` and `marksInOrder` have counterparts in
// annotations/drafts/state_machine/state.py.

const HUES = 8;
const SHAPES = 4;
const LOOKS = HUES * SHAPES;

/** The part of a draft's state that marks depend on. @typedef {{marks: Map<string, number>, roots: string[], pathIds: (topic: string) => string[]}} MarkedState */

/**
 * The class of a topic's mark: the colour and shape of its level-1 topic. Up to 32 topics of level 1 all look
 * different. The name is always shown beside the mark.
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
 * Give a topic of level 1 a mark: the one it had before, or the smallest that no topic ever had. Once all marks have
 * been given, it gets the smallest that no topic of level 1 has now, and the former owner loses it.
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

/** The marks of a hierarchy that begins with these topics on level 1, in their order. @param {string[]} roots */
export function marksInOrder(roots) {
  return new Map(roots.map((topic, number) => [topic, number]));
}

// Plays sessions of the server's state machine, which come on standard input, on the one of the scripts, and writes where
// they differ. test_twins.py makes the sessions.

import { readFileSync } from "node:fs";
import { apply, invert } from "../../static/js/drafts/changes.js";
import { describeOperations } from "../../static/js/drafts/describe-operations.js";
import { takeBack } from "../../static/js/drafts/inverse.js";
import { issues } from "../../static/js/drafts/issues.js";
import { labelOf } from "../../static/js/drafts/labels.js";
import { carryOut } from "../../static/js/drafts/operations.js";
import { canonical, DraftState } from "../../static/js/drafts/state.js";
import { content } from "./samples.js";

const { pages, sessions } = JSON.parse(readFileSync(0, "utf8"));
const differences = [];
const exacts = { true: 0, false: 0 };
const same = (where, found, expected) => {
  if (canonical(found) !== canonical(expected)) differences.push({ where, found, expected });
};
const leftOver = (state) =>
  state
    .preOrder()
    .filter((id) => !state.isSuggested(id) && state.leftOver(id).length)
    .map((id) => [id, state.leftOver(id).length]);
const progress = (state) => ({
  levels: state.coverage(),
  topics: [...state.topics.values()].filter((topic) => !topic.suggested).length,
  outliers: state.outliers.size,
  left_over: Object.fromEntries(leftOver(state)),
  suggested: new Set([...state.hints.values()].flatMap((held) => [...held])).size,
  suggested_topics: [...state.topics.values()].filter((topic) => topic.suggested).length,
  flagged: state.flags.size,
  stale: state.staleness().length,
  issues: issues(state),
});
const refused = (act, fields) => {
  try {
    return { done: act() };
  } catch (error) {
    return { error: Object.fromEntries(fields.map((field) => [field, error[field]])) };
  }
};
const words = ["code", "message", "fix", "index"];
const topicsOf = (state) => pages.map((page) => [page, state.finestTopics(page), state.hintedTopics(page)]);
const pagesOf = (state) => state.preOrder().map((id) => [id, state.inOrder(state.pagesIn(id))]);
for (const { seed, start, steps, undos } of sessions) {
  const state = DraftState.fromJSON(pages, start);
  for (const [at, step] of steps.entries()) {
    const where = `session ${seed}, step ${at + 1}: ${JSON.stringify(step.operations)}`;
    const before = state.clone();
    if (step.unseen) {
      apply(state, step.changes, at + 1); // the server alone knows what was not seen
      same(`${where}: unseen`, state.toJSON(), step.state);
      continue;
    }
    if (step.operations.some((operation) => operation?.kind === "suggest")) {
      apply(state, step.changes ?? [], at + 1); // programs suggest, and browsers see the entry
      continue;
    }
    const { done, error } = refused(() => carryOut(state, step.operations, at + 1), words);
    same(where, error ?? done, step.error ?? step.changes);
    if (!done) {
      same(`${where}: refusing changes nothing`, state.toJSON(), before.toJSON());
      continue;
    }
    describeOperations(before, step.operations, (page) => page); // every kind has its words
    same(`${where}: label`, labelOf(before, step.operations), step.label);
    same(`${where}: state`, state.toJSON(), step.state);
    same(`${where}: progress`, progress(state), step.progress);
    // What was kept in step with the changes is what is worked out afresh.
    const fresh = DraftState.fromJSON(pages, state.toJSON());
    same(`${where}: derived`, progress(state), progress(fresh));
    same(`${where}: topics of pages`, topicsOf(state), topicsOf(fresh));
    same(`${where}: pages of topics`, pagesOf(state), pagesOf(fresh));
    const back = state.clone();
    apply(back, invert(done), 0);
    same(`${where}: undone`, content(back), content(before));
  }
  for (const { of, changes } of undos) {
    const wanted = invert(of);
    const before = state.toJSON();
    const shown = takeBack(state, wanted, 0);
    // What is shown before the server has answered is what it does. Where that is not the exact inverse, nothing is.
    const exact = canonical(changes) === canonical(wanted);
    exacts[exact] += 1;
    same(`session ${seed}: undo ${JSON.stringify(of)}`, shown, exact ? changes : []);
    apply(state, invert(shown), 0);
    if (!shown.length) same(`session ${seed}: nothing is left of it`, state.toJSON(), before);
  }
}
console.log(JSON.stringify({ exacts, count: differences.length, first: differences.slice(0, 3) }));

// What operations would do, in words for the person who is about to do them.

import { OperationError } from "./fields.js";
import { impact } from "./impact.js";

/**
 * @typedef {object} Judgement
 * @property {string} words
 * @property {boolean} [warns] pages would lack a topic
 * @property {boolean} [error] it cannot be done
 */

/**
 * @param {import("./state.js").DraftState} state stays as it is
 * @param {import("./types.js").Operation[]} operations
 * @returns {Judgement}
 */
export function judged(state, operations) {
  try {
    const { sentence, lacking } = impact(state, operations);
    return { words: sentence, warns: lacking.length > 0 };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.code === "no-effect") return { words: "changes nothing", warns: false, error: false };
    return { words: [error.message, error.fix].filter(Boolean).join(" "), warns: true, error: true };
  }
}

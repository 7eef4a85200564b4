// Ids that are made in the browser: for topics and for batches.

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

export function newTopicId() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `t-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("")}`;
}

/** A random UUID, even if crypto.randomUUID is missing, as it is over plain http. @returns {string} */
export function newBatchId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

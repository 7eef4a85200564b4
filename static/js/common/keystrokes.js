// The name of a key press: "Ctrl+Shift+z", "Shift+1", "j", "?". The character that the keyboard types decides. The position
// of the key decides only for digits and for letters of scripts without a to z.

/** @type {Record<string, string>} */
const NAMED = { " ": "Space", Escape: "Esc", Del: "Delete" };
const MODIFIERS = new Set([
  "Shift",
  "Control",
  "Alt",
  "Meta",
  "AltGraph",
  "CapsLock",
  "Dead",
  "Process",
  "Unidentified",
]);
const IS_APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/**
 * Name a key press. Return null for a modifier alone, a dead key, or a press that belongs to an input method.
 *
 * - A typed digit is that digit, even if Shift types it (French, Czech).
 * - A symbol that has a use is that symbol, even if it shares a key with a digit (`/` is Shift+7 on a German keyboard).
 * - Any other character of a digit's key stands for the digit, with Shift if Shift is held (`!` is Shift+1).
 * @param {KeyboardEvent} event
 * @param {{symbols: ReadonlySet<string>, isApple?: boolean}} keyboard `symbols`: the characters that have a use, besides
 *   letters and digits
 * @returns {string|null}
 */
export function strokeOf(event, { symbols, isApple = IS_APPLE }) {
  const { key, code = "", shiftKey: shift } = event;
  if (MODIFIERS.has(key) || isComposing(event)) return null;
  const third = isThirdLevel(event, isApple);
  const more = third ? [] : [(event.ctrlKey || event.metaKey) && "Ctrl", event.altKey && "Alt"].filter(Boolean);
  /** @param {string} name @param {boolean} [shifted] */
  const named = (name, shifted = false) => [...more, ...(shifted ? ["Shift"] : []), name].join("+");
  if (key.length > 1 || key === " ") return named(NAMED[key] ?? key, shift);
  const letter = letterOf(key, code);
  // AltGr with a letter that does not need it is some other command.
  if (letter) return third ? null : named(letter, shift);
  if (third || isDigit(key) || symbols.has(key)) return named(key);
  const digit = /^Digit([0-9])$/.exec(code)?.[1];
  return digit ? named(digit, shift) : named(key);
}

/** True if the event belongs to an input method that is composing text. @param {KeyboardEvent} event */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/** True if the key press is text for a field. Keys do nothing else then. @param {KeyboardEvent} event */
export function isTyping(event) {
  const field =
    event.target instanceof Element &&
    event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable='true']");
  return isComposing(event) || Boolean(field);
}

/**
 * True if AltGr, or Option on Apple's keyboards, is held to type a character.
 * @param {KeyboardEvent} event
 * @param {boolean} isApple
 */
function isThirdLevel(event, isApple) {
  if (event.getModifierState?.("AltGraph")) return true;
  return isApple && event.altKey && !event.ctrlKey && !event.metaKey && event.key.length === 1;
}

/**
 * The letter a to z of a key, or "". Letters of other scripts (Greek, Cyrillic …) count by position; those of the Latin
 * script (é, ñ, ı) are letters of their own.
 * @param {string} key
 * @param {string} code
 */
function letterOf(key, code) {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const isOther = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  return isOther ? (/^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? "") : "";
}

/** @param {string} key */
function isDigit(key) {
  return /^[0-9]$/.test(key);
}

// Limits of a draft. They have the same names and values as in `annotations/limits.py`.

export const KEY_CHARS = 200;
export const NAME_CHARS = 200;
export const LABEL_CHARS = 200;
export const TEXT_CHARS = 10_000;
export const COMMENT_CHARS = 5_000;
export const DRAFT_TOPICS = 5_000;
export const SUGGESTED_TOPICS = 50;
export const MAX_LEVELS = 100;
export const UNSEEN_SPANS = 100;

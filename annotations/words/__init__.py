"""Pages as weighted words: how alike they are, and topics suggested from them. Pure functions, no database."""

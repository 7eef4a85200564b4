"""Pages as weighted words, for page similarity, predictions and suggested topics."""

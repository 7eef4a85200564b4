"""The life of a run: its states, queue, limits, execution and pages."""

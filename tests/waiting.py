"""How long tests wait for a condition before they fail."""

PATIENCE = 120.0
"""Seconds. So many that a right product on a busy machine never needs them; a verdict is never a matter of time."""

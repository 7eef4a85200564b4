"""The desk of an adjudication: what lies on it, what it asks, and what the answers do to the draft."""

"""Flat, overlapping and nested clusterings, and the case that joins one with a gold standard."""

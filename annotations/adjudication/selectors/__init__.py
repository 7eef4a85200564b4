"""Reads of adjudications: the question that is next, how far it is, and who placed each page and why."""

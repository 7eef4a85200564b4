"""Selectors of adjudications: the next question, the progress, and who placed each page and why."""

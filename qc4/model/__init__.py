"""Gold standards, clusterings, their labels, and the case that joins a clustering with a gold standard."""

from __future__ import annotations

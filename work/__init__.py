"""Work that takes time: who may take it, who holds it, and what was worked out once and is stored.

It knows nothing of what the work is about: the apps above it register their kinds.
"""

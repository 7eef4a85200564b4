"""The life of a run: its states, who may queue one, who holds it, and the calls that wake a worker for it."""

"""Reproductions of published experiments, with cases and data that this project builds and publishes.

``python -m studies NAME`` runs one. The studies use the engine like any other program. They are not part of its wheel.
"""

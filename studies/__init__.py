"""Reproductions of published experiments, on cases and data that this project builds and publishes.

``python -m studies NAME`` runs one. They use the engine as any program would, and are not part of its wheel.
"""

"""Text on its way into a CSV file: as `annotations.spreadsheets`."""

from annotations.spreadsheets import guarded

__all__ = ["guarded"]

"""Vectors of pages: given, or made from their text."""

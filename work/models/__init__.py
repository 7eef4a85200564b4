"""The tables of this app."""

from work.models.leased import Leased

__all__ = ["Leased"]

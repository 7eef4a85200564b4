"""The tables of this app."""

from work.models.leased import Leased
from work.models.workers import Worker

__all__ = ["Leased", "Worker"]

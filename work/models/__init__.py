"""The models of this app."""

from work.models.answers import AnswerPart, StoredAnswer
from work.models.leased import Leased
from work.models.workers import Worker

__all__ = ["AnswerPart", "Leased", "StoredAnswer", "Worker"]

"""The desk of an adjudication: what lies on it, what it asks, and what the answers do to the draft."""

from annotations.agreement.desk.answers import operations, proposals, together
from annotations.agreement.desk.desk import Desk
from annotations.agreement.desk.places import wanted
from annotations.agreement.desk.questions import Decision, Question, Subject
from annotations.agreement.desk.start import started
from annotations.answers import About, Choice

__all__ = [
    "About",
    "Choice",
    "Decision",
    "Desk",
    "Question",
    "Subject",
    "operations",
    "proposals",
    "started",
    "together",
    "wanted",
]

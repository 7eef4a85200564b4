"""Drafts as a state machine: pure Python, no Django, no database. Replaying a draft's log gives its state."""

from __future__ import annotations

from annotations.drafting.changes import apply, invert, topic_to_json
from annotations.drafting.conflicts import News, at_stake, changed_by, name_of_gone
from annotations.drafting.difference import Difference, PageMove, difference
from annotations.drafting.documents import as_published, from_document, to_document
from annotations.drafting.errors import OperationError
from annotations.drafting.fitting import Fit, Left, fitted
from annotations.drafting.issues import Issue
from annotations.drafting.json_form import from_json, to_json
from annotations.drafting.labels import label_of
from annotations.drafting.operations import compile, compile_batch
from annotations.drafting.progress import Coverage, Progress, progress, stale_pages
from annotations.drafting.state import DraftState
from annotations.drafting.topics import Topic

__all__ = [
    "Coverage",
    "Difference",
    "DraftState",
    "Fit",
    "Issue",
    "Left",
    "News",
    "OperationError",
    "PageMove",
    "Progress",
    "Topic",
    "apply",
    "as_published",
    "at_stake",
    "changed_by",
    "compile",
    "compile_batch",
    "difference",
    "fitted",
    "from_document",
    "from_json",
    "invert",
    "label_of",
    "name_of_gone",
    "progress",
    "stale_pages",
    "to_document",
    "to_json",
    "topic_to_json",
]

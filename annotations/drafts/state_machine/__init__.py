"""Drafts as a state machine in pure Python, without Django or a database. Replaying a draft's log yields its state."""

from __future__ import annotations

from annotations.drafts.state_machine.changes import apply, invert, topic_to_json
from annotations.drafts.state_machine.conflicts import News, at_stake, changed_by, name_of_gone
from annotations.drafts.state_machine.difference import Difference, PageMove, difference
from annotations.drafts.state_machine.editing import OperationError
from annotations.drafts.state_machine.issues import Issue
from annotations.drafts.state_machine.labels import label_of
from annotations.drafts.state_machine.operations import compile, compile_batch
from annotations.drafts.state_machine.progress import Coverage, Progress, progress, stale_pages
from annotations.drafts.state_machine.rebase import Fit, Left, fitted
from annotations.drafts.state_machine.serialization import as_published, from_document, from_json, to_document, to_json
from annotations.drafts.state_machine.state import DraftState, Topic

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

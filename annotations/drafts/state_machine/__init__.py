"""Drafts as a state machine in pure Python, without Django or a database. Replaying a draft's log yields its state."""

from __future__ import annotations

from annotations.drafts.state_machine.changes import apply, invert, topic_to_json
from annotations.drafts.state_machine.conflicts import UnseenEntries, former_name, is_caused_by, may_conflict
from annotations.drafts.state_machine.difference import Difference, PageMove, difference
from annotations.drafts.state_machine.editing import OperationError
from annotations.drafts.state_machine.issues import Issue
from annotations.drafts.state_machine.labels import label_of
from annotations.drafts.state_machine.operations import compile, compile_batch
from annotations.drafts.state_machine.progress import Coverage, Progress, progress, stale_pages
from annotations.drafts.state_machine.rebase import RebaseResult, SkippedPart, rebase_changes
from annotations.drafts.state_machine.serialization import as_published, from_document, from_json, to_document, to_json
from annotations.drafts.state_machine.state import DraftState, Topic

__all__ = [
    "Coverage",
    "Difference",
    "DraftState",
    "Issue",
    "OperationError",
    "PageMove",
    "Progress",
    "RebaseResult",
    "SkippedPart",
    "Topic",
    "UnseenEntries",
    "apply",
    "as_published",
    "compile",
    "compile_batch",
    "difference",
    "former_name",
    "from_document",
    "from_json",
    "invert",
    "is_caused_by",
    "label_of",
    "may_conflict",
    "progress",
    "rebase_changes",
    "stale_pages",
    "to_document",
    "to_json",
    "topic_to_json",
]

"""Drafts as a state machine: pure Python, no Django, no database. Replaying a draft's log gives its state."""

from __future__ import annotations

from annotations.drafting.changes import apply, invert, topic_to_json
from annotations.drafting.documents import as_published, from_document, to_document
from annotations.drafting.errors import OperationError
from annotations.drafting.json_form import from_json, to_json
from annotations.drafting.operations import compile, compile_batch
from annotations.drafting.state import DraftState, Topic

__all__ = [
    "DraftState",
    "OperationError",
    "Topic",
    "apply",
    "as_published",
    "compile",
    "compile_batch",
    "from_document",
    "from_json",
    "invert",
    "to_document",
    "to_json",
    "topic_to_json",
]

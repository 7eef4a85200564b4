"""The sections of the documentation that empty pages link to.

The section that explains a page is declared with its URL (`common.routes.page`). Tests check that every document and
anchor exists.
"""

from __future__ import annotations

from common.routes import Help

EMPTY_STATES: dict[str, Help] = {
    "log": Help("account", "what-is-logged", "What is logged"),
    "collections": Help("collections", "", "How to create a collection"),
    "people": Help("collections", "people", "Who may do what"),
    "tokens": Help("scripts", "make-a-token", "How to use a token"),
    "submissions": Help("submit", "", "How to submit clusterings"),
    "scores": Help("first-steps", "after-the-upload", "When scores are ready"),
    "runs": Help("first-steps", "runs", "What a run is"),
    "sweeps": Help("model-selection", "on-the-site", "How to run a sweep"),
    "streams": Help("formats", "streams-qc4-stream1", "The format of a stream"),
    "stream-submissions": Help(
        "formats", "clusterings-of-a-stream-qc4-stream-clustering1", "File formats, with examples"
    ),
    "gold": Help("first-steps", "make-a-gold-standard", "How to make a gold standard"),
    "drafts": Help("curation", "drafts", "How drafts work"),
    "guidelines": Help("curation", "guidelines", "What guidelines are for"),
    "agreement": Help("agreement", "what-is-compared", "How agreement is measured"),
}
"""What is missing on an empty page -> the section that says how to add it (`templates/parts/fill.html`)."""

"""The sections of the documentation that empty pages link to.

The section that explains a page is declared with its URL (`common.routes.page`). Tests check that every document and
anchor exists.
"""

from __future__ import annotations

from common.routes import Help

EMPTY_STATES: dict[str, Help] = {
    "log": Help("taking-part", "what-is-logged", "What is logged"),
    "collections": Help("formats", "collections", "What a collection can be made of"),
    "people": Help("curation", "people", "How people join"),
    "tokens": Help("api", "", "What tokens are for"),
    "submissions": Help("taking-part", "in-five-minutes", "How to submit a clustering"),
    "scores": Help("first-steps", "after-the-upload", "When scores come"),
    "runs": Help("first-steps", "runs", "What runs are"),
    "sweeps": Help("pac-mdl", "on-the-site", "What a sweep does"),
    "streams": Help("formats", "streams-qc4-stream1", "What a file of a stream looks like"),
    "stream-submissions": Help("formats", "clusterings-of-a-stream-qc4-stream-clustering1", "Formats, with examples"),
    "gold": Help("first-steps", "make-a-gold-standard", "How to make a gold standard"),
    "drafts": Help("curation", "drafts", "What drafts are"),
    "guidelines": Help("curation", "guidelines", "What guidelines are for"),
    "agreement": Help("agreement", "what-is-compared", "What agreement compares"),
}
"""What a page can lack -> the section that says how to add it (`templates/parts/fill.html`)."""

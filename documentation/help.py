"""The section of the documentation that explains each page of the site.

Every page shows its link at the top (`templates/base.html`); ``{% help_link "submit" %}`` shows it elsewhere. Tests
check that every page has a row, and that every page, document and anchor in the table exists.
"""

from __future__ import annotations

from typing import NamedTuple


class Help(NamedTuple):
    """A section: its document, the anchor of its heading ("" for the top of the document), and the words of a link."""

    document: str
    anchor: str
    words: str


_SENDING = Help("formats", "submissions", "File formats, with examples")
_ALGORITHMS = Help("comparison", "", "How algorithms are compared")
_RUNS = Help("first-steps", "runs", "What a run is")
_TOKENS = Help("scripts", "make-a-token", "How to use a token")
_PROVIDER = Help("account", "signing-in-by-a-provider", "Signing in by a provider")
_SECOND_FACTOR = Help("account", "second-factor", "What the second factor is")
_PASSWORD = Help("account", "password", "How to get a new password")
_PEOPLE = Help("collections", "people", "Who may do what")
_LOG = Help("account", "what-is-logged", "What is logged")
_DRAFTS = Help("curation", "drafts", "How drafts work")
_GUIDELINES = Help("curation", "guidelines", "What guidelines are for")
_AGREEMENT = Help("agreement", "what-is-compared", "How agreement is measured")
_PUBLISHING = Help("curation", "rules-and-publishing", "How publishing works")
_DELETING = Help("algorithms", "deleting-submissions", "What is deleted with it")
_MERGING = Help("algorithms", "renaming-merging-deleting", "What this does")
_STREAMS = Help("cmm", "on-the-site", "How streams are measured")
_STREAM_FILES = Help("formats", "clusterings-of-a-stream-qc4-stream-clustering1", "File formats, with examples")
_STUDY = Help("behaviour-study", "", "How measures are tested")

PAGES: dict[str, Help] = {
    "collections": Help("first-steps", "", "Your first ten minutes"),
    "collection": Help("first-steps", "what-a-collection-is", "What a collection is"),
    "import": Help("collections", "import-the-files", "How to create a collection"),
    "account": Help("account", "", "How to manage your account"),
    "account-delete": Help("account", "deleting-it", "What is deleted and what stays"),
    "provider-name": _PROVIDER,
    "second-factor": _SECOND_FACTOR,
    "sign-in-code": _SECOND_FACTOR,
    "password-change": _PASSWORD,
    "password-forgotten": _PASSWORD,
    "password-set": _PASSWORD,
    "email-confirm": Help("account", "e-mail-address", "What the address is for"),
    "sign-up-by-link": Help("account", "making-an-account", "Who can create an account"),
    "token-create": _TOKENS,
    "storage": Help("account", "what-you-store", "What counts, and how much you can store"),
    "account-log": _LOG,
    "people-log": _LOG,
    "people": _PEOPLE,
    "invitation-create": _PEOPLE,
    "invitation": _PEOPLE,
    "collection-settings": _PEOPLE,
    "take-part": Help("submit", "who-may-submit", "Who may submit"),
    "challenge": Help("challenges", "", "How challenges work"),
    "challenge-settings": Help("challenges", "what-is-hidden", "How challenges work"),
    # Submissions and runs
    "submit": _SENDING,
    "submission": Help("first-steps", "after-the-upload", "What happens after the upload"),
    "run": _RUNS,
    "runs": _RUNS,
    "query": Help("formats", "gold-standards-qc4-gold1", "What a gold standard is"),
    "my-submissions": _DELETING,
    "submissions-delete": _DELETING,
    "algorithm": Help("algorithms", "", "How to manage algorithms"),
    "algorithm-edit": Help("algorithms", "what-its-page-says", "What its page says"),
    "algorithm-merge": _MERGING,
    "algorithm-delete": _MERGING,
    # Scores
    "leaderboard": Help("leaderboard", "", "How to read the leaderboard"),
    "compare": _ALGORITHMS,
    "heat-map": Help("charts", "heat-map", "How to read the heat map"),
    "trade-off": Help("charts", "quality-against-coverage", "How to read this chart"),
    "measures-compared": Help("compare-page", "measures-against-measures", "How to read this page"),
    "robustness": Help("compare-page", "would-the-winner-change", "How to read this page"),
    "topic-coverage": Help("compare-page", "topic-coverage", "How to read this page"),
    "gold-ranks": Help("compare-page", "ranks-before-and-after", "How to read this page"),
    "model-selection": Help("model-selection", "on-the-site", "How to select a model"),
    "why": Help("why", "", "How to read this page"),
    "measures": Help("policies", "", "What scoring options do"),
    "measure": Help("command-line", "measures-with-parameters", "Measures with parameters"),
    "study": _STUDY,
    "study-group": _STUDY,
    "study-case": Help("behaviour-study", "how-a-case-is-judged", "How a case is judged"),
    "streams": _STREAMS,
    "stream": _STREAMS,
    "stream-submission": _STREAMS,
    "stream-submit": _STREAM_FILES,
    # Gold standards
    "curate": Help("curation", "", "How to build gold standards"),
    "drafts": _DRAFTS,
    "team": Help("curation", "the-team", "What these figures mean"),
    "draft": Help("annotate", "the-workspace", "How to work here"),
    "comments": Help("annotate", "comments", "How comments work"),
    "guidelines": _GUIDELINES,
    "guidelines-edit": _GUIDELINES,
    "gold-publish": _PUBLISHING,
    "draft-publish": _PUBLISHING,
    "gold-changes": _PUBLISHING,
    "agreement": _AGREEMENT,
    "adjudicate": Help("adjudicate", "", "How to adjudicate"),
}
"""URL name of a page -> the section that explains it."""

FILLS: dict[str, Help] = {
    "log": _LOG,
    "collections": Help("collections", "", "How to create a collection"),
    "people": _PEOPLE,
    "tokens": _TOKENS,
    "submissions": Help("submit", "", "How to submit clusterings"),
    "scores": Help("first-steps", "after-the-upload", "When scores are ready"),
    "runs": _RUNS,
    "sweeps": Help("model-selection", "on-the-site", "How to run a sweep"),
    "streams": Help("formats", "streams-qc4-stream1", "The format of a stream"),
    "stream-submissions": _STREAM_FILES,
    "gold": Help("first-steps", "make-a-gold-standard", "How to make a gold standard"),
    "drafts": _DRAFTS,
    "guidelines": _GUIDELINES,
    "agreement": _AGREEMENT,
}
"""What is missing on an empty page -> the section that says how to add it (`templates/parts/fill.html`)."""

WITHOUT = {
    "docs": "it is the documentation",
    "docs-search": "it is the documentation",
    "document": "it is the documentation",
    "api:docs": "it is documentation, and leads to the page about programs by itself",
    "sign-in": "its fields say what they need",
    "sign-up": "its fields say what they need",
}
"""URL name of a page -> why no section explains it."""

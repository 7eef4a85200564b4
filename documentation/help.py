"""Which section of the documentation explains a page of the site: the one table of it.

Every page shows the link of its row at its head (`templates/base.html`); ``{% help_link "submit" %}`` elsewhere.
Tests hold that every page, document and anchor it names is there, and that every page stands here.
"""

from __future__ import annotations

from typing import NamedTuple


class Help(NamedTuple):
    """A section: the document, the anchor of its heading ("": where the document begins), and what a link says."""

    document: str
    anchor: str
    words: str


_ALGORITHMS = Help("comparison", "", "How algorithms are compared")
_RUNS = Help("first-steps", "runs", "What runs are")
_SENDING = Help("formats", "submissions", "Formats, with examples")
_TOKENS = Help("api", "", "What tokens are for")
_PROVIDER = Help("account", "signing-in-by-a-provider", "What the provider has to do with it")
_SECOND_FACTOR = Help("account", "second-factor", "What the second factor is")
_PASSWORD = Help("account", "password", "How to get a new password")
_PEOPLE = Help("curation", "people", "Who may do what")
_DRAFTS = Help("curation", "drafts", "How drafts work")
_AGREEMENT = Help("agreement", "what-is-compared", "How agreement is measured")
_PUBLISHING = Help("curation", "rules-and-publishing", "Rules, and what publishing does")
_MORE = Help("comparison", "on-the-site-four-more-pages", "How this is worked out")
_STREAMS = Help("cmm", "on-the-site", "How streams are measured")
_STUDY = Help("behaviour-study", "", "How measures are tested")

PAGES: dict[str, Help] = {
    "collections": Help("first-steps", "", "First steps"),
    "collection": Help("first-steps", "what-a-collection-is", "What a collection is"),
    "import": Help("formats", "collections", "Files a collection can be made of"),
    "account": Help("account", "", "What you can do here"),
    "account-delete": Help("account", "deleting-it", "What goes and what stays"),
    "provider-name": _PROVIDER,
    "second-factor": _SECOND_FACTOR,
    "sign-in-code": _SECOND_FACTOR,
    "password-change": _PASSWORD,
    "password-forgotten": _PASSWORD,
    "password-set": _PASSWORD,
    "email-confirm": Help("account", "e-mail-address", "What the address is for"),
    "sign-up-by-link": Help("account", "making-an-account", "Who may make an account"),
    "token-create": _TOKENS,
    "storage": Help("account", "what-you-store", "What counts, and how much there may be"),
    "account-log": Help("taking-part", "what-is-logged", "What is logged"),
    "people-log": Help("taking-part", "what-is-logged", "What is logged"),
    "people": _PEOPLE,
    "invitation-create": _PEOPLE,
    "invitation": _PEOPLE,
    "collection-settings": _PEOPLE,
    "take-part": Help("taking-part", "who-may-submit", "Who may submit"),
    "challenge": Help("challenges", "", "How challenges work"),
    "challenge-settings": Help("challenges", "what-is-hidden", "How challenges work"),
    # Submissions and runs
    "submit": _SENDING,
    "submission": Help("first-steps", "after-the-upload", "What happens after the upload"),
    "run": _RUNS,
    "runs": _RUNS,
    "query": Help("formats", "gold-standards-qc4-gold1", "What a gold standard is"),
    "my-submissions": Help("algorithms", "deleting-submissions", "What deleting takes along"),
    "submissions-delete": Help("algorithms", "deleting-submissions", "What deleting takes along"),
    "algorithm": Help("algorithms", "", "What an algorithm's page says"),
    "algorithm-edit": Help("algorithms", "what-its-page-says", "What is said where"),
    "algorithm-merge": Help("algorithms", "renaming-merging-deleting", "What merging does"),
    "algorithm-delete": Help("algorithms", "renaming-merging-deleting", "What deleting does"),
    # Scores
    "leaderboard": Help("leaderboard", "", "How to read the leaderboard"),
    "compare": _ALGORITHMS,
    "heat-map": Help("charts", "heat-map-queries-x-algorithms", "How to read the heat map"),
    "trade-off": Help("charts", "quality-against-coverage", "How to read this chart"),
    "measures-compared": Help("comparison", "measures-against-measures", "How measures are compared"),
    "robustness": Help("comparison", "would-the-winner-change", "How this is worked out"),
    "topic-coverage": _MORE,
    "gold-ranks": _MORE,
    "model-selection": Help("pac-mdl", "on-the-site", "How a model is selected"),
    "why": Help("why", "", "How to read this page"),
    "measures": Help("policies", "", "What policies do to measures"),
    "measure": Help("comparison", "measures-against-measures", "How measures differ"),
    "study": _STUDY,
    "study-group": _STUDY,
    "study-case": Help("behaviour-study", "how-a-case-is-judged", "How a case is judged"),
    "streams": _STREAMS,
    "stream": _STREAMS,
    "stream-submission": _STREAMS,
    "stream-submit": Help("formats", "clusterings-of-a-stream-qc4-stream-clustering1", "Formats, with examples"),
    # Gold standards
    "curate": Help("curation", "", "How curating works"),
    "drafts": _DRAFTS,
    "team": Help("curation", "the-team", "How times and agreement are worked out"),
    "draft": Help("curation", "the-workspace", "How to work here"),
    "comments": Help("curation", "comments", "How comments work"),
    "guidelines": Help("curation", "guidelines", "What guidelines are for"),
    "guidelines-edit": Help("curation", "guidelines", "What guidelines are for"),
    "gold-publish": _PUBLISHING,
    "draft-publish": _PUBLISHING,
    "gold-changes": _PUBLISHING,
    "agreement": _AGREEMENT,
    "adjudicate": Help("agreement", "adjudication", "How adjudication works"),
}
"""The name of a page's address -> what explains it."""

FILLS: dict[str, Help] = {
    "log": Help("taking-part", "what-is-logged", "What is logged"),
    "collections": Help("formats", "collections", "What a collection can be made of"),
    "people": Help("curation", "people", "How people join"),
    "tokens": Help("api", "", "What tokens are for"),
    "submissions": Help("taking-part", "in-five-minutes", "How to submit a clustering"),
    "scores": Help("first-steps", "after-the-upload", "When scores come"),
    "runs": Help("first-steps", "runs", "What runs are"),
    "sweeps": Help("pac-mdl", "on-the-site", "What a sweep does"),
    "streams": Help("formats", "streams-qc4-stream1", "What a file of a stream looks like"),
    "stream-submissions": PAGES["stream-submit"],
    "gold": Help("first-steps", "make-a-gold-standard", "How to make a gold standard"),
    "drafts": Help("curation", "drafts", "What drafts are"),
    "guidelines": Help("curation", "guidelines", "What guidelines are for"),
    "agreement": Help("agreement", "what-is-compared", "What agreement compares"),
}
"""What may be missing on a page -> what says how to bring it there: `templates/parts/fill.html`, in its empty state."""

WITHOUT = {
    "docs": "it is the documentation",
    "docs-search": "it is the documentation",
    "document": "it is the documentation",
    "api:docs": "it is documentation, and leads to the page about programs by itself",
    "sign-in": "its fields say what they need",
    "sign-up": "its fields say what they need",
}
"""The name of a page's address -> why nothing explains it."""

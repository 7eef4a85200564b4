"""Limits on the contents of collections and drafts, and on page sizes.

Columns, forms, API, services and messages take their limits from here, or from `common.limits` for limits on every
request or file. `static/js/common/limits.js` repeats those that the workspace needs, under the same names.
"""

from __future__ import annotations

from common.limits import LIMITS
from qc4.model.bounds import Bound
from qc4.model.structure import MAX_LEVELS as MAX_LEVELS

# --- Ids and names, in characters ------------------------------------------------------------------------------------
NAME_CHARS = 200
"""Length of names of collections, drafts and topics."""
SLUG_CHARS = 80
MEASURE_CHARS = 40
"""A measure's key."""
LABEL_CHARS = 200
"""Length of the label of a batch of operations."""
STORED_LABEL_CHARS = 500
"""Length of a stored label, including all "Undo: " and "Redo: " prefixes."""

# --- Texts, in characters --------------------------------------------------------------------------------------------
LINE_CHARS = 200
"""Length of one-line texts, such as notes on invitations and assignments."""
URL_CHARS = 500
"""Length of a URL."""
BIBTEX_CHARS = 10_000
"""Length of the citation of a collection or an algorithm."""
LICENCE_CHARS = 200
"""Length of an SPDX name or a short free text."""
LANGUAGE_CHARS = 35
"""Length of a language tag. RFC 5646 recommends room for 35 characters."""
SEARCH_CHARS = 200
"""Length of the search text of a list."""
SEARCH_EXCERPTS = 300
"""Number of pages, found by their text alone, for which the response includes an excerpt. Few people read further."""
NOTE_CHARS = 2_000
"""Length of the note on a gold version or on an adjudication decision."""
DESCRIPTION_CHARS = 5_000
"""Length of a collection's description."""
TEXT_CHARS = 10_000
"""Length of topic descriptions, and of notes on topics and pages."""
GUIDELINES_CHARS = 50_000
COMMENT_CHARS = 5_000
TITLE_CHARS = 300
"""Number of characters of a page's title that lists show."""

# --- Streams and vectors ---------------------------------------------------------------------------------------------
STREAM_NUMBERS = Bound(
    2_000_000, "points x dimensions", "a web process reads the file", "Shorten the stream, or use fewer dimensions."
)
VECTOR_NUMBERS = Bound(
    32_000_000, "pages x dimensions", "a worker holds a few copies of 256 MB", "Reduce them to fewer dimensions."
)
"""Size of the vectors of one query."""

# --- Drafts ----------------------------------------------------------------------------------------------------------
HISTORY_ROWS = 100
MAX_HISTORY_ROWS = 500
"""Number of entries of a draft's log that one request can return."""
DRAFT_TOPICS = 5_000
"""Number of topics in a draft up to which users and suggestions may add more. An uploaded document may have more."""
DRAFT_PLACEMENTS = LIMITS.memberships
"""Number of placements in a draft (pages, counted once per topic and suggestion) up to which users may add more. A
larger draft could not be published."""
BATCH_OPERATIONS = 800
BATCH_PAGES = 30_000
"""Number of pages in one batch's changes, counted once per topic: 10,000 pages in three topics. It takes a second."""
UNSEEN_SPANS = 100
"""Number of spans of a draft's log that a batch may declare unseen by its author. Each is a condition of one query."""
SEARCHED_ENTRIES = 500
"""Number of log entries, latest first, that are searched for the author of a change that conflicts with an undo."""
SKIPPED_REASONS = 10
"""Number of reasons reported for the skipped parts of an undo."""
SUGGESTED_TOPICS = 50
"""Number of topics that a user may request as suggestions."""
INFORMATIVE_PAGES = 30
"""Number of most informative pages listed per choice. The list changes after a few pages are placed."""
PREDICTED_PAIRS = 5_000_000
"""Number of pairs of an unplaced and a placed page that are compared for predictions, which takes a second at most.
Beyond that, only the first unplaced pages get predictions, and the others follow as these are placed."""
DRAFT_THREADS = 2_000
"""Number of comment threads of one draft, including resolved ones."""
THREAD_COMMENTS = 500
"""Number of comments in one thread."""
SHOWN_THREADS = 100
"""Number of threads on the page of a user's threads, latest first."""

# --- People ----------------------------------------------------------------------------------------------------------
ASSIGNED_AT_ONCE = 10_000
"""Number of queries, or of curators, in one request."""
CURATORS_PER_QUERY = 2
"""Number of curators assigned to a query, because agreement compares two drafts."""
OVERVIEW_ROWS = 20
"""Number of queries on one page of the curation overview."""
DEPENDENT_ROWS = 30
"""Number of dependent comparisons on one team page."""
IDLE_SECONDS = 300
"""Longest pause between two steps of a person that counts as work. All of a longer pause is a break."""
TIMED_ENTRIES = 20_000
"""Number of log entries that one request reads to compute times. Later requests read the rest."""
CELLS_UNFOLDED = 4
"""Number of curators that the row of a query shows before it is expanded."""
INVITATION_DAYS = 14
MOST_INVITATION_DAYS = 365
MOST_INVITATION_USES = 1_000
SHOWN_INVITATION_CHARS = 8
"""Number of characters of a link that lists show, to distinguish links."""
SHOWN_OWNERS = 5
"""Number of owners named in messages to people who want to submit."""
REQUEST_CHARS = 1_000
"""Length of the message in a request to submit, and of the reason for declining it."""
ASK_AGAIN_DAYS = 7
"""Days after a declined request before the same person may ask again."""
OFFER_AGAIN_DAYS = 7
"""Days after a declined offer before the same collection may offer the person a role again."""
MOST_OFFERS = 100
"""Number of roles that one person may offer per day, to prevent spam."""
MOST_REQUESTS = 20
"""Number of requests that one person may make per day, to prevent spam."""

# --- What agreement and adjudication show ----------------------------------------------------------------------------
COMPARED_DRAFTS = 6
"""Number of drafts in one comparison or adjudication. If the user chooses none, the latest drafts are used."""
DECISIONS_AT_ONCE = 1_000
"""Number of disagreements that one adjudication step decides."""
MATRIX_TOPICS = 60
"""Number of rows and columns of a matrix that remain legible on a page. The downloaded file has all of them."""
_COMPARE_FILES = "Compare the files: use one in `qc4 score` as the gold standard and the other's topics as clusters."
COMPARED_TOPICS = Bound(250**2, "pairs of topics", "every two topics of two drafts are compared", _COMPARE_FILES)
COMPARED_PLACEMENTS = Bound(
    2 * 8_000, "memberships of pages in topics", "every two drafts are compared page by page", _COMPARE_FILES
)
"""Total over all pairs of drafts, counting both drafts. A page in four topics weighs sixteen times as much."""
COMPARED_PAGES_OF_PAIRS = Bound(
    40_000, "pages of the query", "all of them count once for every two drafts", _COMPARE_FILES
)
"""This allows three drafts of the largest query, or six drafts of a query with 2,666 pages."""
COMPARED_VERSION_TOPICS = 1_000
"""Number of topics in each of two gold standards up to which the site lists the changed topics, because every pair of
topics is compared."""
DIFFERING_PAGES = 300
OUTCOME_PAGES = 50
"""Number of pages of the outcome shown at a time. They are part of every response."""

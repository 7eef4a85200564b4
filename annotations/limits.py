"""How much the site takes from people, and how much it shows at once. Columns, forms, API, services and messages all
take their numbers from here; `static/js/common/limits.js` has those that the workspace needs, by the same names."""

from __future__ import annotations

from dataclasses import replace

from annotations.sandbox import Ceiling
from qc4.formats import Limits
from qc4.gold.structure import MAX_LEVELS as MAX_LEVELS
from qc4.problems.bounds import Bound

# --- Ids and names, in characters ------------------------------------------------------------------------------------
KEY_CHARS = 200
"""Ids of queries, pages, topics and streams."""
NAME_CHARS = 200
"""Names of collections, drafts and topics."""
SLUG_CHARS = 80
MEASURE_CHARS = 40
"""A measure's key."""
FILE_NAME_CHARS = 255
LABEL_CHARS = 200
"""What a batch of operations is called."""
KEPT_LABEL_CHARS = 500
"""The same with every "Undo: " and "Redo: " before it."""

# --- Texts, in characters --------------------------------------------------------------------------------------------
LINE_CHARS = 200
"""Whom an invitation is for; until when a query is due."""
ADDRESS_CHARS = 500
"""An address on the web."""
BIBTEX_CHARS = 10_000
"""How a collection or an algorithm is cited."""
LICENCE_CHARS = 200
"""An SPDX name, or a few words."""
LANGUAGE_CHARS = 35
"""A language tag, as long as RFC 5646 wants them."""
SEARCH_CHARS = 200
"""What lists are searched for."""
SEARCH_EXCERPTS = 300
"""Pages found by their texts alone whose answer shows where; with more, few people read on."""
NOTE_CHARS = 2_000
"""Why a gold version was published, or a question decided as it was."""
DESCRIPTION_CHARS = 5_000
"""Of a collection."""
TEXT_CHARS = 10_000
"""Descriptions of topics, and notes on topics and pages."""
GUIDELINES_CHARS = 50_000
COMMENT_CHARS = 5_000
TITLE_CHARS = 300
"""What lists show of a page's title."""

# --- Files and requests ----------------------------------------------------------------------------------------------
STREAM_LIMITS = Limits(
    id_chars=KEY_CHARS, json_values=3_000_000, xml_nodes=500_000, cells=5_000_000, clusterings=20_000
)
"""What the engine takes, but ids no longer than their columns, and files that are read in seconds: 30 million tiny
values of JSON in 64 MB would hold a process for a minute and a gigabyte."""
LIMITS = replace(STREAM_LIMITS, pages=10_000, topics=5_000, clusters=10_000, memberships=100_000)
"""And what one query may hold: what the site shows of it, it makes in two seconds and 200 MB, whoever asks (`python -m
bench ceiling`). The engine alone takes more."""
BODY_BYTES = 1024 * 1024
"""A form without files, or JSON of a few fields; `qc4site.body_limits` says which addresses take more."""
QUICK_AMOUNTS = {
    "file_bytes": 1024 * 1024,
    "archive_bytes": 2 * 1024 * 1024,
    "archive_entries": 500,
    "json_values": 50_000,
    "xml_nodes": 30_000,
    "cells": 100_000,
    "clusterings": 1_000,
}
QUICK = replace(LIMITS, **QUICK_AMOUNTS)
"""What is read while a web process waits for it: nothing within it takes two seconds or 200 MB, whatever it holds. Most
files are far smaller. Others are read in a process of their own."""
CEILING = Ceiling(seconds=60, bytes=2 * 1024**3, answer_bytes=512 * 1024**2)
"""What reading a file apart may cost."""
READ_AT_ONCE = 2
"""Files read apart by one web process or worker. The sender of another one is told to come back."""
LIGHT_BYTES = 64 * 1024
"""Files up to this size (in bytes) are read too quickly to need a place for slow work, unless they are archives."""
REQUEST_BYTES = 4 * 1024 * 1024
"""JSON that is no file: a batch that puts 10,000 pages with long ids into topics."""
REQUEST_LIMITS = replace(LIMITS, json_values=200_000)
DOCUMENT_LIMITS = replace(LIMITS, json_values=1_000_000)
"""JSON that carries a document to begin a draft from: as many values take a process a second."""
REQUEST_FIELDS = 100
"""Of a JSON object that is no file; no request has so many."""
UNKNOWN_NAMES = 10
"""Options nobody knows that an answer names."""
UNKNOWN_CHARS = 60
"""Of such a name, with which it is held against those that are known."""
FORM_BYTES = 64 * 1024
"""What a form may weigh beside its file."""
STREAM_NUMBERS = Bound(
    2_000_000, "points x dimensions", "a web process reads the file", "Cut the stream, or use fewer dimensions."
)
VECTOR_NUMBERS = Bound(
    32_000_000, "pages x dimensions", "a worker holds a few copies of 256 MB", "Reduce them to fewer dimensions."
)
"""Of one query."""
LARGEST_RANK = 2**31 - 1
LARGEST_ID = 2**63 - 1
LARGEST_VERSION = LARGEST_REVISION = LARGEST_COUNT = 2**31 - 1
"""As the columns of version numbers, of revisions of drafts, and of what comments are counted by."""

# --- Lists in the API -------------------------------------------------------------------------------------------------
PAGE_ROWS = 100
MOST_PAGE_ROWS = 1_000
"""Where so many are asked for."""
HISTORY_ROWS = 100
MOST_HISTORY_ROWS = 500
"""Entries of a draft's log, where so many are asked for."""

# --- Drafts ----------------------------------------------------------------------------------------------------------
DRAFT_TOPICS = 5_000
"""Topics people and suggestions may add up to; documents may bring more."""
DRAFT_PLACEMENTS = LIMITS.memberships
"""Pages in the topics of a draft, counted once per topic and suggestion, beyond which nothing is added by hand: more
could not be published."""
BATCH_OPERATIONS = 800
BATCH_PAGES = 30_000
"""Pages in the changes of one batch, counted once per topic: 10,000 pages into three topics. It takes a second."""
UNSEEN_SPANS = 100
"""Of a draft's log, that a batch says its maker had not seen; each is a condition of one query."""
SEARCHED_ENTRIES = 500
"""Of a draft's log, the latest first, in which is looked for who has changed what an undo found different."""
SKIPPED_REASONS = 10
"""Why parts of an undo were not done, at most so many told."""
SUGGESTED_TOPICS = 50
"""Topics people may ask to be suggested."""
TEACHING_PAGES = 30
"""Pages told that teach most, for each choice; after a few are placed others do."""
PREDICTED_PAIRS = 5_000_000
"""Waiting pages x placed ones that are compared for predictions, a second at most. Where there are more, the first of
those that wait are predicted; others follow as these are placed."""
DRAFT_THREADS = 2_000
"""Threads of comments of one draft, resolved ones among them."""
THREAD_COMMENTS = 500
"""Comments of one thread."""
SHOWN_THREADS = 100
"""Threads on the page of those that concern one, the latest."""

# --- People ----------------------------------------------------------------------------------------------------------
ASSIGNED_AT_ONCE = 10_000
"""Queries, or curators, in one request."""
CURATORS_PER_QUERY = 2
"""Agreement compares two drafts."""
OVERVIEW_ROWS = 20
"""Queries on a page of the overview of curation."""
DEPENDENT_ROWS = 30
"""Dependent comparisons on a page of the team's."""
IDLE_SECONDS = 300
"""Between two steps of one person in a draft; a longer pause is a break, and no time of it counts as work."""
TIMED_ENTRIES = 20_000
"""Entries of logs that are read for times while somebody waits; the rest follows when they look again."""
CELLS_UNFOLDED = 4
"""Curators of a query that its row shows at once."""
INVITATION_DAYS = 14
MOST_INVITATION_DAYS = 365
MOST_INVITATION_USES = 1_000
SHOWN_INVITATION_CHARS = 8
"""How much of a link lists show, to tell links apart."""
SHOWN_OWNERS = 5
"""Owners named to who would like to submit."""
REQUEST_CHARS = 1_000
"""What somebody who asks to submit says, and why it was declined."""
ASK_AGAIN_DAYS = 7
"""How long after a request was declined the same person may ask again."""
OFFER_AGAIN_DAYS = 7
"""How long after somebody declined a role the same collection may offer them one again."""
MOST_OFFERS = 100
"""Roles that one person may offer within a day, so that nobody troubles countless people."""
MOST_REQUESTS = 20
"""One person's requests within a day, so that nobody fills the inboxes of many."""

# --- What agreement and adjudication show ----------------------------------------------------------------------------
COMPARED_DRAFTS = 6
"""Drafts compared with one another, and by one adjudication; the latest, where none are chosen."""
ANSWERS_AT_ONCE = 1_000
"""Questions one act of adjudication answers."""
MATRIX_TOPICS = 60
"""Rows and columns of a matrix: what is still legible. The file holds all of it."""
_COMPARE_FILES = "Compare the files: `qc4 score` takes one as the gold standard, the other's topics as clusters."
COMPARED_TOPICS = Bound(250**2, "pairs of topics", "every two topics of two drafts are compared", _COMPARE_FILES)
COMPARED_PLACEMENTS = Bound(
    2 * 8_000, "memberships of pages in topics", "every two drafts are compared page by page", _COMPARE_FILES
)
"""Those of both drafts, for every two drafts. Where pages lie in several topics each weighs more: a page in four counts
sixteen times."""
COMPARED_PAGES_OF_PAIRS = Bound(
    40_000, "pages of the query", "all of them count once for every two drafts", _COMPARE_FILES
)
"""Three drafts of the largest query are compared, and six of one with 2,666 pages."""
TOLD_TOPICS = 1_000
"""Of either of two gold standards of a query, up to which the site tells what changed, topic by topic: every two are
held against each other."""
DIFFERING_PAGES = 300
OUTCOME_PAGES = 50
"""Pages of the outcome shown at a time: they come with every answer."""

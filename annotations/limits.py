"""How much collections and drafts hold, and how much the site shows at once. Columns, forms, API, services and messages
all take their numbers from here, and from `common.limits` where a limit holds for every request or file.
`static/js/common/limits.js` has those that the workspace needs, by the same names."""

from __future__ import annotations

from common.limits import LIMITS
from qc4.model.bounds import Bound
from qc4.model.structure import MAX_LEVELS as MAX_LEVELS

# --- Ids and names, in characters ------------------------------------------------------------------------------------
NAME_CHARS = 200
"""Names of collections, drafts and topics."""
SLUG_CHARS = 80
MEASURE_CHARS = 40
"""A measure's key."""
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

# --- Streams and vectors ---------------------------------------------------------------------------------------------
STREAM_NUMBERS = Bound(
    2_000_000, "points x dimensions", "a web process reads the file", "Cut the stream, or use fewer dimensions."
)
VECTOR_NUMBERS = Bound(
    32_000_000, "pages x dimensions", "a worker holds a few copies of 256 MB", "Reduce them to fewer dimensions."
)
"""Of one query."""

# --- Drafts ----------------------------------------------------------------------------------------------------------
HISTORY_ROWS = 100
MOST_HISTORY_ROWS = 500
"""Entries of a draft's log, where so many are asked for."""
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

"""How much evaluations take from people, and how much they keep and show; the rest stands in `annotations.limits`."""

from __future__ import annotations

from qc4.model.bounds import Bound

# --- Submissions and imports -----------------------------------------------------------------------------------------
ALGORITHM_CHARS = 120
"""The name on the leaderboard."""
NOISE_CHARS = 1_000
"""The labels that mean "in no cluster", as a person types them."""
REPEAT_CHARS = 40
"""What tells a submission from other repeats of its algorithm."""
AUTHORS_CHARS = 500
"""Who made an algorithm."""
BEST_OF = 50
"""Where the best submission of an algorithm counts, it is the best of so many: the latest ones."""
DELETED_AT_ONCE = 5_000
"""Submissions deleted in one transaction."""
PARAMETER_BYTES = 64 * 1024
"""What a submission's parameters may weigh: lists of submissions carry them."""
SEPARATOR_CHARS = 20
"""What splits the names of topics into levels."""
FILES_AT_ONCE = 200
"""In one form; a ZIP holds more."""
KEPT_PROBLEMS = 200
"""Problems kept with a refused file or a failed run; the sentence says how many there are."""

STEP_CHARS = 200
"""What a run says that it does."""
UPLOAD_DAYS = 7
"""Files whose runs failed or were cancelled are kept so long, for a run to be repeated."""

# --- Numbers that are asked for --------------------------------------------------------------------------------------
LARGEST_SEED = 2**32 - 1
"""What numpy's generators take."""
SWEEP_CLUSTERS = 400
SWEEP_SUBMISSIONS = 500
"""A sweep makes at most this many."""
SWEEP_CHARS = SWEEP_SUBMISSIONS * len(f"{SWEEP_CLUSTERS}, ")
"""Its numbers of clusters as they are typed."""
TEXT_COMPONENTS = 1_000
"""Dimensions of vectors that are made from page text."""
AGGLOMERATIVE_PAGES = Bound(
    10_000,
    "pages with words",
    "agglomerative clustering compares every page with every other",
    "Use K-means or Suffix Tree Clustering.",
)
"""All pairwise distances are held at once: 8 bytes x pages^2 / 2, 400 MB at this size."""

# --- The first page --------------------------------------------------------------------------------------------------
PICTURED_ALGORITHMS = 8
"""Lines of its picture: it fits on one screen."""

# --- Boards ----------------------------------------------------------------------------------------------------------
MEAN_INTERVALS = 2_000
"""The page of a submission computes intervals of means for up to this many scores in all, and always for one mean."""
BOARD_TIPS = 5_000
"""Up to so many scores the strips say each when pointed at."""

# --- Policies and repeats --------------------------------------------------------------------------------------------
POLICY_SETS = 4
"""So many sets of policies beside the default a new submission or gold version is scored under by itself."""

BASELINES_AT_ONCE = 50
"""Baselines in one run, the same one with other parameters counted anew."""
DRAWS = 10
"""Of the random baseline, unless somebody asks for more or fewer."""
MOST_DRAWS = 100
ORDER_CHARS = 200
"""A baseline with its parameters as it is written."""

# --- Streams ---------------------------------------------------------------------------------------------------------
LAST_POINTS = 10_000_000
"""Points of a horizon."""
NEIGHBOURS = 1_000
"""CMM's k."""
STREAM_ROWS = 100
"""Submissions in the table of a stream, the best first; the next ones are a click away."""
DRAWN_SUBMISSIONS = 12
"""Submissions drawn over each other at once."""
DRAWN_MOMENTS = 400
"""Of longer series the page draws and lists only every so manyth moment; the files have all."""

# --- Why this score --------------------------------------------------------------------------------------------------
ALONE_COMPUTED = 50_000_000
"""QC4 without each cluster alone: clusters times what it looks at (pages in clusters, topics), as much as a worker
computes in a minute or so."""
CHANCE_DRAWS = 1_000
"""Shuffles of the pages that somebody may ask for."""
CHANCE_SHUFFLED = 20_000_000
"""Pages in clusters times shuffles, as much as a worker computes in some minutes; a page in two clusters counts
twice."""
CHANCE_MEASURES = 12
"""Measures that are computed for each shuffle."""
MATRIX_CELLS = 100_000
"""Pairs of a topic and a cluster with pages in common, all of which the API sends."""
DRAWN_CELLS = 5_000
"""Of the matrix of topics and clusters, in which there is something: up to so many it is drawn."""
DRAWN_LINES = 1_000
"""Topics and clusters of such a matrix together."""
LISTED_CELLS = 300
"""Topics and clusters with pages in common, listed beside the matrix."""
LISTED_CLUSTERS = 50
LISTED_ROWS = 100
"""Rows of the other lists; the next ones are a click away."""
TOLD_CLUSTERS = 20
"""Clusters that are told about one by one; likewise."""
LISTED_FOREIGN = 10
LISTED_SHARES = 12
"""Of each of these: its first pages of other topics, and its largest topics."""

# --- A query ----------------------------------------------------------------------------------------------------------
QUERY_PAGES = 100
"""Search results on a page of the query; the next ones are a click away."""
QUERY_SCORES = 30
"""Algorithms in its table of scores, the best first; likewise."""
SUBMISSION_QUERIES = 75
"""Queries in the tables of a submission; likewise."""
QUERY_TOPICS = 500
"""Topics beside them; the file has all."""

# --- Challenges ------------------------------------------------------------------------------------------------------
MOST_PER_PERSON = 100_000
"""Submissions of a person a day or in all that a challenge may allow."""

# --- Comparisons -----------------------------------------------------------------------------------------------------
COMPARED_ALGORITHMS = 20
"""Compared pair by pair; of more the best are."""
COMPARED_UNASKED = 8
"""The best of a board, where nobody says which."""

COMPARISON_DRAWS = 20_000
"""Of a comparison that somebody asks the site for: memory and time grow with them. The command line takes more."""

# --- Comparing --------------------------------------------------------------------------------------------------------
MEASURES_AT_ONCE = 20
"""Measures held against each other: every two of them."""
MEASURED_ALGORITHMS = 60
"""By them: every two algorithms are tested under every measure, ten seconds or more at this size."""
LISTED_CONTRADICTIONS = 40
"""On a page; the files have all."""
FOLLOWERS = 12
"""Algorithms whose distance to the leader is looked at under every table at once; any other pair can be chosen."""
DRAFTS_AS_GOLD = 400
"""Curators' drafts that clusterings are scored against at once, by curator and query."""
TOPIC_ALGORITHMS = 20
"""Algorithms whose topics are looked at at once."""

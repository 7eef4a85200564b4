"""Limits of evaluations: on input, storage and page sizes. `annotations.limits` has the others."""

from __future__ import annotations

from qc4.model.bounds import Bound

# --- Submissions and imports -----------------------------------------------------------------------------------------
ALGORITHM_CHARS = 120
"""Length of a name on the leaderboard."""
NOISE_CHARS = 1_000
"""Length of the list of labels that mean "in no cluster", as typed."""
REPEAT_CHARS = 40
"""Length of the name that distinguishes repeats of an algorithm."""
AUTHORS_CHARS = 500
"""Length of the list of an algorithm's authors."""
BEST_OF = 50
"""If the best submission of an algorithm is effective, it is chosen from this many of the latest."""
DELETED_AT_ONCE = 5_000
"""Submissions deleted in one transaction."""
PARAMETER_BYTES = 64 * 1024
"""Size of a submission's parameters, which lists of submissions contain."""
SEPARATOR_CHARS = 20
"""Length of the separator between the levels in topic names."""
FILES_AT_ONCE = 200
"""Files in one form; a ZIP can contain more."""
STORED_PROBLEMS = 200
"""Problems stored with a rejected file or a failed run; the message gives their total number."""

STEP_CHARS = 200
"""Length of the description of a run's current step."""
UPLOAD_DAYS = 7
"""Days for which the file of a failed or cancelled run is kept, so that the run can be repeated."""

# --- Numbers that people choose --------------------------------------------------------------------------------------
LARGEST_SEED = 2**32 - 1
"""The largest seed of NumPy's legacy generators."""
SWEEP_CLUSTERS = 400
SWEEP_SUBMISSIONS = 500
"""Submissions that one sweep makes."""
SWEEP_CHARS = SWEEP_SUBMISSIONS * len(f"{SWEEP_CLUSTERS}, ")
"""Length of a sweep's list of numbers of clusters, as typed."""
TEXT_COMPONENTS = 1_000
"""Dimensions of vectors that are computed from page text."""
AGGLOMERATIVE_PAGES = Bound(
    10_000,
    "pages with words",
    "agglomerative clustering compares every page with every other",
    "Use K-means or Suffix Tree Clustering.",
)
"""All pairwise distances are in memory at once: 8 bytes x pages^2 / 2, 400 MB at this size."""

# --- Home page -------------------------------------------------------------------------------------------------------
HOME_CHART_ALGORITHMS = 8
"""Rows of the chart, so that it fits on one screen."""

# --- Leaderboards ----------------------------------------------------------------------------------------------------
MEAN_INTERVALS = 2_000
"""A submission's page shows intervals of means for up to this many scores in total, and always for a single mean."""
MAX_TOOLTIP_SCORES = 5_000
"""With up to this many scores, strip plots show the value of the point under the mouse pointer."""

# --- Scoring options and repeats -------------------------------------------------------------------------------------
POLICY_SETS = 4
"""Sets of scoring options, beside the default, with which new submissions and gold versions are always scored."""

BASELINES_AT_ONCE = 50
"""Baselines in one run; the same baseline with other parameters counts separately."""
DRAWS = 10
"""Default number of draws of the random baseline."""
MAX_DRAWS = 100
BASELINE_SPEC_CHARS = 200
"""Length of a baseline with its parameters, as written."""

# --- Streams ---------------------------------------------------------------------------------------------------------
MAX_HORIZON_POINTS = 10_000_000
"""Points of a horizon."""
NEIGHBOURS = 1_000
"""The largest k of CMM."""
STREAM_ROWS = 100
"""Rows on one page of a stream's table, best first."""
CHART_SUBMISSIONS = 12
"""Submissions in one chart."""
CHART_TIME_STEPS = 400
"""Longer series are thinned to this many time steps on the page; the files contain all of them."""

# --- Explanations of scores ------------------------------------------------------------------------------------------
ALONE_COMPUTED = 50_000_000
"""Limit on computing QC4 for each cluster alone: clusters times the pages in clusters and topics it examines.

A worker computes this much in about a minute.
"""
CHANCE_DRAWS = 1_000
"""Shuffles of the pages that a person may choose."""
CHANCE_SHUFFLED = 20_000_000
"""Limit on pages in clusters times shuffles, which a worker computes in some minutes; a page in two clusters counts
twice."""
CHANCE_MEASURES = 12
"""Measures that are computed for each shuffle."""
MATRIX_CELLS = 100_000
"""Pairs of a topic and a cluster with pages in common that the API returns."""
DRAWN_CELLS = 5_000
"""Non-empty cells up to which the matrix of topics and clusters is drawn."""
DRAWN_LINES = 1_000
"""Topics plus clusters up to which the matrix is drawn."""
LISTED_CELLS = 300
"""Topic-cluster pairs with pages in common that are listed beside the matrix."""
LISTED_CLUSTERS = 50
LISTED_ROWS = 100
"""Rows on one page of the other lists."""
EXPLAINED_CLUSTERS = 20
"""Clusters on one page of the explanation of each cluster."""
LISTED_FOREIGN = 10
LISTED_SHARES = 12
"""For each of these clusters: its first pages of other topics, and its largest topics."""

# --- A query ----------------------------------------------------------------------------------------------------------
QUERY_PAGES = 100
"""Search results on one page of a query."""
QUERY_SCORES = 30
"""Algorithms on one page of a query's table of scores, best first."""
SUBMISSION_QUERIES = 75
"""Queries on one page of a submission's tables."""
QUERY_TOPICS = 500
"""Topics shown beside the results; the file contains all of them."""

# --- Challenges ------------------------------------------------------------------------------------------------------
MAX_PER_PERSON = 100_000
"""The largest limit on one person's submissions, a day or in all, that a challenge can set."""

# --- Comparisons -----------------------------------------------------------------------------------------------------
COMPARED_ALGORITHMS = 20
"""Algorithms that are compared pair by pair; if there are more, the best are chosen."""
COMPARED_BY_DEFAULT = 8
"""Algorithms that are compared by default: the best of the leaderboard."""

COMPARISON_DRAWS = 20_000
"""Resamples in a comparison on the site: memory and time grow with them. The command line allows more."""

# --- Measure agreement, robustness and topics ------------------------------------------------------------------------
MEASURES_AT_ONCE = 20
"""Measures that are compared with each other, every pair of them."""
MEASURED_ALGORITHMS = 60
"""Algorithms in a comparison of measures: every pair is tested with every measure, ten seconds or more at this size."""
LISTED_CONTRADICTIONS = 40
"""Contradictions between measures on a page; the files contain all of them."""
FOLLOWERS = 12
"""Algorithms whose distance to the leader is shown for every table at once; any other pair can be chosen."""
DRAFTS_AS_GOLD = 400
"""Curators' drafts against which clusterings are scored at once, counted by curator and query."""
TOPIC_ALGORITHMS = 20
"""Algorithms whose topics are compared at once."""

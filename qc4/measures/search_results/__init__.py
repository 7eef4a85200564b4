"""Measures of search results: what a person reads until the subtopics are found. Importing the package declares all."""

import qc4.measures.search_results.diversity
import qc4.measures.search_results.intents
import qc4.measures.search_results.reach_time
import qc4.measures.search_results.reading
import qc4.measures.search_results.shape  # noqa: F401  # registers its measures

"""Measures of search results: what a person reads until the subtopics are found. Importing the package declares all."""

import measures.search_results.diversity
import measures.search_results.reading
import measures.search_results.shape  # noqa: F401  # registers its measures

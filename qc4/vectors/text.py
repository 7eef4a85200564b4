"""Vectors made from the text of pages: TF-IDF reduced by a truncated singular value decomposition."""

from __future__ import annotations

from typing import Any

from qc4.gold.document import GoldDocument, Page
from qc4.gold.standard import GoldStandard
from qc4.problems import InputError, Problem
from qc4.problems.packages import require
from qc4.vectors.vectors import Vectors

COMPONENTS = 100
FIELDS = ("title", "snippet", "text")
ITERATIONS = 5


def text_vectors(document: GoldDocument | GoldStandard, components: int = COMPONENTS, seed: int = 0) -> Vectors:
    """One vector per page from its title, snippet and text.

    Words are weighted by (1 + ln tf) times idf, rows scaled to length 1, then reduced to at most ``components``
    dimensions (fewer where there are fewer pages or words). A page without words is the zero vector. Parameters, seed
    and the version of scikit-learn are recorded in ``origin``; the same ones give the same vectors.

    Raises:
        InputError: no page has a word; fewer than 1 component asked for; scikit-learn is not installed.

    >>> pages = (Page("p1", title="big cats"), Page("p2", title="fast cars"), Page("p3", title="cats in cars"))
    >>> text_vectors(GoldDocument("jaguar", "jaguar", pages)).points.shape
    (3, 3)
    """
    if components < 1:
        raise InputError([Problem("bad-components", "components", str(components), "a whole number from 1")])
    require("scikit-learn", "vectors from text")
    # Imported here because scikit-learn takes a second to load, and only text needs it.
    import sklearn
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    given = document.document if isinstance(document, GoldStandard) else document
    texts = [_text(page) for page in given.pages] if given else []
    vectoriser = TfidfVectorizer(sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")  # noqa: S106  # words, not a secret
    try:
        weights = vectoriser.fit_transform(texts)
    except ValueError:  # scikit-learn's answer to an empty vocabulary
        found, expected = "no word in any page", f"text in one of the fields {', '.join(FIELDS)}"
        raise InputError([Problem("no-text", "pages", found, expected)]) from None
    origin: dict[str, Any] = {
        "made_by": "TF-IDF and truncated SVD",
        "fields": list(FIELDS),
        "sublinear_tf": True,
        "words": int(weights.shape[1]),
        "components": min(components, *weights.shape),
        "iterations": ITERATIONS,
        "seed": seed,
        "scikit-learn": sklearn.__version__,
    }
    if weights.shape[1] < 2:  # nothing to reduce, and scikit-learn refuses to
        return Vectors.of(weights.toarray(), origin)
    reducer = TruncatedSVD(origin["components"], n_iter=ITERATIONS, random_state=seed)
    return Vectors.of(reducer.fit_transform(weights), origin)


def _text(page: Page) -> str:
    return "\n".join(text for name in FIELDS if (text := getattr(page, name)))

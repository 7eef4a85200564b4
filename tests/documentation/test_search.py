"""The search finds what people ask for, and shows the best match first."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from documentation import library
from documentation.search import SEARCH_CHARS, SEARCH_RESULTS, search
from documentation.synonyms import join_phrases, synonyms

FIRST = {
    "what is QC4-F": "/docs/glossary/#qc4-f",
    "v-measure": "/measures/v_measure/",
    "adjusted rand index": "/measures/ari/",
    "silhouette": "/measures/silhouette/",
    "p-value": "/docs/glossary/#p-value",
    "significance": "/docs/glossary/#significant-difference",
    "what is a run": "/docs/glossary/#run",
    "outlier": "/docs/glossary/#outlier",
    "reference clustering": "/docs/glossary/#reference-clustering",
    "which submission counts": "/docs/algorithms/#which-submission-counts",
    "delete my submission": "/docs/algorithms/#deleting-submissions",
    "rename algorithm": "/docs/algorithms/#renaming-merging-deleting",
    "merge two algorithms": "/docs/algorithms/#renaming-merging-deleting",
    "export LaTeX": "/docs/papers/#tables-for-papers",
    "cite": "/docs/papers/#what-to-report",
    "completion": "/docs/formats/#completion",
    "carrot2": "/docs/formats/#other-formats-of-submissions",
    "html entities": "/docs/formats/#collections",
    "noise labels": "/docs/formats/#labels-and-noise",
    "unicode": "/docs/formats/#texts-that-look-the-same",
    "forgot password": "/docs/account/#password",
    "two-factor authentication": "/docs/account/#second-factor",
    "delete account": "/docs/account/#deleting-it",
    "gdpr": "/docs/account/#taking-it-along",
    "api token": "/docs/scripts/#make-a-token",
    "curl": "/docs/scripts/#with-curl",
    "rate limits": "/docs/api/#rate-limits",
    "invite people": "/docs/collections/#people",
    "keyboard shortcuts": "/docs/keys/",
    "heatmap": "/docs/charts/#heat-map",
    "leaderbord": "/docs/leaderboard/",
    "suffix tree clustering": "/docs/baselines/#suffix-tree-clustering",
    "hidden gold standard": "/docs/challenges/#what-is-hidden",
    "dependent draft": "/docs/agreement/#independent-or-not",
    "adjudicate drafts": "/docs/adjudicate/",
    "comments": "/docs/annotate/#comments",
    "who may submit": "/docs/submit/#who-may-submit",
    "scikit-learn": "/docs/library/#scikit-learn",
    "environment variables": "/docs/settings/",
    "smtp": "/docs/settings/#e-mail",
    "stream clustering": "/docs/cmm/",
    "table 1": "/docs/behaviour-study/#table-1",
}
"""Query -> the first result."""

AMONG_THREE = {
    "qc4_f": "/measures/qc4_f/",
    "all scores of a submission as csv": "/docs/algorithms/#all-scores-of-a-submission",
    "csv columns submission": "/docs/formats/#other-formats-of-submissions",
    "NMI": "/measures/nmi_arithmetic/",
    "bcubed": "/measures/bcubed_f/",
    "kappa": "/docs/agreement/#what-is-compared",
    "inter-annotator agreement": "/docs/agreement/",
    "ground truth": "/docs/glossary/#gold-standard",
    "quota": "/docs/account/#what-you-store",
    "several seeds": "/docs/glossary/#repeat",
    "challenge deadline": "/docs/challenges/#when-and-how-often",
    "file too large": "/docs/limits/",
    "compare two algorithms": "/docs/compare-page/#the-page-compare",
    "baseline kmeans": "/docs/baselines/",
    "number of clusters": "/docs/model-selection/",
    "pac-mdl": "/docs/pac-mdl/",
    "publish a gold standard": "/docs/curation/#rules-and-publishing",
    "import ambient": "/docs/formats/#collections",
    "dendrogram": "/docs/library/#dendrograms-and-trees",
    "error code unknown-page": "/docs/codes/#in-files",
    "undo": "/docs/annotate/",
}
"""Query -> one of the first three results."""


def urls(query: str) -> list[str]:
    return [result.entry.url for result in search(query).shown]


@pytest.mark.parametrize("query", FIRST)
def test_the_best_match_is_first(query: str) -> None:
    assert urls(query)[0] == FIRST[query]


@pytest.mark.parametrize("query", AMONG_THREE)
def test_a_good_match_is_among_the_first_three(query: str) -> None:
    assert AMONG_THREE[query] in urls(query)[:3]


def test_stems_and_beginnings_of_words_are_found() -> None:
    assert urls("deletes submission")[0] == urls("deleting submissions")[0]
    assert "/docs/account/#ending-everything" in urls("tok revok")


@pytest.mark.parametrize(
    ("misspelt", "meant"), [("submision", "submission"), ("agreemnt", "agreement"), ("silhuette", "silhouette")]
)
def test_misspelt_words_are_found(misspelt: str, meant: str) -> None:
    assert urls(misspelt)[0] == urls(meant)[0]


def test_a_word_that_is_nowhere_does_not_hide_the_others() -> None:
    assert urls("completion zzzzzzzz")[0] == FIRST["completion"]
    assert search("zzzzzzzz").shown == ()


def test_every_measure_and_every_term_is_found_by_its_name() -> None:
    glossary = library.find("glossary")
    assert glossary is not None
    terms = {section.title: f"/docs/glossary/#{section.anchor}" for section in glossary.page.sections[1:]}
    assert {term for term, url in terms.items() if url not in urls(term)[:5]} == set()


def test_it_says_how_many_more_there_are() -> None:
    found = search("the")
    assert len(found.shown) == SEARCH_RESULTS
    assert found.n_more == found.n_found - SEARCH_RESULTS > 0


@pytest.mark.parametrize(
    "query", ["", " ", "?", "<b>", "(", "\\", "\x00", "a" * 10_000, "[" * 500, "ß İ ﬁ", '"AND" OR NOT', "a* ^b NEAR(c)"]
)
def test_anything_can_be_searched(client: Client, db: None, query: str) -> None:
    answer = client.get(reverse("docs-search"), {"q": query})
    assert answer.status_code == 200
    assert len(search(query).query) <= SEARCH_CHARS


def test_found_words_are_marked_and_everything_is_escaped(client: Client, db: None) -> None:
    html = client.get(reverse("docs-search"), {"q": 'completion "><script>'}).content.decode()
    assert "><script>" not in html.replace('type="module"></script>', "")
    html = client.get(reverse("docs-search"), {"q": "Completion"}).content.decode()
    assert "<mark>Completion</mark>" in html


def test_synonyms_of_several_words_are_joined() -> None:
    assert join_phrases(["the", "ground", "truth"]) == ["the", "ground truth"]
    assert "gold standard" in synonyms("ground truth")
    assert synonyms("unheard-of") == ("unheard-of",)

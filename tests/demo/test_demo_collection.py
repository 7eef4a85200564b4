"""The collection shipped with the project: its gold standards and submissions are valid."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urlsplit

import pytest

from evaluation.baselines import BASELINES, run
from qc4.io import check_submission, page_lists, read_collection, read_submission, write_gold
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.rules import check, prepare
from tests.paths import DEMO

QUERIES = (
    *("crane", "delta", "eclipse", "jaguar", "java", "mercury", "mustang", "orion", "phoenix", "python", "saturn"),
    "seal",
)
DEEP = ("eclipse", "java", "mercury")
SUBMISSIONS = {
    "branchwise.json": "Branchwise",
    "broadbrush.csv": "Broadbrush",
    "hasty-hash.jsonl": "Hasty Hash",
    "lantern.tsv": "Lantern",
    "pebble.jsonl": "Pebble",
    "phrase-loom.jsonl": "Phrase Loom",
}
RESERVED = re.compile(r"(^|\.)(example|example\.(com|net|org))$")
DOCUMENTS = read_collection(DEMO / "collection").documents
PAGES = [page for document in DOCUMENTS for page in document.pages]


def submission(name: str):
    return read_submission(DEMO / "submissions" / name, pages=page_lists(DOCUMENTS), algorithm=SUBMISSIONS[name])


def memberships(document: GoldDocument) -> Counter[str]:
    return Counter(page for topic in document.topics for page in topic.pages)


def test_queries_match_the_readme() -> None:
    assert sorted(document.query_id for document in DOCUMENTS) == list(QUERIES)


def test_queries_differ_in_granularity_and_outliers() -> None:
    golds = [prepare(document) for document in DOCUMENTS]
    topics = [len(document.topics) for document in DOCUMENTS]
    senses = [sum(topic.parent is None for topic in document.topics) for document in DOCUMENTS]
    outliers = [len(document.outliers) / len(document.pages) for document in DOCUMENTS]

    assert {gold.hierarchy.n_levels for gold in golds} == {2, 3}
    assert max(topics) >= 2 * min(topics)
    assert max(senses) >= 2 * min(senses)
    assert max(outliers) >= 2 * min(outliers)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.query_id)
class TestGold:
    def test_gold_standard_has_no_errors_or_warnings(self, document: GoldDocument) -> None:
        assert check(document) == []

    def test_it_has_forty_pages_levels_overlap_and_outliers(self, document: GoldDocument) -> None:
        assert len(document.pages) >= 40
        assert prepare(document).hierarchy.n_levels == (3 if document.query_id in DEEP else 2)
        assert sum(count > 1 for count in memberships(document).values()) >= 4
        assert len(document.outliers) >= 4

    def test_counts_match_the_readme(self, document: GoldDocument) -> None:
        levels = prepare(document).hierarchy.n_levels
        shared = sum(count > 1 for count in memberships(document).values())
        numbers = (len(document.pages), len(document.topics), levels, shared, len(document.outliers))
        row = " | ".join(map(str, (document.query_id, *numbers)))

        assert f"| {row} |" in (DEMO / "README.md").read_text(encoding="utf-8")

    def test_the_file_is_canonical(self, document: GoldDocument) -> None:
        path = DEMO / "collection" / f"{document.query_id}.gold.json"

        assert path.read_bytes() == write_gold(document)

    def test_ranks_count_from_one(self, document: GoldDocument) -> None:
        assert [page.rank for page in document.pages] == list(range(1, len(document.pages) + 1))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_every_page_has_plausible_text_and_a_reserved_domain(page: Page) -> None:
    host = urlsplit(page.url or "").hostname or ""

    assert RESERVED.search(host)
    assert 10 <= len(page.title or "") <= 80
    assert 60 <= len(page.snippet or "") <= 220
    assert 2 <= len(re.findall(r"[.?!](?=\s|$)", page.text or "")) <= 6


@pytest.mark.parametrize("field", ["url", "title", "snippet", "text"])
def test_no_text_is_used_twice(field: str) -> None:
    values = Counter(getattr(page, field) for page in PAGES)

    assert [value for value, count in values.items() if count > 1] == []


def test_no_sentence_is_used_twice() -> None:
    sentences = Counter(
        sentence for page in PAGES for sentence in re.split(r"(?<=[.?!])\s+", f"{page.snippet} {page.text}")
    )

    assert [sentence for sentence, count in sentences.items() if count > 1] == []


def test_every_submission_is_listed() -> None:
    assert {path.name for path in (DEMO / "submissions").iterdir()} == set(SUBMISSIONS)


@pytest.mark.parametrize("name", SUBMISSIONS)
class TestSubmissions:
    def test_submission_fits_the_collection_and_covers_every_query(self, name: str) -> None:
        found = submission(name)

        assert check_submission(found, page_lists(DOCUMENTS)) == []
        assert found.algorithm == SUBMISSIONS[name]
        assert sorted(clustering.query for clustering in found.clusterings) == list(QUERIES)

    def test_submission_matches_the_readme(self, name: str) -> None:
        assert f"`submissions/{name}`" in (DEMO / "README.md").read_text(encoding="utf-8")


def test_clusters_are_labelled_if_the_format_allows_it() -> None:
    for name in SUBMISSIONS.keys() - {"lantern.tsv"}:
        assert all(cluster.label for clustering in submission(name).clusterings for cluster in clustering.clusters)


def test_submissions_differ_in_character() -> None:
    def covered(name: str) -> float:
        return sum(len({p for c in g.clusters for p in c.pages}) for g in submission(name).clusterings) / len(PAGES)

    def overlaps(name: str) -> bool:
        return all(
            max(Counter(page for cluster in clustering.clusters for page in cluster.pages).values()) > 1
            for clustering in submission(name).clusterings
        )

    def clusters(name: str) -> int:
        return sum(len(clustering.clusters) for clustering in submission(name).clusterings)

    assert covered("broadbrush.csv") == 1
    assert covered("lantern.tsv") < 0.7
    assert overlaps("phrase-loom.jsonl")
    assert not any(map(overlaps, ["pebble.jsonl", "broadbrush.csv", "lantern.tsv", "hasty-hash.jsonl"]))
    assert clusters("pebble.jsonl") > 3 * clusters("broadbrush.csv")
    assert all(
        any(cluster.parent for cluster in clustering.clusters)
        for clustering in submission("branchwise.json").clusterings
    )


@pytest.mark.parametrize("key", BASELINES)
def test_every_baseline_runs_on_it(key: str) -> None:
    for document in DOCUMENTS:
        assert run(key, document, prepare(document)).clusters

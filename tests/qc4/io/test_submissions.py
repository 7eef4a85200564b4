"""Submissions in every format, and problems found by comparing them with the page lists."""

from __future__ import annotations

import json

import pytest

from qc4.io import Limits, check_submission, read_submission, read_submissions
from qc4.problems import InputError, ProblemList
from tests.qc4.io.format_examples import clustering, codes_of, gold, problems_of, zipped

PAGES = {"jaguar": ("1", "2", "3", "4", "5", "6"), "puma": ("p1", "p2", "p3")}


def lines_of(*answers: dict) -> bytes:
    return b"".join(json.dumps(answer).encode() + b"\n" for answer in answers)


def members(data, **options) -> dict[str, list[tuple[str, ...]]]:
    submission = read_submission(data, **options)
    return {answer.query: [cluster.pages for cluster in answer.clusters] for answer in submission.clusterings}


def test_json_lines_are_one_submission():
    data = b"\xef\xbb\xbf" + lines_of(clustering(), clustering("puma")).replace(b"\n", b"\r\n\r\n")
    submission = read_submission(data)
    assert [answer.query for answer in submission.clusterings] == ["jaguar", "puma"]
    assert submission.algorithm == "STC"


def test_wrong_json_line_is_reported():
    broken = clustering("puma")
    broken["clusters"][1]["id"] = 5
    problems = problems_of(lambda: read_submission(lines_of(clustering()) + b'{"a" 1}\n' + lines_of(broken), name="s"))
    assert [(problem.code, problem.where) for problem in problems] == [
        ("not-json", "s: line 2, column 6"),
        ("wrong-type", "s: line 3: clusters[1].id"),
    ]


def test_clusterings_in_a_submission_may_omit_their_format():
    inner = clustering()
    del inner["format"], inner["algorithm"]
    submission = read_submission({"format": "qc4-submission/1", "algorithm": "A", "clusterings": [inner], "note": 1})
    assert (submission.algorithm, submission.extra, len(submission.clusterings)) == ("A", {"note": 1}, 1)


def test_two_algorithms_are_two_submissions():
    data = lines_of(clustering(), clustering() | {"algorithm": "Lingo"})
    assert [submission.algorithm for submission in read_submissions(data)] == ["STC", "Lingo"]
    assert codes_of(lambda: read_submission(data)) == ["several-algorithms"]


def test_algorithm_name_from_the_caller_applies_to_all():
    data = lines_of(clustering(), clustering("puma") | {"algorithm": "Lingo"})
    assert read_submission(data, algorithm="Mine").algorithm == "Mine"


def test_algorithm_has_one_clustering_per_query():
    assert codes_of(lambda: read_submission(lines_of(clustering(), clustering()))) == ["duplicate-query"]


def test_subtopic_and_result_pairs_are_clusters():
    data = b"subTopicID\tresultID\r\n1.1\t1.3\r\n1.2\t1.3\r\n1.1\t1.4\r\n2.1\t2.1\r\n"
    assert members(data) == {"1": [("1.3", "1.4"), ("1.3",)], "2": [("2.1",)]}


def test_wrong_pairs_are_reported_by_line():
    data = b"subTopicID\tresultID\n1.1\t1.3\n1.1\t1.3\n1.1\t2.3\n1.1\n"
    problems = problems_of(lambda: read_submission(data, name="s.txt"))
    assert [(problem.where, problem.code) for problem in problems] == [
        ("s.txt: line 3", "page-twice"),
        ("s.txt: line 4", "foreign-page"),
        ("s.txt: line 5", "bad-row"),
    ]


def test_label_column_is_a_clustering_and_a_blank_label_means_no_cluster():
    data = b"page,label\n1,a\n2,b\n3,a\n4,\n5,-1\n"
    assert members(data, query="jaguar") == {"jaguar": [("1", "3"), ("2",)]}


def test_every_label_column_is_an_algorithm():
    first, second = read_submissions(b"K-means,page,STC\n0,1,x\n1,2,x\n", query="jaguar")
    assert (first.algorithm, second.algorithm) == ("K-means", "STC")
    assert [cluster.pages for cluster in first.clusterings[0].clusters] == [("1",), ("2",)]
    assert [cluster.pages for cluster in second.clusterings[0].clusters] == [("1", "2")]


def test_label_columns_find_their_queries_by_column_or_by_page():
    expected = {"jaguar": [("1",)], "puma": [("p1",)]}
    assert members(b"query,page,label\njaguar,1,a\npuma,p1,a\n") == expected
    assert members(b"page,label\n1,a\np1,a\n", pages=PAGES) == expected


def test_given_query_is_not_guessed_from_the_pages():
    data = b"page,label\np1,a\n"
    assert codes_of(lambda: read_submission(data, pages=PAGES, query="jaguar")) == ["unknown-page"]


def test_labels_on_lines_follow_the_page_list_and_0_is_a_cluster():
    data = b"1\r\n2\r\n1\r\n0\r\n-1\r\n7\r\n"
    expected = {"jaguar": [("1", "3"), ("2",), ("4",), ("6",)]}
    assert members(data, pages=PAGES, query="jaguar") == expected
    assert members(data, pages=PAGES, name="jaguar.txt") == expected
    assert members(zipped({"jaguar.txt": data}), pages=PAGES) == expected


def test_nan_labels_are_noise_with_a_warning():
    """pandas writes a column of whole numbers like this if some are missing."""
    notes = ProblemList()
    data = b"1.0\n2.0\n1\nnan\nNaN\n7\n"
    ((found,),) = (one.clusterings for one in read_submissions(data, PAGES, query="jaguar", notes=notes))
    assert [cluster.pages for cluster in found.clusters] == [("1", "3"), ("2",), ("6",)]
    assert [note.code for note in notes] == ["no-label"]
    assert "the label 'nan' on 1 page and the label 'NaN' on 1 page" in str(next(iter(notes)))
    assert codes_of(lambda: read_submission(b"nan\nnan\n", pages=PAGES, query="jaguar")) == ["unknown-format"]


@pytest.mark.parametrize(
    ("data", "options", "code"),
    [
        (b"1\n2\n", {"query": "jaguar", "pages": PAGES}, "wrong-length"),
        (b"1\n2\n", {"query": "jaguar"}, "no-page-list"),
        (b"1\n2\n", {"pages": PAGES}, "no-query"),
        (b"1\n2\n", {"query": "lion", "pages": PAGES}, "unknown-query"),
        (b"page,label\n1,a\n1,a\n", {"query": "jaguar"}, "page-twice"),
        (b"size,label\n1,a\n", {"query": "jaguar"}, "bad-header"),
        (b"page,label\n1,a,b\n", {"query": "jaguar"}, "bad-row"),
        (
            b'{"clusters": [{"labels": ["x"], "documents": [0, 9]}]}',
            {"query": "jaguar", "pages": PAGES},
            "unknown-page",
        ),
        (b'{"clusters": [{"labels": ["x"], "documents": [0]}]}', {"query": "jaguar"}, "no-page-list"),
        (b'{"clusters": [{"documents": [true]}]}', {}, "wrong-type"),
        (b'{"documents": [{"title": "x"}]}', {}, "missing-field"),
        (json.dumps(gold()).encode(), {}, "unknown-format"),
        (b"", {}, "empty-file"),
    ],
)
def test_submission_that_cannot_be_matched_is_rejected(data, options, code):
    assert code in codes_of(lambda: read_submission(data, **options))


def test_carrot2_4_positions_are_looked_up_in_the_page_list():
    data = {"clusters": [{"labels": ["x"], "documents": [0, 2], "clusters": [{"labels": ["y"], "documents": [1]}]}]}
    assert members(data, query="puma", pages=PAGES) == {"puma": [("p1", "p3", "p2"), ("p2",)]}


def test_carrot2_3_json_names_documents_by_id():
    data = {
        "query": "jaguar",
        "documents": [{"id": 7, "title": "a"}, {"id": 8, "title": "b"}],
        "clusters": [
            {"id": 0, "phrases": ["Cats"], "documents": [8], "score": 1.5, "attributes": {"score": 1.5}},
            {"id": 1, "phrases": ["Other Topics"], "documents": [7], "attributes": {"other-topics": True}},
        ],
    }
    [answer] = read_submission(data).clusterings
    assert [(cluster.label, cluster.pages) for cluster in answer.clusters] == [("Cats", ("8",))]
    assert answer.extra == {"other_topics": ["7"]}


def test_every_clustering_is_checked_against_the_page_lists():
    wrong = clustering()
    wrong["clusters"][0]["pages"] = ["1", "nowhere"]
    problems = problems_of(lambda: read_submission(lines_of(wrong, clustering("lion")), PAGES))
    assert [problem.code for problem in problems] == ["unknown-page", "unknown-query"]
    assert "'nowhere'" in problems[0].found
    assert "'lion'" in problems[1].where


def test_suspicious_but_valid_input_is_a_warning():
    empty = clustering("puma") | {"clusters": []}
    hollow = clustering()
    hollow["clusters"][1]["pages"] = []
    problems = check_submission(read_submission(lines_of(hollow, empty), PAGES), PAGES | {"lion": ()})
    assert {problem.severity for problem in problems} == {"warning"}
    assert [problem.code for problem in problems] == ["empty-cluster", "empty-clustering", "missing-query"]


def test_ten_thousand_clusters_are_checked():
    answer = clustering()
    answer["clusters"] = [{"id": str(n), "pages": ["1", "2"]} for n in range(10_000)]
    assert len(read_submission(answer, PAGES).clusterings[0].clusters) == 10_000


def test_limits_apply_to_every_format():
    labels = b"page,label\n1,a\n2,b\n3,c\n"
    assert "limit-clusters" in codes_of(lambda: read_submission(labels, query="jaguar", limits=Limits(clusters=2)))
    assert "limit-queries" in codes_of(
        lambda: read_submission(lines_of(clustering(), clustering("b")), limits=Limits(queries=1))
    )


def test_file_name_is_the_algorithm_unless_it_is_the_query():
    pairs, labels = b"subTopicID\tresultID\n1.1\t1.3\n", b"page,label\n1,a\n"
    assert read_submission(pairs, name="lingo.txt").algorithm == "lingo"
    assert read_submission(labels, PAGES, name="stc.csv").algorithm == "stc"
    assert read_submission(labels, PAGES, name="jaguar.csv").algorithm == ""
    assert read_submission(pairs).algorithm == ""


@pytest.mark.parametrize("data", [b"page,label\n1,%s\n", b"subTopicID\tresultID\n1.%s\t1.1\n"])
def test_ids_are_limited_in_every_format(data):
    assert "limit-id-chars" in codes_of(lambda: read_submission(data % (b"x" * 300), query="jaguar"))


def test_format_errors_and_unknown_names_are_reported_together():
    lines = [
        {"query": "cars", "clusters": [{"id": "c1", "pages": ["1", "1", "9"]}, {"id": "c1", "pages": ["2"]}]},
        {"query": "unheard", "clusters": [{"id": "c1", "pages": ["1"]}]},
        {"query": "cats", "clusters": [{"id": "c1", "pages": ["1", 7]}]},
    ]
    source = "\n".join(json.dumps({"format": "qc4-clustering/1", "algorithm": "A"} | line) for line in lines)
    with pytest.raises(InputError) as refused:
        read_submissions(source.encode(), {"cars": ("1", "2"), "cats": ("1",)}, name="answers.jsonl")
    codes = [problem.code for problem in refused.value.problems]
    assert {"page-twice", "duplicate-cluster", "unknown-page", "unknown-query"} <= set(codes)
    assert codes.count("unknown-page") == 1

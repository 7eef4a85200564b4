"""Collections: the AMBIENT layout, Carrot2 files and tables, as page lists with or without gold standards."""

from __future__ import annotations

import json

import pytest

from qc4.io import Limits, page_lists, read_collection, read_gold, read_submission
from qc4.model.rules import prepare, prepare_all
from qc4.problems import InputError
from tests.qc4.io.format_examples import SHARED_DATA, codes_of, needs_data, problems_of, zipped

LAYOUT = {
    "topics.txt": "ID\tdescription\n1\tjaguar\n2\tpuma\n",
    "subTopics.txt": "ID\tdescription\n1.1\tCars > XK\n1.2\tAnimal\n1.3\tNever met\n1.4\tCars > XJ\n2.1\tShoes\n",
    "results.txt": (
        'ID\turl\ttitle\tsnippet\n1.1\thttp://a.test/\t"XK" club\tsays "hi\n1.2\t\tXJ\n1.10\tu\tt\ts\n2.1\tu\tt\ts\n'
    ),
    "STRel.txt": "subTopicID\tresultID\n1.1\t1.1\n1.4\t1.2\n1.4\t1.1\n2.1\t2.1\n",
}


def layout(**changes: str) -> bytes:
    files = LAYOUT | {name.replace("_", "."): text for name, text in changes.items()}
    return zipped({f"set/{name}": text.encode() for name, text in files.items()})


def test_the_ambient_layout_becomes_one_document_per_query():
    collection = read_collection(layout(), name="set.zip")
    first, second = collection.documents
    assert (first.query_id, first.query_text, second.query_id) == ("1", "jaguar", "2")
    assert [page.id for page in first.pages] == ["1.1", "1.2", "1.10"]
    assert [page.rank for page in first.pages] == [1, 2, 10]
    assert [(topic.id, topic.name, topic.pages) for topic in first.topics] == [
        ("1.1", "Cars > XK", ("1.1",)),
        ("1.4", "Cars > XJ", ("1.2", "1.1")),
    ]
    assert collection.notes == (
        "2 empty subtopics dropped",
        "1 page in no subtopic",
        "1 page in several subtopics",
    )


def test_quotes_in_the_ambient_layout_are_data():
    page = read_collection(layout()).documents[0].pages[0]
    assert (page.title, page.snippet) == ('"XK" club', 'says "hi')


def test_names_are_split_into_levels():
    first = read_collection(layout(), split_levels=">").documents[0]
    assert [(topic.id, topic.name, topic.parent, topic.level) for topic in first.topics] == [
        ("1/Cars", "Cars", None, 1),
        ("1.1", "XK", "1/Cars", 2),
        ("1.4", "XJ", "1/Cars", 2),
    ]
    assert prepare(first, "complete").hierarchy.n_levels == 2


def test_subtopic_that_is_a_prefix_of_others_keeps_id_and_pages():
    names = "ID\tdescription\n1.1\tCars > XK\n1.2\tCars\n1.4\tCars > XK > 150\n2.1\tShoes\n"
    relations = LAYOUT["STRel.txt"] + "1.2\t1.10\n"
    first = read_collection(layout(subTopics_txt=names, STRel_txt=relations), split_levels=">").documents[0]
    assert [(topic.id, topic.name, topic.parent, len(topic.pages)) for topic in first.topics] == [
        ("1.2", "Cars", None, 1),
        ("1.1", "XK", "1.2", 1),
        ("1.4", "150", "1.1", 2),
    ]


def test_common_prefix_with_the_query_is_not_a_level():
    files = {
        "topics_txt": "ID\tdescription\n1\tArts > Animation\n2\tpuma\n",
        "subTopics_txt": "ID\tdescription\n1.1\tArts > Animation > Anime\n1.4\tArts > Animation > Clay\n2.1\tShoes\n",
    }
    first = read_collection(layout(**files), split_levels=">").documents[0]
    assert [(topic.name, topic.parent) for topic in first.topics] == [("Anime", None), ("Clay", None)]


def test_layout_accepts_docs_txt_crlf_and_folders(tmp_path):
    for name, text in LAYOUT.items():
        (tmp_path / name.replace("results", "docs").lower()).write_bytes(text.replace("\n", "\r\n").encode())
    (tmp_path / "ReadMe.txt").write_text("hello")
    collection = read_collection(tmp_path)
    assert collection.name == tmp_path.name
    assert [len(document.pages) for document in collection.documents] == [3, 1]


def test_every_wrong_line_of_a_layout_is_reported():
    data = layout(
        results_txt="ID\turl\ttitle\tsnippet\n1.1\ta\tb\tc\td\n1.2\tu\tt\ts\n1.2\tu\tt\ts\n7.1\tu\tt\ts\n2.1\tu\tt\ts\n",
        STRel_txt="subTopicID\tresultID\n1.4\t1.2\n1.4\t1.2\n1.9\t1.2\n1.1\t2.1\n",
    )
    problems = problems_of(lambda: read_collection(data, name="s.zip"))
    assert {(problem.where.rsplit("/", 1)[1], problem.code) for problem in problems} == {
        ("results.txt: line 2", "bad-row"),
        ("results.txt: line 4", "duplicate-id"),
        ("results.txt: line 5", "unknown-query"),
        ("STRel.txt: line 3", "page-twice"),
        ("STRel.txt: line 4", "unknown-topic"),
        ("STRel.txt: line 5", "unknown-page"),
    }


def test_layout_without_header_or_files_is_rejected():
    assert codes_of(lambda: read_collection(layout(topics_txt="1\tjaguar\n2\tpuma\n")))[0] == "bad-header"
    files = {name: text.encode() for name, text in LAYOUT.items() if name != "results.txt"}
    [problem] = problems_of(lambda: read_collection(zipped(files)))
    assert problem.code == "bad-layout"
    assert "results.txt or docs.txt" in problem.where


def test_table_is_a_page_list_with_columns_in_any_order():
    data = b'Snippet,ID,Rank,lang,Title\r\n"two\nlines, ""quoted""",p1,3,de,T\r\n,p2,,en,\r\n'
    [document] = read_collection(data, name="jaguar.csv").documents
    assert document.query_id == "jaguar"
    first, second = document.pages
    assert (first.id, first.rank, first.title, first.snippet) == ("p1", 3, "T", 'two\nlines, "quoted"')
    assert first.extra == {"lang": "de"}
    assert (second.rank, second.title, second.url) == (2, None, None)


def test_quotes_in_tsv_are_data():
    [document] = read_collection(b'title\turl\n"Jaguar" official\thttp://a.test/\n', name="j.tsv").documents
    assert (document.pages[0].id, document.pages[0].title) == ("1", '"Jaguar" official')


def test_a_table_with_a_query_column_is_several_page_lists():
    documents = read_collection(b"query;id;title\na;1;x\nb;1;y\na;2;z\n").documents
    assert [(document.query_id, len(document.pages)) for document in documents] == [("a", 2), ("b", 1)]


def test_every_wrong_line_of_a_table_is_reported():
    data = b"id,rank,title\n1,x,T\n1,2,T\n3,4\n ,5,T\n"
    problems = problems_of(lambda: read_collection(data, name="t.csv"))
    assert [(problem.where, problem.code) for problem in problems] == [
        ("t.csv: line 4", "bad-row"),
        ("t.csv: line 2", "wrong-type"),
        ("t.csv: line 3", "duplicate-page"),
        ("t.csv: line 5", "empty-id"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"colour,size\nred,1\n", "bad-header"),
        (b"id,id\n1,2\n", "bad-header"),
        (b'id,title\n1,"open\n', "bad-row"),
        (b"id,title\n1,a\0b\n", "bad-character"),
        (b"id,title\n" + b"1,\n" * 50, "limit-rows"),
        (b"hello world\n", "unknown-format"),
        (b"1\n2\n", "unknown-format"),
        (b"[1, 2]", "unknown-format"),
        (b'{"hello": 1}', "unknown-format"),
        (b'{"format": "qc4-gold/2"}', "unknown-format"),
        (b"\x89PNG\r\n\x1a\n", "foreign-file"),
    ],
)
def test_other_files_are_rejected(data, code):
    assert code in codes_of(lambda: read_collection(data, limits=Limits(rows=40)))


def test_unknown_format_lists_the_known_formats():
    [problem] = problems_of(lambda: read_collection(b"hello world\n", name="x.txt"))
    assert "'hello world" in problem.found
    for form in ("qc4-gold/1", "Carrot2", "CSV", "ZIP"):
        assert form in problem.expected


def test_a_long_page_text_is_read():
    [document] = read_collection(b"id,text\n1," + b"x" * 300_000 + b"\n").documents
    assert len(document.pages[0].text) == 300_000


CARROT2 = b"""<?xml version="1.0" encoding="UTF-8"?>
<searchresult><query> jaguar </query>
<document id="a" language="en"><title>A</title><snippet/><url>http://a.test/</url>
  <sources><source>X</source></sources></document>
<document id="b"><title>B</title></document>
<group id="0" score="1.5"><title><phrase>Cats</phrase><phrase>Big</phrase></title><document refid="a"/>
  <group id="0"><title><phrase>Small</phrase></title><document refid="b"/></group></group>
<group id="1"><title><phrase>Other</phrase></title>
  <attribute key="other-topics"><value type="java.lang.Boolean" value="true"/></attribute><document refid="b"/></group>
</searchresult>"""


def test_carrot2_xml_is_a_page_list():
    [document] = read_collection(CARROT2).documents
    assert document.query_id == "jaguar"
    assert [(page.id, page.rank, page.title, page.snippet, page.url) for page in document.pages] == [
        ("a", 1, "A", None, "http://a.test/"),
        ("b", 2, "B", None, None),
    ]
    assert document.pages[0].extra == {"sources": ["X"], "language": "en"}


def test_carrot2_xml_is_a_clustering_without_other_topics():
    [answer] = read_submission(CARROT2).clusterings
    assert [(cluster.id, cluster.label, cluster.parent, cluster.pages) for cluster in answer.clusters] == [
        ("0", "Cats, Big", None, ("a", "b")),
        ("0/0", "Small", "0", ("b",)),
    ]
    assert answer.extra == {"other_topics": ["b"]}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ((b'<document id="b">', b'<document id="a">'), "duplicate-page"),
        ((b'<document id="b">', b"<document>"), "missing-field"),
        ((b'refid="a"/>', b'refid="z"/>'), "unknown-page"),
        ((b'refid="a"/>', b'refid="a"/><document refid="a"/>'), "page-twice"),
        ((b"</searchresult>", b""), "not-xml"),
        ((b"searchresult>", b"results>"), "unknown-format"),
        ((b'encoding="UTF-8"', b'encoding="klingon"'), "not-xml"),
    ],
)
def test_defective_carrot2_xml_is_rejected(change, code):
    assert code in codes_of(lambda: read_submission(CARROT2.replace(*change)))


def test_xml_entities_are_rejected_before_expansion():
    bomb = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><searchresult><query>&b;</query></searchresult>'
    assert codes_of(lambda: read_collection(bomb)) == ["unsafe-xml"]
    outside = b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><searchresult/>'
    assert codes_of(lambda: read_collection(outside)) == ["unsafe-xml"]


def test_a_carrot2_request_is_a_page_list_by_position():
    value = {
        "parameters": {"queryHint": "jaguar"},
        "documents": [{"title": ["Big", "cats"], "url": "u", "field": ["x"]}, {"title": "B"}],
    }
    [document] = read_collection(value).documents
    assert document.query_id == "jaguar"
    assert [(page.id, page.title, page.extra) for page in document.pages] == [
        ("0", "Big cats", {"field": ["x"]}),
        ("1", "B", {}),
    ]


@needs_data("ambient")
def test_ambient_has_its_published_counts():
    collection = read_collection(SHARED_DATA / "ambient")
    golds = prepare_all(collection.documents, "complete")
    assert len(golds) == 44
    assert sum(gold.n_pages for gold in golds) == 4400
    assert sum(gold.hierarchy.n_topics for gold in golds) == 349
    assert sum(gold.hierarchy.outliers.size for gold in golds) == 2176
    assert "441 empty subtopics dropped" in collection.notes
    assert "31 pages in several subtopics" in collection.notes


@needs_data("ambient")
def test_strict_completion_rejects_ambient():
    collection = read_collection(SHARED_DATA / "ambient")
    with pytest.raises(InputError) as caught:
        prepare_all(collection.documents)
    assert {problem.code for problem in caught.value.problems} == {"page-without-topic"}
    assert len(caught.value.problems) == 44
    assert "query '1' (Aida)" in caught.value.problems[0].where
    assert "'1.8'" in caught.value.problems[0].found


@needs_data("reuters")
def test_every_reuters_gold_standard_passes_all_rules():
    paths = sorted((SHARED_DATA / "reuters").glob("*.gold.json"))
    assert paths
    assert {read_gold(path).hierarchy.n_levels for path in paths} == {2}


@needs_data("carrot2")
@pytest.mark.parametrize(
    ("name", "query", "pages"),
    [
        ("carrot2-no-ids.xml", "test", 2),
        ("carrot2-with-clusters.xml", "data mining", 140),
        ("data-mining.xml", "data mining", 101),
        ("seattle.xml", "seattle", 200),
    ],
)
def test_real_carrot2_files_are_page_lists(name, query, pages):
    [document] = read_collection(SHARED_DATA / "carrot2" / name).documents
    assert (document.query_id, len(document.pages)) == (query, pages)


@needs_data("carrot2")
def test_the_real_carrot2_clustering_fits_its_page_list():
    path = SHARED_DATA / "carrot2" / "carrot2-with-clusters.xml"
    [answer] = read_submission(path, page_lists(read_collection(path).documents)).clusterings
    assert len(answer.clusters) == 34
    assert answer.clusters[0].label == "Data Analysis"
    assert len(answer.extra["other_topics"]) == 32


@needs_data("carrot2")
@pytest.mark.parametrize("name", ["dcs-simple", "dcs-multivalues"])
def test_real_carrot2_responses_match_their_requests(name):
    folder = SHARED_DATA / "carrot2"
    pages = page_lists(read_collection(folder / f"{name}.request.json").documents)
    [answer] = read_submission(folder / f"{name}.response.json", pages).clusterings
    assert [cluster.pages for cluster in answer.clusters] == [tuple("01234"), tuple("56789")]


def test_parsed_object_is_a_collection():
    value = json.loads(json.dumps({"format": "qc4-gold/1", "query": {"id": "q"}, "pages": [{"id": "1"}]}))
    assert read_collection(value).documents[0].query_id == "q"


@pytest.mark.parametrize("data", [b"id,title\n" + b"x" * 300 + b",T\n", CARROT2.replace(b"jaguar", b"x" * 300)])
def test_ids_are_limited_in_every_format(data):
    assert "limit-id-chars" in codes_of(lambda: read_collection(data))

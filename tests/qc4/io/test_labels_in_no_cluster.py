"""One rule decides for every reader which labels mean "in no cluster", and every reader reports how it applied the
rule.
"""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4 import GoldStandard, compare_clusterings, score
from qc4.cli import main
from qc4.io import page_lists, read_gold_document, read_submission
from qc4.model.clustering import Clustering
from tests.samples.label_files import FROM_ONE, FROM_ZERO, GOLD, PAGES, SEVERAL, table

LISTS = page_lists([read_gold_document(GOLD)])
MEASURES = "qc4_f,ari,bcubed_f"
SPELLINGS = [
    "-1", "-1.0", "-1.00", "-1.", "-1.000000000000000000e+00", "\u22121", "\u22121.0", "-01", "nan", "NaN", "-nan",
    "<NA>", "NA", "na", "N/A", "None", "none", "null", "NULL", "noise", "Noise", "outlier", "OUTLIERS", "-1_the_and",
    "\u22121_the_and", " -1 ", "", "#N/A",
]  # fmt: skip


@pytest.fixture
def gold_file(tmp_path):
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(GOLD))
    return path


def scored(gold_file, data, capsys, *options, name="apfel.csv"):
    """Return a file's scores on the command line, and the output on standard error."""
    path = gold_file.parent / name
    path.write_text(data, encoding="utf-8")
    arguments = ["score", str(gold_file), str(path), "-m", MEASURES, "--level", "1", "--format", "json", *options]
    status = main(arguments)
    written = capsys.readouterr()
    assert status == 0, written.err
    return [round(found["value"], 4) for found in json.loads(written.out)["scores"]], written.err


@pytest.mark.parametrize("labels", [FROM_ZERO, FROM_ONE])
@pytest.mark.parametrize("name", ["apfel.txt", "clusters.txt"])
def test_clusters_may_be_numbered_from_zero(gold_file, capsys, labels, name):
    assert scored(gold_file, labels, capsys, name=name)[0][0] == 1.0


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_noise_gives_the_same_scores(gold_file, capsys, spelling):
    values, said = scored(gold_file, table(["0", "0", spelling, "1", "1", spelling]), capsys)
    assert values == [0.7288, 0.375, 0.7143]
    assert "2 pages" in said


def test_a_label_read_as_noise_may_be_a_cluster(gold_file, capsys):
    data = table(["None", "None", "-1", "1", "1", "-1"])
    path = gold_file.parent / "apfel.csv"
    values, said = scored(gold_file, data, capsys)
    assert "the label 'None' on 2 pages" in said
    assert """Read 'None' as a cluster: --noise '["-1"]'""" in said
    again, _ = scored(gold_file, data, capsys, "--noise", '["-1"]')
    assert again == [0.7288, 0.375, 0.7143] != values
    assert {cluster.id for cluster in read_submission(path, LISTS, noise=[]).clusterings[0].clusters} == {
        "None", "-1", "1"
    }  # fmt: skip


def zipped(name, data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


def clusters_of(clustering):
    return {(cluster.id, cluster.pages) for cluster in clustering.clusters}


def of_file(data, name, **options):
    return read_submission(data.encode(), LISTS, name=name, **options).clusterings[0]


def in_a_column(labels):
    rows = "".join(f'{page}\t"{label}"\n'.replace('"', "") for page, label in zip(PAGES, labels, strict=True))
    return of_file("page\tKMeans\n" + rows, "apfel.tsv")


def on_lines(labels):
    return of_file("".join(f"{label}\n" for label in labels), "apfel.txt")


READERS = {
    "csv": lambda labels: of_file(table(labels), "x.csv"),
    "tsv column of an algorithm": in_a_column,
    "lines": on_lines,
    "zip": lambda labels: read_submission(zipped("apfel.txt", "".join(f"{each}\r\n" for each in labels)), LISTS)
    .clusterings[0],
    "list": lambda labels: Clustering.from_labels(labels, pages=PAGES),
    "array": lambda labels: Clustering.from_labels(np.array(labels), pages=PAGES),
    "array of objects": lambda labels: Clustering.from_labels(np.array(labels, dtype=object), pages=PAGES),
    "array of bytes": lambda labels: Clustering.from_labels([each.encode() for each in labels], pages=PAGES),
}  # fmt: skip
ONES = ["1", "1.0", "1.00", "+1", "1.", " 1 "]
ZEROS = ["0", "0.0", "-0.0", "0.00", "0.000000000000000000e+00"]


@pytest.mark.parametrize("reader", READERS)
@given(
    noise=st.lists(st.sampled_from(SPELLINGS), min_size=3, max_size=3),
    zeros=st.lists(st.sampled_from(ZEROS), min_size=2, max_size=2),
    ones=st.lists(st.sampled_from(ONES), min_size=3, max_size=3),
)
def test_every_reader_accepts_every_spelling(reader, noise, zeros, ones):
    labels = [zeros[0], noise[0], zeros[1], ones[0], noise[1], ones[1], ones[2], noise[2]]
    found = READERS[reader](labels)
    assert clusters_of(found) == {("0", ("p1", "p3")), ("1", ("p4", "p6", "p7"))}
    assert sum(each.pages for each in found.noise) == 3


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), -1, -1.0, np.int8(-1), np.float64(-1)])
def test_numbers_and_texts_mean_the_same_in_python(missing):
    labels = [0, 0, missing, 1, 1, missing]
    texts = ["0", "0", "-1", "1", "1", "-1"]
    assert Clustering.from_labels(labels) == Clustering.from_labels([0, 0, -1, 1, 1, -1])
    assert [cluster.id for cluster in Clustering.from_labels(labels).clusters] == ["0", "1"]
    gold = ["a", "a", "a", "b", "b", "b"]
    assert score(gold, labels, "ari").scores == score(gold, texts, "ari").scores
    assert compare_clusterings(labels, texts, "ari").value("ari") == 1.0
    assert GoldStandard.from_labels(labels).hierarchy.outliers.tolist() == [2, 5]


def test_an_empty_line_is_a_page_without_a_label():
    assert clusters_of(on_lines(["1", "", "1", "2", "2", "", "2", ""])) == {
        ("1", ("p1", "p3")), ("2", ("p4", "p5", "p7"))
    }  # fmt: skip


def test_result_reports_noise_with_its_pages():
    found = score(["a", "a", "b", "b"], [0, "None", -1, "-1.0"], "ari")
    assert [(each.label, each.pages) for each in found.noise] == [("None", 1), ("-1", 1), ("-1.0", 1)]
    assert found.to_dict()["noise"] == [
        {"label": "None", "pages": 1}, {"label": "-1", "pages": 1}, {"label": "-1.0", "pages": 1},
    ]  # fmt: skip
    [warning] = found.warnings
    assert "the label 'None' on 1 page, the label '-1' on 1 page and the label '-1.0' on 1 page" in warning.found
    assert warning.choice.value == '["-1", "-1.0"]'
    assert "noise" not in score(["a", "b"], [0, 1], "ari").to_dict()


def test_noise_may_be_given_in_python():
    labels = ["None", "None", "?", "x"]
    assert score(["a", "a", "b", "c"], labels, "page_coverage", noise="?").value("page_coverage") == 0.75
    assert compare_clusterings(labels, [0, 0, 1, 2], "ari", noise=[]).value("ari") == 1.0
    with pytest.raises(ValueError, match="noise: found no labels to read"):
        score(GoldStandard.from_labels([0, 1]), Clustering.from_labels([0, 1]), "ari", noise=[])


def test_cluster_with_a_noise_name_is_a_cluster_unless_declared_noise(gold_file, capsys):
    clusters = [{"id": "a", "pages": ["p1", "p2", "p3"]}, {"id": "-1", "pages": ["p4", "p5"]}]
    data = json.dumps({"format": "qc4-clustering/1", "query": "apfel", "clusters": clusters})
    _, said = scored(gold_file, data, capsys, name="apfel.json")
    assert "the cluster '-1', with a name that often means noise; expected a cluster. It was read as a cluster." in said
    read = read_submission(data.encode(), LISTS, noise=-1).clusterings[0]
    assert ([cluster.id for cluster in read.clusters], read.noise[0].pages) == (["a"], 2)


def test_combined_label_can_be_split(gold_file, capsys):
    values, said = scored(gold_file, SEVERAL, capsys)
    assert values == [0.8819, 0.7059, 0.875]
    assert "found the label 'fruit#firm' on 1 page, which consists of other labels of the column 'label'" in said
    assert "Read such labels as several: --label-separator '#'" in said
    read = read_submission(SEVERAL.encode(), LISTS, label_separator="#").clusterings[0]
    found = score(GoldStandard.from_sets({"fruit": PAGES[:3], "firm": PAGES[3:6]}, outliers=PAGES[6:]), read)
    assert (round(found.value("qc4_f"), 4), found.value("bcubed_f", 1)) == (0.7701, pytest.approx(0.875))
    path = gold_file.parent / "apfel.csv"
    main(["score", str(gold_file), str(path), "-m", "qc4_f,ari", "--format", "json", "--label-separator", "#"])
    qc4_f, ari = json.loads(capsys.readouterr().out)["scores"][:2]
    assert (round(qc4_f["value"], 4), ari["undefined"]) == (0.7701, "1 page is in more than one cluster")


@pytest.mark.parametrize("label", ["a; b", "a|b", "a, b", "a / b", "a+b", "a#b#a"])
def test_several_labels_in_a_cell_are_recognised_by_their_separator(label):
    data = f'page,label\np1,a\np2,b\np3,"{label}"\n'.encode()
    (mark,) = {mark for mark in "#;|,/+" if mark in label}
    clustering = read_submission(data, LISTS, label_separator=mark).clusterings[0]
    assert clusters_of(clustering) == {("a", ("p1", "p3")), ("b", ("p2", "p3"))}


@pytest.mark.parametrize("label", ["C#", "a#c", "#a", "a b", "a-b"])
def test_other_labels_are_not_split(gold_file, capsys, label):
    _, said = scored(gold_file, f"page,label\np1,a\np2,b\np3,{label}\n", capsys)
    assert "consist" not in said


def test_check_reports_the_reading_on_one_line(gold_file, capsys):
    rows = "p1,a\np1,b\np2,b\np3,-1\np4,\np5,None\n"
    path = gold_file.parent / "apfel.csv"
    path.write_text("page,label\n" + rows)
    assert main(["check", str(gold_file), str(path)]) == 0
    first, line, *warnings = capsys.readouterr().out.splitlines()
    assert first.startswith("gold.json: 8 pages")
    assert line == (
        "apfel.csv: query 'apfel': 8 pages; 2 clusters; 6 pages in no cluster (75 %): the label '-1' on 1 page, "
        "no label on 1 page and the label 'None' on 1 page, 3 pages not in the file; 1 page in several clusters; "
        "no nesting"
    )
    assert [warning.split(";")[0] for warning in warnings] == [
        "warning: apfel.csv: found no label on 1 page",
        "warning: apfel.csv: found the label 'None' on 1 page",
    ]


@pytest.mark.parametrize("spelling", ["-1.0\u200b", "\ufeff-1", "\u22121\u2060", "-1e+00", "NA\u200b", "\ufeffNaN"])
def test_invisible_characters_do_not_hide_noise(gold_file, capsys, spelling):
    values, _ = scored(gold_file, table(["0", "0", spelling, "1", "1", spelling]), capsys)
    assert values == [0.7288, 0.375, 0.7143]
    labels = ["0", "0\u200b", spelling, 1, 1.0, "1\ufeff"]
    found = Clustering.from_labels(labels, pages=PAGES[:6])
    assert [cluster.pages for cluster in found.clusters] == [("p1", "p2"), ("p4", "p5", "p6")]


def test_a_decimal_comma_does_not_hide_noise():
    data = "page;label\np1;0,5\np2;-1,0\np3;-1,00\n"
    clustering = read_submission(data.encode(), LISTS).clusterings[0]
    assert [cluster.id for cluster in clustering.clusters] == ["0,5"]
    assert [each.label for each in clustering.noise] == ["-1,0", "-1,00"]


def test_named_noise_is_found_in_any_unicode_form():
    for label, noise in (("caf\u00e9", "cafe\u0301"), ("cafe\u0301", "caf\u00e9"), ("misc\u200b", "misc")):
        clustering = Clustering.from_labels([label, "a"], noise=noise)
        assert (len(clustering.clusters), clustering.noise[0].pages) == (1, 1)


def test_noise_label_without_pages_is_a_warning(gold_file, capsys):
    data = table(["0", "0", "Misc", "1", "1", "-1"])
    _, said = scored(gold_file, data, capsys, "--noise=-1,misc,None")
    assert "found the noise label 'misc', which no page has; expected labels of pages. Check the spelling" in said
    _, said = scored(gold_file, data, capsys, "--noise=-1,Misc")
    assert "which no page has" not in said
    [warning] = score(["a", "b"], [0, 1], "ari", noise=["?", -1]).warnings
    assert (warning.code, warning.found) == ("unmatched-noise", "the noise label '?', which no page has")
    [warning] = compare_clusterings([0, 1], [0, 1], "ari", noise="?").warnings
    assert warning.code == "unmatched-noise"


def test_commas_alone_are_not_noise_labels(gold_file, capsys):
    (gold_file.parent / "apfel.csv").write_text(SEVERAL)
    assert main(["score", str(gold_file), str(gold_file.parent / "apfel.csv"), "--noise", ","]) == 2
    assert "noise: found ','; expected a list of labels" in capsys.readouterr().err


@pytest.mark.parametrize(("mark", "label"), [("/", "N/A"), ("-", "-1"), (".", "-1.0"), ("1", "-1"), ("_", "-1_x")])
def test_a_cell_of_noise_is_not_split(mark, label):
    data = f"page,label\np1,a{mark}b\np2,b\np3,a\np4,{label}\n".encode()
    clustering = read_submission(data, LISTS, label_separator=mark).clusterings[0]
    assert clusters_of(clustering) == {("a", ("p1", "p3")), ("b", ("p1", "p2"))}
    assert [(each.label, each.pages) for each in clustering.noise] == [(label, 1)]


def test_split_labels_in_two_unicode_forms_are_one_cluster():
    data = "page,label\np1,caf\u00e9#tea\np2,cafe\u0301\np3,tea\n".encode()
    clustering = read_submission(data, LISTS, label_separator="#").clusterings[0]
    assert clusters_of(clustering) == {("caf\u00e9", ("p1", "p2")), ("tea", ("p1", "p3"))}


@pytest.mark.parametrize("label", ["a#noise", "-1#b", "1.0#2", "caf\u00e9#a", "None#a#b"])
def test_combined_labels_with_noise_or_other_spellings_cause_a_warning(gold_file, capsys, label):
    rows = ["a", "b", "1", "2", "cafe\u0301", label]
    assert "consists of other labels of the column" in scored(gold_file, table(rows), capsys)[1]


def test_one_page_in_two_unicode_forms_is_a_warning(gold_file, capsys):
    path = gold_file.parent / "apfel.csv"
    path.write_text("page,label\np1,a\np1\u200b,b\np2,a\np3,b\n", encoding="utf-8")
    assert main(["check", str(gold_file), str(path)]) == 0
    assert "apfel.csv: page ids: found 'p1' in 2 Unicode forms: they look alike" in capsys.readouterr().out

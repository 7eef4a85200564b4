"""One rule decides for every reader which labels mean "in no cluster", and every reading is reported."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qc4.cli import main

from qc4 import GoldStandard, compare_clusterings, score
from qc4.clustering.clustering import Clustering
from qc4.formats import page_lists, read_gold_document, read_submission

PAGES = [f"p{number}" for number in range(1, 9)]
GOLD = {
    "format": "qc4-gold/1",
    "query": {"id": "apfel", "text": "apfel"},
    "pages": [{"id": page, "rank": rank} for rank, page in enumerate(PAGES, start=1)],
    "topics": [
        {"id": "fruit", "name": "Fruit", "pages": ["p1", "p2", "p3"]},
        {"id": "firm", "name": "Firm", "pages": ["p4", "p5", "p6"]},
    ],
    "outliers": ["p7", "p8"],
}
LISTS = page_lists([read_gold_document(GOLD)])
MEASURES = "qc4_f,ari,bcubed_f"
SPELLINGS = [
    "-1", "-1.0", "-1.00", "-1.", "-1.000000000000000000e+00", "\u22121", "\u22121.0", "-01", "nan", "NaN", "-nan",
    "<NA>", "NA", "na", "N/A", "None", "none", "null", "NULL", "noise", "Noise", "outlier", "OUTLIERS", "-1_the_and",
    "\u22121_the_and", " -1 ", "",
]  # fmt: skip


@pytest.fixture
def gold_file(tmp_path):
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(GOLD))
    return path


def scored(gold_file, data, capsys, *options, name="apfel.csv"):
    """The scores of a file on the command line, and what it prints to standard error."""
    path = gold_file.parent / name
    path.write_text(data, encoding="utf-8")
    arguments = ["score", str(gold_file), str(path), "-m", MEASURES, "--level", "1", "--format", "json", *options]
    status = main(arguments)
    written = capsys.readouterr()
    assert status == 0, written.err
    return [round(found["value"], 4) for found in json.loads(written.out)["scores"]], written.err


def table(labels):
    return "query,page,label\n" + "".join(f"apfel,{page},{label}\n" for page, label in zip(PAGES, labels, strict=False))


@pytest.mark.parametrize("labels", ["00011122", "11122233"])
@pytest.mark.parametrize("name", ["apfel.txt", "clusters.txt"])
def test_clusters_may_be_numbered_from_zero(gold_file, capsys, labels, name):
    assert scored(gold_file, "\n".join(labels) + "\n", capsys, name=name)[0][0] == 1.0


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_noise_scores_alike_on_the_command_line(gold_file, capsys, spelling):
    values, said = scored(gold_file, table(["0", "0", spelling, "1", "1", spelling]), capsys)
    assert values == [0.7288, 0.375, 0.7143]
    assert "2 pages" in said

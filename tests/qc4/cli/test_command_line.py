"""The command line: arguments, output and errors."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qc4.cli import main
from qc4.measures.registry import REGISTRY
from qc4.version import ENGINE_VERSION
from tests.paths import ROOT


@pytest.fixture
def jaguar(tmp_path):
    """Two levels, an outlier cluster, overlap on level 2, and a query id that a spreadsheet would run as a formula."""
    gold = {
        "format": "qc4-gold/1",
        "query": {"id": "=jaguar", "text": "jaguar"},
        "pages": [{"id": f"p{number}", "rank": number} for number in range(1, 11)],
        "topics": [
            {"id": "cars", "name": "Cars", "parent": None, "pages": ["p1", "p2", "p3", "p4"]},
            {"id": "xk", "name": "XK", "parent": "cars", "pages": ["p1", "p2", "p3"]},
            {"id": "xj", "name": "XJ", "parent": "cars", "pages": ["p3", "p4"]},
            {"id": "cats", "name": "Cats", "parent": None, "pages": ["p5", "p6", "p7", "p8"]},
        ],
        "outliers": ["p9", "p10"],
    }
    clusters = [
        {"id": "大型猫", "label": "big cats", "pages": ["p5", "p6", "p7"]},
        {"id": "c2", "label": "dealers", "pages": ["p1", "p2", "p3", "p4", "p8"]},
        {"id": "rest\u001b[31m", "label": "", "pages": ["p9", "p10"]},
    ]
    clustering = {"format": "qc4-clustering/1", "query": "=jaguar", "algorithm": "STC", "clusters": clusters}
    paths = tmp_path / "jaguar.gold.json", tmp_path / "jaguar.stc.json"
    for path, document in zip(paths, (gold, clustering), strict=True):
        path.write_text(json.dumps(document), encoding="utf-8")
    return [str(path) for path in paths]


@pytest.fixture
def run(capsys):
    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(arguments)
        except SystemExit as exit_:
            status = exit_.code
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def edit(path: str, **fields) -> None:
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    Path(path).write_text(json.dumps({**document, **fields}), encoding="utf-8")


class TestScore:
    def test_json_equals_the_object_in_python(self, run, jaguar):
        from qc4 import read_clustering, read_gold, score

        status, out, err = run("score", *jaguar, "--format", "json", "--explain")
        assert (status, err) == (0, "")
        gold, clustering = read_gold(jaguar[0]), read_clustering(jaguar[1])
        assert json.loads(out) == score(gold, clustering, explain=True).to_dict()

    def test_the_table_names_measures_levels_notes_and_removed_clusters(self, run, jaguar):
        status, out, _ = run("score", *jaguar, "-m", "aq,ari")
        assert status == 0
        lines = out.splitlines()
        assert lines[0] == f"Query =jaguar, 10 pages, engine {ENGINE_VERSION}"
        assert "rest\\x1b[31m" in lines[2]
        ari = next(line for line in lines if line.startswith("  ari"))
        assert ari.split()[-1] == "(1)"
        assert "(1) undefined: 1 page is in more than one topic on level 2" in lines

    def test_the_table_names_the_unit_of_information(self, run, jaguar):
        assert "Variation of information (nats)" in run("score", *jaguar, "-m", "vi")[1]
        out = run("score", *jaguar, "-m", "vi", "--unit", "bits")[1]
        assert "Variation of information (bits)" in out
        assert "nats" not in out

    def test_unknown_measure_refers_to_the_list_command(self, run, jaguar):
        status, out, err = run("score", *jaguar, "-m", "arri")
        assert (status, out) == (2, "")
        assert err.endswith("Did you mean 'ari' or 'ar' or 'ami'? See `qc4 list`.\n")

    def test_each_family_has_one_heading(self, run, jaguar):
        lines = run("score", *jaguar, "-m", "ari,purity,rand")[1].splitlines()
        start = lines.index("Pair counting")
        rows = [line.split()[0] if line.startswith("  ") else line for line in lines[start : start + 5]]
        assert rows == ["Pair counting", "ari", "rand", "Set matching", "purity"]

    def test_table_columns_are_aligned(self, run, jaguar):
        out = run("score", *jaguar, "--family", "information", "--overlap", "first", "--explain")[1]
        rows = [line for line in out.splitlines() if line.startswith("  ") and ("↑" in line or "↓" in line)]
        assert len({line.index("↑" if "↑" in line else "↓") for line in rows}) == 1
        assert next(line for line in out.splitlines() if line.startswith("  大型猫")).endswith("0.8909")  # 2^(-1/6)
        assert "* a page in several topics or clusters counts only for the first of each" in out

    def test_csv_is_one_row_per_score_and_guards_formulas(self, run, jaguar):
        out = run("score", *jaguar, "-m", "ari,qc4", "--format", "csv", "--outliers", "topic")[1]
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [(row["measure"], row["level"]) for row in rows] == [("ari", "1"), ("ari", "2"), ("qc4", "")]
        assert {row["query"] for row in rows} == {"'=jaguar"}
        assert {row["outliers"] for row in rows} == {"topic"}
        assert rows[1]["value"] == ""
        assert rows[1]["undefined"] == "1 page is in more than one topic on level 2"
        assert -1 <= float(rows[0]["value"]) <= 1

    def test_numbers_are_not_guarded(self, run, jaguar):
        edit(jaguar[1], clusters=[{"id": "a", "pages": ["p1", "p5"]}, {"id": "b", "pages": ["p2", "p6"]}])
        out = run("score", *jaguar, "-m", "ari", "--level", "1", "--format", "csv", "--unclustered", "drop")[1]
        assert float(next(csv.DictReader(io.StringIO(out)))["value"]) < 0

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["-m", "f,qc4", "--level", "2,all"], [("f", 2), ("f", "all"), ("qc4", None)]),
            (["--family", "classic", "--level", "1"], [(found.key, 1) for found in REGISTRY.family("classic")]),
        ],
    )
    def test_measures_and_levels_are_chosen(self, run, jaguar, options, expected):
        scores = json.loads(run("score", *jaguar, *options, "--format", "json")[1])["scores"]
        assert [(found["measure"], found["level"]) for found in scores] == expected

    def test_all_selects_every_measure(self, run, jaguar):
        scores = json.loads(run("score", *jaguar, "--all", "--format", "json")[1])["scores"]
        assert {found["measure"] for found in scores} == {found.key for found in REGISTRY.all()}

    def test_empty_clusters_cause_a_warning(self, run, jaguar):
        edit(jaguar[1], clusters=[{"id": "none", "pages": []}, {"id": "c", "pages": ["p1"]}])
        status, out, err = run("score", *jaguar, "-m", "aq")
        assert status == 0
        assert "aq" in out
        assert err.startswith("warning: jaguar.stc.json: clusters[0] (id 'none')")

    def test_completion_is_an_option(self, run, jaguar):
        edit(jaguar[0], outliers=["p9"])
        assert run("score", *jaguar)[0] == 2
        assert run("score", *jaguar, "--completion", "complete")[0] == 0


class TestCalibrate:
    def test_json_equals_the_object_in_python(self, run, jaguar):
        from qc4 import calibrate, read_clustering, read_gold

        status, out, err = run(
            "calibrate", *jaguar, "-m", "qc4_f,f", "--seed", "3", "--draws", "20", "--format", "json"
        )
        assert (status, err) == (0, "")
        gold, clustering = read_gold(jaguar[0]), read_clustering(jaguar[1])
        assert json.loads(out) == calibrate(gold, clustering, ["qc4_f", "f"], draws=20, seed=3).to_dict()

    def test_table_and_csv_show_the_same_figures(self, run, jaguar):
        options = ["calibrate", *jaguar, "-m", "quality,ari", "--draws", "30"]
        table, text = run(*options)[1].splitlines(), run(*options, "--format", "csv")[1]
        rows = list(csv.DictReader(io.StringIO(text)))
        assert table[0].endswith("30 draws of the same clusters with shuffled pages, seed 0")
        quality = next(line for line in table if line.startswith("Quality")).split()
        assert quality[1:3] == [f"{float(rows[0][column]):.4f}" for column in ("value", "mean")]
        assert [(row["measure"], row["level"]) for row in rows] == [("quality", ""), ("ari", "1"), ("ari", "2")]
        assert rows[2]["undefined"] == "1 page is in more than one topic on level 2"
        assert "(1) 1 page is in more than one topic on level 2" in table

    def test_default_is_the_whole_qc4_family(self, run, jaguar):
        levels = json.loads(run("calibrate", *jaguar, "--draws", "2", "--format", "json")[1])["levels"]
        assert [level["measure"] for level in levels] == [found.key for found in REGISTRY.family("qc4")]

    def test_draws_out_of_range_are_reported_as_an_option(self, run, jaguar):
        status, out, err = run("calibrate", *jaguar, "--draws", "1")
        assert (status, out) == (2, "")
        assert err == "error: draws: found 1; expected a whole number from 2 to 100,000\n"


class TestVectors:
    """Internal measures appear only if there are vectors."""

    internal = [found.key for found in REGISTRY.family("internal")]

    def scores(self, run, *arguments: str) -> dict[str, dict]:
        status, out, err = run("score", *arguments, "--format", "json")
        assert (status, err) == (0, "")
        return {found["measure"]: found for found in json.loads(out)["scores"]}

    def test_vectors_from_a_file(self, run, jaguar, tmp_path):
        path = tmp_path / "jaguar.csv"
        path.write_text("".join(f"{number},{number % 3}\n" for number in range(10)), encoding="utf-8")
        assert set(self.internal) <= set(self.scores(run, *jaguar, "--vectors", str(path)))
        assert not set(self.internal) & set(self.scores(run, *jaguar))

    def test_vectors_from_text_record_their_origin(self, run, jaguar):
        words = ["red cat", "cat", "red car", "car", "big cat", "cat food", "zoo", "car zoo", "dog", "red dog"]
        pages = [{"id": f"p{number}", "title": title} for number, title in enumerate(words, start=1)]
        edit(jaguar[0], pages=pages)
        found = json.loads(run("score", *jaguar, "-m", "ssq,ari", "--text-vectors", "--format", "json")[1])
        assert found["vectors"]["seed"] == 0
        assert found["scores"][0]["value"] > 0

    def test_internal_measures_are_undefined_without_vectors(self, run, jaguar):
        found = self.scores(run, *jaguar, "--family", "internal")
        assert list(found) == self.internal
        assert all(score["undefined"].startswith("no vectors: ") for score in found.values())

    def test_wrong_vectors_are_reported_by_row(self, run, jaguar, tmp_path):
        path = tmp_path / "jaguar.csv"
        path.write_text("1,2\n3,nan\n" + "1,1\n" * 8, encoding="utf-8")
        status, out, err = run("score", *jaguar, "--vectors", str(path))
        assert (status, out) == (2, "")
        assert "jaguar.csv: line 2, column 2: found 'nan'; expected a finite number" in err

    def test_vectors_have_one_source(self, run, jaguar):
        assert run("score", *jaguar, "--vectors", "x.npy", "--text-vectors")[0] == 2


class TestBadInput:
    """Exit status 2, every message on standard error, nothing on standard output."""

    def refused(self, run, *arguments: str) -> str:
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        return err

    def test_errors_of_both_files_are_reported_together(self, run, jaguar):
        Path(jaguar[0]).write_text("{", encoding="utf-8")
        err = self.refused(run, "score", jaguar[0], "missing.json", "-m", "arri")
        assert "Did you mean 'ari'" in err
        assert "error: jaguar.gold.json" in err
        assert "error: missing.json" in err

    def test_a_hundred_thousand_unknown_pages_make_a_short_message(self, run, jaguar):
        edit(jaguar[1], clusters=[{"id": str(number), "pages": [f"x{number}"]} for number in range(100_000)])
        err = self.refused(run, "score", *jaguar)
        assert len(err) < 100_000
        assert err.endswith("and 99,800 problems more\n")

    def test_unknown_pages_are_reported_with_the_file(self, run, jaguar):
        edit(jaguar[1], clusters=[{"id": "c", "pages": ["p1", "p77", "p88"]}])
        err = self.refused(run, "score", *jaguar)
        assert "error: jaguar.stc.json: clusters[0] (id 'c'): found pages that are not in" in err
        assert "'p77', 'p88'" in err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--level", "7"], "levels: found '7'; expected one of 1, 2, all"),
            (["--level", "one"], "levels: found 'one'; expected one of 1, 2, all"),
            (["--family", "pairs"], "family: found 'pairs'"),
            (["-m", "ari", "--level", "all"], "measure 'ari' on level all"),
            (["--overlap", "last"], "argument --overlap: invalid choice"),
            (["--explain", "--format", "csv"], "--format table or json"),
            (["-m", "ari", "--all"], "not allowed with argument"),
        ],
    )
    def test_wrong_options_are_reported(self, run, jaguar, options, message):
        assert message in self.refused(run, "score", *jaguar, *options)

    def test_missing_command_is_an_error(self, run):
        assert "usage:" in self.refused(run)


class TestCheck:
    def test_valid_gold_standard_is_summarised(self, run, jaguar):
        assert run("check", jaguar[0]) == (
            0,
            "jaguar.gold.json: 10 pages, 2 levels, 4 topics, 2 outliers; no rule is broken\n",
            "",
        )

    def test_warnings_do_not_cause_failure(self, run, jaguar):
        topics = [{"id": "t", "name": "T", "pages": [f"p{number}" for number in range(1, 10)]}]
        topics.append({"id": "one", "name": "One", "pages": ["p1"]})
        edit(jaguar[0], topics=topics, outliers=["p10"])
        status, out, _ = run("check", jaguar[0])
        assert status == 0
        assert "warning: jaguar.gold.json: topics[1]" in out

    def test_all_broken_rules_are_reported(self, run, jaguar):
        edit(jaguar[0], outliers=["p9", "p1"])
        status, out, err = run("check", jaguar[0])
        assert (status, out) == (2, "")
        assert "R1" in err
        assert "R2" in err

    def test_completion_is_reported(self, run, jaguar):
        edit(jaguar[0], outliers=["p9"])
        status, out, _ = run("check", jaguar[0], "--completion", "complete")
        assert status == 0
        assert out.startswith("completed: 1 page")


class TestList:
    def test_json_has_every_property(self, run):
        facts = json.loads(run("list", "--format", "json")[1])
        assert [found["key"] for found in facts] == [found.key for found in REGISTRY.all()]
        ari = next(found for found in facts if found["key"] == "ari")
        assert (ari["range"], ari["better"], ari["symmetric"], ari["accepts"]) == (
            [-1.0, 1.0],
            "higher",
            True,
            ["partition"],
        )

    def test_table_has_a_row_per_measure(self, run):
        lines = run("list")[1].splitlines()
        lines = lines[: lines.index("")]
        assert len(lines) == len(REGISTRY.all()) + len(REGISTRY.families())
        assert [line for line in lines if not line.startswith(" ")] == [found.title for found in REGISTRY.families()]


class TestAsAProgram:
    def test_it_runs_without_the_web_site(self, jaguar):
        code = (
            "import sys, runpy; sys.argv[1:] = sys.argv[2:]\n"
            "try: runpy.run_module('qc4', run_name='__main__')\n"
            "finally: assert not {'django', 'celery'} & set(sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "-", "score", *jaguar, "-m", "qc4", "--format", "json"],
            cwd=ROOT,
            capture_output=True,
            env={"PATH": "", "PYTHONIOENCODING": "ascii"},
            check=True,
        )
        assert json.loads(done.stdout.decode("utf-8"))["query"] == "=jaguar"

    def test_bad_input_has_exit_status_2(self, tmp_path):
        done = subprocess.run(
            [sys.executable, "-m", "qc4", "check", str(tmp_path / "none.json")], cwd=ROOT, capture_output=True
        )
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"none.json" in done.stderr

    @pytest.mark.parametrize("arguments", [("list",), ("list", "--format", "json"), ("score", "--help")])
    def test_closed_pipe_ends_the_command_quietly(self, arguments):
        """As in ``qc4 list | head -1``: the reader has stopped before everything is written."""
        ours, theirs = os.pipe()
        os.close(ours)
        with os.fdopen(theirs, "wb") as output:
            command = [sys.executable, "-m", "qc4", *arguments]
            done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (0, b"")


class TestDocumentation:
    text = (ROOT / "docs" / "users" / "command-line.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize("command", ["score", "alike", "check", "list", "stream"])
    def test_every_option_is_documented(self, run, command):
        status, out, _ = run(command, "--help")
        assert status == 0
        options = set(re.findall(r"(?<!\S)--?[a-z]+", out)) - {"-h", "--help", "--measures"}
        assert {option for option in options if not re.search(rf"{option}\b", self.text)} == set()

    def test_every_family_is_documented(self):
        assert [family.key for family in REGISTRY.families() if f"`{family.key}`" not in self.text] == []


class TestAlike:
    @pytest.fixture
    def two(self, jaguar, tmp_path):
        other = tmp_path / "other.json"
        clusters = [{"id": "a", "pages": ["p1", "p2", "p5"]}, {"id": "b", "pages": ["p6", "p7", "p8"]}]
        document = {"format": "qc4-clustering/1", "query": "=jaguar", "algorithm": "Lingo", "clusters": clusters}
        other.write_text(json.dumps(document), encoding="utf-8")
        return jaguar[1], str(other)

    def test_json_equals_the_object_in_python(self, run, jaguar, two):
        from qc4 import compare_clusterings, read_clustering

        sides = [read_clustering(path) for path in two]
        status, out, err = run("alike", *two, "--format", "json")
        assert status == 0
        assert "other.json: found 4 pages of the first that are in no cluster: 'p3', 'p4', 'p9', 'p10'" in err
        assert json.loads(out) == compare_clusterings(*sides).to_dict()
        options = ["--pages", jaguar[0], "-m", "ari,vi", "--unclustered", "together", "--unit", "bits"]
        pages = [f"p{number}" for number in range(1, 11)]
        expected = compare_clusterings(*sides, ["ari", "vi"], {"unclustered": "together", "unit": "bits"}, pages)
        assert json.loads(run("alike", *two, *options, "--format", "json")[1]) == expected.to_dict()

    def test_the_table_has_one_column_of_values(self, run, two):
        lines = run("alike", *two, "--family", "overlap")[1].splitlines()
        assert lines[0] == f"10 pages, engine {ENGINE_VERSION}"
        assert lines[3].split() == ["value"]
        assert next(line for line in lines if line.startswith("  omega")).split()[2] == "↑"

    def test_csv_is_one_row_per_measure_in_full_precision(self, run, two):
        rows = list(csv.DictReader(io.StringIO(run("alike", *two, "-m", "ari,omega", "--format", "csv")[1])))
        found = json.loads(run("alike", *two, "-m", "ari,omega", "--format", "json")[1])
        assert [(row["measure"], float(row["value"])) for row in rows] == [
            (score["measure"], score["value"]) for score in found["scores"]
        ]
        assert {(row["pages"], row["unclustered"]) for row in rows} == {("10", "singletons")}

    def test_query_option_is_needed_if_files_share_several_queries(self, run, tmp_path):
        for name in ("one", "two"):
            answers = [
                {"query": query, "clusters": [{"id": "c", "pages": [f"{query}1", f"{query}2"]}]} for query in "xy"
            ]
            document = {"format": "qc4-submission/1", "algorithm": name, "clusterings": answers}
            (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        both = str(tmp_path / "one.json"), str(tmp_path / "two.json")
        status, out, err = run("alike", *both)
        assert (status, out) == (2, "")
        assert err == (
            "error: one.json and two.json: found clusterings of 'x', 'y' in both; expected exactly one query in both. "
            "Name the query: --query NAME.\n"
        )
        assert run("alike", *both, "--query", "x", "-m", "rand")[0] == 0
        assert "expected a clustering of query 'z'" in run("alike", *both, "--query", "z")[2]

    def test_errors_name_their_file(self, run, jaguar, two, tmp_path):
        gold = json.loads(Path(jaguar[0]).read_text(encoding="utf-8"))
        edit(jaguar[0], pages=gold["pages"][:8], outliers=[])
        err = run("alike", *two, "--pages", jaguar[0])[2]
        assert err.startswith("error: jaguar.stc.json: clusters[2]")
        assert "'p9', 'p10'" in err

    @pytest.mark.parametrize("options", [("-m", "purity"), ("--family", "internal")])
    def test_measures_that_need_a_gold_standard_are_rejected(self, run, two, options):
        status, out, err = run("alike", *two, *options)
        assert (status, out) == (2, "")
        assert "symmetric" in err


class TestWhatIf:
    def test_json_equals_the_object_in_python(self, run, jaguar):
        from qc4 import read_clustering, read_gold
        from qc4.scoring.what_if import Changes, what_if

        options = ["--drop", "c2", "--clean", "大型猫", "-m", "qc4_f,ari", "--level", "1", "--overlap", "first"]
        status, out, err = run("what-if", *jaguar, *options, "--format", "json")
        assert (status, err) == (0, "")
        changes = Changes(drop=("c2",), clean=("大型猫",))
        gold, clustering = read_gold(jaguar[0]), read_clustering(jaguar[1])
        found = what_if(gold, clustering, changes, ["qc4_f", "ari"], 1, {"overlap": "first"})
        assert json.loads(out) == found.to_dict()

    def test_table_has_a_sentence_and_changes_by_measure_cluster_and_topic(self, run, jaguar):
        status, out, _ = run("what-if", *jaguar, "--complete", "大型猫")
        assert status == 0
        lines = out.splitlines()
        assert lines[0].startswith("One cluster given the missing pages: QC4-F rises from ")
        rows = {row[0]: row[1:] for row in map(str.split, lines) if len(row) > 3}
        assert rows["大型猫"] == ["3", "4", "0.8909", "1.0000", "+.1091"]
        assert rows["c2"][:2] == ["5", "4"]
        assert rows["cats"][1] == "1.0000"

    def test_without_a_change_each_cluster_is_dropped_alone(self, run, jaguar):
        lines = run("what-if", *jaguar)[1].splitlines()
        assert lines[0].split() == ["without", "QC4-F", "Quality", "Coverage"]
        assert {line.split()[0] for line in lines[1:]} == {"c2", "大型猫"}

    def test_unknown_cluster_is_rejected(self, run, jaguar):
        status, out, err = run("what-if", *jaguar, "--drop", "c3")
        assert (status, out) == (2, "")
        assert "'c3'" in err
        assert "'大型猫', 'c2'" in err

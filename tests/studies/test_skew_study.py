"""The skew study: its data sets, and the paper's claims about its indices."""

import csv
import io
import json
import re
from functools import cache

import numpy as np
import pytest

from studies.__main__ import main
from studies.skew.data import NOISE, data_sets
from studies.skew.study import INDICES, run
from tests.paths import DOCS

DATA_SETS = [data.key for data in data_sets()]
SKEWED = [data.key for data in data_sets() if max(data.sizes) > 2 * min(data.sizes)]


@cache
def study():
    """Return the whole study. It runs once, when a test first needs it."""
    return run()


class TestData:
    @pytest.mark.parametrize("data", data_sets(), ids=lambda data: data.key)
    def test_data_sets_have_the_declared_sizes_and_noise(self, data):
        assert data.points.shape == (data.classes.size, 2)
        assert np.isfinite(data.points).all()
        assert data.sizes[0] == max(data.sizes)
        assert data.sizes[-1] == min(data.sizes)
        assert (data.classes == NOISE).any() == data.key.endswith("noisy")

    def test_same_seed_gives_the_same_data_and_results(self):
        assert (data_sets(1)[0].points == data_sets(1)[0].points).all()
        assert (data_sets(1)[0].points != data_sets(2)[0].points).any()
        assert run().to_dict() == study().to_dict()

    def test_data_sets_include_skew_noise_and_shapes(self):
        assert len(SKEWED) >= 6
        assert {"moons", "ring", "stripes", "skewed-three-noisy", "moons-noisy", "balanced"} <= set(study().titles)


class TestClaims:
    @pytest.mark.parametrize("data_set", DATA_SETS)
    def test_classes_themselves_have_the_best_value_of_every_external_index(self, data_set):
        values = study().row(data_set, "classes").values
        assert [values[key] for key in INDICES if key != "stdi"] == [1.0] * (len(INDICES) - 1)

    @pytest.mark.parametrize("data_set", SKEWED)
    @pytest.mark.parametrize("clustering", ["one cluster", "single points apart"])
    def test_s2_and_ps2_are_low_if_nearly_all_points_are_in_one_cluster(self, data_set, clustering):
        """Accuracy is at least the proportion of the largest class, however useless the clustering is."""
        values = study().row(data_set, clustering).values
        assert max(values["s2"], values["ps2"]) < 0.02
        assert values["accuracy"] > 0.6

    @pytest.mark.parametrize("data_set", SKEWED)
    def test_accuracy_prefers_one_cluster_to_a_halved_class_but_s2_and_ps2_do_not(self, data_set):
        one, halved = (study().row(data_set, name).values for name in ("one cluster", "largest class halved"))
        assert one["accuracy"] > halved["accuracy"]
        assert one["s2"] < halved["s2"]
        assert one["ps2"] < halved["ps2"]

    @pytest.mark.parametrize("data_set", ["balanced", "skewed-two", "skewed-three", "dense-and-wide"])
    def test_stdi_prefers_round_classes_to_the_skewed_clusterings(self, data_set):
        classes = study().row(data_set, "classes").values["stdi"]
        for name in ("one cluster", "single points apart", "smallest class lost", "largest class halved", "shuffled"):
            assert study().row(data_set, name).values["stdi"] < classes


class TestOutput:
    @pytest.fixture(autouse=True)
    def seeds(self, monkeypatch):
        """The seeds of the calls of the study, which is replaced by the cached one."""
        asked: list[int] = []
        monkeypatch.setattr("studies.skew.command.run", lambda seed: asked.append(seed) or study())
        return asked

    def output(self, capsys, *arguments):
        assert main(["skew", *arguments]) == 0
        return capsys.readouterr().out

    def test_json(self, capsys):
        assert json.loads(self.output(capsys, "--format", "json")) == json.loads(json.dumps(study().to_dict()))

    def test_csv_has_full_precision(self, capsys):
        rows = list(csv.DictReader(io.StringIO(self.output(capsys, "--format", "csv"))))
        assert len(rows) == len(study().rows)
        for row, expected in zip(rows, study().rows, strict=True):
            assert {key: float(row[key]) for key in INDICES} == expected.values

    def test_table_has_a_row_per_clustering_below_its_data_set(self, capsys):
        lines = self.output(capsys).splitlines()
        assert len(lines) == 1 + len(study().titles) + len(study().rows)
        assert lines[0].split() == ["clusters", *INDICES]

    def test_default_seed_is_0(self, capsys, seeds):
        self.output(capsys)
        self.output(capsys, "--seed", "7")
        assert seeds == [0, 7]


@pytest.mark.parametrize("seed", ["-1", "4294967296"])
def test_seed_out_of_range_is_an_error(capsys, seed):
    assert main(["skew", "--seed", seed]) == 2
    assert capsys.readouterr() == ("", f"error: seed: found {seed}; expected 0 to 4,294,967,295\n")


def test_documentation_quotes_the_study():
    text = (DOCS / "users" / "internal-measures.md").read_text("utf-8")
    quoted = {"the classes": "classes", "one cluster": "one cluster", "largest class halved": "largest class halved"}
    for title, name in quoted.items():
        row = re.search(rf"^\| {title} \| (.*) \|$", text, re.MULTILINE)
        assert row is not None
        numbers = [float(cell.replace("−", "-")) for cell in row[1].split(" | ")]
        values = study().row("skewed-two", name).values
        assert numbers == pytest.approx([values[key] for key in INDICES], abs=6e-4)

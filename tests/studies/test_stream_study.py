"""The stream study: its generator, the errors that it adds, and small versions of the CMM paper's experiments."""

import csv
import io
import sys
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4 import progress
from qc4.problems import InputError
from qc4.streams import GroundTruth
from studies.__main__ import main
from studies.streams.generator import ERROR_GENERATORS, STEP, GeneratorSettings, moving_clusters
from studies.streams.study import ERROR_HORIZONS, INTERVAL, evaluation_slices, stream_study


class TestGenerator:
    @given(st.integers(0, 5), st.integers(1, 3))
    def test_points_stay_in_the_cube_and_near_their_centre(self, seed, dimensions):
        stream = moving_clusters(GeneratorSettings(points=600, dimensions=dimensions, interval=50), seed)
        assert stream.points.min() >= 0
        assert stream.points.max() <= 1
        for label in range(6):
            here = stream.points[:50][stream.classes[:50] == label]
            assert np.all(np.linalg.norm(here[:, None] - here[None], axis=2) <= 0.15 + 1e-12)

    def test_centres_move_and_bounce_off(self):
        movement = GeneratorSettings(points=40_000, clusters=1, dimensions=1, radius=0.1, interval=100, noise=0)
        stream = moving_clusters(movement, seed=2)
        middle = stream.points.reshape(400, 100).mean(axis=1)
        assert middle.min() < 0.15
        assert middle.max() > 0.85
        steps = np.abs(np.diff(middle))
        assert np.median(steps) == pytest.approx(STEP, rel=0.2)

    def test_proportions_of_classes_and_noise(self):
        stream = moving_clusters(GeneratorSettings(points=20_000), seed=1)
        assert (stream.classes == -1).mean() == pytest.approx(0.1, abs=0.01)
        assert np.bincount(stream.classes[stream.classes >= 0]) == pytest.approx(np.full(6, 3_000), rel=0.1)

    def test_same_seed_gives_the_same_stream(self):
        one, two, other = (moving_clusters(GeneratorSettings(points=500), seed) for seed in (1, 1, 2))
        assert np.array_equal(one.points, two.points)
        assert not np.array_equal(one.points, other.points)

    def test_error_names_settings_out_of_range(self):
        with pytest.raises(InputError) as error:
            GeneratorSettings(points=0, radius=0.5, noise=2)
        assert [problem.where for problem in error.value.problems] == ["points", "radius", "noise"]


class TestFlaws:
    def truth(self, *centres, radius=1.0):
        points = [[x + dx] for x in centres for dx in (-radius, 0, radius)]
        return GroundTruth.prepare(points, np.repeat(np.arange(len(centres)), 3))

    @pytest.mark.parametrize("flaw", ERROR_GENERATORS.values())
    def test_error_level_0_gives_the_ground_truth(self, flaw):
        truth = self.truth(0, 2.1, 9)
        found = [(ball.centre.tolist(), ball.radius) for ball in flaw(truth, 0, 0)]
        assert found == [(ball.centre.tolist(), ball.radius) for ball in truth.classes.balls]

    def test_join_merges_neighbours_only(self):
        """The gaps are 0.5 between the first two balls and 4 to the third."""
        truth = self.truth(0, 2.5, 8.5)
        assert len(ERROR_GENERATORS["join"](truth, 0.5, 0)) == 3
        (both, alone) = ERROR_GENERATORS["join"](truth, 0.51, 0)
        assert (both.centre.tolist(), both.radius) == ([1.25], 2.25)
        assert alone.centre.tolist() == [8.5]

    def test_overlapping_clusters_are_not_joined(self):
        assert len(ERROR_GENERATORS["join"](self.truth(0, 1.9), 1, 0)) == 2

    def test_radius_shrinks_every_ball(self):
        assert [ball.radius for ball in ERROR_GENERATORS["radius"](self.truth(0, 5), 0.25, 0)] == [0.75, 0.75]

    def test_higher_levels_remove_more_clusters(self):
        truth = self.truth(0, 5, 10, 15)
        left = [
            {float(ball.centre[0]) for ball in ERROR_GENERATORS["remove"](truth, level, 3)} for level in (0.25, 0.5, 1)
        ]
        assert [len(found) for found in left] == [3, 2, 0]
        assert left[1] < left[0]


@pytest.fixture(scope="module")
def truths():
    """Horizon -> ground truth at every evaluation of a stream of 60,000 points."""
    stream = moving_clusters(GeneratorSettings(points=60_000, interval=INTERVAL), seed=0)
    return {
        horizon: [
            GroundTruth.prepare(stream.points[part], stream.classes[part])
            for part in evaluation_slices(stream, horizon)
        ]
        for horizon in ERROR_HORIZONS
    }


@pytest.mark.parametrize("horizon", ERROR_HORIZONS)
class TestErrorLevels:
    """The directions of the paper's Fig. 9."""

    levels = (0, 0.25, 0.5, 0.75, 1)

    def medians(self, truths, flaw, part="cmm", **options):
        return [
            np.median(
                [
                    getattr(truth.measure(ERROR_GENERATORS[flaw](truth, level, n), **options), part)
                    for n, truth in enumerate(truths)
                ]
            )
            for level in self.levels
        ]

    @pytest.mark.parametrize("flaw", ERROR_GENERATORS)
    def test_cmm_is_1_without_error_and_never_rises_with_the_level(self, truths, horizon, flaw):
        values = self.medians(truths[horizon], flaw)
        assert values[0] == 1
        assert all(later <= earlier for earlier, later in pairwise(values))
        assert values[-1] < 0.8

    def test_joined_clusters_lower_the_misplaced_and_noise_components(self, truths, horizon):
        assert self.medians(truths[horizon], "join", "missed") == [1] * 5
        assert self.medians(truths[horizon], "join", "misplaced")[-1] < 0.9
        assert self.medians(truths[horizon], "join", "noise")[-1] < 1

    def test_discount_helps_shrunk_clusters_more_than_removed_ones(self, truths, horizon):
        for flaw, least, most in (("radius", 0.15, 1), ("remove", 0, 0.15)):
            refined = self.medians(truths[horizon], flaw, "missed")[2]
            plain = self.medians(truths[horizon], flaw, "missed", refine_missed=False)[2]
            assert least <= refined - plain <= most


class TestStudy:
    def test_short_stream_has_values_for_every_figure(self):
        values = stream_study(points=5_000, seed=1)
        panels = {value.figure for value in values}
        assert panels == {"6a", "6b", "6c", "6d", "7a", "7b", "7c", "7d", *(f"9{letter}" for letter in "acegik")}
        assert {value.median for value in values if (value.figure, value.measure) == ("6b", "CMM")} == {1}
        # Other measures do not score the ground truth 1.
        assert min(value.median for value in values if value.figure == "6d") < 1


class TestCommandLine:
    def test_command_writes_values_and_figures_and_shows_progress(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setattr(sys, "stderr", terminal := io.StringIO())
        monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
        assert main(["streams", str(tmp_path / "new"), "--points", "5000", "--seed", "3"]) == 0
        assert "python -m studies streams █" in terminal.getvalue()
        assert "figures 7 and 9: cluster remove, horizon" in terminal.getvalue()
        assert "33/33" in terminal.getvalue()
        written = capsys.readouterr().out.split()
        names = ["values.csv", "figure-6.svg", "figure-7.svg", "figure-9.svg"]
        assert written == [str(tmp_path / "new" / name) for name in names]
        with open(written[0], encoding="utf-8") as file:
            assert all(np.isfinite(float(row["median"])) for row in csv.DictReader(file))
        for path in written[1:]:
            root = ElementTree.parse(path).getroot()
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            lines = [part for part in root.iter("{http://www.w3.org/2000/svg}path") if part.get("stroke-dasharray")]
            assert len(lines) > 4  # dashes distinguish lines in greyscale

    @pytest.mark.parametrize(
        ("options", "message"),
        [(["--points", "10"], "--points: found 10"), (["--interval", "0", "--seed", "-1"], "--seed: found -1")],
    )
    def test_options_out_of_range_are_errors(self, tmp_path, capsys, options, message):
        assert main(["streams", str(tmp_path), *options]) == 2
        assert message in capsys.readouterr().err

    def test_error_if_the_directory_is_a_file(self, tmp_path, capsys):
        (tmp_path / "file").write_text("")
        assert main(["streams", str(tmp_path / "file"), "--points", "5000"]) == 2
        assert "a directory to write to" in capsys.readouterr().err

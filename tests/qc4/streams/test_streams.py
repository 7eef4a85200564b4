"""Streams: the horizon, and runs over time."""

import csv
import json

import numpy as np
import pytest

from qc4.cli import main
from qc4.problems import InputError
from qc4.streams import cmm
from qc4.streams.flat import external_values, internal_values, one_cluster_each
from qc4.streams.inputs import checked_clusters
from qc4.streams.series import Snapshot, measure_stream
from qc4.streams.stream import Decay, LastPoints, Stream
from qc4.version import ENGINE_VERSION


class TestHorizon:
    times = np.array([0.0, 1, 2, 3, 4])

    def test_weights_halve_after_the_half_life(self):
        kept, weights = Decay(decay=0.5, threshold=0.5).select(self.times, 4)
        assert kept.tolist() == [2, 3, 4]
        assert weights == pytest.approx([0.5, 2**-0.5, 1])

    def test_other_bases(self):
        assert Decay(1, 0.01, beta=10).select(self.times, 2)[1] == pytest.approx([0.01, 0.1, 1])

    def test_future_points_are_not_in_the_horizon(self):
        assert Decay(0, 1).select(self.times, 1.5)[0].tolist() == [0, 1]
        assert LastPoints(2).select(self.times, 2)[0].tolist() == [1, 2]

    def test_the_last_points_have_equal_weights(self):
        kept, weights = LastPoints(3).select(self.times, 10)
        assert (kept.tolist(), weights.tolist()) == ([2, 3, 4], [1, 1, 1])

    def test_settings_out_of_range_are_reported(self):
        with pytest.raises(InputError) as error:
            Decay(-1, 0, 1)
        assert [problem.where for problem in error.value.problems] == ["decay", "threshold", "beta"]
        with pytest.raises(InputError, match="count: found 0"):
            LastPoints(0)


class TestRun:
    stream = Stream.of([[0], [1], [2], [10], [11], [12]], [0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5])

    def test_each_clustering_is_measured_on_the_horizon_of_its_time(self):
        run = [Snapshot(2, [[0, 1, 2]]), Snapshot(5, [[0, 1, 2], [3, 4]]), Snapshot(5, [[3, 4, 5]])]
        series = measure_stream(self.stream, run, LastPoints(3))
        assert [moment.points for moment in series.moments] == [3, 3, 3]
        missed = cmm([[10], [11], [12]], [1, 1, 1], [[0, 1]])
        assert series.values("cmm") == [1, missed.cmm, 1]
        assert series.medians["cmm"] == 1

    def test_decay_weights_points(self):
        series = measure_stream(self.stream, [Snapshot(5, [([1], 1), ([10.5], 0.5)])], Decay(1, 0.01))
        weights = 2.0 ** -np.arange(5, -1, -1)
        expected = cmm(self.stream.points, self.stream.classes, [([1], 1), ([10.5], 0.5)], weights)
        assert series.values("cmm") == [expected.cmm]

    def test_flat_measures_are_included(self):
        series = measure_stream(self.stream, [Snapshot(5, [[0, 1, 2], [3, 4, 5]])], LastPoints(6))
        values = series.moments[0].values
        assert {values[key] for key in ("ari", "purity", "f_zaki", "v_measure", "van_dongen", "vi")} == {1}
        assert values["ssq"] == pytest.approx(4)
        assert json.dumps(series.to_dict(), allow_nan=False)

    def test_before_the_first_point_values_are_undefined(self):
        series = measure_stream(self.stream, [Snapshot(-1, []), Snapshot(0, [[0]])], LastPoints(3))
        assert "no point has arrived yet" in series.moments[0].undefined
        assert series.values("cmm") == [1]

    @pytest.mark.parametrize(
        ("run", "message"),
        [
            ([Snapshot(3, []), Snapshot(2, [])], "snapshots: row 2: found 2 after 3"),
            ([Snapshot(2, [[0], [4]])], r"snapshots: row 1: clusters\[1\]: found point 4; expected points that had"),
            ([Snapshot(2, []), Snapshot(5, [[9]])], r"snapshots: row 2: clusters\[0\]: found point 9"),
        ],
    )
    def test_invalid_runs(self, run, message):
        with pytest.raises(InputError, match=message):
            measure_stream(self.stream, run, LastPoints(3))


class TestSizeOfARun:
    def test_horizons_estimate_their_number_of_points(self):
        times = np.sort(np.random.default_rng(0).random(200) * 50)
        moments = np.array([-1.0, 0, 3, 10, 25, 50, 90])
        for horizon in (LastPoints(30), Decay(0.1, 0.3), Decay(0, 1), Decay(0.5, 0.01, beta=3)):
            assert horizon.sizes(times, moments).tolist() == [horizon.select(times, now)[0].size for now in moments]

    def test_a_run_with_too_much_work_is_rejected_before_it_begins(self):
        stream = Stream.of(np.zeros((20_000, 20)), np.zeros(20_000, dtype=int), np.arange(20_000))
        run = [Snapshot(19_999, []) for _ in range(500)]
        done = []
        with pytest.raises(
            InputError,
            match=r"snapshots: found 4,000,000,000,000 points x points x dimensions \(500 clusterings on up to 20,000 "
            r"points of 20 dimensions in 1 class\); expected at most 1,200,000,000,000, because",
        ):
            measure_stream(stream, run, LastPoints(20_000), progress=lambda *parts: done.append(parts))
        assert done == []
        assert measure_stream(stream, run[:1], LastPoints(10), flat=False).moments[0].points == 10


class TestFlatMeasures:
    def test_overlapping_points_go_to_the_cluster_they_are_deepest_in(self):
        points = np.array([[0.0], [1], [2], [3], [9]])
        clusters = checked_clusters([([1.5], 1.5), ([2.5], 1)], points)
        assert one_cluster_each(points, clusters).tolist() == [0, 0, 0, 1, -1]

    def test_noise_is_a_class_and_unassigned_points_a_cluster(self):
        assert external_values(np.array([0, 0, -1]), np.array([0, 0, -1]))["ari"] == 1

    def test_without_clusters_internal_measures_are_undefined_with_a_reason(self):
        values, reasons = internal_values(np.zeros((3, 1)), [], np.full(3, -1))
        assert values == {}
        nothing = "no point is in a cluster"
        assert reasons == {"ssq": "there is no cluster", "silhouette": nothing, "c_index": nothing}

    def test_ssq_uses_the_nearest_centre_of_every_point(self):
        points = np.array([[0.0], [1], [4], [9]])
        clusters = checked_clusters([([0], 1), ([10], 1)], points)
        values, _ = internal_values(points, clusters, one_cluster_each(points, clusters))
        assert values["ssq"] == 0 + 1 + 16 + 1


class TestStreamCommand:
    """``python -m qc4 stream``: six points in two classes, measured after three and after six arrivals."""

    @pytest.fixture
    def files(self, tmp_path):
        points, run = tmp_path / "pipe.csv", tmp_path / "run.json"
        rows = [(0, "a", 0), (1, "a", 1), (2, "a", 2), (3, "=b", 10), (4, "=b", 11), (5, "=b", 12)]
        points.write_text("time,class,x1\n" + "".join(f"{time},{label},{x}\n" for time, label, x in rows))
        snapshots = [
            {"time": -1, "clusters": []},
            {"time": 2, "clusters": [{"id": "1", "points": [0, 1, 2]}]},
            {"time": 5, "clusters": [{"id": "2", "points": [3, 4]}]},
        ]
        head = {"format": "qc4-stream-clustering/1", "stream": "pipe", "algorithm": "Den\u202eStream"}
        run.write_text(json.dumps(head | {"snapshots": snapshots}))
        return [str(points), str(run)]

    def test_json_contains_the_series_and_its_medians(self, files, capsys):
        assert main(["stream", *files, "--last", "3", "--format", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        missed = cmm([[10], [11], [12]], [1, 1, 1], [[0, 1]]).cmm
        assert [moment["values"].get("cmm") for moment in answer["moments"]] == [None, 1, missed]
        assert answer["medians"]["cmm"] == pytest.approx((1 + missed) / 2)
        assert answer["settings"] == {"last": 3, "k": 2, "tau": 0.5}
        assert (answer["stream"], answer["algorithm"], answer["engine"]) == ("pipe", "Den\u202eStream", ENGINE_VERSION)

    def test_csv_has_a_row_per_time_step_and_the_medians(self, files, capsys):
        assert main(["stream", *files, "--decay", "0.5", "--threshold", "0.2", "--format", "csv"]) == 0
        rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
        assert [row["time"] for row in rows] == ["-1.0", "2.0", "5.0", "median"]
        assert [row["points"] for row in rows] == ["0", "3", "5", ""]
        assert "no point" in rows[0]["undefined"]
        values = [float(row["cmm"]) for row in rows[1:3]]
        assert float(rows[3]["cmm"]) == pytest.approx(np.mean(values))

    def test_the_table_shows_medians_and_reasons(self, files, capsys):
        assert main(["stream", *files, "--no-flat"]) == 0
        text = capsys.readouterr().out
        assert "Stream pipe, Den\\u202eStream: last 1000, k 2, tau 0.5" in text
        assert [line.split()[0] for line in text.splitlines()[2:7]] == ["time", "-1", "2", "5", "median"]
        assert "(1) undefined: no point has arrived yet" in text
        assert "purity" not in text

    @pytest.mark.parametrize(
        ("options", "messages"),
        [
            (["--last", "0"], ["count: found 0"]),
            (["--last", "1", "--decay", "1"], ["--last and --decay; expected --last, or --decay together"]),
            (["--decay", "1"], ["found --decay;"]),
            (
                ["--decay", "-1", "--threshold", "2", "--k", "0"],
                ["decay: found -1", "threshold: found 2", "k: found 0"],
            ),
        ],
    )
    def test_invalid_options(self, files, capsys, options, messages):
        assert main(["stream", *files, *options]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert all(message in output.err for message in messages)

    def test_invalid_files(self, files, tmp_path, capsys):
        (tmp_path / "run.json").write_text((tmp_path / "run.json").read_text().replace("[3, 4]", "[3, 9]"))
        assert main(["stream", *files]) == 2
        assert "run.json: snapshots[2].clusters[0].points: found points 9" in capsys.readouterr().err
        assert main(["stream", "missing.csv", files[1]]) == 2

    def test_noise_before_any_class_causes_no_error(self, tmp_path, capsys):
        (tmp_path / "n.csv").write_text("time,class,x1\n0,,1\n1,,2\n")
        (tmp_path / "r.csv").write_text("time,cluster,radius,c1\n1,a,1,9\n")
        assert main(["stream", str(tmp_path / "n.csv"), str(tmp_path / "r.csv"), "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["medians"]["cmm"] == 1

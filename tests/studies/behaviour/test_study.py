"""The study's promises: what Table 1 prints, what we find, and a reason wherever they differ."""

import json
from dataclasses import replace

import pytest

from qc4.measures.registry import REGISTRY
from qc4.scoring.scoring import FROM_FILES
from studies.behaviour import GROUPS, catalogue_columns, paper_columns, run_study, stored, stored_study
from studies.behaviour.study import EXPLANATIONS, printed

PAPER = [column.key for column in paper_columns()]
TABLE_1 = [group.key for group in GROUPS if group.origin == "table 1"]


class TestPrintedTable:
    """Read off the text copy of the paper, row by row; what the paper says about its table in words agrees."""

    def test_it_has_13_columns_and_8_rows(self):
        assert len(PAPER) == 13
        assert all(printed(group, column) is not None for group in TABLE_1 for column in PAPER)

    @pytest.mark.parametrize(
        ("group", "failing"),
        [
            ("overlapping-clusters", 12),
            ("hierarchical-clusterings", 12),
            ("perfect-clustering", 3),
            ("separate-measures", 8),
            ("large-bias", 8),
            ("small-bias", 12),
            ("random-clustering", 7),
            ("split-cluster", 11),
        ],
    )
    def test_as_many_columns_fail_as_the_text_says(self, group, failing):
        assert sum(not printed(group, column) for column in PAPER) == failing

    def test_the_9th_column_fails_seven(self):
        assert PAPER[8] == "WP"
        assert sum(not printed(group, "WP") for group in TABLE_1) == 7

    def test_nothing_is_printed_for_other_groups_and_columns(self):
        assert printed("rag-bag", "QC4") is None
        assert printed("split-cluster", "ari@coarsest") is None


class TestAgainstTheTable:
    @pytest.mark.parametrize("group", TABLE_1)
    def test_qc4_passes_every_case(self, study, group):
        assert {verdict.case: verdict.reasons for verdict in study.cell(group, "QC4").verdicts if verdict.reasons} == {}

    def test_exactly_the_differing_cells_are_explained(self, study):
        assert {(cell.group, cell.column) for cell in study.differing} == set(EXPLANATIONS)

    def test_every_printed_cell_is_compared(self, study):
        assert len(study.compared) == 8 * 13

    def test_the_paper_columns_have_a_value_on_every_case(self, study):
        statuses = {study.cell(group.key, column).status for group in GROUPS for column in PAPER}
        assert statuses == {"passed", "failed"}


class TestWhatIsKnown:
    @pytest.mark.parametrize("group", [group.key for group in GROUPS if group.origin == "amigó"])
    def test_bcubed_f_meets_the_four_constraints(self, study, group):
        """The result of Amigó et al. 2009."""
        assert study.cell(group, "bcubed_f@coarsest").status == "passed"

    @pytest.mark.parametrize("group", [group.key for group in GROUPS if group.origin == "amigó"])
    def test_so_does_f_of_reliability_and_sensitivity(self, study, group):
        """The result of Amigó, Gonzalo & Verdejo 2013."""
        assert study.cell(group, "reliability_sensitivity_f@coarsest").status == "passed"

    def test_reduced_mutual_information_does_not_prefer_many_small_clusters(self, study):
        """The result of Newman, Cantwell & Young 2020."""
        assert study.cell("small-bias", "nrmi@coarsest").status == "passed"
        assert study.cell("small-bias", "nmi_arithmetic@coarsest").status == "failed"

    @pytest.mark.parametrize("key", ["rand", "jaccard", "fowlkes_mallows", "pair_f1"])
    def test_pair_counting_fails_size_against_quantity(self, study, key):
        """Amigó et al. 2009: pairs grow with the square of a cluster's size."""
        assert study.cell("size-quantity", f"{key}@coarsest").status == "failed"

    @pytest.mark.parametrize("key", ["purity", "bcubed_precision", "homogeneity"])
    def test_purity_alone_cannot_see_a_split(self, study, key):
        assert study.cell("split-cluster", f"{key}@coarsest").status == "failed"

    def test_duplicated_ideal_clusters_still_score_1_under_qc4(self, study):
        verdict = study.cell("known-limits", "QC4").verdicts[0]
        assert verdict.case == "limits-duplicates"
        assert [score.value for score in verdict.scores["twice"]] == [1.0, 1.0]

    def test_qc4_passes_no_known_limit(self, study):
        """A limit that is one no more belongs to another group."""
        assert {verdict.status for verdict in study.cell("known-limits", "QC4").verdicts} == {"failed"}

    @pytest.mark.parametrize("key", ["edge_f1@whole", "triplet_agreement@whole"])
    def test_measures_of_trees_tell_what_lies_in_what(self, study, key):
        assert study.cell("trees", key).status == "passed"

    @pytest.mark.parametrize("key", ["label_term_p@whole", "label_term_f@whole", "label_exact_f@whole"])
    def test_measures_of_labels_tell_exchanged_labels(self, study, key):
        assert study.cell("labels", key).status == "passed"

    def test_measures_of_sets_tell_neither_nesting_nor_labels(self, study):
        sets = (*PAPER, "bcubed_f@finest", "ecs_hierarchy@whole")
        assert {study.cell(group, key).status for group in ("trees", "labels") for key in sets} == {"failed"}

    @pytest.mark.parametrize("key", ["tree_f", "dendrogram_purity", "ancestor_f1", "hmi", "triplet_agreement"])
    def test_exchanged_subtopics_score_less_in_every_measure_of_trees(self, study, key):
        reading = "coarsest" if key == "dendrogram_purity" else "whole"
        verdict = study.cell("hierarchical-clusterings", f"{key}@{reading}").verdicts[-1]
        assert (verdict.case, verdict.status) == ("hierarchy-swapped", "passed")

    def test_measures_of_partitions_are_undefined_on_overlap_with_the_reason(self, study):
        cell = study.cell("overlapping-clusters", "ari@coarsest")
        assert cell.status == "undefined"
        assert "more than one" in cell.verdicts[0].reasons[0]


class TestCatalogue:
    def test_every_external_measure_is_there(self, study):
        external = {
            found.key for found in REGISTRY.all() if "gold topics" in found.needs and set(found.needs) <= FROM_FILES
        }
        assert {part.measure for column in study.columns for part in column.parts} == external

    def test_column_keys_are_unique(self):
        keys = [column.key for column in (*paper_columns(), *catalogue_columns())]
        assert len(set(keys)) == len(keys)

    def test_a_single_number_fails_to_separate(self, study):
        single = [column.key for column in study.columns if len(column.sides) == 1]
        assert "passed" not in {study.cell("separate-measures", key).status for key in single}

    def test_a_new_measure_joins_by_itself(self):
        with REGISTRY.temporary():
            known = REGISTRY.get("qc4")
            REGISTRY.add(replace(known, key="qc5", title="QC5"))
            assert "qc5@whole" in [column.key for column in catalogue_columns()]


class TestResult:
    # That it is the same every time is seen in `test_report.py`, where the command computes it anew.
    def test_it_is_json(self, study):
        found = json.loads(json.dumps(study.to_dict(), allow_nan=False))
        assert found["agreement"] == {"compared": 104, "differing": len(EXPLANATIONS)}
        assert len(found["cells"]) == len(GROUPS) * len(found["columns"])

    def test_a_case_holds_what_a_picture_and_a_table_need(self, study):
        group = next(group for group in study.to_dict()["groups"] if group["key"] == "hierarchical-clusterings")
        case = group["cases"][0]
        assert case["order"][0] == ["coarse", "fine", "mixed", "both"]
        assert {topic["parent"] for topic in case["topics"]} == {None, "A", "B"}
        assert case["topics"][0]["pages"] == [str(page) for page in range(40)]
        assert case["clusterings"][0]["clusters"][2] == [str(page) for page in range(70, 100)]
        scores = {(score["measure"], score["reading"]): score for score in case["scores"]["fine"]}
        assert scores["quality", "whole"]["value"] == 1.0
        assert scores["ari", "finest"]["level"] == 2

    def test_a_side_is_the_mean_of_its_parts(self, study):
        verdict = study.cell("split-cluster", "AP+WP+AR+WR").verdicts[0]
        parts = {
            part.measure: score.value
            for part, score in study.cases[verdict.case].scores["halves"].items()
            if part.reading == "all"
        }
        quality, coverage = verdict.scores["halves"]
        assert quality.value == pytest.approx((parts["ap"] + parts["wp"]) / 2)
        assert coverage.value == pytest.approx((parts["ar"] + parts["wr"]) / 2)

    def test_some_columns_and_groups_alone(self):
        found = run_study(paper_columns()[:1], GROUPS[:1])
        assert [*found.cells] == [("overlapping-clusters", "QC4")]


class TestStoredScores:
    """The scores that come with the engine, which pages show without computing a measure."""

    def test_they_are_what_computing_gives(self, study):
        assert stored.read() is not None, "outdated: make study"
        shown = stored_study()
        for key, case in study.cases.items():
            for clustering, scores in case.scores.items():
                for part, score in scores.items():
                    kept = shown.cases[key].scores[clustering][part]
                    assert replace(kept, value=None) == replace(score, value=None)
                    near = None if score.value is None else pytest.approx(score.value, rel=1e-9, abs=1e-12)
                    assert kept.value == near
        assert shown.to_dict()["agreement"] == study.to_dict()["agreement"]

    def test_no_measure_is_computed_to_show_them(self, monkeypatch):
        monkeypatch.setattr("studies.behaviour.study.score_case", None)
        assert stored_study().cell("split-cluster", "QC4").status == "passed"

    @pytest.mark.parametrize("text", [None, "{", '{"stamp": "of another engine"}'])
    def test_outdated_or_missing_ones_are_not_used(self, tmp_path, text):
        file = tmp_path / "scores.json"
        if text:
            file.write_text(text)
        assert stored.read(file) is None

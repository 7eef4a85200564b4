"""The study agrees with the printed Table 1, except for cells with an explanation."""

import json
from dataclasses import replace

import pytest

from qc4.measures.registry import REGISTRY
from qc4.scoring.scoring import FROM_FILES
from studies.behaviour import GROUPS, catalogue_columns, paper_columns, run_study, stored, stored_study
from studies.behaviour.study import EXPLANATIONS, printed_cell

PAPER = [column.key for column in paper_columns()]
TABLE_1 = [group.key for group in GROUPS if group.origin == "table 1"]


class TestPrintedTable:
    """The printed cells agree with what the paper's text says about its table."""

    def test_table_has_13_columns_and_8_rows(self):
        assert len(PAPER) == 13
        assert all(printed_cell(group, column) is not None for group in TABLE_1 for column in PAPER)

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
    def test_number_of_failing_columns_agrees_with_the_text(self, group, failing):
        assert sum(not printed_cell(group, column) for column in PAPER) == failing

    def test_9th_column_fails_seven_groups(self):
        assert PAPER[8] == "WP"
        assert sum(not printed_cell(group, "WP") for group in TABLE_1) == 7

    def test_other_groups_and_columns_have_no_printed_cell(self):
        assert printed_cell("rag-bag", "QC4") is None
        assert printed_cell("split-cluster", "ari@coarsest") is None


class TestAgainstTheTable:
    @pytest.mark.parametrize("group", TABLE_1)
    def test_qc4_passes_every_case(self, study, group):
        assert {verdict.case: verdict.reasons for verdict in study.cell(group, "QC4").verdicts if verdict.reasons} == {}

    def test_explanations_cover_exactly_the_differing_cells(self, study):
        assert {(cell.group, cell.column) for cell in study.differing} == set(EXPLANATIONS)

    def test_all_printed_cells_are_compared(self, study):
        assert len(study.compared) == 8 * 13

    def test_paper_columns_have_a_value_for_every_case(self, study):
        statuses = {study.cell(group.key, column).status for group in GROUPS for column in PAPER}
        assert statuses == {"passed", "failed"}


class TestWhatIsKnown:
    @pytest.mark.parametrize("group", [group.key for group in GROUPS if group.origin == "amigó"])
    def test_bcubed_f_meets_the_four_constraints(self, study, group):
        """Amigó et al. 2009 report this."""
        assert study.cell(group, "bcubed_f@coarsest").status == "passed"

    @pytest.mark.parametrize("group", [group.key for group in GROUPS if group.origin == "amigó"])
    def test_f_of_reliability_and_sensitivity_meets_the_four_constraints(self, study, group):
        """Amigó, Gonzalo & Verdejo 2013 report this."""
        assert study.cell(group, "reliability_sensitivity_f@coarsest").status == "passed"

    def test_reduced_mutual_information_does_not_prefer_many_small_clusters(self, study):
        """Newman, Cantwell & Young 2020 report this."""
        assert study.cell("small-bias", "nrmi@coarsest").status == "passed"
        assert study.cell("small-bias", "nmi_arithmetic@coarsest").status == "failed"

    @pytest.mark.parametrize("key", ["rand", "jaccard", "fowlkes_mallows", "pair_f1"])
    def test_pair_counting_fails_size_against_quantity(self, study, key):
        """Amigó et al. 2009: the number of pairs grows with the square of a cluster's size."""
        assert study.cell("size-quantity", f"{key}@coarsest").status == "failed"

    @pytest.mark.parametrize("key", ["purity", "bcubed_precision", "homogeneity"])
    def test_purity_alone_does_not_detect_a_split(self, study, key):
        assert study.cell("split-cluster", f"{key}@coarsest").status == "failed"

    def test_duplicated_ideal_clusters_still_score_1_under_qc4(self, study):
        verdict = study.cell("known-limits", "QC4").verdicts[0]
        assert verdict.case == "limits-duplicates"
        assert [score.value for score in verdict.scores["twice"]] == [1.0, 1.0]

    def test_qc4_passes_no_known_limit(self, study):
        """If QC4 passes a case one day, the case belongs in another group."""
        assert {verdict.status for verdict in study.cell("known-limits", "QC4").verdicts} == {"failed"}

    @pytest.mark.parametrize("key", ["edge_f1@whole", "triplet_agreement@whole"])
    def test_tree_measures_detect_missing_nesting(self, study, key):
        assert study.cell("trees", key).status == "passed"

    @pytest.mark.parametrize("key", ["label_term_p@whole", "label_term_f@whole", "label_exact_f@whole"])
    def test_label_measures_detect_swapped_labels(self, study, key):
        assert study.cell("labels", key).status == "passed"

    def test_set_measures_ignore_nesting_and_labels(self, study):
        sets = (*PAPER, "bcubed_f@finest", "ecs_hierarchy@whole")
        assert {study.cell(group, key).status for group in ("trees", "labels") for key in sets} == {"failed"}

    @pytest.mark.parametrize("key", ["tree_f", "dendrogram_purity", "ancestor_f1", "hmi", "triplet_agreement"])
    def test_swapped_subtopics_lower_every_tree_measure(self, study, key):
        reading = "coarsest" if key == "dendrogram_purity" else "whole"
        verdict = study.cell("hierarchical-clusterings", f"{key}@{reading}").verdicts[-1]
        assert (verdict.case, verdict.status) == ("hierarchy-swapped", "passed")

    def test_partition_measures_are_undefined_on_overlap_with_a_reason(self, study):
        cell = study.cell("overlapping-clusters", "ari@coarsest")
        assert cell.status == "undefined"
        assert "more than one" in cell.verdicts[0].reasons[0]


class TestCatalogue:
    def test_columns_contain_every_external_measure(self, study):
        external = {
            found.key for found in REGISTRY.all() if "gold topics" in found.needs and set(found.needs) <= FROM_FILES
        }
        assert {part.measure for column in study.columns for part in column.parts} == external

    def test_column_keys_are_unique(self):
        keys = [column.key for column in (*paper_columns(), *catalogue_columns())]
        assert len(set(keys)) == len(keys)

    def test_single_measures_fail_the_group_separate_measures(self, study):
        single = [column.key for column in study.columns if len(column.sides) == 1]
        assert "passed" not in {study.cell("separate-measures", key).status for key in single}

    def test_new_measure_gets_a_column_automatically(self):
        with REGISTRY.temporary():
            known = REGISTRY.get("qc4")
            REGISTRY.add(replace(known, key="qc5", title="QC5"))
            assert "qc5@whole" in [column.key for column in catalogue_columns()]


class TestResult:
    # `test_report.py` checks that the result is reproducible.
    def test_result_is_valid_json(self, study):
        found = json.loads(json.dumps(study.to_dict(), allow_nan=False))
        assert found["agreement"] == {"compared": 104, "differing": len(EXPLANATIONS)}
        assert len(found["cells"]) == len(GROUPS) * len(found["columns"])

    def test_case_has_the_data_for_its_picture_and_table(self, study):
        group = next(group for group in study.to_dict()["groups"] if group["key"] == "hierarchical-clusterings")
        case = group["cases"][0]
        assert case["order"][0] == ["coarse", "fine", "mixed", "both"]
        assert {topic["parent"] for topic in case["topics"]} == {None, "A", "B"}
        assert case["topics"][0]["pages"] == [str(page) for page in range(40)]
        assert case["clusterings"][0]["clusters"][2] == [str(page) for page in range(70, 100)]
        scores = {(score["measure"], score["reading"]): score for score in case["scores"]["fine"]}
        assert scores["quality", "whole"]["value"] == 1.0
        assert scores["ari", "finest"]["level"] == 2

    def test_component_is_the_mean_of_its_measures(self, study):
        verdict = study.cell("split-cluster", "AP+WP+AR+WR").verdicts[0]
        parts = {
            part.measure: score.value
            for part, score in study.cases[verdict.case].scores["halves"].items()
            if part.reading == "all"
        }
        quality, coverage = verdict.scores["halves"]
        assert quality.value == pytest.approx((parts["ap"] + parts["wp"]) / 2)
        assert coverage.value == pytest.approx((parts["ar"] + parts["wr"]) / 2)

    def test_study_can_run_on_some_columns_and_groups(self):
        found = run_study(paper_columns()[:1], GROUPS[:1])
        assert [*found.cells] == [("overlapping-clusters", "QC4")]


class TestStoredScores:
    """The stored scores of the study, which pages show without computing a measure."""

    def test_stored_scores_equal_computed_scores(self, study):
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

    def test_stored_study_computes_no_measure(self, monkeypatch):
        monkeypatch.setattr("studies.behaviour.study.score_case", None)
        assert stored_study().cell("split-cluster", "QC4").status == "passed"

    @pytest.mark.parametrize("text", [None, "{", '{"stamp": "of another engine"}'])
    def test_outdated_or_missing_scores_are_not_used(self, tmp_path, text):
        file = tmp_path / "scores.json"
        if text:
            file.write_text(text)
        assert stored.read(file) is None

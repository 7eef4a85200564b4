"""The catalogue: lookup, suggestions of similar keys, and registration by one decorated function."""

import pytest

from qc4.inputs.partition import PARTITION, Contingency
from qc4.measures.registry import REGISTRY, measure
from qc4.problems import InputError


def declare(key: str = "share_of_pages", family: str = "set-matching"):
    """Add a measure that returns the number of cells per page."""

    @measure(
        PARTITION,
        key=key,
        title="Share",
        family=family,
        meaning="Cells per page.",
        formula="cells / n",
        source="this test",
    )
    def share(table: Contingency) -> float:
        return table.count.size / table.n

    return share


def test_every_measure_of_the_first_release_exists():
    assert {
        *("aq", "wq", "ac", "wc", "quality", "coverage", "qc4", "qc4_f"),
        *("ap", "wp", "ae", "we", "ar", "wr", "f", "mi"),
        *("rand", "ari", "jaccard", "fowlkes_mallows", "purity", "inverse_purity"),
        *("class_entropy", "cluster_entropy", "conditional_entropy", "mutual_information"),
        *("nmi_sqrt", "nmi_arithmetic", "vi", "homogeneity", "completeness", "v_measure"),
    } <= {found.key for found in REGISTRY.all()}


def test_the_catalogue_has_every_external_measure():
    cuts, recalls, found = (5, 10, 20), (50, 75, 100), {found.key for found in REGISTRY.all()}
    assert {
        *("hubert_gamma", "minkowski", "pair_precision", "pair_recall", "pair_f1", "ps2"),
        *("f_zaki", "max_matching", "accuracy", "van_dongen", "s2", "nmi_min", "nmi_max", "ami"),
        *("bcubed_precision", "bcubed_recall", "bcubed_f", "omega", "onmi_lfk", "onmi_mgh", "ecs", "ecs_hierarchy"),
        *(f"{key}_{cut}" for key in ("s_recall", "alpha_ndcg") for cut in cuts),
        *(f"s_precision_{recall}" for recall in recalls),
        *(f"{key}_{k}" for key in ("kssl", "kssl_list") for k in (1, 2, 3, 4)),
        *(f"{key}_{cut}" for key in ("d_ndcg", "d_sharp_ndcg", "hd_sharp_ndcg") for cut in cuts),
        *("pair_f2", "pair_f5", "bcubed_f2", "bcubed_f5", "purity_harmonic", "nca", "semeval_f1"),
        *("reduced_mutual_information", "nrmi", "reliability", "sensitivity", "reliability_sensitivity_f"),
        *("page_coverage", "cluster_count", "cluster_size", "cluster_overlap", "cluster_depth"),
    } <= found


def test_measures_are_sorted_by_family():
    families = [found.family for found in REGISTRY.all()]
    assert list(dict.fromkeys(families)) == [family.key for family in REGISTRY.families()]
    assert families == sorted(families, key=families.index)
    assert [found.key for found in REGISTRY.family("set-matching")][:2] == ["purity", "inverse_purity"]


def test_a_decorated_function_is_registered_as_a_measure():
    with REGISTRY.temporary():
        function = declare()
        assert REGISTRY.get("share_of_pages").function is function
        assert REGISTRY.get("share_of_pages").title == "Share"
        assert function(Contingency.from_labels([0, 0], [1, 1])) == 0.5
    with pytest.raises(InputError):
        REGISTRY.get("share_of_pages")


@pytest.mark.parametrize("found", REGISTRY.all(), ids=lambda found: found.key)
def test_every_docstring_contains_the_declared_metadata(found):
    text = found.function.__doc__
    assert text.startswith(f"{found.meaning}\n\n")
    facts = (found.formula, found.range_words, f"{found.better} is better", found.degenerate, found.source)
    for fact in (*facts, *found.accepts, *found.needs):
        assert fact in text
    assert ("Edges: " in text) == bool(found.degenerate)


def test_a_function_keeps_its_own_docstring():
    text = REGISTRY.get("omega").function.__doc__
    assert text.split("\n\n")[1].startswith("All sums are exact integers.")


def test_ranges_in_words():
    assert [REGISTRY.get(key).range_words for key in ("rand", "ari", "vi", "mi")] == [
        *("0 … 1", "−1 … 1", "0 … ∞", "−∞ … ∞"),
    ]


def test_families_group_measures_in_the_requested_order():
    groups = REGISTRY.by_family(REGISTRY.select(["rand", "purity", "ari"]))
    assert [(family.key, [found.key for found in measures]) for family, measures in groups] == [
        ("pair-counting", ["rand", "ari"]),
        ("set-matching", ["purity"]),
    ]


def test_duplicate_keys_are_rejected():
    with REGISTRY.temporary(), pytest.raises(ValueError, match="two measures have the key 'ari'"):
        declare("ari")


def test_unknown_families_of_measures_are_rejected():
    with REGISTRY.temporary(), pytest.raises(ValueError, match="unknown family, 'sorcery'"):
        declare(family="sorcery")


def test_the_error_names_unknown_keys_and_suggests_close_ones():
    with pytest.raises(InputError) as caught:
        REGISTRY.select(["arri", "purity", "PURITY ", "zzz"])
    messages = [str(problem) for problem in caught.value.problems]
    assert len(messages) == 3
    assert "'arri'" in messages[0]
    assert "Did you mean 'ari'" in messages[0]
    assert "'purity'" in messages[1]
    assert "Did you mean" not in messages[2]
    assert all(message.endswith("See qc4.list_measures().") for message in messages)


def test_repeated_keys_are_selected_once():
    assert [found.key for found in REGISTRY.select(["ari", "rand", "ari"])] == ["ari", "rand"]


def test_a_single_key_needs_no_list():
    assert [found.key for found in REGISTRY.select("ari")] == ["ari"]


def test_an_unknown_family_is_rejected():
    with pytest.raises(InputError, match="qc4, classic, pair-counting"):
        REGISTRY.family("pairs")

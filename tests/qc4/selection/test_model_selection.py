"""Model selection: splits, predictions, random choices, and the chosen clusterings."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qc4 import read_clustering, read_gold
from qc4.cli import main
from qc4.inputs.undefined import Undefined
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.problems import InputError
from qc4.selection import (
    Candidate,
    bound,
    labels_and_clusters,
    over_queries,
    predict,
    select_model,
    train_pages,
)


def sizes_and_fraction():
    return given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]))


class TestSplit:
    @pytest.mark.parametrize("sampling", ["uniform", "stratified"])
    @sizes_and_fraction()
    def test_neither_set_is_empty_and_the_fraction_is_met(self, sampling, sizes, fraction):
        n = sum(sizes)
        train = train_pages(np.repeat(np.arange(len(sizes)), sizes), fraction, 3, sampling)
        if n > 1:
            assert train.sum() == min(max(round(fraction * n), 1), n - 1)

    @sizes_and_fraction()
    def test_a_stratified_sample_has_the_same_fraction_of_each_label(self, sizes, fraction):
        labels = np.repeat(np.arange(len(sizes)), sizes)
        train = train_pages(labels, fraction, 3, "stratified")
        shares = train.sum() * np.array(sizes) / labels.size
        assert np.all(np.abs(np.bincount(labels[train], minlength=len(sizes)) - shares) < 1)

    @pytest.mark.parametrize("sampling", ["uniform", "stratified"])
    def test_larger_fractions_with_the_same_seed_include_smaller_ones(self, sampling):
        labels = np.repeat([0, 1, 2], 20)
        small, large = (train_pages(labels, fraction, 5, sampling) for fraction in (0.1, 0.5))
        assert np.array_equal(small, train_pages(labels, 0.1, 5, sampling))
        assert not np.array_equal(small, train_pages(labels, 0.1, 6, sampling))
        assert np.all(large[small])

    def test_all_sets_of_pages_are_equally_likely(self):
        """Each of the 6 pairs of 4 pages is drawn about 1,000 times in 6,000; a stratified sample has no pair of one
        label."""
        labels = np.array([0, 0, 1, 1])
        pairs = [tuple(np.flatnonzero(train_pages(labels, 0.5, seed))) for seed in range(6000)]
        assert sorted(set(pairs)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        assert all(abs(pairs.count(pair) - 1000) < 5 * np.sqrt(6000 * 1 / 6 * 5 / 6) for pair in set(pairs))


class TestPromise:
    """Theorem 1 on 50 topics of 2 pages, with one page of each mislabelled and half of the pages for training: a
    stratified sample has a binomial number of the 50 errors, a uniform one a hypergeometric number."""

    DRAWS = 4000

    def failures(self, sampling):
        labels, wrong = np.repeat(np.arange(50), 2), np.arange(100) % 2 == 1

        @cache
        def most(errors):
            return bound(50, 50, errors, labels=1, clusters=1, delta=0.1)

        splits = (train_pages(labels, 0.5, seed, sampling) for seed in range(self.DRAWS))
        return np.mean([wrong[~train].sum() > most(int(wrong[train].sum())) for train in splits])

    def exact(self, chances):
        """Return the exact value of `failures`: the probability of training errors for which the bound is exceeded."""
        return sum(chances.pmf(a) for a in range(51) if 50 - a > bound(50, 50, a, labels=1, clusters=1, delta=0.1))

    def test_bounds_fail_no_more_often_than_delta_for_uniform_samples(self):
        expected = self.exact(stats.hypergeom(100, 50, 50))
        assert expected == pytest.approx(0.08, abs=0.01)
        assert self.failures("uniform") == pytest.approx(expected, abs=0.02)

    def test_bounds_fail_more_often_for_stratified_samples(self):
        expected = self.exact(stats.binom(50, 0.5))
        assert expected == pytest.approx(0.16, abs=0.01)
        assert self.failures("stratified") == pytest.approx(expected, abs=0.02)


class TestPrediction:
    def test_errors_are_counted_on_train_and_test_sets(self):
        labels = np.array([0, 0, 0, 1, 1, 1, 0, 1])
        clusters = np.array([7, 7, 7, 7, 2, 2, 2, 2])
        train = np.array([1, 1, 0, 1, 1, 1, 1, 0], dtype=bool)
        found = predict(labels, clusters, train, seed=0)
        assert (found.train, found.test, found.clusters) == (6, 2, 2)
        assert (found.train_errors, found.test_errors, found.constant_errors) == (2, 0, 1)
        assert (found.ties, found.unlabelled) == (0, 0)

    def test_ties_and_clusters_without_labels_are_drawn_and_counted(self):
        labels = np.array([0, 1, 2, 2, 2, 2])
        clusters = np.array([0, 0, 0, 1, 1, 2])
        train = np.array([1, 1, 0, 0, 0, 1], dtype=bool)
        runs = [predict(labels, clusters, train, seed) for seed in range(60)]
        assert {(run.ties, run.unlabelled) for run in runs} == {(1, 1)}
        assert {run.train_errors for run in runs} == {1}  # a tied label, 0 or 1, never 2
        assert {run.test_errors for run in runs} == {1, 3}  # the cluster without labels: 2, or another
        assert runs[4] == predict(labels, clusters, train, 4)

    def test_names_of_clusters_do_not_matter(self):
        rng = np.random.default_rng(1)
        labels, clusters = rng.integers(0, 3, 40), rng.integers(0, 12, 40)
        train = train_pages(labels, 0.3, 0)
        renamed = np.random.default_rng(2).permutation(12)[clusters]
        assert predict(labels, clusters, train, 9) == predict(labels, renamed, train, 9)


LABELS = ["air", "med", "lib"] * 40


def sweep():
    """Two algorithms, 2 to 5 clusters, 3 initialisations; `sharp` with 3 clusters and initialisation 2 is the
    labels."""
    rng = np.random.default_rng(0)
    codes = np.tile([0, 1, 2], 40)
    for algorithm, noise in (("blunt", 0.7), ("sharp", 0.2)):
        for k in range(2, 6):
            for start in (1, 2, 3):
                clusters = np.where(rng.random(120) < noise, rng.integers(0, k, 120), codes % k)
                perfect = (algorithm, k, start) == ("sharp", 3, 2)
                yield Candidate(algorithm, k, start, codes if perfect else clusters)


@pytest.fixture(scope="module")
def selection():
    return select_model(LABELS, list(sweep()))


class TestSelection:
    def test_every_clustering_is_evaluated_on_every_split(self, selection):
        assert len(selection.evaluations) == 5 * 24
        assert (selection.pages, selection.labels, selection.algorithms) == (120, 3, ("blunt", "sharp"))

    def test_bounds_agree_with_the_formula(self, selection):
        run = next(found for found in selection.at(0.5) if (found.algorithm, found.clusters) == ("blunt", 4))
        errors = run.prediction.train_errors
        assert errors > 0
        assert dict(run.bounds) == {
            language: bound(60, 60, errors, 3, 4, language, 3, 2) for language in ("simple", "init", "cluster", "algo")
        }

    def test_the_true_labels_are_always_chosen(self, selection):
        assert len(selection.best_starts(0.5)) == 2 * 4
        blunt, sharp = selection.best_clusters(0.5)
        assert (sharp.algorithm, sharp.clusters, sharp.initialisation) == ("sharp", 3, 2)
        assert sharp.rate < blunt.rate
        assert [choice.fraction for choice in selection.over_fractions()] == [0.1, 0.3, 0.5, 0.7, 0.9]
        assert sharp.test_rate == 0
        labels = np.tile([0, 1, 2], 40)
        tested = np.bincount(labels[~train_pages(labels, 0.5, 0)])
        assert sharp.constant_rate == pytest.approx(1 - tested.max() / 60)

    def test_four_languages_side_by_side(self, selection):
        means = selection.languages(0.5)
        assert [(mean.language, mean.choices) for mean in means] == [
            ("simple", 24),
            ("init", 8),
            ("cluster", 2),
            ("algo", 1),
        ]
        simple = [found.rate("simple") for found in selection.at(0.5)]
        assert means[0].rate == pytest.approx(np.mean(simple))

    def test_the_result_is_plain_json(self, selection):
        text = json.dumps(selection.to_dict(), allow_nan=False)
        assert json.loads(text)["at_fraction"][2]["best_clusters"][1]["clusters"] == 3

    def test_one_cluster_has_no_bound_if_the_number_of_clusters_is_chosen(self):
        found = select_model(LABELS, [Candidate("one", 1, 1, np.zeros(120, dtype=np.int64))], [0.5])
        (run,) = found.evaluations
        assert [language for language, _ in run.bounds] == ["simple", "init"]
        assert "single cluster" in run.undefined
        assert found.best_clusters(0.5) == found.over_fractions() == ()

    def test_the_actual_number_of_clusters_counts_if_it_is_larger(self):
        made = np.arange(120) % 6
        found = select_model(LABELS, [Candidate("split", 2, 1, made)], [0.5])
        run = found.evaluations[0]
        assert dict(run.bounds)["simple"] == bound(60, 60, run.prediction.train_errors, 3, 6)

    def test_the_sampling_is_used_and_reported(self):
        uniform, stratified = (select_model(LABELS, list(sweep()), sampling=name) for name in ("uniform", "stratified"))
        assert [found.to_dict()["sampling"] for found in (uniform, stratified)] == ["uniform", "stratified"]
        assert uniform.evaluations != stratified.evaluations

    def test_progress_is_reported(self):
        told = []
        select_model(LABELS, list(sweep())[:2], [0.5], progress=lambda done, total: told.append((done, total)))
        assert told == [(1, 2), (2, 2)]


class TestCollections:
    def test_values_are_means_over_the_queries_with_a_value(self, selection):
        other = select_model(LABELS, [found for found in sweep() if found.algorithm == "blunt"], seed=4)
        means = over_queries([selection, other])
        blunt, sharp = means.best_clusters(0.5)
        rates = [query.best_clusters(0.5)[0].rate for query in (selection, other)]
        assert (blunt.algorithm, blunt.queries, blunt.rate) == ("blunt", 2, pytest.approx(np.mean(rates)))
        assert (sharp.algorithm, sharp.queries, sharp.clusters) == (
            "sharp",
            1,
            3,
        )  # the values of the only query that has one
        assert [(found.algorithm, found.clusters) for found in means.best_starts(0.5)][:2] == [
            ("blunt", 2),
            ("blunt", 3),
        ]
        assert [found.fraction for found in means.over_fractions()] == [0.1, 0.3, 0.5, 0.7, 0.9]
        simple = [query.languages(0.5)[0].rate for query in (selection, other)]
        assert means.languages(0.5)[0].rate == pytest.approx(np.mean(simple))
        assert json.loads(json.dumps(means.to_dict(), allow_nan=False))["queries"] == 2

    def test_a_collection_of_one_query_equals_that_query(self, selection):
        alone = over_queries([selection])
        assert alone.over_fractions() == selection.over_fractions()
        for fraction in selection.fractions:
            for figure in ("runs", "best_starts", "best_clusters", "best", "languages"):
                assert getattr(alone, figure)(fraction) == getattr(selection, figure)(fraction) != ()
        figures = ("fractions", "over_fractions", "at_fraction")
        assert [alone.to_dict()[name] for name in figures] == [selection.to_dict()[name] for name in figures]

    def test_attributes_that_differ_between_queries_are_none(self, selection):
        far = select_model(LABELS, [Candidate("far", 7, 4, np.arange(120) % 7)])
        (best,) = over_queries([selection, far]).best(0.5)
        assert (best.algorithm, best.clusters, best.initialisation, best.bound, best.queries) == (None,) * 4 + (2,)
        assert best.rate == pytest.approx(np.mean([query.best(0.5)[0].rate for query in (selection, far)]))
        assert best.to_dict()["queries"] == 2
        assert "queries" not in selection.best(0.5)[0].to_dict()

    def test_no_query(self):
        with pytest.raises(ValueError, match="at least one query"):
            over_queries([])


class TestRefused:
    def test_duplicate_positions_and_wrong_numbers_of_pages(self):
        codes = np.zeros(120, dtype=np.int64)
        with pytest.raises(InputError) as error:
            select_model(LABELS, [Candidate("a", 2, 1, codes), Candidate("a", 2, 1, codes[:5])])
        assert [problem.code for problem in error.value.problems] == ["clustering-twice", "wrong-length"]

    def test_no_clusterings(self):
        with pytest.raises(InputError, match="at least one clustering"):
            select_model(LABELS, [])

    def test_fractions_that_leave_a_set_empty(self):
        with pytest.raises(InputError, match=r"fractions: found \[0, 1\]"):
            select_model(LABELS, list(sweep()), [0, 0.5, 1])

    def test_a_sampling_that_does_not_exist(self):
        with pytest.raises(InputError, match="sampling: found 'even'; expected one of uniform, stratified"):
            select_model(LABELS, list(sweep()), sampling="even")

    def test_a_single_page_is_undefined(self):
        with pytest.raises(Undefined, match="only one page"):
            select_model(["a"], [Candidate("a", 1, 1, np.array([0]))])


def gold():
    return {
        "format": "qc4-gold/1",
        "query": {"id": "q", "text": "q"},
        "pages": [{"id": f"p{number}"} for number in range(12)],
        "topics": [
            {"id": "a", "name": "A", "parent": None, "pages": [f"p{number}" for number in range(5)]},
            {"id": "b", "name": "B", "parent": None, "pages": [f"p{number}" for number in range(5, 10)]},
        ],
        "outliers": ["p10", "p11"],
    }


def clustering(*clusters, **parameters):
    rows = [{"id": str(number), "pages": [f"p{page}" for page in found]} for number, found in enumerate(clusters)]
    return {
        "format": "qc4-clustering/1",
        "query": "q",
        "algorithm": "k-means",
        "parameters": parameters,
        "clusters": rows,
    }


class TestFromQueries:
    def codes(self, clusters, **policies):
        case = Case.build(read_gold(gold()), read_clustering(clusters))
        return labels_and_clusters(case, 1, Policies(**policies))

    def test_outliers_are_dropped_and_unclustered_pages_are_singletons(self):
        labels, clusters = self.codes(clustering(range(5), range(5, 8)))
        assert labels.tolist() == [0] * 5 + [1] * 5
        assert len(set(clusters.tolist())) == 4

    def test_policies(self):
        labels, clusters = self.codes(clustering(range(5), range(5, 8)), outliers="topic", unclustered="together")
        assert (labels.size, len(set(clusters.tolist()))) == (12, 3)

    def test_overlap_is_undefined_unless_flattened(self):
        with pytest.raises(Undefined, match="1 page is in more than one cluster"):
            self.codes(clustering(range(5), range(4, 10)))
        assert self.codes(clustering(range(5), range(4, 10)), overlap="first")[1].tolist() == [0] * 5 + [1] * 5

    def test_pages_must_not_depend_on_the_clustering(self):
        with pytest.raises(InputError, match="evaluated on the same pages"):
            self.codes(clustering(range(5)), unclustered="drop")


class TestCommandLine:
    @pytest.fixture
    def paths(self, tmp_path):
        documents = [
            gold(),
            clustering(range(5), range(5, 10), k=2, seed=1),
            clustering(range(3), range(3, 10), k=2, seed=2),
            clustering(range(3), range(3, 5), range(5, 10), k=3, seed=1),
        ]
        paths = [tmp_path / f"{number}.json" for number in range(len(documents))]
        for path, document in zip(paths, documents, strict=True):
            path.write_text(json.dumps(document), encoding="utf-8")
        return [str(path) for path in paths]

    def test_table(self, paths, capsys):
        assert main(["pac-mdl", *paths]) == 0
        out = capsys.readouterr().out
        assert "10 pages, 2 labels; bounds hold with probability 0.9" in out
        assert "k-means" in out

    def test_a_stratified_sample_has_no_guarantee(self, paths, capsys):
        assert main(["pac-mdl", *paths, "--sampling", "stratified"]) == 0
        out = capsys.readouterr().out
        assert "10 pages, 2 labels; a stratified sample, for which the bound is not guaranteed" in out
        assert "hold" not in out

    def test_json(self, paths, capsys):
        assert main(["pac-mdl", *paths, "--fractions", "30,50", "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["fractions"] == [0.3, 0.5]
        assert [(run["clusters"], run["initialisation"]) for run in found["evaluations"][:3]] == [
            (2, 1),
            (2, 2),
            (3, 1),
        ]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--level", "2"], "--level: found 2; expected one of 1"),
            (["--fractions", "half"], "--fractions"),
            (["--delta", "0"], "delta: found 0.0"),
            (["--unclustered", "drop"], "evaluated on the same pages"),
        ],
    )
    def test_bad_options(self, paths, capsys, options, message):
        assert main(["pac-mdl", *paths, *options]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert message in output.err

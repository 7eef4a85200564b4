"""Measures as scikit-learn scorers."""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import DBSCAN, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, ShuffleSplit, cross_validate

from qc4 import InputError, Undefined
from qc4.sklearn import scorer

RANDOM = np.random.default_rng(3)
POINTS = np.concatenate([RANDOM.normal(centre, 1, (20, 2)) for centre in (0, 7, 14)])
TRUTH = np.repeat(["a", "b", "c"], 20)
HALVES = ShuffleSplit(2, test_size=0.5, random_state=0)


def test_cross_validation_gets_the_value_of_each_fold():
    measures = {key: scorer(key) for key in ("ari", "vi", "silhouette")}
    found = cross_validate(
        KMeans(4, n_init=1, random_state=0), POINTS, TRUTH, scoring=measures, cv=HALVES, return_estimator=True
    )
    folds = [test for _, test in HALVES.split(POINTS)]
    expected = [
        adjusted_rand_score(TRUTH[fold], model.predict(POINTS[fold]))
        for fold, model in zip(folds, found["estimator"], strict=True)
    ]
    assert found["test_ari"] == pytest.approx(expected)
    assert (found["test_vi"] < 0).all()
    assert (found["test_silhouette"] > 0).all()


def test_a_grid_search_finds_the_number_of_clusters():
    grid = {"n_clusters": [2, 3, 6]}
    for key in ("ari", "vi"):
        search = GridSearchCV(KMeans(n_init=3, random_state=0), grid, scoring=scorer(key), cv=HALVES)
        assert search.fit(POINTS, TRUTH).best_params_ == {"n_clusters": 3}


def test_estimator_without_predict_clusters_the_scored_points():
    model = DBSCAN(eps=2.0).fit(POINTS[:5])
    expected = adjusted_rand_score(TRUTH, DBSCAN(eps=2.0).fit_predict(POINTS))
    assert scorer("ari", noise=[])(model, POINTS, TRUTH) == pytest.approx(expected)
    assert model.labels_.size == 5
    search = GridSearchCV(DBSCAN(), {"eps": [0.01, 2.0]}, scoring=scorer("ari"), cv=HALVES)
    assert search.fit(POINTS, TRUTH).best_params_ == {"eps": 2.0}


class Given(BaseEstimator):
    """Returns the labels it was created with."""

    def __init__(self, labels=None):
        self.labels = labels

    def fit(self, points, truth=None):
        return self

    def predict(self, points):
        return np.asarray(self.labels)


def test_noise_is_scored_by_the_policies():
    model, points = Given([0, 0, -1, 1, 1, -1]), np.zeros((6, 1))
    truth = list("aaabbb")
    assert scorer("ari")(model, points, truth) == pytest.approx(0.375)
    assert scorer("ari", policies={"unclustered": "drop"})(model, points, truth) == 1.0
    assert scorer("ari", noise=[])(model, points, truth) == pytest.approx(
        adjusted_rand_score(truth, [0, 0, -1, 1, 1, -1])
    )


def test_only_internal_measures_work_without_truth():
    model = Given([0, 0, 1, 1])
    points = [[0.0], [1.0], [5.0], [6.0]]
    assert scorer("dunn")(model, points) == pytest.approx(4.0)
    with pytest.raises(InputError, match="y: found None; expected a label for each point, as ari needs"):
        scorer("ari")(model, points)
    with pytest.raises(Undefined, match="all pages are in one cluster"):
        scorer("dunn")(Given([0, 0, 0, 0]), points)


def test_scorers_work_in_other_processes():
    assert pickle.loads(pickle.dumps(scorer("vi"))) == scorer("vi")
    found = cross_validate(KMeans(3, n_init=1), POINTS, TRUTH, scoring=scorer("ari"), cv=HALVES, n_jobs=2)
    assert found["test_score"].size == 2


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: scorer("adjusted_rand_score"), "measures: found 'adjusted_rand_score'; .* Did you mean"),
        (lambda: scorer("ari", policies={"overlap": "no"}), "policies.overlap: found 'no'"),
        (lambda: scorer("reach_time"), "measure: found 'reach_time', which needs page ranks"),
        (lambda: scorer("label_fit"), "measure: found 'label_fit', which needs cluster labels, page texts"),
        (lambda: scorer("ari")(object(), [[0.0]], [0]), "estimator: found object, which has neither method"),
        (lambda: scorer("ari")(Given([0]), [[0.0], [1.0]], [0, 1]), "found 1 label; expected 2"),
    ],
)
def test_invalid_arguments_are_reported(make, words):
    with pytest.raises(InputError, match=words):
        make()

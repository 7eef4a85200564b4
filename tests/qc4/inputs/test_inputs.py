"""Views create their input once per case and relevant options, and exist only on their levels."""

import gc
import pickle
import weakref

import numpy as np
import pytest

from qc4.inputs.cover import COVERS
from qc4.inputs.partition import PARTITION
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import EACH_LEVEL, WHOLE_HIERARCHY, View, cached, cached_on
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.policies import CHOICES, Policies
from qc4.problems import InputError
from tests.qc4.small_cases import clustering, gold

VIEWS = list(dict.fromkeys(measure.view for measure in REGISTRY.all()))


def small() -> Case:
    return Case.build(gold(6, [range(3), range(3, 6)]), clustering([0, 1], [2, 3, 4]))


class Owner:
    """An object with instance attributes."""


class TestViews:
    @pytest.mark.parametrize("policy", CHOICES)
    def test_only_relevant_options_create_a_new_input(self, policy):
        case, other = small(), Policies.parse({policy: CHOICES[policy][-1]})
        for view in (PARTITION, COVERS):
            same = view.of(case, 1, Policies()) is view.of(case, 1, other)
            assert same == (policy not in view.policies)

    def test_irrelevant_options_have_their_defaults_in_make(self):
        seen = []
        view = View(lambda case, level, policies: seen.append(policies), EACH_LEVEL, ("overlap",))
        view.of(small(), 1, Policies("topic", "drop", "first"))
        assert seen == [Policies(overlap="first")]

    @pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.make.__name__)
    @pytest.mark.parametrize("level", [99, 0, -1, "every"])
    def test_an_unknown_level_is_rejected(self, view, level):
        with pytest.raises(InputError, match=f"level: found level {level}; expected"):
            view.of(small(), level, Policies())

    def test_the_error_names_the_existing_levels(self):
        with pytest.raises(InputError, match="found level 2; expected level 1, all"):
            REGISTRY.family("classic")[0].compute(small(), 2, Policies())
        with pytest.raises(InputError, match="found level 1; expected no level, as the view is 'whole hierarchy'"):
            REGISTRY.get("aq").compute(small(), 1, Policies())

    def test_the_flattened_mark_comes_from_the_input(self):
        overlapping = Case.build(gold(2, [[0], [1]]), clustering([0, 1], [1]))
        assert PARTITION.flattens(overlapping, 1, Policies(overlap="first"))
        assert not COVERS.flattens(overlapping, 1, Policies(overlap="first"))
        assert View(lambda case, level, policies: 1.0, WHOLE_HIERARCHY).flattens(small(), None, Policies()) is False

    @pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.make.__name__)
    def test_inputs_are_released_with_their_case(self, view):
        case = small()
        for level in view.levels(case.gold):
            try:
                view.of(case, level, Policies())
            except Undefined:
                continue
        gone = weakref.ref(case)
        gc.disable()
        try:
            del case
            assert gone() is None
        finally:
            gc.enable()


class TestRemembered:
    def test_the_function_runs_once_per_object(self):
        asked = []
        function = cached(lambda owner: asked.append(owner) or len(asked))
        one, other = Owner(), Owner()
        assert [function(one), function(one), function(other), function(one)] == [1, 1, 2, 1]

    def test_a_cached_reason_does_not_keep_arrays_alive(self):
        held, owner = [], Owner()

        def refuses():
            large = np.zeros(3)
            held.append(weakref.ref(large))
            raise Undefined("there is nothing")

        for _ in range(2):
            with pytest.raises(Undefined, match="there is nothing"):
                cached_on(owner, "key", refuses)
        assert len(held) == 1
        gc.collect()
        assert held[0]() is None

    def test_other_errors_are_not_cached(self):
        owner = Owner()
        with pytest.raises(ZeroDivisionError):
            cached_on(owner, "key", lambda: 1 // 0)
        assert cached_on(owner, "key", lambda: 1) == 1

    def test_all_threads_get_the_first_result(self):
        """Simulate another thread that stores its result during this call."""
        owner = Owner()
        assert cached_on(owner, "key", lambda: [cached_on(owner, "key", lambda: "first")][0] and "second") == "first"

    def test_a_case_with_cached_results_can_be_pickled(self):
        case = small()
        expected = {key: REGISTRY.get(key).compute(case, None, Policies()) for key in ("aq", "cluster_count")}
        again = pickle.loads(pickle.dumps(case))
        assert {key: REGISTRY.get(key).compute(again, None, Policies()) for key in expected} == expected

"""Scoring options: defaults, and messages for invalid values."""

import pytest

from qc4.model.policies import CHOICES, Policies
from qc4.problems import InputError


def test_defaults():
    assert Policies.parse(None).to_dict() == {
        "outliers": "drop",
        "unclustered": "singletons",
        "overlap": "refuse",
        "recall": "modified",
        "unit": "nats",
    }
    assert {name: choices[0] for name, choices in CHOICES.items()} == Policies().to_dict()


def test_omitted_options_have_their_defaults():
    assert Policies.parse({"outliers": "topic"}) == Policies(outliers="topic")


def test_parse_returns_policies_unchanged():
    policies = Policies(overlap="first")
    assert Policies.parse(policies) is policies


def test_invalid_values_are_rejected_by_the_constructor_and_in_a_mapping():
    wrong = {"outliers": "bogus", "overlap": "last"}
    with pytest.raises(InputError) as parsed:
        Policies.parse(wrong)
    with pytest.raises(InputError) as direct:
        Policies(**wrong)
    assert direct.value.problems == parsed.value.problems
    assert [problem.where for problem in direct.value.problems] == ["policies.outliers", "policies.overlap"]


def test_the_error_names_every_mistake():
    with pytest.raises(InputError) as caught:
        Policies.parse({"outlier": "drop", "unclustered": "alone", "overlap": ["first"]})
    messages = [str(problem) for problem in caught.value.problems]
    assert len(messages) == 3
    assert "Did you mean 'outliers'?" in messages[0]
    assert "policies.unclustered: found 'alone'; expected one of singletons, together, drop" in messages[1]
    assert "policies.overlap" in messages[2]

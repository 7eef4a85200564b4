"""Too much work is said in one form, to people who give an input and to people who read a score."""

import pytest

from qc4.problems import InputError
from qc4.problems.effort import Effort, duration
from qc4.views.undefined import Undefined, refuse_too_much


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (0.2, "1 second"),
        (40.0000001, "40 seconds"),
        (119, "119 seconds"),
        (121, "3 minutes"),
        (600, "10 minutes"),
        (601, "11 minutes"),
        (3600, "1 hour"),
        (3601, "1.1 hours"),
        (7200, "2 hours"),
        (36_000_000, "10,000 hours"),
    ],
)
def test_durations_are_rounded_up_in_words(seconds, words):
    assert duration(seconds) == words


def test_a_measure_has_no_value_and_says_what_it_would_take():
    with pytest.raises(Undefined) as caught:
        refuse_too_much(Effort("1,000 pairs of 46 pages", 1_000, 999, 0.5, "pairs"))
    assert str(caught.value) == "1,000 pairs of 46 pages would take about 9 minutes; the limit is 999 pairs"


def test_an_input_is_refused_with_what_it_would_take():
    with pytest.raises(InputError) as caught:
        Effort("7 points", 601, 600).refuse_input("points", "Use fewer points.")
    assert [problem.code for problem in caught.value.problems] == ["too-large"]
    assert str(caught.value) == (
        "points: found 7 points, which would take about 11 minutes; expected at most 10 minutes of work. "
        "Use fewer points."
    )


def test_work_at_the_limit_is_done():
    refuse_too_much(Effort("pairs", 999, 999, 0.5, "pairs"))
    Effort("points", 600, 600).refuse_input("points", "")

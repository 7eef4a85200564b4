"""The person named as the cause of a skipped undo really caused it."""

from __future__ import annotations

from typing import Any

import pytest

from annotations.drafts.state_machine import Left, changed_by


def entry(*changes: dict[str, Any]) -> dict[str, Any]:
    return {"changes": list(changes)}


SEVEN = frozenset({"7"})
FLAG = {"c": "flag+", "pages": ["7"]}
NOTE = {"c": "note", "page": "7", "old": "", "new": "odd"}
IN = {"c": "in+", "topic": "cars", "pages": ["7"]}
TAKEN = {"c": "in-", "topic": "cars", "pages": ["7"]}
MADE = {"c": "out+", "pages": ["7"]}
CLEARED = {"c": "out-", "pages": ["7"]}


@pytest.mark.parametrize(
    ("left", "by", "others"),
    [
        (Left("outliers", "cars", "Cars", SEVEN), MADE, [FLAG, NOTE, CLEARED, TAKEN]),
        (Left("stay_out", None, "", SEVEN), MADE, [FLAG, NOTE, CLEARED, IN]),
        (Left("others", "cars", "Cars", SEVEN), IN, [FLAG, NOTE, TAKEN, MADE]),
        (Left("placed", None, "", SEVEN), IN, [FLAG, NOTE, CLEARED]),
        (Left("remark", None, "", SEVEN), NOTE, [FLAG, IN, MADE]),
        (Left("same", "cars", "", SEVEN), TAKEN, [FLAG, NOTE]),
    ],
)
def test_skipped_undo_names_the_person_responsible(
    left: Left, by: dict[str, Any], others: list[dict[str, Any]]
) -> None:
    """It once named the last person who touched the page, even if they only flagged it."""
    assert changed_by(left, entry(by))
    for other in others:
        assert not changed_by(left, entry(other)), other

"""The person named as the cause of a skipped undo really caused it."""

from __future__ import annotations

from typing import Any

import pytest

from annotations.drafts.state_machine import SkippedPart, is_caused_by


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
        (SkippedPart("outliers", "cars", "Cars", SEVEN), MADE, [FLAG, NOTE, CLEARED, TAKEN]),
        (SkippedPart("stay_out", None, "", SEVEN), MADE, [FLAG, NOTE, CLEARED, IN]),
        (SkippedPart("others", "cars", "Cars", SEVEN), IN, [FLAG, NOTE, TAKEN, MADE]),
        (SkippedPart("placed", None, "", SEVEN), IN, [FLAG, NOTE, CLEARED]),
        (SkippedPart("remark", None, "", SEVEN), NOTE, [FLAG, IN, MADE]),
        (SkippedPart("same", "cars", "", SEVEN), TAKEN, [FLAG, NOTE]),
    ],
)
def test_skipped_undo_names_the_person_responsible(
    left: SkippedPart, by: dict[str, Any], others: list[dict[str, Any]]
) -> None:
    """It once named the last person who touched the page, even if they only flagged it."""
    assert is_caused_by(left, entry(by))
    for other in others:
        assert not is_caused_by(left, entry(other)), other

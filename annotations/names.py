"""What may stand in the names people give to things; accounts have their own rules (`accounts.names`)."""

from __future__ import annotations

from common.lookalikes import first_invisible, normalised_name
from qc4.problems import Problem


def unseen_problems(where: str, name: str) -> list[Problem]:
    """What is wrong with a name that holds characters nobody sees: line breaks, marks of direction."""
    found = first_invisible(normalised_name(name))
    if not found:
        return []
    expected = "one line of characters that are seen"
    return [Problem("bad-name", where, f"the invisible character {found}", expected, "Type the name anew.")]

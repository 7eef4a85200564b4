"""What an upload has cost so far: one count for all that comes in together, held against the limits as it grows.

A limit that holds for each file alone says nothing of a ZIP of many. So a file is read through a `Budget`, which is the
same one for all files of a ZIP or folder: whatever makes many small things of few bytes takes it and charges it before
it makes them, and a new format cannot be read without one.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from qc4.formats.collecting import FileProblems
from qc4.formats.limits import Limits
from qc4.problems import InputError, Problem

Charge = Literal["archive_bytes", "json_values", "xml_nodes", "cells", "clusterings"]
"""The limits that hold for a whole upload, by what is charged."""


class BudgetError(InputError):
    """An upload is more than its limits allow, all its files together: nothing further is read of it."""


class Budget:
    """The costs of one upload.

    Attributes:
        limits: what each file and all of them together may hold.
        spent: how much was charged of each limit.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.spent: Counter[Charge] = Counter()

    def charge(self, limit: Charge, amount: int, where: str) -> None:
        """Count what a file is about to cost.

        Args:
            where: the file, and the line of it where that is known.

        Raises:
            BudgetError: with it the upload is over the limit; the file is named, and what came before it.
        """
        self.spent[limit] += amount
        self._refuse(limit, self.spent[limit], amount, where)

    def expect(self, limit: Charge, amount: int, where: str) -> None:
        """Refuse what would be over the limit if it were charged, and do not count it.

        Raises:
            BudgetError: as `charge`.
        """
        self._refuse(limit, self.spent[limit] + amount, amount, where)

    def _refuse(self, limit: Charge, total: int, amount: int, where: str) -> None:
        problems = FileProblems()
        if self.limits.exceeded(limit, total, where, problems, here=amount):
            raise BudgetError(problems.errors)

    def refuse_long(self, text: str, where: str) -> None:
        """Refuse a text of more characters than one value may have (InputError)."""
        if len(text) > self.limits.value_chars:
            problems = FileProblems()
            self.limits.exceeded("value_chars", len(text), where, problems)
            problems.refuse_errors()


def stopped(error: BudgetError, others: tuple[Problem, ...]) -> BudgetError:
    """The refusal of the whole upload: what is wrong with the files before comes first."""
    return BudgetError([*others, *error.problems])

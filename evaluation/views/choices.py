"""What somebody chose to see, as it stands in addresses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import QueryDict

from evaluation.selectors.board import Board
from evaluation.selectors.choice import MISSING_RULES, Choice
from evaluation.selectors.leaderboard import Selection
from evaluation.selectors.presets import offered
from evaluation.selectors.vectors import has_scores_on_vectors
from qc4.comparison import PROCEDURE_NAMES
from qc4.measures.scoring import FROM_FILES, WITH_VECTORS


def spelled_out(found: Board | Selection) -> Choice:
    """The choice with what its defaults came to, so that its address says the same for ever."""
    return replace(
        found.choice,
        measures=tuple(column.key for column in found.columns),
        sort=found.sort.key,
        gold=found.version.number if found.version else None,
    )


def address(choice: Choice, **changes: Any) -> str:
    """The query of an address: a choice with these fields changed."""
    query = QueryDict(mutable=True)
    for name, values in replace(choice, **changes).parameters().items():
        query.setlist(name, values)
    return "?" + query.urlencode(safe=",")


def pickers(found: Selection) -> dict[str, Any]:
    """What a page's form of choices shows (`templates/parts/choices.html`): what may be chosen, and what stays as it
    is."""
    given = WITH_VECTORS if has_scores_on_vectors(found.collection) else FROM_FILES
    choice = found.choice
    kept = choice.parameters()
    return {
        "selection": found,
        "choice": choice,
        "families": offered(given),
        "chosen": {column.key for column in found.columns},
        "versions": found.collection.gold_versions.all(),
        "procedures": PROCEDURE_NAMES,
        "rules": MISSING_RULES,
        "kept": [
            (name, value)
            for name, values in kept.items()
            if name not in {"measures", "sort", "level", "gold", "missing", "procedure"}
            for value in values
        ],
    }

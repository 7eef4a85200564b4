"""Why something was not done, and by whom it was decided otherwise, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from annotations.drafting import Left, changed_by, name_of_gone
from annotations.limits import SEARCHED_ENTRIES, SKIPPED_REASONS
from annotations.models import Draft
from annotations.selectors.drafts.states import EntryJSON, Known, latest_first


class Reason(NamedTuple):
    """What was not done and why; ``by`` and ``revision`` of who decided otherwise, where that is known."""

    message: str
    by: str | None = None
    revision: int | None = None

    @classmethod
    def of(cls, message: str, entry: Mapping[str, Any]) -> Self:
        return cls(message, entry["by"], entry["revision"])


def reasons(draft: Draft, known: Known, left: Sequence[Left], since: int) -> list[Reason]:
    """Why something is left of undoing a revision, with the latest entry since that did it, where it is found soon."""
    told = list(left[:SKIPPED_REASONS])
    found: dict[Left, EntryJSON] = {}
    if told:
        for entry in latest_first(draft, known, since, SEARCHED_ENTRIES):
            found |= {each: entry for each in told if each not in found and changed_by(each, entry)}
            if len(found) == len(told):
                break
    return list(dict.fromkeys(_reason(each, found.get(each)) for each in told))


def _reason(left: Left, entry: EntryJSON | None) -> Reason:
    if entry is None:
        return Reason(left.sentence())
    sentence = left.sentence(name_of_gone(left.topic, entry)).removesuffix(".")
    return Reason.of(f"{sentence} ({entry['by']}: {entry['label']}).", entry)

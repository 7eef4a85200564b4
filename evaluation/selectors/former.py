"""Where addresses lead that name algorithms by the ids they had before they were merged."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterable
from dataclasses import replace

from annotations.models import Collection
from evaluation.selectors.choice import Choice


def led_on(collection: Collection, ids: Iterable[int], known: Some[int]) -> tuple[int, ...]:
    """The ids, those of merged algorithms as the ones they became, each once. No query where all are known."""
    ids = tuple(ids)
    unknown = [pk for pk in ids if pk not in known]
    if not unknown:
        return ids
    rows = collection.former_names.filter(former_id__in=unknown).values_list("former_id", "algorithm")
    became = {former: pk for former, pk in rows if pk in known}
    return tuple(dict.fromkeys(became.get(pk, pk) for pk in ids))


def choice_led_on(collection: Collection, choice: Choice, known: Some[int]) -> Choice:
    """The choice with the algorithms that the ones it names became."""
    algorithms = led_on(collection, choice.algorithms, known)
    baseline = led_on(collection, () if choice.baseline is None else (choice.baseline,), known)
    return replace(choice, algorithms=algorithms, baseline=baseline[0] if baseline else None)

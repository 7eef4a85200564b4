"""What was found out about an object once, kept with that object: the one way in which measures share their work."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from qc4.views.undefined import Undefined

Owner = TypeVar("Owner")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why there is no result. Not the exception itself, which would keep every array of its frames alive."""

    text: str


def once(owner: object, key: Hashable, make: Callable[[], Result]) -> Result:
    """What ``make`` gives, made at the first call with this owner and key.

    Results, and the reasons why there is none, live and die with the owner. Threads that ask at the same time may each
    make it; all of them get the first result kept.

    Args:
        owner: an object with attributes of its own (no ``slots``); it need not be hashable.
        key: tells apart what is kept with the same owner.

    Raises:
        Undefined: ``make`` did, now or at the first call.
    """
    kept: dict[Hashable, Any] = vars(owner).setdefault("_remembered", {})
    if key not in kept:
        try:
            found: Result | _Reason = make()
        except Undefined as reason:
            found = _Reason(str(reason))
        kept.setdefault(key, found)
    if isinstance(kept[key], _Reason):
        raise Undefined(kept[key].text)
    result: Result = kept[key]
    return result


def remembered(function: Callable[[Owner], Result]) -> Callable[[Owner], Result]:
    """Call the function once for each object, and keep the result with the object; see `once`."""

    @wraps(function)
    def remembering(owner: Owner) -> Result:
        return once(owner, remembering, lambda: function(owner))

    return remembering

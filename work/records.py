"""Records as stored content: `RECORDS` turns dataclasses into plain values and back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np
from cattrs.preconf.json import make_converter

RECORDS = make_converter()


def _is_array(of: Any) -> bool:
    return of is np.ndarray or getattr(of, "__origin__", None) is np.ndarray


def _array(content: dict[str, Any], _: Any) -> Any:
    values = np.frombuffer(b64decode(content["values"]), dtype=content["type"])
    return values.reshape(content["shape"])


def _content(array: Any) -> dict[str, Any]:
    return {
        "type": array.dtype.str,
        "shape": list(array.shape),
        "values": b64encode(np.ascontiguousarray(array).tobytes()).decode(),
    }


def _is_named_tuple(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, tuple) and hasattr(of, "_fields")


def _named_tuple(kind: Any) -> Callable[[Any, Any], Any]:
    """Its fields in order. cattrs does not resolve their types where they are written as text."""
    types = tuple(get_type_hints(kind).values())
    of_fields = tuple(map(RECORDS.get_structure_hook, types))

    def structure(content: Any, _: Any) -> Any:
        return kind(*(hook(value, of) for hook, value, of in zip(of_fields, content, types, strict=True)))

    return structure


RECORDS.register_structure_hook_func(_is_array, _array)
RECORDS.register_structure_hook_factory(_is_named_tuple, _named_tuple)
RECORDS.register_unstructure_hook_func(_is_array, _content)

"""The converter `RECORDS`, which turns dataclasses into JSON values for storage, and back."""

from __future__ import annotations

from base64 import b64decode, b64encode
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


RECORDS.register_structure_hook_func(_is_array, _array)
RECORDS.register_unstructure_hook_func(_is_array, _content)


def _is_named_tuple(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, tuple) and hasattr(of, "_fields")


def _named_tuple(content: list[Any], of: Any) -> Any:
    # cattrs supports named tuples but does not resolve postponed annotations.
    hints = get_type_hints(of)
    return of(*(RECORDS.structure(value, hints[name]) for name, value in zip(of._fields, content, strict=True)))


RECORDS.register_structure_hook_func(_is_named_tuple, _named_tuple)

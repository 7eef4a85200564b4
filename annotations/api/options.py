"""What a caller may choose: named, typed, and nothing else. A misspelt option is an error, never ignored."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from qc4.problems import InputError, Problem


class Options(serializers.Serializer[Any]):
    """Base of all options of an operation."""

    @classmethod
    def of(cls, given: QueryDict | Mapping[str, Any]) -> dict[str, Any]:
        """The checked values.

        Raises:
            InputError: names that are no option of this operation.
            ValidationError: values that do not fit.
        """
        values = {name: given.get(name) for name in given}
        serializer = cls(data=values)
        known = [name for name, field in serializer.fields.items() if not field.read_only]
        unknown = [name for name in values if name not in known]
        if unknown:
            raise InputError([_unknown(name, known) for name in unknown])
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)


def _unknown(name: str, known: list[str]) -> Problem:
    close = get_close_matches(name, known, 1)
    fix = f"Did you mean {close[0]!r}?" if close else ""
    return Problem("unknown-option", "options", repr(name), f"one of {', '.join(known) or 'none'}", fix)

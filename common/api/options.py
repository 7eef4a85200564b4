"""What a caller may choose: named, typed, and nothing else. A misspelt option is an error, never ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from rest_framework import serializers

from common.limits import UNKNOWN_CHARS, UNKNOWN_NAMES
from qc4.problems import InputError, Problem
from qc4.wording import counted, did_you_mean, quoted


class Options(serializers.Serializer[Any]):
    """Base of all options of an operation.

    Attributes:
        FORM: the form of the page that does the same. Its fields are options, too, files and those declared here aside.
        HELP: what is said about them to programs, where the form says it otherwise.
    """

    FORM: ClassVar[type[forms.Form] | None] = None
    HELP: ClassVar[Mapping[str, str]] = {}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        declared = super().get_fields()
        shared = self.FORM.base_fields if self.FORM else {}
        taken = {
            name: option(field, self.HELP.get(name, ""))
            for name, field in shared.items()
            if name not in declared and not isinstance(field, forms.FileField)
        }
        return {**declared, **taken}

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
            raise InputError(_unknown_options(unknown, known))
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)


def option(field: Any, help_text: str = "") -> serializers.Field[Any, Any, Any, Any]:
    """A field of a form as an option: with its limits and choices, and what it shows at first as the default."""
    facts: dict[str, Any] = {"help_text": help_text or field.help_text}
    if field.initial is not None or isinstance(field, forms.BooleanField):
        facts["default"] = False if field.initial is None else field.initial
    elif not field.required:
        facts["required"] = False
    match field:
        case forms.BooleanField():
            return serializers.BooleanField(**facts)
        case forms.MultipleChoiceField():
            return serializers.ListField(child=serializers.ChoiceField(_keys(field)), **facts)
        case forms.ChoiceField():
            return serializers.ChoiceField(_keys(field), **facts)
        case forms.FloatField():  # which Django derives from the next one
            facts |= {"min_value": field.min_value, "max_value": field.max_value}
            return serializers.FloatField(**facts)
        case forms.IntegerField():
            facts |= {"min_value": field.min_value, "max_value": field.max_value}
            return serializers.IntegerField(**facts)
        case forms.CharField():
            return serializers.CharField(max_length=field.max_length, allow_blank=field.initial == "", **facts)
    raise TypeError(f"no option stands for {type(field).__name__}")


def _keys(field: Any) -> list[str]:
    return [key for key, _ in field.choices]


def _unknown_options(names: list[str], known: list[str]) -> list[Problem]:
    """One problem for each of the first names, one for all others."""
    problems = [_unknown(name, known) for name in names[:UNKNOWN_NAMES]]
    if (rest := len(names) - UNKNOWN_NAMES) > 0:
        found = counted(rest, "more unknown name")
        problems.append(Problem("unknown-option", "options", found, f"one of {', '.join(known) or 'none'}"))
    return problems


def _unknown(name: str, known: list[str]) -> Problem:
    fix = did_you_mean(name[:UNKNOWN_CHARS], known)
    return Problem("unknown-option", "options", quoted(name), f"one of {', '.join(known) or 'none'}", fix)

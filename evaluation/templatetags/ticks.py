"""Render the check boxes of a field with hundreds of choices, such as a collection's queries, in one pass.

Every user-supplied string goes through ``escape``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from django import template
from django.forms import BoundField, ChoiceField
from django.forms.utils import flatatt
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from common.shortening import shorten

register = template.Library()

SHOWN = 80
"""Maximum length of a choice's label."""


@register.simple_tag
def ticks(field: BoundField) -> SafeString:
    """Render a check box for each choice of a multiple choice field, as its widget would."""
    chosen, look = set(field.value() or ()), flatatt(field.build_widget_attrs(field.field.widget.attrs))
    boxes = (
        f'<div class="form-check"><input type="checkbox" name="{field.html_name}" value="{escape(value)}"'
        f'{look} id="{pk}"{" checked" if value in chosen else ""}>'
        f'<label class="form-check-label anywhere" for="{pk}"><bdi>{words}</bdi></label></div>'
        for pk, value, words in _choices(field)
    )
    return mark_safe("".join(boxes))  # noqa: S308 - every user-supplied string is escaped


def _choices(field: BoundField) -> Iterator[tuple[str, str, str]]:
    """Yield the id of the check box, the value and the escaped label of each choice."""
    choices = cast(Iterable[tuple[str, str]], cast(ChoiceField, field.field).choices)
    for number, (value, words) in enumerate(choices):
        yield f"{field.auto_id}_{number}", value, escape(shorten(words, SHOWN))

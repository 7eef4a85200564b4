"""Boxes to tick as HTML, in one pass: those of a field with hundreds of choices, such as the queries of a collection.

Every string of people goes through ``escape``.
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
"""Characters of a choice."""


@register.simple_tag
def ticks(field: BoundField) -> SafeString:
    """A box for each choice of a field of several, as its widget would draw them."""
    chosen, look = set(field.value() or ()), flatatt(field.build_widget_attrs(field.field.widget.attrs))
    boxes = (
        f'<div class="form-check"><input type="checkbox" name="{field.html_name}" value="{escape(value)}"'
        f'{look} id="{pk}"{" checked" if value in chosen else ""}>'
        f'<label class="form-check-label anywhere" for="{pk}"><bdi>{words}</bdi></label></div>'
        for pk, value, words in _choices(field)
    )
    return mark_safe("".join(boxes))  # noqa: S308 - every string of people is escaped


def _choices(field: BoundField) -> Iterator[tuple[str, str, str]]:
    """Of each choice the id of its box, its value, and what it is called, safe to show."""
    choices = cast(Iterable[tuple[str, str]], cast(ChoiceField, field.field).choices)
    for number, (value, words) in enumerate(choices):
        yield f"{field.auto_id}_{number}", value, escape(shorten(words, SHOWN))

"""Links from the site's pages to what explains them."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from documentation.help import FILLS, PAGES, Help

register = template.Library()


@register.simple_tag
def help_link(page: str, words: str = "") -> SafeString:
    """A link to what explains a page; the page is named as its address is. KeyError for a page without a row."""
    return _link(PAGES[page], words)


@register.simple_tag
def how_to_fill(missing: str) -> SafeString:
    """A link to what says how to bring there what is missing on a page."""
    return _link(FILLS[missing], "")


@register.simple_tag(takes_context=True)
def help_here(context: Context) -> SafeString | str:
    """The link to what explains the page that is being shown; nothing where there is no row for it."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    found = PAGES.get(match.url_name or "") if match and not match.namespace else None
    return _link(found, "") if found else ""


def _link(row: Help, words: str) -> SafeString:
    address = reverse("document", args=[row.document]) + (f"#{row.anchor}" if row.anchor else "")
    return format_html('<a class="help-link" href="{}">{}</a>', address, words or row.words)

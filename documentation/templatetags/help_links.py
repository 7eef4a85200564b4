"""Links from pages of the site to the documentation."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from documentation.help import FILLS, PAGES, Help
from documentation.library import terms
from documentation.rendering import anchor_of

register = template.Library()


@register.simple_tag
def help_link(page: str, words: str = "") -> SafeString:
    """Return a link to the section that explains a page. Raises KeyError for a URL name without a row."""
    return _link(PAGES[page], words)


@register.simple_tag
def how_to_fill(missing: str) -> SafeString:
    """Return a link to the section that says how to add what is missing on a page."""
    return _link(FILLS[missing], "")


@register.simple_tag(takes_context=True)
def help_here(context: Context) -> SafeString | str:
    """Return a link to the section that explains the current page, or nothing if it has no row."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    found = PAGES.get(match.url_name or "") if match and not match.namespace else None
    return _link(found, "") if found else ""


@register.simple_tag
def term(name: str, words: str = "") -> SafeString:
    """Return a link to a term of the glossary: ``{% term "gold standard" "gold standards" %}``.

    The words of the link are the term itself unless `words` are given. Raises KeyError for an unknown term.
    """
    anchor = anchor_of(name)
    if anchor not in terms():
        raise KeyError(name)
    url = f"{reverse('document', args=['glossary'])}#{anchor}"
    return format_html('<a class="term" href="{}" title="{}">{}</a>', url, terms()[anchor], words or name)


def _link(row: Help, words: str) -> SafeString:
    address = reverse("document", args=[row.document]) + (f"#{row.anchor}" if row.anchor else "")
    return format_html('<a class="help-link" href="{}">{}</a>', address, words or row.words)

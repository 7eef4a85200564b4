"""Links from pages of the site to the documentation."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from common.routes import Help, declaration_of, declared
from documentation.help import EMPTY_STATES
from documentation.library import terms
from documentation.rendering import anchor_of

register = template.Library()


@register.simple_tag
def help_link(page: str, text: str = "") -> SafeString:
    """Return a link to the section that explains a page, given the name of the page's URL.

    Raises:
        ValueError: no section is declared for the page.
    """
    section = declared()[page].help
    if not isinstance(section, Help):
        raise ValueError(f"The page {page!r} declares no section of the documentation.")
    return _link(section, text)


@register.simple_tag
def how_to_fill(missing: str) -> SafeString:
    """Return a link to the section that says how to add what a page lacks."""
    return _link(EMPTY_STATES[missing])


@register.simple_tag(takes_context=True)
def help_here(context: Context) -> SafeString | str:
    """Return the link to the section that explains the current page; nothing if none is declared."""
    match = getattr(context.get("request"), "resolver_match", None)
    section = declaration_of(match).help
    return _link(section) if isinstance(section, Help) else ""


@register.simple_tag
def term(name: str, text: str = "") -> SafeString:
    """Return a link to a term of the glossary: ``{% term "gold standard" "gold standards" %}``.

    The text of the link are the term itself unless `text` are given. Raises KeyError for an unknown term.
    """
    anchor = anchor_of(name)
    if anchor not in terms():
        raise KeyError(name)
    url = f"{reverse('document', args=['glossary'])}#{anchor}"
    return format_html('<a class="term" href="{}" title="{}">{}</a>', url, terms()[anchor], text or name)


def _link(section: Help, text: str = "") -> SafeString:
    url = reverse("document", args=[section.document]) + (f"#{section.anchor}" if section.anchor else "")
    return format_html('<a class="help-link" href="{}">{}</a>', url, text or section.text)

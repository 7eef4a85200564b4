"""Template tag for scripts that consist of several modules."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common.joined_scripts import in_order, joined_name

register = template.Library()


@register.simple_tag
def module_script(entry: str) -> SafeString:
    """Return the script element of a module that imports others.

    Collected static files contain one joined script. If files are served unchanged, preload links come before the
    element, so that the browser requests all modules at once.
    """
    if getattr(staticfiles_storage, "has_joined_scripts", False):
        return format_html('<script src="{}" type="module"></script>', static(joined_name(entry)))
    names = (_imported_once if not settings.DEBUG else imported)(entry)
    links = format_html_join("\n", '<link rel="modulepreload" href="{}">', ((static(name),) for name in names))
    return format_html('{}\n<script src="{}" type="module"></script>', links, static(entry))


def imported(entry: str) -> tuple[str, ...]:
    """Return the names of the static files that a module imports, directly or not, without the module itself.

    Raises:
        LookupError: if an imported file does not exist.
    """
    return in_order(entry, _read)[:-1]


_imported_once = cache(imported)


def _read(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise LookupError(f"There is no static file {name}, which a script imports.")
    return Path(path).read_text(encoding="utf-8")

"""Scripts of a page that are made of many modules."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

_IMPORT = re.compile(r"""\b(?:from|import) "(\.\.?/[^"]+)";""")


@register.simple_tag
def module_script(entry: str) -> SafeString:
    """The script element of a module, and before it a link for every module it imports, directly or not: the browser
    then asks for all of them at once instead of one after the other."""
    names = (_imported_once if not settings.DEBUG else imported)(entry)
    links = format_html_join("\n", '<link rel="modulepreload" href="{}">', ((static(name),) for name in names))
    return format_html('{}\n<script src="{}" type="module"></script>', links, static(entry))


def imported(entry: str) -> tuple[str, ...]:
    """Names of the static files a module imports, directly or not, in the order in which they are met, without itself.

    Raises `LookupError` for an import of a file that is not there.
    """
    found = [entry]
    for name in found:  # it grows while it is read
        found += [each for each in _imports_of(name) if each not in found]
    return tuple(found[1:])


_imported_once = cache(imported)


def _imports_of(name: str) -> list[str]:
    path = finders.find(name)
    if path is None:
        raise LookupError(f"There is no static file {name}, which a script imports.")
    addresses = _IMPORT.findall(Path(path).read_text(encoding="utf-8"))
    return list(dict.fromkeys(normpath(join(dirname(name), address)) for address in addresses))

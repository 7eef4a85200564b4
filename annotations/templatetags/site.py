"""Template tags and filters for all pages."""

from __future__ import annotations

import re
from typing import Protocol

from django import template
from django.template.defaultfilters import linebreaksbr
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from common.page_files import file_links
from common.web_urls import IN_TEXT, host_of, is_web_address, parted
from qc4.progress import duration
from qc4.version import ENGINE_VERSION
from qc4.wording import count_words, decimals, percentage, signed

register = template.Library()
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", re.ASCII)


@register.simple_tag
def engine_version() -> str:
    return ENGINE_VERSION


@register.simple_tag
def page_files(name: str, query: str, *args: object, of: str = "", css: str = "") -> SafeString:
    """Show links to the files of a page, or to some of its tables and pictures: "power.csv power.svg"."""
    look = format_html(' class="{}"', css) if css else ""
    found = ((look, url, words) for url, words in file_links(name, query, of.split(), *args))
    return format_html_join("", '<a{} href="{}">{}</a>', found)


@register.filter
def web_address(url: str | None) -> str:
    """Return the URL if its scheme is http(s), else ""; other schemes are never linked."""
    return (url or "").strip() if is_web_address(url or "") else ""


@register.filter
def linked(text: str) -> SafeString:
    """Return a user's text with http(s) URLs as links and with its line breaks. Everything else is escaped."""
    parts: list[SafeString] = []
    start = 0
    for found in IN_TEXT.finditer(text):
        address, rest = parted(found.group())
        parts.append(escape(text[start : found.start()]))
        parts.append(_link(address) if is_web_address(address) else escape(address))
        parts.append(escape(rest))
        start = found.end()
    parts.append(escape(text[start:]))
    return linebreaksbr(format_html_join("", "{}", ((part,) for part in parts)), autoescape=False)


def _link(address: str) -> SafeString:
    return format_html('<a href="{}" rel="nofollow noopener">{}</a>', address, address)


@register.filter
def contact(text: str) -> SafeString:
    """Return a contact, as a link if it is an e-mail address or a URL."""
    if is_web_address(text):
        return _link(text)
    if _EMAIL.fullmatch(text):
        return format_html('<a href="mailto:{}">{}</a>', text, text)
    return format_html("<bdi>{}</bdi>", text)


@register.filter
def host(url: str | None) -> str:
    """Return the host of an http(s) URL, for display."""
    return host_of(url or "")


@register.filter
def score(value: float | None, digits: int = 3) -> str:
    """Format a score with a fixed number of decimals and no leading zero: .512, 1.000, −.042."""
    return "–" if value is None else decimals(value, digits)


class MeanOverQueries(Protocol):
    """A mean, the number of queries it covers, and the total number of queries."""

    @property
    def value(self) -> float | None: ...
    @property
    def counted(self) -> int: ...
    @property
    def total(self) -> int: ...


@register.simple_tag
def mean(of: MeanOverQueries | None) -> SafeString:
    """Format a mean, with the number of queries behind it if that is not all of them; a dash for None."""
    if of is None:
        return SafeString("–")
    if of.value is None:
        return format_html('<span class="undefined" title="{}">undefined</span>', getattr(of, "reason", ""))
    count = count_note(of.counted, of.total)
    return format_html("{} {}", decimals(of.value), count) if count else SafeString(decimals(of.value))


def count_note(counted: int, total: int, of: str = "queries") -> SafeString:
    """Return the small "28 of 44" beside a mean that does not cover all queries, else "".

    Args:
        of: the plural noun for the counted things.
    """
    words = count_words(counted, total)
    if not words:
        return SafeString("")
    return format_html('<small class="count" title="mean over {} {}">{}</small>', words, of, words)


@register.simple_tag
def queries_counted(counted: int, total: int) -> str:
    """Format a number of queries out of a total: "28 of 44 queries", or "44 queries" for all."""
    return f"{count_words(counted, total) or f'{total:,}'} {'query' if total == 1 else 'queries'}"


@register.filter
def difference(value: float | None, digits: int = 3) -> str:
    """Format a difference of two scores with its sign: +.031, −.012."""
    return "–" if value is None else signed(value, digits)


@register.filter
def minus(value: float, other: float) -> float:
    return value - other


@register.filter
def percent(part: float, whole: float) -> str:
    return percentage(part, whole)


@register.filter
def percentile(value: float | None) -> str:
    """Format a percentile from 0 to 100, without a percent sign."""
    return "–" if value is None else percentage(value, 100, 1).removesuffix(" %")


@register.filter
def get(mapping: dict[str, object] | None, key: str) -> object:
    """Look up a key that is known only while rendering."""
    return (mapping or {}).get(key)


@register.filter
def seconds(value: float | None) -> str:
    """Format a duration: 0.4 s, 40 s, 2 min 10 s, 1 h 5 min."""
    if value is None:
        return "–"
    if value < 9.95:
        return f"{max(0.0, value):.1f} s"
    return duration(value)

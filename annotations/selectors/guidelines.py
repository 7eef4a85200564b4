"""A collection's guidelines, written in Markdown, as harmless HTML.

markdown-it-py renders with raw HTML and pictures off; nh3 then keeps a short list of elements and only http(s) links.
Either alone would do; two different programs must fail before a reader runs a writer's script.
"""

from __future__ import annotations

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from accounts.person import Person
from annotations.models import Collection, GuidelinesReader, GuidelinesVersion

_BELOW = 2
"""The page has the first heading and its panel the second; those of the text start on the third level."""
_LOWEST = 6
_ELEMENTS = {
    *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_DROPPED_WITH_CONTENT = {"script", "style"}


def latest(collection: Collection) -> GuidelinesVersion | None:
    """The version that counts; None while nobody wrote one."""
    return collection.guidelines.select_related("created_by").order_by("-number").first()


def read_number(collection: Collection, person: Person) -> int:
    """The version somebody read last; 0 for none."""
    readers = GuidelinesReader.objects.filter(collection=collection, user=person.pk)
    return readers.order_by().values_list("number", flat=True).first() or 0


@lru_cache(maxsize=64)
def rendered(text: str) -> SafeString:
    """Markdown as HTML that cannot do anything: no scripts, no pictures, links to http(s) only, with ``rel``.

    Kept, because a text of nothing but brackets takes seconds, and every reader would wait for it.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + _BELOW, _LOWEST)}"
    cleaned = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_ELEMENTS,
        attributes=_ATTRIBUTES,
        clean_content_tags=_DROPPED_WITH_CONTENT,
        url_schemes={"http", "https"},
        url_relative="deny",
        link_rel="noopener noreferrer",
    )
    return mark_safe(cleaned)  # noqa: S308 - nh3 let through nothing but the list above


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")

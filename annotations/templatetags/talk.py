"""Template tag for the number of unread comment threads in the page header."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import RequestContext

from annotations.discussion.selectors import takes_part, unread_count

register = template.Library()


@register.inclusion_tag("discussion/unread_comments.html", takes_context=True)
def unread_comments(context: RequestContext) -> dict[str, Any]:
    """Show a link to the user's threads, if there are any, with the number of threads that have unread comments."""
    user = context["user"]
    number = unread_count(user)
    return {"number": number, "is_part": bool(number) or takes_part(user), "here": context.get("here")}

"""The number at the head of every page: threads of comments with something new for whoever looks."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import RequestContext

from annotations.discussion.selectors import takes_part, unread_count

register = template.Library()


@register.inclusion_tag("discussion/unread_comments.html", takes_context=True)
def unread_comments(context: RequestContext) -> dict[str, Any]:
    """A link to the threads that concern one, where there are any, and in how many something is new."""
    user = context["user"]
    number = unread_count(user)
    return {"number": number, "is_part": bool(number) or takes_part(user), "here": context.get("here")}

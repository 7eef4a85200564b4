"""The page with all threads of comments that concern the signed-in person."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from accounts.person import person
from annotations.discussion.selectors import comment_urls, threads_concerning
from qc4.records import to_plain


@login_required
@never_cache
@ensure_csrf_cookie
@require_safe
def comments(request: HttpRequest) -> HttpResponse:
    """Show the threads that concern the person, unread ones first. Scripts fill the page from the JSON in it."""
    user = person(request)
    found = threads_concerning(user)
    context = {
        "concerns": found,
        "talk": {"me": user.get_username(), "concerns": to_plain(found), "urls": comment_urls()},
        "trail": [("comments", "")],
    }
    return render(request, "discussion/comments.html", context)

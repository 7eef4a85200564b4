"""The page on which a draft is edited."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotations.drafts.exposure import open_draft
from annotations.workspace.selectors.workspace import workspace


@login_required
@never_cache
@ensure_csrf_cookie
@require_safe
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the workspace. Scripts fill it from the draft's JSON in the page."""
    access = open_draft(request.user, pk)
    query = access.draft.query
    collection = query.collection
    context = {
        "workspace": workspace(access),
        "draft": access.draft,
        "query": query,
        "collection": collection,
        "trail": [
            (collection.name, reverse("collection", args=[collection.slug])),
            (query.text or query.key, reverse("query", args=[collection.slug, query.key])),
            ("drafts", reverse("drafts", args=[collection.slug, query.key])),
            (access.draft.name, ""),
        ],
    }
    return render(request, "workspace/workspace.html", context)

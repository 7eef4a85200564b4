"""The page about a person's storage."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import person
from annotations.collections.storage import storage_of_person


@login_required
@require_safe
def storage(request: HttpRequest) -> HttpResponse:
    """Show the storage that a person uses, and their quotas."""
    context = {
        "storage": storage_of_person(person(request)),
        "trail": [("account", reverse("account")), ("storage", "")],
    }
    return render(request, "collections/own_storage.html", context)

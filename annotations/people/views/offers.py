"""Roles that were offered: the answers of whom they were offered to, and owners who think better of it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.person import person
from annotations.access import May, get_collection
from annotations.people.selectors import get_offer, get_offer_of
from annotations.people.services import offers


@login_required
@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept, which leads to the collection, or decline."""
    found = get_offer(person(request), pk)
    accepts = request.POST.get("answer") == "accept"
    if not (offers.accept(found) if accepts else offers.decline(found)):
        messages.info(request, f"This offer was {found.state} already.")
        return redirect(reverse("account") + "#offers")
    if accepts:
        messages.success(request, f"Welcome: you are {found.role} of {found.collection.name} now.")
        return redirect("collection", found.collection.slug)
    messages.success(request, "You declined. Nothing changed.")
    return redirect(reverse("account") + "#offers")


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take an offer back that nobody answered."""
    found = get_offer_of(get_collection(request.user, slug, May.MANAGE), pk)
    if offers.withdraw(found):
        messages.success(request, f"{found.user.get_username()} can no longer accept.")
    else:
        messages.info(request, f"The offer was {found.state} already.")
    return redirect("people", slug)

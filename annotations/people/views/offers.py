"""Answers to role offers, and withdrawal by owners."""

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
    """Accept an offer and redirect to the collection, or decline it."""
    found = get_offer(person(request), pk)
    accepts = request.POST.get("answer") == "accept"
    if not (offers.accept(found) if accepts else offers.decline(found)):
        messages.info(request, f"This offer was already {found.state}.")
        return redirect(reverse("account") + "#offers")
    if accepts:
        messages.success(request, f"Welcome! You now have the role {found.role} in {found.collection.name}.")
        return redirect("collection", found.collection.slug)
    messages.success(request, "You declined the offer.")
    return redirect(reverse("account") + "#offers")


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Withdraw an open offer."""
    found = get_offer_of(get_collection(request.user, slug, May.MANAGE), pk)
    if offers.withdraw(found):
        messages.success(request, f"The offer to {found.user.get_username()} is withdrawn.")
    else:
        messages.info(request, f"The offer was already {found.state}.")
    return redirect("people", slug)

"""Pages of invitation links: owners make and revoke them, and invited people accept them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.person import person
from annotations.access import May, get_collection
from annotations.models import Invitation, Role
from annotations.people.forms import ROLE_WORDS, InvitationForm
from annotations.people.selectors import InvitationState, find_invitation, invitation_state
from annotations.people.services import invitations
from annotations.people.views.people import people_page
from qc4.problems import InputError

CURATING_ROLES = frozenset({Role.CURATOR, Role.ADJUDICATOR})
"""Roles whose first page is Curate."""


@never_cache
@login_required
@require_POST
def create(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link and show it once, in this response. It is not stored, not even in the session."""
    collection = get_collection(request.user, slug, May.MANAGE)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return people_page(request, collection, 400, invite=form)
    made, secret = invitations.invite(collection=collection, user=person(request), **form.cleaned_data)
    link = request.build_absolute_uri(reverse("invitation", args=[secret]))
    return people_page(request, collection, made=made, link=link)


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Revoke a link."""
    collection = get_collection(request.user, slug, May.MANAGE)
    row = collection.invitations.filter(pk=pk).first()
    if row is None:
        raise Http404("There is no such invitation.")
    invitations.revoke(row)
    messages.success(request, f"The invitation {row.prefix}… no longer works.")
    return redirect("people", slug)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; a POST accepts it. People who are not signed in are redirected to sign in first."""
    found = find_invitation(token)
    if found is None:
        raise Http404("There is no such invitation. Check that the link is complete.")
    user = person(request)
    if request.method != "POST":
        return _page(request, found, user)
    try:
        new = invitations.accept(found, user)
    except InputError:
        return _page(request, found, user)
    words = _welcome(found) if new else f"You already have the role {found.role}. The invitation was not used up."
    messages.success(request, words)
    return redirect(_first_page(found), found.collection.slug)


def _first_page(found: Invitation) -> str:
    """Return the name of the first page for the role: Curate for curators and adjudicators."""
    return "curate" if found.role in CURATING_ROLES else "collection"


def _welcome(found: Invitation) -> str:
    words = f"Welcome! You now have the role {found.role} in {found.collection.name}."
    if found.role in CURATING_ROLES and found.collection.guidelines.exists():
        words += " Read the guidelines first: this page has a link to them."
    return words


def _page(request: HttpRequest, found: Invitation, user: User) -> HttpResponse:
    """Render the invitation page, with status 410 if the link does not work for this person."""
    context = {
        "invitation": found,
        "collection": found.collection,
        "standing": invitation_state(found),
        "role_words": ROLE_WORDS[Role(found.role)].partition(": ")[2],
        "member": found.collection.memberships.filter(user=user, role=found.role).exists(),
        "first_page": _first_page(found),
        "used_before": found.uses.filter(user=user).exists(),
    }
    works = context["member"] or (context["standing"] == InvitationState.OPEN and not context["used_before"])
    return render(request, "people/invitation.html", context, status=200 if works else 410)

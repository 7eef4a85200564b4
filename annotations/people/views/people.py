"""Pages of a collection's people: roles, offers, invitations and the audit log."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.audit import Kind, of_collection
from accounts.limits import AUDIT_ROWS
from accounts.names import find_user
from accounts.person import person
from accounts.signup_policy import ways_to_sign_up
from annotations.access import May, capabilities, get_collection
from annotations.models import Collection, RoleOffer
from annotations.people.forms import ROLE_WORDS, InvitationForm, RoleOfferForm
from annotations.people.selectors import invitation_state, open_offers
from annotations.people.services.offers import offer
from annotations.people.services.roles import remove_role
from annotations.people.views.participation import requests_context
from qc4.problems import InputError

PEOPLE_PER_PAGE = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the people of a collection. A POST offers a role to a user, or gives it immediately to a member."""
    collection = get_collection(request.user, slug, May.MANAGE)
    form = RoleOfferForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return people_page(request, collection, 400 if request.method == "POST" else 200, form=form)
    user, role = find_user(form.cleaned_data["username"]), form.cleaned_data["role"]
    if user is None or not user.is_active:
        form.add_error("username", "No user has this name. The person needs an account first.")
        return people_page(request, collection, 400, form=form)
    try:
        made = offer(collection=collection, user=user, role=role, by=person(request))
    except InputError as error:
        form.add_error("username", f"{error.problems[0].found}. {error.problems[0].fix}")
        return people_page(request, collection, 400, form=form)
    name = user.get_username()
    words = f"{name} can now accept or decline the offer."
    messages.success(request, words if made.state == RoleOffer.State.OPEN else f"{name} now has the role {role}.")
    return redirect("people", slug)


@login_required
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit log of a collection."""
    collection = get_collection(request.user, slug, May.MANAGE)
    page = Paginator(of_collection(collection.pk), AUDIT_ROWS).get_page(request.GET.get("page"))
    context = {
        "collection": collection,
        "page": page,
        "rows": [(entry, Kind(entry.kind).label, "") for entry in page],
        "trail": [
            (collection.name, reverse("collection", args=[slug])),
            ("people", reverse("people", args=[slug])),
            ("log", ""),
        ],
    }
    return render(request, "people/audit_log.html", context)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove a role from a person."""
    collection = get_collection(request.user, slug, May.MANAGE)
    name, role = (request.POST.get(field, "").replace("\0", "") for field in ("username", "role"))
    membership = collection.memberships.select_related("user").filter(user=find_user(name), role=role).first()
    if membership is None:
        messages.info(request, "This role was already removed.")
        return redirect("people", slug)
    try:
        remove_role(collection=collection, user=membership.user, role=membership.role)
    except InputError as error:
        messages.error(request, str(error.problems[0]))
        return redirect("people", slug)
    messages.success(request, f"{membership.user.get_username()} no longer has the role {membership.role}.")
    if membership.user == request.user and May.MANAGE not in capabilities(request.user, collection):
        return redirect("collections")
    return redirect("people", slug)


def people_page(request: HttpRequest, collection: Collection, status: int = 200, **more: object) -> HttpResponse:
    """Render the page of people and invitation links."""
    invitations = collection.invitations.select_related("created_by").prefetch_related("uses__user").order_by("-pk")
    links = Paginator(invitations, PEOPLE_PER_PAGE).get_page(request.GET.get("links"))
    memberships = collection.memberships.select_related("user").order_by("user__username", "role")
    context = {
        "collection": collection,
        "form": RoleOfferForm(),
        "invite": InvitationForm(),
        "offers": Paginator(open_offers(collection), PEOPLE_PER_PAGE).get_page(request.GET.get("offers")),
        "links": links,
        "invitations": [(invitation, invitation_state(invitation)) for invitation in links],
        "memberships": Paginator(memberships, PEOPLE_PER_PAGE).get_page(request.GET.get("people")),
        "roles": ROLE_WORDS,
        **ways_to_sign_up(""),
        **requests_context(request, collection),
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("people", "")],
        **more,
    }
    return render(request, "people/people.html", context, status=status)

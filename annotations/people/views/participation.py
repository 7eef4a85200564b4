"""The way to submitting: what to do, asking, withdrawing, and the owners' answers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.person import person
from accounts.signup_policy import ways_to_sign_up
from annotations.access import May, get_collection
from annotations.models import Collection
from annotations.people.forms import AnswerRequest, AskToSubmit
from annotations.people.selectors import answered_requests, get_request, open_requests, own_requests
from annotations.people.selectors import participation as standing_of
from annotations.people.services import participation
from qc4.problems import InputError

REQUESTS_PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def take_part(request: HttpRequest, slug: str) -> HttpResponse:
    """What somebody does to submit here; a POST asks the owners."""
    collection = get_collection(request.user, slug)
    if request.method != "POST":
        return way_in(request, collection)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    user, form = person(request), AskToSubmit(request.POST)
    if not form.is_valid():
        return way_in(request, collection, form, status=400)
    try:
        participation.ask(collection=collection, user=user, message=form.cleaned_data["message"])
    except InputError as error:
        messages.info(request, f"{error.problems[0].found.capitalize()}. {error.problems[0].fix}")
    else:
        messages.success(request, "You asked. The owners see it on their pages; their answer stands here.")
    return redirect("take-part", slug)


def way_in(
    request: HttpRequest, collection: Collection, form: AskToSubmit | None = None, status: int = 200, back: str = ""
) -> HttpResponse:
    """The page that says what to do; with 403 it stands where somebody wanted to submit.

    Args:
        back: where they wanted to go; by default the collection's form for clusterings.
    """
    context = {
        "collection": collection,
        "standing": standing_of(request.user, collection),
        "form": form or AskToSubmit(),
        "back": back or reverse("submit", args=[collection.slug]),
        **ways_to_sign_up(request.path),
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("how to submit", "")],
    }
    return render(request, "people/take_part.html", context, status=status)


@login_required
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back what one asked; also where one no longer sees the collection."""
    found = own_requests(person(request)).filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such request of yours.")
    if participation.withdraw(found):
        messages.success(request, "The request is withdrawn.")
    else:
        messages.info(request, f"The request was {found.state} already.")
    return redirect(reverse("account") + "#requests")


@login_required
@require_POST
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Accept or decline; of two owners at once the first one counts, and the second is told."""
    collection = get_collection(request.user, slug, May.MANAGE)
    found = get_request(collection, pk)
    form, by = AnswerRequest(request.POST), person(request)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return _inbox(slug)
    given = form.cleaned_data
    if given["answer"] == "accept":
        done, words = participation.accept(found, by), "may submit now"
    else:
        done, words = participation.decline(found, by, given["reason"]), "is told that the request was declined"
    name = found.user.get_username()
    if done:
        messages.success(request, f"{name} {words}.")
    else:
        whose = f" by {found.answered_by.get_username()}" if found.answered_by else ""
        messages.info(request, f"The request of {name} was {found.state}{whose} already; nothing changed.")
    return _inbox(slug)


def inbox(request: HttpRequest, collection: Collection) -> dict[str, object]:
    """What the page of people shows of requests."""
    waiting, before = open_requests(collection), answered_requests(collection)
    return {
        "requests": Paginator(waiting, REQUESTS_PER_PAGE).get_page(request.GET.get("requests")),
        "n_waiting": waiting.count(),
        "answered": before[:REQUESTS_PER_PAGE],
        "answer_form": AnswerRequest(),
    }


def _inbox(slug: str) -> HttpResponse:
    return redirect(reverse("people", args=[slug]) + "#requests")

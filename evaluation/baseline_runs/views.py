"""The view that runs the built-in baselines."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.person import person
from annotations.access import May, get_collection
from evaluation.access import require_organiser
from evaluation.baseline_runs import services as baselines
from evaluation.baseline_runs.forms import RunBaselines
from evaluation.form_messages import add_form_errors


@login_required
@require_POST
def run_baselines(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue the selected baselines and redirect to their run."""
    collection = get_collection(request.user, slug, May.COMPUTE)
    require_organiser(request.user, collection)
    form = RunBaselines(request.POST)
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect("collection", slug)
    run = baselines.enqueue(
        collection=collection,
        keys=form.chosen(),
        seed=form.cleaned_data["seed"],
        draws=form.cleaned_data["draws"],
        user=person(request),
    )
    return redirect("run", run.pk)

"""The catalogue of measures, as they declare themselves."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from measures.policies import CHOICES
from measures.registry import REGISTRY


@require_safe
def catalogue(request: HttpRequest) -> HttpResponse:
    """Every measure with its formula, range, source and what it needs."""
    families = [(family, measures) for family in REGISTRY.families() if (measures := REGISTRY.family(family.key))]
    return render(request, "boards/measures.html", {"families": families, "policies": CHOICES})

"""Find collections: by words, by whose they are, by language and size."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from accounts.person import Person
from annotations.access import visible_collections
from annotations.models import Collection, Membership, Query

SIZES = {"small": (0, 20), "medium": (21, 100), "large": (101, None)}
"""Size -> from how many queries to how many."""


def found_collections(person: Person, wanted: Mapping[str, str]) -> QuerySet[Collection]:
    """The collections this person may see that fit, by name.

    Args:
        wanted: as `annotations.forms.FindCollections` has it: every word of ``q`` stands in the name, the description
            or a query; ``show`` is "mine" or "public"; ``language`` a tag ("pt" finds "pt-BR", too); ``size`` one of
            `SIZES`.
    """
    rows = visible_collections(person)
    for word in (wanted.get("q") or "").split():
        in_query = Exists(
            Query.objects.filter(Q(text__icontains=word) | Q(key__icontains=word), collection=OuterRef("pk"))
        )
        rows = rows.filter(Q(name__icontains=word) | Q(description__icontains=word) | in_query)
    if wanted.get("show") == "mine":
        rows = rows.filter(pk__in=Membership.objects.filter(user=person.pk).values("collection"))
    elif wanted.get("show") == "public":
        rows = rows.filter(visibility=Collection.Visibility.PUBLIC)
    if language := (wanted.get("language") or "").strip():
        rows = rows.filter(Q(language__iexact=language) | Q(language__istartswith=f"{language}-"))
    if size := wanted.get("size"):
        low, high = SIZES[size]
        rows = rows.annotate(n=Count("queries", distinct=True)).filter(n__gte=low)
        rows = rows.filter(n__lte=high) if high is not None else rows
    return rows.order_by("name", "pk")


def languages(person: Person) -> list[str]:
    """The languages of the collections this person may see."""
    tags = visible_collections(person).exclude(language="").order_by().annotate(tag=Lower("language"))
    return sorted(set(tags.values_list("tag", flat=True)))

"""What a token may do, declared once: forms, API, commands, e-mails and the table of tokens read it here.

A token never may more than its person. Which scope an address of the API wants stands in `qc4site/api/token_scopes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from django.core.exceptions import PermissionDenied
from django.db import models


class Scope(models.TextChoices):
    """Each follows rights in collections: submit and compute; curate and publish; manage. All tokens may read."""

    READ = "read", "Read what you may see"
    SUBMIT = "submit", "Check, submit, score and publish clusterings; baselines and sweeps"
    CURATE = "curate", "Work on drafts, comments and gold standards, and publish these; vectors and streams"
    MANAGE = "manage", "Everything else: new collections, people, settings, tokens, deleting"


ALL = frozenset(Scope)
_BESIDE_READING = tuple(scope for scope in Scope if scope != Scope.READ)
COMBINATIONS = tuple(
    " ".join((Scope.READ, *chosen))
    for number in range(len(_BESIDE_READING) + 1)
    for chosen in combinations(_BESIDE_READING, number)
)
"""Everything that the column of a token's scopes may hold."""


def written(scopes: Iterable[str]) -> str:
    """Scopes as they are stored and told: in order, reading always among them."""
    chosen = {Scope.READ, *(Scope(scope) for scope in scopes)}
    return " ".join(scope for scope in Scope if scope in chosen)


class ScopeError(PermissionDenied):
    """A token is used for what it may not do."""

    code = "scope-missing"

    def __init__(self, wanted: Scope, has: Iterable[str]) -> None:
        self.wanted = wanted
        self.sentence = f"This needs a token with the scope “{wanted.value}”; this one has: {', '.join(has)}."
        self.fix = "Make a token that may do this on your account page."
        super().__init__(self.sentence)


class PersonOnlyError(PermissionDenied):
    """A token is used for what only a person may do who is signed in."""

    code = "token-not-enough"

    def __init__(self) -> None:
        self.sentence = "No token may do this, whatever its scopes: it takes somebody who is signed in."
        self.fix = "Sign in and do it on your account page."
        super().__init__(self.sentence)

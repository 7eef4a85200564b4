"""The door by which what is held may be removed."""

from __future__ import annotations

from django.db import models

from annotations.limits import LINE_CHARS


class Removal(models.Model):
    """That a transaction removes what triggers hold otherwise (`annotations.services.removals`).

    The row is there while the transaction works, and taken back before its end: no other one ever sees it.
    """

    why = models.CharField(max_length=LINE_CHARS)

    def __str__(self) -> str:
        return self.why

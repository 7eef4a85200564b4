"""Whom an OpenID Connect provider says somebody is (`accounts.provider`)."""

from __future__ import annotations

from dataclasses import dataclass


class ProviderError(Exception):
    """The provider did not say who it is; in words for the person."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Who came back from the provider.

    Attributes:
        subject: with the issuer, who it is, for ever; nothing else is.
        email: "" where it says none.
        email_verified: whether the provider knows it to be theirs.
    """

    issuer: str
    subject: str
    email: str
    email_verified: bool

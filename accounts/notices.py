"""The kinds of e-mails a person may turn off, declared once: account page, API, e-mails and the table of what is
muted read them here. What concerns an account's safety (a new token, another address) is none of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A kind of e-mail.

    Attributes:
        key: permanent; in addresses of the API and in the database.
        title: what the switch is called.
        when: when one is sent, as a sentence.
    """

    key: str
    title: str
    when: str


INVITATIONS = Notice(
    "invitations",
    "Roles and invitations",
    "You were given a role in a collection, or somebody took up a link of yours.",
)
REQUESTS = Notice("requests", "Requests to your collections", "Somebody asks to submit to a collection you own.")
ANSWERS = Notice("answers", "Answers to your requests", "An owner accepted or declined what you asked.")
FAILED_RUNS = Notice("failed-runs", "Runs that failed", "A run that you started failed.")
GOLD_VERSIONS = Notice(
    "gold-versions",
    "New gold versions",
    "A gold version was published in a collection you belong to, or have submissions in.",
)

NOTICES = (INVITATIONS, REQUESTS, ANSWERS, FAILED_RUNS, GOLD_VERSIONS)
KINDS = tuple(notice.key for notice in NOTICES)

"""The kinds of notices that a person can turn off.

They are declared here once, for the account page, the API, the e-mails and the table of muted notices. Security notices
(a new token, a changed e-mail address) are not among them, because they cannot be turned off.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A kind of notice: an e-mail, or a mark on the site.

    Attributes:
        key: permanent identifier, used in URLs of the API and in the database.
        title: label of the switch.
        when: a sentence that says when a notice of this kind is sent or shown.
    """

    key: str
    title: str
    when: str


INVITATIONS = Notice(
    "invitations",
    "Roles and invitations",
    "You were offered or given a role in a collection, or somebody took up a link of yours.",
)
REQUESTS = Notice("requests", "Requests to your collections", "Somebody asks to submit to a collection you own.")
ANSWERS = Notice("answers", "Answers to your requests", "An owner accepted or declined what you asked.")
FAILED_RUNS = Notice("failed-runs", "Runs that failed", "A run that you started failed.")
GOLD_VERSIONS = Notice(
    "gold-versions",
    "New gold versions",
    "A gold version was published in a collection you belong to, or have submissions in.",
)
COMMENTS = Notice(
    "comments",
    "Comments",
    "Somebody named you in a comment on a draft, or said something in a thread you take part in.",
)
QUESTIONS = Notice("questions", "Questions to the lead", "A curator asks those who adjudicate a collection; you do.")
COMMENTS_HERE = Notice(
    "comments-here",
    "Comments, on the site",
    "Not an e-mail: a number at the head of every page says how many threads have something new for you.",
)

NOTICES = (INVITATIONS, REQUESTS, ANSWERS, FAILED_RUNS, GOLD_VERSIONS, COMMENTS, QUESTIONS, COMMENTS_HERE)
KINDS = tuple(notice.key for notice in NOTICES)

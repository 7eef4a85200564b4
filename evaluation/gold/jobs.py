"""Send the e-mails about a new gold version: there may be hundreds."""

from __future__ import annotations

from accounts import mail, notices
from accounts.mail import letters
from annotations.models import GoldVersion
from evaluation.gold.selectors import not_told_yet
from evaluation.gold.services import claim_recipient, release_recipient
from evaluation.runs.context import JobContext
from evaluation.runs.errors import RunError
from qc4.problems import InputError, Problem
from qc4.wording import counted


def execute(context: JobContext) -> None:
    """Write to everybody a version concerns and who was not told yet, one after the other.

    A person is recorded first and written to then, so that nobody gets the e-mail twice: neither from a run that a
    worker takes over, nor from one that is repeated. A worker that is killed between the two costs one e-mail.

    Raises:
        InputError: the gold version is gone.
        RunError: the mail server takes none of several in a row. A repetition writes to the others.
    """
    version = context.run.gold_version
    if version is None:
        raise InputError([Problem("no-gold-version", "run", "no gold version", "one that is still there")])
    waiting = list(letters(not_told_yet(version), notices.GOLD_VERSIONS, "gold_published", **_facts(version)))
    sent = failed = in_a_row = 0
    with mail.connected() as server:
        for number, letter in enumerate(waiting):
            context.checkpoint(number, len(waiting), f"writing to person {number + 1} of {len(waiting)}")
            if not context.commit(lambda: claim_recipient(version, letter.user), done=number, total=len(waiting)):  # noqa: B023  # called at once
                continue
            outcome = mail.deliver(letter, server)
            if outcome is mail.Delivery.SENT:
                sent, in_a_row = sent + 1, 0
                continue
            failed += 1
            in_a_row += outcome is mail.Delivery.FAILED
            context.commit(lambda: release_recipient(version, letter.user))  # noqa: B023  # called at once
            if in_a_row >= mail.FAILURES_IN_A_ROW:
                raise RunError(
                    "mail-server-away",
                    f"The mail server takes no e-mails; {sent} of {len(waiting)} people were told.",
                    f"the e-mails about {version}",
                    "Run it again once the mail server answers. Nobody is told twice.",
                )
    told = f"{counted(sent, 'person', 'people')} told."
    if failed:
        told += f" {counted(failed, 'e-mail')} could not be sent; the worker's log says why."
    context.commit(lambda: None, done=len(waiting), total=len(waiting), finish=told)


def _facts(version: GoldVersion) -> dict[str, str]:
    publisher = version.published_by
    return {
        "collection": version.collection.name,
        "number": str(version.number),
        "by": publisher.get_username() if publisher else "The site",
        "page": mail.link("leaderboard", version.collection.slug) + f"?gold={version.number}",
    }

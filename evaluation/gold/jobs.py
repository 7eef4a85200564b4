"""Send the e-mails about a new gold version, of which there may be hundreds."""

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
    """Write to everyone a version concerns who has not been notified yet, one at a time.

    Each recipient is recorded before the e-mail is sent. So nobody gets the e-mail twice if another worker takes over
    the run or the run is repeated. A worker that is killed between the two steps loses one e-mail.

    Raises:
        InputError: the gold version no longer exists.
        RunError: the mail server rejected several e-mails in a row. A repeated run writes to the remaining people.
    """
    version = context.run.gold_version
    if version is None:
        raise InputError([Problem("no-gold-version", "run", "no gold version", "a gold version that still exists")])
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
                    f"The mail server rejects e-mails; {sent} of {len(waiting)} people were notified.",
                    f"the e-mails about {version}",
                    "Run it again when the mail server responds. Nobody is notified twice.",
                )
    notified = f"{counted(sent, 'person', 'people')} notified."
    if failed:
        notified += f" {counted(failed, 'e-mail')} could not be sent; the reason is in the worker's log."
    context.commit(lambda: None, done=len(waiting), total=len(waiting), finish=notified)


def _facts(version: GoldVersion) -> dict[str, str]:
    publisher = version.published_by
    return {
        "collection": version.collection.name,
        "number": str(version.number),
        "by": publisher.get_username() if publisher else "The site",
        "page": mail.link("leaderboard", version.collection.slug) + f"?gold={version.number}",
    }

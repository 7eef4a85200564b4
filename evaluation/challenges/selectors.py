"""A challenge as one person sees it: state, rules in words, and remaining submissions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.person import Person
from annotations.access import capabilities
from annotations.challenges.access import ORGANISER_RIGHTS, hides_gold_of
from annotations.models import Challenge
from annotations.models.challenges import ChallengeState
from evaluation.models import CountedSubmission
from qc4.measures.registry import REGISTRY
from qc4.records import Record
from qc4.wording import counted
from work.clock import database_time


@dataclass(frozen=True, slots=True)
class ChallengeSummary(Record):
    """A challenge as one person sees it.

    Attributes:
        state: announced, open, closed, or final.
        rules: the rules, in sentences.
        hidden, queries: number of queries with a hidden gold standard, and of all queries.
        taking_part: what the final results will show of a submission that the person makes now.
        left_today, left_in_all: submissions the person can still make; None without a limit.
        organises: whether the person sees everything and has no limits.
        results: the final results; None until they are computed.
    """

    KEYS = (
        "collection=challenge.collection.slug state opens_at closes_at measure=challenge.measure hides=challenge.hides "
        "shown streams_shown=challenge.streams_shown reveals=challenge.reveals board_hidden=challenge.board_hidden "
        "per_day=challenge.per_day in_all=challenge.in_all queries hidden left_today left_in_all organises rules "
        "taking_part results"
    )

    challenge: Challenge
    state: str
    shown: tuple[str, ...]
    queries: int
    hidden: int
    rules: tuple[str, ...]
    left_today: int | None
    left_in_all: int | None
    organises: bool
    results: dict[str, Any] | None

    @property
    def opens_at(self) -> str | None:
        return _iso(self.challenge.opens_at)

    @property
    def closes_at(self) -> str | None:
        return _iso(self.challenge.closes_at)

    @property
    def title(self) -> str:
        """The state in a few words."""
        opens, closes = self.challenge.opens_at, self.challenge.closes_at
        if self.state == ChallengeState.ANNOUNCED and opens:
            return f"opens on {format_time(opens)}"
        if self.state == ChallengeState.OPEN:
            return f"open until {format_time(closes)}" if closes else "open"
        if self.state == ChallengeState.CLOSED and closes:
            return f"closed on {format_time(closes)}; final results follow when everything is scored"
        return f"final, closed on {format_time(closes)}" if closes else "final"

    @property
    def takes_submissions(self) -> bool:
        """True if the challenge lets this person submit now."""
        left = (self.left_today, self.left_in_all)
        return self.organises or (self.state == ChallengeState.OPEN and 0 not in left)

    @property
    def why_not(self) -> str:
        """Why this person cannot submit now, in sentences; empty if they can."""
        if self.takes_submissions:
            return ""
        if self.state == ChallengeState.ANNOUNCED:
            return f"The challenge {self.title}."
        if self.state != ChallengeState.OPEN:
            closes = self.challenge.closes_at
            return f"The challenge closed on {format_time(closes)}." if closes else "The challenge has closed."
        if self.left_in_all == 0:
            return "You have no submissions left in this challenge."
        again = format_time(start_of_next_day(database_time()))
        return f"You have no submissions left today. You can submit again from {again}."

    @property
    def taking_part(self) -> str:
        """What the final results will show of a submission that this person makes now."""
        if self.organises:
            return "You organise this challenge: your submission takes part only if you publish it."
        return (
            "Your algorithm's effective submission takes part in the challenge whether or not you publish it. The "
            "final results will show the algorithm's name, your user name, the time and the scores. The clusters stay "
            "private until you publish the submission. To withdraw it, delete it before the challenge closes."
        )

    @property
    def left_words(self) -> str:
        """How many submissions are left; empty without a limit, and while the challenge is not open."""
        if self.organises or self.state != ChallengeState.OPEN:
            return ""
        parts = []
        if self.left_today is not None:
            parts.append(f"{self.left_today} today")
        if self.left_in_all is not None:
            parts.append(f"{self.left_in_all} in all")
        return f"You have {' and '.join(parts)} left." if parts else ""


def challenge_summary(challenge: Challenge, person: Person) -> ChallengeSummary:
    """Return a challenge (already checked) as this person sees it."""
    now = database_time()
    queries = list(challenge.collection.queries.order_by("position", "pk").values_list("pk", "key"))
    shown = set(challenge.shown.values_list("pk", flat=True))
    hidden = sum(hides_gold_of(challenge, shown, pk) for pk, _ in queries)
    organises = bool(capabilities(person, challenge.collection) & ORGANISER_RIGHTS)
    today, all_of_them = _left(challenge, person, now)
    final = challenge.final
    return ChallengeSummary(
        challenge=challenge,
        state=str(challenge.state(now)),
        shown=tuple(key for pk, key in queries if pk in shown),
        queries=len(queries),
        hidden=hidden,
        rules=rules(challenge, hidden, len(queries)),
        left_today=None if organises else today,
        left_in_all=None if organises else all_of_them,
        organises=organises,
        results=final.content if final else None,
    )


def _left(challenge: Challenge, person: Person, now: datetime) -> tuple[int | None, int | None]:
    if challenge.per_day is None and challenge.in_all is None:
        return None, None
    days = list(CountedSubmission.objects.filter(challenge=challenge, user=person.pk).values_list("day", flat=True))
    in_all = None if challenge.in_all is None else max(0, challenge.in_all - len(days))
    today = None if challenge.per_day is None else max(0, challenge.per_day - days.count(now.date()))
    return (today if in_all is None or today is None else min(today, in_all)), in_all


def rules(challenge: Challenge, hidden: int, queries: int) -> tuple[str, ...]:
    """Return the rules for participants, in sentences."""
    return tuple(
        filter(
            None,
            (
                *_dates(challenge),
                _limits(challenge),
                _streams(challenge),
                *_gold(challenge, hidden, queries),
                _board(challenge),
            ),
        )
    )


def _dates(challenge: Challenge) -> tuple[str, ...]:
    opens, closes = challenge.opens_at, challenge.closes_at
    are = "were" if challenge.has_closed else "are"
    if opens and closes:
        return (f"Submissions {are} accepted from {format_time(opens)} until {format_time(closes)}.",)
    if closes:
        return (f"Submissions {are} accepted until {format_time(closes)}.",)
    opened = f"Submissions are accepted from {format_time(opens)}" if opens else "Submissions are accepted"
    return (f"{opened}, without an end. Final results need one.",)


def _limits(challenge: Challenge) -> str:
    parts = []
    if challenge.per_day is not None:
        parts.append(f"{counted(challenge.per_day, 'submission')} a day (of UTC)")
    if challenge.in_all is not None:
        parts.append(f"{challenge.in_all} in all" if parts else f"{counted(challenge.in_all, 'submission')} in all")
    if not parts:
        return "You can submit as often as you like."
    return f"Each person can make {' and '.join(parts)}. Deleted submissions count; rejected files do not."


def _streams(challenge: Challenge) -> str:
    """Return the rule for streams; empty if there are none."""
    if not challenge.collection.streams.exists():
        return ""
    if challenge.streams_shown or challenge.hides == Challenge.Hides.NOTHING:
        return "The same times and limits apply to clusterings of its streams, which final results do not use."
    until = "until the challenge has closed" if challenge.reveals else "and stay hidden"
    return f"Its streams are hidden {until}, because their files contain the true classes."


def _gold(challenge: Challenge, hidden: int, queries: int) -> tuple[str, ...]:
    if challenge.hides == Challenge.Hides.NOTHING:
        return ("All gold standards are shown.", *_ranked(challenge, "all queries"))
    some = challenge.hides == Challenge.Hides.SOME
    what = f"The gold standards of {hidden} of {counted(queries, 'query', 'queries')} are hidden"
    if not some:
        what = "The gold standards of all queries are hidden"
    until = "until the challenge has closed" if challenge.reveals else "and stay hidden"
    seen = (
        "While they are hidden, pages and files show scores only on the other queries."
        if some
        else "While they are hidden, no scores are shown."
    )
    return (f"{what} {until}.", seen, *_ranked(challenge, "the hidden queries"))


def _ranked(challenge: Challenge, queries: str) -> tuple[str, ...]:
    title = REGISTRY.get(challenge.measure).title
    return (
        f"The final results rank each algorithm by the mean {title} of its effective submission over {queries}.",
        "A participant's submission takes part whether or not it is published. If it is private, the final results "
        "show only its algorithm's name, its owner, its time and its scores.",
    )


def _board(challenge: Challenge) -> str:
    if challenge.board_hidden:
        return "Until the challenge has closed, people see only their own submissions."
    return "Published submissions of other people are shown."


def format_time(at: datetime) -> str:
    """Format a date and time: "2026-11-23 04:30 UTC"."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def start_of_next_day(at: datetime) -> datetime:
    """Return the start of the next day in UTC."""
    return datetime.combine(at.astimezone(UTC).date() + timedelta(days=1), datetime.min.time(), UTC)


def _iso(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None

"""Facts about a run for pages and the API: its state, its speed, its options and its command line."""

from __future__ import annotations

import shlex
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from accounts.models import User
from evaluation.models import Run, Submission
from evaluation.runs.scheduling import runs_before
from evaluation.stream_settings import StreamSettings
from qc4.model.noise import noise_text
from qc4.model.policies import CHOICES
from work.clock import database_time
from work.leases import State
from work.workers import live_workers


def status(run: Run, *, operates: bool = False) -> dict[str, Any]:
    """Return the run's state as plain values, ready for a template or JSON.

    Args:
        operates: whether the reader runs the site, and so may see the names of machines.

    Returns:
        ``state``; ``position`` (1 is the next to start, 0 not waiting); ``done``, ``total``, ``step``; ``rate`` (units
        per second of this attempt, None if unknown) and ``seconds_left``; ``attempt``, ``max_attempts``, ``worker``;
        ``heartbeat_age``, ``seconds_waiting`` and ``seconds_running`` in seconds by the database's clock;
        ``workers_alive``, ``is_served`` (whether a live worker serves its queue); ``has_ended``; ``error``;
        ``events`` (oldest first: at, actor, from, to, why, attempt).
    """
    now = database_time()
    workers = list(live_workers())
    rate = _rate(run, now)
    return {
        "state": run.state,
        "has_ended": run.has_ended,
        "position": position(run),
        "done": run.done,
        "total": run.total,
        "step": run.step,
        "rate": rate,
        "seconds_left": (run.total - run.done) / rate if rate and run.state == State.RUNNING else None,
        "attempt": run.attempts,
        "max_attempts": settings.JOB_MAX_ATTEMPTS,
        "worker": shown_actor(run.worker, operates=operates),
        "heartbeat_age": _seconds(_last_heartbeat(run), now),
        "seconds_waiting": _seconds(run.created_at, now) if run.state == State.QUEUED else None,
        "seconds_running": _seconds(run.started_at, run.finished_at or now) if run.state != State.QUEUED else None,
        "workers_alive": len(workers),
        "is_served": any(run.queue in worker.queues.split(",") for worker in workers),
        "error": run.error,
        "events": [
            {
                "at": event.at,
                "actor": shown_actor(event.actor, operates=operates),
                "from": event.from_state,
                "to": event.to_state,
                "why": event.why,
                "attempt": event.attempt,
            }
            for event in run.events.order_by("pk")
        ],
    }


def shown_actor(actor: str, *, operates: bool) -> str:
    """Return the name of an event's actor for the run's log.

    A worker's name contains its host and process, which only people who run the site may see. Unlike user names, it
    contains a colon.
    """
    return actor if operates or ":" not in actor else "a worker"


def position(run: Run) -> int:
    """Return the queue position: 1 for the next run to start, 0 if the run is not waiting."""
    return runs_before(run) + 1 if run.state == State.QUEUED else 0


def _rate(run: Run, now: datetime) -> float | None:
    """Return units per second since this attempt began; None for a resumed run, which counts earlier attempts too."""
    if run.attempts != 1 or not run.done or run.started_at is None:
        return None
    seconds = _seconds(run.started_at, run.finished_at or now)
    return run.done / seconds if seconds else None


def _last_heartbeat(run: Run) -> datetime | None:
    """Return when the worker last extended the lease."""
    return run.lease_until - timedelta(seconds=settings.JOB_LEASE_SECONDS) if run.lease_until else None


def _seconds(since: datetime | None, until: datetime) -> float | None:
    return max((until - since).total_seconds(), 0.0) if since is not None else None


# --- The options of a run, in words and as a command line ---

# The virtual environment that `make run` creates; Debian has no command called python.
PYTHON = ".venv/bin/python"
MANAGE = (PYTHON, "manage.py")


def measure_stream(slug: str, file: str, settings: StreamSettings) -> str:
    """Return the command that measures clusterings without the site. In a downloaded stream only null means noise."""
    stream, every_class = f"{slug}-stream.json", ("--noise", noise_text([]))
    return shlex.join([PYTHON, "-m", "qc4", "stream", stream, file, *settings.arguments, *every_class])


def command_for(run: Run) -> str:
    """Return the commands that repeat a run, ready to copy; file names stand for the person's own files."""
    if run.kind == Run.Kind.IMPORT:
        return _import(run)
    if run.collection is None:
        return ""
    if run.kind == Run.Kind.BASELINES:
        keys = run.options.get("keys", []) if run.options.get("chosen", True) else []
        return _baselines(run.collection.slug, keys, run.options.get("seed"), run.options.get("draws"))
    if run.kind == Run.Kind.SWEEP:
        return _sweep(run.collection.slug, run.options)
    if run.kind == Run.Kind.VECTORS:
        return _vectors(run, run.collection.slug)
    if run.stream is not None:
        return _stream(run, run.collection.slug, run.stream.key)
    if run.submission is None:
        return ""
    under = [
        part for name, choice in run.policies.items() if choice != CHOICES[name][0] for part in (f"--{name}", choice)
    ]
    if under and run.gold_version is not None:
        one = [run.collection.slug, "--submission", str(run.submission.pk), "--gold", str(run.gold_version.number)]
        return shlex.join([*MANAGE, "score", *one, *under])
    if run.submission.algorithm.baseline:
        algorithm = run.submission.algorithm
        written = f"{algorithm.baseline}:{algorithm.settings}" if algorithm.settings else algorithm.baseline
        draws = 1 if run.submission.repeat else None
        return _baselines(run.collection.slug, [written], run.submission.seed, draws)
    file = run.submission.upload.name if run.submission.upload else f"submission-{run.submission.pk}.jsonl"
    submit = [*MANAGE, "submit", run.collection.slug, file, "--algorithm", run.submission.algorithm.name]
    submit += _reading_options(run.submission)
    submit += ["--publish"] if run.submission.published else []
    submit += _owner_option(run.submission.created_by)
    score = f"{PYTHON} -m qc4 score GOLD.json CLUSTERING.json --all --explain"
    return f"{shlex.join(submit)}\n\n# or without the site, query by query:\n{score}"


def chosen_options(run: Run) -> list[tuple[str, str]]:
    """Return the options that a person chose, as (name, words), without those that the run itself recorded."""
    choices = []
    for name, value in run.options.items():
        if isinstance(value, list):
            choices.append((name, ", ".join(map(str, value))))
        elif isinstance(value, bool):
            choices.append((name, "yes" if value else "no"))
        elif isinstance(value, str | int | float) and value != "":
            choices.append((name.replace("_", " "), str(value)))
    return [(name, words) for name, words in choices if name != "chosen"]


def _baselines(slug: str, keys: list[str], seed: int | None, draws: int | None = None) -> str:
    only = ["--only", ",".join(keys)] if keys else []
    numbers = [("--seed", seed), ("--draws", draws)]
    given = [part for name, value in numbers if value is not None for part in (name, str(value))]
    return shlex.join([*MANAGE, "run_baselines", slug, *only, *given])


def _sweep(slug: str, options: dict[str, Any]) -> str:
    lists = [part for name in ("algorithms", "clusters") for part in (f"--{name}", ",".join(map(str, options[name])))]
    numbers = [part for name in ("initialisations", "seed") for part in (f"--{name}", str(options[name]))]
    return shlex.join([*MANAGE, "run_sweep", slug, *lists, *numbers])


def _stream(run: Run, slug: str, key: str) -> str:
    settings = StreamSettings.parse(run.options).arguments
    if run.stream_submission is None:
        only, seed = ",".join(run.options["keys"]), str(run.options["seed"])
        return shlex.join([*MANAGE, "run_stream_baselines", slug, key, "--only", only, "--seed", seed, *settings])
    baseline = run.stream_submission.algorithm.baseline
    if baseline:
        return shlex.join([*MANAGE, "run_stream_baselines", slug, key, "--only", baseline, *settings])
    file = f"stream-submission-{run.stream_submission.pk}.json"
    submit = [*MANAGE, "submit_stream", slug, key, file, "--algorithm", run.stream_submission.algorithm.name, *settings]
    submit += ["--publish"] if run.stream_submission.published else []
    submit += _owner_option(run.stream_submission.created_by)
    measure = measure_stream(slug, file, StreamSettings.parse(run.options))
    return f"{shlex.join(submit)}\n\n# or without the site:\n{measure}"


def _reading_options(submission: Submission) -> list[str]:
    """Return the options with which the file gives the same clusterings, in the same repeat."""
    report: dict[str, Any] = submission.report.content
    noise, separator = report.get("noise"), report.get("label_separator")
    return [
        *(["--repeat", submission.repeat] if submission.repeat else []),
        *(["--seed", str(submission.seed)] if submission.seed is not None else []),
        *(["--noise", noise_text(noise)] if noise is not None else []),
        *(["--label-separator", separator] if separator else []),
    ]


def _vectors(run: Run, slug: str) -> str:
    how = [run.upload.name] if run.upload else ["--from-text"]
    for option in ("components", "seed"):
        if option in run.options:
            how += [f"--{option}", str(run.options[option])]
    return shlex.join([*MANAGE, "vectors", slug, *how])


def _import(run: Run) -> str:
    parts = [*MANAGE, "import_collection", run.upload.name if run.upload else "FILE"]
    for option in ("name", "completion", "split_levels", "html_entities"):
        if run.options.get(option):
            parts += [f"--{option.replace('_', '-')}", str(run.options[option])]
    if run.options.get("public"):
        parts.append("--public")
    return shlex.join([*parts, *_owner_option(run.created_by)])


def _owner_option(user: User | None) -> list[str]:
    """Return the option for the owner: private data must have one."""
    return ["--user", user.get_username()] if user else []

"""How to do what a run did on the command line."""

from __future__ import annotations

import shlex

from evaluation.models import Run


def command_for(run: Run) -> str:
    """The commands, ready to copy; file names stand for files the person has (or downloads)."""
    if run.kind == Run.Kind.IMPORT:
        return _import(run)
    if run.collection is None:
        return ""
    if run.kind == Run.Kind.BASELINES:
        keys = run.options.get("keys") or []
        only = ["--only", ",".join(map(str, keys))] if keys else []
        seed = ["--seed", str(run.options["seed"])] if "seed" in run.options else []
        return shlex.join(["python", "manage.py", "run_baselines", run.collection.slug, *only, *seed])
    if run.submission is None:
        return ""
    file = run.submission.upload.name if run.submission.upload else f"submission-{run.submission.pk}.jsonl"
    submit = ["python", "manage.py", "submit", run.collection.slug, file, "--algorithm", run.submission.algorithm.name]
    score = "python -m measures score GOLD.json CLUSTERING.json --all --explain"
    return f"{shlex.join(submit)}\n\n# or without the site, query by query:\n{score}"


def _import(run: Run) -> str:
    parts = ["python", "manage.py", "import_collection", run.upload.name if run.upload else "FILE"]
    for option in ("name", "completion", "split_levels"):
        if run.options.get(option):
            parts += [f"--{option.replace('_', '-')}", str(run.options[option])]
    return shlex.join(parts)

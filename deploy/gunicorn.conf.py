"""gunicorn for QC4 Bench: ``gunicorn -c deploy/gunicorn.conf.py qc4site.wsgi:application``; `manage.py serve` does."""

import gc
import os

bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"
worker_class = "qc4site.serving.worker.Buffering"
workers = int(os.environ.get("WEB_PROCESSES") or 1)
threads = int(os.environ.get("WEB_THREADS") or 8)
# Only a process that hangs altogether is replaced. How long clients may take: qc4site/serving/patience.py.
timeout = 120
graceful_timeout = 8
control_socket_disable = True
# As the settings have it: what it writes is for the account of the site alone.
umask = 0o077
loglevel = (os.environ.get("LOG_LEVEL") or "warning").lower()

_background = []
_held = []


def post_worker_init(worker):
    """Every web process sweeps, so that runs get their exit even while no worker is there."""
    from django.urls import get_resolver

    from evaluation.jobs.background import Background
    from qc4site.held_open import hold_open

    # What every page needs is there before the first visitor, and no collection of garbage walks through it again:
    # those took 100 ms, every fifteenth board.
    get_resolver().url_patterns  # noqa: B018  # loads all views
    gc.collect()
    gc.freeze()
    background = Background()
    background.start()
    _background.append(background)
    _held.append(hold_open())


def worker_exit(server, worker):
    for background in _background:
        background.stop()

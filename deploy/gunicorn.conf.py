"""gunicorn for QC4 Bench: ``gunicorn -c deploy/gunicorn.conf.py qc4site.wsgi:application``; `manage.py serve` does."""

import os

_host = (os.environ.get("HOST") or "127.0.0.1").strip("[]")
bind = f"{f'[{_host}]' if ':' in _host else _host}:{os.environ.get('PORT') or '8000'}"
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
    from evaluation.jobs.background import Background
    from qc4site.held_open import hold_open
    from qc4site.serving.ready import make_ready

    make_ready()
    background = Background()
    background.start()
    _background.append(background)
    _held.append(hold_open())


def worker_exit(server, worker):
    for background in _background:
        background.stop()

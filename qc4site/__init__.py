"""Wiring only: settings, URLs, the Celery application, the error shape, WSGI."""

from qc4site.celery import app as celery_app

__all__ = ["celery_app"]

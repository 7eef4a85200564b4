"""The Celery application. It carries wake-up calls for workers where there is a broker (`work.wakeups`)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qc4site.settings")

app = Celery("qc4site")
app.config_from_object("django.conf:settings", namespace="CELERY")

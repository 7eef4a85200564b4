"""The Celery application. Its broker only carries wake-up calls: the row of a run is the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qc4site.settings")

app = Celery("qc4site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["evaluation"])

"""``manage.py load_demo``: the demo collection with its submissions and baselines, scored."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from evaluation.console import Refused, carry_out
from evaluation.services import demo
from measures.problems import InputError


class Command(BaseCommand):
    """Does what is missing; a second time that is nothing."""

    help = "Load the demo collection, if it is not there."

    def handle(self, *args: Any, **options: Any) -> None:
        done = 0
        try:
            while waiting := demo.load():
                for run in waiting:
                    about = run.submission.algorithm.name if run.submission else "baselines"
                    carry_out(run, f"Demo: {about}")
                    done += 1
        except InputError as error:
            raise Refused(error.problems, "The demo collection") from None
        if done:
            self.stdout.write(f"The demo collection is loaded ({done} runs).")

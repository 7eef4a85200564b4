"""``manage.py load_demo``: load the demo collection with its submissions and baselines, and score them."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.console import SiteCommand
from accounts.models import User
from accounts.person import Person
from annotations.models import Collection
from evaluation.boards.warming import queue_answers_for
from evaluation.collections import demo
from evaluation.management.console import Progress, Refused, carry_out_with
from evaluation.models import Run
from qc4.problems import InputError
from work.answer_worker import compute_waiting_answers


class Command(SiteCommand):
    """Add the missing parts of the demo; a second call changes nothing."""

    help = "Load the demo collection, if it does not exist and there is no other collection."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--anyway", action="store_true", help="load it although there are other collections")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["anyway"] and not demo.is_wanted():
            self.stdout.write("There are other collections, so the demo was not loaded (load_demo --anyway loads it).")
            return
        try:
            done = self._load()
        except InputError as error:
            raise Refused(error.problems, "The demo collection") from None
        if done:
            self._prepare()
            self.stdout.write(f"The demo collection is loaded ({done} runs).")

    def _prepare(self) -> None:
        """Compute the first views of the demo's pages; computing one answer may request others."""
        collection = Collection.objects.get(slug=demo.SLUG)
        people: list[Person] = [AnonymousUser(), *User.objects.filter(username=demo.OWNER)]
        queue_answers_for(collection, people)
        while compute_waiting_answers():
            queue_answers_for(collection, people)

    def _load(self) -> int:
        """Execute all its runs and return their number."""
        done = 0
        with Progress("Demo collection") as progress:
            while waiting := demo.load():
                total = done + len(waiting)
                for run in waiting:
                    tell = partial(progress, done, total, _about(run))
                    carry_out_with(run, lambda *_, tell=tell: tell())
                    done += 1
                progress(done, total, "")
        return done


def _about(run: Run) -> str:
    if submission := run.submission or run.stream_submission:
        return f"scoring {submission.algorithm}"
    return "clustering by the baselines"

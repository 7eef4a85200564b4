"""Options of requests from the workspace."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotations.api.options import Options
from annotations.limits import HISTORY_ROWS, MOST_HISTORY_ROWS, SEARCH_CHARS, SUGGESTED_TOPICS, UNSEEN_SPANS
from common.limits import KEY_CHARS, LARGEST_RANK, LARGEST_REVISION


def _revision(**facts: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=LARGEST_REVISION, **facts)


class Batch(Options):
    """A change to a draft: ``operations`` (one undo for all), or ``undo``, ``redo`` or ``restore`` of one revision."""

    id = serializers.UUIDField(help_text="Made by you; the same id again does nothing again.")
    base = serializers.IntegerField(min_value=0, max_value=LARGEST_REVISION, help_text="The revision you have seen.")
    unseen = serializers.ListField(
        child=serializers.ListField(child=_revision(), min_length=2, max_length=2),
        max_length=UNSEEN_SPANS,
        default=list,
        help_text="Entries up to `base` that were not known when this was done, as spans of revisions `[first, last]`.",
    )
    operations = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="See docs/users/api.md for the kinds."
    )
    undo = _revision(required=False, help_text="Your latest revision not undone yet.")
    redo = _revision(required=False, help_text="The revision `redo` of the last answer.")

    restore = _revision(
        required=False,
        help_text="A revision, of anybody, that deleted topics or merged them away: they come back with their pages.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if any(not first <= last <= attrs["base"] for first, last in attrs["unseen"]):
            raise serializers.ValidationError({"unseen": ["spans [first, last] that end at `base` or before"]})
        return attrs


class Settled(Options):
    """Which losses are settled."""

    revisions = serializers.ListField(
        child=_revision(),
        min_length=1,
        max_length=MOST_HISTORY_ROWS,
        help_text="The `revision` of each.",
    )


class Present(Options):
    """Which page one looks at."""

    page = serializers.CharField(allow_blank=True, allow_null=True, default="", max_length=KEY_CHARS)


class Suggest(Options):
    """How topics are to be suggested."""

    topics = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=2,
        max_value=SUGGESTED_TOPICS,
        help_text="How many; by default as many as the pages show.",
    )


class Since(Options):
    """From where on."""

    since = serializers.IntegerField(
        min_value=0, max_value=LARGEST_REVISION, default=0, help_text="The revision you have."
    )


class HistoryOptions(Options):
    """Which part of the log, the latest entries first."""

    before = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_REVISION, help_text="Only entries before this revision."
    )
    limit = serializers.IntegerField(min_value=1, max_value=MOST_HISTORY_ROWS, default=HISTORY_ROWS)


class WithinTopic(Options):
    """Which pages."""

    topic = serializers.CharField(
        required=False, max_length=KEY_CHARS, help_text="A topic's id: its pages that are in none of its subtopics."
    )


class OnePage(Options):
    """Which page."""

    key = serializers.CharField(help_text="The page's id, percent-encoded.")


class PageOptions(Options):
    """Which pages; where several options are given, those that all of them hold for."""

    search = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=SEARCH_CHARS,
        help_text='Words in titles, addresses, snippets and texts, "phrases", and -words that must not be there.',
    )
    topic = serializers.CharField(required=False, help_text="Pages in the topic with this id, or in one below it.")
    host = serializers.CharField(required=False, help_text="Pages whose address is at this host.")
    by = serializers.CharField(required=False, help_text="Pages this person placed or confirmed last; a user name.")
    flagged = serializers.BooleanField(required=False, allow_null=True, default=None, help_text="Flagged, or not.")
    note = serializers.BooleanField(required=False, allow_null=True, default=None, help_text="With a note, or without.")
    unplaced = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_RANK, help_text="Pages without a place on this level."
    )

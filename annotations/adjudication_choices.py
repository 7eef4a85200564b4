"""Subjects of disagreements and possible decisions of an adjudication, as stored, sent and shown."""

from __future__ import annotations

from enum import StrEnum


class About(StrEnum):
    """The subject of a disagreement."""

    TOPIC = "topic"
    NAME = "name"
    PARENT = "parent"
    PAGE = "page"


class Choice(StrEnum):
    """A decision: as one of the drafts has it, or something else.

    For a topic that only some drafts have, choosing a draft that has it includes the topic, and choosing a draft that
    does not have it excludes the topic.
    """

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    FIFTH = "fifth"
    SIXTH = "sixth"
    ALL = "all"
    MAJORITY = "majority"
    OUTLIER = "outlier"
    SAME = "same"
    TYPED = "typed"
    SKIP = "skip"
    REOPEN = "reopen"
